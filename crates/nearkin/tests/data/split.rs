//! Laws of `data::split`.

use nearkin::data::*;

fn target(counts: &[usize]) -> Target {
    let labels = counts.iter().enumerate();
    Target::classes(labels.flat_map(|(class, &n)| vec![class.to_string(); n]))
}

#[test]
fn parts_are_disjoint_sorted_and_of_the_size_asked_for() {
    let target = target(&[30, 12, 3]);
    for stratified in [false, true] {
        for number in 0..20 {
            let holdout = Holdout { train: 30, test: 11, stratified, seed: 3 };
            let split = holdout.split(&target, number).unwrap();
            assert_eq!((split.train.len(), split.test.len()), (30, 11));
            assert!(split.train.is_sorted() && split.test.is_sorted());
            assert!(split.train.iter().all(|row| split.test.binary_search(row).is_err()));
            assert!(split.train.iter().chain(&split.test).all(|&row| row < 45));
        }
    }
}

#[test]
fn stratified_parts_keep_class_shares_to_within_a_row() {
    let target = target(&[60, 25, 15]);
    let holdout = Holdout { train: 67, test: 33, stratified: true, seed: 1 };
    let split = holdout.split(&target, 0).unwrap();
    let Target::Classes(classes) = &target else { panic!() };
    for (class, share) in [0.6, 0.25, 0.15].iter().enumerate() {
        let count = |rows: &[usize]| {
            rows.iter().filter(|&&row| classes.codes()[row] as usize == class).count() as f64
        };
        assert!((count(&split.test) - share * 33.0).abs() < 1.0);
        assert!((count(&split.train) - share * 67.0).abs() < 1.0);
    }
}

#[test]
fn a_split_depends_on_seed_and_number_alone() {
    let target = target(&[20, 20]);
    let split = |seed, number| {
        let holdout = Holdout { train: 30, test: 10, stratified: false, seed };
        holdout.split(&target, number).unwrap()
    };
    assert_eq!(split(1, 4), split(1, 4));
    assert_ne!(split(1, 4), split(1, 5));
    assert_ne!(split(1, 4), split(2, 4));
}

#[test]
fn more_rows_than_there_are_cannot_be_split() {
    let holdout = Holdout { train: 5, test: 6, stratified: false, seed: 0 };
    assert!(holdout.split(&target(&[10]), 0).unwrap_err().to_string().contains("10 rows"));
    assert_eq!(Holdout::fifth(683, 0).test, 137);
}
