//! The nearest-neighbour rules under a similarity: kNN and SkNN.
//!
//! * **kNN**: the class most of the k most similar rows have; a tie goes to the tied class
//!   whose row is nearest.
//! * **SkNN** (symmetric): the class whose own k most similar rows are most similar on
//!   average; a tie goes to the class whose row is nearest.
//!
//! ```text
//! kNN:   argmax_c |{y ∈ kNN(A, x) : class of y is c}|
//! SkNN:  argmax_c 1/k_c Σ_{y ∈ kNN(A, x, c)} s_A(x, y)       k_c = min(k, rows of c)
//! ```
//!
//! The mean ranks classes as the published sum does, and does not punish a class that has
//! fewer than k rows.
//!
//! Reference: A. M. Qamar, E. Gaussier, J.-P. Chevallet and J. H. Lim, *Similarity learning for
//! nearest neighbor classification*, ICDM 2008, section 3.

use rayon::prelude::*;

use crate::data::{Classes, SimilarityMatrix};
use crate::measure::{Prepared, Similarity};
use crate::neighbors::similar::{SimilarRow, most_similar_of_groups, no_neighbours};
use crate::{NeighborsError, Result, Run, choice};

choice! {
    /// How the most similar rows decide on a class.
    pub enum Rule {
        /// The majority among the k most similar rows.
        Knn = "knn",
        /// The class whose k most similar rows are most similar on average.
        Sknn = "sknn",
    }
}

/// The answer of a rule for one query.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The class answered.
    pub class: u32,
    /// A number in 0..=1 for each class, adding up to 1: its share of the votes (kNN), or its
    /// share of the mean similarities above the lowest of them and 0 (SkNN). Not calibrated.
    pub probabilities: Vec<f64>,
    /// Votes (kNN) or mean similarity (SkNN) of each class.
    pub scores: Vec<f64>,
}

impl Rule {
    /// Decide on every query from labelled base rows.
    ///
    /// With `among_themselves` the queries are the base rows, and none is its own neighbour.
    ///
    /// # Errors
    ///
    /// When k is 0, rows, classes and similarity do not belong together, no row can be a
    /// neighbour, or a similarity is too large for a number.
    #[allow(clippy::too_many_arguments)] // all of them differ from call to call
    pub fn decide(
        self,
        similarity: &Similarity,
        k: usize,
        base: &Prepared,
        classes: &Classes,
        queries: &Prepared,
        among_themselves: bool,
        run: &Run,
    ) -> Result<Vec<Decision>> {
        similarity.check(queries)?;
        similarity.check(base)?;
        if k == 0 {
            return Err(no_neighbours());
        }
        if base.rows() != classes.codes().len() {
            let (rows, classes) = (base.rows(), classes.codes().len());
            return Err(NeighborsError::ClassesDisagree { rows, classes }.into());
        }
        if base.rows() <= usize::from(among_themselves) {
            return Err(NeighborsError::NoLabelledRow.into());
        }
        if among_themselves && base.rows() != queries.rows() {
            let (queries, rows) = (queries.rows(), base.rows());
            return Err(NeighborsError::QueriesDisagree { queries, rows }.into());
        }
        let codes = classes.codes();
        let rows = (queries, base);
        match self {
            Rule::Knn => {
                let one_group = vec![0; base.rows()];
                let groups = (&one_group[..], 1);
                let near =
                    most_similar_of_groups(similarity, rows, groups, k, among_themselves, run)?;
                Ok(near.iter().map(|near| majority(&near[0], codes, classes.len())).collect())
            }
            Rule::Sknn => {
                let groups = (codes, classes.len());
                let near =
                    most_similar_of_groups(similarity, rows, groups, k, among_themselves, run)?;
                Ok(near.iter().map(|near| means(near)).collect())
            }
        }
    }

    /// Decide on every query from its similarities to labelled rows: larger first, then the
    /// lower row.
    ///
    /// # Errors
    ///
    /// When k is 0, or the classes are not those of the references.
    pub fn decide_given(
        self,
        s: &SimilarityMatrix,
        k: usize,
        classes: &Classes,
        run: &Run,
    ) -> Result<Vec<Decision>> {
        if k == 0 {
            return Err(no_neighbours());
        }
        if s.columns() != classes.codes().len() {
            let (references, labels) = (s.columns(), classes.codes().len());
            return Err(NeighborsError::LabelsDisagree { references, labels }.into());
        }
        let of = |query: usize| {
            let mut near: Vec<Vec<SimilarRow>> = vec![Vec::new(); classes.len()];
            for (row, (&similarity, &code)) in s.row(query).iter().zip(classes.codes()).enumerate()
            {
                near[code as usize].push(SimilarRow { row: row as u32, similarity });
            }
            for class in &mut near {
                class.sort_by(|a, b| b.similarity.total_cmp(&a.similarity));
                class.truncate(k);
            }
            self.conclude(&near, k, classes.codes())
        };
        run.check(0, 1)?;
        run.install(|| (0..s.rows()).into_par_iter().map(of).collect())
    }

    /// Decide from the k best rows of each class, best first, rows of `codes`' classes.
    pub(crate) fn conclude(self, near: &[Vec<SimilarRow>], k: usize, codes: &[u32]) -> Decision {
        match self {
            Rule::Knn => {
                let mut all = near.concat();
                let nearer = |a: &SimilarRow, b: &SimilarRow| b.similarity.total_cmp(&a.similarity);
                all.sort_unstable_by(|a, b| nearer(a, b).then(a.row.cmp(&b.row)));
                all.truncate(k);
                majority(&all, codes, near.len())
            }
            Rule::Sknn => means(near),
        }
    }
}

fn majority(near: &[SimilarRow], codes: &[u32], classes: usize) -> Decision {
    let mut scores = vec![0.0; classes];
    near.iter().for_each(|n| scores[codes[n.row as usize] as usize] += 1.0);
    let most = scores.iter().fold(0.0, |m: f64, &s| m.max(s));
    let first = near.iter().map(|n| codes[n.row as usize]).find(|&c| scores[c as usize] == most);
    let votes = near.len() as f64;
    let probabilities = scores.iter().map(|s| s / votes).collect();
    Decision { class: first.unwrap_or(0), probabilities, scores }
}

fn means(near: &[Vec<SimilarRow>]) -> Decision {
    // A class without a row (the query's own, when it is the only one) is never answered.
    let mean = |rows: &Vec<SimilarRow>| match rows.len() {
        0 => f64::NEG_INFINITY,
        count => rows.iter().map(|n| n.similarity).sum::<f64>() / count as f64,
    };
    let scores: Vec<f64> = near.iter().map(mean).collect();
    let nearest = |c: usize| near[c].first().map_or(f64::NEG_INFINITY, |n| n.similarity);
    let mut class = 0;
    for c in 1..scores.len() {
        if scores[c] > scores[class] || (scores[c] == scores[class] && nearest(c) > nearest(class))
        {
            class = c;
        }
    }
    let known = || scores.iter().copied().filter(|s| s.is_finite());
    let least = known().fold(0.0f64, f64::min);
    let share = |s: &f64| if s.is_finite() { s - least } else { 0.0 };
    let total: f64 = scores.iter().map(share).sum();
    let even = 1.0 / known().count() as f64;
    let probabilities = scores.iter().map(|s| match total > 0.0 {
        true => share(s) / total,
        false if s.is_finite() => even,
        false => 0.0,
    });
    Decision { class: class as u32, probabilities: probabilities.collect(), scores }
}
