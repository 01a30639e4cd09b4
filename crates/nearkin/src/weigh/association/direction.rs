//! Which way a feature goes with the target when it is taken by itself.

use super::Direction;
use super::residuals::Residuals;
use crate::data::{Column, ColumnValues, Genotypes, MISSING};

/// Below this many deviations a feature has no way of its own.
const LEAST: f64 = 2.0;

/// The clearest way in which `column` goes with the target; none where there is no clear one.
pub(super) fn direction(column: &Column, residuals: &Residuals) -> Option<Direction> {
    let told = residuals.told.as_ref()?;
    let mut best: Option<Direction> = None;
    let mut offer = |level: Option<&str>, class: &Option<String>, z: f64| {
        // Of two classes the one that is more frequent says all; of numbers both ways count.
        let counts = z > 0.0 || class.is_none();
        if counts && z.abs() >= LEAST && best.as_ref().is_none_or(|best| z.abs() > best.z.abs()) {
            let (level, class) = (level.map(str::to_owned), class.clone());
            best = Some(Direction { level, class, more: z > 0.0, z });
        }
    };
    for (class, residual) in told {
        match levels(column) {
            Some((codes, names)) => {
                for (code, name) in (0..).zip(names) {
                    let inside = codes.iter().map(|&c| f64::from(u8::from(c == code)));
                    let known = codes.iter().map(|&c| c != MISSING);
                    offer(Some(name), class, deviations(inside, known, residual));
                }
            }
            None => {
                let cells: Vec<f64> = numbers(column);
                let known = cells.iter().map(|x| !x.is_nan());
                let z = deviations(cells.iter().copied(), known, residual);
                offer(None, class, z);
            }
        }
    }
    best
}

/// Codes and names of categories and genotypes; none of numbers.
fn levels<'c>(column: &'c Column) -> Option<(Vec<u16>, Vec<&'c str>)> {
    match &column.values {
        ColumnValues::Nominal { codes, categories } => {
            Some((codes.clone(), categories.iter().map(String::as_str).collect()))
        }
        ColumnValues::Genotype(cells) => {
            Some((cells.codes().collect(), Genotypes::CATEGORIES.to_vec()))
        }
        ColumnValues::F64(_) | ColumnValues::F32(_) => None,
    }
}

fn numbers(column: &Column) -> Vec<f64> {
    match &column.values {
        ColumnValues::F64(lane) => lane.iter().collect(),
        ColumnValues::F32(lane) => lane.iter().map(f64::from).collect(),
        _ => Vec::new(),
    }
}

/// Deviations of Σ x r from its mean when the residuals of the known rows are exchanged.
fn deviations(
    x: impl Iterator<Item = f64>,
    known: impl Iterator<Item = bool>,
    residual: &[f64],
) -> f64 {
    let pairs: Vec<(f64, f64)> = x
        .zip(known)
        .zip(residual)
        .filter(|((_, known), _)| *known)
        .map(|((x, _), &r)| (x, r))
        .collect();
    let n = pairs.len() as f64;
    let mean_x = pairs.iter().map(|(x, _)| x).sum::<f64>() / n.max(1.0);
    let mean_r = pairs.iter().map(|(_, r)| r).sum::<f64>() / n.max(1.0);
    let (mut xx, mut rr, mut xr) = (0.0, 0.0, 0.0);
    for (x, r) in pairs {
        let (x, r) = (x - mean_x, r - mean_r);
        xx += x * x;
        rr += r * r;
        xr += x * r;
    }
    let variance = xx * rr / (n - 1.0).max(1.0);
    if variance > 0.0 { xr / variance.sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_those_of_all_exchanges() {
        // Σ x r over the 24 orders of 4 residuals: mean 0, and this variance.
        let (x, r) = ([1.0, 2.0, 4.0, 8.0], [3.0, 1.0, 2.0, -6.0]);
        let mut all = Vec::new();
        for a in 0..4 {
            for b in (0..4).filter(|b| *b != a) {
                for c in (0..4).filter(|c| *c != a && *c != b) {
                    let d = 6 - a - b - c;
                    all.push([a, b, c, d].iter().zip(x).map(|(&at, x)| x * r[at]).sum::<f64>());
                }
            }
        }
        let mean = all.iter().sum::<f64>() / 24.0;
        let deviation = (all.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / 24.0).sqrt();
        let z = deviations(x.into_iter(), [true; 4].into_iter(), &r);
        assert!((z - (all[0] - mean) / deviation).abs() < 1e-12);
    }
}
