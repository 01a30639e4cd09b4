//! Structure among the rows of a table that a test has to know of: ancestry and relatives.
//!
//! [`components`] are the principal components of the standardised columns, for use as covariates:
//! they stand for ancestry, or for whatever else moves many columns at once. They are found by
//! orthogonal iteration, a column at a time: n · p · (components + 8) multiply-adds an iteration, n
//! numbers a component in memory. [`relatives`] finds rows of genotypes that are related by KING's
//! robust estimate of kinship,
//!
//! ```text
//! φ_ij = (N_both het − 2 N_opposite) / (2 N_i) + ½ − (N_i + N_j) / (4 N_i),     N_i ≤ N_j
//! ```
//!
//! with N_i the heterozygous loci of row i. It is ½ for twins, ¼ for parents and sibs, ⅛ for half
//! sibs. Components are for ancestry and strata for relatives; a table may need both.
//!
//! Reference: A. Manichaikul et al., *Robust relationship inference in genome-wide association
//! studies*, Bioinformatics 26 (2010).

use rayon::prelude::*;

use crate::data::{Column, ColumnValues, MISSING, Table};
use crate::measure::Eigen;
use crate::random::Random;
use crate::{Error, ParameterError, Result, Run};

/// Vectors beyond those asked for, so that the last ones settle soon.
const SPARE: usize = 8;

/// Iterations at the most; directions that are as strong as their neighbours never settle.
const ROUNDS: usize = 100;

/// Columns whose sums are added up together.
const COLUMNS: usize = 256;

/// The first `count` principal components of the columns, each standardised: numbers and copies of
/// alleles as they are, categories as an indicator each, missing cells as the mean. Columns are
/// called `PC1`, `PC2`, …, each of mean 0 and variance 1.
///
/// # Errors
///
/// When the table has fewer rows or columns than components, and when the caller stops the run.
pub fn components(table: &Table, count: usize, seed: u64, run: &Run) -> Result<Table<'static>> {
    let n = table.rows();
    let most = (n / 2).min(table.columns().len());
    if count == 0 || count > most {
        let reason = ParameterError::Components { most, got: count };
        return Err(Error::parameter("components", reason));
    }
    let vectors = run.install(|| iterate(table, count, seed, run))??;
    let column = |(at, mut vector): (usize, Vec<f64>)| {
        // Of a direction and its opposite, that whose largest cell is positive.
        let largest =
            vector.iter().copied().fold(0.0f64, |a, x| if x.abs() > a.abs() { x } else { a });
        let unit = (n as f64).sqrt() * largest.signum();
        vector.iter_mut().for_each(|x| *x *= unit);
        Column::numeric(format!("PC{}", at + 1), vector)
    };
    Table::new(vectors.into_iter().enumerate().map(column).collect())
}

/// The leading left singular vectors of the standardised table.
fn iterate(table: &Table, count: usize, seed: u64, run: &Run) -> Result<Vec<Vec<f64>>> {
    let n = table.rows();
    let width = (count + SPARE).min(n);
    let mut random = Random::new(seed, 0);
    let mut q: Vec<f64> = (0..n * width).map(|_| random.normal()).collect();
    orthonormalise(&mut q, n, width);
    let mut last = vec![0.0; count];
    for round in 0..ROUNDS {
        run.check(round as u64, ROUNDS as u64)?;
        let (product, inner) = multiply(table, &q, width, run)?;
        let eigen = Eigen::of(&inner, width, run)?;
        let moved = eigen.values[..count].iter().zip(&last).map(|(a, b)| (a - b).abs());
        let settled = moved.fold(0.0, f64::max) <= 1e-11 * eigen.values[0].abs();
        last.copy_from_slice(&eigen.values[..count]);
        if settled || round + 1 == ROUNDS {
            let vector = |r: usize| {
                let weights = eigen.vector(r);
                q.chunks_exact(width)
                    .map(|row| row.iter().zip(weights).map(|(q, w)| q * w).sum())
                    .collect()
            };
            return Ok((0..count).map(vector).collect());
        }
        q = product;
        orthonormalise(&mut q, n, width);
    }
    Ok(Vec::new())
}

/// XXᵀQ and QᵀXXᵀQ, for X the standardised columns.
fn multiply(table: &Table, q: &[f64], width: usize, run: &Run) -> Result<(Vec<f64>, Vec<f64>)> {
    let n = table.rows();
    let part = |columns: &[Column]| -> Result<(Vec<f64>, Vec<f64>)> {
        run.check(0, 0)?;
        let (mut product, mut inner) = (vec![0.0; n * width], vec![0.0; width * width]);
        for column in columns {
            each_standardised(column, |cells| {
                let mut along = vec![0.0; width];
                for (x, q) in cells.iter().zip(q.chunks_exact(width)) {
                    along.iter_mut().zip(q).for_each(|(sum, q)| *sum += x * q);
                }
                for (x, out) in cells.iter().zip(product.chunks_exact_mut(width)) {
                    out.iter_mut().zip(&along).for_each(|(out, a)| *out += x * a);
                }
                for (a, row) in along.iter().zip(inner.chunks_exact_mut(width)) {
                    row.iter_mut().zip(&along).for_each(|(out, b)| *out += a * b);
                }
            });
        }
        Ok((product, inner))
    };
    let (mut product, mut inner) = (vec![0.0; n * width], vec![0.0; width * width]);
    // A few parts at a time, added in their order.
    for wave in table.columns().chunks(COLUMNS * 2 * run.width()) {
        let parts: Vec<Result<_>> = wave.par_chunks(COLUMNS).map(part).collect();
        for part in parts {
            let (one, other) = part?;
            product.iter_mut().zip(one).for_each(|(sum, x)| *sum += x);
            inner.iter_mut().zip(other).for_each(|(sum, x)| *sum += x);
        }
    }
    Ok((product, inner))
}

/// Call `each` with the column's cells less their mean, in deviations; missing cells are 0.
fn each_standardised(column: &Column, mut each: impl FnMut(&[f64])) {
    let mut standardised = |mut cells: Vec<f64>| {
        let known = || cells.iter().copied().filter(|x| !x.is_nan());
        let count = known().count().max(1) as f64;
        let mean = known().sum::<f64>() / count;
        let variance = known().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
        let deviation = variance.sqrt();
        if deviation > 1e-12 * mean.abs() {
            let moved = |x: f64| if x.is_nan() { 0.0 } else { (x - mean) / deviation };
            cells.iter_mut().for_each(|x| *x = moved(*x));
            each(&cells);
        }
    };
    let copies = |code: u16| if code == MISSING { f64::NAN } else { f64::from(code) };
    match &column.values {
        ColumnValues::F64(lane) => standardised(lane.iter().collect()),
        ColumnValues::F32(lane) => standardised(lane.iter().map(f64::from).collect()),
        ColumnValues::Genotype(cells) => standardised(cells.codes().map(copies).collect()),
        ColumnValues::Nominal { codes, categories } => {
            // Of two categories one indicator says all.
            let first = usize::from(categories.len() == 2);
            for category in first..categories.len() {
                let indicator = |&code: &u16| match code {
                    MISSING => f64::NAN,
                    code => f64::from(u8::from(usize::from(code) == category)),
                };
                standardised(codes.iter().map(indicator).collect());
            }
        }
    }
}

/// Gram and Schmidt's orthonormal columns, each projected twice; a column without anything of its
/// own becomes 0.
fn orthonormalise(q: &mut [f64], n: usize, width: usize) {
    for at in 0..width {
        let before: f64 = (0..n).map(|i| q[i * width + at] * q[i * width + at]).sum();
        for _ in 0..2 {
            for base in 0..at {
                let along: f64 = (0..n).map(|i| q[i * width + base] * q[i * width + at]).sum();
                (0..n).for_each(|i| q[i * width + at] -= along * q[i * width + base]);
            }
        }
        let size: f64 = (0..n).map(|i| q[i * width + at] * q[i * width + at]).sum();
        let scale = if size > 1e-24 * before { 1.0 / size.sqrt() } else { 0.0 };
        (0..n).for_each(|i| q[i * width + at] *= scale);
    }
}

/// Rows of a table that are related.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Relatives {
    /// Pairs of rows that are as near as half sibs, or nearer.
    pub pairs: usize,
    /// Rows with such a relative.
    pub rows: usize,
    /// The family of each row: rows that a chain of such pairs joins. A row alone is its own.
    pub families: Vec<u32>,
}

/// Loci below which kinship is too uncertain to tell of.
const LEAST_LOCI: usize = 500;

/// Loci that are compared, at the most: enough to tell half sibs from unrelated rows.
const MOST_LOCI: usize = 4096;

/// Rows beyond which all pairs take too long.
const MOST_ROWS: usize = 20_000;

/// Halfway, in powers of two, between half sibs (1/8) and cousins (1/16).
const KINSHIP: f64 = 0.0884;

/// The related rows of a table with at least 500 columns of genotypes; none of other tables, and of
/// more than 20,000 rows. Up to 4,096 columns, evenly spread, are looked at.
///
/// # Errors
///
/// When the caller stops the run.
pub fn relatives(table: &Table, run: &Run) -> Result<Option<Relatives>> {
    let genotypes: Vec<&Column> = table
        .columns()
        .iter()
        .filter(|column| matches!(column.values, ColumnValues::Genotype(_)))
        .collect();
    let n = table.rows();
    if genotypes.len() < LEAST_LOCI || n > MOST_ROWS {
        return Ok(None);
    }
    let used = genotypes.len().min(MOST_LOCI);
    let words = used.div_ceil(64);
    // Homozygous of either kind, and heterozygous, a bit a locus.
    let mut planes = vec![[0u64; 3]; n * words];
    for locus in 0..used {
        let column = genotypes[locus * genotypes.len() / used];
        if let ColumnValues::Genotype(cells) = &column.values {
            for (row, code) in cells.codes().enumerate().filter(|(_, code)| *code != MISSING) {
                planes[row * words + locus / 64][usize::from(code)] |= 1 << (locus % 64);
            }
        }
    }
    let pairs_of = |i: usize| -> Result<Vec<u32>> {
        run.check(0, 0)?;
        let own = &planes[i * words..][..words];
        let related = |&j: &u32| kinship(own, &planes[j as usize * words..][..words]) >= KINSHIP;
        Ok((i as u32 + 1..n as u32).filter(related).collect())
    };
    let pairs: Vec<Vec<u32>> =
        run.install(|| (0..n).into_par_iter().map(pairs_of).collect::<Result<_>>())??;
    let mut families: Vec<u32> = (0..n as u32).collect();
    let mut has_relative = vec![false; n];
    for (i, others) in pairs.iter().enumerate() {
        for &j in others {
            has_relative[i] = true;
            has_relative[j as usize] = true;
            let (a, b) = (root(&families, i as u32), root(&families, j));
            families[a.max(b) as usize] = a.min(b);
        }
    }
    let families = (0..n as u32).map(|row| root(&families, row)).collect();
    Ok(Some(Relatives {
        pairs: pairs.iter().map(Vec::len).sum(),
        rows: has_relative.iter().filter(|one| **one).count(),
        families,
    }))
}

fn root(families: &[u32], mut row: u32) -> u32 {
    while families[row as usize] != row {
        row = families[row as usize];
    }
    row
}

/// KING's robust estimate over loci that are known of both rows; 0 where neither is heterozygous.
fn kinship(a: &[[u64; 3]], b: &[[u64; 3]]) -> f64 {
    let (mut both, mut opposite, mut first, mut second) = (0u32, 0u32, 0u32, 0u32);
    for (a, b) in a.iter().zip(b) {
        let known = (a[0] | a[1] | a[2]) & (b[0] | b[1] | b[2]);
        both += (a[1] & b[1]).count_ones();
        opposite += (a[0] & b[2] | a[2] & b[0]).count_ones();
        first += (a[1] & known).count_ones();
        second += (b[1] & known).count_ones();
    }
    let (less, more) = (f64::from(first.min(second)), f64::from(first.max(second)));
    if less == 0.0 {
        return 0.0;
    }
    (f64::from(both) - 2.0 * f64::from(opposite)) / (2.0 * less) + 0.5
        - (less + more) / (4.0 * less)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Genotypes;

    #[test]
    fn components_are_those_of_the_whole_matrix_of_products() {
        let mut random = Random::new(1, 0);
        let rows = 40;
        let hidden: Vec<f64> = (0..rows).map(|row| if row % 3 == 0 { 2.0 } else { -1.0 }).collect();
        let number = |at: usize, random: &mut Random| {
            let tie = if at < 12 { 1.0 } else { 0.0 };
            let cells = hidden.iter().map(|h| tie * h + random.normal()).collect();
            Column::numeric(format!("x{at}"), cells)
        };
        let mut columns: Vec<Column> = (0..30).map(|at| number(at, &mut random)).collect();
        let words: Vec<_> = (0..rows).map(|row| Some(["a", "b", "c"][row % 3])).collect();
        columns.push(Column::nominal("w", &words).unwrap());
        columns.push(Column::numeric("same", vec![3.0; rows]));
        let table = Table::new(columns).unwrap();
        let mut products = vec![0.0; rows * rows];
        for column in table.columns() {
            each_standardised(column, |cells| {
                for (i, x) in cells.iter().enumerate() {
                    (0..rows).for_each(|j| products[i * rows + j] += x * cells[j]);
                }
            });
        }
        let run = Run::default();
        let plain = Eigen::of(&products, rows, &run).unwrap();
        let found = components(&table, 3, 7, &run).unwrap();
        for (r, column) in found.columns().iter().enumerate() {
            let ColumnValues::F64(lane) = &column.values else { panic!() };
            let size: f64 = lane.iter().map(|x| x * x).sum();
            assert!((size / rows as f64 - 1.0).abs() < 1e-9);
            let along: f64 = lane.iter().zip(plain.vector(r)).map(|(x, u)| x * u).sum();
            assert!((along.abs() / (rows as f64).sqrt() - 1.0).abs() < 1e-6, "{r}: {along}");
        }
        assert!(
            components(&table, 0, 7, &run).is_err() && components(&table, 33, 7, &run).is_err()
        );
    }

    #[test]
    fn sibs_are_found_and_strangers_are_not() {
        let mut random = Random::new(5, 0);
        let loci = 1500;
        let share: Vec<f64> = (0..loci).map(|_| 0.2 + 0.3 * random.uniform()).collect();
        let mut rows: Vec<Vec<u8>> = Vec::new();
        for _ in 0..6 {
            let parent = |random: &mut Random| -> Vec<[bool; 2]> {
                share.iter().map(|&s| [random.chance(s), random.chance(s)]).collect()
            };
            let (mother, father) = (parent(&mut random), parent(&mut random));
            for _ in 0..3 {
                let mut pass = |of: &[bool; 2]| u8::from(of[random.below(2)]);
                rows.push(mother.iter().zip(&father).map(|(m, f)| pass(m) + pass(f)).collect());
            }
        }
        let column = |locus: usize| {
            let known = |at: usize| !(at + locus).is_multiple_of(50);
            let cells = rows.iter().enumerate();
            let cells = cells.map(|(at, row)| known(at).then(|| row[locus]));
            Column::genotypes(format!("l{locus}"), Genotypes::from_copies(cells).unwrap())
        };
        let table = Table::new((0..loci).map(column).collect()).unwrap();
        let found = relatives(&table, &Run::default()).unwrap().unwrap();
        assert_eq!((found.pairs, found.rows), (18, 18));
        let expected: Vec<u32> = (0..18).map(|row| row / 3 * 3).collect();
        assert_eq!(found.families, expected);
        let few = table.select_columns(&(0..400).collect::<Vec<_>>());
        assert_eq!(relatives(&few, &Run::default()).unwrap(), None);
    }
}
