//! Heat maps: a table of shaded cells with its numbers, or a large matrix as a picture.

use nearkin::data::{Classes, SimilarityMatrix};

use super::frame::{self, Area, LINE};
use super::ink::shade;
use super::{Anchor, Figure, Ink, Shape, shortened, told, width_of};

/// A small table: `values[row][column]` with its words written in each cell.
///
/// `limit` is the value of the strongest shade; above it cells look alike.
pub fn table(
    (title, down, across): (&str, &str, &str),
    rows: &[String],
    columns: &[String],
    cells: &[Vec<(f64, String)>],
    width: f64,
) -> Figure {
    let left = frame::room_for(rows.iter().map(String::as_str), width) + LINE;
    let room = (width - left - 12.0) / columns.len().max(1) as f64;
    // Names that do not fit side by side stand upright.
    let widest = columns.iter().map(|c| width_of(&shortened(c, frame::LONGEST_NAME)));
    let widest = widest.fold(0.0, f64::max);
    let upright = widest > room - 4.0;
    let head = if upright { widest + 12.0 } else { LINE };
    let side = room.clamp(18.0, 34.0);
    let top = 28.0 + LINE + head;
    let area = Area { x: (left, width - 12.0), y: (top, top + rows.len() as f64 * side) };
    let mut figure = Figure::new(width, area.y.1 + 10.0, title);
    frame::title(&mut figure);
    let middle = (area.x.0 + area.x.1) / 2.0;
    figure.write(Ink::Quiet, (middle, 36.0 + 4.0), Anchor::Middle, across);
    let at = (14.0, (area.y.0 + area.y.1) / 2.0);
    let (anchor, size) = (Anchor::Middle, super::TEXT);
    figure.draw(Ink::Quiet, Shape::Text { at, size, anchor, upward: true, text: down.into() });
    for (number, name) in columns.iter().enumerate() {
        let text = shortened(name, frame::LONGEST_NAME);
        let x = area.x.0 + (number as f64 + 0.5) * room;
        let anchor = if upright { Anchor::Start } else { Anchor::Middle };
        let at = if upright { (x + 4.0, top - 4.0) } else { (x, top - 6.0) };
        figure.draw(Ink::Text, Shape::Text { at, size, anchor, upward: upright, text });
    }
    let numbers = || cells.iter().flatten().map(|(value, _)| value.abs());
    let limit = numbers().filter(|v| v.is_finite()).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    for (row, name) in rows.iter().enumerate() {
        let y = area.y.0 + row as f64 * side;
        let text = shortened(name, frame::LONGEST_NAME);
        figure.write(Ink::Text, (left - 6.0, y + side / 2.0 + 4.0), Anchor::End, text);
        for (column, (value, words)) in cells[row].iter().enumerate() {
            let x = area.x.0 + column as f64 * room;
            let share = value / limit;
            let tip =
                format!("{}, {}: {words}", shortened(name, 60), shortened(&columns[column], 60));
            let shape = Shape::Box { at: (x, y), size: (room - 1.0, side - 1.0) };
            figure.draw_told(Ink::Shade(share), shape, tip);
            if width_of(words) < room - 2.0 {
                let at = (x + room / 2.0, y + side / 2.0 + 4.0);
                figure.write(Ink::OnShade(share), at, Anchor::Middle, words.clone());
            }
        }
    }
    figure.about = format!(
        "{down} by {across}: {} rows and {} columns of numbers, given in the table beside.",
        rows.len(),
        columns.len()
    );
    figure
}

/// The similarities of labelled samples as a picture, the samples of a class side by side.
pub fn by_class(title: &str, s: &SimilarityMatrix, classes: &Classes, width: f64) -> Figure {
    let mut order: Vec<usize> = (0..s.rows()).collect();
    order.sort_by_key(|&row| classes.codes()[row]);
    let groups: Vec<(String, usize)> =
        classes.names().iter().cloned().zip(classes.counts().iter().copied()).collect();
    matrix(title, |i, j| s.at(order[i], order[j]), order.len(), &groups, width)
}

/// A square matrix as a picture, with its classes marked along the left and the top.
///
/// `groups` are names with how many rows in turn belong to them.
pub fn matrix(
    title: &str,
    values: impl Fn(usize, usize) -> f64,
    size: usize,
    groups: &[(String, usize)],
    width: f64,
) -> Figure {
    let left = frame::room_for(groups.iter().map(|(name, _)| name.as_str()), width * 0.6);
    let side = width - left - 12.0;
    let (x0, y0) = (left, 30.0);
    let mut figure = Figure::new(width, y0 + side + 40.0, title);
    frame::title(&mut figure);
    // More cells than pixels would only make the file large.
    let shown = size.min(PICTURE);
    let from = |cell: usize| cell * size / shown.max(1);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for i in 0..shown {
        for j in (0..shown).filter(|&j| j != i) {
            let value = values(from(i), from(j));
            (low, high) = (low.min(value), high.max(value));
        }
    }
    let middle = (low + high) / 2.0;
    let half = ((high - low) / 2.0).max(f64::MIN_POSITIVE);
    let colour =
        |cell: usize| shade((values(from(cell / shown), from(cell % shown)) - middle) / half);
    let cells = (0..shown * shown).map(colour).collect();
    let picture = Shape::Picture { at: (x0, y0), size: (side, side), columns: shown, cells };
    figure.draw(Ink::Text, picture);
    let mut begun = 0;
    for (name, count) in groups {
        let (a, b) = (begun as f64, (begun + count) as f64);
        let place = |row: f64| row / size.max(1) as f64 * side;
        if begun > 0 {
            figure.rule(Ink::Text, (x0, y0 + place(a)), (x0 + side, y0 + place(a)), 1.5);
            figure.rule(Ink::Text, (x0 + place(a), y0), (x0 + place(a), y0 + side), 1.5);
        }
        if place(b) - place(a) >= 11.0 {
            let text = shortened(name, frame::LONGEST_NAME);
            let at = (x0 - 6.0, y0 + (place(a) + place(b)) / 2.0 + 4.0);
            figure.write(Ink::Text, at, Anchor::End, text);
        }
        begun += count;
    }
    key(&mut figure, (x0, y0 + side + 10.0), side, (low, high));
    figure.about = format!(
        "{size} rows by {size} columns, ordered by class: {}. Off the diagonal values run from {} \
         to {}.",
        groups
            .iter()
            .map(|(name, n)| format!("{} ({n})", shortened(name, 40)))
            .collect::<Vec<_>>()
            .join(", "),
        told(low),
        told(high)
    );
    figure
}

/// Cells along a side of a large matrix's picture.
const PICTURE: usize = 400;

/// Which shade stands for which value.
fn key(figure: &mut Figure, (x, y): (f64, f64), width: f64, (low, high): (f64, f64)) {
    let steps = 64;
    let cells = (0..steps).map(|at| shade(at as f64 / (steps - 1) as f64 * 2.0 - 1.0)).collect();
    let wide = width * 0.5;
    let at = (x + width * 0.25, y);
    figure.draw(Ink::Text, Shape::Picture { at, size: (wide, 10.0), columns: steps, cells });
    figure.write(Ink::Quiet, (at.0 - 6.0, y + 10.0), Anchor::End, told(low));
    figure.write(Ink::Quiet, (at.0 + wide + 6.0, y + 10.0), Anchor::Start, told(high));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_matrix_is_thinned_and_says_its_range_without_the_diagonal() {
        let values = |i: usize, j: usize| if i == j { 99.0 } else { (i % 7) as f64 - 2.0 };
        let figure = matrix("S", values, 1000, &[("a".into(), 400), ("b".into(), 600)], 460.0);
        let Some(Shape::Picture { columns, cells, .. }) =
            figure.marks.iter().map(|m| &m.shape).find(|s| matches!(s, Shape::Picture { .. }))
        else {
            panic!("no picture")
        };
        assert_eq!((*columns, cells.len()), (PICTURE, PICTURE * PICTURE));
        assert!(figure.about.contains("from -2 to 4"), "{}", figure.about);
    }

    #[test]
    fn names_that_do_not_fit_stand_upright() {
        let names: Vec<String> = (0..8).map(|i| format!("a long class name {i}")).collect();
        let cells = vec![vec![(1.0, "1".to_owned()); 8]; 8];
        let figure = table(("C", "true", "said"), &names, &names, &cells, 460.0);
        let upright =
            figure.marks.iter().filter(|m| matches!(m.shape, Shape::Text { upward: true, .. }));
        assert_eq!(upright.count(), 9);
    }
}
