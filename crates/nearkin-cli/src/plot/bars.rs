//! Bars side by side: one a name, from zero to the left or to the right, with an interval.

use super::frame::{self, Area, LINE};
use super::scale::Scale;
use super::{Anchor, Figure, Ink, Shape, shortened, told};

/// One bar.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bar {
    /// Its name.
    pub name: String,
    /// How long it is; below zero it goes to the left.
    pub value: f64,
    /// Between which ends the value may lie.
    pub ends: Option<(f64, f64)>,
    /// A second value, drawn as a mark across the bar: the weight that noise gets.
    pub mark: Option<f64>,
    /// True for a bar in a pale colour.
    pub faint: bool,
}

/// Bars from top to bottom, to one scale.
pub fn draw(title: &str, axis: &str, bars: &[Bar], width: f64) -> Figure {
    with_line((title, axis), bars, None, width)
}

/// The same with a named line across all bars.
pub fn with_line(
    (title, axis): (&str, &str),
    bars: &[Bar],
    line: Option<(f64, &str)>,
    width: f64,
) -> Figure {
    let left = frame::room_for(bars.iter().map(|bar| bar.name.as_str()), width);
    let top = if line.is_some() { 42.0 } else { 28.0 };
    let area = Area { x: (left, width - 14.0), y: (top, top + bars.len().max(1) as f64 * LINE) };
    let mut figure = Figure::new(width, area.y.1 + 42.0, title);
    frame::title(&mut figure);
    let all = bars.iter().flat_map(|bar| {
        let (low, high) = bar.ends.unwrap_or((bar.value, bar.value));
        [0.0, bar.value, low, high, bar.mark.unwrap_or(0.0)]
    });
    let all = all.chain(line.map(|(value, _)| value));
    let scale = Scale::holding(all, area.x).rounded();
    frame::bottom_axis(&mut figure, area, &scale, axis);
    let zero = scale.at(0.0);
    for (number, bar) in bars.iter().enumerate() {
        let (y, end) = (area.y.0 + number as f64 * LINE, scale.at(bar.value));
        let name = shortened(&bar.name, frame::LONGEST_NAME);
        figure.write(Ink::Text, (left - 6.0, y + 13.0), Anchor::End, name);
        let series = usize::from(bar.value < 0.0);
        let ink = if bar.faint { Ink::Band(series) } else { Ink::Series(series) };
        let shape = Shape::Box { at: (zero.min(end), y + 3.0), size: ((end - zero).abs(), 12.0) };
        figure.draw_told(ink, shape, tip(bar));
        if let Some((low, high)) = bar.ends {
            let middle = y + 9.0;
            let (low, high) = (scale.at(low), scale.at(high));
            figure.rule(Ink::Text, (low, middle), (high, middle), 1.5);
            for x in [low, high] {
                figure.rule(Ink::Text, (x, middle - 3.5), (x, middle + 3.5), 1.5);
            }
        }
    }
    figure.rule(Ink::Axis, (zero, area.y.0), (zero, area.y.1), 1.0);
    // Above the bars, so that a long one does not hide what noise gives.
    for (number, bar) in bars.iter().enumerate() {
        let y = area.y.0 + number as f64 * LINE;
        if let Some(mark) = bar.mark.filter(|mark| mark.is_finite()) {
            let x = scale.at(mark);
            figure.rule(Ink::Ground, (x, y + 1.0), (x, y + 17.0), 4.0);
            figure.rule(Ink::Text, (x, y + 2.0), (x, y + 16.0), 2.0);
        }
    }
    if let Some((value, name)) = line {
        let x = scale.at(value);
        figure.rule(Ink::Series(3), (x, area.y.0), (x, area.y.1), 1.5);
        let half = super::width_of(name) / 2.0;
        let at = (x.clamp(half, width - half), area.y.0 - 5.0);
        figure.write(Ink::Quiet, at, Anchor::Middle, name);
    }
    figure.about = about(bars);
    if let Some((value, name)) = line {
        figure.about += &format!(" The line, {name}, stands at {}.", told(value));
    }
    figure
}

fn tip(bar: &Bar) -> String {
    let ends = bar.ends.map(|(low, high)| format!(" ({} to {})", told(low), told(high)));
    let mark = bar.mark.map(|mark| format!("; noise {}", told(mark))).unwrap_or_default();
    format!("{}: {}{}{mark}", shortened(&bar.name, 60), told(bar.value), ends.unwrap_or_default())
}

fn about(bars: &[Bar]) -> String {
    let by = |first: bool| {
        bars.iter().reduce(|a, b| if (b.value > a.value) == first { b } else { a }).map(tip)
    };
    match (by(true), by(false)) {
        (Some(most), Some(least)) => {
            format!("{} bars. The longest is {most}; the shortest is {least}.", bars.len())
        }
        _ => "Nothing to show.".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_below_zero_go_left_and_every_bar_tells_its_value() {
        let bar = |name: &str, value| Bar {
            name: name.into(),
            value,
            ends: Some((-0.3, 0.5)),
            ..Bar::default()
        };
        let figure = draw("Weights", "weight", &[bar("a", 0.5), bar("b", -0.25)], 460.0);
        let boxes: Vec<_> = figure
            .marks
            .iter()
            .filter_map(|mark| match &mark.shape {
                Shape::Box { at, size } => Some((at.0, at.0 + size.0, mark.tip.clone())),
                _ => None,
            })
            .collect();
        assert_eq!(boxes.len(), 2);
        assert!((boxes[0].0 - boxes[1].1).abs() < 1e-9, "both begin at zero");
        assert_eq!(boxes[0].2.as_deref(), Some("a: 0.5 (-0.3 to 0.5)"));
        assert!(figure.about.contains("longest is a") && figure.about.contains("shortest is b"));
        assert!(draw("Nothing", "weight", &[], 460.0).about.contains("Nothing"));
    }
}
