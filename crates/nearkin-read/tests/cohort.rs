//! Samples: their identifiers, phenotypes, covariates and lists from other files, missing targets.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::PathBuf;

use nearkin::data::{ColumnValues, Table, Target};
use nearkin_read::{
    Loaded, MissingCovariate, Options, ReadNote, Samples, TargetChoice, TargetKind, read,
    read_bytes,
};

/// A folder of files of one test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let name = format!("nearkin-cohort-{test}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn names(table: &Table) -> Vec<String> {
    table.names().map(str::to_owned).collect()
}

fn labels(target: &Option<Target>) -> Vec<&str> {
    let Some(Target::Classes(classes)) = target else { panic!("{target:?}") };
    classes.codes().iter().map(|&code| classes.names()[code as usize].as_str()).collect()
}

fn list(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn csv(text: &str, options: &Options) -> Result<Loaded, String> {
    read_bytes(text.as_bytes(), "t.csv", options).map_err(|e| e.to_string())
}

const TABLE: &str = "\
IID,rs1,rs2,age,ward,site
s1,0,1,40,a,1
s2,1,2,50,b,2
s3,2,0,60,a,1
s4,0,0,70,b,1
";

#[test]
fn covariates_and_strata_are_no_features() {
    let options = Options {
        covariates: list(&["age", "ward"]),
        strata: list(&["ward", "site"]),
        genotype: list(&["all"]),
        target: TargetChoice::None,
        ..Options::default()
    };
    let mut loaded = csv(TABLE, &options).unwrap();
    assert_eq!(names(&loaded.table), ["rs1", "rs2"]);
    assert!(loaded.table.columns().iter().all(|column| column.kind() == "genotype"));
    let given = loaded.take_given("t.csv", MissingCovariate::Refuse).unwrap();
    let covariates = given.covariates.unwrap();
    assert_eq!(names(&covariates), ["age", "ward"]);
    assert_eq!(covariates.columns()[0].kind(), "numeric");
    assert_eq!(covariates.columns()[1].kind(), "nominal");
    // (a, 1) < (b, 1) < (b, 2).
    assert_eq!(given.strata, Some(vec![0, 2, 0, 1]));
    assert_eq!(given.strata_names, ["ward", "site"]);
    assert!(loaded.covariates.is_empty() && loaded.strata.is_empty());
}

#[test]
fn strata_do_not_depend_on_the_order_of_rows() {
    let strata = |order: [usize; 4]| {
        let rows: Vec<&str> = TABLE.lines().collect();
        let turned: Vec<&str> = order.iter().map(|&row| rows[row + 1]).collect();
        let text = format!("{}\n{}\n", rows[0], turned.join("\n"));
        let options = Options { strata: list(&["ward", "age"]), ..Options::default() };
        let given = csv(&text, &options).unwrap().take_given("t", MissingCovariate::Refuse);
        given.unwrap().strata.unwrap()
    };
    let (here, there) = (strata([0, 1, 2, 3]), strata([3, 0, 2, 1]));
    assert_eq!([there[1], there[3], there[2], there[0]], here[..]);
}

#[test]
fn a_missing_covariate_is_refused_filled_in_or_left_out() {
    let text = "IID,rs1,age,ward,class\nx,0,1,a,u\ny,1,,a,v\nz,2,4,,u\nw,1,7,b,v\n";
    let read = |covariates: &[&str]| {
        csv(text, &Options { covariates: list(covariates), ..Options::default() }).unwrap()
    };
    let told = read(&["age", "ward"]).take_given("t.csv", MissingCovariate::Refuse);
    let told = told.unwrap_err().to_string();
    assert!(told.starts_with("t.csv, line 3, sample `y`: covariate `age`"), "{told}");
    assert!(told.contains("2 such rows"), "{told}");
    let given = read(&["age"]).take_given("t.csv", MissingCovariate::Mean).unwrap();
    let table = given.covariates.unwrap();
    let ColumnValues::F64(age) = &table.columns()[0].values else { panic!() };
    assert_eq!((age.iter().collect::<Vec<_>>(), given.filled), (vec![1.0, 4.0, 4.0, 7.0], 1));
    let told = read(&["age", "ward"]).take_given("t.csv", MissingCovariate::Mean);
    let told = told.unwrap_err().to_string();
    assert!(told.contains("line 4, sample `z`: `ward`") && told.contains("no mean"), "{told}");
    let mut loaded = read(&["age", "ward"]);
    let given = loaded.take_given("t.csv", MissingCovariate::Drop).unwrap();
    assert_eq!((given.dropped, given.covariates.unwrap().rows()), (2, 2));
    assert_eq!((loaded.table.rows(), labels(&loaded.target)), (2, vec!["u", "v"]));
    assert_eq!(loaded.row_names, ["x", "w"]);
    assert_eq!(loaded.row_lines, [2, 5]);
}

#[test]
fn a_column_has_one_part_alone() {
    let refuse = |options: Options| csv(TABLE, &options).unwrap_err();
    let age = || list(&["age"]);
    let target = TargetChoice::Column("age".into());
    let told = refuse(Options { covariates: age(), target, ..Options::default() });
    assert!(told.contains("`age` is the target and among the covariates"), "{told}");
    let told = refuse(Options { strata: age(), drop: age(), ..Options::default() });
    assert!(told.contains("among the covariates or strata and among those to drop"), "{told}");
    let told = refuse(Options { covariates: list(&["agee"]), ..Options::default() });
    assert!(told.contains("covariates") && told.contains("did you mean `age`"), "{told}");
    let told = refuse(Options { strata: list(&["FID"]), ..Options::default() });
    assert!(told.contains("strata: families are not known"), "{told}");
    // The last column that is left is the target.
    let loaded = csv(TABLE, &Options { covariates: list(&["site"]), ..Options::default() });
    assert_eq!(loaded.unwrap().target_name.as_deref(), Some("ward"));
}

#[test]
fn a_column_called_iid_or_named_so_holds_identifiers() {
    let numeric = Options { numeric: list(&["rs1"]), ..Options::default() };
    let loaded = csv(TABLE, &numeric).unwrap();
    assert_eq!(loaded.row_names, ["s1", "s2", "s3", "s4"]);
    assert_eq!(names(&loaded.table), ["rs1", "rs2", "age", "ward"]);
    assert_eq!(loaded.notes, [ReadNote::IdsFound { column: "IID".into() }]);
    let text = "who,FID,a,class\n1,f1,5,x\n1,f2,6,y\n";
    let loaded = csv(text, &Options { id: Some("who".into()), ..Options::default() }).unwrap();
    let fid = Some(list(&["f1", "f2"]));
    assert_eq!(loaded.samples, Some(Samples { fid, iid: list(&["1", "1"]) }));
    assert_eq!(loaded.row_names, ["f1:1", "f2:1"]);
    assert_eq!((names(&loaded.table), loaded.notes), (list(&["a"]), vec![]));
    // A column that another option names is what that option says.
    let loaded = csv(TABLE, &Options { nominal: list(&["IID"]), ..Options::default() }).unwrap();
    assert_eq!((loaded.samples, loaded.table.columns().len()), (None, 5));
    let told = csv("IID,a,class\n,1,x\n", &Options::default()).unwrap_err();
    assert!(told.contains("line 2, column `IID`: the sample has no identifier"), "{told}");
    let families = Options { strata: list(&["FID"]), id: Some("who".into()), ..Options::default() };
    let given = csv(text, &families).unwrap().take_given("t", MissingCovariate::Refuse).unwrap();
    assert_eq!((given.strata, given.strata_names), (Some(vec![0, 1]), list(&["FID"])));
}

#[test]
fn phenotypes_are_joined_by_identifier_in_any_form_of_text() {
    let folder = Folder::new("pheno");
    for (name, text) in [
        ("blanks.txt", "FID IID  case bmi\n 0 s3 2 21.5\n0   s1 1 20.25\n0 s9 1 3\n0 s2 2 NA\n"),
        (
            "tabs.tsv",
            "\u{feff}#FID\tIID\tcase\tbmi\r\n0\ts3\t2\t21.5\r\n0\ts1\t1\t20.25\r\n0\ts9\t1\t3\r\n0\ts2\t2\t\r\n",
        ),
        ("commas.csv", "#IID,case,bmi\ns3,2,21.5\ns1,1,20.25\ns9,1,3\ns2,2,-9\n"),
    ] {
        let pheno = Some(folder.file(name, text));
        let skip = Options { pheno, skip_missing_target: true, ..Options::default() };
        let loaded = csv(TABLE, &skip).unwrap();
        assert_eq!(loaded.row_names, ["s1", "s2", "s3"], "{name}");
        assert_eq!(labels(&loaded.target), ["1", "2", "2"], "{name}");
        assert_eq!(loaded.target_name.as_deref(), Some("case"));
        assert!(loaded.target_guessed && loaded.table.columns().len() == 5);
        let file = skip.pheno.as_ref().unwrap().display().to_string();
        assert!(loaded.notes.contains(&ReadNote::Unmatched { file, rows: 1, lines: 1 }), "{name}");
        assert!(loaded.notes.contains(&ReadNote::SamplesLeftOut { count: 1 }), "{name}");
        let target = TargetChoice::Column("bmi".into());
        let loaded = csv(TABLE, &Options { target: target.clone(), ..skip.clone() }).unwrap();
        assert_eq!(loaded.target, Some(Target::Real(vec![20.25, 21.5])), "{name}");
        let strict = Options { skip_missing_target: false, target, ..skip.clone() };
        let told = csv(TABLE, &strict).unwrap_err();
        assert!(told.contains("line 5") && told.contains("`s2`"), "{told}");
        assert!(told.contains("2 in all"), "{told}");
    }
}

#[test]
fn phenotype_files_that_cannot_be_matched_are_refused() {
    let folder = Folder::new("pheno-refused");
    let refuse = |text: &str| {
        let pheno = Some(folder.file("p.txt", text));
        csv(TABLE, &Options { pheno, ..Options::default() }).unwrap_err()
    };
    let told = refuse("IID case\ns1 1\ns2 2\ns1 2\n");
    assert!(told.contains("lines 2 and 4 are both sample `s1`"), "{told}");
    let told = refuse("name case\ns1 1\n");
    assert!(told.contains("p.txt, line 1: there is no column `IID`"), "{told}");
    let told = refuse("IID case\nx1 1\n");
    assert!(told.contains("the first here is `x1`, there `s1`"), "{told}");
    let told = refuse("IID case\ns1 1 4\n");
    assert!(told.contains("line 2: found 3 cells, expected 2"), "{told}");
    let told = refuse("FID IID\n0 s1\n");
    assert!(told.contains("no column beside the identifiers"), "{told}");
    assert!(refuse("").contains("the file is empty"));
    assert!(refuse("IID case\n").contains("no row of data"));
    let told = refuse("IID case\ns1 1\ns2 2\ns3 1\n");
    assert!(told.contains("no line for sample `s4`"), "{told}");
    let told = refuse("IID case\ns1 1\ns2 0\ns3 1\ns4 0\n");
    assert!(told.contains("if 0 and 1 are the classes"), "{told}");
    let pheno = Some(folder.file("p.txt", "IID case\ns1 1\n"));
    let told = csv("a,b\n1,2\n", &Options { pheno, ..Options::default() }).unwrap_err();
    assert!(told.contains("no sample identifiers"), "{told}");
    let pheno = Some(folder.0.join("none.txt"));
    let told = csv(TABLE, &Options { pheno, ..Options::default() }).unwrap_err();
    assert!(told.contains("none.txt: there is no such file"), "{told}");
}

#[test]
fn repeated_identifiers_are_told_apart_by_their_families() {
    let folder = Folder::new("families");
    let table = "FID,IID,a\nf1,1,5\nf2,1,6\nf2,2,7\n";
    let read = |text: &str| {
        let pheno = Some(folder.file("p.txt", text));
        csv(table, &Options { pheno, ..Options::default() })
    };
    let loaded = read("FID IID case\nf2 2 2\nf2 1 1\nf1 1 2\n").unwrap();
    assert_eq!(labels(&loaded.target), ["2", "1", "2"]);
    let told = read("IID case\n1 2\n2 1\n").unwrap_err();
    assert!(told.contains("rows 0 and 1") && told.contains("both sample `1`"), "{told}");
    let told = read("FID IID case\nf2 2 2\nf2 1 1\nf1 1 2\nf2 1 2\n").unwrap_err();
    assert!(told.contains("lines 3 and 5 are both sample `f2 1`"), "{told}");
}

#[test]
fn covariates_come_from_another_file_as_well() {
    let folder = Folder::new("covar");
    let covar = "IID PC1 sex height\ns4 0.5 f 3\ns2 -1 m -9\ns1 2 f 1\ns3 0.25 m 2\n";
    let covar = Some(folder.file("c.txt", covar));
    let read = |covariates: &[&str], strata: &[&str]| {
        let (covariates, strata) = (list(covariates), list(strata));
        let target = TargetChoice::Column("site".into());
        let options =
            Options { covariates, strata, target, covar: covar.clone(), ..Options::default() };
        csv(TABLE, &options)
    };
    let given = |loaded: &mut Loaded| loaded.take_given("t", MissingCovariate::Refuse).unwrap();
    let mut loaded = read(&["age", "PC1"], &["sex", "ward"]).unwrap();
    let found = given(&mut loaded);
    assert_eq!(names(&loaded.table), ["rs1", "rs2"]);
    let covariates = found.covariates.unwrap();
    assert_eq!(names(&covariates), ["age", "PC1"]);
    let ColumnValues::F64(one) = &covariates.columns()[1].values else { panic!() };
    assert_eq!(one.iter().collect::<Vec<_>>(), [2.0, -1.0, 0.25, 0.5]);
    // (a, f), (b, m), (a, m), (b, f)
    assert_eq!(found.strata, Some(vec![0, 3, 1, 2]));
    // All columns of the file where none is named; -9 is told of.
    let mut loaded = read(&[], &[]).unwrap();
    let file = covar.as_ref().unwrap().display().to_string();
    let note = ReadNote::UnknownAsNumber { file, column: "height".into(), count: 1 };
    assert!(loaded.notes.contains(&note));
    assert_eq!(names(&given(&mut loaded).covariates.unwrap()), ["PC1", "sex", "height"]);
    // A sample without a line has no covariates.
    let few = Some(folder.file("few.txt", "IID PC1\ns4 1\ns1 2\n"));
    let mut loaded = csv(TABLE, &Options { covar: few, ..Options::default() }).unwrap();
    let told = loaded.clone().take_given("t.csv", MissingCovariate::Refuse).unwrap_err();
    assert!(told.to_string().contains("line 3, sample `s2`: covariate `PC1`"), "{told}");
    assert_eq!(loaded.take_given("t.csv", MissingCovariate::Drop).unwrap().dropped, 2);
    let both = Some(folder.file("both.txt", "IID age\ns1 1\n"));
    let told = csv(TABLE, &Options { covar: both, ..Options::default() }).unwrap_err();
    assert!(told.contains("a column `age` here and in"), "{told}");
}

#[test]
fn lists_of_samples_keep_and_remove() {
    let folder = Folder::new("lists");
    let read = |keep: Option<&str>, remove: Option<&str>| {
        let file = |name: &str, text: Option<&str>| text.map(|text| folder.file(name, text));
        let (keep, remove) = (file("keep", keep), file("remove", remove));
        let additive = true;
        let options = Options { keep, remove, additive, ..Options::default() };
        csv(TABLE, &options).map(|loaded| (loaded.row_names.clone(), loaded))
    };
    assert_eq!(read(Some("s3\ns1\n"), None).unwrap().0, ["s1", "s3"]);
    assert_eq!(read(Some("#FID IID\n0 s4\n"), None).unwrap().0, ["s4"]);
    assert_eq!(read(None, Some("0\ts1\t1\r\n0\ts9\t1\r\n")).unwrap().0, ["s2", "s3", "s4"]);
    let (left, loaded) = read(Some("s1\ns2\ns7\n"), Some("IID\ns2\n")).unwrap();
    assert_eq!((left, loaded.target.unwrap().len()), (list(&["s1"]), 1));
    assert_eq!((loaded.table.rows(), loaded.row_lines), (1, vec![2]));
    let at = |name: &str| folder.0.join(name).display().to_string();
    let kept = ReadNote::NotListed { list: at("keep"), count: 2, unknown: 1 };
    let gone = ReadNote::Listed { list: at("remove"), count: 1, unknown: 0 };
    assert_eq!(loaded.notes[1..], [kept, gone]);
    let told = read(Some("x\n"), None).unwrap_err();
    assert!(told.contains("no sample is left by"), "{told}");
    assert!(read(Some(""), None).unwrap_err().contains("no row of data"));
    // What is wrong with the target of a sample that is left out does not count.
    let keep = Some(folder.file("some", "b\n"));
    let text = "IID,x,class\na,1,\nb,2,u\n";
    assert!(csv(text, &Options { keep, ..Options::default() }).is_ok());
}

#[test]
fn rows_without_a_target_are_refused_left_out_or_asked_about() {
    let text = "a,class\n1,x\n2,NA\n3,y\n4,\n5,x\n";
    let told = csv(text, &Options::default()).unwrap_err();
    assert!(told.starts_with("t.csv, line 3, column `class`: the target is missing"), "{told}");
    let skip = Options { skip_missing_target: true, ..Options::default() };
    let loaded = csv(text, &skip).unwrap();
    assert_eq!(labels(&loaded.target), ["x", "y", "x"]);
    assert_eq!(loaded.row_lines, [2, 4, 6]);
    assert_eq!(loaded.notes, [ReadNote::RowsLeftOut { count: 2 }]);
    let there = Options { target: TargetChoice::IfThere("class".into()), ..Options::default() };
    let loaded = csv(text, &there).unwrap();
    assert_eq!((loaded.table.rows(), &loaded.target), (5, &None));
    let column = "class".to_owned();
    assert_eq!(loaded.notes, [ReadNote::NoTarget { missing: 2, rows: 5, column }]);
    let told = csv("a,b\n1,\n2,?\n", &skip).unwrap_err();
    assert!(told.contains("column `b`: the target is missing in every row"), "{told}");
    let real = csv("a,b\n1,0.5\n2,NaN\n3,2.5\n", &skip).unwrap();
    assert_eq!(real.target, Some(Target::Real(vec![0.5, 2.5])));
    // A class whose rows are all left out is no class, and whole numbers are counted anew.
    let arff = "@relation r\n@attribute a numeric\n@attribute c {u,v,w}\n@data\n1,u\n2,?\n3,w\n";
    let loaded = read_bytes(arff.as_bytes(), "t.arff", &skip).unwrap();
    assert_eq!(labels(&loaded.target), ["u", "w"]);
}

#[test]
fn missing_values_of_a_target_array_are_left_out() {
    let folder = Folder::new("npy");
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    let mut head = "{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }".to_owned();
    head.extend(std::iter::repeat_n(' ', 0x76 - head.len() - 1));
    bytes.extend(head.bytes().chain([b'\n']));
    [1.0, f64::NAN, 2.0, 1.0].iter().for_each(|value: &f64| bytes.extend(value.to_le_bytes()));
    let path = folder.0.join("y.npy");
    fs::write(&path, bytes).unwrap();
    let table = folder.file("t.csv", TABLE);
    let target = TargetChoice::Npy(path);
    let told = read(&table, &Options { target: target.clone(), ..Options::default() });
    let told = told.unwrap_err().to_string();
    assert!(told.contains("y.npy, row 1") && told.contains("the target is missing"), "{told}");
    let skip = Options { target, skip_missing_target: true, ..Options::default() };
    let loaded = read(&table, &skip).unwrap();
    assert_eq!(labels(&loaded.target), ["1", "2", "1"]);
    assert_eq!(loaded.row_names, ["s1", "s3", "s4"]);
}

#[test]
fn a_class_of_minus_nine_beside_one_and_two_is_told() {
    let text = "a,class\n1,1\n2,2\n3,-9\n4,1\n";
    let loaded = csv(text, &Options::default()).unwrap();
    assert_eq!(labels(&loaded.target), ["1", "2", "-9", "1"]);
    let note = ReadNote::UnknownAsClass { column: "class".into(), count: 1 };
    assert_eq!(loaded.notes, [note]);
    let missing = list(&["-9"]);
    let skip = Options { missing, skip_missing_target: true, ..Options::default() };
    let loaded = csv(text, &skip).unwrap();
    assert_eq!(labels(&loaded.target), ["1", "2", "1"]);
    let other = csv("a,class\n1,1\n2,3\n3,-9\n4,1\n", &Options::default()).unwrap();
    assert_eq!(other.notes, []);
}

#[test]
fn a_bed_file_takes_phenotypes_covariates_and_lists() {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/plink");
    let path = fixtures.join("gaps.bed");
    let all = read(&path, &Options { target: TargetChoice::None, ..Options::default() }).unwrap();
    let samples = all.samples.clone().unwrap();
    let fid = samples.fid.clone().unwrap();
    let folder = Folder::new("bed");
    let mut text = String::from("FID IID height age\n");
    let rows = 0..samples.iid.len();
    for row in rows.clone().rev() {
        text += &format!("{} {} {} {}\n", fid[row], samples.iid[row], row as f64 + 0.5, 40 + row);
    }
    let pheno = Some(folder.file("p.txt", &text));
    let drop = rows.clone().filter(|row| row % 3 == 1);
    let listed: String = drop.map(|row| format!("{} {}\n", fid[row], samples.iid[row])).collect();
    let options = Options {
        target: TargetChoice::Column("height".into()),
        covar: pheno.clone(),
        pheno,
        covariates: list(&["age", &all.table.columns()[2].name]),
        strata: list(&["FID"]),
        remove: Some(folder.file("gone.txt", &listed)),
        ..Options::default()
    };
    let mut loaded = read(&path, &options).unwrap();
    let kept: Vec<usize> = rows.filter(|row| row % 3 != 1).collect();
    let heights = kept.iter().map(|&row| row as f64 + 0.5).collect();
    assert_eq!(loaded.target, Some(Target::Real(heights)));
    let features: Vec<usize> = (0..all.table.columns().len()).filter(|&at| at != 2).collect();
    assert_eq!(loaded.table, all.table.select_columns(&features).select_rows(&kept));
    let given = loaded.take_given("gaps.bed", MissingCovariate::Mean).unwrap();
    assert_eq!(given.strata.unwrap().len(), kept.len());
    let covariates = given.covariates.unwrap();
    let ColumnValues::F64(age) = &covariates.columns()[1].values else { panic!() };
    let ages: Vec<f64> = kept.iter().map(|&row| 40.0 + row as f64).collect();
    assert_eq!(age.iter().collect::<Vec<_>>(), ages);
}

#[test]
fn zero_and_one_are_classes_of_a_phenotype_file_when_asked() {
    let folder = Folder::new("zeros");
    let pheno = Some(folder.file("p.txt", "IID case\ns1 1\ns2 0\ns3 1\ns4 0\n"));
    let options = Options { pheno, target_kind: TargetKind::Classes, ..Options::default() };
    assert_eq!(labels(&csv(TABLE, &options).unwrap().target), ["1", "0", "1", "0"]);
}

/// The text that PLINK writes by `--recode A` for a table of genotypes.
fn raw(table: &Table, phenotypes: &[&str]) -> String {
    let mut text = String::from("FID IID PAT MAT SEX PHENOTYPE");
    table.names().for_each(|name| text += &format!(" {name}_A"));
    for (row, phenotype) in phenotypes.iter().enumerate() {
        text += &format!("\nf{} i{row} 0 0 {} {phenotype}", row / 2, row % 3);
        for column in table.columns() {
            let ColumnValues::Genotype(cells) = &column.values else { panic!() };
            let cell = cells.at(row).map_or("NA".to_owned(), |copies| copies.to_string());
            text += &format!(" {cell}");
        }
    }
    text + "\n"
}

#[test]
fn a_raw_file_holds_the_genotypes_of_its_bed() {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/plink");
    let without = Options { target: TargetChoice::None, ..Options::default() };
    let bed = read(&fixtures.join("gaps.bed"), &without).unwrap();
    let phenotypes = ["1", "2", "-9", "1", "NA", "2", "2", "0", "1", "1", "2", "1", "2"];
    let text = raw(&bed.table, &phenotypes);
    let read = |options: &Options| read_bytes(text.as_bytes(), "t.raw", options);
    let told = read(&Options::default()).unwrap_err().to_string();
    assert!(told.contains("t.raw: line 4") && told.contains("`i2`"), "{told}");
    assert!(told.contains("3 in all"), "{told}");
    let skip = Options { skip_missing_target: true, ..Options::default() };
    let loaded = read(&skip).unwrap();
    let kept = [0, 1, 3, 5, 6, 8, 9, 10, 11, 12];
    assert_eq!(labels(&loaded.target), ["1", "2", "1", "2", "2", "1", "1", "2", "1", "2"]);
    assert_eq!(loaded.notes, [ReadNote::SamplesLeftOut { count: 3 }]);
    assert!(!loaded.target_guessed);
    assert_eq!(loaded.row_names[2], "i3");
    assert_eq!(loaded.samples.unwrap().fid.unwrap()[2], "f1");
    let meant = bed.table.select_rows(&kept);
    assert_eq!(loaded.table.columns().len(), meant.columns().len());
    for (found, meant) in loaded.table.columns().iter().zip(meant.columns()) {
        assert_eq!((&found.name, &found.values), (&format!("{}_A", meant.name), &meant.values));
    }
    // The sex is a covariate when it is asked for; 0 is not known.
    let sex = Options { covariates: list(&["SEX"]), ..skip };
    let mut loaded = read(&sex).unwrap();
    let given = loaded.take_given("t.raw", MissingCovariate::Drop).unwrap();
    assert_eq!((given.dropped, given.covariates.unwrap().rows()), (5, 5));
    assert!(loaded.table.columns().iter().all(|column| column.kind() == "genotype"));
    // Another phenotype takes the place of the one in the file.
    let folder = Folder::new("raw");
    let pheno: String = (0..13).map(|row| format!("i{row} {}.5\n", row)).collect();
    let pheno = Some(folder.file("p.txt", &format!("IID x\n{pheno}")));
    let loaded = read(&Options { pheno, ..Options::default() }).unwrap();
    assert_eq!((loaded.table.rows(), loaded.table.columns().len()), (13, 9));
}

#[test]
fn a_dominance_column_of_a_raw_file_and_a_dosage_are_no_genotypes() {
    let head = "FID IID PAT MAT SEX PHENOTYPE rs1_A rs1_HET";
    let text = format!("{head}\n0 a 0 0 1 1 1 1\n0 b 0 0 2 2 2 0\n");
    let loaded = read_bytes(text.as_bytes(), "t.raw", &Options::default()).unwrap();
    assert_eq!(names(&loaded.table), ["rs1_A"]);
    let text = format!("{head}\n0 a 0 0 1 1 0.98 1\n0 b 0 0 2 2 2 0\n");
    let told = read_bytes(text.as_bytes(), "t.raw", &Options::default()).unwrap_err().to_string();
    assert!(told.contains("line 2, column `rs1_A`: `0.98` is no genotype"), "{told}");
    let numeric = Options { numeric: list(&["rs1_A"]), ..Options::default() };
    assert!(read_bytes(text.as_bytes(), "t.raw", &numeric).is_ok());
}

#[test]
fn the_sex_in_a_fam_is_a_covariate_when_asked_for() {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/plink");
    let fam = fs::read_to_string(fixtures.join("control.fam")).unwrap();
    let sex = fam.lines().map(|line| line.split_ascii_whitespace().nth(4).unwrap());
    let sex: Vec<Option<f64>> =
        sex.map(|sex| sex.parse().ok().filter(|sex| [1.0, 2.0].contains(sex))).collect();
    let (covariates, strata) = (list(&["SEX"]), list(&["SEX"]));
    let options = Options { covariates, strata, ..Options::default() };
    let loaded = read(&fixtures.join("control.bed"), &options).unwrap();
    let ColumnValues::F64(found) = &loaded.covariates[0].values else { panic!() };
    let found: Vec<Option<f64>> =
        found.iter().map(|sex| Some(sex).filter(|s| !s.is_nan())).collect();
    assert_eq!(found, sex);
    assert_eq!(loaded.strata[0].codes.len(), sex.len());
}

#[test]
fn a_prefix_stands_for_its_bed_and_a_pgen_is_told_how_to_convert() {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/plink");
    let bed = read(&fixtures.join("control.bed"), &Options::default()).unwrap();
    assert_eq!(read(&fixtures.join("control"), &Options::default()).unwrap(), bed);
    let folder = Folder::new("pgen");
    let pgen = folder.file("c.pgen", "l\u{1b}\u{10}");
    for path in [pgen.clone(), folder.0.join("c")] {
        let told = read(&path, &Options::default()).unwrap_err().to_string();
        let stem = folder.0.join("c").display().to_string();
        let command = format!("plink2 --pfile {stem} --make-bed --out {stem}");
        assert!(told.contains(&command), "{told}");
    }
}

#[test]
fn numbers_that_may_be_genotypes_are_told() {
    let text = "a,b,c,class\n0,1,7.5,x\n2,0,8,y\n1,,9,x\n";
    let notes = |options: Options| csv(text, &options).unwrap().notes;
    let note = ReadNote::LikeGenotypes { alike: 2, count: 3 };
    assert_eq!(notes(Options::default()), [note]);
    assert_eq!(notes(Options { genotype: list(&["a", "b"]), ..Options::default() }), []);
    assert_eq!(notes(Options { numeric: list(&["a", "b"]), ..Options::default() }), []);
    assert_eq!(notes(Options { additive: true, ..Options::default() }), []);
    // Without a 2 these may be anything.
    assert_eq!(csv("a,b,class\n0,1,x\n1,0,y\n", &Options::default()).unwrap().notes, []);
}

#[test]
fn decimal_commas_are_told_and_read_on_request() {
    let text = "a;b;t\n1,5;2,1;0,25\n3;-4,5;1,75\n2;1e1;2,5\n";
    let loaded = csv(text, &Options::default()).unwrap();
    let note = |column: &str, example: &str| ReadNote::DecimalCommas {
        column: column.into(),
        example: example.into(),
    };
    assert_eq!(loaded.notes, [note("a", "1.5"), note("b", "-4.5"), note("t", "0.25")]);
    let read = Options { decimal_comma: true, ..Options::default() };
    let loaded = csv(text, &read).unwrap();
    assert_eq!(loaded.notes, []);
    assert_eq!(loaded.target, Some(Target::Real(vec![0.25, 1.75, 2.5])));
    let ColumnValues::F64(b) = &loaded.table.columns()[1].values else { panic!() };
    assert_eq!(b.iter().collect::<Vec<_>>(), [2.1, -4.5, 10.0]);
    let told = csv("a,b\n1,2\n", &read).unwrap_err();
    assert!(told.contains("decimal_comma: the comma parts the cells"), "{told}");
}
