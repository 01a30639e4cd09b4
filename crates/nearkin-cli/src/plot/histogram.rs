//! Histograms over each other: how often values fall into equal steps.

use super::frame;
use super::scale::Scale;
use super::{Figure, Ink, Shape, shortened, told};

/// Steps of the widest histogram.
const MOST_STEPS: usize = 40;

/// Values with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Heap {
    /// The name.
    pub name: String,
    /// The values.
    pub values: Vec<f64>,
}

/// Histograms of all heaps, in one set of steps, as shares of each heap.
pub fn draw((title, axis): (&str, &str), heaps: &[Heap], width: f64) -> Figure {
    let names: Vec<String> = heaps.iter().map(|heap| heap.name.clone()).collect();
    let (mut figure, area) = frame::begin(title, &names, 180.0, width);

    let values = || heaps.iter().flat_map(|heap| heap.values.iter().copied());
    let (low, high) = values()
        .filter(|v| v.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    let (low, high) = if low < high { (low, high) } else { (low - 0.5, low + 0.5) };
    let longest = heaps.iter().map(|heap| heap.values.len()).max().unwrap_or(0);
    let steps = ((2.0 * (longest as f64).cbrt()).ceil() as usize).clamp(5, MOST_STEPS);
    let step = (high - low) / steps as f64;
    let shares: Vec<Vec<f64>> =
        heaps.iter().map(|heap| shares(&heap.values, low, step, steps)).collect();

    let x = Scale::holding([low, high], area.x);
    let highest = shares.iter().flatten().copied().fold(0.0, f64::max);
    let y = Scale::holding([0.0, highest], (area.y.1, area.y.0)).rounded();
    frame::bottom_axis(&mut figure, area, &x, axis);
    frame::left_axis(&mut figure, area, &y, "share");
    for (number, shares) in shares.iter().enumerate() {
        let mut outline = vec![(x.at(low), y.at(0.0))];
        for (bin, &share) in shares.iter().enumerate() {
            let from = low + bin as f64 * step;
            outline.push((x.at(from), y.at(share)));
            outline.push((x.at(from + step), y.at(share)));
        }
        outline.push((x.at(high), y.at(0.0)));
        if number == 0 {
            figure.draw(Ink::Band(number), Shape::Area(outline.clone()));
        }
        figure.draw(Ink::Series(number), Shape::Line { points: outline, width: 1.5 });
    }
    for (number, shares) in shares.iter().enumerate() {
        for (bin, &share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let (from, to) = (low + bin as f64 * step, low + (bin + 1) as f64 * step);
            let name = shortened(&heaps[number].name, 60);
            let tip = format!("{name}, {} to {}: {}", told(from), told(to), told(share));
            frame::marker(&mut figure, number, (x.at((from + to) / 2.0), y.at(share)), Some(tip));
        }
    }
    if low < 0.0 && high > 0.0 {
        figure.rule(Ink::Axis, (x.at(0.0), area.y.0), (x.at(0.0), area.y.1), 1.0);
    }
    let told_of = |heap: &Heap| {
        let mean = heap.values.iter().sum::<f64>() / heap.values.len().max(1) as f64;
        format!("{} has mean {}", shortened(&heap.name, 40), told(mean))
    };
    let told: Vec<String> = heaps.iter().map(told_of).collect();
    figure.about = format!("How often values of {axis} occur. {}.", told.join("; "));
    figure
}

/// The share of values in each step; the last step has both its ends.
fn shares(values: &[f64], low: f64, step: f64, steps: usize) -> Vec<f64> {
    let mut counts = vec![0.0; steps];
    for value in values.iter().filter(|v| v.is_finite()) {
        counts[(((value - low) / step) as usize).min(steps - 1)] += 1.0;
    }
    let all = values.len().max(1) as f64;
    counts.into_iter().map(|count| count / all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_and_the_largest_value_is_counted() {
        let shares = shares(&[0.0, 0.1, 0.5, 1.0], 0.0, 0.25, 4);
        assert_eq!(shares, [0.5, 0.0, 0.25, 0.25]);
    }

    #[test]
    fn values_that_are_all_equal_can_be_drawn() {
        let heap = Heap { name: "a".into(), values: vec![2.0; 5] };
        let figure = draw(("T", "margin"), &[heap], 460.0);
        assert!(figure.about.contains("mean 2"), "{}", figure.about);
    }
}
