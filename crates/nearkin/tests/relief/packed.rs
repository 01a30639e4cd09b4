//! Rows held two bits a cell: packed as meant, and as far apart as the definition says.

use nearkin::data::{Encoder, Target};
use nearkin::measure::{Measure, Unknown};
use nearkin::neighbors::Labelled;
use nearkin::neighbors::testing::Strips;
use proptest::prelude::*;

use super::agree::{METRICS, POLICIES, SCALINGS};
use super::space::Space;
use super::tables::{Dice, cases, packed_table};

proptest! {
    #![proptest_config(cases(100))]

    /// Under any factors, so that methods that feed weights back find the ties that there are.
    #[test]
    fn packed_rows_are_as_far_apart_as_plain_ones_to_the_bit(recipe in packed_table()) {
        let case = recipe.make();
        let Target::Classes(classes) = case.target() else { panic!() };
        let encoder = Encoder::fit(&case.table).unwrap();
        let packed = encoder.encode(&case.table).unwrap();
        prop_assert!(packed.packed().is_some());
        let wide = packed.clone().wide();
        prop_assert!(wide.packed().is_none());
        let dice = &mut Dice(recipe.seed);
        // Some columns are left out of the distance.
        let factor = |_| if dice.below(5) == 0 { 0.0 } else { dice.unit() };
        let learned: Vec<f64> = (0..recipe.nominal).map(factor).collect();
        let labels: Vec<usize> = classes.codes().iter().map(|&c| c as usize).collect();
        let queries: Vec<u32> = (0..recipe.rows as u32).collect();
        for (policy, metric) in POLICIES.into_iter().flat_map(|p| METRICS.map(|m| (p, m))) {
            let space = Space::new(&case.table, &labels, metric, SCALINGS[0], policy);
            let fit = || Unknown::fit(policy, &encoder, &packed, classes.codes(), classes.len());
            for factors in [&vec![1.0; recipe.nominal], &learned] {
                let measure = Measure::new(&encoder, metric, SCALINGS[0], fit());
                let measure = measure.with_factors(&encoder, factors).unwrap();
                for rows in [&packed, &wide] {
                    let of = Labelled { rows, labels: classes.codes(), classes: classes.len() };
                    let mut found = Vec::new();
                    Strips::new(of).distances(&measure, &queries, &mut found);
                    for (at, &found) in found.iter().enumerate() {
                        let (i, j) = (at / recipe.rows, at % recipe.rows);
                        let meant = measure.finish(space.weighted(i, j, factors));
                        prop_assert!(i == j || found == meant, "{:?}: {} {}", policy, found, meant);
                    }
                }
            }
        }
    }
}
