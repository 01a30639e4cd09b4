//! [`Samples`]: what a report on similarities alone is about.

use nearkin::Run;
use nearkin::data::{Classes, Holdout, SimilarityMatrix, Target};

use crate::failure::{Failure, Result};

/// Samples known by their similarities with each other.
pub struct Samples<'a> {
    /// The file as the user named it.
    pub name: &'a str,
    /// The similarities.
    pub s: &'a SimilarityMatrix<'a>,
    /// The class of each sample.
    pub classes: &'a Classes,
    /// The names of the samples, where the file has them.
    pub names: Option<&'a [String]>,
    /// True where the file held dissimilarities.
    pub dissimilar: bool,
    /// The seed of every random choice.
    pub seed: u64,
    /// Threads and progress.
    pub run: &'a Run<'a>,
}

impl Samples<'_> {
    /// A sample as a reader would look for it.
    pub fn called(&self, row: usize) -> String {
        let name = self.names.and_then(|names| names.get(row).cloned());
        name.unwrap_or_else(|| row.to_string())
    }

    /// The class of a sample, by its code.
    pub fn class(&self, row: usize) -> usize {
        self.classes.codes()[row] as usize
    }

    /// The name of a class.
    pub fn class_name(&self, class: usize) -> &str {
        &self.classes.names()[class]
    }

    /// The samples of each class.
    pub fn by_class(&self) -> Vec<Vec<usize>> {
        let mut by_class = vec![Vec::new(); self.classes.len()];
        (0..self.s.rows()).for_each(|row| by_class[self.class(row)].push(row));
        by_class
    }

    /// At most `most` samples, each class by its share, and what to tell when some are left out.
    pub fn drawn(&self, most: usize) -> Result<(Vec<usize>, Option<String>)> {
        let all = self.s.rows();
        if all <= most {
            return Ok(((0..all).collect(), None));
        }
        let holdout = Holdout { train: most, test: all - most, stratified: true, seed: self.seed };
        let target = Target::Classes(self.classes.clone());
        let rows = holdout.split(&target, 0).map_err(Failure::from)?.train;
        let note = format!(
            "This part looks at {most} of the {all} samples, drawn with seed {}, so that it takes \
             seconds rather than hours.",
            self.seed
        );
        Ok((rows, Some(note)))
    }
}
