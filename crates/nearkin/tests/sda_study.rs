//! The chapter's simulation: generator, means beside recorded ones, claims, consistency.
#![allow(clippy::unwrap_used, clippy::panic)]

use nearkin::Run;
use nearkin::data::{Target, Values};
use nearkin::evaluate::sda::{
    Recorded, Study, allowed_beyond_three, claims, compare, consistency, perturbed_centroids_study,
};
use nearkin::simulate::{PerturbedCentroids, Simulate};

/// Rows of bits with their classes.
fn rows(made: &PerturbedCentroids) -> Vec<(usize, Vec<u16>)> {
    let made = made.generate().unwrap();
    let Target::Classes(classes) = &made.target else { panic!() };
    let bit = |values: &Values, row: usize| match values {
        Values::Nominal { codes, .. } => codes[row],
        _ => panic!("bits are categories"),
    };
    let row = |r: usize| made.table.columns().iter().map(|c| bit(&c.values, r)).collect();
    let class = |r: usize| classes.names()[classes.codes()[r] as usize].parse().unwrap();
    (0..made.table.rows()).map(|r| (class(r), row(r))).collect()
}

#[test]
fn rows_lie_as_far_from_their_centroid_as_bits_are_flipped() {
    let made = PerturbedCentroids {
        rows: 4000,
        bits: 40,
        flip_0: 0.3,
        flip_1: 0.1,
        share_0: 0.25,
        ..PerturbedCentroids::default()
    };
    let centres = made.centres();
    let (mut flipped, mut count) = ([0.0f64; 2], [0.0f64; 2]);
    for (class, row) in rows(&made) {
        let off = row.iter().zip(&centres[class][0]).filter(|(a, b)| a != b).count();
        flipped[class] += off as f64 / 40.0;
        count[class] += 1.0;
    }
    assert!((count[0] / 4000.0 - 0.25).abs() < 0.03);
    assert!((flipped[0] / count[0] - 0.3).abs() < 0.01);
    assert!((flipped[1] / count[1] - 0.1).abs() < 0.01);
}

#[test]
fn another_sample_has_the_same_centroids_and_other_rows() {
    let first = PerturbedCentroids { centroids: 2, ..PerturbedCentroids::default() };
    let second = PerturbedCentroids { sample: 1, ..first.clone() };
    assert_eq!(first.centres(), second.centres());
    assert_ne!(rows(&first), rows(&second));
    assert_eq!(rows(&first), rows(&first.clone()));
}

#[test]
fn centroids_of_a_class_are_as_alike_as_asked() {
    let agree = |alike| {
        let made = PerturbedCentroids { bits: 20_000, centroids: 2, alike, ..Default::default() };
        let centres = made.centres();
        let same = |a: &[u16], b: &[u16]| {
            a.iter().zip(b).filter(|(a, b)| a == b).count() as f64 / 20_000.0
        };
        (same(&centres[0][0], &centres[0][1]), same(&centres[0][0], &centres[1][0]))
    };
    let (within, between) = agree(0.0);
    assert!((within - 0.5).abs() < 0.02 && (between - 0.5).abs() < 0.02);
    // A bit agrees when it is kept, or by luck: 0.6 + 0.4/2.
    let (within, between) = agree(0.6);
    assert!((within - 0.8).abs() < 0.02 && (between - 0.5).abs() < 0.02);
}

/// The densities of all rows add up to 1.
#[test]
fn the_density_is_that_of_the_rows() {
    let made = PerturbedCentroids { bits: 4, centroids: 2, ..PerturbedCentroids::default() };
    let centres = made.centres();
    for class in 0..2 {
        let all = (0..16u16).map(|n| (0..4).map(|bit| n >> bit & 1).collect::<Vec<u16>>());
        let sum: f64 = all.map(|row| made.log_density(&centres, class, &row).exp()).sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}

/// Means of a numpy prototype of these classifiers, twenty runs of 1,000 test rows each.
fn recorded() -> Vec<Recorded> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../nearkin-cli/data/sda_simulation.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        Recorded {
            table: cells[0].parse().unwrap(),
            bits: cells[1].parse().unwrap(),
            method: cells[2].into(),
            mean: cells[3].parse().unwrap(),
            error: cells[4].parse().unwrap(),
        }
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn means_lie_within_three_standard_errors_of_the_prototype_s() {
    let study = Study { bits: vec![8, 25], ..Study::default() };
    let cells = perturbed_centroids_study(&study, &Run::default()).unwrap();
    let beside = compare(&cells, &recorded());
    assert_eq!(beside.len(), 76, "four tables, two numbers of bits, nine or ten methods");
    let beyond: Vec<_> = beside.iter().filter(|b| b.z.abs() > 3.0).collect();
    assert!(beyond.len() <= allowed_beyond_three(beside.len()), "{beyond:#?}");
}

#[test]
fn what_chance_allows_grows_with_the_number_of_cells() {
    // P(B(200, 0.005) > 4) = 0.0036 and P(B(200, 0.005) > 5) = 0.0006.
    assert_eq!(allowed_beyond_three(200), 5);
    assert_eq!(allowed_beyond_three(0), 0);
    // P(B(10, 0.005) > 1) = 0.0011 and > 2 is rarer still.
    assert_eq!(allowed_beyond_three(10), 2);
}

#[test]
fn a_run_of_the_study_does_not_depend_on_threads() {
    let study = Study { tables: vec![1, 7], bits: vec![8], runs: 2, test: 50, ..Study::default() };
    let on = |threads| perturbed_centroids_study(&study, &Run::on(threads)).unwrap();
    assert_eq!(on(1), on(2));
    let wrong = Study { tables: vec![9], ..study };
    assert!(perturbed_centroids_study(&wrong, &Run::default()).is_err());
}

#[test]
fn claims_are_read_off_the_cells_there_are() {
    let study = Study { tables: vec![2], bits: vec![2, 25], runs: 6, ..Study::default() };
    let cells = perturbed_centroids_study(&study, &Run::default()).unwrap();
    let found = claims(&cells, &[]);
    let names: Vec<&str> = found.iter().map(|claim| claim.claim.as_str()).collect();
    assert_eq!(found.len(), 3, "{names:?}");
    assert!(names[0].contains("local SDA") && names[2].contains("largest prior"));
}

/// Theorem 1: with k growing and k/n vanishing, the error comes down to the least possible.
#[test]
fn local_sda_comes_near_the_least_error_as_samples_become_many() {
    let study = Study { runs: 10, test: 400, ..Study::default() };
    let found = consistency(6, 8, &[50, 800], &study, &Run::default()).unwrap();
    let excess = |at: usize| found[at].local.0 - found[at].least.0;
    assert!(excess(1) < 0.6 * excess(0), "{found:?}");
    assert!(excess(1) > -1.0, "nothing does better than the truth: {found:?}");
}
