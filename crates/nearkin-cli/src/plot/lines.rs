//! Lines over numbers: how something changes with something else, with bands of doubt.

use super::frame;
use super::scale::Scale;
use super::{Anchor, Figure, Ink, Shape, shortened, told};

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<Sample>,
}

/// A point of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Where it is.
    pub x: f64,
    /// How high.
    pub y: f64,
    /// Between which ends it may lie.
    pub ends: Option<(f64, f64)>,
}

/// The words around lines.
#[derive(Debug, Clone, Copy, Default)]
pub struct Around<'a> {
    /// The figure's title.
    pub title: &'a str,
    /// The axis below.
    pub x: &'a str,
    /// The axis on the left.
    pub y: &'a str,
    /// Draw where x and y are equal, as for calibration.
    pub diagonal: bool,
    /// A number the scale of y must hold.
    pub hold: Option<f64>,
    /// Equal ratios of x take equal room.
    pub log: bool,
    /// Levels across the picture, with their names.
    pub levels: &'a [(f64, &'a str)],
}

/// Lines over one pair of axes.
pub fn draw(around: Around, lines: &[Line], width: f64) -> Figure {
    let names: Vec<String> = lines.iter().map(|line| line.name.clone()).collect();
    // One line needs no legend.
    let legend = if lines.len() > 1 { &names[..] } else { &[] };
    let (mut figure, area) = frame::begin(around.title, legend, 220.0, width);
    let all = || lines.iter().flat_map(|line| &line.points);
    let heights = all().flat_map(|p| {
        let (low, high) = p.ends.unwrap_or((p.y, p.y));
        [p.y, low, high]
    });
    let levels = around.levels.iter().map(|(level, _)| *level);
    let mut x = Scale::holding(all().map(|p| p.x), area.x);
    let mut y =
        Scale::holding(heights.chain(around.hold).chain(levels), (area.y.1, area.y.0)).rounded();
    if all().all(|p| p.x.fract() == 0.0) {
        x = x.of_counts();
    }
    if around.log {
        x = x.of_ratios();
    }
    if around.diagonal {
        x = Scale::holding([0.0, 1.0], area.x);
        y = Scale::holding([0.0, 1.0], (area.y.1, area.y.0));
    }
    frame::bottom_axis(&mut figure, area, &x, around.x);
    frame::left_axis(&mut figure, area, &y, around.y);
    if around.diagonal {
        figure.rule(Ink::Axis, (x.at(0.0), y.at(0.0)), (x.at(1.0), y.at(1.0)), 1.0);
    }
    draw_levels(&mut figure, around.levels, (area, &y));
    for (number, line) in lines.iter().enumerate() {
        band(&mut figure, number, line, (&x, &y));
    }
    for (number, line) in lines.iter().enumerate() {
        let points = line.points.iter().map(|p| (x.at(p.x), y.at(p.y))).collect();
        figure.draw(Ink::Series(number), Shape::Line { points, width: 2.0 });
        for p in &line.points {
            let ends = p.ends.map(|(low, high)| format!(" ({} to {})", told(low), told(high)));
            let ends = ends.unwrap_or_default();
            let name = shortened(&line.name, 60);
            let tip = format!("{name}, {} {}: {}{ends}", around.x, told(p.x), told(p.y));
            frame::marker(&mut figure, number, (x.at(p.x), y.at(p.y)), Some(tip));
        }
    }
    let first_to_last = |line: &Line| {
        let (first, last) = (line.points.first()?, line.points.last()?);
        let name = shortened(&line.name, 40);
        Some(format!("{name} from {} to {}", told(first.y), told(last.y)))
    };
    let told: Vec<String> = lines.iter().filter_map(first_to_last).collect();
    figure.about = format!("{} over {}: {}.", around.y, around.x, told.join("; "));
    for (level, name) in around.levels {
        figure.about += &format!(" {name}: {}.", super::told(*level));
    }
    figure
}

/// Levels across the picture; a name stands above its level, or below where another is near above.
fn draw_levels(figure: &mut Figure, levels: &[(f64, &str)], (area, y): (frame::Area, &Scale)) {
    let places: Vec<f64> = levels.iter().map(|(level, _)| y.at(*level)).collect();
    for ((_, name), &at) in levels.iter().zip(&places) {
        figure.rule(Ink::Axis, (area.x.0, at), (area.x.1, at), 1.0);
        let below =
            places.iter().any(|&other| other < at && at - other < 30.0) || at - area.y.0 < 14.0;
        let line = if below { at + 14.0 } else { at - 4.0 };
        figure.write(Ink::Quiet, (area.x.1 - 2.0, line), Anchor::End, *name);
    }
}

/// The ground between a line's ends.
fn band(figure: &mut Figure, number: usize, line: &Line, (x, y): (&Scale, &Scale)) {
    let ends: Vec<(f64, (f64, f64))> =
        line.points.iter().filter_map(|p| Some((p.x, p.ends?))).collect();
    if ends.len() < 2 {
        return;
    }
    let up = ends.iter().map(|&(at, (_, high))| (x.at(at), y.at(high)));
    let down = ends.iter().rev().map(|&(at, (low, _))| (x.at(at), y.at(low)));
    figure.draw(Ink::Band(number), Shape::Area(up.chain(down).collect()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_within_the_figure_and_tell_their_values() {
        let at = |x: f64, y: f64| Sample { x, y, ends: Some((y - 0.1, y + 0.1)) };
        let lines = ["a", "b"].map(|name| Line {
            name: name.into(),
            points: vec![at(1.0, 0.5), at(10.0, 0.9), at(20.0, 0.7)],
        });
        let around = Around { title: "T", x: "k", y: "accuracy", ..Around::default() };
        let figure = draw(around, &lines, 460.0);
        for mark in &figure.marks {
            if let Shape::Line { points, .. } | Shape::Area(points) = &mark.shape {
                for &(x, y) in points {
                    assert!(
                        (0.0..=figure.width).contains(&x) && (0.0..=figure.height).contains(&y)
                    );
                }
            }
        }
        let tips: Vec<&str> = figure.marks.iter().filter_map(|m| m.tip.as_deref()).collect();
        assert!(tips.contains(&"b, k 10: 0.9 (0.8 to 1)"), "{tips:?}");
        assert!(figure.about.contains("a from 0.5 to 0.7"));
    }
}
