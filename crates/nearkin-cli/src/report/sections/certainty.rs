//! How sure weights are: intervals over rows, and the weights of noise.

use nearkin::weigh::{Bootstrap, Extras, FeatureWeights, NullWeights, Weigh, null_weights};

use crate::failure::{Failure, Result};
use crate::report::Subject;

/// Rows × rows × features up to which more exchanges are made.
const CELLS: f64 = 2e8;
/// Exchanges of a small table, and of a large one.
const EXCHANGES: [usize; 2] = [40, 20];
/// The chance of one false claim where nothing matters.
pub const LEVEL: f64 = 0.05;

/// Weights with what is known of their certainty.
pub struct Known {
    /// The weights, with intervals if there are some.
    pub found: FeatureWeights,
    /// The weights after exchanges of the target.
    pub null: NullWeights,
    /// What is missing, and why.
    pub doubts: Vec<String>,
}

/// Weigh, find intervals, and weigh anew after exchanges of the target.
pub fn fit(subject: &Subject, method: &dyn Weigh) -> Result<Known> {
    let classes = subject.classes().is_some();
    let bootstrap = Some(Bootstrap { replicates: 500, level: 0.95, seed: subject.seed });
    let wish = |per_class, bootstrap| Extras {
        per_class: per_class && classes,
        bootstrap,
        ..Extras::default()
    };
    // A method refuses extras that it does not have: the first not refused is the most it has.
    let wishes =
        [wish(true, bootstrap), wish(true, None), wish(false, bootstrap), wish(false, None)];
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
    let found =
        given.ok_or_else(nothing)?.map_err(|error| Failure::of_table(subject.name, error))?;
    let title = method.about().title;
    if found.intervals.is_empty() {
        doubts.push(format!("There are no intervals: {title} does not define them."));
    }
    let (rows, columns) = (subject.table.rows() as f64, subject.table.columns().len() as f64);
    let exchanges = EXCHANGES[usize::from(rows * rows * columns > CELLS)];
    let data = (subject.table, subject.target);
    let null = null_weights(method, data, subject.strata, exchanges, subject.seed, subject.run)
        .map_err(|error| Failure::of_table(subject.name, error))?;
    Ok(Known { found, null, doubts })
}
