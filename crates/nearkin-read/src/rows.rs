//! [`decide`]: which rows of a table are kept, and what is known of those.
//!
//! What is decided here is the same for every format: lists of samples to keep or to remove, a
//! target from another file, rows whose target is missing, covariates from another file.

use nearkin::data::{Column, Target};

use crate::beside::Beside;
use crate::cell::number;
use crate::error::{CellError, NpyError, ReadError, Result};
use crate::given::Strata;
use crate::note::ReadNote;
use crate::npy;
use crate::options::{Options, TargetChoice, TargetKind};
use crate::phenotype::{Phenotypes, UNKNOWN};
use crate::samples::Samples;
use crate::source::Source;
use crate::target::{TargetBuilder, from_numbers};

/// The rows of a file before some are left out.
pub(crate) struct Rows<'a> {
    /// The file.
    pub file: &'a str,
    /// How many there are.
    pub count: usize,
    /// The line of each row, of a file that has lines.
    pub lines: &'a [u64],
    /// The samples that the rows are.
    pub samples: Option<Samples>,
    /// The target, where it is in the file.
    pub target: Option<RawTarget>,
    /// True when families are strata.
    pub by_family: bool,
}

/// A target before rows are left out.
pub(crate) struct RawTarget {
    /// The name of its column.
    pub name: String,
    /// True when the caller did not choose it.
    pub guessed: bool,
    /// The kind of target to make.
    pub kind: TargetKind,
    /// Its cells.
    pub cells: TargetCells,
}

/// The cells of a target.
pub(crate) enum TargetCells {
    /// As a text table has them.
    Texts(TargetBuilder),
    /// Numbers; NaN is missing.
    Numbers(Vec<f64>),
    /// Texts that are classes; an empty one is missing.
    Words(Vec<String>),
    /// As PLINK writes them.
    Phenotypes(Phenotypes),
}

/// What was decided about the rows of a file.
#[derive(Default)]
pub(crate) struct Decided {
    /// The rows that are kept, where not all are.
    pub kept: Option<Vec<usize>>,
    /// The target of the rows that are kept.
    pub target: Option<Target>,
    /// Its name.
    pub target_name: Option<String>,
    /// True when the caller did not choose it.
    pub target_guessed: bool,
    /// The samples that are kept.
    pub samples: Option<Samples>,
    /// The covariates from another file, of all rows.
    pub covariates: Vec<Column<'static>>,
    /// The file of covariates.
    pub covar: String,
    /// The strata from another file, of all rows.
    pub strata: Vec<Strata>,
    /// What a reader should know.
    pub notes: Vec<ReadNote>,
}

/// Decides which rows are kept.
pub(crate) fn decide(rows: Rows<'_>, beside: &Beside, options: &Options) -> Result<Decided> {
    let mut decided = Decided::default();
    let Rows { file, count, lines, samples, mut target, by_family } = rows;
    let mut kept: Vec<usize> = (0..count).collect();
    if let Some(listed) = beside.listed(file, samples.as_ref(), &mut decided.notes)? {
        kept = listed;
    }
    let mut target_file = file.to_owned();
    if let TargetChoice::Npy(path) = &options.target {
        let cells = npy::read_target(&mut Source::file(path)?)?;
        target_file = path.display().to_string();
        let found = match &cells {
            TargetCells::Numbers(values) => values.len(),
            TargetCells::Words(words) => words.len(),
            TargetCells::Texts(_) | TargetCells::Phenotypes(_) => count,
        };
        if found != count {
            let file = file.to_owned();
            return Err(ReadError::TargetLength { file, rows: count, target_file, found });
        }
        if options.target_kind == TargetKind::Real && matches!(cells, TargetCells::Words(_)) {
            return Err(ReadError::npy(&target_file, NpyError::TextTarget));
        }
        let (name, kind) = (target_file.clone(), options.target_kind);
        target = Some(RawTarget { name, guessed: false, kind, cells });
    }
    if let Some(phenotypes) =
        beside.phenotypes(file, samples.as_ref(), options, &mut decided.notes)?
    {
        target = Some(phenotypes);
    }
    if let Some(target) = target {
        // An array has no name for its only column.
        let name = if target_file == file { target.name.as_str() } else { "target" };
        let place = Place { file, lines, target_file: &target_file, name };
        let (found, known) = match target.cells {
            TargetCells::Phenotypes(phenotypes) => {
                of_phenotypes(&phenotypes, kept, options, &mut decided.notes)?
            }
            cells => of_cells(cells, target.kind, kept, &place, options, &mut decided.notes)?,
        };
        decided.target_name = found.is_some().then_some(target.name);
        decided.target_guessed = found.is_some() && target.guessed;
        decided.target = found;
        kept = known;
    }
    (decided.covariates, decided.strata) =
        beside.given(file, samples.as_ref(), by_family, options, &mut decided.notes)?;
    decided.covar = beside.covar().to_owned();
    let all = kept.len() == count;
    decided.samples = samples.map(|samples| if all { samples } else { samples.select(&kept) });
    decided.kept = (!all).then_some(kept);
    Ok(decided)
}

/// A target, where there is one, and the rows that have it.
type Found = (Option<Target>, Vec<usize>);

/// True when a table to predict may come without the target.
fn is_optional(options: &Options) -> bool {
    matches!(options.target, TargetChoice::IfThere(_))
}

fn of_phenotypes(
    phenotypes: &Phenotypes,
    rows: Vec<usize>,
    options: &Options,
    notes: &mut Vec<ReadNote>,
) -> Result<Found> {
    let mut asked = options;
    let guessed;
    if is_optional(options) {
        let missing = phenotypes.without(&rows, options);
        if missing > 0 && !(missing < rows.len() && options.skip_missing_target) {
            notes.push(ReadNote::NoPhenotypes { missing, samples: rows.len() });
            return Ok((None, rows));
        }
        guessed = phenotypes.guessed(&rows, options);
        asked = &guessed;
    }
    let (target, kept) = phenotypes.target(&rows, asked)?;
    if kept.len() < rows.len() {
        notes.push(ReadNote::SamplesLeftOut { count: rows.len() - kept.len() });
    }
    Ok((Some(target), kept))
}

/// Where the cells of a target stand.
struct Place<'a> {
    file: &'a str,
    lines: &'a [u64],
    target_file: &'a str,
    name: &'a str,
}

impl Place<'_> {
    fn bad(&self, row: usize, reason: CellError) -> ReadError {
        let (file, column) = (self.target_file.to_owned(), self.name.to_owned());
        match self.lines.get(row).filter(|_| self.file == self.target_file) {
            Some(&line) => ReadError::Cell { file, line, column, reason },
            None => ReadError::RowCell { file, row, column, reason },
        }
    }
}

fn of_cells(
    cells: TargetCells,
    kind: TargetKind,
    rows: Vec<usize>,
    place: &Place<'_>,
    options: &Options,
    notes: &mut Vec<ReadNote>,
) -> Result<Found> {
    let missing = |row: usize| match &cells {
        TargetCells::Texts(cells) => cells.missing(row).map(str::to_owned),
        TargetCells::Numbers(values) => values[row].is_nan().then(|| "NaN".to_owned()),
        TargetCells::Words(words) => words[row].is_empty().then(String::new),
        TargetCells::Phenotypes(_) => None,
    };
    let count = rows.len();
    let mut first = None;
    let kept: Vec<usize> = rows
        .iter()
        .copied()
        .filter(|&row| match missing(row) {
            None => true,
            Some(found) => {
                first.get_or_insert((row, found));
                false
            }
        })
        .collect();
    if let Some((row, found)) = first {
        match options.skip_missing_target {
            true if kept.is_empty() && !is_optional(options) => {
                let (file, column) = (place.target_file.to_owned(), place.name.to_owned());
                return Err(ReadError::NoTargets { file, column });
            }
            true if kept.is_empty() => {}
            true => notes.push(ReadNote::RowsLeftOut { count: count - kept.len() }),
            false if is_optional(options) => {}
            false => return Err(place.bad(row, CellError::MissingTarget { found })),
        }
        if !options.skip_missing_target || kept.is_empty() {
            let column = place.name.to_owned();
            notes.push(ReadNote::NoTarget { missing: count - kept.len(), rows: count, column });
            return Ok((None, rows));
        }
    }
    let target = match cells {
        TargetCells::Texts(cells) => {
            let finished = cells.finish(kind, &kept);
            finished
                .map_err(|(row, found, fault)| place.bad(row, fault.reason(found.as_bytes())))?
        }
        TargetCells::Numbers(values) => {
            let values: Vec<f64> = kept.iter().map(|&row| values[row]).collect();
            if let Some(at) = values.iter().position(|value| value.is_infinite()) {
                let reason = CellError::TargetNotFinite { found: values[at] };
                return Err(place.bad(kept[at], reason));
            }
            from_numbers(values, kind)
        }
        TargetCells::Words(words) => Target::classes(kept.iter().map(|&row| words[row].as_str())),
        TargetCells::Phenotypes(_) => return Ok((None, rows)),
    };
    if let Some(count) = unknown_as_class(&target) {
        notes.push(ReadNote::UnknownAsClass { column: place.name.to_owned(), count });
    }
    Ok((Some(target), kept))
}

/// How many rows are of class -9, where the other classes are 1 and 2.
fn unknown_as_class(target: &Target) -> Option<usize> {
    let Target::Classes(classes) = target else { return None };
    let at =
        |value: f64| classes.names().iter().position(|name| number(name.as_bytes()) == Some(value));
    let plink = at(1.0).is_some() && at(2.0).is_some() && classes.len() == 3;
    at(UNKNOWN).filter(|_| plink).map(|at| classes.counts()[at])
}
