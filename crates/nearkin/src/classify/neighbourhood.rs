//! The neighbourhood of a query: which training samples belong to it, and how large it should be.
//!
//! A [`Hood`] grows one neighbour at a time and keeps, for every neighbour, the sums of the
//! similarities of each class's neighbours to it, so that centroids and class means are at
//! hand at every size. Leave-one-out over all sizes up to k therefore sorts each row once and
//! costs O(n·k²) in all, not O(n·k²) a size.
//!
//! Lower bound of a query: n comparisons to find its k neighbours and k·log₂ k to order them;
//! here all are ordered, n·log₂ n. Then k² additions, each of a cell of s, half of them down
//! columns, so that nearly every one reads another line of the cache. The sums take 8·k·G bytes
//! for G classes.

use super::Insight;
use super::common::{Tilt, Training, rising, whole};
use super::predictions::{Answer, Costs, cost, each_row};
use crate::data::{Classes, Parts, SimilarityMatrix, wrong_part};
use crate::{Error, Note, ParameterError, Result, Run, choice, parameters};

choice! {
    /// Which training samples are near a query.
    #[non_exhaustive]
    pub enum Nearby {
        /// The k most similar ones.
        Nearest = "nearest",
        /// The k most similar ones of every class.
        PerClass = "per-class",
        /// All that are alike within a factor of 1 + alpha of the most similar one.
        Radius = "radius",
    }
}

parameters! {
    /// How many neighbours count.
    pub struct Size {
        /// Number of neighbours, all rows where there are fewer; the best of k_candidates by
        /// leave-one-out when not given.
        k ("n_neighbors"): Option<usize> = None, min 1;
        /// Numbers of neighbours to choose from: 1 to 20, 30, 40 … 100, 150 and 200 when not
        /// given. Those beyond the training rows are left out; the smallest of the best is taken.
        k_candidates: Option<Vec<f64>> = None;
    }
}

parameters! {
    /// Which samples are neighbours.
    pub struct Near {
        /// Which training samples are near a query.
        neighbourhood: Nearby = Nearby::Nearest;
        /// Radius: s ≥ s_max / (1 + alpha), or d ≤ (1 + alpha) · d_min where all are negative;
        /// the best of alpha_candidates by leave-one-out when not given.
        alpha: Option<f64> = None, in 0.0..=1e9;
        /// Values of alpha to choose from: 0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3 and 5
        /// when not given. The smallest of the best is taken.
        alpha_candidates: Option<Vec<f64>> = None;
    }
}

impl Size {
    /// The numbers of neighbours to choose from, in ascending order, none above `most`.
    pub(crate) fn candidates(&self, most: usize) -> Result<Vec<usize>> {
        let mut sizes = match &self.k_candidates {
            None => (1..=20).chain((30..=100).step_by(10)).chain([150, 200]).collect(),
            Some(given) => whole("k_candidates", given)?,
        };
        sizes.sort_unstable();
        sizes.dedup();
        sizes.retain(|k| *k <= most);
        if sizes.is_empty() {
            return Err(Error::parameter("k_candidates", ParameterError::NoneBelowRows { most }));
        }
        Ok(sizes)
    }

    /// The given number of neighbours, if there is one; `n`, the number of training rows, when it
    /// is more.
    pub(crate) fn given(&self, n: usize) -> Option<usize> {
        self.k.map(|k| k.min(n))
    }

    /// A note where k is more than the number of training rows.
    pub(crate) fn notes(&self, classes: &Classes) -> Vec<Note> {
        let rows = classes.codes().len();
        self.k.filter(|&k| k > rows).map(|k| Note::KAboveRows { k, rows }).into_iter().collect()
    }

    /// The size in use: the given one, or the one `costs_of` finds cheapest.
    ///
    /// `costs_of` gives, for one training row, the cost of its answer at each candidate.
    pub(crate) fn choose(
        &self,
        training: Training,
        run: &Run,
        costs_of: impl Fn(usize, &[usize]) -> Vec<f64> + Sync,
    ) -> Result<usize> {
        let n = training.n();
        if let Some(k) = self.given(n) {
            return Ok(k);
        }
        let sizes = self.candidates(n - 1)?;
        Ok(sizes[cheapest(n, sizes.len(), run, |row| costs_of(row, &sizes))?])
    }
}

/// Which of `count` candidates costs least over all rows, the first on ties.
fn cheapest(
    rows: usize,
    count: usize,
    run: &Run,
    costs_of: impl Fn(usize) -> Vec<f64> + Sync,
) -> Result<usize> {
    let mut totals = vec![0.0; count];
    for row in each_row(rows, run, |row| Ok(costs_of(row)))? {
        totals.iter_mut().zip(row).for_each(|(total, cost)| *total += cost);
    }
    Ok((1..count).fold(0, |best, i| if totals[i] < totals[best] { i } else { best }))
}

/// How far a neighbourhood reaches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Extent {
    /// This many neighbours, of all classes together or of each class.
    Count(usize),
    /// All within a factor of 1 + α of the nearest.
    Alpha(f64),
}

impl Extent {
    pub fn count(self) -> Option<usize> {
        match self {
            Self::Count(count) => Some(count),
            Self::Alpha(_) => None,
        }
    }
}

/// The common part of fitted local rules: the training samples, and how far neighbourhoods reach
/// among them.
#[derive(Debug)]
pub(crate) struct Local {
    s: SimilarityMatrix<'static>,
    pub classes: Classes,
    pub extent: Extent,
    pub near: Near,
    size: Size,
}

impl Local {
    pub fn new(training: Training, extent: Extent, (near, size): (&Near, &Size)) -> Self {
        let (s, classes) = (training.s.to_owned(), training.classes.clone());
        Self { s, classes, extent, near: near.clone(), size: size.clone() }
    }

    /// Show the neighbourhood of `query` among the samples of `training`.
    pub fn show(&self, training: Training, query: &[f64], show: impl FnMut(&Hood)) {
        self.near.grow(training, query, None, &[self.extent], show);
    }

    /// The rule's samples.
    pub fn training(&self) -> Training<'_> {
        Training { s: &self.s, classes: &self.classes }
    }

    pub fn insight(&self) -> Insight {
        let (k, alpha) = match self.extent {
            Extent::Count(k) => (Some(k), None),
            Extent::Alpha(alpha) => (None, Some(alpha)),
        };
        Insight { k, alpha, ..Insight::default() }
    }

    pub fn notes(&self) -> Vec<Note> {
        self.size.notes(&self.classes)
    }

    pub fn parts(&self) -> Parts {
        let parts = Parts::new().with("s", self.s.parts()).with("classes", self.classes.parts());
        match self.extent {
            Extent::Count(k) => parts.with_codes("k", vec![k as u32]),
            Extent::Alpha(alpha) => parts.with_numbers("alpha", vec![alpha]),
        }
    }

    /// Restore the samples and the extent from [`Local::parts`].
    pub fn restore(
        parts: &Parts,
        method: &'static str,
        (near, size): (&Near, &Size),
    ) -> Result<Self> {
        let classes = Classes::restore(&parts.within("classes"))?;
        let s = match parts.within("s") {
            // Where samples are elsewhere, each query comes with its neighbours.
            none if none == Parts::new() => SimilarityMatrix::new(1, 1, vec![0.0])?,
            some => {
                let s = SimilarityMatrix::restore(&some)?;
                Training::new(&s, &classes, method)?;
                s
            }
        };
        let extent = match parts.all_numbers().contains_key("alpha") {
            true => Extent::Alpha(parts.number("alpha")?),
            false => match parts.code("k")? {
                0 => return Err(wrong_part("k", "is no number of neighbours")),
                k => Extent::Count(k),
            },
        };
        Ok(Self { s, classes, extent, near: near.clone(), size: size.clone() })
    }
}

/// The training samples from the most similar to the least, `own` left out; equal ones by index.
pub(crate) fn by_similarity(s: &[f64], own: Option<usize>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..s.len()).filter(|&z| Some(z) != own).collect();
    order.sort_by(|&a, &b| s[b].total_cmp(&s[a]));
    order
}

/// Some training samples, with the sums that local rules need.
pub(crate) struct Hood<'t> {
    s: &'t SimilarityMatrix<'t>,
    classes: &'t Classes,
    rows: Vec<usize>,
    /// Neighbours of each class.
    pub counts: Vec<usize>,
    /// For neighbour j and class g: the sum of s(z, j) over the neighbours z of class g.
    sums: Vec<f64>,
}

/// A class present in a neighbourhood.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Present {
    pub class: usize,
    /// The position of its centroid in the neighbourhood.
    position: usize,
    /// The training sample that is its centroid.
    pub centroid: usize,
}

impl<'t> Hood<'t> {
    pub fn empty(training: Training<'t>) -> Self {
        Self {
            s: training.s,
            classes: training.classes,
            rows: Vec::new(),
            counts: vec![0; training.classes.len()],
            sums: Vec::new(),
        }
    }

    fn class(&self, row: usize) -> usize {
        self.classes.codes()[row] as usize
    }

    /// Take in one more neighbour.
    pub fn add(&mut self, row: usize) {
        let (width, class) = (self.counts.len(), self.class(row));
        for (j, &other) in self.rows.iter().enumerate() {
            self.sums[j * width + class] += self.s.at(row, other);
        }
        self.rows.push(row);
        self.counts[class] += 1;
        let from = self.sums.len();
        self.sums.resize(from + width, 0.0);
        for i in 0..self.rows.len() {
            let z = self.rows[i];
            let class = self.class(z);
            self.sums[from + class] += self.s.at(z, row);
        }
    }

    /// Number of neighbours.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The classes present, each with its centroid by (5); equal sums go to the nearer sample.
    pub fn present(&self) -> Vec<Present> {
        let width = self.counts.len();
        let mut best: Vec<Option<Present>> = vec![None; width];
        for (position, &row) in self.rows.iter().enumerate() {
            let class = self.class(row);
            let sum = |position: usize| self.sums[position * width + class];
            if best[class].is_none_or(|b| sum(position) > sum(b.position)) {
                best[class] = Some(Present { class, position, centroid: row });
            }
        }
        best.into_iter().flatten().collect()
    }

    /// The mean similarity of the neighbours of `class` to the centroid of `of`.
    pub fn mean(&self, class: usize, of: Present) -> f64 {
        self.sums[of.position * self.counts.len() + class] / self.counts[class] as f64
    }

    /// The mean similarity of all neighbours to the centroid of `of`.
    pub fn pooled(&self, of: Present) -> f64 {
        let width = self.counts.len();
        let sums = &self.sums[of.position * width..(of.position + 1) * width];
        sums.iter().sum::<f64>() / self.len() as f64
    }

    /// Each class's share of the neighbours.
    pub fn shares(&self) -> Vec<f64> {
        self.counts.iter().map(|&count| count as f64 / self.len() as f64).collect()
    }
}

impl Near {
    /// Grow a neighbourhood of `query` to each of `extents`, which increase, and show it there.
    pub(crate) fn grow(
        &self,
        training: Training,
        query: &[f64],
        own: Option<usize>,
        extents: &[Extent],
        mut show: impl FnMut(&Hood),
    ) {
        let order = by_similarity(query, own);
        let mut by_class = vec![Vec::new(); training.classes.len()];
        if self.neighbourhood == Nearby::PerClass {
            order.iter().for_each(|&z| by_class[training.class(z)].push(z));
        }
        let most = order.first().map_or(0.0, |&z| query[z]);
        let mut hood = Hood::empty(training);
        let mut reached = 0;
        for &extent in extents {
            match extent {
                Extent::Count(count) if self.neighbourhood == Nearby::PerClass => {
                    for rank in reached..count {
                        by_class.iter().filter_map(|c| c.get(rank)).for_each(|&z| hood.add(z));
                    }
                    reached = count;
                }
                Extent::Count(count) => {
                    order.iter().take(count).skip(hood.len()).for_each(|&z| hood.add(z));
                }
                Extent::Alpha(alpha) => {
                    let factor = 1.0 + alpha;
                    let least = if most < 0.0 { most * factor } else { most / factor };
                    let taken = order.iter().skip(hood.len()).take_while(|&&z| query[z] >= least);
                    taken.for_each(|&z| hood.add(z));
                }
            }
            show(&hood);
        }
    }

    /// The values of α to choose from, in order.
    fn alphas(&self) -> Result<Vec<f64>> {
        if let Some(alpha) = self.alpha {
            return Ok(vec![alpha]);
        }
        let usual = [0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0];
        rising("alpha_candidates", self.alpha_candidates.as_deref().unwrap_or(&usual), 0.0)
    }

    /// How far a local rule should reach: as given, or what leave-one-out finds best.
    pub(crate) fn choose(
        &self,
        size: &Size,
        training: Training,
        (costs, tilt): (Option<&Costs>, &Tilt),
        run: &Run,
        rule: impl Fn(&Hood, &[f64]) -> Answer + Sync,
    ) -> Result<Extent> {
        let costs_of = |row: usize, extents: &[Extent]| {
            let (query, mut found) = (training.s.row(row), Vec::with_capacity(extents.len()));
            self.grow(training, &query, Some(row), extents, |hood| {
                let truth = training.class(row);
                found.push(tilt.weight(truth) * cost(costs, rule(hood, &query).class, truth));
            });
            found
        };
        if self.neighbourhood == Nearby::Radius {
            let extents: Vec<Extent> = self.alphas()?.into_iter().map(Extent::Alpha).collect();
            return Ok(match extents[..] {
                [only] => only,
                _ => {
                    extents
                        [cheapest(training.n(), extents.len(), run, |row| costs_of(row, &extents))?]
                }
            });
        }
        let chosen = size.choose(training, run, |row, sizes| {
            let extents: Vec<Extent> = sizes.iter().copied().map(Extent::Count).collect();
            costs_of(row, &extents)
        })?;
        Ok(Extent::Count(chosen))
    }
}

/// Local nearest centroid: the present class whose local centroid is most similar to the query,
/// ties to the class with more neighbours, or to the larger of the local priors.
pub(crate) fn local_centroid(hood: &Hood, query: &[f64], tilt: &Tilt) -> Answer {
    let mut scores = vec![f64::NEG_INFINITY; hood.counts.len()];
    for present in hood.present() {
        scores[present.class] = query[present.centroid];
    }
    Answer::of_scores(scores, &tilt.shares(hood.shares()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::centroid::max_sum;
    use crate::random::Random;

    /// The sums kept while growing against those made from scratch at every size.
    #[test]
    fn a_grown_neighbourhood_is_the_one_made_at_once() {
        let n = 24;
        let mut random = Random::new(5, 0);
        let values: Vec<f64> = (0..n * n).map(|_| random.normal()).collect();
        let s = SimilarityMatrix::new(n, n, values).unwrap();
        let classes = Classes::from_labels((0..n).map(|i| ["a", "b", "c"][i % 3]));
        let training = Training::new(&s, &classes, "local-sda").unwrap();
        let order = by_similarity(&s.row(0), Some(0));
        let sizes: Vec<Extent> = (1..n).map(Extent::Count).collect();
        let mut size = 0;
        Near::default().grow(training, &s.row(0), Some(0), &sizes, |hood| {
            size += 1;
            assert_eq!(hood.len(), size);
            for present in hood.present() {
                let of = |class| -> Vec<usize> {
                    let near = order[..size].iter().copied();
                    near.filter(|&z| training.class(z) == class).collect()
                };
                assert_eq!(present.centroid, max_sum(&s, &of(present.class)));
                for class in (0..3).filter(|&c| hood.counts[c] > 0) {
                    let members = of(class);
                    let sum: f64 = members.iter().map(|&z| s.at(z, present.centroid)).sum();
                    assert!((hood.mean(class, present) - sum / members.len() as f64).abs() < 1e-12);
                }
            }
        });
        assert_eq!(size, n - 1);
    }

    #[test]
    fn neighbourhoods_are_what_they_say() {
        let s = SimilarityMatrix::new(5, 5, vec![1.0; 25]).unwrap();
        let classes = Classes::from_labels(["a", "a", "a", "b", "b"]);
        let training = Training::new(&s, &classes, "local-sda").unwrap();
        let counts = |neighbourhood, alpha, query: [f64; 5]| {
            let mut found = Vec::new();
            let near = Near { neighbourhood, ..Near::default() };
            let extent = match neighbourhood {
                Nearby::Radius => Extent::Alpha(alpha),
                _ => Extent::Count(2),
            };
            near.grow(training, &query, None, &[extent], |hood| found = hood.counts.clone());
            found
        };
        let query = [4.0, 3.0, 2.9, 1.0, 0.5];
        assert_eq!(counts(Nearby::Nearest, 0.0, query), [2, 0]);
        assert_eq!(counts(Nearby::PerClass, 0.0, query), [2, 2]);
        assert_eq!(counts(Nearby::Radius, 1.0 / 3.0, query), [2, 0]);
        assert_eq!(counts(Nearby::Radius, 3.0, query), [3, 1]);
        // Dissimilarities: all within twice the least.
        assert_eq!(counts(Nearby::Radius, 1.0, [-4.0, -1.5, -9.0, -2.0, -1.0]), [1, 2]);
    }

    #[test]
    fn sizes_must_be_whole_and_within_the_rows() {
        let sizes = |given: &[f64]| {
            Size { k_candidates: Some(given.to_vec()), ..Size::default() }.candidates(7)
        };
        assert_eq!(sizes(&[9.0, 3.0, 1.0, 3.0]).unwrap(), [1, 3]);
        assert!(sizes(&[1.5]).is_err() && sizes(&[0.0]).is_err() && sizes(&[8.0]).is_err());
    }
}
