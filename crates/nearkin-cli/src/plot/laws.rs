//! Fitted laws and observed values: for each class, steps of counts and a line of the counts that
//! its law expects.

use super::frame;
use super::scale::Scale;
use super::{Figure, Ink, Shape, shortened, told};

/// One class: what was seen in each bin, and what its law expects there.
#[derive(Debug, Clone, PartialEq)]
pub struct Law {
    /// The class.
    pub name: String,
    /// Counts, a bin each.
    pub observed: Vec<f64>,
    /// Expected counts.
    pub fitted: Vec<f64>,
}

/// Shares of each class, over bins with these edges; a bin holds its left edge.
pub fn draw((title, axis): (&str, &str), edges: &[f64], laws: &[Law], width: f64) -> Figure {
    let names: Vec<String> = laws.iter().map(|law| law.name.clone()).collect();
    let (mut figure, area) = frame::begin(title, &names, 190.0, width);

    let places = places(edges);
    let borders = borders(&places);
    let (Some(&low), Some(&high)) = (borders.first(), borders.last()) else { return figure };
    let shares: Vec<(Vec<f64>, Vec<f64>)> = laws.iter().map(shares).collect();
    let highest = shares.iter().flat_map(|(a, b)| a.iter().chain(b)).copied().fold(0.0, f64::max);
    let x = Scale::holding([low, high], area.x);
    let y = Scale::holding([0.0, highest], (area.y.1, area.y.0)).rounded();
    frame::bottom_axis(&mut figure, area, &x, axis);
    frame::left_axis(&mut figure, area, &y, "share of the class");
    for (number, (observed, _)) in shares.iter().enumerate() {
        let mut outline = vec![(x.at(low), y.at(0.0))];
        for (sides, &share) in borders.windows(2).zip(observed) {
            outline.extend([(x.at(sides[0]), y.at(share)), (x.at(sides[1]), y.at(share))]);
        }
        outline.push((x.at(high), y.at(0.0)));
        if number == 0 {
            figure.draw(Ink::Band(number), Shape::Area(outline.clone()));
        }
        figure.draw(Ink::Series(number), Shape::Line { points: outline, width: 1.0 });
    }
    for (number, (observed, fitted)) in shares.iter().enumerate() {
        let points = places.iter().zip(fitted).map(|(&at, &share)| (x.at(at), y.at(share)));
        let points: Vec<_> = points.collect();
        figure.draw(Ink::Series(number), Shape::Line { points: points.clone(), width: 3.0 });
        for (bin, &point) in points.iter().enumerate() {
            let tip = format!(
                "{}, about {}: {} seen, {} by its law",
                shortened(&names[number], 60),
                told(places[bin]),
                told(observed[bin]),
                told(fitted[bin])
            );
            frame::marker(&mut figure, number, point, Some(tip));
        }
    }
    let apart = |((observed, fitted), name): (&(Vec<f64>, Vec<f64>), &String)| {
        let gap: f64 = observed.iter().zip(fitted).map(|(a, b)| (a - b).abs()).sum();
        format!("{}: {:.0} % of the class", shortened(name, 40), gap / 2.0 * 100.0)
    };
    let apart: Vec<String> = shares.iter().zip(&names).map(apart).collect();
    figure.about = format!(
        "Steps are what was seen, thick lines what the laws expect. How much would have to move \
         for the two to agree: {}.",
        apart.join("; ")
    );
    figure
}

/// The x position of each bin: its value when every bin has exactly one value, else its middle.
fn places(edges: &[f64]) -> Vec<f64> {
    let bins = edges.len().saturating_sub(1);
    let whole = edges.last().zip(edges.first()).map_or(0.0, |(high, low)| high - low);
    // Bins of single values end just above the last of them.
    let single = bins > 0 && edges[bins] - edges[bins - 1] <= whole * 1e-9;
    let place = |sides: &[f64]| if single { sides[0] } else { (sides[0] + sides[1]) / 2.0 };
    edges.windows(2).map(place).collect()
}

/// Half way between places, and as far out at the ends.
fn borders(places: &[f64]) -> Vec<f64> {
    let (Some(&first), Some(&last)) = (places.first(), places.last()) else { return Vec::new() };
    let between = places.windows(2).map(|two| (two[0] + two[1]) / 2.0);
    let mut borders: Vec<f64> = between.collect();
    let (left, right) = match (borders.first(), borders.last()) {
        (Some(&low), Some(&high)) => (2.0 * first - low, 2.0 * last - high),
        _ => (first - 0.5, last + 0.5),
    };
    borders.insert(0, left);
    borders.push(right);
    borders
}

fn shares(law: &Law) -> (Vec<f64>, Vec<f64>) {
    let all = law.observed.iter().sum::<f64>().max(1.0);
    let share = |counts: &[f64]| counts.iter().map(|count| count / all).collect();
    (share(&law.observed), share(&law.fitted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_of_single_values_stand_at_their_values_and_wide_ones_in_their_middle() {
        assert_eq!(places(&[0.0, 1.0, 3.0, 3.0f64.next_up()]), [0.0, 1.0, 3.0]);
        assert_eq!(places(&[0.0, 1.0, 2.0]), [0.5, 1.5]);
        assert_eq!(borders(&[0.0, 1.0, 3.0]), [-0.5, 0.5, 2.0, 4.0]);
        assert_eq!(borders(&[2.0]), [1.5, 2.5]);
    }

    #[test]
    fn how_far_law_and_data_are_apart_is_said_in_words() {
        let laws = [
            Law { name: "a".into(), observed: vec![8.0, 2.0], fitted: vec![5.0, 5.0] },
            Law { name: "b".into(), observed: vec![1.0, 3.0], fitted: vec![1.0, 3.0] },
        ];
        let figure = draw(("T", "similarity"), &[0.0, 0.5, 1.0], &laws, 460.0);
        let words = "a: 30 % of the class; b: 0 % of the class";
        assert!(figure.about.contains(words), "{}", figure.about);
    }
}
