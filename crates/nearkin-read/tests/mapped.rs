//! Arrays that stay in their file: the same numbers as those that are read.
#![allow(clippy::unwrap_used, clippy::panic)]

mod npy;

use std::path::{Path, PathBuf};

use nearkin_read::{Mapped, Options, TargetChoice, read, read_mapped};
use npy::npy;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn mapped(name: &str, bytes: &[u8]) -> Result<Mapped, String> {
    let path = std::env::temp_dir().join(format!("nearkin-map-{name}-{}.npy", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    let found = Mapped::open(&path).map_err(|e| e.to_string());
    // A map keeps what it maps, even when the name is gone.
    #[cfg(unix)]
    std::fs::remove_file(&path).unwrap();
    found
}

#[test]
fn a_mapped_table_is_the_one_that_is_read() {
    for name in ["f4.npy", "f8.npy", "f8_fortran.npy"] {
        let options = Options { target: TargetChoice::None, ..Options::default() };
        let read = read(&fixture(name), &options).unwrap().table;
        let file = Mapped::open(&fixture(name)).unwrap();
        let table = file.table().unwrap();
        assert_eq!((table.rows(), table.columns().len()), (file.rows(), file.columns()));
        // NaN is not equal to itself, its text is.
        let text = |table: &nearkin::data::Table| {
            let cells = |values: &nearkin::data::ColumnValues| match values {
                nearkin::data::ColumnValues::F64(lane) => {
                    format!("{:?}", lane.iter().collect::<Vec<_>>())
                }
                nearkin::data::ColumnValues::F32(lane) => {
                    format!("{:?}", lane.iter().collect::<Vec<_>>())
                }
                other => panic!("{other:?}"),
            };
            table.columns().iter().map(|c| (c.name.clone(), cells(&c.values))).collect::<Vec<_>>()
        };
        assert_eq!(text(&table), text(&read), "{name}");
    }
}

#[test]
fn a_mapped_table_has_the_roles_that_options_give() {
    let cells = [1.0, 0.5, 2.0, 0.0, 2.0, 0.25, 0.0, 1.0, 1.0, f64::NAN, 1.0, 0.0];
    let path = std::env::temp_dir().join(format!("nearkin-map-roles-{}.npy", std::process::id()));
    std::fs::write(&path, npy(4, 3, &cells)).unwrap();
    let file: &'static Mapped = Box::leak(Box::new(Mapped::open(&path).unwrap()));
    for options in [
        Options::default(),
        Options { nominal: vec!["x0".into()], ..Options::default() },
        Options { genotype: vec!["x0".into()], additive: true, ..Options::default() },
        Options { target: TargetChoice::None, drop: vec!["x1".into()], ..Options::default() },
    ] {
        let (ours, theirs) = (read_mapped(file, &options).unwrap(), read(&path, &options).unwrap());
        // NaN is not equal to itself, its text is.
        let text = |loaded: &nearkin_read::Loaded| {
            let lane = |column: &nearkin::data::Column| match &column.values {
                nearkin::data::ColumnValues::F64(lane) => {
                    format!("{:?}", lane.iter().collect::<Vec<_>>())
                }
                other => format!("{other:?}"),
            };
            let table: Vec<String> = loaded.table.columns().iter().map(lane).collect();
            format!("{table:?} {:?} {:?}", loaded.target, loaded.target_name)
        };
        assert_eq!(text(&ours), text(&theirs), "{options:?}");
    }
    let infinite = npy(1, 2, &[f64::INFINITY, 1.0]);
    std::fs::write(&path, infinite).unwrap();
    let file: &'static Mapped = Box::leak(Box::new(Mapped::open(&path).unwrap()));
    let told = read_mapped(file, &Options::default()).unwrap_err().to_string();
    assert!(told.contains("infinite"), "{told}");
    std::fs::remove_file(&path).unwrap();
    let gap = npy(3, 2, &[1.0, 7.0, 2.0, f64::NAN, 3.0, 8.0]);
    std::fs::write(&path, gap).unwrap();
    let file: &'static Mapped = Box::leak(Box::new(Mapped::open(&path).unwrap()));
    let told = read_mapped(file, &Options::default()).unwrap_err().to_string();
    assert!(told.contains("row 1") && told.contains("the target is missing"), "{told}");
    let asked = Options { skip_missing_target: true, ..Options::default() };
    let left = read_mapped(file, &asked).unwrap();
    assert_eq!(left.target, Some(nearkin::data::Target::Real(vec![7.0, 8.0])));
    assert_eq!(left.table.rows(), 2);
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_matrix_of_similarities_is_mapped_as_it_lies() {
    let file = mapped("matrix", &npy(2, 3, &[1.0, 0.5, -2.0, 0.25, 1.0, 3.0])).unwrap();
    let matrix = file.similarities().unwrap();
    assert_eq!((matrix.rows(), matrix.columns()), (2, 3));
    assert_eq!(*matrix.row(1), [0.25, 1.0, 3.0]);
    let infinite = mapped("infinite", &npy(1, 2, &[1.0, f64::NAN])).unwrap();
    let message = infinite.similarities().unwrap_err().to_string();
    assert!(message.contains("row 0, column 1"), "{message}");
    let turned = Mapped::open(&fixture("f8_fortran.npy")).unwrap();
    let message = turned.similarities().unwrap_err().to_string();
    assert!(message.contains("ascontiguousarray"), "{message}");
}

#[test]
fn what_cannot_be_mapped_is_refused_with_what_to_do() {
    let whole = npy(2, 2, &[1.0, 2.0, 3.0, 4.0]);
    let refused = |name: &str, bytes: &[u8]| mapped(name, bytes).unwrap_err();
    let message = refused("short", &whole[..whole.len() - 8]);
    assert!(message.contains("cut short") && message.contains("32 bytes, found 24"), "{message}");
    let message = refused("long", &[&whole[..], &[0]].concat());
    assert!(message.contains("more bytes than shape"), "{message}");
    assert!(refused("empty", &[]).contains("the file is empty"));
    assert!(refused("text", b"a,b\n1,2\n").contains("no .npy file"));
    let open = |name: &str| Mapped::open(&fixture(name)).unwrap_err().to_string();
    assert!(open("i4.npy").contains("float32 and float64"));
    assert!(open("f8_big.npy").contains("byte order"));
    let mut flat = whole.clone();
    let shape = whole.windows(6).position(|bytes| bytes == b"(2, 2)").unwrap();
    flat[shape..shape + 6].copy_from_slice(b"(4,)  ");
    assert!(refused("flat", &flat).contains("two dimensions"));
    assert!(open("none.npy").contains("no such file"));
}
