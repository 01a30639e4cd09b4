//! The simulations of similarity discriminant analysis: errors around perturbed centroids.
//!
//! [`perturbed_centroids_study`] repeats the eight tables of the chapter: two classes of bits
//! around random centroids (one a class in tables 1–4, two in 5–8), told apart by counting
//! similarity (1, 2, 5, 6) or by the value difference metric (3, 4, 7, 8), bits of the second
//! class flipped rarely (odd tables) or often (even ones). [`compare`] sets the means beside
//! recorded ones by standard errors, [`chance_beyond_three`] says how many may differ, [`claims`]
//! reads the chapter's findings off them, and [`consistency`] watches local SDA near the least
//! possible error as samples become many.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, section 5.1.

mod chance;

use nearkin::classify::{
    Boundary, Classify, CondensedNn, Knn, Laws, LocalCentroid, LocalSda, MixtureSda, NaiveBayes,
    NearestCentroid, NnSda, Omega, Psvm, Sda, Size,
};
use nearkin::data::{Classes, ColumnValues, SimilarityMatrix, Table, Target};
use nearkin::evaluate::{Spread, each};
use nearkin::measure::pairwise::{Counting, PairMeasure, Vdm};
use nearkin::simulate::{PerturbedCentroids, Simulate};
use nearkin::{Error, EvaluateError, ParameterError, Result, Run};

pub use chance::{Chance, chance_beyond_three};

/// The simulation to make.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// Tables of the chapter, 1 to 8.
    pub tables: Vec<usize>,
    /// Numbers of bits.
    pub bits: Vec<usize>,
    /// Runs of each, every one with centroids of its own.
    pub runs: u64,
    /// Samples to learn from in a run.
    pub train: usize,
    /// Samples to tell in a run.
    pub test: usize,
    /// How much alike centroids of one class are made, 0 in the chapter's tables.
    pub alike: f64,
    /// Also the potential support vector machine, its settings chosen from the chapter's grid:
    /// as costly as all the others together.
    pub psvm: bool,
    /// Seed of every random choice.
    pub seed: u64,
}

impl Default for Study {
    fn default() -> Self {
        let (tables, bits) = (vec![1, 2, 5, 6], vec![2, 8, 25, 50, 100, 200]);
        let (train, test) = (100, 1000);
        Self { tables, bits, runs: 20, train, test, alike: 0.0, psvm: false, seed: 2009 }
    }
}

/// The errors of one method on one setting, in per cent.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The table of the chapter.
    pub table: usize,
    /// The number of bits.
    pub bits: usize,
    /// The method: a classifier's id, `sda-grid` for SDA on {0, …, bits}, or `naive-bayes`.
    pub method: String,
    /// The error of every run.
    pub errors: Vec<f64>,
}

impl Cell {
    /// The mean error and its standard error.
    pub fn mean(&self) -> (f64, f64) {
        Spread::of(&self.errors).map_or((f64::NAN, f64::NAN), |s| (s.mean, s.error()))
    }
}

/// A mean recorded elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// The table of the chapter.
    pub table: usize,
    /// The number of bits.
    pub bits: usize,
    /// The method, as in [`Cell::method`].
    pub method: String,
    /// The mean error in per cent, to two decimals.
    pub mean: f64,
    /// Its standard error, to two decimals.
    pub error: f64,
}

/// One of our means beside a recorded one.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    /// The recorded mean.
    pub recorded: Recorded,
    /// Our mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// Their difference in joint standard errors.
    pub z: f64,
}

/// A finding of the chapter, and whether the simulation shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The finding in words.
    pub claim: String,
    /// Whether it is seen.
    pub seen: bool,
    /// The figures it rests on.
    pub figures: String,
}

/// The generator of one table's rows.
fn generator(table: usize, bits: usize, study: &Study, run: u64) -> PerturbedCentroids {
    let family = (table - 1) % 2 * 2 + (table - 1) / 4;
    PerturbedCentroids {
        bits,
        centroids: if table <= 4 { 1 } else { 2 },
        flip_0: 1.0 / 3.0,
        flip_1: if table % 2 == 1 { 1.0 / 30.0 } else { 0.25 },
        alike: study.alike,
        // Tables 1 and 3, 2 and 4 and so on see the same rows under two measures.
        seed: study.seed ^ (run << 32) ^ ((bits as u64) << 16) ^ (family as u64) << 60,
        ..PerturbedCentroids::default()
    }
}

/// The methods of the tables under the chapter's simulation settings.
fn methods(bits: usize, mixture: bool, psvm: bool) -> Vec<(String, Box<dyn Classify>)> {
    let laws = || Laws { boundary: Boundary::Clamp, ..Laws::default() };
    let mut sizes: Vec<f64> = (1..=20).map(f64::from).collect();
    sizes.extend((29..100).step_by(10).map(f64::from));
    let size = || Size { k: None, k_candidates: Some(sizes.clone()) };
    let values = Some(vec![0.0, 1.0, bits as f64 + 1.0]);
    let grid = Laws { support: Omega::Grid, support_values: values, ..laws() };
    let mut all: Vec<Box<dyn Classify>> = vec![
        Box::new(Sda { laws: laws(), ..Sda::default() }),
        Box::new(NnSda { laws: laws(), ..NnSda::default() }),
        Box::new(LocalSda { size: size(), laws: laws(), ..LocalSda::default() }),
        Box::new(NearestCentroid::default()),
        Box::new(LocalCentroid { size: size(), ..LocalCentroid::default() }),
        Box::new(Knn { size: size(), ..Knn::default() }),
        Box::new(CondensedNn::default()),
    ];
    if mixture {
        let tolerance = 0.0;
        all.push(Box::new(MixtureSda { tolerance, laws: laws(), ..MixtureSda::default() }));
    }
    if psvm {
        all.push(Box::new(Psvm::sda_2009()));
    }
    let mut named: Vec<(String, Box<dyn Classify>)> =
        all.into_iter().map(|one| (one.about().id.to_owned(), one)).collect();
    named.push(("sda-grid".into(), Box::new(Sda { laws: grid, ..Sda::default() })));
    named
}

/// Training and test rows of one run, and their similarities under the table's measure.
struct Drawn {
    table: Table<'static>,
    classes: Classes,
    test: Table<'static>,
    truth: Vec<String>,
    s: SimilarityMatrix<'static>,
    queries: SimilarityMatrix<'static>,
}

fn labels(classes: &Classes) -> Vec<String> {
    classes.codes().iter().map(|&code| classes.names()[code as usize].clone()).collect()
}

fn classes_of(target: &Target) -> Result<&Classes> {
    match target {
        Target::Classes(classes) => Ok(classes),
        Target::Real(_) => Err(EvaluateError::NeedsClasses.into()),
    }
}

impl Drawn {
    fn new(table: usize, study: &Study, made: &PerturbedCentroids, run: &Run) -> Result<Self> {
        let learn = PerturbedCentroids { rows: study.train, ..made.clone() }.generate()?;
        let tell = PerturbedCentroids { rows: study.test, sample: 1, ..made.clone() }.generate()?;
        let measure: Box<dyn PairMeasure> = match table {
            1 | 2 | 5 | 6 => Box::new(Counting::default()),
            _ => Box::new(Vdm::default()),
        };
        let fitted = measure.fit(&learn.table, Some(&learn.target))?;
        Ok(Self {
            s: fitted.block_with(&learn.table, &learn.table, run)?,
            queries: fitted.block_with(&tell.table, &learn.table, run)?,
            classes: classes_of(&learn.target)?.clone(),
            truth: labels(classes_of(&tell.target)?),
            table: learn.table,
            test: tell.table,
        })
    }

    fn error(&self, classifier: &dyn Classify, run: &Run) -> Result<f64> {
        let fitted = classifier.fit_with(&self.s, &self.classes, run)?;
        let wrong = fitted.predict_with(&self.queries, run)?.errors(&self.truth);
        Ok(100.0 * wrong as f64 / self.truth.len() as f64)
    }
}

/// Errors of every method on every table and number of bits, runs spread over the threads.
///
/// # Errors
///
/// When a table is none of 1 to 8, or a classifier cannot be fitted.
pub fn perturbed_centroids_study(study: &Study, run: &Run) -> Result<Vec<Cell>> {
    if let Some(&wrong) = study.tables.iter().find(|table| !(1..=8).contains(*table)) {
        let reason = ParameterError::Outside { min: 1.0, max: 8.0, got: wrong as f64 };
        return Err(Error::parameter("tables", reason));
    }
    let settings = study.tables.iter().flat_map(|&t| study.bits.iter().map(move |&b| (t, b)));
    let settings: Vec<(usize, usize)> = settings.collect();
    let tasks: Vec<(usize, usize, u64)> = settings
        .iter()
        .flat_map(|&(table, bits)| (0..study.runs).map(move |number| (table, bits, number)))
        .collect();
    let answers = each(&tasks, run, |&(table, bits, number), run| {
        let drawn = Drawn::new(table, study, &generator(table, bits, study, number), run)?;
        let counted = matches!(table, 1 | 2 | 5 | 6);
        let mut found = Vec::new();
        for (name, classifier) in methods(bits, table > 4, study.psvm) {
            // {0, …, bits} are the values of counting similarity alone.
            if counted || name != "sda-grid" {
                found.push((name, drawn.error(classifier.as_ref(), run)?));
            }
        }
        let bayes = NaiveBayes::default().fit(&drawn.table, &drawn.classes)?;
        let wrong = bayes.predict_with(&drawn.test, run)?.errors(&drawn.truth);
        found.push(("naive-bayes".into(), 100.0 * wrong as f64 / drawn.truth.len() as f64));
        Ok(found)
    })?;
    let mut cells: Vec<Cell> = Vec::new();
    for (&(table, bits, number), found) in tasks.iter().zip(answers) {
        let width = found.len();
        for (at, (method, error)) in found.into_iter().enumerate() {
            if number == 0 {
                cells.push(Cell { table, bits, method, errors: vec![error] });
            } else {
                let from = cells.len() - width;
                cells[from + at].errors.push(error);
            }
        }
    }
    Ok(cells)
}

/// Our means beside those recorded, where both are known.
///
/// Recorded figures have two decimals: their rounding, a deviation of 0.01/√12, is part of the
/// joint standard error.
pub fn compare(cells: &[Cell], recorded: &[Recorded]) -> Vec<Beside> {
    let beside = recorded.iter().filter_map(|recorded| {
        let (mean, error) = beside_of(cells, recorded)?.mean();
        let z = z((mean, error), (recorded.mean, recorded.error));
        Some(Beside { recorded: recorded.clone(), mean, error, z })
    });
    beside.collect()
}

/// The cell that a recorded mean is about.
fn beside_of<'c>(cells: &'c [Cell], recorded: &Recorded) -> Option<&'c Cell> {
    let same = |cell: &&Cell| {
        (cell.table, cell.bits) == (recorded.table, recorded.bits) && cell.method == recorded.method
    };
    cells.iter().find(same)
}

/// The difference of two means in joint standard errors, the second being rounded.
fn z(ours: (f64, f64), recorded: (f64, f64)) -> f64 {
    let rounding = 0.01 / 12f64.sqrt();
    (ours.0 - recorded.0) / (ours.1.powi(2) + recorded.1.powi(2) + rounding.powi(2)).sqrt()
}

/// The mean of a method's means over the numbers of bits of one table.
fn over_bits(cells: &[Cell], table: usize, method: &str) -> Option<f64> {
    let of = cells.iter().filter(|cell| cell.table == table && cell.method == method);
    let means: Vec<f64> = of.map(|cell| cell.mean().0).collect();
    Spread::of(&means).map(|spread| spread.mean)
}

/// The chapter's findings, looked for in `cells`; `related` are cells of a study of
/// the same tables whose centroids of one class are more alike.
pub fn claims(cells: &[Cell], related: &[Cell]) -> Vec<Claim> {
    let mut tables: Vec<usize> = cells.iter().map(|cell| cell.table).collect();
    tables.sort_unstable();
    tables.dedup();
    let mut found = Vec::new();
    let mut below = |claim: &str, tables: &[usize], (better, worse): (&str, &str), wanted: bool| {
        let pairs: Vec<(usize, f64, f64)> = tables
            .iter()
            .filter_map(|&t| Some((t, over_bits(cells, t, better)?, over_bits(cells, t, worse)?)))
            .collect();
        if !pairs.is_empty() {
            let figures = pairs.iter().map(|(t, a, b)| format!("table {t}: {a:.2} and {b:.2}"));
            found.push(Claim {
                claim: claim.into(),
                seen: pairs.iter().all(|(_, a, b)| (a < b) == wanted),
                figures: figures.collect::<Vec<_>>().join("; "),
            });
        }
    };
    let local = ("local-sda", "local-centroid");
    below("local SDA errs less than local nearest centroid in every table", &tables, local, true);
    let global = ("sda", "nearest-centroid");
    below(
        "SDA errs less than nearest centroid with one centroid a class",
        &[1, 2, 3, 4],
        global,
        true,
    );
    below(
        "SDA errs less than nearest centroid with two centroids under VDM",
        &[7, 8],
        global,
        true,
    );
    below("SDA does not err less with two centroids under counting", &[5, 6], global, false);
    let widest = |cells: &[Cell], table: usize, method: &str| {
        let of = cells.iter().filter(|cell| cell.table == table && cell.method == method);
        of.max_by_key(|cell| cell.bits).map(|cell| cell.mean().0)
    };
    if let Some(settled) = widest(cells, 5, "sda") {
        found.push(Claim {
            claim: "SDA's error settles near 25 % with two centroids under counting".into(),
            seen: (settled - 25.0).abs() < 5.0,
            figures: format!("table 5, most bits: {settled:.2}; 20 to 30 counts as near"),
        });
    }
    if let (Some(apart), Some(alike)) = (widest(cells, 5, "sda"), widest(related, 5, "sda")) {
        found.push(Claim {
            claim: "SDA errs less when centroids of one class are more alike".into(),
            seen: alike < apart,
            figures: format!("table 5, most bits: {alike:.2} and {apart:.2}"),
        });
    }
    let dense = cells.iter().find(|c| c.bits == 2 && c.table == 2 && c.method == "nn-sda");
    if let Some((mean, error)) = dense.map(Cell::mean) {
        found.push(Claim {
            claim: "nnSDA's error is about 1 − the largest prior on dense data".into(),
            seen: (mean - 50.0).abs() < 3.0 * error + 1.0,
            figures: format!("table 2, two bits: {mean:.2} ± {error:.2}"),
        });
    }
    found
}

/// Local SDA's error at one number of samples, beside the least possible one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approach {
    /// Samples to learn from.
    pub train: usize,
    /// Neighbours used, about 2√train: they grow without bound, their share vanishes.
    pub k: usize,
    /// The mean error of local SDA in per cent, and its standard error.
    pub local: (f64, f64),
    /// The mean error of the rule that knows the centroids and the flips, and its standard error.
    pub least: (f64, f64),
}

/// Theorem 1 watched: local SDA on a table of the chapter as the samples become many.
///
/// # Errors
///
/// When local SDA cannot be fitted.
pub fn consistency(
    table: usize,
    bits: usize,
    trains: &[usize],
    study: &Study,
    run: &Run,
) -> Result<Vec<Approach>> {
    let at = |&train: &usize| {
        let study = Study { train, ..study.clone() };
        let k = (2.0 * (train as f64).sqrt()).ceil() as usize;
        let numbers: Vec<u64> = (0..study.runs).collect();
        let errors = each(&numbers, run, |&number, run| {
            let made = generator(table, bits, &study, number);
            let drawn = Drawn::new(table, &study, &made, run)?;
            let laws = Laws { boundary: Boundary::Clamp, ..Laws::default() };
            let size = Size { k: Some(k.min(train)), ..Size::default() };
            let local = LocalSda { size, laws, ..LocalSda::default() };
            Ok((drawn.error(&local, run)?, least_error(&made, &drawn)))
        })?;
        let (local, least): (Vec<f64>, Vec<f64>) = errors.into_iter().unzip();
        let mean = |errors: &[f64]| Spread::of(errors).map_or((0.0, 0.0), |s| (s.mean, s.error()));
        Ok(Approach { train, k, local: mean(&local), least: mean(&least) })
    };
    trains.iter().map(at).collect()
}

/// The error on the test rows of the rule that knows how they were made.
fn least_error(made: &PerturbedCentroids, drawn: &Drawn) -> f64 {
    let centres = made.centres();
    let codes: Vec<&Vec<u16>> = drawn
        .test
        .columns()
        .iter()
        .filter_map(|column| match &column.values {
            ColumnValues::Nominal { codes, .. } => Some(codes),
            _ => None,
        })
        .collect();
    let wrong = drawn.truth.iter().enumerate().filter(|(row, truth)| {
        let bits: Vec<u16> = codes.iter().map(|column| column[*row]).collect();
        let log_p = |class: usize| made.log_density(&centres, class, &bits);
        let said = if log_p(1) > log_p(0) { "1" } else { "0" };
        truth.as_str() != said
    });
    100.0 * wrong.count() as f64 / drawn.truth.len() as f64
}
