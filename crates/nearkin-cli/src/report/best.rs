//! [`Best`]: the best accuracy anywhere on the page, for its head.

use super::baseline::Baselines;

/// An accuracy on rows that were not used for learning, with the baselines it should beat.
#[derive(Debug, Clone, PartialEq)]
pub struct Best {
    /// The accuracy.
    pub accuracy: f64,
    /// What reached it.
    pub name: String,
    /// The section that tells of it.
    pub section: &'static str,
    /// Rows that it was measured on.
    pub rows: usize,
    /// True when a test shows that it is better than always answering the most frequent class.
    pub beats_constant: bool,
    /// The baselines it should beat, on the same rows.
    pub baselines: Baselines,
}

impl Best {
    /// The better of two; one that beats the constant answer before one that does not.
    pub fn of(found: impl IntoIterator<Item = Self>) -> Option<Self> {
        found.into_iter().reduce(|a, b| {
            let better = (b.beats_constant, b.accuracy) > (a.beats_constant, a.accuracy);
            if better { b } else { a }
        })
    }

    /// The line for the head of the page.
    pub fn line(&self) -> String {
        let Self { accuracy, name, section, rows, .. } = self;
        let baselines = self.baselines.told();
        match self.beats_constant {
            true => format!(
                "Best accuracy on rows not learned from: {accuracy:.3} by {name} (“{section}”, {rows} \
                 rows). {baselines}"
            ),
            false => format!(
                "Nothing tried is told apart from always saying the most frequent class: the \
                 highest accuracy is {accuracy:.3} by {name} (“{section}”, {rows} rows). {baselines}"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_anywhere_is_told_and_what_beats_nothing_comes_last() {
        let best = |accuracy, beats_constant| Best {
            accuracy,
            name: "k-NN".into(),
            section: "How many",
            rows: 400,
            beats_constant,
            baselines: Baselines {
                constant: 0.785,
                rule: 0.8,
                words: "`x` up to 1: a, else b".into(),
            },
        };
        let found = Best::of([best(0.633, false), best(0.862, true), best(0.9, false)]).unwrap();
        assert_eq!(found, best(0.862, true));
        assert!(found.line().contains("0.862 by k-NN (“How many”, 400 rows)"));
        assert!(
            found
                .line()
                .contains("0.785; the best rule of one feature (`x` up to 1: a, else b), 0.800")
        );
        assert!(best(0.633, false).line().starts_with("Nothing tried is told apart"));
        assert_eq!(Best::of([]), None);
    }
}
