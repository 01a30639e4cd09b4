//! The Variant Call Format: genotypes of samples, packed by gzip or bgzip or not.
//!
//! A column is a variant with one alternative allele; a cell is the number of its copies. Only the
//! genotype (`GT`) of each sample is read, which is why this is no library: a general reader parses
//! all fields of a line, and brings its own table.
//!
//! * A genotype of which an allele is missing (`./1`) is missing.
//! * A haploid call counts twice (`1` is 2 copies), as PLINK has it.
//! * Variants with several alternative alleles, without one, or without `GT` are left out, and a
//!   note says how many.
//!
//! Reference: The Variant Call Format Specification, version 4.4 (samtools.github.io/hts-specs).
//! Lower bound: each byte is read once; here a byte of a sample's cell up to three times, in cache.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Read};

use nearkin::data::{Column, Genotypes};

use crate::error::{OptionError, ReadError, Result, VcfError, shown};
use crate::layout::{Layout, Role};
use crate::loaded::{Content, Place};
use crate::note::ReadNote;
use crate::options::{Format, Options, TargetChoice};
use crate::source::Source;

/// How every file begins.
pub(crate) const MAGIC: &[u8] = b"##fileformat=VCF";

/// The columns before those of the samples.
const FIXED: [&str; 9] = ["#CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT"];

/// The two bits of a missing genotype.
const MISSING: u8 = 3;

/// A variant that is a column.
struct Variant {
    name: String,
    /// Tells variants of one name apart.
    alleles: String,
    place: Place,
    line: u64,
    bytes: Vec<u8>,
}

/// How many variants were left out, by the reason.
#[derive(Default)]
struct LeftOut {
    several: usize,
    none: usize,
    uncalled: usize,
}

/// Reads a file.
pub(crate) fn read(source: &mut Source<'_>, options: &Options) -> Result<Content> {
    let file = source.name.clone();
    refuse(&file, options)?;
    let mut lines = Lines::new(&file, source.open()?, options.max_record_bytes);
    let samples = header(&mut lines)?;
    let (mut variants, mut left_out) = (Vec::new(), LeftOut::default());
    while let Some((at, line)) = lines.next()? {
        variants.extend(variant(&file, at, line, &samples, &mut left_out)?);
    }
    if variants.is_empty() {
        let LeftOut { several, none, uncalled } = left_out;
        let reason = VcfError::NoVariants { left_out: several + none + uncalled };
        return Err(ReadError::Vcf { file: file.clone(), line: lines.at, reason });
    }
    name_apart(&file, &mut variants)?;
    let names: Vec<String> = variants.iter().map(|variant| variant.name.clone()).collect();
    let asked = Options {
        target: TargetChoice::None,
        drop: options.drop.clone(),
        covariates: options.covariates.clone(),
        strata: options.strata.clone(),
        ..Options::default()
    };
    let layout = Layout::new(&file, &names, &asked)?;
    let mut content = Content::new(Format::Vcf, names, layout);
    let count = samples.len();
    for (at, variant) in variants.into_iter().enumerate() {
        if content.layout.roles[at] == Role::Skip {
            continue;
        }
        let cells = Genotypes::new(variant.bytes, count);
        let cells = cells.map_err(|e| ReadError::table(&file, e))?;
        content.places.insert(variant.name.clone(), variant.place);
        content.columns.push(Column::genotypes(variant.name, cells));
    }
    content.iid = samples;
    let LeftOut { several, none, uncalled } = left_out;
    if several + none + uncalled > 0 {
        content.notes.push(ReadNote::VariantsLeftOut { several, none, uncalled });
    }
    Ok(content)
}

fn refuse(file: &str, options: &Options) -> Result<()> {
    let said = [
        ("nominal", !options.nominal.is_empty()),
        ("numeric", !options.numeric.is_empty()),
        ("discrete_limit", options.discrete_limit.is_some()),
    ];
    let bad = |option, reason| Err(ReadError::Option { file: file.to_owned(), option, reason });
    match (said.iter().find(|(_, said)| *said), &options.target) {
        (Some((option, _)), _) => bad(option, OptionError::NotVcf),
        (None, TargetChoice::Column(_)) => bad("target", OptionError::NoVcfTarget),
        _ => Ok(()),
    }
}

/// The samples that the header names, after the lines about the file.
fn header(lines: &mut Lines<'_>) -> Result<Vec<String>> {
    let file = lines.file;
    while let Some((at, line)) = lines.next()? {
        let bad = |reason| ReadError::Vcf { file: file.to_owned(), line: at, reason };
        if line.starts_with(b"##") {
            continue;
        }
        let mut cells = line.split(|&byte| byte == b'\t');
        for expected in FIXED {
            let found = cells.next().unwrap_or_default();
            if found != expected.as_bytes() {
                let reason = match (expected, found.is_empty()) {
                    ("FORMAT", true) => VcfError::NoSamples,
                    _ => VcfError::NoHeader { expected, found: shown(found) },
                };
                return Err(bad(reason));
            }
        }
        let names = cells.map(|cell| utf8(file, at, cell).map(str::to_owned));
        let names: Vec<String> = names.collect::<Result<_>>()?;
        if names.is_empty() {
            return Err(bad(VcfError::NoSamples));
        }
        let mut seen = HashSet::new();
        if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(bad(VcfError::SampleTwice { sample: twice.clone() }));
        }
        return Ok(names);
    }
    match lines.at {
        0 => Err(ReadError::Empty { file: file.to_owned() }),
        line => {
            let reason = VcfError::NoHeader { expected: FIXED[0], found: String::new() };
            Err(ReadError::Vcf { file: file.to_owned(), line, reason })
        }
    }
}

/// The variant of a line, unless it is left out.
fn variant(
    file: &str,
    at: u64,
    line: &[u8],
    samples: &[String],
    left_out: &mut LeftOut,
) -> Result<Option<Variant>> {
    let bad = |reason| ReadError::Vcf { file: file.to_owned(), line: at, reason };
    let found = 1 + line.iter().filter(|&&byte| byte == b'\t').count();
    let expected = FIXED.len() + samples.len();
    if found != expected {
        return Err(bad(VcfError::Ragged { found, expected }));
    }
    let mut cells = line.split(|&byte| byte == b'\t');
    let fixed: [&[u8]; 9] = std::array::from_fn(|_| cells.next().unwrap_or_default());
    let [chromosome, position, id, reference, alternative, _, _, _, format] = fixed;
    if alternative.contains(&b',') {
        left_out.several += 1;
        return Ok(None);
    }
    if matches!(alternative, b"." | b"") {
        left_out.none += 1;
        return Ok(None);
    }
    let Some(field) = format.split(|&byte| byte == b':').position(|key| key == b"GT") else {
        left_out.uncalled += 1;
        return Ok(None);
    };
    let mut bytes = vec![0u8; samples.len().div_ceil(4)];
    for (row, (cell, sample)) in cells.zip(samples).enumerate() {
        let call = cell.split(|&byte| byte == b':').nth(field).unwrap_or(b".");
        let copies = copies(call).ok_or_else(|| {
            bad(VcfError::NotAGenotype { sample: sample.clone(), found: shown(call) })
        })?;
        bytes[row / 4] |= copies << (2 * (row % 4));
    }
    let text = |cell| utf8(file, at, cell);
    let (chromosome, position) = (text(chromosome)?, text(position)?);
    let (id, alleles) = (text(id)?, format!("{}:{}", text(reference)?, text(alternative)?));
    let place = position.parse().map_err(|_| {
        let found = shown(position.as_bytes());
        bad(VcfError::NoPosition { found })
    })?;
    let name = match id {
        "." | "" => format!("{chromosome}:{position}:{alleles}"),
        id => id.to_owned(),
    };
    let place = Place { chromosome: chromosome.to_owned(), position: place };
    Ok(Some(Variant { name, alleles, place, line: at, bytes }))
}

/// The two bits of a call: copies of the alternative allele, or missing. `None` for what is no call
/// of one or two alleles 0 and 1.
fn copies(call: &[u8]) -> Option<u8> {
    let allele = |text: &[u8]| match text {
        b"0" => Some(0),
        b"1" => Some(1),
        b"." => Some(MISSING),
        _ => None,
    };
    // What most calls are, first.
    if let [one, b'/' | b'|', two] = call {
        return match (one, two) {
            (b'0' | b'1', b'0' | b'1') => Some(one - b'0' + two - b'0'),
            (b'0' | b'1' | b'.', b'0' | b'1' | b'.') => Some(MISSING),
            _ => None,
        };
    }
    match allele(call)? {
        MISSING => Some(MISSING),
        one => Some(2 * one),
    }
}

/// Adds alleles to names that occur more than once.
fn name_apart(file: &str, variants: &mut [Variant]) -> Result<()> {
    let mut times: HashMap<String, usize> = HashMap::with_capacity(variants.len());
    variants.iter().for_each(|one| *times.entry(one.name.clone()).or_default() += 1);
    for variant in variants.iter_mut().filter(|one| times.get(&one.name) > Some(&1)) {
        variant.name = format!("{}:{}", variant.name, variant.alleles);
    }
    let mut first_at: HashMap<&str, u64> = HashMap::with_capacity(variants.len());
    for variant in variants.iter() {
        if let Some(first) = first_at.insert(&variant.name, variant.line) {
            let reason = VcfError::VariantTwice { first, name: variant.name.clone() };
            return Err(ReadError::Vcf { file: file.to_owned(), line: variant.line, reason });
        }
    }
    Ok(())
}

fn utf8<'c>(file: &str, line: u64, cell: &'c [u8]) -> Result<&'c str> {
    std::str::from_utf8(cell).map_err(|e| ReadError::Encoding {
        file: file.to_owned(),
        line,
        byte: cell[e.valid_up_to()],
        at: e.valid_up_to(),
        place: "the line".into(),
    })
}

/// The lines of a file that are not blank, without their ends.
struct Lines<'a> {
    file: &'a str,
    input: BufReader<Box<dyn Read + 'a>>,
    limit: usize,
    line: Vec<u8>,
    /// Lines read so far.
    at: u64,
}

impl<'a> Lines<'a> {
    fn new(file: &'a str, input: Box<dyn Read + 'a>, limit: usize) -> Self {
        let input = BufReader::with_capacity(1 << 17, input);
        Self { file, input, limit, line: Vec::new(), at: 0 }
    }

    fn next(&mut self) -> Result<Option<(u64, &[u8])>> {
        loop {
            self.line.clear();
            let most = self.limit as u64 + 1;
            let read = self.input.by_ref().take(most).read_until(b'\n', &mut self.line);
            if read.map_err(|e| ReadError::io(self.file, e))? == 0 {
                return Ok(None);
            }
            self.at += 1;
            if self.line.len() > self.limit {
                let (file, line, limit) = (self.file.to_owned(), self.at, self.limit);
                return Err(ReadError::LongRecord { file, line, limit });
            }
            while self.line.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
                self.line.pop();
            }
            if !self.line.is_empty() {
                return Ok(Some((self.at, &self.line)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_copies_of_the_alternative_allele() {
        for (call, expected) in [
            ("0/0", Some(0)),
            ("0|1", Some(1)),
            ("1/0", Some(1)),
            ("1|1", Some(2)),
            ("./.", Some(MISSING)),
            ("./1", Some(MISSING)),
            ("0|.", Some(MISSING)),
            ("0", Some(0)),
            ("1", Some(2)),
            (".", Some(MISSING)),
            ("0/2", None),
            ("0/1/1", None),
            ("", None),
            ("A/G", None),
        ] {
            assert_eq!(copies(call.as_bytes()), expected, "{call}");
        }
    }
}
