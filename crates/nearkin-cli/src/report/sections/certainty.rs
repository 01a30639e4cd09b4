//! How sure weights are: intervals and p-values, as far as the method has them.

use nearkin::weigh::{Bootstrap, Extras, FeatureWeights, Weigh, permutation_tests};

use crate::failure::{Failure, Result};
use crate::report::Subject;

/// Shuffles of the target, where p-values come from these.
const SHUFFLES: usize = 1000;
/// Rows × rows × features of a fit that can be repeated so often in some seconds.
const CELLS: f64 = 2e7;

/// Weights with what is known of their certainty.
pub struct Known {
    /// The weights, with intervals and tests where there are some.
    pub found: FeatureWeights,
    /// How p-values were found.
    pub tested: Option<Tested>,
    /// The values that are missing, and why.
    pub doubts: Vec<String>,
}

/// A test, in words.
pub struct Tested {
    /// Its name.
    pub name: &'static str,
    /// How to read it.
    pub words: String,
}

/// Weigh, and find intervals and p-values: STIR's where the method has them, by shuffles where not.
pub fn fit(subject: &Subject, method: &dyn Weigh) -> Result<Known> {
    let classes = subject.classes().is_some();
    let bootstrap = Some(Bootstrap { replicates: 500, level: 0.95, seed: subject.seed });
    let wish = |per_class, stir, bootstrap| Extras {
        per_class: per_class && classes,
        stir: stir && classes,
        bootstrap,
        ..Extras::default()
    };
    // A method refuses extras that it does not have: the first not refused is the most it has.
    let wishes = [
        wish(true, true, bootstrap),
        wish(true, false, bootstrap),
        wish(true, true, None),
        wish(true, false, None),
        wish(false, false, bootstrap),
        wish(false, false, None),
    ];
    let (mut doubts, mut given) = (Vec::new(), None);
    for wanted in &wishes {
        match method.fit_with(subject.table, subject.target, wanted, subject.run) {
            Ok(found) => {
                given = Some(Ok(found));
                break;
            }
            Err(error) => given = Some(Err(error)),
        }
    }
    let nothing = || Failure::Input(format!("{}: nothing could be weighed", subject.name));
    let mut found =
        given.ok_or_else(nothing)?.map_err(|error| Failure::of_table(subject.name, error))?;
    let title = method.about().title;
    if found.intervals.is_empty() {
        doubts.push(format!("There are no intervals: {title} does not define them."));
    }
    let tested = match found.tests.is_empty() {
        false => Some(Tested {
            name: "STIR",
            words:
                "p is the chance of such a weight if the feature meant nothing, and q the share \
                    of false alarms among all features with such a p. STIR takes pairs of \
                    neighbours as independent, which they are not, so its p and q are too small: \
                    good for ranking more than for proof."
                    .into(),
        }),
        true => shuffled(subject, method, &mut found, &mut doubts)?,
    };
    Ok(Known { found, tested, doubts })
}

/// p-values by shuffles of the target, of so many rows that it does not take long.
fn shuffled(
    subject: &Subject,
    method: &dyn Weigh,
    found: &mut FeatureWeights,
    doubts: &mut Vec<String>,
) -> Result<Option<Tested>> {
    let columns = subject.table.columns().len().max(1) as f64;
    let most = (CELLS / columns).sqrt().clamp(100.0, 2000.0) as usize;
    let drawn = subject.drawn(most)?;
    let data = (&drawn.table, &drawn.target);
    let tests = method
        .fit_with(data.0, data.1, &Extras::default(), subject.run)
        .and_then(|observed| {
            permutation_tests(method, data, &observed, SHUFFLES, subject.seed, subject.run)
        })
        .map_err(|error| Failure::of_table(subject.name, error));
    match tests {
        Ok(tests) => found.tests = tests,
        Err(Failure::Input(reason)) => {
            doubts.push(format!("There are no p-values: {reason}."));
            return Ok(None);
        }
        Err(other) => return Err(other),
    }
    if drawn.note.is_some() {
        doubts.push(format!(
            "p and q are those of {most} of the {} rows, drawn with seed {}, so that it takes \
             seconds rather than hours.",
            subject.table.rows(),
            subject.seed
        ));
    }
    Ok(Some(Tested {
        name: "permutation",
        words: format!(
            "p is the share of {SHUFFLES} shuffles of `{}` in which the feature weighs as much, and \
             q the share of false alarms among all features with such a p.",
            subject.target_name
        ),
    }))
}
