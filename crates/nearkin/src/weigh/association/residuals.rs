//! Residuals of the target after the covariates were fitted, and their exchanges.

use std::collections::BTreeMap;

use super::Given;
use super::moments::PairSums;
use crate::data::{Classes, ColumnValues, Table, Target};
use crate::random::Random;
use crate::stats::midranks;
use crate::{Result, WeighError};

/// Residuals, row by row, `width` numbers a row.
#[derive(Debug, Clone)]
pub(super) struct Residuals {
    pub width: usize,
    pub values: Vec<f64>,
    /// Residuals to describe a feature's direction by: of each class by name, or of the number
    /// without a name, less the mean of the stratum. None of several targets.
    pub told: Option<Vec<(Option<String>, Vec<f64>)>>,
    /// The classes, where residuals are indicators less the shares of the classes.
    pub labels: Option<Labels>,
    pub(super) scheme: Scheme,
}

/// Classes whose residuals are their indicators less their shares.
#[derive(Debug, Clone)]
pub(super) struct Labels {
    pub codes: Vec<u32>,
    pub shares: Vec<f64>,
    /// G of each pair of classes.
    products: Vec<f64>,
}

impl Labels {
    fn new(classes: &Classes, shares: Vec<f64>) -> Self {
        let squares: f64 = shares.iter().map(|s| s * s).sum();
        let g = |a: usize, b: usize| f64::from(u8::from(a == b)) - shares[a] - shares[b] + squares;
        let count = shares.len();
        let products = (0..count * count).map(|at| g(at / count, at % count)).collect();
        Self { codes: classes.codes().to_vec(), shares, products }
    }
}

/// How the target may be exchanged.
#[derive(Debug, Clone)]
pub(super) enum Scheme {
    /// Among all rows of a stratum; without strata all rows are one.
    Rows(Vec<Vec<u32>>),
    /// Huh and Jhun's exchange of residuals in the space orthogonal to the covariates.
    Orthogonal(Reflections),
    /// Classes drawn anew from their fitted probabilities (row by row, a number a class) and fitted
    /// again by a step from the fitted coefficients.
    Redrawn(Box<Logistic>),
}

impl Residuals {
    /// The residuals of `target` and the targets beside it given `given`, ranks in place of numbers
    /// where `ranks` says so.
    pub fn new(target: &Target, given: &Given, ranks: bool) -> Result<Self> {
        let n = target.len();
        let strata = || strata(n, given.strata);
        let design = given.covariates.map(design).transpose()?;
        match (target, design) {
            (Target::Classes(classes), None) if given.targets.is_empty() => {
                let share: Vec<f64> =
                    classes.counts().iter().map(|&c| c as f64 / n as f64).collect();
                let probability = |_: usize, class: usize| share[class];
                let (values, width) = of_classes(classes, probability);
                let told = Some(told_classes(classes, probability, given.strata));
                let labels = Some(Labels::new(classes, share));
                Ok(Self { width, values, told, labels, scheme: Scheme::Rows(strata()) })
            }
            (Target::Classes(classes), Some(design)) if given.targets.is_empty() => {
                let fit = Logistic::fit(classes, design)?;
                let probability = |row, class| fit.probability(row, class);
                let (values, width) = of_classes(classes, probability);
                let told = Some(told_classes(classes, probability, given.strata));
                let scheme = match given.strata {
                    Some(_) => Scheme::Rows(strata()),
                    None => Scheme::Redrawn(Box::new(fit)),
                };
                Ok(Self { width, values, told, labels: None, scheme })
            }
            (_, design) => {
                let basis = Basis::new(n, design.as_ref());
                let targets = std::iter::once(target).chain(given.targets);
                let columns: Vec<Vec<f64>> = targets.flat_map(|one| columns(one, ranks)).collect();
                let mut residuals = Vec::with_capacity(columns.len());
                for column in &columns {
                    let mut residual = basis.residual(column);
                    let size = norm(&residual);
                    if size <= 1e-9 * norm(column) {
                        return Err(WeighError::NothingLeft.into());
                    }
                    // Several targets count alike, whatever their units.
                    if columns.len() > 1 {
                        let unit = (n as f64).sqrt() / size;
                        residual.iter_mut().for_each(|x| *x *= unit);
                    }
                    residuals.push(residual);
                }
                let width = residuals.len();
                let row = |row: usize| residuals.iter().map(move |column| column[row]);
                let values = (0..n).flat_map(row).collect();
                let alone = given.targets.is_empty();
                let told = alone.then(|| vec![(None, within(residuals[0].clone(), given.strata))]);
                let scheme = match (given.strata, design) {
                    (None, Some(_)) => Scheme::Orthogonal(Reflections::new(&basis.vectors)),
                    _ => Scheme::Rows(strata()),
                };
                Ok(Self { width, values, told, labels: None, scheme })
            }
        }
    }

    /// G_ij, the inner product of two rows' residuals.
    #[inline]
    pub fn product(&self, i: usize, j: usize) -> f64 {
        if let Some(labels) = &self.labels {
            let (a, b) = (labels.codes[i] as usize, labels.codes[j] as usize);
            return labels.products[a * labels.shares.len() + b];
        }
        let (a, b) = (
            &self.values[i * self.width..][..self.width],
            &self.values[j * self.width..][..self.width],
        );
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    /// Squares and squared row sums of G without its diagonal; the residuals sum to 0.
    pub fn products(&self) -> PairSums {
        let width = self.width;
        let mut inner = vec![0.0; width * width];
        let (mut own, mut own2) = (0.0, 0.0);
        for row in self.values.chunks_exact(width.max(1)) {
            let size: f64 = row.iter().map(|x| x * x).sum();
            own += size;
            own2 += size * size;
            for (a, x) in row.iter().enumerate() {
                let cells = &mut inner[a * width..][..width];
                cells.iter_mut().zip(row).for_each(|(cell, y)| *cell += x * y);
            }
        }
        let n = (self.values.len() / width.max(1)) as f64;
        // The mean of all pairs, taken off so that the total is 0.
        let mean = -own / (n * (n - 1.0));
        let squares = inner.iter().map(|x| x * x).sum::<f64>() - own2;
        PairSums {
            squares: squares - mean * mean * n * (n - 1.0),
            rows2: own2 + 2.0 * mean * (n - 1.0) * own + n * ((n - 1.0) * mean).powi(2),
            ..PairSums::default()
        }
    }

    /// True when cells of a column may move to any row.
    pub fn moves_freely(&self) -> bool {
        !matches!(&self.scheme, Scheme::Rows(strata) if strata.len() > 1)
    }

    /// True when an exchange moves the residuals from row to row.
    pub fn permutes(&self) -> bool {
        matches!(self.scheme, Scheme::Rows(_))
    }

    /// The rows that each row takes its residual from in exchange number `exchange`.
    pub fn order(&self, seed: u64, exchange: u64) -> Vec<u32> {
        let n = self.values.len() / self.width.max(1);
        let mut random = Random::new(seed, exchange);
        match &self.scheme {
            Scheme::Rows(strata) => order(n, strata, &mut random),
            _ => (0..n as u32).collect(),
        }
    }

    /// Rows that lie in a stratum with two different residuals: the rows that an exchange can move.
    pub fn movable(&self) -> usize {
        match &self.scheme {
            Scheme::Rows(strata) => strata
                .iter()
                .filter(|rows| {
                    let of = |row: u32| &self.values[row as usize * self.width..][..self.width];
                    rows.iter().any(|&row| of(row) != of(rows[0]))
                })
                .map(Vec::len)
                .sum(),
            _ => self.values.len() / self.width.max(1),
        }
    }

    /// Rows that stand alone in their stratum, and so never move.
    pub fn fixed(&self) -> usize {
        match &self.scheme {
            Scheme::Rows(strata) => strata.iter().filter(|rows| rows.len() == 1).count(),
            _ => 0,
        }
    }

    /// The strata that cells of a column are moved within.
    pub fn strata(&self) -> Option<&[Vec<u32>]> {
        match &self.scheme {
            Scheme::Rows(strata) => Some(strata),
            _ => None,
        }
    }

    /// The residuals after exchange number `exchange`.
    pub fn exchanged(&self, seed: u64, exchange: u64) -> Vec<f64> {
        let mut random = Random::new(seed, exchange);
        let n = self.values.len() / self.width.max(1);
        match &self.scheme {
            Scheme::Rows(strata) => {
                let order = order(n, strata, &mut random);
                let row = |&from: &u32| &self.values[from as usize * self.width..][..self.width];
                order.iter().flat_map(row).copied().collect()
            }
            Scheme::Orthogonal(reflections) => {
                let fixed = reflections.0.len();
                let mut order: Vec<usize> = (fixed..n).collect();
                random.shuffle(&mut order);
                let mut values = vec![0.0; self.values.len()];
                for c in 0..self.width {
                    let mut column: Vec<f64> =
                        self.values.iter().skip(c).step_by(self.width).copied().collect();
                    reflections.apply(&mut column);
                    let mut moved = vec![0.0; n];
                    moved[fixed..]
                        .iter_mut()
                        .zip(&order)
                        .for_each(|(to, &from)| *to = column[from]);
                    reflections.undo(&mut moved);
                    values
                        .iter_mut()
                        .skip(c)
                        .step_by(self.width)
                        .zip(moved)
                        .for_each(|(v, x)| *v = x);
                }
                values
            }
            Scheme::Redrawn(fit) => fit.redrawn(&mut random),
        }
    }
}

/// A target as columns of numbers: its values or their ranks, an indicator of each class (of two
/// classes one says all).
fn columns(target: &Target, ranks: bool) -> Vec<Vec<f64>> {
    match target {
        Target::Real(values) if ranks => vec![midranks(values)],
        Target::Real(values) => vec![values.clone()],
        Target::Classes(classes) => {
            let indicator = |class: u32| {
                let one = |&code: &u32| f64::from(u8::from(code == class));
                classes.codes().iter().map(one).collect()
            };
            let first = u32::from(classes.len() == 2);
            (first..classes.len() as u32).map(indicator).collect()
        }
    }
}

/// The residuals of numbers after least squares on the covariates.
pub(in crate::weigh) fn adjusted(values: &[f64], covariates: &Table) -> Result<Vec<f64>> {
    let basis = Basis::new(values.len(), Some(&design(covariates)?));
    let residual = basis.residual(values);
    match norm(&residual) <= 1e-9 * norm(values) {
        true => Err(WeighError::NothingLeft.into()),
        false => Ok(residual),
    }
}

/// A random order of rows within strata: the row that each row takes its value from.
pub(super) fn order(n: usize, strata: &[Vec<u32>], random: &mut Random) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    for rows in strata {
        let mut moved = rows.clone();
        random.shuffle(&mut moved);
        rows.iter().zip(moved).for_each(|(&row, from)| order[row as usize] = from);
    }
    order
}

/// The rows of each stratum.
fn strata(n: usize, codes: Option<&[u32]>) -> Vec<Vec<u32>> {
    let Some(codes) = codes else { return vec![(0..n as u32).collect()] };
    let mut strata = BTreeMap::<u32, Vec<u32>>::new();
    for (row, &code) in codes.iter().enumerate() {
        strata.entry(code).or_default().push(row as u32);
    }
    strata.into_values().collect()
}

/// Class − probability of each class, less the mean of the stratum.
fn told_classes(
    classes: &Classes,
    probability: impl Fn(usize, usize) -> f64,
    strata: Option<&[u32]>,
) -> Vec<(Option<String>, Vec<f64>)> {
    let of = |(class, name): (usize, &String)| {
        let residual = |(row, &code): (usize, &u32)| {
            f64::from(u8::from(code as usize == class)) - probability(row, class)
        };
        let residual = classes.codes().iter().enumerate().map(residual).collect();
        (Some(name.clone()), within(residual, strata))
    };
    classes.names().iter().enumerate().map(of).collect()
}

/// The values less the mean of their stratum.
fn within(mut values: Vec<f64>, codes: Option<&[u32]>) -> Vec<f64> {
    for rows in strata(values.len(), codes) {
        let sum: f64 = rows.iter().map(|&row| values[row as usize]).sum();
        let mean = sum / rows.len().max(1) as f64;
        rows.iter().for_each(|&row| values[row as usize] -= mean);
    }
    values
}

/// Residuals of classes, class − probability, written in C − 1 numbers a row: the C differences sum
/// to 0, so an orthonormal basis of that plane keeps all inner products.
fn of_classes(classes: &Classes, probability: impl Fn(usize, usize) -> f64) -> (Vec<f64>, usize) {
    let count = classes.len();
    let width = count.saturating_sub(1).max(1);
    let mut values = Vec::with_capacity(classes.codes().len() * width);
    for (row, &code) in classes.codes().iter().enumerate() {
        let of =
            |class: usize| f64::from(u8::from(code as usize == class)) - probability(row, class);
        push_contrasts(&(0..count).map(of).collect::<Vec<_>>(), &mut values);
    }
    (values, width)
}

/// Helmert's contrasts of numbers that sum to 0.
fn push_contrasts(residuals: &[f64], out: &mut Vec<f64>) {
    let mut sum = residuals.first().copied().unwrap_or(0.0);
    for (k, &value) in residuals.iter().enumerate().skip(1) {
        let k = k as f64;
        out.push((sum - k * value) / (k * (k + 1.0)).sqrt());
        sum += value;
    }
    if residuals.len() < 2 {
        out.push(0.0);
    }
}

/// Covariates as columns of numbers, a column for each category but the first.
#[derive(Debug, Clone)]
struct Design {
    columns: Vec<Vec<f64>>,
    names: Vec<String>,
}

fn design(table: &Table) -> Result<Design> {
    let (mut columns, mut names) = (Vec::new(), Vec::new());
    for column in table.columns() {
        if let Some(row) = (0..column.len()).find(|&row| column.is_missing(row)) {
            return Err(WeighError::MissingCovariate { column: column.name.clone(), row }.into());
        }
        let mut push = |values: Vec<f64>| {
            columns.push(values);
            names.push(column.name.clone());
        };
        match &column.values {
            ColumnValues::F64(lane) => push(lane.iter().collect()),
            ColumnValues::F32(lane) => push(lane.iter().map(f64::from).collect()),
            ColumnValues::Nominal { codes, categories, .. } => {
                for category in 1..categories.len() {
                    let one = |code: u16| f64::from(u8::from(usize::from(code) == category));
                    push(codes.iter().copied().map(one).collect());
                }
            }
            ColumnValues::Genotype(cells) => push(cells.codes().map(f64::from).collect()),
        }
    }
    Ok(Design { columns, names })
}

/// An orthonormal basis of the constant and the covariates.
struct Basis {
    vectors: Vec<Vec<f64>>,
}

impl Basis {
    fn new(rows: usize, design: Option<&Design>) -> Self {
        let mut basis = Self { vectors: Vec::new() };
        basis.add(vec![1.0; rows]);
        for column in design.iter().flat_map(|design| &design.columns) {
            basis.add(column.clone());
        }
        basis
    }

    /// Add a vector's part that is orthogonal to the basis, unless that is nothing but rounding.
    fn add(&mut self, vector: Vec<f64>) {
        let whole = norm(&vector);
        let mut rest = self.residual(&vector);
        let size = norm(&rest);
        if size > 1e-9 * whole {
            rest.iter_mut().for_each(|x| *x /= size);
            self.vectors.push(rest);
        }
    }

    /// The vector less its projection on the basis; projected twice, so that rounding of the first
    /// pass goes too.
    fn residual(&self, vector: &[f64]) -> Vec<f64> {
        let mut rest = vector.to_vec();
        for _ in 0..2 {
            for base in &self.vectors {
                let along: f64 = base.iter().zip(&rest).map(|(q, x)| q * x).sum();
                rest.iter_mut().zip(base).for_each(|(x, q)| *x -= along * q);
            }
        }
        rest
    }
}

/// Householder's reflections that turn an orthonormal basis of k vectors into the first k axes.
#[derive(Debug, Clone)]
pub(super) struct Reflections(Vec<Vec<f64>>);

impl Reflections {
    fn new(basis: &[Vec<f64>]) -> Self {
        let mut all = Self(Vec::new());
        for (k, vector) in basis.iter().enumerate() {
            let mut normal = vector.clone();
            all.apply(&mut normal);
            normal[..k].fill(0.0);
            let size = norm(&normal);
            // Away from the axis, so that nothing cancels.
            normal[k] += if normal[k] < 0.0 { -size } else { size };
            let size = norm(&normal);
            normal.iter_mut().for_each(|x| *x /= size);
            all.0.push(normal);
        }
        all
    }

    fn apply(&self, vector: &mut [f64]) {
        self.0.iter().for_each(|normal| reflect(normal, vector));
    }

    fn undo(&self, vector: &mut [f64]) {
        self.0.iter().rev().for_each(|normal| reflect(normal, vector));
    }
}

fn reflect(normal: &[f64], vector: &mut [f64]) {
    let along: f64 = normal.iter().zip(vector.iter()).map(|(q, x)| q * x).sum();
    vector.iter_mut().zip(normal).for_each(|(x, q)| *x -= 2.0 * along * q);
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Multinomial logistic regression of the classes on the covariates.
#[derive(Debug, Clone)]
pub(super) struct Logistic {
    classes: usize,
    /// Constant and standardised covariates, row by row.
    design: Vec<f64>,
    width: usize,
    /// A vector of coefficients for each class but the first.
    coefficients: Vec<f64>,
    /// Fitted probabilities, row by row, a number a class.
    probabilities: Vec<f64>,
}

/// A coefficient of a covariate of deviation 1 beyond this means that a class is told without error.
const LARGEST: f64 = 15.0;

/// Rounds of Newton's method.
const ROUNDS: usize = 50;

impl Logistic {
    fn fit(classes: &Classes, design: Design) -> Result<Self> {
        let n = classes.codes().len();
        let mut kept: Vec<Vec<f64>> = vec![vec![1.0; n]];
        let mut basis = Basis { vectors: Vec::new() };
        basis.add(vec![1.0; n]);
        let mut names = vec![String::new()];
        for (column, name) in design.columns.into_iter().zip(design.names) {
            let before = basis.vectors.len();
            basis.add(column);
            // A column that follows from the others adds nothing; the orthonormal one stands for it.
            if let Some(added) = basis.vectors.get(before) {
                let scale = (n as f64).sqrt();
                kept.push(added.iter().map(|x| x * scale).collect());
                names.push(name);
            }
        }
        let width = kept.len();
        let design = (0..n).flat_map(|row| kept.iter().map(move |column| column[row])).collect();
        let mut fit = Self {
            classes: classes.len(),
            design,
            width,
            coefficients: vec![0.0; width * classes.len().saturating_sub(1)],
            probabilities: Vec::new(),
        };
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            fit.probabilities = fit.probabilities_of(&fit.coefficients);
            let deviance = fit.deviance(classes);
            if (last - deviance).abs() <= 1e-10 * (1.0 + deviance.abs()) {
                break;
            }
            last = deviance;
            let step = fit.step(classes.codes()).ok_or_else(|| fit.separated(&names))?;
            fit.coefficients.iter_mut().zip(step).for_each(|(c, s)| *c += s);
            if fit.coefficients.iter().any(|c| c.abs() > LARGEST) {
                return Err(fit.separated(&names));
            }
        }
        fit.probabilities = fit.probabilities_of(&fit.coefficients);
        match fit.deviance(classes) < 1e-6 * n as f64 {
            true => Err(fit.separated(&names)),
            false => Ok(fit),
        }
    }

    /// The error that names the covariate whose coefficient went furthest.
    fn separated(&self, names: &[String]) -> crate::Error {
        let largest = (0..self.coefficients.len())
            .filter(|at| at % self.width > 0)
            .max_by(|&a, &b| self.coefficients[a].abs().total_cmp(&self.coefficients[b].abs()));
        let covariate = largest.map_or(String::new(), |at| names[at % self.width].clone());
        WeighError::CovariateSeparates { covariate }.into()
    }

    fn probability(&self, row: usize, class: usize) -> f64 {
        self.probabilities[row * self.classes + class]
    }

    fn probabilities_of(&self, coefficients: &[f64]) -> Vec<f64> {
        let mut all = Vec::with_capacity(self.design.len() / self.width * self.classes);
        for row in self.design.chunks_exact(self.width) {
            let first = all.len();
            all.push(0.0);
            for own in coefficients.chunks_exact(self.width) {
                all.push(row.iter().zip(own).map(|(x, c)| x * c).sum());
            }
            let scores = &mut all[first..];
            let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            scores.iter_mut().for_each(|s| *s = (*s - largest).exp());
            let sum: f64 = scores.iter().sum();
            scores.iter_mut().for_each(|s| *s /= sum);
        }
        all
    }

    fn deviance(&self, classes: &Classes) -> f64 {
        let codes = classes.codes().iter().enumerate();
        codes.map(|(row, &c)| -self.probability(row, c as usize).max(1e-300).ln()).sum()
    }

    /// Newton's step for these classes from the fitted probabilities; none when it is not defined.
    fn step(&self, codes: &[u32]) -> Option<Vec<f64>> {
        let (free, width) = (self.classes - 1, self.width);
        let size = free * width;
        let (mut gradient, mut hessian) = (vec![0.0; size], vec![0.0; size * size]);
        for (row, (x, &code)) in self.design.chunks_exact(width).zip(codes).enumerate() {
            for a in 0..free {
                let p = self.probability(row, a + 1);
                let residual = f64::from(u8::from(code as usize == a + 1)) - p;
                for (i, &xi) in x.iter().enumerate() {
                    gradient[a * width + i] += residual * xi;
                }
                for b in 0..free {
                    let q = self.probability(row, b + 1);
                    let weight = p * (f64::from(u8::from(a == b)) - q);
                    for (i, &xi) in x.iter().enumerate() {
                        let from = (a * width + i) * size + b * width;
                        let out = &mut hessian[from..from + width];
                        out.iter_mut().zip(x).for_each(|(h, xj)| *h += weight * xi * xj);
                    }
                }
            }
        }
        solve(hessian, gradient)
    }

    /// Residuals of classes drawn from the fitted probabilities, fitted again by one step.
    fn redrawn(&self, random: &mut Random) -> Vec<f64> {
        let draw = |row: &[f64]| {
            let at = random.uniform();
            let mut sum = 0.0;
            let reached = row.iter().position(|p| {
                sum += p;
                at < sum
            });
            reached.unwrap_or(row.len() - 1) as u32
        };
        let codes: Vec<u32> = self.probabilities.chunks_exact(self.classes).map(draw).collect();
        let mut coefficients = self.coefficients.clone();
        if let Some(step) = self.step(&codes) {
            coefficients.iter_mut().zip(step).for_each(|(c, s)| *c += s);
        }
        let fitted = self.probabilities_of(&coefficients);
        let mut values = Vec::with_capacity(codes.len() * (self.classes - 1).max(1));
        for (fitted, &code) in fitted.chunks_exact(self.classes).zip(&codes) {
            let of = |(class, p): (usize, &f64)| f64::from(u8::from(code as usize == class)) - p;
            push_contrasts(&fitted.iter().enumerate().map(of).collect::<Vec<_>>(), &mut values);
        }
        values
    }
}

/// The solution of a positive definite system by Cholesky's method; none where it is singular.
fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = right.len();
    for j in 0..n {
        let whole = matrix[j * n + j];
        for k in 0..j {
            matrix[j * n + j] -= matrix[j * n + k] * matrix[j * n + k];
        }
        let pivot = matrix[j * n + j];
        if pivot.is_nan() || pivot <= 1e-12 * whole.max(f64::MIN_POSITIVE) {
            return None;
        }
        let root = pivot.sqrt();
        matrix[j * n + j] = root;
        for i in j + 1..n {
            let inner: f64 = (0..j).map(|k| matrix[i * n + k] * matrix[j * n + k]).sum();
            matrix[i * n + j] = (matrix[i * n + j] - inner) / root;
        }
    }
    for i in 0..n {
        let inner: f64 = (0..i).map(|k| matrix[i * n + k] * right[k]).sum();
        right[i] = (right[i] - inner) / matrix[i * n + i];
    }
    for i in (0..n).rev() {
        let inner: f64 = (i + 1..n).map(|k| matrix[k * n + i] * right[k]).sum();
        right[i] = (right[i] - inner) / matrix[i * n + i];
    }
    Some(right)
}
