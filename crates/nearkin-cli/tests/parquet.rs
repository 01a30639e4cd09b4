//! Parquet files from the command line. Run with `--features parquet`.
#![cfg(feature = "parquet")]
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;

use common::Place;
use serde_json::Value;

fn fixture(name: &str) -> String {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../nearkin-read/tests/fixtures/parquet");
    folder.join(name).display().to_string()
}

/// Numbers, categories and holes in three row groups.
#[test]
fn every_method_weighs_a_parquet_file_as_the_same_table_in_text() {
    let place = Place::new();
    for method in nearkin::weigh::methods() {
        let id = method.about().id;
        let target = if id == "rrelieff" { "value" } else { "class" };
        let [parquet, text] = ["weighed.parquet", "weighed.csv"].map(|name| {
            let file = fixture(name);
            let words = ["weigh", &file, "-m", id, "--target", target, "--format", "json"];
            serde_json::from_str::<Value>(&place.run(&words).well().out).unwrap()
        });
        assert!(parquet["weights"].as_array().unwrap().len() >= 6, "{id}");
        assert_eq!(parquet["weights"], text["weights"], "{id}");
    }
}

#[test]
fn a_damaged_file_is_no_fault_of_the_programs() {
    let bytes = std::fs::read(fixture("weighed.parquet")).unwrap();
    let place = Place::new();
    let mut refused = 0;
    for (at, mask) in (0..bytes.len()).step_by(23).flat_map(|at| [(at, 0x5a), (at, 0xff)]) {
        let mut bytes = bytes.clone();
        bytes[at] ^= mask;
        place.file("damaged.parquet", &bytes);
        let told = place.run(&["data", "./damaged.parquet"]);
        assert!(matches!(told.code, Some(0 | 2)), "byte {at}: {told:?}");
        refused += usize::from(told.code == Some(2));
        assert!(!told.err.contains("fault"), "byte {at}: {told:?}");
    }
    assert!(refused > 0);
}
