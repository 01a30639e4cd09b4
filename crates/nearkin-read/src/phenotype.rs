//! Phenotypes as PLINK writes them: 1 and 2 are control and case, −9 is missing.

use nearkin::data::Target;

use crate::cell::{Missing, number};
use crate::error::{PlinkError, ReadError, Result, shown};
use crate::options::{Options, TargetKind};

/// The number that PLINK writes for a missing phenotype.
pub(crate) const UNKNOWN: f64 = -9.0;

/// The phenotype of each sample, as its file writes it.
pub(crate) struct Phenotypes {
    /// The file.
    pub file: String,
    /// The line of each sample; `None` for one that the file does not name.
    pub lines: Vec<Option<u64>>,
    /// The names of the samples.
    pub names: Vec<String>,
    /// What is written of each; empty for one that the file does not name.
    pub texts: Vec<String>,
}

/// Phenotypes of the samples of a file; some may be missing.
struct Known {
    /// Samples that have one.
    kept: Vec<usize>,
    /// They are controls and cases, 1 and 2.
    coded: bool,
    /// 0 and 1 with nothing else: 0 may be meant as a class.
    unclear: bool,
}

impl Phenotypes {
    /// Which of the samples in `rows` have a phenotype, and how they are coded.
    fn known(&self, rows: &[usize], options: &Options) -> Known {
        let marks = Missing::new(options);
        let missing = |text: &str| {
            marks.text(text.as_bytes())
                || number(text.as_bytes()).is_some_and(|v| v == UNKNOWN || marks.number(v))
        };
        let texts = || rows.iter().map(|&row| self.texts[row].as_str());
        let known = || texts().filter(|text| !missing(text));
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
        let kept = rows.iter().copied().filter(|&row| !missing(&self.texts[row])).collect();
        Known { kept, coded, unclear }
    }

    /// The options for phenotypes that come along with samples to predict: beside cases or
    /// controls a 0 is missing, whatever the kind of target.
    pub fn guessed(&self, rows: &[usize], options: &Options) -> Options {
        let auto = Options {
            missing: options.missing.clone(),
            skip_missing_target: options.skip_missing_target,
            ..Options::default()
        };
        match self.known(rows, &auto).coded {
            true => auto,
            false => Options { target_kind: options.target_kind, ..auto },
        }
    }

    /// How many of those samples have no phenotype under the options; all where there is nothing
    /// but 0.
    pub fn without(&self, rows: &[usize], options: &Options) -> usize {
        let kept = self.known(rows, &self.guessed(rows, options)).kept;
        let nothing = kept.iter().all(|&row| is(&self.texts[row], 0.0));
        rows.len() - if nothing { 0 } else { kept.len() }
    }

    /// The phenotypes of those samples as a target, and the samples that have one.
    ///
    /// 1 and 2 (control and case) are classes, and 0 is then missing, as are −9 and NA always.
    /// Other numbers are real values unless classes are asked for; texts are classes. 0 and 1
    /// without a 2 are classes when they are asked for.
    pub fn target(&self, rows: &[usize], options: &Options) -> Result<(Target, Vec<usize>)> {
        let Known { kept, coded, unclear } = self.known(rows, options);
        if kept.is_empty() {
            return Err(self.bad(PlinkError::NoPhenotypes));
        }
        let gone = rows.iter().zip(kept.iter().map(Some).chain(std::iter::repeat(None)));
        let gone = gone.into_iter().find(|(row, kept)| Some(*row) != *kept);
        if let (false, Some((&row, _))) = (options.skip_missing_target, gone) {
            let count = rows.len() - kept.len();
            let (sample, found) = (self.names[row].clone(), shown(self.texts[row].as_bytes()));
            return Err(self.bad(match self.lines[row] {
                None => PlinkError::NoPhenotypeLine { sample, count },
                Some(line) if unclear => {
                    PlinkError::UnclearPhenotype { line, sample, found, count }
                }
                Some(line) => PlinkError::MissingPhenotype { line, sample, found, count },
            }));
        }
        let texts = || kept.iter().map(|&row| self.texts[row].as_str());
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
                let found = shown(self.texts[kept[at]].as_bytes());
                let line = self.lines[kept[at]].unwrap_or_default();
                return Err(self.bad(PlinkError::PhenotypeNotFinite { line, found }));
            }
        };
        Ok((target, kept))
    }

    fn bad(&self, reason: PlinkError) -> ReadError {
        ReadError::Plink { file: self.file.clone(), reason }
    }
}

/// True when the text is this number, however it is written.
fn is(text: &str, value: f64) -> bool {
    number(text.as_bytes()) == Some(value)
}
