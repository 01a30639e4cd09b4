//! No input makes a reader panic: every file is a table or an error.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use nearkin_read::{Format, Options, TargetChoice, TargetKind, read_bytes};
use proptest::prelude::*;

const SEEDS: [&str; 10] = [
    "quotes.csv",
    "missing.csv",
    "spellings.csv",
    "blanks.data",
    "packed.csv.gz",
    "dense.arff",
    "quoted.arff",
    "sparse.arff",
    "f8_fortran.npy",
    "i4.npy",
];

fn seed(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)).unwrap()
}

fn options() -> impl Strategy<Value = Options> {
    let target = prop_oneof![
        Just(TargetChoice::Auto),
        Just(TargetChoice::None),
        Just(TargetChoice::Column("-1".into())),
        Just(TargetChoice::Column("0".into())),
    ];
    let kind =
        prop_oneof![Just(TargetKind::Auto), Just(TargetKind::Classes), Just(TargetKind::Real)];
    let header = prop_oneof![Just(None), Just(Some(true)), Just(Some(false))];
    let columns = || prop::collection::vec("-?[0-3]", 0..2);
    (target, kind, header, columns(), columns(), columns(), prop::option::of(0usize..4)).prop_map(
        |(target, target_kind, header, nominal, numeric, drop, discrete_limit)| Options {
            target,
            target_kind,
            header,
            nominal,
            numeric,
            drop,
            discrete_limit,
            max_record_bytes: 1 << 16,
            ..Options::default()
        },
    )
}

/// Reads and, if there is a table, checks that its target fits it.
fn survives(name: &str, bytes: &[u8], options: &Options) {
    if let Ok(loaded) = read_bytes(bytes, name, options) {
        assert!(loaded.table.rows() > 0);
        assert!(loaded.target.is_none_or(|target| target.len() == loaded.table.rows()));
        assert!(loaded.row_lines.is_empty() || loaded.row_lines.len() == loaded.table.rows());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn any_bytes_are_a_table_or_an_error(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        options in options(),
    ) {
        for format in [Format::Csv, Format::Arff, Format::Npy] {
            survives("t", &bytes, &Options { format: Some(format), ..options.clone() });
        }
    }

    #[test]
    fn any_marks_are_a_table_or_an_error(text in "[-0-9a,;'\"\\\\\\{\\}?%@ \t\r\n|.e]{0,80}", options in options()) {
        survives("t.csv", text.as_bytes(), &options);
        survives("t.arff", text.as_bytes(), &options);
        let data = format!("@attribute a real\n@attribute 'b c' {{x,'a'}}\n@data\n{text}");
        survives("t.arff", data.as_bytes(), &options);
        let header = format!("@attribute {text}\n@data\n1\n");
        survives("t.arff", header.as_bytes(), &options);
    }

    #[test]
    fn a_damaged_file_is_a_table_or_an_error(
        which in 0..SEEDS.len(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 0..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
        options in options(),
    ) {
        let mut bytes = seed(SEEDS[which]);
        for (at, byte, how) in damage {
            let at = at.index(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
            match how {
                _ if bytes.is_empty() => {}
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => { bytes.remove(at); }
            }
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        survives(SEEDS[which], &bytes, &options);
    }

    #[test]
    fn any_array_header_is_a_table_or_an_error(
        kind in "[<>|=]?[bifuUSOc][0-9]{0,3}",
        shape in "\\(([0-9]{1,19},? ?){0,3}\\)?",
        order in "True|False|Tr",
        data in prop::collection::vec(any::<u8>(), 0..64),
        options in options(),
    ) {
        let header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}}}");
        let length = (header.len() as u16).to_le_bytes();
        let bytes = [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), &data].concat();
        survives("t.npy", &bytes, &options);
    }
}
