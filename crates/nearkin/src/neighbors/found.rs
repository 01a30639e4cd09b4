//! [`Neighbors`]: the k nearest rows of each class, as every search of this module gives them.

use rayon::prelude::*;

use crate::{NeighborsError, Result};

use crate::neighbors::similar::SimilarRow;

/// The k nearest rows of each class, with their distances.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Neighbors {
    rows: usize,
    classes: usize,
    k: usize,
    /// Places kept for each row and class: k, or fewer where no class has as many rows.
    room: usize,
    counts: Vec<u32>,
    index: Vec<u32>,
    distance: Vec<f64>,
}

/// One row of [`Neighbors`] being filled.
pub(crate) struct RowMut<'a> {
    room: usize,
    counts: &'a mut [u32],
    index: &'a mut [u32],
    distance: &'a mut [f64],
}

/// Counts, and rows with their distances, of one row.
type Slots<'a> = (&'a mut [u32], (&'a mut [u32], &'a mut [f64]));

impl<'a> RowMut<'a> {
    /// Rows with room for so many neighbours, from counts, and rows and distances.
    fn of(room: usize) -> impl Fn(Slots<'a>) -> Self + Sync + Send {
        move |(counts, (index, distance))| Self { room, counts, index, distance }
    }

    /// Set the neighbours of a class, nearest first, at most k.
    pub fn set(&mut self, class: usize, found: &[(f64, u32)]) {
        self.counts[class] = found.len() as u32;
        for (i, &(distance, row)) in found.iter().enumerate() {
            self.index[class * self.room + i] = row;
            self.distance[class * self.room + i] = distance;
        }
    }
}

impl Neighbors {
    /// Room for the k nearest of each class, where the largest class has `largest` rows.
    pub(crate) fn empty(rows: usize, classes: usize, k: usize, largest: usize) -> Self {
        let (slots, room) = (rows * classes, k.min(largest));
        Self {
            rows,
            classes,
            k,
            room,
            counts: vec![0; slots],
            index: vec![0; slots * room],
            distance: vec![0.0; slots * room],
        }
    }

    pub(crate) fn par_rows(&mut self) -> impl IndexedParallelIterator<Item = RowMut<'_>> {
        let (room, slots) = (self.room, (self.classes * self.room).max(1));
        let counts = self.counts.par_chunks_mut(self.classes.max(1));
        let cells = self.index.par_chunks_mut(slots).zip(self.distance.par_chunks_mut(slots));
        counts.zip(cells).map(RowMut::of(room))
    }

    /// Rows to be filled one after the other, on the calling thread: outside of a pool rayon's
    /// iterators would start the global one, which does not survive `fork`.
    fn rows_mut(&mut self) -> impl Iterator<Item = RowMut<'_>> {
        let (room, slots) = (self.room, (self.classes * self.room).max(1));
        let counts = self.counts.chunks_mut(self.classes.max(1));
        let cells = self.index.chunks_mut(slots).zip(self.distance.chunks_mut(slots));
        counts.zip(cells).map(RowMut::of(room))
    }

    /// Number of query rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Neighbours of `row` in `class`, nearest first: rows and distances.
    pub fn of(&self, row: usize, class: usize) -> (&[u32], &[f64]) {
        let slot = row * self.classes + class;
        let cells = slot * self.room..slot * self.room + self.counts[slot] as usize;
        (&self.index[cells.clone()], &self.distance[cells])
    }

    /// Neighbours ranked by similarity, at most k of each group. The distance of each is minus its
    /// similarity, so that merging ranks them as sorting all similarities does.
    pub(crate) fn of_ranked(found: &[Vec<Vec<SimilarRow>>], groups: usize, k: usize) -> Self {
        let largest = found.iter().flatten().map(Vec::len).max().unwrap_or(0);
        let mut near = Self::empty(found.len(), groups, k, largest);
        for (ranked, mut row) in found.iter().zip(near.rows_mut()) {
            for (group, ranked) in ranked.iter().enumerate() {
                let far = ranked.iter().map(|one| (-one.similarity, one.row));
                row.set(group, &far.collect::<Vec<_>>());
            }
        }
        near
    }

    /// The same neighbours when the base rows were rows `first`, `first + 1`, … of a larger table.
    pub fn from_row(mut self, first: u32) -> Self {
        self.index.iter_mut().for_each(|row| *row += first);
        self
    }

    /// The same neighbours with other numbers for the base rows; none if a row has no other
    /// number.
    pub fn renumbered(&self, name: impl Fn(u32) -> Option<u32>) -> Option<Self> {
        let mut renumbered = self.clone();
        for (slot, &count) in self.counts.iter().enumerate() {
            for row in &mut renumbered.index[slot * self.room..][..count as usize] {
                *row = name(*row)?;
            }
        }
        Some(renumbered)
    }

    /// The k nearest of each class without the query itself: `own` holds the base row that each
    /// query is, if any.
    pub fn without(&self, own: &[u32], k: usize) -> Self {
        let mut kept = Self::empty(self.rows, self.classes, k, self.room);
        for (at, mut row) in kept.rows_mut().enumerate() {
            for class in 0..self.classes {
                let (index, distance) = self.of(at, class);
                let others = distance.iter().copied().zip(index.iter().copied());
                let others = others.filter(|near| near.1 != own[at]);
                row.set(class, &others.take(k).collect::<Vec<_>>());
            }
        }
        kept
    }

    /// Three arrays: the number of neighbours of each row and class, then their rows and their
    /// distances, with the same number of places for each row and class.
    pub fn into_parts(self) -> (Vec<u32>, Vec<u32>, Vec<f64>) {
        (self.counts, self.index, self.distance)
    }

    /// The neighbours these parts were taken from.
    ///
    /// # Errors
    ///
    /// [`NeighborsError::NotParts`] when the arrays do not fit together.
    pub fn from_parts(
        (classes, k): (usize, usize),
        (counts, index, distance): (Vec<u32>, Vec<u32>, Vec<f64>),
    ) -> Result<Self> {
        let (rows, room) = (counts.len() / classes.max(1), index.len() / counts.len().max(1));
        let whole = counts.len() == rows * classes
            && index.len() == counts.len() * room
            && distance.len() == index.len()
            && counts.iter().all(|&count| count as usize <= room.min(k));
        match whole {
            true => Ok(Self { rows, classes, k, room, counts, index, distance }),
            false => Err(NeighborsError::NotParts.into()),
        }
    }

    /// Neighbours among two disjoint sets of base rows, from those among each.
    ///
    /// # Errors
    ///
    /// [`NeighborsError::NotMergeable`] when the two are not about the same query rows, classes
    /// and k.
    pub fn merge(&self, other: &Self) -> Result<Self> {
        if (self.rows, self.classes, self.k) != (other.rows, other.classes, other.k) {
            return Err(NeighborsError::NotMergeable.into());
        }
        let mut merged = Self::empty(self.rows, self.classes, self.k, self.room + other.room);
        for (at, mut row) in merged.rows_mut().enumerate() {
            for class in 0..self.classes {
                let parts = [self.of(at, class), other.of(at, class)];
                let mut all: Vec<(f64, u32)> = parts
                    .iter()
                    .flat_map(|(index, distance)| {
                        distance.iter().copied().zip(index.iter().copied())
                    })
                    .collect();
                all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                all.truncate(self.k);
                row.set(class, &all);
            }
        }
        Ok(merged)
    }
}
