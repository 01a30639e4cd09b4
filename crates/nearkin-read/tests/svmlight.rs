//! svmlight files: sparse rows and their targets.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::PathBuf;

use nearkin::data::Target;
use nearkin_read::{Options, TargetKind, read_svmlight, read_svmlight_bytes};

fn refused(text: &str) -> String {
    read_svmlight_bytes(text.as_bytes(), "t.svm", &Options::default()).unwrap_err().to_string()
}

#[test]
fn rows_comments_and_queries_are_told_apart() {
    let text = b"# header\n+1 qid:3 2:1.5 4:-2e1 # why\n\n-1\n+1 1:1\n";
    let loaded = read_svmlight_bytes(text, "t.svm", &Options::default()).unwrap();
    assert_eq!((loaded.rows.rows(), loaded.rows.columns()), (3, 4));
    assert_eq!(loaded.rows.row(0), (&[1, 3][..], &[1.5, -20.0][..]));
    assert!(loaded.rows.row(1).0.is_empty());
    assert_eq!(loaded.rows.names(), ["1", "2", "3", "4"]);
    let Target::Classes(classes) = loaded.target else { panic!() };
    assert_eq!(
        (classes.names(), classes.codes()),
        (&["-1".into(), "+1".into()][..], &[1, 0, 1][..])
    );
}

#[test]
fn columns_count_from_0_where_one_is_called_0() {
    let loaded = read_svmlight_bytes(b"a 0:1 2:1\nb 1:2\n", "t", &Options::default()).unwrap();
    assert_eq!(loaded.rows.names(), ["0", "1", "2"]);
    assert_eq!(loaded.rows.row(1).0, [1]);
}

#[test]
fn a_target_may_be_real() {
    let options = Options { target_kind: TargetKind::Real, ..Options::default() };
    let loaded = read_svmlight_bytes(b"1 1:1\n2.5 1:2\n", "t", &options).unwrap();
    assert_eq!(loaded.target, Target::Real(vec![1.0, 2.5]));
}

#[test]
fn what_is_no_sparse_row_is_refused_by_line() {
    assert!(refused("1 1:1\n1:2 2:3\n").contains("t.svm, line 2: `1:2` stands where the target"));
    assert!(refused("1 2:1 2:3\n").contains("line 1: column 2 follows 2"));
    assert!(refused("1 x:1\n").contains("`x:1` does not begin with a column's number"));
    assert!(refused("1 3\n").contains("`3` has no colon"));
    assert!(refused("1 3:inf\n").contains("no finite number"));
    assert!(refused("1 -1:2\n").contains("column's number"));
    assert!(refused("NA 1:2\n").contains("target is missing"));
    assert!(refused("# nothing\n").contains("the file is empty"));
    let short = Options { max_record_bytes: 8, ..Options::default() };
    let long = read_svmlight_bytes(b"1 1:1 2:1 3:1\n", "t", &short).unwrap_err();
    assert!(long.to_string().contains("longer than 8 bytes"), "{long}");
}

#[test]
fn the_newsgroups_are_read() {
    let Ok(folder) = std::env::var("NEARKIN_DATA") else { return };
    let path = PathBuf::from(folder).join("tables/ng20-binary.svm.gz");
    if !path.exists() {
        return;
    }
    let loaded =
        read_svmlight(&path, &Options { target_kind: TargetKind::Classes, ..Options::default() });
    let loaded = loaded.unwrap();
    assert_eq!((loaded.rows.rows(), loaded.rows.columns()), (18_774, 16_201));
    let Target::Classes(classes) = loaded.target else { panic!() };
    assert_eq!((classes.len(), classes.counts()[0], classes.counts()[19]), (20, 798, 627));
}
