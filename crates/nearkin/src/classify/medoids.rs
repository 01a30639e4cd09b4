//! Several samples that stand for their class: k-medoids, and how many there should be.
//!
//! ```text
//! assign   z belongs to argmax_l s(z, μ_l)                                         (2)
//! update   μ_l = argmax_{μ in cluster l} Σ_{z in cluster l} s(z, μ)                 (3)
//! ```
//!
//! from different samples drawn at random, until nothing changes or 100 rounds are over; a
//! cluster that has lost all its samples keeps its medoid. `swap` then also tries to exchange
//! each medoid for each other sample, as long as Σ_z max_l s(z, μ_l) grows.
//!
//! Cost: n_h²/c a round and class; swaps n_h² a round, and c·n_h for each that is made.
//!
//! Lower bound of a round: c·n_h comparisons to assign and n_h²/c additions to update, where
//! clusters are equally large. To swap, a comparison for each of n_h² pairs; similarities are
//! copied 16 columns at a time, so that they are read from the cache beside the standings of the
//! members.
//!
//! FasterPAM does less: it stores the loss of the sum without each medoid, so that most pairs
//! cost it one comparison; here that loss is summed again for every candidate, seven operations a
//! pair. After an exchange FasterPAM compares with all medoids only the samples that lost one of
//! their two; here all n_h are compared with all c. It ends n_h candidates after the last
//! exchange, here after a whole round without any; and `swap` begins where alternating ended,
//! FasterPAM at random.

use super::common::{Training, whole};
use super::predictions::Costs;
use super::{FitResult, centroid};
use crate::data::{Classes, SimilarityMatrix};
use crate::random::Random;
use crate::{Error, ParameterError, Result, Run, choice, parameters};

choice! {
    /// How medoids are searched for.
    pub enum Search {
        /// Assign samples and update medoids in turn, as in the chapter.
        Alternating = "alternating",
        /// The same, then exchange medoids for other samples while that is better.
        Swap = "swap",
    }
}

parameters! {
    /// How many prototypes a class has, and how they are found.
    pub struct Medoids {
        /// Number for each class; the best of c_candidates by 5-fold cross-validation when not
        /// given. A class of fewer samples is stood for by all of them.
        c ("n_prototypes"): Option<usize> = None, min 1;
        /// A number for each class, in the order of the classes, in place of c.
        c_per_class: Option<Vec<f64>> = None;
        /// Numbers to choose from: 2, 3, 4, 5, 7 and 10 when not given. The smallest of the
        /// best is taken.
        c_candidates: Option<Vec<f64>> = None;
        /// How the samples are searched for.
        search: Search = Search::Alternating;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

/// The stream that deals rows to folds; streams from 0 on draw the medoids of the classes.
const FOLDS: u64 = u64::MAX;

impl Medoids {
    /// That many medoids of every class.
    pub(crate) fn of(&self, training: Training, counts: &[usize]) -> Vec<Vec<usize>> {
        let classes = training.by_class().into_iter().enumerate();
        let found = classes.map(|(class, members)| {
            let c = counts[class];
            let mut random = Random::new(self.seed, class as u64);
            let start = random.sample(members.len(), c.min(members.len()));
            let start = start.into_iter().map(|i| members[i]).collect();
            let found = alternate(training.s, &members, start);
            match self.search {
                Search::Alternating => found,
                Search::Swap => swap(training.s, &members, found),
            }
        });
        found.collect()
    }

    /// The numbers that were given for the classes, if they were.
    fn given(&self, classes: &Classes) -> Result<Option<Vec<usize>>> {
        let Some(given) = &self.c_per_class else {
            return Ok(self.c.map(|c| vec![c; classes.len()]));
        };
        if given.len() != classes.len() {
            let (given, classes) = (given.len(), classes.names().to_vec());
            return Err(Error::parameter(
                "c_per_class",
                ParameterError::NotOneEachClass { given, classes },
            ));
        }
        whole("c_per_class", given).map(Some)
    }

    /// The numbers in use: the given ones, or the one number for all classes of least cost in
    /// 5-fold cross-validation.
    ///
    /// Rows are dealt to folds class by class. A fold whose training part lacks a class is left
    /// out: no rule fitted there could answer with that class.
    pub(crate) fn choose(
        &self,
        all: Training,
        costs: Option<&Costs>,
        run: &Run,
        fit: impl Fn(Training, &[usize]) -> FitResult,
    ) -> Result<Vec<usize>> {
        if let Some(counts) = self.given(all.classes)? {
            return Ok(counts);
        }
        let candidates: Vec<f64> =
            self.c_candidates.clone().unwrap_or_else(|| vec![2.0, 3.0, 4.0, 5.0, 7.0, 10.0]);
        let mut candidates = whole("c_candidates", &candidates)?;
        candidates.sort_unstable();
        candidates.dedup();
        let folds = folds(all.classes, self.seed);
        let mut totals = vec![0.0; candidates.len()];
        let mut done = 0;
        for fold in 0..5 {
            let (rest, held): (Vec<usize>, Vec<usize>) =
                (0..all.n()).partition(|&row| folds[row] != fold);
            let codes = rest.iter().map(|&row| all.classes.codes()[row]).collect();
            let part = Classes::new(codes, all.classes.names().to_vec())?;
            if held.is_empty() || part.len() < all.classes.len() {
                continue;
            }
            let (s, queries) = (all.s.select(&rest, &rest), all.s.select(&held, &rest));
            for (total, &c) in totals.iter_mut().zip(&candidates) {
                run.check(done, 5 * candidates.len() as u64)?;
                done += 1;
                let counts = vec![c; part.len()];
                let training = Training { s: &s, classes: &part };
                let said = fit(training, &counts)?.predict_with(&queries, run)?;
                for (&row, &class) in held.iter().zip(&said.class) {
                    let truth = all.class(row);
                    *total += super::predictions::cost(costs, class as usize, truth);
                }
            }
        }
        let best = (1..totals.len()).fold(0, |b, i| if totals[i] < totals[b] { i } else { b });
        Ok(vec![candidates[best]; all.classes.len()])
    }
}

/// A fold of 0..5 for every row, each class spread evenly.
pub(crate) fn folds(classes: &Classes, seed: u64) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..classes.codes().len()).collect();
    Random::new(seed, FOLDS).shuffle(&mut rows);
    let mut folds = vec![0; rows.len()];
    let mut dealt = 0;
    for class in 0..classes.len() as u32 {
        for &row in rows.iter().filter(|&&row| classes.codes()[row] == class) {
            folds[row] = dealt % 5;
            dealt += 1;
        }
    }
    folds
}

fn assign(s: &SimilarityMatrix, z: usize, medoids: &[usize]) -> usize {
    let at = |l: usize| s.at(z, medoids[l]);
    (1..medoids.len()).fold(0, |l, m| if at(m) > at(l) { m } else { l })
}

/// Assign and update in turn.
fn alternate(s: &SimilarityMatrix, members: &[usize], mut medoids: Vec<usize>) -> Vec<usize> {
    for _ in 0..100 {
        let mut clusters = vec![Vec::new(); medoids.len()];
        members.iter().for_each(|&z| clusters[assign(s, z, &medoids)].push(z));
        // A cluster without samples keeps its medoid. Ties have put this medoid into another
        // cluster; that cluster must not choose the same sample.
        let mut kept: Vec<usize> = Vec::new();
        while let Some((&medoid, _)) = medoids.iter().zip(&clusters).find(|(medoid, cluster)| {
            !kept.contains(medoid) && cluster.iter().all(|z| kept.contains(z))
        }) {
            kept.push(medoid);
        }
        let mut changed = false;
        for (medoid, cluster) in medoids.iter_mut().zip(&clusters) {
            let free: Vec<usize> = cluster.iter().copied().filter(|z| !kept.contains(z)).collect();
            let Some(best) = centroid::max_sum_among(s, cluster, &free) else { continue };
            changed |= best != *medoid;
            *medoid = best;
        }
        if !changed {
            break;
        }
    }
    medoids
}

/// The similarity of a member to its own medoid and to the next best one.
struct Standing {
    /// Which of them is the most similar.
    medoid: usize,
    /// How similar it is.
    most: f64,
    /// How similar the next is, minus infinity when there is none.
    next: f64,
}

impl Standing {
    fn new(s: &SimilarityMatrix, z: usize, medoids: &[usize]) -> Self {
        let medoid = assign(s, z, medoids);
        let others = (0..medoids.len()).filter(|l| *l != medoid).map(|l| s.at(z, medoids[l]));
        Self {
            medoid,
            most: s.at(z, medoids[medoid]),
            next: others.fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

/// Candidates whose similarities are taken out of the matrix together, along its rows.
const CANDIDATES: usize = 16;

/// Exchange medoids for other members as long as that makes the sum of similarities larger.
fn swap(s: &SimilarityMatrix, members: &[usize], mut medoids: Vec<usize>) -> Vec<usize> {
    let stand = |medoids: &[usize]| -> Vec<Standing> {
        members.iter().map(|&z| Standing::new(s, z, medoids)).collect()
    };
    let mut standings = stand(&medoids);
    for _ in 0..100 {
        let mut changed = false;
        for candidates in members.chunks(CANDIDATES) {
            let mut columns: Vec<Vec<f64>> =
                candidates.iter().map(|_| Vec::with_capacity(members.len())).collect();
            for &z in members {
                let cells = columns.iter_mut().zip(candidates);
                cells.for_each(|(column, &candidate)| column.push(s.at(z, candidate)));
            }
            for (&candidate, column) in candidates.iter().zip(&columns) {
                if medoids.contains(&candidate) {
                    continue;
                }
                let (l, gain) = best_exchange(&standings, column, medoids.len());
                // A gain must be more than the rounding of a sum.
                if gain > 1e-12 * standings.iter().map(|of| of.most.abs()).sum::<f64>() {
                    medoids[l] = candidate;
                    standings = stand(&medoids);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    medoids
}

/// The medoid that a candidate is best exchanged for, and how much the sum of similarities
/// grows by that; `column` is how similar the candidate is to each member.
///
/// ```text
/// Δ_l = Σ_z max(s(z, c) − s₁(z), 0) + Σ_{z of l} min(max(s(z, c), s₂(z)), s₁(z)) − s₁(z)
/// ```
///
/// with s₁ and s₂ the similarities of z to its own and to the next medoid: one pass over the
/// members serves all medoids (E. Schubert and P. Rousseeuw, *Fast and eager k-medoids
/// clustering*, 2021).
fn best_exchange(standings: &[Standing], column: &[f64], medoids: usize) -> (usize, f64) {
    let mut gain = 0.0;
    let mut without = vec![0.0; medoids];
    for (Standing { medoid, most, next }, s) in standings.iter().zip(column) {
        gain += (s - most).max(0.0);
        without[*medoid] += s.max(*next).min(*most) - most;
    }
    let best = (1..medoids).fold(0, |b, l| if without[l] > without[b] { l } else { b });
    (best, gain + without[best])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points on a line, similarity minus distance.
    fn line(points: &[f64]) -> SimilarityMatrix<'static> {
        let cells = points.iter().flat_map(|a| points.iter().map(move |b| -(a - b).abs()));
        SimilarityMatrix::new(points.len(), points.len(), cells.collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn two_clumps_have_two_medoids_from_any_start() {
        let s = line(&[0.0, 1.0, 2.0, 10.0, 11.0, 12.0, 13.0, 14.0]);
        let all: Vec<usize> = (0..8).collect();
        for (a, b) in [(0, 3), (0, 7), (2, 5)] {
            assert_eq!(alternate(&s, &all, vec![a, b]), [1, 5]);
        }
        // From two in one clump swaps still find the other.
        let mut found = swap(&s, &all, vec![6, 7]);
        found.sort_unstable();
        assert_eq!(found, [1, 5]);
    }

    #[test]
    fn equal_samples_are_no_medoid_twice() {
        let s = line(&[3.0, 4.0, 3.0, 8.0, 3.0]);
        for c in [2, 3, 4] {
            for seed in 0..40 {
                let start = Random::new(seed, 0).sample(5, c);
                let mut found = alternate(&s, &[0, 1, 2, 3, 4], start.clone());
                found.sort_unstable();
                found.dedup();
                assert_eq!(found.len(), c, "from {start:?}");
            }
        }
    }

    /// Against the method of PyPI's kmedoids from the same starts, recorded by
    /// `tests/fixtures/make_classify.py`.
    #[test]
    fn alternating_finds_the_medoids_that_another_program_finds() {
        let text = include_str!("../../tests/fixtures/classify.json");
        let all: serde_json::Value = serde_json::from_str(text).unwrap();
        for case in all["medoids"].as_array().unwrap() {
            let numbers = |name: &str| -> Vec<f64> {
                case[name].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
            };
            let rows = |name: &str| numbers(name).iter().map(|x| *x as usize).collect::<Vec<_>>();
            let points = numbers("points");
            let n = points.len() / 3;
            let distance = |i: usize, j: usize| -> f64 {
                (0..3).map(|c| (points[3 * i + c] - points[3 * j + c]).powi(2)).sum::<f64>().sqrt()
            };
            let cells = (0..n * n).map(|cell| -distance(cell / n, cell % n)).collect::<Vec<_>>();
            let s = SimilarityMatrix::new(n, n, cells).unwrap();
            let all: Vec<usize> = (0..n).collect();
            let mut found = alternate(&s, &all, rows("start"));
            found.sort_unstable();
            assert_eq!(found, rows("medoids"));
            let loss: f64 = all.iter().map(|&z| -s.at(z, found[assign(&s, z, &found)])).sum();
            assert!((loss - case["loss"].as_f64().unwrap()).abs() < 1e-9);
        }
    }

    #[test]
    fn swapping_never_loses_and_leaves_no_exchange_that_gains() {
        let mut random = Random::new(2, 0);
        for n in [5, 40] {
            // Not symmetric, of either sign.
            let cells: Vec<f64> = (0..n * n).map(|_| random.normal()).collect();
            let s = SimilarityMatrix::new(n, n, cells).unwrap();
            let all: Vec<usize> = (0..n).collect();
            let sum =
                |m: &[usize]| -> f64 { all.iter().map(|&z| s.at(z, m[assign(&s, z, m)])).sum() };
            for c in [1, 2, 4] {
                let plain = alternate(&s, &all, random.sample(n, c));
                let better = swap(&s, &all, plain.clone());
                assert!(sum(&better) >= sum(&plain));
                for l in 0..c {
                    for candidate in 0..n {
                        let mut other = better.clone();
                        other[l] = candidate;
                        assert!(sum(&other) <= sum(&better) + 1e-9, "{candidate} for {l} gains");
                    }
                }
            }
        }
    }

    #[test]
    fn folds_spread_every_class() {
        let classes = Classes::from_labels((0..20).map(|i| if i < 10 { "a" } else { "b" }));
        let folds = folds(&classes, 1);
        for fold in 0..5 {
            for class in [0..10, 10..20] {
                assert_eq!(class.filter(|&row| folds[row] == fold).count(), 2);
            }
        }
    }
}
