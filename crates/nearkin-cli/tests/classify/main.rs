//! `classify`, `predict`, `explain` and `model` over tables and over similarities alone.
#![allow(clippy::unwrap_used)] // a test's helpers are tests

#[path = "../common/mod.rs"]
mod common;
mod costs;
mod held_out;
mod labels;
mod similarities;
mod tables;

use common::Place;
use serde_json::Value;

const S: &str = "4,3,1,0\n3,4,0,1\n1,0,4,2\n0,1,2,4\n";
const NAMED: &str = ",a,b,c,d\na,4,3,1,0\nb,3,4,0,1\nc,1,0,4,2\nd,0,1,2,4\n";
const LABELS: &str = "cat\ncat\ndog\ndog\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn pets() -> Place {
    let place = Place::new();
    place.file("S.csv", S).file("y.txt", LABELS).file("q.csv", "3,3,0,1\n0,1,3,3\n");
    place
}

fn fit(place: &Place, s: &str, more: &str) -> common::Answer {
    let words = ["classify", "--similarity", s, "--labels", "y.txt", "--test", "0"];
    let more: Vec<&str> = more.split(' ').filter(|word| !word.is_empty()).collect();
    place.run(&[&words[..], &more].concat())
}
