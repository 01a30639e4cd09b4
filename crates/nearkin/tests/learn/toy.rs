//! The toy of the reference values, and how they are compared.

use nearkin::data::{Classes, Column, Table, Target};
use nearkin::learn::*;
use nearkin::measure::Form;
use serde_json::Value;

pub const FORMS: [(Form, &str); 3] =
    [(Form::Diagonal, "diag"), (Form::Symmetric, "sym"), (Form::Full, "full")];

pub fn goldens() -> Value {
    serde_json::from_str(include_str!("../fixtures/similarity.json")).unwrap()
}

pub fn toy() -> (Table<'static>, Target) {
    let mut lines = include_str!("../fixtures/similarity.csv").lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let column = |c: usize| {
        Column::numeric(names[c], rows.iter().map(|row| row[c].parse().unwrap()).collect())
    };
    let table = Table::new((0..4).map(column).collect()).unwrap();
    (table, Target::classes(rows.iter().map(|row| row[4])))
}

pub fn codes(target: &Target) -> Vec<u32> {
    classes(target).codes().to_vec()
}

pub fn classes(target: &Target) -> &Classes {
    let Target::Classes(classes) = target else { panic!() };
    classes
}

pub fn common(k: usize, matrix: Form) -> LearnSettings {
    LearnSettings { k, matrix, ..LearnSettings::default() }
}

/// Numbers of a golden value, lists within lists one after another.
pub fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(parts) => parts.iter().flat_map(numbers).collect(),
        number => vec![number.as_f64().unwrap()],
    }
}

pub fn close(found: &[f64], golden: &Value, what: &str) {
    let golden = numbers(golden);
    assert_eq!(found.len(), golden.len(), "{what}");
    for (found, golden) in found.iter().zip(&golden) {
        let off = (found - golden).abs();
        assert!(off <= 1e-9 * golden.abs().max(1.0), "{what}: {found}, not {golden}");
    }
}

pub fn method_of(id: &str, k: usize, form: Form) -> Box<dyn Learn> {
    let mut found = method(id).unwrap();
    set(&mut *found, "k", &k.to_string()).unwrap();
    let word = nearkin::parameter::Value::show(&form);
    set(&mut *found, "matrix", &word).unwrap();
    found
}
