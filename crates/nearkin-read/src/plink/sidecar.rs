//! The text files beside a `.bed`: what its columns and its rows are.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use nearkin::data::Target;

use super::Kept;
use crate::cell::number;
use crate::error::{PlinkError, ReadError, Result, shown};
use crate::options::{Options, TargetKind};

/// The variants of a `.bim`.
pub(super) struct Variants {
    pub names: Vec<String>,
}

impl Variants {
    /// Reads the names; a variant called `.` is named by its place and alleles.
    pub fn read(path: &Path) -> Result<Self> {
        let mut names: Vec<String> = Vec::new();
        let kind = "chromosome, name, position in morgans, position, allele 1, allele 2";
        lines(path, kind, |cells| {
            let [chromosome, name, _, position, one, two] = cells;
            names.push(match name {
                "." => format!("{chromosome}:{position}:{one}:{two}"),
                name => name.to_owned(),
            });
        })?;
        let mut first_at: HashMap<&str, usize> = HashMap::with_capacity(names.len());
        for (at, name) in names.iter().enumerate() {
            if let Some(first) = first_at.insert(name, at) {
                let (file, name) = (path.display().to_string(), name.clone());
                let reason = PlinkError::VariantTwice { first: first + 1, second: at + 1, name };
                return Err(ReadError::Plink { file, reason });
            }
        }
        Ok(Self { names })
    }
}

/// The phenotypes read so far.
struct Known {
    /// Samples that have one.
    kept: Vec<usize>,
    /// They are controls and cases, 1 and 2.
    coded: bool,
    /// 0 and 1 with nothing else: 0 may be meant as a class.
    unclear: bool,
}

/// The samples of a `.fam`.
pub(super) struct Samples {
    file: String,
    /// Family and own name, or the own name where that tells all samples apart.
    pub names: Vec<String>,
    phenotypes: Vec<String>,
}

impl Samples {
    pub fn read(path: &Path) -> Result<Self> {
        let (mut names, mut families, mut phenotypes) = (Vec::new(), Vec::new(), Vec::new());
        let kind = "family, name, father, mother, sex, phenotype";
        lines(path, kind, |[family, name, _, _, _, phenotype]| {
            names.push(name.to_owned());
            families.push(family.to_owned());
            phenotypes.push(phenotype.to_owned());
        })?;
        let mut seen = std::collections::HashSet::with_capacity(names.len());
        if !names.iter().all(|name| seen.insert(name.as_str())) {
            let both = families.iter().zip(&names);
            names = both.map(|(family, name)| format!("{family}:{name}")).collect();
        }
        Ok(Self { file: path.display().to_string(), names, phenotypes })
    }

    /// Which samples have a phenotype, and how they are coded.
    fn known(&self, options: &Options) -> Known {
        let written = |text: &str| options.missing.iter().any(|token| token == text);
        let missing = |text: &str| {
            matches!(text, "NA" | "nan" | "NaN" | "?") || written(text) || is(text, -9.0)
        };
        let known = || self.phenotypes.iter().filter(|text| !missing(text));
        let coded = known().all(|text| is(text, 0.0) || is(text, 1.0) || is(text, 2.0))
            && known().any(|text| !is(text, 0.0))
            && match options.target_kind {
                TargetKind::Auto => true,
                TargetKind::Classes => known().any(|text| is(text, 2.0)),
                TargetKind::Real => false,
            };
        let unclear =
            coded && known().any(|text| is(text, 0.0)) && !known().any(|text| is(text, 2.0));
        let missing = |text: &str| missing(text) || (coded && is(text, 0.0));
        let kept =
            (0..self.phenotypes.len()).filter(|&row| !missing(&self.phenotypes[row])).collect();
        Known { kept, coded, unclear }
    }

    /// The options for phenotypes that come along with samples to predict: beside cases or controls a 0
    /// is missing, whatever the kind of target.
    pub fn guessed(&self, options: &Options) -> Options {
        let auto = Options {
            missing: options.missing.clone(),
            skip_missing_target: options.skip_missing_target,
            ..Options::default()
        };
        match self.known(&auto).coded {
            true => auto,
            false => Options { target_kind: options.target_kind, ..auto },
        }
    }

    /// How many samples have no phenotype under those options; all where there is nothing but 0.
    pub fn without(&self, options: &Options) -> usize {
        let kept = self.known(&self.guessed(options)).kept;
        let nothing = kept.iter().all(|&row| is(&self.phenotypes[row], 0.0));
        self.names.len() - if nothing { 0 } else { kept.len() }
    }

    /// The phenotypes as a target.
    ///
    /// 1 and 2 (control and case) are classes, and 0 is then missing, as are −9 and NA always.
    /// Other numbers are real values unless classes are asked for; texts are classes. 0 and 1
    /// without a 2 are classes when they are asked for.
    pub fn target(&self, options: &Options) -> Result<Kept> {
        let Known { kept, coded, unclear } = self.known(options);
        let all = kept.len() == self.phenotypes.len();
        if kept.is_empty() {
            return Err(self.bad(PlinkError::NoPhenotypes));
        }
        let gone = (0..self.phenotypes.len()).find(|&row| kept.get(row) != Some(&row));
        if let (false, Some(row)) = (options.skip_missing_target, gone) {
            let (line, count) = (row + 1, self.phenotypes.len() - kept.len());
            let (sample, found) = (self.names[row].clone(), self.phenotypes[row].clone());
            return Err(self.bad(match unclear {
                true => PlinkError::UnclearPhenotype { line, sample, found, count },
                false => PlinkError::MissingPhenotype { line, sample, found, count },
            }));
        }
        let texts = || kept.iter().map(|&row| self.phenotypes[row].as_str());
        let values: Vec<Option<f64>> = texts().map(|text| number(text.as_bytes())).collect();
        let classes = match options.target_kind {
            TargetKind::Classes => true,
            TargetKind::Real => false,
            TargetKind::Auto => coded || values.iter().any(Option::is_none),
        };
        let finite = |value: &Option<f64>| value.is_some_and(f64::is_finite);
        let target = match values.iter().position(|value| !finite(value)) {
            _ if classes => Target::classes(texts()),
            None => Target::Real(values.into_iter().flatten().collect()),
            Some(at) => {
                let found = shown(self.phenotypes[kept[at]].as_bytes());
                return Err(self.bad(PlinkError::PhenotypeNotFinite { line: kept[at] + 1, found }));
            }
        };
        Ok((target, (!all).then_some(kept)))
    }

    fn bad(&self, reason: PlinkError) -> ReadError {
        ReadError::Plink { file: self.file.clone(), reason }
    }
}

/// True when the text is this number, however it is written.
fn is(text: &str, value: f64) -> bool {
    number(text.as_bytes()) == Some(value)
}

/// Hands on the six cells of every line.
fn lines(path: &Path, names: &'static str, mut each: impl FnMut([&str; 6])) -> Result<()> {
    let file = path.display().to_string();
    let bad = |reason| ReadError::Plink { file: file.clone(), reason };
    let input = File::open(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => ReadError::NotBeside { file: file.clone() },
        _ => ReadError::io(&file, e),
    })?;
    let mut input = BufReader::with_capacity(1 << 17, input);
    let (mut line, mut at) = (Vec::new(), 0usize);
    // The first line with nothing on it: only the end of the file may follow.
    let mut blank = None;
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).map_err(|e| ReadError::io(&file, e))? == 0 {
            break;
        }
        at += 1;
        let text = std::str::from_utf8(&line).map_err(|e| ReadError::Encoding {
            file: file.clone(),
            line: at as u64,
            byte: line[e.valid_up_to()],
            at: e.valid_up_to(),
            place: "the line".into(),
        })?;
        let mut cells = text.split_ascii_whitespace();
        let six: [Option<&str>; 6] = std::array::from_fn(|_| cells.next());
        let found = six.iter().flatten().count() + cells.count();
        if found == 0 {
            blank = blank.or(Some(at));
            continue;
        }
        if let Some(blank) = blank {
            return Err(bad(PlinkError::BlankLine { line: blank }));
        }
        match six {
            [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f)] if found == 6 => {
                each([a, b, c, d, e, f]);
            }
            _ => return Err(bad(PlinkError::NotSixCells { line: at, found, names })),
        }
    }
    if at == 0 || blank == Some(1) {
        return Err(ReadError::Empty { file });
    }
    Ok(())
}
