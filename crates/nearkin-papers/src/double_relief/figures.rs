//! The paper's figures: separability of each algorithm against the number of relevant features.

use nearkin::evaluate::Spread;

use super::claims::{ALGORITHMS, Findings};
use crate::settings::Settings;
use nearkin_cli::failure::Result;
use nearkin_cli::plot::lines::{self, Around, Line, Sample};

/// One figure a problem, with a standard error to either side of each mean.
pub fn draw(found: &[Findings], settings: &Settings) -> Result<()> {
    for problem in found {
        let kept: String =
            problem.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        let file = format!("double-relief-{}", kept.to_lowercase().trim_end_matches('-'));
        settings.figure(&file, |width| {
            let title = format!("Double Relief: {}", problem.name);
            let (x, y) = ("relevant features", "separability");
            let around = Around { title: &title, x, y, ..Around::default() };
            let lines: Vec<Line> = (0..ALGORITHMS.len()).map(|a| line(problem, a)).collect();
            lines::draw(around, &lines, width)
        })?;
    }
    Ok(())
}

fn line(problem: &Findings, algorithm: usize) -> Line {
    let points = problem.cells.iter().filter_map(|cell| {
        let spread = Spread::of(&cell.separability[algorithm])?;
        let (low, high) = (spread.mean - spread.error(), spread.mean + spread.error());
        Some(Sample { x: cell.relevant as f64, y: spread.mean, ends: Some((low, high)) })
    });
    Line { name: ALGORITHMS[algorithm].into(), points: points.collect() }
}
