//! The neighbours of a target and their weights: the settings that make a Relief method.
//!
//! Lower bound for k neighbours among n candidates where ties share: a comparison and 16 bytes a
//! candidate, and k · log₂ k comparisons to order them. Misses of all c classes together are
//! searched once a class: c · k neighbours, where k would do.

use std::borrow::Cow;
use std::sync::Arc;

use super::common::{Problem, ReliefSettings};
use super::contribution::Weighted;
use crate::{ParameterError, Result, choice};

choice! {
    /// Where misses come from when there are more than two classes.
    pub enum Misses {
        /// k from every other class, weighted by class probability (Relief-F).
        PerClass = "per-class",
        /// k from all other classes together (Relief-E).
        NearestOther = "nearest-other",
    }
}

choice! {
    /// Which rows are taken when rows are equally near and not all can be.
    pub enum Ties {
        /// The row that comes first in the table is nearer.
        Index = "index",
        /// All of them share the places that are left (Relieved).
        Average = "average",
    }
}

choice! {
    /// How much each of a target's neighbours counts.
    #[non_exhaustive]
    pub enum Weighting {
        /// All the same.
        Equal = "equal",
        /// By rank r = 1, 2, …: exp(−(r/σ)²).
        Rank = "rank",
        /// By distance: 1/d.
        Distance = "distance",
        /// By squared distance: 1/d².
        DistanceSquared = "distance-squared",
        /// By distance: exp(−d/σ).
        Kernel = "kernel",
    }
}

impl Misses {
    /// Refuse priors where misses of all classes compete for the same places.
    pub(crate) fn refuse_priors(self, common: &ReliefSettings) -> Result<()> {
        match self {
            Self::PerClass => Ok(()),
            Self::NearestOther => common.refuse_priors(ParameterError::PriorsOfNearest),
        }
    }
}

impl Weighting {
    /// The weight of the neighbour at `rank` (from 1) and `distance`, before normalisation.
    ///
    /// A distance of 0 would outweigh everything; distances below 1e-9 count as 1e-9, so rows
    /// equal to the target share the update.
    fn weight(self, rank: f64, distance: f64, sigma: f64) -> f64 {
        const SMALLEST: f64 = 1e-9;
        match self {
            Self::Equal => 1.0,
            Self::Rank => (-(rank / sigma).powi(2)).exp(),
            Self::Distance => 1.0 / distance.max(SMALLEST),
            Self::DistanceSquared => 1.0 / distance.max(SMALLEST).powi(2),
            Self::Kernel => (-distance / sigma).exp(),
        }
    }

    /// Weights that sum to `whole` for neighbours sorted by distance, each with its places.
    pub(crate) fn spread(self, sigma: f64, whole: f64, found: &[Near]) -> Vec<Weighted> {
        self.spread_from(1.0, sigma, whole, found)
    }

    /// [`Weighting::spread`] with the rank of the nearest given.
    pub(crate) fn spread_from(
        self,
        first: f64,
        sigma: f64,
        whole: f64,
        found: &[Near],
    ) -> Vec<Weighted> {
        let mut rank = first - 1.0;
        let mut weights: Vec<f64> = found
            .iter()
            .map(|near| {
                rank += near.places;
                near.places * self.weight(rank.ceil(), near.distance, sigma)
            })
            .collect();
        let total: f64 = weights.iter().sum();
        if total > 0.0 && total.is_finite() {
            weights.iter_mut().for_each(|w| *w *= whole / total);
        } else {
            // The kernel is too narrow for any neighbour: the nearest alone counts.
            weights.fill(0.0);
            weights.first_mut().into_iter().for_each(|w| *w = whole);
        }
        found.iter().map(|near| near.row).zip(weights).collect()
    }
}

/// A neighbour: its row, its distance, and how many of the k places it takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Near {
    pub row: u32,
    pub distance: f64,
    pub places: f64,
}

impl Near {
    pub fn new((row, distance): (&u32, &f64)) -> Self {
        Self { row: *row, distance: *distance, places: 1.0 }
    }
}

/// The k nearest of `candidates`, ties at the k-th distance sharing the places left.
pub(crate) fn nearest_sharing_ties(mut candidates: Vec<(f64, u32)>, k: usize) -> Vec<Near> {
    let by_distance = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    if candidates.len() > k {
        let last = candidates.select_nth_unstable_by(k - 1, by_distance).1.0;
        candidates.retain(|c| c.0 <= last);
    }
    candidates.sort_unstable_by(by_distance);
    let last = candidates.last().map_or(0.0, |c| c.0);
    let tied = candidates.iter().filter(|c| c.0 == last).count();
    let nearer = candidates.len() - tied;
    let share = k.min(candidates.len()).saturating_sub(nearer) as f64 / tied.max(1) as f64;
    let places = |distance| if distance == last { share } else { 1.0 };
    candidates
        .iter()
        .map(|&(distance, row)| Near { row, distance, places: places(distance) })
        .collect()
}

/// Neighbours of one target by class, each with its weight in the update.
#[derive(Debug, Default)]
pub(crate) struct Neighbourhood {
    pub groups: Vec<Group>,
}

/// Neighbours of one class.
#[derive(Debug)]
pub(crate) struct Group {
    pub class: u32,
    pub members: Members,
    /// Count what is equal instead of what differs: 1 − diff in place of diff.
    pub equal: bool,
    /// All neighbours the members were chosen among, where classes compete for places: those
    /// whose cell is known stand in for those whose cell is missing, of whatever class.
    pub pool: Option<Arc<[Weighted]>>,
}

/// Neighbours of one class with their weights.
#[derive(Debug)]
pub(crate) enum Members {
    /// Each with its own weight.
    Weighted(Vec<Weighted>),
    /// Many with the same weight: their places among the rows of the class, ascending.
    Even { places: Vec<u32>, weight: f64 },
}

impl Members {
    pub fn len(&self) -> usize {
        match self {
            Self::Weighted(members) => members.len(),
            Self::Even { places, .. } => places.len(),
        }
    }
}

impl Group {
    /// The places of the members when all have the same weight; empty when weights differ.
    pub fn places(&self) -> &[u32] {
        match &self.members {
            Members::Even { places, .. } => places,
            Members::Weighted(_) => &[],
        }
    }

    /// The weight that all members have; 0 when weights differ.
    pub fn even_weight(&self) -> f64 {
        match &self.members {
            Members::Even { weight, .. } => *weight,
            Members::Weighted(_) => 0.0,
        }
    }

    /// The members as rows, each with its weight.
    pub fn weighted(&self, problem: &Problem) -> Cow<'_, [Weighted]> {
        match &self.members {
            Members::Weighted(members) => Cow::Borrowed(members),
            Members::Even { places, weight } => {
                let rows = &problem.members[self.class as usize];
                Cow::Owned(places.iter().map(|&place| (rows[place as usize], *weight)).collect())
            }
        }
    }
}

impl Neighbourhood {
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter()
    }

    /// The class of each group.
    pub fn classes(&self) -> impl Iterator<Item = u32> + Clone {
        self.groups.iter().map(|group| group.class)
    }

    pub fn push(&mut self, class: u32, members: Vec<Weighted>) {
        self.push_as(class, Members::Weighted(members), false);
    }

    pub fn push_as(&mut self, class: u32, members: Members, equal: bool) {
        if members.len() > 0 {
            self.groups.push(Group { class, members, equal, pool: None });
        }
    }

    /// Push neighbours of several classes, each under its own; together they are one average.
    pub fn push_mixed(&mut self, problem: &Problem, members: Vec<Weighted>) {
        let leaves_out =
            problem.rows.has_missing() && problem.measure.unknown().policy().skips_in_update();
        let pool: Option<Arc<[Weighted]>> = leaves_out.then(|| members.as_slice().into());
        for class in 0..problem.classes.len() as u32 {
            let own = |member: &&Weighted| problem.label(member.0 as usize) == class;
            let members: Vec<Weighted> = members.iter().filter(own).copied().collect();
            if !members.is_empty() {
                let members = Members::Weighted(members);
                self.groups.push(Group { class, members, equal: false, pool: pool.clone() });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_places_left() {
        let found = nearest_sharing_ties(vec![(2.0, 0), (1.0, 1), (2.0, 2), (3.0, 3)], 2);
        let places: Vec<_> = found.iter().map(|n| (n.row, n.places)).collect();
        assert_eq!(places, [(1, 1.0), (0, 0.5), (2, 0.5)]);
    }

    #[test]
    fn fewer_candidates_than_places_are_all_taken() {
        let found = nearest_sharing_ties(vec![(1.0, 4), (1.0, 5)], 10);
        assert_eq!(found.iter().map(|n| n.places).sum::<f64>(), 2.0);
        assert!(nearest_sharing_ties(vec![], 3).is_empty());
    }

    #[test]
    fn weights_sum_to_the_whole() {
        let found: Vec<Near> =
            (0..4).map(|i| Near { row: i, distance: f64::from(i), places: 1.0 }).collect();
        let kinds = [
            Weighting::Equal,
            Weighting::Rank,
            Weighting::Distance,
            Weighting::DistanceSquared,
            Weighting::Kernel,
        ];
        for kind in kinds {
            let weights = kind.spread(0.5, 0.75, &found);
            let total: f64 = weights.iter().map(|w| w.1).sum();
            assert!((total - 0.75).abs() < 1e-12, "{kind:?}");
            assert!(weights.windows(2).all(|w| w[0].1 >= w[1].1), "{kind:?}");
        }
        assert_eq!(Weighting::Kernel.spread(1e-320, 1.0, &found[1..])[0], (1, 1.0));
    }
}
