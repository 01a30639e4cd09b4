//! Margins of rows, a bar a row in the order of the table, one picture above the other: before
//! and after learning, as the papers show them.

use super::frame::{self, Area};
use super::scale::Scale;
use super::{Anchor, Figure, Ink, Shape, told};

/// The height of one picture, and of what stands around it.
const HEIGHT: f64 = 110.0;
const AROUND: f64 = 34.0;
/// Bars that a picture can hold; of more rows every second, third … is drawn.
const BARS: usize = 360;

/// Pictures with a name each, all on one scale. `numbers` are the row numbers when some rows of
/// the table were left out.
pub fn draw(
    title: &str,
    panels: &[(String, &[f64])],
    numbers: Option<&[usize]>,
    width: f64,
) -> Figure {
    let height = 30.0 + panels.len() as f64 * (HEIGHT + AROUND) + 30.0;
    let mut figure = Figure::new(width, height, title);
    frame::title(&mut figure);
    let all = || panels.iter().flat_map(|(_, margins)| margins.iter().copied());
    let longest = panels.iter().map(|(_, margins)| margins.len()).max().unwrap_or(0);
    let every = longest.div_ceil(BARS).max(1);
    for (number, (name, margins)) in panels.iter().enumerate() {
        let top = 34.0 + number as f64 * (HEIGHT + AROUND) + 18.0;
        let area = Area { x: (frame::LEFT, width - 16.0), y: (top, top + HEIGHT) };
        let x = Scale::holding([0.0, longest.max(1) as f64], area.x);
        let y = Scale::holding(all().chain([0.0]), (area.y.1, area.y.0)).rounded();
        figure.write(Ink::Text, (area.x.0, top - 6.0), Anchor::Start, name.as_str());
        frame::left_axis(&mut figure, area, &y, "margin");
        if number + 1 == panels.len() {
            let name = if numbers.is_some() { "row, of those drawn" } else { "row" };
            frame::bottom_axis(&mut figure, area, &x, name);
        }
        let wide = (x.at(every as f64) - x.at(0.0)).max(0.5);
        for (row, &margin) in margins.iter().enumerate().step_by(every) {
            let (zero, end) = (y.at(0.0), y.at(margin));
            let at = (x.at(row as f64), zero.min(end));
            let size = (wide * 0.85, (zero - end).abs().max(0.5));
            let ink = Ink::Series(usize::from(margin <= 0.0));
            let number = numbers.and_then(|numbers| numbers.get(row)).unwrap_or(&row);
            let tip = format!("row {number}: {}", told(margin));
            figure.draw_told(ink, Shape::Box { at, size }, tip);
        }
        figure.rule(Ink::Axis, (area.x.0, y.at(0.0)), (area.x.1, y.at(0.0)), 1.0);
    }
    let wrong = |margins: &[f64]| margins.iter().filter(|&&m| m <= 0.0).count();
    let words: Vec<String> = panels
        .iter()
        .map(|(name, margins)| {
            format!("{name}: {} of {} rows at or below 0", wrong(margins), margins.len())
        })
        .collect();
    let part = if every > 1 { format!(" One row in {every} is drawn.") } else { String::new() };
    figure.about = format!("A bar a row, its margin. {}.{part}", words.join("; "));
    figure
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_on_the_wrong_side_have_a_colour_of_their_own_and_are_counted() {
        let (before, after) = ([0.5, -0.2, 0.0], [0.5, 0.2, 0.1]);
        let panels = [("cosine".to_owned(), &before[..]), ("learned".to_owned(), &after[..])];
        let figure = draw("Margins", &panels, Some(&[4, 7, 9]), 460.0);
        assert!(figure.marks.iter().any(|m| m.tip.as_deref() == Some("row 7: -0.2")));
        assert!(figure.about.contains("cosine: 2 of 3 rows at or below 0; learned: 0 of 3"));
        let wrong = figure.marks.iter().filter(|m| m.tip.is_some() && m.ink == Ink::Series(1));
        assert_eq!(wrong.count(), 2);
        let many = vec![1.0; 1000];
        let figure = draw("Margins", &[("a".into(), &many)], None, 460.0);
        assert!(figure.about.contains("One row in 3"), "{}", figure.about);
        assert!(figure.marks.iter().filter(|m| m.tip.is_some()).count() <= BARS);
    }
}
