//! Evidence along the genome: a dot a column at its place, chromosomes side by side.

use super::frame::{self, Area};
use super::scale::Scale;
use super::{Anchor, Figure, Ink, Shape, shortened, told, width_of};

/// A column at its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    /// Its name.
    pub name: String,
    /// Its chromosome.
    pub chromosome: String,
    /// Its position there.
    pub position: f64,
    /// Its p-value.
    pub p: f64,
    /// True for a column to set off from the others.
    pub called: bool,
}

/// With more dots than this, some of those with large p are left out: they would cover each other.
const DOTS: usize = 6000;
/// The least p drawn: smaller ones stand at this height.
const LEAST: f64 = 1e-300;

/// The dots of all columns, at −log₁₀ of p.
pub fn draw(title: &str, spots: &[Spot], width: f64) -> Figure {
    let area = Area { x: (frame::LEFT, width - 16.0), y: (34.0, 254.0) };
    let mut figure = Figure::new(width, area.y.1 + 42.0, title);
    frame::title(&mut figure);
    let chromosomes = chromosomes(spots);
    let whole: f64 = chromosomes.iter().map(|(_, low, high)| length(*low, *high)).sum();
    let height = |spot: &Spot| -spot.p.max(LEAST).log10();
    let up = Scale::holding(spots.iter().map(height).chain([0.0, 2.0]), (area.y.1, area.y.0));
    let up = up.rounded();
    frame::left_axis(&mut figure, area, &up, "−log₁₀ p");
    let across = |begun: f64| area.x.0 + begun / whole.max(1.0) * (area.x.1 - area.x.0);
    let (mut begun, mut last_word) = (0.0, f64::NEG_INFINITY);
    let mut begins = Vec::new();
    for (name, low, high) in &chromosomes {
        let (from, to) = (across(begun), across(begun + length(*low, *high)));
        let (middle, half) = ((from + to) / 2.0, width_of(name) / 2.0);
        if middle - half > last_word + 3.0 && middle + half < width {
            figure.write(Ink::Quiet, (middle, area.y.1 + 16.0), Anchor::Middle, name.as_str());
            last_word = middle + half;
        }
        figure.rule(Ink::Grid, (to, area.y.0), (to, area.y.1), 1.0);
        begins.push(begun - low);
        begun += length(*low, *high);
    }
    frame::bottom_name(&mut figure, area, "chromosome");
    figure.rule(Ink::Axis, (area.x.0, area.y.1), (area.x.1, area.y.1), 1.0);
    let every = spots.len().div_ceil(DOTS).max(1);
    let faint = spots
        .iter()
        .enumerate()
        .filter(|(at, spot)| !spot.called && (spot.p < 0.01 || at % every == 0));
    let called = spots.iter().enumerate().filter(|(_, spot)| spot.called);
    for (_, spot) in faint.chain(called) {
        let Some(of) = chromosomes.iter().position(|(name, ..)| *name == spot.chromosome) else {
            continue;
        };
        let at = (across(begins[of] + spot.position), up.at(height(spot)));
        let (ink, radius) = match spot.called {
            true => (Ink::Series(1), 3.5),
            false => (if of % 2 == 0 { Ink::Series(0) } else { Ink::Axis }, 1.8),
        };
        let tip = format!(
            "{}, {}:{}: p {}",
            shortened(&spot.name, 60),
            shortened(&spot.chromosome, 20),
            spot.position,
            told(spot.p)
        );
        figure.draw_told(ink, Shape::Disc { at, radius }, tip);
    }
    let best = spots.iter().reduce(|a, b| if b.p < a.p { b } else { a });
    let best = best.map_or_else(String::new, |spot| {
        let name = shortened(&spot.name, 40);
        format!(" The least p is that of {name}, {} on {}.", told(spot.p), spot.chromosome)
    });
    let thinned = match every {
        1 => String::new(),
        _ => format!(" Of p above 0.01 one column in {every} is drawn."),
    };
    figure.about = format!(
        "{} columns on {} chromosomes, {} of them called.{best}{thinned}",
        spots.len(),
        chromosomes.len(),
        spots.iter().filter(|spot| spot.called).count()
    );
    figure
}

/// The room of a chromosome on the axis; a single place takes some, too.
fn length(low: f64, high: f64) -> f64 {
    (high - low).max(1.0) * 1.02
}

/// Chromosomes with their first and last positions: numbers in order, then names.
fn chromosomes(spots: &[Spot]) -> Vec<(String, f64, f64)> {
    let mut ends: std::collections::BTreeMap<(u64, &str), (f64, f64)> =
        std::collections::BTreeMap::new();
    for spot in spots {
        let number = spot.chromosome.trim_start_matches("chr").parse().unwrap_or(u64::MAX);
        let (low, high) =
            ends.entry((number, &spot.chromosome)).or_insert((f64::INFINITY, f64::NEG_INFINITY));
        (*low, *high) = (low.min(spot.position), high.max(spot.position));
    }
    ends.into_iter().map(|((_, name), (low, high))| (name.to_owned(), low, high)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_stand_in_the_order_of_chromosomes_and_high_where_p_is_small() {
        let spot = |chromosome: &str, position, p: f64| Spot {
            name: format!("rs{position}"),
            chromosome: chromosome.into(),
            position,
            p,
            called: p < 1e-4,
        };
        let spots =
            [spot("X", 5.0, 0.5), spot("10", 7.0, 1e-8), spot("2", 3.0, 0.1), spot("2", 9.0, 0.2)];
        let figure = draw("P", &spots, 460.0);
        let of = |name: &str| {
            let dot =
                figure.marks.iter().find(|m| m.tip.as_ref().is_some_and(|t| t.contains(name)));
            match &dot.unwrap().shape {
                Shape::Disc { at, .. } => *at,
                other => panic!("{other:?}"),
            }
        };
        assert!(
            of("rs3").0 < of("rs9").0 && of("rs9").0 < of("rs7").0 && of("rs7").0 < of("rs5").0
        );
        assert!(of("rs7").1 < of("rs3").1 && of("rs3").1 < of("rs5").1);
        for (x, y) in ["rs3", "rs9", "rs7", "rs5"].map(of) {
            assert!((0.0..=figure.width).contains(&x) && (0.0..=figure.height).contains(&y));
        }
        assert!(figure.about.contains("3 chromosomes, 1 of them called"), "{}", figure.about);
        // A p of 0 stands within the figure, too.
        assert!(draw("P", &[spot("1", 1.0, 0.0)], 460.0).about.contains("1 columns"));
    }
}
