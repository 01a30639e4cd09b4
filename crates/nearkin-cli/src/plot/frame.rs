//! Parts that charts share: grid lines, axes with their words, legends.

use super::scale::Scale;
use super::{Anchor, Figure, Ink, Point, Shape, shortened, width_of};

/// Longer names are cut.
pub const LONGEST_NAME: usize = 24;
/// The room on the left for an axis' name and its numbers.
pub const LEFT: f64 = 78.0;
/// The height of a line of words.
pub const LINE: f64 = 18.0;

/// The part of a figure that the data stands in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// Left and right.
    pub x: (f64, f64),
    /// Top and bottom.
    pub y: (f64, f64),
}

/// Vertical ground lines with their numbers below, and the axis' name.
pub fn bottom_axis(figure: &mut Figure, area: Area, scale: &Scale, name: &str) {
    for (value, words) in scale.ticks(ticks_for(area.x.1 - area.x.0)) {
        let x = scale.at(value);
        figure.rule(Ink::Grid, (x, area.y.0), (x, area.y.1), 1.0);
        // The last number must not leave the figure.
        let half = width_of(&words) / 2.0;
        let middle = x.min(figure.width - half).max(half);
        figure.write(Ink::Quiet, (middle, area.y.1 + 16.0), Anchor::Middle, words);
    }
    bottom_name(figure, area, name);
}

/// The name of the axis below.
pub fn bottom_name(figure: &mut Figure, area: Area, name: &str) {
    let middle = (area.x.0 + area.x.1) / 2.0;
    figure.write(Ink::Quiet, (middle, area.y.1 + 34.0), Anchor::Middle, name);
}

/// Horizontal ground lines with their numbers on the left, and the axis' name.
pub fn left_axis(figure: &mut Figure, area: Area, scale: &Scale, name: &str) {
    for (value, words) in scale.ticks(5) {
        let y = scale.at(value);
        figure.rule(Ink::Grid, (area.x.0, y), (area.x.1, y), 1.0);
        figure.write(Ink::Quiet, (area.x.0 - 6.0, y + 4.0), Anchor::End, words);
    }
    let at = (14.0, (area.y.0 + area.y.1) / 2.0);
    let name = Shape::Text {
        at,
        size: super::TEXT,
        anchor: Anchor::Middle,
        upward: true,
        text: name.into(),
    };
    figure.draw(Ink::Quiet, name);
}

/// As many ticks as their words have room for.
fn ticks_for(width: f64) -> usize {
    ((width / 60.0) as usize).clamp(2, 8)
}

/// The figure's title, above everything.
pub fn title(figure: &mut Figure) {
    let most = (figure.width / 7.6) as usize;
    let text = shortened(&figure.title, most);
    figure.write(Ink::Text, (4.0, 16.0), Anchor::Start, text);
}

/// A figure with a title, a legend of `names` and an area of this height for the chart.
pub fn begin(title: &str, names: &[String], height: f64, width: f64) -> (Figure, Area) {
    let top = 34.0 + legend_lines(names, width - 8.0) as f64 * LINE;
    let area = Area { x: (LEFT, width - 16.0), y: (top, top + height) };
    let mut figure = Figure::new(width, area.y.1 + 42.0, title);
    self::title(&mut figure);
    legend(&mut figure, (4.0, 36.0), width - 8.0, names);
    (figure, area)
}

/// The number of lines that a legend of these names needs in `width`.
pub fn legend_lines(names: &[String], width: f64) -> usize {
    places(names, width).last().map_or(0, |&(_, line)| line + 1)
}

/// Where the sign of each name in the legend begins: pixels from the left, and the line.
fn places(names: &[String], width: f64) -> Vec<(f64, usize)> {
    let (mut x, mut line) = (0.0, 0);
    let mut places = Vec::new();
    for name in names {
        let taken = 30.0 + width_of(&shortened(name, LONGEST_NAME));
        if x > 0.0 && x + taken > width {
            (x, line) = (0.0, line + 1);
        }
        places.push((x, line));
        x += taken;
    }
    places
}

/// Names with the markers of their series, line by line from `at`.
pub fn legend(figure: &mut Figure, at: Point, width: f64, names: &[String]) {
    for (number, (name, (x, line))) in names.iter().zip(places(names, width)).enumerate() {
        let y = at.1 + line as f64 * LINE;
        marker(figure, number, (at.0 + x + 8.0, y - 4.0), None);
        let text = shortened(name, LONGEST_NAME);
        figure.write(Ink::Text, (at.0 + x + 18.0, y), Anchor::Start, text);
    }
}

/// The marker of a series: colour and form both tell which.
pub fn marker(figure: &mut Figure, series: usize, (x, y): Point, tip: Option<String>) {
    const R: f64 = 4.5;
    let shape = match series % 6 {
        0 => Shape::Disc { at: (x, y), radius: R },
        1 => Shape::Box { at: (x - R * 0.9, y - R * 0.9), size: (R * 1.8, R * 1.8) },
        2 => Shape::Area(vec![(x, y - R * 1.2), (x + R * 1.1, y + R), (x - R * 1.1, y + R)]),
        3 => Shape::Area(vec![
            (x, y - R * 1.3),
            (x + R * 1.3, y),
            (x, y + R * 1.3),
            (x - R * 1.3, y),
        ]),
        4 => Shape::Area(vec![(x, y + R * 1.2), (x + R * 1.1, y - R), (x - R * 1.1, y - R)]),
        _ => Shape::Box { at: (x - R * 1.3, y - R * 0.5), size: (R * 2.6, R) },
    };
    match tip {
        Some(tip) => figure.draw_told(Ink::Series(series), shape, tip),
        None => figure.draw(Ink::Series(series), shape),
    }
}

/// The room on the left that these names need, in a figure of this width.
pub fn room_for<'a>(names: impl Iterator<Item = &'a str>, width: f64) -> f64 {
    let widest = names.map(|name| width_of(&shortened(name, LONGEST_NAME))).fold(0.0, f64::max);
    (widest + 12.0).clamp(40.0, width * 0.45)
}
