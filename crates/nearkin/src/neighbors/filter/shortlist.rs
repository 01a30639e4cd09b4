//! [`Shortlist`]: the candidates for the k nearest rows of each lane, by filter values.
//!
//! Each (lane, class) keeps a small buffer. When it is full it is cut back to what the filter
//! cannot rule out; where ties defeat the filter, the exact distances decide. Whatever order
//! candidates come in, the k nearest by (exact distance, row) are never dropped.
//!
//! Lower bound: a comparison for each value offered, and a selection among 2k + 8 for every k + 8
//! of them that are taken.

use std::cmp::Ordering;

use crate::neighbors::filter::panel::PADDING;

/// The exact order of candidates that the filter cannot tell apart: less is nearer.
pub(crate) trait Exact: Copy {
    /// Which is nearer.
    fn order(&self, other: &Self) -> Ordering;
}

impl Exact for f64 {
    fn order(&self, other: &Self) -> Ordering {
        self.total_cmp(other)
    }
}

impl Exact for [f64; 2] {
    fn order(&self, other: &Self) -> Ordering {
        self[0].total_cmp(&other[0]).then(self[1].total_cmp(&other[1]))
    }
}

/// A candidate: filter value and row.
pub(crate) type Candidate = (f32, u32);

/// Buffers for a block of lanes.
#[derive(Debug, Default)]
pub(crate) struct Shortlist {
    k: usize,
    lanes: usize,
    /// Room for candidates of each class, and where its buffers start within `entries`.
    rooms: Vec<(usize, usize)>,
    entries: Vec<Candidate>,
    /// `[class][lane]`: candidates held.
    held: Vec<u32>,
    /// `[class][lane]`: filter values above this cannot be among the k nearest.
    thresholds: Vec<f32>,
    /// Largest error of two filter values of each lane, added.
    margins: Vec<f32>,
}

impl Shortlist {
    /// Empty buffers for lanes holding `rows`; `members` counts the base rows of each class.
    ///
    /// `margins` bounds, for each lane, the sum of the errors of any two of its filter values.
    pub fn new(k: usize, rows: &[u32], margins: Vec<f32>, members: &[usize]) -> Self {
        let mut made = Self { margins, ..Self::default() };
        made.empty(k, rows, members);
        made
    }

    /// The same in the place of other buffers.
    pub fn renew(&mut self, k: usize, rows: &[u32], margins: &[f32], members: &[usize]) {
        self.margins.clear();
        self.margins.extend_from_slice(margins);
        self.empty(k, rows, members);
    }

    fn empty(&mut self, k: usize, rows: &[u32], members: &[usize]) {
        (self.k, self.lanes) = (k, rows.len());
        let (lanes, mut start) = (rows.len(), 0);
        self.rooms.clear();
        self.rooms.extend(members.iter().map(|&members| {
            let room = k.saturating_mul(2).saturating_add(8).min(members);
            start += room * lanes;
            (room, start - room * lanes)
        }));
        // Old candidates beyond the number held are never read.
        self.entries.resize(start, (0.0, 0));
        self.held.clear();
        self.held.resize(lanes * members.len(), 0);
        // Nothing is near a lane without a row.
        let open =
            rows.iter().map(|&row| if row == PADDING { f32::NEG_INFINITY } else { f32::MAX });
        self.thresholds.clear();
        (0..members.len()).for_each(|_| self.thresholds.extend(open.clone()));
    }

    /// The thresholds of all lanes for candidates of `class`.
    pub fn thresholds(&self, class: usize) -> &[f32] {
        &self.thresholds[class * self.lanes..(class + 1) * self.lanes]
    }

    /// True when a lane takes any candidate of `class`.
    pub fn is_open(&self, lane: usize, class: usize) -> bool {
        self.thresholds[class * self.lanes + lane] == f32::MAX
    }

    /// Lower a lane's threshold: k rows of `class` besides the lane's own are known whose filter
    /// values, or exact ones, do not exceed `value`. They have been or will be offered to this
    /// list, or to another one of the same lane with which it will be put together.
    pub fn lower(&mut self, lane: usize, class: usize, value: f32) {
        let threshold = &mut self.thresholds[class * self.lanes + lane];
        *threshold = (value + self.margins[lane]).next_up().min(*threshold);
    }

    /// Offer a candidate of `class` to a lane; `exact` gives a row's exact distance when asked.
    /// True when the lane's threshold may have moved.
    pub fn offer<E: Exact>(
        &mut self,
        lane: usize,
        class: usize,
        candidate: Candidate,
        exact: impl Fn(u32) -> E,
    ) -> bool {
        let slot = class * self.lanes + lane;
        if candidate.0 > self.thresholds[slot] {
            return false;
        }
        let (room, start) = self.rooms[class];
        let start = start + lane * room;
        let held = self.held[slot] as usize;
        if held < room {
            self.entries[start + held] = candidate;
            self.held[slot] += 1;
            if held + 1 == room {
                self.cut(slot, start, room, lane, &exact);
                return true;
            }
        }
        false
    }

    /// Make room in a full buffer: drop what cannot be among the k nearest.
    fn cut<E: Exact>(
        &mut self,
        slot: usize,
        start: usize,
        room: usize,
        lane: usize,
        exact: &impl Fn(u32) -> E,
    ) {
        if room <= self.k {
            return;
        }
        let margin = self.margins[lane];
        let entries = &mut self.entries[start..start + room];
        let order = |a: &Candidate, b: &Candidate| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        entries.select_nth_unstable_by(self.k - 1, order);
        let mut kept = self.k;
        let mut threshold = entries[self.k - 1].0;
        if margin > 0.0 {
            threshold = (threshold + margin).next_up();
            for i in self.k..room {
                if entries[i].0 <= threshold {
                    entries.swap(kept, i);
                    kept += 1;
                }
            }
            // Too many the filter cannot tell apart: let the exact distances decide.
            if kept > self.k + (room - self.k) / 2 {
                let mut scored: Vec<(E, Candidate)> =
                    entries[..kept].iter().map(|&c| (exact(c.1), c)).collect();
                scored.sort_unstable_by(|a, b| a.0.order(&b.0).then(a.1.1.cmp(&b.1.1)));
                kept = self.k;
                for (entry, (_, candidate)) in entries.iter_mut().zip(&scored[..kept]) {
                    *entry = *candidate;
                }
                let last = entries[..kept].iter().map(|c| c.0).fold(f32::NEG_INFINITY, f32::max);
                threshold = (last + margin).next_up();
            }
        }
        self.held[slot] = kept as u32;
        self.thresholds[slot] = threshold.min(self.thresholds[slot]);
    }

    /// The candidates of a class that may be among a lane's k nearest.
    pub fn candidates(&self, lane: usize, class: usize) -> Vec<Candidate> {
        let (room, start) = self.rooms[class];
        let start = start + lane * room;
        let held = self.held[class * self.lanes + lane] as usize;
        let mut candidates = self.entries[start..start + held].to_vec();
        if held > self.k {
            candidates.select_nth_unstable_by(self.k - 1, |a, b| a.0.total_cmp(&b.0));
            let last = (candidates[self.k - 1].0 + self.margins[lane]).next_up();
            candidates.retain(|candidate| candidate.0 <= last);
        }
        candidates
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Offer noisy filter values and compare with sorting the exact ones.
    fn check(values: usize, noise: f64, seed: u64) {
        let mut random = Random::new(seed, 0);
        let (n, k) = (200u32, 5);
        let exact: Vec<f64> = (0..n).map(|_| random.below(values) as f64).collect();
        let mut list = Shortlist::new(k, &[0], vec![(2.0 * noise) as f32 * 1.001], &[n as usize]);
        for row in random.sample(n as usize, n as usize) {
            let filter = exact[row] + noise * (2.0 * random.uniform() - 1.0);
            list.offer(0, 0, (filter as f32, row as u32), |row| exact[row as usize]);
        }
        let mut best: Vec<(f64, u32)> = exact.iter().copied().zip(0..).collect();
        best.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let held: Vec<u32> = list.candidates(0, 0).iter().map(|c| c.1).collect();
        for (_, row) in &best[..k] {
            assert!(held.contains(row), "row {row} was dropped");
        }
    }

    #[test]
    fn the_k_nearest_are_never_dropped() {
        for seed in 0..50 {
            check(1_000_000, 0.0, seed);
            check(1_000, 3.0, seed);
            check(3, 0.4, seed);
            check(3, 0.0, seed);
            check(1, 1e-3, seed);
        }
    }

    #[test]
    fn a_class_smaller_than_k_is_held_whole() {
        let mut list = Shortlist::new(5, &[0], vec![0.0], &[3]);
        for row in 0..3 {
            list.offer(0, 0, (row as f32, row), |_| 0.0);
        }
        assert_eq!(list.candidates(0, 0).len(), 3);
    }
}
