//! What the caller says goes before what the file suggests.
#![allow(clippy::unwrap_used, clippy::panic)]

use nearkin::data::{Column, ColumnValues, MISSING, Target};
use nearkin_read::{Format, Loaded, Options, TargetChoice, TargetKind, read_bytes};

fn csv(text: &str, options: &Options) -> Loaded {
    read_bytes(text.as_bytes(), "t.csv", options).unwrap()
}

fn names(loaded: &Loaded) -> Vec<&str> {
    loaded.table.names().collect()
}

fn categories<'a>(column: &'a Column<'_>) -> (&'a [u16], Vec<&'a str>) {
    let ColumnValues::Nominal { codes, categories } = &column.values else { panic!("{column:?}") };
    (codes, categories.iter().map(String::as_str).collect())
}

fn numbers(column: &Column<'_>) -> Vec<f64> {
    let ColumnValues::F64(lane) = &column.values else { panic!("{column:?}") };
    lane.iter().collect()
}

#[test]
fn the_choices_made_are_told() {
    let found = csv("Label;a\nx;1\ny;2\n", &Options::default());
    assert_eq!(found.target_name.as_deref(), Some("Label"));
    assert!(found.target_guessed);
    assert_eq!(
        (found.format, found.delimiter, found.header),
        (Format::Csv, Some(b';'), Some(true))
    );
    assert_eq!(found.row_lines, [2, 3]);
    assert_eq!(names(&found), ["a"]);
}

#[test]
fn a_table_to_predict_has_no_target() {
    let options = Options { target: TargetChoice::None, ..Options::default() };
    let found = csv("a,class\n1,\n2,x\n", &options);
    assert_eq!(names(&found), ["a", "class"]);
    assert!(found.target.is_none() && found.target_name.is_none() && !found.target_guessed);
}

#[test]
fn columns_are_named_by_name_or_index_from_either_end() {
    let options = Options {
        target: TargetChoice::Column("0".into()),
        drop: vec!["-1".into(), "b".into()],
        ..Options::default()
    };
    let found = csv("a,b,c,d\nx,1,2,3\ny,4,5,6\n", &options);
    assert_eq!(names(&found), ["c"]);
    assert_eq!(found.target, Some(Target::classes(["x", "y"])));
    assert!(!found.target_guessed);
}

#[test]
fn a_nominal_column_keeps_the_text_of_its_numbers() {
    let options = Options { nominal: vec!["code".into()], ..Options::default() };
    let found = csv("code,y\n007,0.5\n7,1.5\n,2.5\n10,2\n", &options);
    let expected = (&[0, 1, MISSING, 2][..], vec!["007", "7", "10"]);
    assert_eq!(categories(&found.table.columns()[0]), expected);
}

#[test]
fn the_discrete_limit_turns_numbers_of_few_values_into_categories() {
    let options = Options { discrete_limit: Some(2), ..Options::default() };
    let found = csv("a,b,class\n1,1,x\n0,2,y\n1,3,x\n", &options);
    assert_eq!(categories(&found.table.columns()[0]), (&[1, 0, 1][..], vec!["0", "1"]));
    assert_eq!(numbers(&found.table.columns()[1]), [1.0, 2.0, 3.0]);
}

#[test]
fn more_marks_of_missing_cells_can_be_given() {
    let options = Options { missing: vec!["-9".into(), "none".into()], ..Options::default() };
    let found = csv("a,b,class\n-9,none,x\n-9.0,q,y\n1,-9,x\n", &options);
    assert_eq!(found.table.columns()[0].missing(), 2);
    assert_eq!(categories(&found.table.columns()[1]).1, ["q"]);
}

#[test]
fn delimiter_and_header_can_be_given() {
    let options = Options { delimiter: Some(b';'), header: Some(false), ..Options::default() };
    let found = csv("a,1;x\nb,2;y\n", &options);
    assert_eq!(names(&found), ["x0"]);
    assert_eq!(categories(&found.table.columns()[0]).1, ["a,1", "b,2"]);
    assert_eq!(found.row_lines, [1, 2]);
    let options = Options { header: Some(true), ..Options::default() };
    assert_eq!(names(&csv("1,2\n3,4\n", &options)), ["1"]);
}

#[test]
fn the_kind_of_target_can_be_given() {
    let kind = |target_kind| {
        let options = Options { target_kind, ..Options::default() };
        csv("a,y\n1,1\n2,2\n3,1\n", &options).target.unwrap()
    };
    assert_eq!(kind(TargetKind::Auto), Target::classes(["1", "2", "1"]));
    assert_eq!(kind(TargetKind::Classes), Target::classes(["1", "2", "1"]));
    assert_eq!(kind(TargetKind::Real), Target::Real(vec![1.0, 2.0, 1.0]));
}

#[test]
fn declared_kinds_of_arff_can_be_overridden() {
    let text = b"@attribute a {1,2}\n@attribute b real\n@attribute c {p,q}\n@data\n2,5,q\n1,6,p\n";
    let options =
        Options { numeric: vec!["a".into()], nominal: vec!["b".into()], ..Options::default() };
    let found = read_bytes(text, "t.arff", &options).unwrap();
    assert_eq!(numbers(&found.table.columns()[0]), [2.0, 1.0]);
    assert_eq!(categories(&found.table.columns()[1]).1, ["5", "6"]);
    assert_eq!(found.format, Format::Arff);
}

#[test]
fn arff_rows_may_be_cut_by_blanks_and_end_in_comments() {
    let text = b"@attribute a real % size\n@attribute c {p,q}\n@data\n1 q\n2\tp % small\n3, q %\n";
    let found = read_bytes(text, "t.arff", &Options::default()).unwrap();
    assert_eq!(numbers(&found.table.columns()[0]), [1.0, 2.0, 3.0]);
}

#[test]
fn a_very_wide_table_is_read() {
    let width = 100_000;
    let header: Vec<String> = (0..width).map(|j| format!("g{j}")).collect();
    let row: Vec<String> = (0..width).map(|j| (j % 3).to_string()).collect();
    let text = [header.join(","), row.join(","), row.join(","), String::new()].join("\n");
    let found = csv(&text, &Options::default());
    assert_eq!((found.table.rows(), found.table.columns().len()), (2, width - 1));
    assert_eq!(numbers(&found.table.columns()[5]), [2.0, 2.0]);
}

#[test]
fn columns_of_0_1_and_2_can_be_genotypes() {
    let file = b"a,b,c,class\n0,2,1.5,x\n1.0,,2,y\nNA,1,3,y\n";
    let only = |names: &[&str]| Options {
        genotype: names.iter().map(|name| name.to_string()).collect(),
        ..Options::default()
    };
    let table = read_bytes(file, "t.csv", &only(&["a", "1"])).unwrap().table;
    let kinds: Vec<&str> = table.columns().iter().map(Column::kind).collect();
    assert_eq!(kinds, ["genotype", "genotype", "numeric"]);
    let ColumnValues::Genotype(cells) = &table.columns()[1].values else { panic!() };
    assert_eq!((cells.at(0), cells.at(1), cells.at(2)), (Some(2), None, Some(1)));
    let all = Options { drop: vec!["c".into()], ..only(&["all"]) };
    let loaded = read_bytes(file, "t.csv", &all).unwrap();
    assert_eq!(loaded.table.columns().len(), 2);
    assert!(loaded.table.columns().iter().all(|c| c.kind() == "genotype"));
    assert!(loaded.target.is_some());
    let message = read_bytes(file, "t.csv", &only(&["c"])).unwrap_err().to_string();
    assert!(message.starts_with("t.csv, line 2, column `c`: `1.5` is no genotype"), "{message}");
    let message = read_bytes(file, "t.csv", &only(&["class"])).unwrap_err().to_string();
    assert!(message.contains("the target and among the genotypes"), "{message}");
}
