//! [`baselines`]: what a learned similarity has to be better than.

use crate::data::Classes;
use crate::measure::{Norm, Similarity, Vectors};
use crate::neighbors::{Ranked, most_similar};
use crate::{Result, Run};

/// How a rule without learning does.
#[derive(Debug, Clone, PartialEq)]
pub struct Baseline {
    /// `knn-cosine`, `knn-euclidean`, `majority` or `all-rest`.
    pub name: &'static str,
    /// The share of right classes; none for `all-rest`, which names no class.
    pub accuracy: Option<f64>,
    /// The mean over classes of right yes-or-no answers.
    pub one_vs_rest: f64,
}

/// The rows every table of results carries: kNN under the cosine and the squared Euclidean
/// distance, the commonest class, and `rest` for every class.
///
/// `truth` holds the queries' codes into `classes`. The cosine is left out where a row is all
/// zeros.
pub fn baselines<'v>(
    k: usize,
    base: impl Into<Vectors<'v>>,
    classes: &Classes,
    queries: impl Into<Vectors<'v>>,
    truth: &[u32],
    run: &Run,
) -> Result<Vec<Baseline>> {
    let (base, queries) = (base.into(), queries.into());
    let names = base.names().to_vec();
    let mut rows = Vec::new();
    for (name, similarity) in [
        ("knn-cosine", Similarity::plain(Norm::Cosine, names.clone())),
        ("knn-euclidean", Similarity::euclidean(names)),
    ] {
        let (Ok(base), Ok(queries)) = (similarity.prepare(base), similarity.prepare(queries))
        else {
            continue;
        };
        let near = most_similar(&similarity, &queries, &base, k, run)?;
        let right = near.iter().zip(truth).filter(|(near, own)| vote(near, classes) == **own);
        let accuracy = Some(share(right.count(), truth.len()));
        let decisions = |class: u32| {
            let says = |near: &[Ranked]| yes(near, classes, class);
            let right = near.iter().zip(truth).filter(|(near, own)| says(near) == (**own == class));
            share(right.count(), truth.len())
        };
        rows.push(Baseline { name, accuracy, one_vs_rest: mean(classes, decisions) });
    }
    let most = (0..classes.len()).max_by_key(|&c| (classes.counts()[c], classes.len() - c));
    let most = most.unwrap_or(0) as u32;
    let of = |class: u32| share(truth.iter().filter(|own| **own == class).count(), truth.len());
    let rest = |class: u32| 1.0 - of(class);
    let majority = |class: u32| if class == most { of(class) } else { rest(class) };
    let (accuracy, one_vs_rest) = (Some(of(most)), mean(classes, majority));
    rows.push(Baseline { name: "majority", accuracy, one_vs_rest });
    let one_vs_rest = mean(classes, rest);
    rows.push(Baseline { name: "all-rest", accuracy: None, one_vs_rest });
    Ok(rows)
}

fn share(right: usize, of: usize) -> f64 {
    right as f64 / of.max(1) as f64
}

fn mean(classes: &Classes, of: impl Fn(u32) -> f64) -> f64 {
    (0..classes.len() as u32).map(of).sum::<f64>() / classes.len().max(1) as f64
}

/// The class with most votes; a tie goes to the tied class that is nearest.
fn vote(near: &[Ranked], classes: &Classes) -> u32 {
    let code = |n: &Ranked| classes.codes()[n.row as usize];
    let votes = |class: u32| near.iter().filter(|n| code(n) == class).count();
    let most = near.iter().map(|n| votes(code(n))).max();
    let first = near.iter().map(code).find(|&class| Some(votes(class)) == most);
    first.unwrap_or(0)
}

/// Whether most neighbours are of `class`; a tie goes to the nearest one's side.
fn yes(near: &[Ranked], classes: &Classes, class: u32) -> bool {
    let of = |n: &Ranked| classes.codes()[n.row as usize] == class;
    let votes = near.iter().filter(|n| of(n)).count();
    match (2 * votes).cmp(&near.len()) {
        std::cmp::Ordering::Equal => near.first().is_some_and(of),
        order => order.is_gt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;

    #[test]
    fn baselines_are_what_they_say() {
        let names = vec!["x".to_owned(), "y".to_owned()];
        let base = [1.0, 0.0, 2.0, 0.1, 0.0, 1.0, 0.1, 2.0, 3.0, 3.0];
        let base = Dense::new(names.clone(), base.to_vec()).unwrap();
        let classes = Classes::from_labels(["a", "a", "b", "b", "c"]);
        // By angle a, b, c; by distance the last is nearest to c's only row as well.
        let queries = Dense::new(names, vec![9.0, 0.0, 0.0, 9.0, 3.0, 2.9]).unwrap();
        let found = baselines(1, &base, &classes, &queries, &[0, 1, 2], &Run::on(1)).unwrap();
        let row = |name: &str| found.iter().find(|row| row.name == name).unwrap();
        assert_eq!((row("knn-cosine").accuracy, row("knn-cosine").one_vs_rest), (Some(1.0), 1.0));
        assert_eq!(row("majority").accuracy, Some(1.0 / 3.0));
        assert!((row("all-rest").one_vs_rest - 2.0 / 3.0).abs() < 1e-15);
        assert_eq!(row("all-rest").accuracy, None);
        assert!(row("knn-euclidean").accuracy.unwrap() < 1.0, "(9, 0) is nearest to (3, 3)?");
    }
}
