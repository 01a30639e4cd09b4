//! Sticks side by side: one a value, from zero up or down, in the order they come.

use super::frame::{self, Area};
use super::scale::Scale;
use super::{Figure, Ink, Shape, told};

/// A stick for each of `values`; those at or below zero in the second colour.
pub fn draw(title: &str, (x, y): (&str, &str), values: &[f64], width: f64) -> Figure {
    let area = Area { x: (frame::LEFT, width - 16.0), y: (34.0, 254.0) };
    let mut figure = Figure::new(width, area.y.1 + 42.0, title);
    frame::title(&mut figure);
    let count = values.len().max(1) as f64;
    let across = Scale::holding([0.0, count], area.x);
    let heights = Scale::holding(values.iter().copied().chain([0.0]), (area.y.1, area.y.0));
    let heights = heights.rounded();
    frame::bottom_axis(&mut figure, area, &across, x);
    frame::left_axis(&mut figure, area, &heights, y);
    let (zero, step) = (heights.at(0.0), (area.x.1 - area.x.0) / count);
    for (number, &value) in values.iter().enumerate() {
        let end = heights.at(value);
        let shape = Shape::Box {
            at: (across.at(number as f64), zero.min(end)),
            size: ((step * 0.9).max(0.4), (end - zero).abs().max(0.3)),
        };
        let tip = format!("{}: {}", number + 1, told(value));
        figure.draw_told(Ink::Series(usize::from(value <= 0.0)), shape, tip);
    }
    figure.rule(Ink::Axis, (area.x.0, zero), (area.x.1, zero), 1.0);
    let below = values.iter().filter(|v| **v <= 0.0).count();
    let mean = values.iter().sum::<f64>() / count;
    figure.about =
        format!("{} values, mean {}; {below} of them at or below zero.", values.len(), told(mean));
    figure
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_stick_within_the_figure() {
        let figure = draw("Margins", ("row", "margin"), &[0.5, -0.25, 0.0], 460.0);
        let sticks: Vec<_> = figure
            .marks
            .iter()
            .filter_map(|mark| match &mark.shape {
                Shape::Box { at, size } => Some((mark.ink, at.1, at.1 + size.1)),
                _ => None,
            })
            .collect();
        assert_eq!(sticks.len(), 3);
        assert_eq!(sticks.iter().filter(|(ink, ..)| *ink == Ink::Series(1)).count(), 2);
        assert!((sticks[0].2 - sticks[1].1).abs() < 1e-9, "both begin at zero");
        assert!(sticks.iter().all(|(_, top, end)| *top >= 0.0 && *end <= figure.height));
        assert!(figure.about.contains("3 values") && figure.about.contains("2 of them"));
        assert!(draw("None", ("row", "margin"), &[], 460.0).about.contains("0 values"));
    }
}
