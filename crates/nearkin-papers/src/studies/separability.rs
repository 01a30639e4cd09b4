//! Comparing weighting methods on tables whose relevant features are known.
//!
//! A trial draws a table, weighs it by every method and asks of each how far relevant
//! features stand above irrelevant ones ([`separation`]). All methods see the same tables, so
//! their differences are paired.

use nearkin::data::Target;
use nearkin::simulate::Simulated;
use nearkin::stats::{Separation, separation};
use nearkin::weigh::{Extras, Weigh};
use nearkin::{ErrorKind, EvaluateError, Result, Run, SimulateError};

/// So many tables are drawn before a generator is given up.
const PATIENCE: u64 = 1000;

/// The first table of `make` from seed `seed`, `seed + 1`, … whose classes all have at least
/// `members` rows, with its seed.
///
/// A method that looks for k neighbours in each class needs k + 1 members.
///
/// # Errors
///
/// [`SimulateError::ClassesTooSmall`] when there is no such table among many, and errors of `make`.
pub fn draw(
    make: impl Fn(u64) -> Result<Simulated>,
    members: usize,
    seed: u64,
) -> Result<(u64, Simulated)> {
    let mut refused = None;
    for seed in seed..seed.saturating_add(PATIENCE) {
        match make(seed) {
            Ok(made) => match &made.target {
                Target::Classes(classes)
                    if classes.len() < 2 || classes.counts().iter().any(|&n| n < members) => {}
                _ => return Ok((seed, made)),
            },
            // All rows in one class: another seed may do better.
            Err(error) if error.kind() == ErrorKind::Data => refused = Some(error),
            Err(other) => return Err(other),
        }
    }
    Err(refused.unwrap_or_else(|| {
        SimulateError::ClassesTooSmall { tries: PATIENCE as usize, members }.into()
    }))
}

/// How far each method sets the relevant features of `made` apart.
///
/// # Errors
///
/// When a method cannot weigh the table, or its features are all relevant or all irrelevant.
pub fn separations(
    made: &Simulated,
    methods: &[Box<dyn Weigh>],
    run: &Run,
) -> Result<Vec<Separation>> {
    let each = methods.iter().map(|method| {
        let found = method.fit_with(&made.table, &made.target, &Extras::default(), run)?;
        separation(&found.weights, &made.relevant)?.ok_or(EvaluateError::NotSeparable.into())
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearkin::Error;
    use nearkin::simulate::{DecisionList, Disjunction, Parity, Simulate};
    use nearkin::weigh::{DReliefF, ReliefF};

    #[test]
    fn a_table_with_too_small_a_class_is_drawn_again_with_the_next_seed() {
        let make = |seed| Disjunction { rows: 60, relevant: 6, irrelevant: 2, seed }.generate();
        let counts = |made: &Simulated| match &made.target {
            Target::Classes(classes) => classes.counts().iter().copied().min().unwrap(),
            Target::Real(_) => 0,
        };
        let wanted = counts(&make(0).unwrap()) + 1;
        let (seed, made) = draw(make, wanted, 0).unwrap();
        assert!(seed > 0 && counts(&made) >= wanted);
        for earlier in 0..seed {
            assert!(counts(&make(earlier).unwrap()) < wanted);
        }
        assert!(draw(make, 31, 0).unwrap_err().to_string().contains("fewer than 31 rows"));
    }

    #[test]
    fn one_class_is_no_reason_to_give_up_but_a_wrong_parameter_is() {
        let lists = |seed| DecisionList { rows: 4, seed, ..DecisionList::default() }.generate();
        assert!(draw(lists, 1, 0).is_ok());
        let wrong =
            |seed| DecisionList { min_tests: 9, seed, ..DecisionList::default() }.generate();
        assert!(matches!(draw(wrong, 1, 0), Err(Error::Parameter { .. })));
    }

    #[test]
    fn every_method_is_asked_about_the_same_table() {
        let made = Parity { rows: 100, ..Parity::default() }.generate().unwrap();
        let methods: Vec<Box<dyn Weigh>> =
            vec![Box::new(ReliefF::default()), Box::new(DReliefF::default())];
        let found = separations(&made, &methods, &Run::on(1)).unwrap();
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|s| s.auc > 0.9 && s.usability >= s.separability));
    }
}
