//! VCF files: genotypes as written by hand and by the specification, refusals with file and line.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use nearkin::data::ColumnValues;
use nearkin_read::{Format, Loaded, Options, Place, ReadNote, TargetChoice, read_bytes};

const HEAD: &str = "##fileformat=VCFv4.3\n##FORMAT=<ID=GT,Number=1,Type=String,Description=\"x\">\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\tc\td\te\n";

/// Lines in which blanks stand for tabs.
fn file(lines: &str) -> String {
    format!("{HEAD}{}", lines.replace(' ', "\t"))
}

fn vcf(text: &str) -> Result<Loaded, String> {
    read_bytes(text.as_bytes(), "t.vcf", &Options::default()).map_err(|e| e.to_string())
}

fn copies(loaded: &Loaded) -> Vec<Vec<Option<u8>>> {
    let of = |values: &ColumnValues| {
        let ColumnValues::Genotype(cells) = values else { panic!() };
        (0..cells.len()).map(|row| cells.at(row)).collect()
    };
    loaded.table.columns().iter().map(|column| of(&column.values)).collect()
}

const LINES: &str = "\
20 14370 rs6054257 G A 29 PASS NS=3 GT:GQ 0|0:48 1|0:48 1/1:43 ./.:1 .:2
20 17330 . T A 3 q10 NS=3 DP:GT 3:0|1 1:.|1 2:0/. 5:1 6:0
20 1110696 rs6040355 A G,T 67 PASS . GT 1|2 2|1 2/2 0/0 0/0
20 1230237 . T . 47 PASS . GT 0|0 0|0 0/0 0/0 0/0
X 1234567 rs9 GTC G 50 PASS . DP 3 3 3 3 3
X 5 rs1 C T . . . GT 0/1 0/1 0/1 0/1 1/1
X 5 rs1 C A . . . GT 0/0 0/0 0/1 0/1 1/1
";

#[test]
fn calls_become_copies_of_the_alternative_allele() {
    let loaded = vcf(&file(LINES)).unwrap();
    assert_eq!(loaded.format, Format::Vcf);
    assert_eq!(loaded.row_names, ["a", "b", "c", "d", "e"]);
    let names: Vec<&str> = loaded.table.names().collect();
    assert_eq!(names, ["rs6054257", "20:17330:T:A", "rs1:C:T", "rs1:C:A"]);
    let (zero, one, two, none) = (Some(0), Some(1), Some(2), None);
    let expected = [
        [zero, one, two, none, none],
        [one, none, none, two, zero],
        [one, one, one, one, two],
        [zero, zero, one, one, two],
    ];
    assert_eq!(copies(&loaded), expected);
    assert_eq!(loaded.target, None);
    assert_eq!(loaded.notes, [ReadNote::VariantsLeftOut { several: 1, none: 1, uncalled: 1 }]);
    let place = Place { chromosome: "20".into(), position: 17330 };
    assert_eq!(loaded.places.get("20:17330:T:A"), Some(&place));
}

#[test]
fn packed_in_blocks_and_with_windows_line_ends_it_is_the_same() {
    let text = file(LINES);
    let plain = vcf(&text).unwrap();
    assert_eq!(vcf(&text.replace('\n', "\r\n")).unwrap(), plain);
    // bgzip writes many gzip members, the last of them empty.
    let mut packed = Vec::new();
    for block in text.as_bytes().chunks(100).chain([&b""[..]]) {
        let mut encoder = GzEncoder::new(&mut packed, Compression::default());
        encoder.write_all(block).unwrap();
        encoder.finish().unwrap();
    }
    let read = |bytes: &[u8], name: &str| read_bytes(bytes, name, &Options::default());
    assert_eq!(read(&packed, "t.vcf.gz").unwrap(), plain);
    // Its content tells what it is.
    assert_eq!(read(text.as_bytes(), "unnamed").unwrap(), plain);
    let cut = read(&packed[..packed.len() / 2], "t.vcf.gz").unwrap_err().to_string();
    assert!(cut.contains("t.vcf.gz") && cut.contains("gzip"), "{cut}");
}

#[test]
fn columns_are_dropped_and_made_covariates_by_name() {
    let drop = vec!["rs1:C:A".to_owned()];
    let covariates = vec!["rs6054257".to_owned()];
    let options = Options { drop, covariates, ..Options::default() };
    let loaded = read_bytes(file(LINES).as_bytes(), "t.vcf", &options).unwrap();
    assert_eq!(loaded.table.names().collect::<Vec<_>>(), ["20:17330:T:A", "rs1:C:T"]);
    assert_eq!(loaded.covariates[0].name, "rs6054257");
}

#[test]
fn what_is_no_table_of_genotypes_is_refused_with_its_line() {
    let refuse = |text: &str, told: &[&str]| {
        let message = vcf(text).unwrap_err();
        told.iter().for_each(|told| assert!(message.contains(told), "{told}: {message}"));
    };
    let line = |line: &str| file(&format!("{line}\n"));
    refuse(&line("1 7 r A G . . . GT 0/0 0/1"), &["line 4", "found 11 cells, expected 14"]);
    refuse(&line("1 7 r A G . . . GT 0/0 0/1 0/3 0/0 0/0"), &["line 4: sample `c`: `0/3`"]);
    refuse(&line("1 7 r A G . . . GT 0/0 0/1 0/0/1 0/0 0/0"), &["`0/0/1` is no genotype"]);
    refuse(&line("1 x r A G . . . GT 0/0 0/1 0/0 0/0 0/0"), &["line 4: the position `x`"]);
    refuse(&line("1 7 r A G,T . . . GT 0/0 0/1 0/0 0/0 0/0"), &["1 were left out", "norm -m -"]);
    let twice = "1 7 r A G . . . GT 0/0 0/1 0/0 0/0 0/0\n";
    refuse(&line(&format!("{twice}{twice}")), &["line 5", "`r:A:G`", "as line 4"]);
    refuse("##fileformat=VCFv4.2\n", &["line 1: expected the column `#CHROM`"]);
    refuse("##fileformat=VCFv4.2\n#CHROM\tPOS\tRS\n", &["line 2", "`ID`", "found `RS`"]);
    let sites = HEAD.replace("\tFORMAT\ta\tb\tc\td\te", "");
    refuse(&sites, &["line 3: the file names no sample"]);
    refuse(&HEAD.replace("\ta\tb", "\ta\ta"), &["two samples are called `a`"]);
    refuse("", &["the file is empty"]);
    refuse(HEAD, &["no variant with one alternative allele"]);
    let bcf = read_bytes(b"BCF\x02\x02xx", "t.bcf", &Options::default()).unwrap_err();
    assert!(bcf.to_string().contains("bcftools view"), "{bcf}");
    let target = TargetChoice::Column("case".into());
    let options = Options { target, ..Options::default() };
    let told = read_bytes(file(LINES).as_bytes(), "t.vcf", &options).unwrap_err().to_string();
    assert!(told.contains("target: a .vcf file has no target"), "{told}");
    let options = Options { max_record_bytes: 60, ..Options::default() };
    let told = read_bytes(file(LINES).as_bytes(), "t.vcf", &options).unwrap_err().to_string();
    assert!(told.contains("longer than 60 bytes"), "{told}");
}

#[test]
fn damaged_bytes_are_refused_and_never_a_panic() {
    let text = file(LINES);
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        let _ = read_bytes(&bytes[..at], "t.vcf", &Options::default());
        bytes[at] ^= 0x15;
        let _ = read_bytes(&bytes, "t.vcf", &Options::default());
    }
}
