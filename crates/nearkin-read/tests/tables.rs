//! Real tables: sizes, classes and missing cells as their index records them.
//!
//! Runs when `NEARKIN_DATA` names the folder of data; passes without it.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::PathBuf;

use nearkin::data::Target;
use nearkin_read::{Options, TargetKind, read};
use serde_json::Value;

/// Left out where a build without optimisation would take too long.
const LARGE: [&str; 1] = ["covtype"];

#[test]
fn every_table_has_the_rows_columns_classes_and_gaps_of_its_index() {
    let Some(folder) = std::env::var_os("NEARKIN_DATA") else { return };
    let folder = PathBuf::from(folder).join("tables");
    let index = std::fs::read_to_string(folder.join("index.json")).unwrap();
    let index: Value = serde_json::from_str(&index).unwrap();
    let mut read_in_all = 0;
    for (name, about) in index.as_object().unwrap() {
        let file = about["file"].as_str().unwrap();
        let text = file.ends_with(".csv") || file.ends_with(".csv.gz");
        if !text || (cfg!(debug_assertions) && LARGE.contains(&name.as_str())) {
            continue;
        }
        let options = Options { target_kind: TargetKind::Classes, ..Options::default() };
        let loaded = read(&folder.join(file), &options).unwrap_or_else(|e| panic!("{e}"));
        let number = |key: &str| about[key].as_u64().unwrap() as usize;
        assert_eq!(loaded.table.rows(), number("n"), "{name}");
        assert_eq!(loaded.table.columns().len(), number("p"), "{name}");
        let missing: usize = loaded.table.columns().iter().map(|c| c.missing()).sum();
        assert_eq!(missing, number("missing_cells"), "{name}");
        assert_eq!(loaded.header, Some(true), "{name}");
        let Some(Target::Classes(classes)) = &loaded.target else { panic!("{name}") };
        let counts = about["classes"].as_object().unwrap();
        assert_eq!(classes.len(), counts.len(), "{name}");
        for (class, &count) in classes.names().iter().zip(classes.counts()) {
            assert_eq!(counts[class].as_u64(), Some(count as u64), "{name}, class {class}");
        }
        let auto = read(&folder.join(file), &Options::default());
        assert!(matches!(auto.unwrap().target, Some(Target::Classes(_))), "{name}");
        read_in_all += 1;
    }
    assert!(read_in_all > 0, "{} lists no table that could be read", folder.display());
}
