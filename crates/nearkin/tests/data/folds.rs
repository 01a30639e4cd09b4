//! Laws of `data::folds`.

use nearkin::data::*;

fn classes(counts: &[usize]) -> Classes {
    let labels = counts.iter().enumerate();
    Classes::from_labels(labels.flat_map(|(class, &n)| vec![class.to_string(); n]))
}

fn splits(cut: Cut, stratified: bool, counts: &[usize]) -> Vec<Split> {
    let protocol = Protocol { cut, repeats: 1, stratified, seed: 5 };
    protocol.splits(&classes(counts), None).unwrap()
}

#[test]
fn folds_ask_about_every_row_once() {
    for stratified in [false, true] {
        for folds in [2, 3, 10] {
            let splits = splits(Cut::Folds(folds), stratified, &[20, 11, 4]);
            let mut asked: Vec<usize> = splits.iter().flat_map(|s| s.test.clone()).collect();
            asked.sort_unstable();
            assert_eq!(asked, (0..35).collect::<Vec<_>>());
            let sizes: Vec<usize> = splits.iter().map(|s| s.test.len()).collect();
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
            assert!(splits.iter().all(|s| s.train.iter().all(|r| !s.test.contains(r))));
        }
    }
}

#[test]
fn stratified_folds_hold_each_class_to_within_a_row() {
    let of = classes(&[20, 11, 4]);
    for split in splits(Cut::Folds(4), true, &[20, 11, 4]) {
        for (class, wanted) in [5.0, 2.75, 1.0].iter().enumerate() {
            let held = split.test.iter().filter(|&&r| of.codes()[r] as usize == class).count();
            assert!((held as f64 - wanted).abs() < 1.0);
        }
    }
    let half = splits(Cut::HoldOut(0.25), true, &[60, 20]);
    assert_eq!(half[0].test.iter().filter(|&&row| row >= 60).count(), 5);
}

#[test]
fn even_folds_are_those_of_the_papers() {
    for (rows, test) in [(150, 30), (178, 35), (214, 42), (768, 153)] {
        let splits = splits(Cut::EvenFolds(5), false, &[rows]);
        assert_eq!(splits.len(), 5);
        assert!(splits.iter().all(|s| s.test.len() == test && s.train.len() == rows - test));
    }
}

#[test]
fn groups_stay_together() {
    let groups: Vec<u32> = (0..40).map(|row| row / 7).collect();
    for cut in [Cut::Folds(3), Cut::HoldOut(0.3), Cut::LeaveOneOut] {
        let protocol = Protocol { cut, repeats: 3, stratified: true, seed: 1 };
        for split in protocol.splits(&classes(&[25, 15]), Some(&groups)).unwrap() {
            assert!(!split.test.is_empty() && !split.train.is_empty());
            for row in &split.test {
                assert!(split.train.iter().all(|t| groups[*t] != groups[*row]), "{cut:?}");
            }
        }
    }
}

#[test]
fn leave_one_out_asks_about_each_row_alone() {
    let splits = splits(Cut::LeaveOneOut, false, &[3, 2]);
    assert_eq!(splits.len(), 5);
    assert!(splits.iter().enumerate().all(|(row, s)| s.test == [row] && s.train.len() == 4));
}

#[test]
fn what_cannot_be_cut_is_refused() {
    let of = classes(&[3, 2]);
    for cut in [Cut::Folds(1), Cut::Folds(6), Cut::HoldOut(0.0), Cut::HoldOut(1.0)] {
        let protocol = Protocol { cut, ..Protocol::default() };
        assert!(protocol.splits(&of, None).is_err(), "{cut:?}");
    }
    let protocol = Protocol { cut: Cut::Folds(2), ..Protocol::default() };
    assert!(protocol.splits(&of, Some(&[1, 1])).is_err());
    assert!(protocol.splits(&of, Some(&[1; 5])).is_err());
}

#[test]
fn repetitions_are_different_and_repeat_by_seed() {
    let protocol = Protocol { cut: Cut::Folds(2), repeats: 2, ..Protocol::default() };
    let of = classes(&[30, 20]);
    let splits = protocol.splits(&of, None).unwrap();
    assert_ne!(splits[0], splits[2]);
    assert_eq!(splits, protocol.splits(&of, None).unwrap());
}
