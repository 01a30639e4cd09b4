//! PSVM, the potential support vector machine: samples described by their similarities.
//!
//! ```text
//! min_α ½·αᵀKᵀKα − (y − b)ᵀKα + ε·‖α‖₁,   |α_j| ≤ C,      f(x) = Σ_j α_j·k̃_j(x) + b
//! ```
//!
//! where K is the training matrix with every column centred and scaled to length 1 (constant
//! columns are dropped), y is ±1, b its mean, and k̃_j(x) is s(x, j) under the same centring and
//! scaling. No constraint ties the α together, so each has an exact step,
//!
//! ```text
//! u = α_j − g_j,   α_j ← clip(sign(u)·max(|u| − ε, 0), −C, C),   g = Kᵀ(Kα − (y − b))
//! ```
//!
//! taken in turn until none moves, weights of 0 only when the others have come to rest. Weights of
//! columns that are much alike come to rest slowly one by one: now and then all that are neither 0
//! nor ±C step together, to where the objective is least under the signs they have. K may be
//! indefinite, asymmetric and rectangular: labelled rows, and columns of other reference objects.
//! Two classes give one machine, more give one against the rest each. Probabilities, where they
//! are asked for or costs are given, are fitted to scores of held-out samples.
//!
//! C and ε are as given, or the best of candidates by 5-fold cross-validation over the rows (the
//! columns stay): for each fold the grid is walked from the largest ε down and from the smallest C
//! up, every machine starting from the weights of the one before it. Where no weight has come to
//! C, a larger C changes nothing and its machine is not settled again: of the chapter's 200 pairs
//! few are left.
//!
//! Cost: n·p a sweep over the p columns; a step of f weights together n·f² once and f³/6 each
//! time, taken no sooner than sweeps have cost a fair share of it. Of KᵀK only what belongs to
//! these weights is formed.
//!
//! When to use: accuracy from any similarity, indefinite ones too; few references are asked for.
//!
//! Reference: S. Hochreiter and K. Obermayer, *Support vector machines for dyadic data*, Neural
//! Computation 18 (2006).

use super::asked::only;
use super::common::{Priors, Training, check_labels, rising};
use super::medoids::folds;
use super::newton::Newton;
use super::predictions::{Answer, Predictions, each_row, predict_rows};
use super::scored::{Keeps, Scored, scored};
use super::wide::{add, dot};
use super::{Classify, FitResult, Fitted, Insight, Queries, about};
use crate::data::{Classes, Parts, SimilarityMatrix, wrong_part};
use crate::{ClassifyError, Note, Result, Run, parameters};

parameters! {
    /// The potential support vector machine and its settings.
    pub struct Psvm {
        /// The largest weight a reference can have.
        c ("C"): f64 = 1.0, in 1e-12..=1e12;
        /// How much a reference must explain to get a weight other than 0.
        epsilon: f64 = 0.1, in 0.0..=1e12;
        /// Values of c to choose from by 5-fold cross-validation, in place of c. The smallest of
        /// the best is taken, with the largest epsilon.
        c_candidates: Option<Vec<f64>> = None;
        /// Values of epsilon to choose from by 5-fold cross-validation, in place of epsilon.
        epsilon_candidates: Option<Vec<f64>> = None;
        /// Sweeps stop when no weight moves by more than this.
        tolerance ("tol"): f64 = 1e-9, in 0.0..=1.0;
        /// The largest number of sweeps over all weights.
        sweeps: usize = 10000, min 1;
        /// Seed of the folds.
        seed ("random_state"): u64 = 0;
    } with priors: Priors, scored: Scored
}

/// One machine: α in the columns' own scale, and where the decision starts from.
#[derive(Debug, Clone)]
struct Machine {
    alpha: Vec<f64>,
    start: f64,
}

/// How the fit of all machines ended: how many did not converge, and the most sweeps that one
/// took.
#[derive(Debug, Default)]
struct Rest {
    unsettled: usize,
    sweeps: usize,
}

#[derive(Debug)]
struct FittedPsvm {
    names: Vec<String>,
    /// Mean of every column and 1 over its length, 0 for a dropped one.
    scale: Vec<(f64, f64)>,
    /// One machine for two classes (the second is +1), else one for each class.
    machines: Vec<Machine>,
    unsettled: usize,
    /// Sweeps of the machine that took the most.
    sweeps: usize,
    /// C and ε.
    chosen: (f64, f64),
}

impl FittedPsvm {
    /// Lower bound: a multiply-add for each weight that is not 0, means and factors taken into the
    /// weights and the start. Here four operations for each of p columns and every machine, also
    /// where the weight is 0.
    fn answer(&self, s: &[f64]) -> Answer {
        let decide = |machine: &Machine| {
            let parts = machine.alpha.iter().zip(s).zip(&self.scale);
            let sum: f64 = parts.map(|((a, s), (mean, by))| a * ((s - mean) * by)).sum();
            sum + machine.start
        };
        let mut scores: Vec<f64> = self.machines.iter().map(decide).collect();
        if let [one] = scores[..] {
            scores = vec![-one, one];
        }
        let alike = vec![1.0; scores.len()];
        Answer::of_scores(scores, &alike)
    }
}

/// Spans of columns whose squares and quotients are still numbers.
const SPAN: std::ops::RangeInclusive<f64> = 1e-300..=1e300;

/// Refuse similarities whose differences would overflow or vanish.
fn check_span(scale: &[(f64, f64)]) -> Result<()> {
    let spans = |(_, by): &(f64, f64)| *by == 0.0 || SPAN.contains(&by.recip());
    match scale.iter().position(|one| !spans(one)) {
        None => Ok(()),
        Some(column) => Err(ClassifyError::DifferencesOutOfRange { column }.into()),
    }
}

/// Columns that are taken out of a matrix together.
const TOGETHER: usize = 16;

/// Every column centred and of length 1, one after the other, with what was done to it.
///
/// Squares of large or small numbers would be infinite or 0, so lengths are taken of columns
/// brought near 1 by a power of two, which changes no digit.
///
/// Lower bound: n · p cells read once and written once; here six passes over each column.
fn normalise(s: &SimilarityMatrix) -> (Vec<Vec<f64>>, Vec<(f64, f64)>) {
    let mut columns: Vec<Vec<f64>> =
        (0..s.columns()).map(|_| Vec::with_capacity(s.rows())).collect();
    // A few columns at a time, along the rows, as the cells lie in memory.
    for (from, columns) in (0..).step_by(TOGETHER).zip(columns.chunks_mut(TOGETHER)) {
        for i in 0..s.rows() {
            (from..).zip(columns.iter_mut()).for_each(|(j, column)| column.push(s.at(i, j)));
        }
    }
    let mut scale = Vec::with_capacity(s.columns());
    for column in &mut columns {
        let most = column.iter().fold(0.0f64, |most, v| most.max(v.abs()));
        let near_one = match most > 0.0 {
            true => (-most.log2().floor()).clamp(-1022.0, 1022.0).exp2(),
            false => 1.0,
        };
        column.iter_mut().for_each(|v| *v *= near_one);
        let most = most * near_one;
        let mean = column.iter().sum::<f64>() / column.len() as f64;
        column.iter_mut().for_each(|v| *v -= mean);
        let length = column.iter().map(|v| v * v).sum::<f64>().sqrt();
        // What is left of a constant column after rounding is no signal.
        let kept = length > 1e-13 * most * (column.len() as f64).sqrt();
        let factor = if kept { 1.0 / length } else { 0.0 };
        column.iter_mut().for_each(|v| *v *= factor);
        scale.push((mean / near_one, factor * near_one));
    }
    (columns, scale)
}

impl Psvm {
    /// The chapter's grids: ε of 0.1, 0.2, … 1 and C of 1, 51, … 951.
    pub fn sda_2009() -> Self {
        Self {
            c_candidates: Some((0..20).map(|i| f64::from(1 + 50 * i)).collect()),
            epsilon_candidates: Some((1..=10).map(|i| f64::from(i) / 10.0).collect()),
            priors: Priors::sda_2009(),
            ..Self::default()
        }
    }

    /// These settings with C and ε in place, by 5-fold cross-validation where there is a choice.
    fn settled(&self, s: &SimilarityMatrix, classes: &Classes, run: &Run) -> Result<Self> {
        // The values given to choose from, or the one in use.
        let grid = |name, given: &Option<Vec<f64>>, one, min| match given {
            Some(given) => rising(name, given, min),
            None => Ok(vec![one]),
        };
        let cs = grid("c_candidates", &self.c_candidates, self.c, 1e-12)?;
        let mut epsilons = grid("epsilon_candidates", &self.epsilon_candidates, self.epsilon, 0.0)?;
        // From few weights to many.
        epsilons.reverse();
        let at = |epsilon: f64, c: f64| Self { epsilon, c, ..self.clone() };
        if cs.len() * epsilons.len() == 1 {
            return Ok(at(epsilons[0], cs[0]));
        }
        let pairs: Vec<(f64, f64)> =
            epsilons.iter().flat_map(|&e| cs.iter().map(move |&c| (e, c))).collect();
        let folds = folds(classes, self.seed);
        let columns: Vec<usize> = (0..s.columns()).collect();
        let wrong = each_row(5, run, |fold| {
            let (rest, held): (Vec<usize>, Vec<usize>) =
                (0..s.rows()).partition(|&row| folds[row] != fold);
            if held.is_empty() || rest.is_empty() {
                return Ok(vec![0; pairs.len()]);
            }
            let codes: Vec<u32> = rest.iter().map(|&row| classes.codes()[row]).collect();
            let (k, scale) = normalise(&s.select(&rest, &columns));
            let mut newton = Newton::new(&k);
            let mut starts = vec![vec![0.0; columns.len()]; classes.len()];
            let mut wrong: Vec<usize> = Vec::with_capacity(pairs.len());
            // The ε at which no weight was held back by C, with C growing from pair to pair.
            let mut free: Option<f64> = None;
            for &(epsilon, c) in &pairs {
                if let (true, Some(&same)) = (free == Some(epsilon), wrong.last()) {
                    wrong.push(same);
                    continue;
                }
                // Decisions settle long before weights do.
                let psvm = Self { tolerance: self.tolerance.max(1e-5), ..at(epsilon, c) };
                let (machines, Rest { unsettled, sweeps }) =
                    psvm.machines(&mut newton, &scale, &codes, classes.len(), &mut starts, run)?;
                let held_back = machines.iter().flat_map(|m| &m.alpha).any(|a| a.abs() >= c);
                free = (unsettled == 0 && !held_back).then_some(epsilon);
                let names = classes.names().to_vec();
                let fitted = FittedPsvm {
                    names,
                    sweeps,
                    scale: scale.clone(),
                    machines,
                    unsettled: 0,
                    chosen: (c, epsilon),
                };
                let said = held.iter().filter(|&&row| {
                    fitted.answer(&s.row(row)).class != classes.codes()[row] as usize
                });
                wrong.push(said.count());
            }
            Ok(wrong)
        })?;
        let total = |pair: usize| wrong.iter().map(|fold| fold[pair]).sum::<usize>();
        let best =
            (1..pairs.len()).fold(0, |b, pair| if total(pair) < total(b) { pair } else { b });
        Ok(at(pairs[best].0, pairs[best].1))
    }

    /// One machine for two classes, else one for each class, from `starts`, which are brought up
    /// to date; and how they came to rest.
    fn machines(
        &self,
        newton: &mut Newton,
        scale: &[(f64, f64)],
        codes: &[u32],
        classes: usize,
        starts: &mut [Vec<f64>],
        run: &Run,
    ) -> Result<(Vec<Machine>, Rest)> {
        let positives = if classes == 2 { 1..2 } else { 0..classes };
        let (mut machines, mut rest) = (Vec::new(), Rest::default());
        for positive in positives {
            let sign = |&code: &u32| if code as usize == positive { 1.0 } else { -1.0 };
            let y: Vec<f64> = codes.iter().map(sign).collect();
            let (machine, settled, sweeps) =
                self.solve(newton, scale, &y, &starts[positive], run)?;
            starts[positive].clone_from(&machine.alpha);
            machines.push(machine);
            rest.unsettled += usize::from(!settled);
            rest.sweeps = rest.sweeps.max(sweeps);
        }
        Ok((machines, rest))
    }

    /// The machine of targets `y` (±1), whether it came to rest, and after how many sweeps.
    ///
    /// Lower bound of a sweep: n multiply-adds for each weight that is visited and n for each that
    /// moves, up to 2 · n · f for f weights that are not 0, and n · p or more when all p are
    /// visited. With the products of f columns at hand (`newton.rs`) f² would do for 2 · n · f.
    ///
    /// SVC is faster: its steps move two weights for 2 · n multiply-adds in single precision, and
    /// end when conditions hold to 1e-3; here all weights rest to 1e-9, which takes many sweeps.
    /// SVC takes the matrix as it is; here every column is centred, scaled and copied. And the
    /// objective has KᵀK in place of K, so that columns much alike converge more slowly.
    fn solve(
        &self,
        newton: &mut Newton,
        scale: &[(f64, f64)],
        y: &[f64],
        from: &[f64],
        run: &Run,
    ) -> Result<(Machine, bool, usize)> {
        let columns = newton.columns();
        let start = y.iter().sum::<f64>() / y.len() as f64;
        let mut alpha: Vec<f64> = from.iter().map(|a| a.clamp(-self.c, self.c)).collect();
        // Kα − (y − b), kept up to date.
        let mut residual: Vec<f64> = y.iter().map(|y| start - y).collect();
        for (column, &a) in columns.iter().zip(&alpha).filter(|(_, a)| **a != 0.0) {
            add(&mut residual, a, column);
        }
        // Once all weights have been visited, those that are 0 are skipped until the others have
        // converged.
        let (mut settled, mut all, mut restless, mut sweeps) = (false, true, 0, 0);
        for sweep in 0..self.sweeps {
            run.check(sweep as u64, self.sweeps as u64)?;
            sweeps = sweep + 1;
            let mut moved = 0.0f64;
            for (j, column) in columns.iter().enumerate().filter(|(j, _)| scale[*j].1 > 0.0) {
                if !all && alpha[j] == 0.0 {
                    continue;
                }
                let u: f64 = alpha[j] - dot(column, &residual);
                let shrunk = u.signum() * (u.abs() - self.epsilon).max(0.0);
                let step = shrunk.clamp(-self.c, self.c) - alpha[j];
                if step != 0.0 {
                    alpha[j] += step;
                    add(&mut residual, step, column);
                    moved = moved.max(step.abs());
                }
            }
            if all && moved <= self.tolerance {
                settled = true;
                break;
            }
            all = moved <= self.tolerance;
            restless = if all { 0 } else { restless + 1 };
            let free = alpha.iter().filter(|a| **a != 0.0 && a.abs() < self.c).count();
            if restless >= (free / 8).max(5) {
                newton.descend(&mut alpha, &mut residual, (self.epsilon, self.c), run)?;
                (restless, all) = (0, true);
            }
        }
        Ok((Machine { alpha, start }, settled, sweeps))
    }
}

impl Psvm {
    fn plain(&self, Training { s, classes }: Training, run: &Run) -> FitResult {
        let (columns, scale) = normalise(s);
        check_span(&scale)?;
        let mut starts = vec![vec![0.0; columns.len()]; classes.len()];
        let mut newton = Newton::new(&columns);
        let codes = classes.codes();
        let (machines, Rest { unsettled, sweeps }) =
            self.machines(&mut newton, &scale, codes, classes.len(), &mut starts, run)?;
        let (names, chosen) = (classes.names().to_vec(), (self.c, self.epsilon));
        Ok(Box::new(FittedPsvm { names, scale, machines, unsettled, sweeps, chosen }))
    }

    fn restore_plain(&self, parts: &Parts) -> FitResult {
        let names = parts.texts("names")?.to_vec();
        let means = parts.numbers("means")?;
        let factors = parts.exactly("factors", means.len())?;
        let starts = parts.numbers("starts")?;
        let alpha = parts.exactly("alpha", starts.len() * means.len())?;
        if starts.len() != (if names.len() == 2 { 1 } else { names.len() }) || means.is_empty() {
            return Err(wrong_part("starts", "does not fit the classes"));
        }
        let machines = alpha.chunks_exact(means.len()).zip(starts);
        let machines =
            machines.map(|(alpha, &start)| Machine { alpha: alpha.to_vec(), start }).collect();
        let scale = means.iter().copied().zip(factors.iter().copied()).collect();
        let (unsettled, sweeps) = (parts.code("unsettled")?, parts.code("sweeps")?);
        let chosen = (parts.number("c")?, parts.number("epsilon")?);
        Ok(Box::new(FittedPsvm { names, scale, machines, unsettled, sweeps, chosen }))
    }
}

impl Classify for Psvm {
    about! {
        "psvm" is "P-SVM", "a sparse linear machine on similarities to the references",
        "Hochreiter & Obermayer 2006"
    }

    fn fit_checked(&self, views: &[SimilarityMatrix], classes: &Classes, run: &Run) -> FitResult {
        let s = only(views, "psvm")?;
        check_labels(s, classes)?;
        // What was chosen once holds in the folds of the probabilities too.
        let settled = self.settled(s, classes, run)?;
        let fixed = Self { c_candidates: None, epsilon_candidates: None, ..settled };
        let training = Training { s, classes };
        self.scored
            .fit(&self.priors, training, Keeps::All, run, |training, _| fixed.plain(training, run))
    }

    scored!();
}

impl Fitted for FittedPsvm {
    fn predict_from(&self, queries: Queries, run: &Run) -> Result<Predictions> {
        predict_rows(&self.names, self.scale.len(), queries.matrix()?, run, |_, s| {
            Ok(self.answer(s))
        })
    }

    fn parts(&self) -> Parts {
        let alpha: Vec<f64> = self.machines.iter().flat_map(|m| m.alpha.iter().copied()).collect();
        Parts::new()
            .with_texts("names", self.names.clone())
            .with_numbers("means", self.scale.iter().map(|s| s.0).collect())
            .with_numbers("factors", self.scale.iter().map(|s| s.1).collect())
            .with_numbers("starts", self.machines.iter().map(|m| m.start).collect())
            .with_numbers("alpha", alpha)
            .with_codes("unsettled", vec![self.unsettled as u32])
            .with_codes("sweeps", vec![self.sweeps as u32])
            .with_numbers("c", vec![self.chosen.0])
            .with_numbers("epsilon", vec![self.chosen.1])
    }

    fn insight(&self) -> Insight {
        let chosen = vec![("c", self.chosen.0), ("epsilon", self.chosen.1)];
        Insight { rounds: Some(self.sweeps), chosen, ..Insight::default() }
    }

    fn notes(&self) -> Vec<Note> {
        let used = self.machines.iter().flat_map(|m| &m.alpha).filter(|a| **a != 0.0).count();
        let ((c, epsilon), machines) = (self.chosen, self.machines.len());
        let weights = machines * self.scale.len();
        let note = Note::MachineWeights { c, epsilon, used, weights };
        let unsettled = self.unsettled;
        let limit = (unsettled > 0).then_some(Note::MachinesNotSettled { unsettled, machines });
        std::iter::once(note).chain(limit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The conditions of the optimum, weight by weight.
    #[test]
    fn weights_meet_the_conditions_of_the_optimum() {
        let mut random = Random::new(3, 0);
        let s: Vec<f64> = (0..20 * 8).map(|_| random.normal()).collect();
        let s = SimilarityMatrix::new(20, 8, s).unwrap();
        let y: Vec<f64> = (0..20).map(|i| if i % 3 == 0 { 1.0 } else { -1.0 }).collect();
        let (columns, scale) = normalise(&s);
        for (c, epsilon) in [(1.0, 0.1), (0.2, 0.05), (50.0, 0.4)] {
            let psvm = Psvm { c, epsilon, tolerance: 1e-14, ..Psvm::default() };
            let (machine, settled, _) =
                psvm.solve(&mut Newton::new(&columns), &scale, &y, &[0.0; 8], &Run::on(1)).unwrap();
            assert!(settled);
            let b = y.iter().sum::<f64>() / 20.0;
            for (j, alpha) in machine.alpha.iter().enumerate() {
                let predicted = |i: usize| -> f64 {
                    columns.iter().zip(&machine.alpha).map(|(k, a)| k[i] * a).sum()
                };
                let gradient: f64 =
                    (0..20).map(|i| columns[j][i] * (predicted(i) - (y[i] - b))).sum();
                let slack = 1e-9;
                match alpha.abs() {
                    0.0 => assert!(gradient.abs() <= epsilon + slack),
                    a if a < c => assert!((gradient + epsilon * alpha.signum()).abs() < slack),
                    _ => assert!(gradient * alpha.signum() <= slack - epsilon),
                }
            }
        }
    }

    /// Every pair of a grid by itself, from nothing and to the last digit, on the same folds: the
    /// chosen pair errs least, ties going to the larger ε, then to the smaller C.
    #[test]
    fn the_chosen_pair_errs_least_in_cross_validation() {
        let (n, mut random) = (45, Random::new(12, 0));
        let class = |i: usize| i % 3;
        let cells = (0..n * n).map(|at| {
            let same = class(at / n) == class(at % n);
            (if same { 0.4 } else { 0.0 }) + random.normal()
        });
        let s = SimilarityMatrix::new(n, n, cells.collect::<Vec<_>>()).unwrap();
        let classes = Classes::from_labels((0..n).map(|i| ["x", "y", "z"][class(i)]));
        let folds = folds(&classes, 0);
        let all: Vec<usize> = (0..n).collect();
        let errors = |epsilon: f64, c: f64| -> usize {
            let psvm = Psvm { c, epsilon, tolerance: 1e-13, ..Psvm::default() };
            let wrong = (0..5).map(|fold| {
                let (rest, held): (Vec<usize>, Vec<usize>) =
                    all.iter().partition(|&&row| folds[row] != fold);
                let labels = |rows: &[usize]| -> Vec<String> {
                    rows.iter().map(|&row| classes.names()[class(row)].clone()).collect()
                };
                let part = Classes::from_labels(labels(&rest));
                let fitted = psvm.fit(&s.select(&rest, &all), &part).unwrap();
                fitted.predict(&s.select(&held, &all)).unwrap().errors(labels(&held))
            });
            wrong.sum()
        };
        let (cs, epsilons) = ([0.02, 0.1, 0.5, 5.0], [0.05, 0.3, 0.6, 1.2]);
        let mut table = Vec::new();
        for &epsilon in epsilons.iter().rev() {
            table.extend(cs.iter().map(|&c| (errors(epsilon, c), epsilon, c)));
        }
        let best =
            table.iter().fold(table[0], |best, &pair| if pair.0 < best.0 { pair } else { best });
        assert!(
            table.iter().any(|pair| pair.0 > best.0 + 3),
            "the grid makes a difference: {table:?}"
        );
        let chosen = Psvm {
            c_candidates: Some(cs.to_vec()),
            epsilon_candidates: Some(epsilons.to_vec()),
            ..Psvm::default()
        };
        let found = chosen.fit(&s, &classes).unwrap().parts();
        assert_eq!(
            (found.number("epsilon"), found.number("c")),
            (Ok(best.1), Ok(best.2)),
            "{table:?}"
        );
    }

    /// Columns are brought to length 1, so units do not matter, however large or small.
    #[test]
    fn answers_do_not_depend_on_the_unit_of_similarities() {
        let mut random = Random::new(8, 0);
        let cells: Vec<f64> = (0..12 * 12)
            .map(|at| f64::from((at / 12 < 6) == (at % 12 < 6)) + 0.3 * random.normal())
            .collect();
        let classes = Classes::from_labels((0..12).map(|i| if i < 6 { "a" } else { "b" }));
        let answers = |unit: f64| {
            let s: Vec<f64> = cells.iter().map(|cell| cell * unit).collect();
            let s = SimilarityMatrix::new(12, 12, s).unwrap();
            Psvm::default().fit(&s, &classes).and_then(|fitted| fitted.predict(&s))
        };
        let plain = answers(1.0).unwrap();
        assert!(plain.class.contains(&0) && plain.class.contains(&1));
        for unit in [1e-290, 1e-160, 1e-7, 1e9, 1e160, 1e290] {
            let scaled = answers(unit).unwrap();
            assert_eq!(scaled.class, plain.class, "{unit}");
            let off = scaled.scores.iter().zip(&plain.scores).map(|(a, b)| (a - b).abs());
            assert!(off.fold(0.0, f64::max) < 1e-6, "{unit}");
        }
        for unit in [1e-305, 1e305] {
            let told = answers(unit).unwrap_err().to_string();
            assert!(told.contains("multiply the whole matrix"), "{told}");
        }
    }

    #[test]
    fn a_constant_column_has_no_say() {
        let s = SimilarityMatrix::new(3, 2, vec![0.1, 1.0, 0.1, 2.0, 0.1, 4.0]).unwrap();
        assert_eq!(normalise(&s).1[0].1, 0.0);
        let classes = Classes::from_labels(["a", "a", "b"]);
        let fitted = Psvm::default().fit(&s, &classes).unwrap();
        let queries = SimilarityMatrix::new(2, 2, vec![9.0, 4.0, -9.0, 4.0]).unwrap();
        let said = fitted.predict(&queries).unwrap();
        assert_eq!(said.scores_of(0), said.scores_of(1));
        assert_eq!(said.class, [1, 1]);
    }
}
