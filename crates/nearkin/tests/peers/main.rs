//! nearkin beside its peers: scikit-rebate, Orange and Weka.
//!
//! `make.py` recorded what they compute; nothing of it runs here. Where the definitions agree
//! so do the numbers. Where a peer goes its own way the test states both ways as plain loops
//! ([`plain`]): nearkin equals the textbook's, and the peer's recorded scores equal its own.
#![allow(clippy::unwrap_used)]

mod fixture;
mod plain;

use fixture::{Data, data, scores};
use nearkin::data::Column;
use nearkin::weigh::*;
use plain::{by_count, by_prior, diff, distances, ramp};

fn fit(data: &Data, id: &str, settings: &[(&str, &str)]) -> Vec<f64> {
    let mut chosen = method(id).unwrap();
    for (name, value) in settings {
        set(&mut *chosen, name, value).unwrap();
    }
    chosen.fit(&data.table, &data.target).unwrap().weights
}

fn gap(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[track_caller]
fn equal(a: &[f64], b: &[f64], what: &str) {
    assert!(gap(a, b) < 1e-12, "{what}: {a:?} and {b:?} differ by {:e}", gap(a, b));
}

#[track_caller]
fn differ(a: &[f64], b: &[f64], by: f64, what: &str) {
    assert!(gap(a, b) > by, "{what}: {a:?} and {b:?} differ by {:e} only", gap(a, b));
}

fn plain_relieff(data: &Data) -> Vec<f64> {
    let (d, share) = (distances(data, 1.0), by_prior(data));
    plain::weights(data, diff, |i| plain::nearest(data, &d, 10, &share, i))
}

fn plain_multisurf(data: &Data, star: bool) -> Vec<f64> {
    let (d, share) = (distances(data, 1.0), by_prior(data));
    plain::weights(data, diff, |i| plain::multisurf(data, &d, &share, star, i))
}

// --- scikit-rebate: where definitions agree ---------------------------------------------------

#[test]
fn two_classes_and_complete_numbers_agree_with_scikit_rebate() {
    let data = data("binary");
    for id in ["relieff", "multisurf", "multisurf-star"] {
        equal(&fit(&data, id, &[]), &scores("skrebate", "binary", id, ""), id);
    }
}

#[test]
fn missing_numbers_left_out_agree_with_scikit_rebate() {
    for set in ["gaps", "one-hole"] {
        let data = data(set);
        for id in ["relieff", "multisurf", "multisurf-star"] {
            let found = fit(&data, id, &[("missing", "agnostic")]);
            equal(&found, &scores("skrebate", set, id, ""), &format!("{id} on {set}"));
        }
    }
}

#[test]
fn turf_on_all_features_is_the_method_itself_in_both() {
    // Asked for two features a round, scikit-rebate takes 2 for a share, has ⌊1/2⌋ = 0
    // rounds, and removes nothing.
    let data = data("binary");
    let found = fit(&data, "relieff", &[]);
    equal(&found, &scores("skrebate", "binary", "turf", "2 a round"), "turf, 2 a round");
    let mut ours = wrap("turf", method("relieff").unwrap()).unwrap();
    set(&mut *ours, "turf_keep", "2").unwrap();
    set(&mut *ours, "turf_fraction", "0.34").unwrap();
    let ours = ours.fit(&data.table, &data.target).unwrap();
    assert_eq!(ours.removed_in.iter().filter(|&&round| round == 0).count(), 2);
    differ(&ours.weights, &found, 1e-3, "turf");
}

// --- scikit-rebate: its own ways --------------------------------------------------------------

/// Mean distance of different rows, and with the zero diagonal in.
fn radii(distances: &plain::Matrix) -> (f64, f64) {
    let n = distances.len() as f64;
    let sum: f64 = distances.iter().flatten().sum();
    (sum / (n * (n - 1.0)), sum / (n * n))
}

#[test]
fn scikit_rebate_averages_the_zero_diagonal_into_the_radius_of_surf() {
    for set in ["binary", "clumps"] {
        let data = data(set);
        let d = distances(&data, 1.0);
        let (without, with) = radii(&d);
        let between = d.iter().flatten().filter(|&&d| with <= d && d < without).count();
        for (id, star) in [("surf", false), ("surf-star", true)] {
            let surf =
                |radius| plain::weights(&data, diff, |i| plain::surf(&data, &d, radius, star, i));
            let (ours, theirs) = (fit(&data, id, &[]), scores("skrebate", set, id, ""));
            equal(&ours, &surf(without), "a pair of different rows");
            equal(&theirs, &surf(with), "all cells of the matrix");
            equal(&fit(&data, id, &[("diagonal", "true")]), &theirs, "with the diagonal in");
            if set == "clumps" {
                // Two clumps: no pair is so far apart that the two radii judge it differently.
                assert_eq!(between, 0);
                equal(&ours, &theirs, id);
            } else {
                assert!(between > 0);
                differ(&ours, &theirs, 1e-4, id);
            }
        }
    }
}

#[test]
fn one_missing_cell_halves_the_radius_of_scikit_rebates_surf() {
    // With a missing cell it fills one half of the matrix and averages over the whole.
    let data = data("one-hole");
    let d = distances(&data, 1.0);
    let (without, with) = radii(&d);
    for (id, star) in [("surf", false), ("surf-star", true)] {
        let surf =
            |radius| plain::weights(&data, diff, |i| plain::surf(&data, &d, radius, star, i));
        let ours = fit(&data, id, &[("missing", "agnostic")]);
        let theirs = scores("skrebate", "one-hole", id, "");
        equal(&ours, &surf(without), id);
        equal(&theirs, &surf(with / 2.0), id);
        // One cell of 360: ours hardly moves, theirs is another answer.
        let whole = fixture::data("binary");
        assert!(gap(&ours, &fit(&whole, id, &[])) < 0.01);
        differ(&theirs, &scores("skrebate", "binary", id, ""), 0.02, id);
    }
}

#[test]
fn scikit_rebate_ignores_class_priors() {
    let data = data("wine");
    let d = distances(&data, 1.0);
    let ours = fit(&data, "relieff", &[]);
    let theirs = scores("skrebate", "wine", "relieff", "");
    equal(&ours, &plain_relieff(&data), "P(C)/(1 − P(y))");
    let even = |i| plain::nearest(&data, &d, 10, &by_count, i);
    equal(&theirs, &plain::weights(&data, diff, even), "1/(C − 1)");
    differ(&ours, &theirs, 0.015, "relieff");
    for (id, star) in [("multisurf", false), ("multisurf-star", true)] {
        let ours = fit(&data, id, &[]);
        let theirs = scores("skrebate", "wine", id, "");
        equal(&ours, &plain_multisurf(&data, star), id);
        let by_count = |i| plain::multisurf(&data, &d, &by_count, star, i);
        equal(&theirs, &plain::weights(&data, diff, by_count), id);
        differ(&ours, &theirs, 0.01, id);
    }
}

#[test]
fn scikit_rebate_counts_a_mismatch_for_more_where_columns_are_mixed() {
    // p/|D| = 6/2 for a mismatch in the distance, and a difference beyond a deviation is 1.
    let data = data("mixed");
    let (d, share) = (distances(&data, 3.0), by_prior(&data));
    let ours = fit(&data, "relieff", &[]);
    let theirs = scores("skrebate", "mixed", "relieff", "");
    equal(&ours, &plain_relieff(&data), "a mismatch counts 1");
    let heavy = |i| plain::nearest(&data, &d, 10, &share, i);
    equal(&theirs, &plain::weights(&data, ramp, heavy), "a mismatch counts p/|D|");
    differ(&ours, &theirs, 0.05, "relieff");
}

#[test]
fn a_constant_column_changes_every_score_of_scikit_rebate() {
    let plain = data("binary");
    let wider = data("binary").with(Column::numeric("constant", vec![1.0; plain.rows()]));
    let (d, share) = (distances(&plain, 1.0), by_prior(&plain));
    for id in ["relieff", "surf", "surf-star", "multisurf"] {
        let (ours, all) = (fit(&plain, id, &[]), fit(&wider, id, &[]));
        equal(&ours, &all[..6], id);
        assert_eq!(all[6], 0.0);
        let theirs = scores("skrebate", "binary", id, "constant column added");
        for (with, without) in theirs[..6].iter().zip(&ours) {
            assert!((with - without).abs() > 1e-3, "{id}");
        }
    }
    let ramped = plain::weights(&plain, ramp, |i| plain::nearest(&plain, &d, 10, &share, i));
    let theirs = scores("skrebate", "binary", "relieff", "constant column added");
    equal(&theirs[..6], &ramped, "the ramp that mixed columns turn on");
}

#[test]
fn scikit_rebate_cuts_whole_numbers_down_before_it_measures() {
    let data = data("integers");
    let share = by_prior(&data);
    for id in ["relieff", "multisurf"] {
        let ours = fit(&data, id, &[]);
        equal(&ours, &scores("skrebate", "integers", id, ""), "the same numbers as floats");
        differ(&ours, &scores("skrebate", "integers", id, "integer array"), 0.01, id);
    }
    // (x − min)/range put into an array of integers is 0, or 1 for the greatest.
    let cut: Vec<Vec<f64>> = data.cells.iter().map(|c| cut(c)).collect();
    let apart = |i: usize, j: usize| cut.iter().map(|c| (c[i] - c[j]).abs()).sum();
    let d: plain::Matrix =
        (0..data.rows()).map(|i| (0..data.rows()).map(|j| apart(i, j)).collect()).collect();
    let theirs = scores("skrebate", "integers", "multisurf", "integer array");
    let found = plain::weights(&data, diff, |i| plain::multisurf(&data, &d, &share, false, i));
    equal(&theirs, &found, "multisurf on cut numbers");
}

fn cut(column: &[f64]) -> Vec<f64> {
    let least = column.iter().copied().fold(f64::INFINITY, f64::min);
    column.iter().map(|x| ((x - least) / plain::range(column)).trunc()).collect()
}

#[test]
fn scikit_rebate_has_no_regression_but_hits_within_a_deviation() {
    // Six columns, one nominal: a mismatch counts 6 and differences are ramped.
    let data = data("real");
    let d = distances(&data, 6.0);
    let n = data.rows() as f64;
    let deviation = plain::deviation(&data.real) * (n / (n - 1.0)).sqrt();
    let sides = |i: usize, itself: bool| {
        let mut order: Vec<usize> = (0..data.rows()).filter(|&j| j != i).collect();
        order.sort_by(|&a, &b| d[i][a].total_cmp(&d[i][b]));
        // It puts the target behind all others, where it still is found when hits are few.
        order.extend(itself.then_some(i));
        let hit = |j: &usize| (data.real[i] - data.real[*j]).abs() < deviation;
        let (hits, misses): (Vec<_>, Vec<_>) = order.into_iter().partition(hit);
        let ten = |rows: Vec<usize>| rows.into_iter().take(10).collect();
        vec![plain::Group::even(-1.0, ten(hits)), plain::Group::even(1.0, ten(misses))]
    };
    let found = |itself| plain::weights(&data, ramp, |i| sides(i, itself));
    let theirs = scores("skrebate", "real", "relieff", "");
    equal(&theirs, &found(true), "hits within a deviation, the row itself among them");
    differ(&theirs, &found(false), 1e-3, "hits within a deviation");
    differ(&theirs, &fit(&data, "rrelieff", &[]), 0.05, "rrelieff");
}

#[test]
fn categories_agree_with_scikit_rebate_but_for_its_class_weights() {
    let data = data("nominal");
    let d = distances(&data, 1.0);
    for (id, star) in [("multisurf", false), ("multisurf-star", true)] {
        equal(&fit(&data, id, &[]), &plain_multisurf(&data, star), id);
        let theirs = scores("skrebate", "nominal", id, "");
        let by_count = |i| plain::multisurf(&data, &d, &by_count, star, i);
        equal(&theirs, &plain::weights(&data, diff, by_count), id);
    }
}

#[test]
fn scikit_rebate_leaves_ties_to_an_unstable_sort() {
    // Six loci of three values: many rows are equally near. With a sort that keeps the order
    // of rows scikit-rebate chooses as nearkin does; its own choice depends on the machine.
    let data = data("loci");
    let ours = fit(&data, "relieff", &[]);
    equal(&ours, &plain_relieff(&data), "the row that comes first is nearer");
    equal(&ours, &scores("skrebate", "loci", "relieff", "stable sort"), "stable sort");
    differ(&ours, &scores("skrebate", "loci", "relieff", ""), 1e-3, "its own sort");
}

// --- Orange -----------------------------------------------------------------------------------

#[test]
fn relieff_agrees_with_orange_on_complete_tables() {
    for set in ["binary", "wine", "mixed", "three"] {
        equal(&fit(&data(set), "relieff", &[]), &scores("orange", set, "relieff", ""), set);
    }
}

#[test]
fn orange_guesses_missing_cells_by_other_rules_and_has_its_own_rrelieff() {
    // P(v | class) where the textbook has 1 − P, densities for numbers; and an influence of
    // 1/(5k) a neighbour, with which m − N_dC no longer is what is left of N_dC.
    let data = data("holes");
    let theirs = scores("orange", "holes", "relieff", "");
    for policy in ["agnostic", "b", "c", "d", "weka", "relieved", "one"] {
        differ(&fit(&data, "relieff", &[("missing", policy)]), &theirs, 1e-3, policy);
    }
    let ours = fit(&fixture::data("real"), "rrelieff", &[("weighting", "equal")]);
    differ(&ours, &scores("orange", "real", "rrelieff", ""), 1e-3, "rrelieff");
}

// --- Weka -------------------------------------------------------------------------------------

#[test]
fn relieff_agrees_with_weka_on_complete_tables() {
    for set in ["binary", "wine", "mixed", "three"] {
        equal(&fit(&data(set), "relieff", &[]), &scores("weka", set, "relieff", ""), set);
    }
    // More neighbours than a class has rows: ties do not matter, all are taken.
    let found = fit(&data("nominal"), "relieff", &[("k", "100")]);
    equal(&found, &scores("weka", "nominal", "relieff", "k 100"), "nominal");
}

#[test]
fn missing_cells_by_wekas_rules_agree_with_weka() {
    let found = fit(&data("holes"), "relieff", &[("missing", "weka")]);
    equal(&found, &scores("weka", "holes", "relieff", ""), "holes");
}

#[test]
fn weka_ranks_neighbours_from_nought() {
    // exp(−(r/σ)²) with r = 0, 1, …; nearkin's ranks begin at 1, as published.
    for set in ["binary", "wine", "mixed", "three"] {
        let data = data(set);
        let (d, share) = (distances(&data, 1.0), by_prior(&data));
        let ranked = |first: usize| {
            plain::weights(&data, diff, |i| {
                let mut found = plain::nearest(&data, &d, 10, &share, i);
                for (rank, member) in
                    found.iter_mut().flat_map(|g| g.members.iter_mut().enumerate())
                {
                    member.1 = (-((rank + first) as f64 / 2.0).powi(2)).exp();
                }
                found
            })
        };
        let ours = fit(&data, "relieff", &[("weighting", "rank"), ("sigma", "2")]);
        equal(&ours, &ranked(1), set);
        equal(&scores("weka", set, "relieff", "rank weights"), &ranked(0), set);
    }
}

#[test]
fn rrelieff_agrees_with_weka() {
    for (set, missing) in [("real", "d"), ("real-holes", "weka")] {
        let data = data(set);
        let even = [("weighting", "equal"), ("missing", missing)];
        equal(&fit(&data, "rrelieff", &even), &scores("weka", set, "rrelieff", ""), set);
        let ranked =
            [("weighting", "rank"), ("sigma", "2"), ("rank_from", "0"), ("missing", missing)];
        let theirs = scores("weka", set, "rrelieff", "rank weights");
        equal(&fit(&data, "rrelieff", &ranked), &theirs, set);
    }
}
