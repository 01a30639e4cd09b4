//! PLINK files: read as bed-reader reads them, refused when they are no table.
//!
//! `fixtures/plink/make.py` wrote the files and bed-reader's reading of them.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use flate2::Crc;
use flate2::read::GzDecoder;
use nearkin::data::{ColumnValues, Target};
use nearkin_read::{Format, Loaded, Options, ReadNote, TargetChoice, TargetKind, read, read_bytes};
use serde_json::Value;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/plink")
}

fn without_target() -> Options {
    Options { target: TargetChoice::None, ..Options::default() }
}

#[test]
fn genotypes_are_those_bed_reader_reads() {
    for name in ["control", "height", "gaps", "one", "wide"] {
        let loaded = read(&fixtures().join(format!("{name}.bed")), &without_target()).unwrap();
        let record = fs::read_to_string(fixtures().join(format!("{name}.json"))).unwrap();
        let record: Value = serde_json::from_str(&record).unwrap();
        let texts = |key: &str| -> Vec<String> {
            let list = record[key].as_array().unwrap();
            list.iter().map(|text| text.as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(loaded.format, Format::Bed);
        assert_eq!(loaded.row_names, texts("samples"), "{name}");
        assert_eq!(loaded.table.names().collect::<Vec<_>>(), texts("variants"), "{name}");
        let expected = record["copies"].as_array().unwrap();
        assert_eq!(loaded.table.columns().len(), expected.len());
        for (column, expected) in loaded.table.columns().iter().zip(expected) {
            let ColumnValues::Genotype(cells) = &column.values else { panic!("{column:?}") };
            let found: Vec<Value> = (0..cells.len()).map(|row| cells.at(row).into()).collect();
            assert_eq!(&Value::from(found), expected, "{name}, {}", column.name);
        }
    }
}

/// Too many cells to list: how many of each variant are 0, 1, 2 and missing, and a checksum of all.
#[test]
fn half_a_million_genotypes_are_those_bed_reader_reads() {
    let folder = std::env::temp_dir().join(format!("nearkin-plink-large-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for ending in ["bed", "bim", "fam"] {
        let packed = fs::File::open(fixtures().join(format!("large.{ending}.gz"))).unwrap();
        let mut plain = fs::File::create(folder.join(format!("large.{ending}"))).unwrap();
        io::copy(&mut GzDecoder::new(packed), &mut plain).unwrap();
    }
    let loaded = read(&folder.join("large.bed"), &Options::default());
    fs::remove_dir_all(&folder).unwrap();
    let table = loaded.unwrap().table;
    let record = fs::read_to_string(fixtures().join("large.json")).unwrap();
    let record: Value = serde_json::from_str(&record).unwrap();
    let expected = record["counts"].as_array().unwrap();
    assert_eq!(record["samples"], table.rows());
    assert_eq!(table.columns().len(), expected.len());
    let mut checksum = Crc::new();
    for (column, expected) in table.columns().iter().zip(expected) {
        let ColumnValues::Genotype(cells) = &column.values else { panic!("{column:?}") };
        let codes: Vec<u8> = (0..cells.len()).map(|row| cells.at(row).unwrap_or(3)).collect();
        let mut counts = [0; 4];
        codes.iter().for_each(|&code| counts[usize::from(code)] += 1);
        assert_eq!(&Value::from(counts), expected, "{}", column.name);
        checksum.update(&codes);
    }
    assert_eq!(record["crc32"], checksum.sum());
}

#[test]
fn phenotypes_are_those_bed_reader_reads() {
    for name in ["control", "height", "gaps", "one", "wide"] {
        let options = Options { skip_missing_target: true, ..Options::default() };
        let loaded = read(&fixtures().join(format!("{name}.bed")), &options).unwrap();
        assert!(!loaded.target_guessed);
        let record = fs::read_to_string(fixtures().join(format!("{name}.json"))).unwrap();
        let record: Value = serde_json::from_str(&record).unwrap();
        let texts = record["phenotypes"].as_array().unwrap().iter().map(|t| t.as_str().unwrap());
        match loaded.target.unwrap() {
            Target::Real(values) => {
                let expected: Vec<f64> = texts.map(|text| text.parse().unwrap()).collect();
                assert_eq!(values, expected, "{name}");
            }
            Target::Classes(classes) => {
                // Beside cases and controls these stand for nothing.
                let known: Vec<&str> = texts.filter(|t| !["-9", "0", "NA"].contains(t)).collect();
                let names = classes.names();
                let found: Vec<&str> =
                    classes.codes().iter().map(|&code| names[code as usize].as_str()).collect();
                assert_eq!(found, known, "{name}");
            }
        }
    }
}

#[test]
fn cases_and_controls_are_classes_and_other_numbers_real() {
    let target = |name: &str, kind| {
        let options = Options { target_kind: kind, ..Options::default() };
        read(&fixtures().join(name), &options).unwrap().target.unwrap()
    };
    let Target::Classes(classes) = target("control.bed", TargetKind::Auto) else { panic!() };
    assert_eq!((classes.names(), classes.counts()), (&["1".into(), "2".into()][..], &[3, 4][..]));
    let Target::Real(values) = target("height.bed", TargetKind::Auto) else { panic!() };
    // 0 is a height here: only beside cases and controls does it stand for nothing.
    assert_eq!(values, [1.71, 0.0, 1.85, 1.6, 1.66, 1.9, 1.75, 1.8]);
    let Target::Real(values) = target("control.bed", TargetKind::Real) else { panic!() };
    assert_eq!(values[..3], [1.0, 2.0, 2.0]);
    let Target::Classes(classes) = target("height.bed", TargetKind::Classes) else { panic!() };
    assert_eq!(classes.len(), 8);
}

#[test]
fn samples_without_a_phenotype_are_refused_or_left_out() {
    let path = fixtures().join("gaps.bed");
    let message = read(&path, &Options::default()).unwrap_err().to_string();
    assert!(message.contains("gaps.fam: line 3") && message.contains("`i2`"), "{message}");
    assert!(
        message.contains("3 in all") && message.contains("leave such samples out"),
        "{message}"
    );
    let skip = Options { skip_missing_target: true, ..Options::default() };
    let loaded = read(&path, &skip).unwrap();
    let all = read(&path, &without_target()).unwrap();
    let kept = [0, 1, 3, 5, 6, 8, 9, 10, 11, 12];
    assert_eq!(loaded.table, all.table.select_rows(&kept));
    assert_eq!(loaded.row_names[2], "i3");
    assert_eq!(loaded.target.unwrap().len(), kept.len());
    assert_eq!(loaded.notes, [ReadNote::SamplesLeftOut { count: 3 }]);
}

#[test]
fn samples_to_predict_may_have_no_phenotype() {
    let there = TargetChoice::IfThere("phenotype".into());
    let options = Options { target: there.clone(), ..Options::default() };
    let path = fixtures().join("gaps.bed");
    let loaded = read(&path, &options).unwrap();
    assert_eq!(loaded.table, read(&path, &without_target()).unwrap().table);
    assert_eq!((loaded.target, loaded.target_name), (None, None));
    assert_eq!(loaded.notes, [ReadNote::NoPhenotypes { missing: 3, samples: 13 }]);
    let skip = Options { skip_missing_target: true, ..options.clone() };
    assert_eq!(read(&path, &skip).unwrap().target.unwrap().len(), 10);
    let all = read(&fixtures().join("control.bed"), &options).unwrap();
    assert!(all.target.is_some() && all.notes.is_empty());
    let nobody = changed("unknown", &skip, |at| {
        let fam: String = (0..7).map(|i| format!("f i{i} 0 0 1 -9\n")).collect();
        fs::write(at.join("control.fam"), fam).unwrap();
    });
    let nobody = nobody.unwrap();
    assert_eq!((nobody.table.rows(), nobody.target), (7, None));
    // 0 is no class beside controls, nor by itself, whatever the kind of the model's target.
    let classes = Options { target_kind: TargetKind::Classes, ..options };
    for most in [1, 2] {
        let zeros = changed("zeros", &classes, |at| {
            let fam: String = (0..7).map(|i| format!("f i{i} 0 0 1 {}\n", i % most)).collect();
            fs::write(at.join("control.fam"), fam).unwrap();
        });
        let zeros = zeros.unwrap();
        assert_eq!((zeros.table.rows(), zeros.target), (7, None));
    }
}

#[test]
fn zeros_and_ones_are_classes_when_they_are_asked_for() {
    let folder = std::env::temp_dir().join(format!("nearkin-plink-01-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for ending in ["bed", "bim"] {
        let name = format!("control.{ending}");
        fs::copy(fixtures().join(&name), folder.join(&name)).unwrap();
    }
    let samples = fs::read_to_string(fixtures().join("control.fam")).unwrap().lines().count();
    let fam: String = (0..samples).map(|i| format!("f i{i} 0 0 1 {}\n", i % 2)).collect();
    fs::write(folder.join("control.fam"), fam).unwrap();
    let path = folder.join("control.bed");
    let message = read(&path, &Options::default()).unwrap_err().to_string();
    let asked = Options { target_kind: TargetKind::Classes, ..Options::default() };
    let loaded = read(&path, &asked);
    // Without a 0 nothing says that 0 would be a class.
    let fam: String = (0..samples).map(|i| format!("f i{i} 0 0 1 {}\n", [1, -9][i % 2])).collect();
    fs::write(folder.join("control.fam"), fam).unwrap();
    let controls = read(&path, &Options::default()).unwrap_err().to_string();
    fs::write(folder.join("control.bed.gz"), b"").unwrap();
    let packed = read(&folder.join("control.bed.gz"), &asked).unwrap_err().to_string();
    fs::remove_dir_all(&folder).unwrap();
    assert!(message.contains("if 0 and 1 are the classes, ask for classes"), "{message}");
    let Some(Target::Classes(classes)) = loaded.unwrap().target else { panic!() };
    assert_eq!((classes.names().len(), classes.codes().len()), (2, samples));
    assert!(packed.contains("unpack it with gunzip"), "{packed}");
    assert!(
        !controls.contains("0 and 1") && controls.contains("leave such samples out"),
        "{controls}"
    );
}

#[test]
fn variants_can_be_dropped_by_name_and_number() {
    let options = Options { drop: vec!["rs101".into(), "-1".into()], ..Options::default() };
    let loaded = read(&fixtures().join("control.bed"), &options).unwrap();
    assert_eq!(loaded.table.names().collect::<Vec<_>>(), ["rs100", "rs102", "rs103"]);
}

/// The message of reading a changed copy of the fixture `control`.
fn refused(test: &str, change: impl Fn(&Path)) -> String {
    changed(test, &Options::default(), change).unwrap_err().to_string()
}

/// What is read of a copy of the fixture `control`, changed by `change`.
fn changed(
    test: &str,
    options: &Options,
    change: impl Fn(&Path),
) -> Result<Loaded, nearkin_read::ReadError> {
    let folder = std::env::temp_dir().join(format!("nearkin-plink-{test}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for ending in ["bed", "bim", "fam"] {
        let name = format!("control.{ending}");
        fs::copy(fixtures().join(&name), folder.join(&name)).unwrap();
    }
    change(&folder);
    let found = read(&folder.join("control.bed"), options);
    fs::remove_dir_all(&folder).unwrap();
    found
}

fn bytes(folder: &Path, change: impl Fn(&mut Vec<u8>)) {
    let path = folder.join("control.bed");
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

#[test]
fn what_is_no_plink_table_is_refused_with_what_to_do() {
    let message = refused("short", |at| bytes(at, |b| b.truncate(9)));
    assert!(message.contains("control.bed: it is cut short: 5 variants"), "{message}");
    assert!(message.contains("take 13 bytes, it has 9"), "{message}");
    let message = refused("long", |at| bytes(at, |b| b.push(0)));
    assert!(message.contains("is too long") && message.contains("belong together"), "{message}");
    let message = refused("magic", |at| bytes(at, |b| b[0] = b'c'));
    assert!(message.contains("begins with [63, 1B, 01]"), "{message}");
    let message = refused("major", |at| bytes(at, |b| b[2] = 0));
    assert!(message.contains("individual-major") && message.contains("--make-bed"), "{message}");
    let message = refused("empty", |at| bytes(at, Vec::clear));
    assert!(message.contains("the file is empty"), "{message}");
    let message = refused("bim", |at| fs::remove_file(at.join("control.bim")).unwrap());
    assert!(message.contains("control.bim: there is no such file; a .bed needs"), "{message}");
    let message = refused("fam", |at| fs::write(at.join("control.fam"), "f i 0 0 1\n").unwrap());
    assert!(message.contains("control.fam: line 1: found 5 cells, expected 6"), "{message}");
    let message = refused("samples", |at| {
        let fam = fs::read_to_string(at.join("control.fam")).unwrap();
        let fewer: Vec<&str> = fam.lines().take(3).collect();
        fs::write(at.join("control.fam"), fewer.join("\n")).unwrap();
    });
    assert!(message.contains("of 3 samples"), "{message}");
    let message = refused("twice", |at| {
        let bim = fs::read_to_string(at.join("control.bim")).unwrap();
        fs::write(at.join("control.bim"), bim.replace("rs103", "rs100")).unwrap();
    });
    assert!(message.contains("lines 1 and 4 are both variant `rs100`"), "{message}");
    let message = refused("nobody", |at| {
        let fam: String = (0..7).map(|i| format!("f i{i} 0 0 1 -9\n")).collect();
        fs::write(at.join("control.fam"), fam).unwrap();
    });
    assert!(message.contains("no sample has a phenotype"), "{message}");
    let message = refused("infinite", |at| {
        let height = |i| if i == 4 { "inf".into() } else { format!("{i}.5") };
        let fam: String = (0..7).map(|i| format!("f i{i} 0 0 1 {}\n", height(i))).collect();
        fs::write(at.join("control.fam"), fam).unwrap();
    });
    assert!(message.contains("line 5: the phenotype `inf` is not a finite number"), "{message}");
    let add = |at: &Path, more: &str| {
        let bim = fs::read_to_string(at.join("control.bim")).unwrap();
        fs::write(at.join("control.bim"), bim + more).unwrap();
    };
    let message = refused("blank", |at| add(at, "\n1 rs9 0 9 A G\n"));
    assert!(message.contains("control.bim: line 6 is blank; take it out"), "{message}");
    assert!(changed("end", &Options::default(), |at| add(at, "\n \n")).is_ok());
}

#[test]
fn a_variant_without_a_name_is_named_by_its_place() {
    let folder = std::env::temp_dir().join(format!("nearkin-plink-dots-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for ending in ["bed", "fam"] {
        let name = format!("control.{ending}");
        fs::copy(fixtures().join(&name), folder.join(&name)).unwrap();
    }
    let bim: String = (0..5).map(|i| format!("{i} . 0 {} A G\n", 7 * i)).collect();
    fs::write(folder.join("control.bim"), bim).unwrap();
    let loaded = read(&folder.join("control.bed"), &Options::default());
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(loaded.unwrap().table.names().nth(2), Some("2:14:A:G"));
}

#[test]
fn options_that_mean_nothing_here_are_refused() {
    let path = fixtures().join("control.bed");
    let refuse = |options: Options| read(&path, &options).unwrap_err().to_string();
    let message = refuse(Options { nominal: vec!["rs100".into()], ..Options::default() });
    assert!(message.contains("nominal: the columns of a .bed file are genotypes"), "{message}");
    let target = TargetChoice::Column("sex".into());
    let message = refuse(Options { target, ..Options::default() });
    assert!(message.contains("`sex` is neither"), "{message}");
    let message = read_bytes(&[0x6C, 0x1B, 1], "x.bed", &Options::default()).unwrap_err();
    assert!(message.to_string().contains("name the file itself"), "{message}");
}
