//! What cannot be learned from, and what is taken with a note.

use crate::toy::*;
use nearkin::data::{Column, Table, Target};
use nearkin::learn::*;
use nearkin::measure::{Form, Norm};
use nearkin::parameter::Parameters;
use nearkin::pool::Watch;
use nearkin::{Error, Run};

#[test]
fn what_cannot_be_learned_from_is_refused_in_a_sentence() {
    let table = |cells: [[f64; 4]; 2]| {
        let [x, y] = cells.map(|c| c.to_vec());
        Table::new(vec![Column::numeric("x", x), Column::numeric("y", y)]).unwrap()
    };
    let fine = || table([[1.0, 2.0, 3.0, 4.0], [4.0, 2.0, 3.0, 1.0]]);
    let target = Target::classes(["a", "a", "b", "b"]);
    let told = |table: &Table, target: &Target, norm: &str| {
        let all: Vec<String> = methods()
            .iter()
            .map(|m| {
                let mut method = method_of(m.about().id, 1, Form::Diagonal);
                if m.about().id.starts_with("relief") {
                    set(&mut *method, "used_as", "similarity").unwrap();
                }
                set(&mut *method, "norm", norm).unwrap();
                method.fit(table, target).unwrap_err().to_string()
            })
            .collect();
        all.join("\n")
    };
    let every = |told: String, words: &str| {
        assert_eq!(told.lines().filter(|line| line.contains(words)).count(), 7, "{told}");
    };
    every(told(&fine(), &Target::classes(["a"; 4]), "cosine"), "every row is of class `a`");
    every(told(&fine(), &Target::real(vec![1.0; 4]).unwrap(), "cosine"), "needs classes");
    every(told(&fine(), &Target::classes(["a", "b"]), "cosine"), "they must agree");
    every(told(&fine(), &Target::classes(["a", "b", "c", "d"]), "cosine"), "a single row");
    let zero = table([[1.0, 0.0, 3.0, 4.0], [4.0, 0.0, 3.0, 1.0]]);
    every(told(&zero, &target, "cosine"), "row 1 is all zeros");
    let negative = table([[1.0, 2.0, -3.0, 4.0], [4.0, 0.0, 3.0, 1.0]]);
    for norm in ["dice", "jaccard"] {
        every(told(&negative, &target, norm), "row 2, column `x`: -3 is negative");
    }
    let missing = table([[1.0, 2.0, 3.0, f64::NAN], [4.0, 0.0, 3.0, 1.0]]);
    every(told(&missing, &target, "dot"), "row 3, column `x`: the value is missing");
    let huge = table([[1e200, 2e200, 3e200, 4e200], [4.0, 2.0, 3.0, 1.0]]);
    every(told(&huge, &target, "dot"), "too large to hold");
    let same = table([[1.0; 4], [1.0; 4]]);
    for id in ["rbs", "rbs-psd"] {
        let error = method(id).unwrap().fit(&same, &target).unwrap_err().to_string();
        assert!(error.contains("balance out"), "{error}");
    }
    let sila = Sila { start: FirstMatrix::Null, ..Sila::default() };
    assert!(sila.fit(&same, &target).unwrap_err().to_string().contains("start from identity"));
    assert!(method("oasis").err().unwrap().to_string().contains("there are sila, rbs"));
    let mut rbs = method("rbs").unwrap();
    assert!(set(&mut *rbs, "beta", "1").unwrap_err().to_string().contains("it has k, norm"));
    assert!(set(&mut *rbs, "k", "0").unwrap_err().to_string().contains("at least 1"));
}

#[test]
fn classes_smaller_than_k_are_told_and_learned_from() {
    let (table, _) = toy();
    let label = |i: usize| match i {
        0 => "one",
        1 | 2 => "two",
        _ if i.is_multiple_of(2) => "even",
        _ => "odd",
    };
    let target = Target::classes((0..30).map(label));
    for method in methods() {
        let learned = method.fit(&table, &target).unwrap();
        let notes =
            learned.notes.iter().map(|note| note.to_string()).collect::<Vec<_>>().join("\n");
        assert!(notes.contains("class `one` has one row"), "{notes}");
        assert!(notes.contains("class `two` has 2 rows: fewer than k = 3"), "{notes}");
        let model = &learned.models[0];
        assert_eq!((model.before.len(), model.after.len()), (29, 29), "the lone row has no margin");
        assert!(model.similarity.matrix().is_finite());
    }
}

#[test]
fn amounts_under_dice_are_taken_with_a_note() {
    let (table, target) = toy();
    let dice = Sila {
        common: LearnSettings { norm: Norm::Dice, ..LearnSettings::default() },
        ..Sila::default()
    };
    let notes = dice.fit(&table, &target).unwrap().notes;
    assert!(
        notes.iter().any(|note| note.to_string().contains("meant for 0/1 columns")),
        "{notes:?}"
    );
}

#[test]
fn a_watcher_can_stop_every_method() {
    struct Impatient;
    impl Watch for Impatient {
        fn advance(&self, _: u64, _: u64) {}
        fn stopped(&self) -> bool {
            true
        }
    }
    let (table, target) = toy();
    let run = Run::on(1).watched(&Impatient);
    for method in methods() {
        let found = method.fit_with(&table, &target, &run);
        assert_eq!(found.err(), Some(Error::Stopped), "{}", method.about().id);
    }
}

#[test]
fn every_parameter_can_be_set_to_its_default_by_name() {
    for method in methods() {
        let id = method.about().id;
        let mut again = nearkin::learn::method(id).unwrap();
        for parameter in method.parameters() {
            assert!(!parameter.help.is_empty());
            set(&mut *again, parameter.name, &parameter.default).unwrap();
            set(&mut *again, parameter.python, &parameter.default).unwrap();
        }
        assert_eq!(again.parameters(), method.parameters(), "{id}");
    }
    assert_eq!(Sila::default().parameters().len(), 11);
}

#[test]
fn settings_without_an_effect_are_refused_or_told_of() {
    let (x, y) = (vec![1.0, 2.0, 3.0, 4.0, 5.0], vec![4.0, 2.5, 3.0, 1.0, 2.0]);
    let table = Table::new(vec![Column::numeric("x", x), Column::numeric("y", y)]).unwrap();
    let target = Target::classes(["a", "a", "b", "b", "b"]);
    for id in ["relief", "relief-psd"] {
        let told = |name: &str, text: &str| {
            let mut method = method_of(id, 1, Form::Diagonal);
            set(&mut *method, name, text).unwrap();
            method.fit(&table, &target).unwrap_err().to_string()
        };
        assert!(told("norm", "jaccard").starts_with("norm: a distance is divided by no norm"));
        assert!(told("constant", "2").starts_with("constant: rows do not differ in a constant"));
    }
    for id in ["rbs-psd", "srbs-psd", "relief-psd"] {
        let fit = |form| method_of(id, 1, form).fit(&table, &target).unwrap();
        let (full, symmetric) = (fit(Form::Full), fit(Form::Symmetric));
        let cells = |learned: &Learned| learned.models[0].similarity.matrix().cells().to_vec();
        let apart = cells(&full).iter().zip(cells(&symmetric)).any(|(a, b)| (a - b).abs() > 1e-9);
        assert!(!apart, "{id}: {full:?} {symmetric:?}");
        assert!(full.notes[0].to_string().contains("`full` learns what `symmetric` does"), "{id}");
        assert!(symmetric.notes.is_empty(), "{id}: {:?}", symmetric.notes);
    }
}
