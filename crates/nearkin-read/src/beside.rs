//! [`Beside`]: text files about the samples of a table — phenotypes, covariates, lists.
//!
//! Phenotypes and covariates stand below a header that has a column `IID`, and perhaps `FID`
//! (a `#` may precede the first name). Lines are matched with rows by IID; by FID and IID where
//! both files have families and an IID repeats. Lower bound: a look-up by hash for each line.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use nearkin::data::{Column, ColumnValues};

use crate::cell::{Missing, trimmed};
use crate::columns::{Builder, text};
use crate::error::{CellError, OptionError, ReadError, Result};
use crate::given::Strata;
use crate::layout::Role;
use crate::note::ReadNote;
use crate::options::{Options, TargetChoice};
use crate::phenotype::{Phenotypes, UNKNOWN};
use crate::records::Records;
use crate::rows::{RawTarget, TargetCells};
use crate::samples::Samples;
use crate::sniff;
use crate::source::Source;

/// Bytes looked at to find the delimiter.
const SAMPLE: usize = 1 << 16;

/// Columns of PLINK's files that say more about who a sample is.
const RELATIVES: [&str; 3] = ["SID", "PAT", "MAT"];

/// The files about samples that the options name.
#[derive(Default)]
pub(crate) struct Beside {
    pheno: Option<(SideTable, bool)>,
    covar: Option<SideTable>,
    keep: Option<List>,
    remove: Option<List>,
    /// Which columns of `covar` are covariates and which tell strata.
    covariates: Vec<String>,
    strata: Vec<String>,
}

impl Beside {
    /// Reads the files, and gives the options for the table that remain.
    pub fn read(options: &Options) -> Result<(Self, Option<Options>)> {
        let mut beside = Self::default();
        let mut of_table = None;
        if let Some(path) = options.pheno.as_deref().filter(|_| wants_target(options)) {
            let (table, guessed) = phenotypes(path, options)?;
            beside.pheno = Some((table, guessed));
            of_table.get_or_insert_with(|| options.clone()).target = TargetChoice::None;
        }
        if let Some(path) = &options.covar {
            let asked = |names: &[String], list: &[String]| -> Vec<String> {
                list.iter().filter(|name| names.contains(name)).cloned().collect()
            };
            let table = SideTable::read(path, options, |names| {
                beside.strata = asked(names, &options.strata);
                beside.covariates = asked(names, &options.covariates);
                if beside.strata.is_empty() && beside.covariates.is_empty() {
                    let values = names.iter().filter(|name| !RELATIVES.contains(&name.as_str()));
                    beside.covariates = values.cloned().collect();
                }
                let is_asked = |name: &String| {
                    beside.covariates.contains(name) || beside.strata.contains(name)
                };
                Ok((0..names.len()).filter(|&at| is_asked(&names[at])).collect())
            })?;
            let of_table = of_table.get_or_insert_with(|| options.clone());
            for list in [
                &mut of_table.covariates,
                &mut of_table.strata,
                &mut of_table.nominal,
                &mut of_table.numeric,
            ] {
                list.retain(|name| !table.names.contains(name));
            }
            beside.covar = Some(table);
        }
        let list = |path: &Option<_>| path.as_deref().map(List::read).transpose();
        (beside.keep, beside.remove) = (list(&options.keep)?, list(&options.remove)?);
        Ok((beside, of_table))
    }

    /// True when phenotypes come from another file.
    pub fn has_phenotypes(&self) -> bool {
        self.pheno.is_some()
    }

    /// The file of covariates.
    pub fn covar(&self) -> &str {
        self.covar.as_ref().map_or("", |table| table.file.as_str())
    }

    /// The rows that the lists of samples leave, where there are lists.
    pub fn listed(
        &self,
        file: &str,
        samples: Option<&Samples>,
        notes: &mut Vec<ReadNote>,
    ) -> Result<Option<Vec<usize>>> {
        let mut rows: Option<Vec<usize>> = None;
        for (list, keep) in [(&self.keep, true), (&self.remove, false)] {
            let Some(list) = list else { continue };
            let samples = known(file, samples, &list.file)?;
            let (named, unknown) = list.rows(samples);
            let before = rows.take().unwrap_or_else(|| (0..samples.iid.len()).collect());
            let count = before.len();
            let left: Vec<usize> = before.into_iter().filter(|&row| named[row] == keep).collect();
            let list = list.file.clone();
            if left.is_empty() {
                return Err(ReadError::NoSampleLeft { file: file.to_owned(), list });
            }
            let count = count - left.len();
            notes.push(match keep {
                true => ReadNote::NotListed { list, count, unknown },
                false => ReadNote::Listed { list, count, unknown },
            });
            rows = Some(left);
        }
        Ok(rows)
    }

    /// The phenotypes from another file, one for each row.
    pub fn phenotypes(
        &self,
        file: &str,
        samples: Option<&Samples>,
        options: &Options,
        notes: &mut Vec<ReadNote>,
    ) -> Result<Option<RawTarget>> {
        let Some((table, guessed)) = &self.pheno else { return Ok(None) };
        let samples = known(file, samples, &table.file)?;
        let lines = table.join(file, samples, notes)?;
        let (Some(name), Some(cells)) = (table.names.first(), table.columns.first()) else {
            return Ok(None);
        };
        let text = |at: &Option<usize>| at.map(|at| cells[at].clone()).unwrap_or_default();
        let cells = TargetCells::Phenotypes(Phenotypes {
            file: table.file.clone(),
            lines: lines.iter().map(|at| at.map(|at| table.lines[at])).collect(),
            names: samples.names(),
            texts: lines.iter().map(text).collect(),
        });
        let kind = options.target_kind;
        Ok(Some(RawTarget { name: name.clone(), guessed: *guessed, kind, cells }))
    }

    /// The covariates and strata that are no columns of the table: those of another file, and
    /// families where strata are `by_family`.
    pub fn given(
        &self,
        file: &str,
        samples: Option<&Samples>,
        by_family: bool,
        options: &Options,
        notes: &mut Vec<ReadNote>,
    ) -> Result<(Vec<Column<'static>>, Vec<Strata>)> {
        let (mut covariates, mut strata) = (Vec::new(), Vec::new());
        let fid = samples.and_then(|samples| samples.fid.as_ref());
        let mut families: Option<Vec<Option<&str>>> =
            fid.map(|fid| fid.iter().map(|name| Some(name.as_str())).collect());
        if let Some(table) = &self.covar {
            let lines = table.join(file, known(file, samples, &table.file)?, notes)?;
            let of = |name: &String| -> Result<Column<'static>> {
                let at = table.names.iter().position(|known| known == name).unwrap_or_default();
                table.column(at, &lines, options)
            };
            covariates = self.covariates.iter().map(of).collect::<Result<_>>()?;
            for column in &covariates {
                let column: &Column<'static> = column;
                let count = unknowns(column);
                if count > 0 {
                    let (file, column) = (table.file.clone(), column.name.clone());
                    notes.push(ReadNote::UnknownAsNumber { file, column, count });
                }
            }
            for name in &self.strata {
                strata.push(Strata::of_column(&of(name)?));
            }
            if let (None, Some(fid)) = (&families, &table.fid) {
                let family = |at: &Option<usize>| at.map(|at| fid[at].as_str());
                families = Some(lines.iter().map(family).collect());
            }
        }
        if by_family {
            let Some(families) = families else {
                let (file, reason) = (file.to_owned(), OptionError::NoFamilies);
                return Err(ReadError::Option { file, option: "strata", reason });
            };
            strata.push(Strata::of_texts("FID", families.into_iter()));
        }
        Ok((covariates, strata))
    }
}

/// True when a target is wanted that another file may hold.
fn wants_target(options: &Options) -> bool {
    options.target != TargetChoice::None
}

/// The samples of the table, without which `other` cannot be matched.
fn known<'s>(file: &str, samples: Option<&'s Samples>, other: &str) -> Result<&'s Samples> {
    let unknown = || ReadError::NoSamples { file: file.to_owned(), other: other.to_owned() };
    samples.ok_or_else(unknown)
}

/// The column of phenotypes that the options choose; true where they do not choose among several.
fn phenotypes(path: &Path, options: &Options) -> Result<(SideTable, bool)> {
    let mut guessed = false;
    let file = path.display().to_string();
    let table = SideTable::read(path, options, |names| {
        let bad = |reason| ReadError::Option { file: file.clone(), option: "target", reason };
        let mut others =
            (0..names.len()).filter(|&at| !RELATIVES.contains(&&*names[at]) && names[at] != "SEX");
        let first = others.next();
        let named = |asked: &String| names.iter().position(|name| name == asked);
        let at = match &options.target {
            TargetChoice::Npy(_) => return Err(bad(OptionError::TwoTargets)),
            TargetChoice::Column(asked) => Some(named(asked).ok_or_else(|| {
                let names = names.iter().take(5).cloned().collect();
                bad(OptionError::NoPhenotype { asked: asked.clone(), names })
            })?),
            TargetChoice::IfThere(asked) => named(asked).or(first),
            TargetChoice::Auto | TargetChoice::None => {
                guessed = others.next().is_some();
                first
            }
        };
        at.map(|at| vec![at]).ok_or_else(|| ReadError::NoValues { file: file.clone() })
    })?;
    Ok((table, guessed))
}

/// The cells of a column that are -9, where all are numbers.
fn unknowns(column: &Column<'_>) -> usize {
    match &column.values {
        ColumnValues::F64(lane) => lane.iter().filter(|value| *value == UNKNOWN).count(),
        _ => 0,
    }
}

/// Some columns of a text file whose lines are samples.
struct SideTable {
    file: String,
    fid: Option<Vec<String>>,
    iid: Vec<String>,
    /// The line of each sample.
    lines: Vec<u64>,
    names: Vec<String>,
    columns: Vec<Vec<String>>,
}

/// The lines of a text file.
fn open<'s>(source: &'s mut Source<'_>, file: &'s str) -> Result<Records<'s>> {
    let sample = source.start(SAMPLE)?;
    let delimiter = sniff::delimiter(&sample, sample.len() < SAMPLE);
    Ok(Records::new(file, source.open()?, delimiter, Options::default().max_record_bytes))
}

/// A cell as text, without blanks around it.
fn cell_text(file: &str, line: u64, column: &str, cell: &[u8]) -> Result<String> {
    let cell = trimmed(cell);
    text(cell).map(str::to_owned).map_err(|fault| fault.at(file, line, column, cell))
}

/// True for the name of a column of identifiers, such as `IID` or `#IID`.
fn is_called(name: &str, wanted: &str) -> bool {
    name.strip_prefix('#').unwrap_or(name).eq_ignore_ascii_case(wanted)
}

impl SideTable {
    /// Reads the columns that `choose` picks among those that are no identifiers.
    fn read(
        path: &Path,
        options: &Options,
        choose: impl FnOnce(&[String]) -> Result<Vec<usize>>,
    ) -> Result<Self> {
        let mut source = Source::file(path)?;
        let file = source.name.clone();
        let mut records = open(&mut source, &file)?;
        let first = records.next()?.ok_or_else(|| ReadError::Empty { file: file.clone() })?;
        let (width, line) = (first.len(), first.line);
        let head = first.cells().map(|cell| cell_text(&file, line, "names", cell));
        let head: Vec<String> = head.collect::<Result<_>>()?;
        let called = |wanted| head.iter().position(|name| is_called(name, wanted));
        let (fid, Some(iid)) = (called("FID"), called("IID")) else {
            let names = head.iter().take(5).cloned().collect();
            return Err(ReadError::NoIid { file: file.clone(), line, names });
        };
        let mut seen = HashMap::new();
        for (second, name) in head.iter().enumerate() {
            if let Some(first) = seen.insert(name.as_str(), second) {
                let name = name.clone();
                return Err(ReadError::DuplicateName { file: file.clone(), name, first, second });
            }
        }
        let others: Vec<usize> = (0..width).filter(|&at| Some(at) != fid && at != iid).collect();
        let names: Vec<String> = others.iter().map(|&at| head[at].clone()).collect();
        let chosen: Vec<usize> = choose(&names)?.into_iter().map(|at| others[at]).collect();
        let mut table = Self {
            file: file.clone(),
            fid: fid.map(|_| Vec::new()),
            iid: Vec::new(),
            lines: Vec::new(),
            names: chosen.iter().map(|&at| head[at].clone()).collect(),
            columns: vec![Vec::new(); chosen.len()],
        };
        let missing = Missing::new(options);
        while let Some(record) = records.next()? {
            let (line, found) = (record.line, record.len());
            if found != width {
                return Err(ReadError::Ragged { file: file.clone(), line, expected: width, found });
            }
            let cells: Vec<&[u8]> = record.cells().collect();
            let at = |at: usize| cell_text(&file, line, &head[at], cells[at]);
            let name = at(iid)?;
            if missing.text(name.as_bytes()) {
                let column = head[iid].clone();
                let reason = CellError::MissingId;
                return Err(ReadError::Cell { file: file.clone(), line, column, reason });
            }
            table.iid.push(name);
            if let (Some(family), Some(fid)) = (&mut table.fid, fid) {
                family.push(at(fid)?);
            }
            table.lines.push(line);
            for (column, &place) in table.columns.iter_mut().zip(&chosen) {
                column.push(at(place)?);
            }
        }
        match table.lines.is_empty() {
            true => Err(ReadError::NoRows { file: file.clone() }),
            false => Ok(table),
        }
    }

    /// For each sample of the table the place of its line here, where it has one.
    fn join(
        &self,
        file: &str,
        samples: &Samples,
        notes: &mut Vec<ReadNote>,
    ) -> Result<Vec<Option<usize>>> {
        let mut own = HashSet::with_capacity(self.iid.len());
        let repeats = !self.iid.iter().all(|iid| own.insert(iid)) || !samples.are_different();
        let families = match (&self.fid, &samples.fid) {
            (Some(here), Some(there)) if repeats => Some((here, there)),
            _ => None,
        };
        let key = |fid: Option<&Vec<String>>, iid: &[String], at: usize| -> (String, String) {
            (fid.map(|fid| fid[at].clone()).unwrap_or_default(), iid[at].clone())
        };
        let shown = |(family, name): (String, String)| match families {
            Some(_) => format!("{family} {name}"),
            None => name,
        };
        let mut places = HashMap::with_capacity(self.iid.len());
        for at in 0..self.iid.len() {
            let name = key(families.map(|(here, _)| here), &self.iid, at);
            if let Some(first) = places.insert(name.clone(), at) {
                let (first, second) = (self.lines[first], self.lines[at]);
                let (file, sample) = (self.file.clone(), shown(name));
                return Err(ReadError::SampleTwice { file, first, second, sample });
            }
        }
        let mut rows = HashMap::with_capacity(samples.iid.len());
        let mut joined = Vec::with_capacity(samples.iid.len());
        for row in 0..samples.iid.len() {
            let name = key(families.map(|(_, there)| there), &samples.iid, row);
            joined.push(places.get(&name).copied());
            if let Some(first) = rows.insert(name.clone(), row) {
                let (file, other, sample) = (file.to_owned(), self.file.clone(), shown(name));
                return Err(ReadError::RowTwice { file, first, second: row, sample, other });
            }
        }
        let matched = joined.iter().flatten().count();
        if matched == 0 {
            let first = |names: &[String]| names.first().cloned().unwrap_or_default();
            let (here, there) = (first(&self.iid), first(&samples.iid));
            let (file, other) = (self.file.clone(), file.to_owned());
            return Err(ReadError::NothingMatches { file, here, other, there });
        }
        let (rows, lines) = (joined.len() - matched, self.iid.len() - matched);
        if rows + lines > 0 {
            notes.push(ReadNote::Unmatched { file: self.file.clone(), rows, lines });
        }
        Ok(joined)
    }

    /// A column at these lines; cells of rows without a line are missing.
    fn column(
        &self,
        at: usize,
        lines: &[Option<usize>],
        options: &Options,
    ) -> Result<Column<'static>> {
        let (name, cells) = (&self.names[at], &self.columns[at]);
        let is_in = |list: &[String]| list.contains(name);
        let role = match (is_in(&options.nominal), is_in(&options.numeric)) {
            (true, _) => Role::Nominal,
            (_, true) => Role::Numeric,
            _ => Role::Infer,
        };
        let missing = Missing::new(options);
        let build = |role| -> Result<Builder> {
            let mut builder = Builder::new(role);
            for line in lines {
                let (cell, place) = match line {
                    Some(at) => (cells[*at].as_bytes(), self.lines[*at]),
                    None => (&b""[..], 0),
                };
                let pushed = builder.push(cell, place, &missing);
                pushed.map_err(|fault| fault.at(&self.file, place, name, cell))?;
            }
            Ok(builder)
        };
        let builder = match build(role)? {
            Builder::Again => build(Role::Nominal)?,
            built => built,
        };
        let none = || ReadError::NoValues { file: self.file.clone() };
        builder.finish(&self.file, name, None)?.ok_or_else(none)
    }
}

/// A list of samples.
struct List {
    file: String,
    /// Own identifiers of lines that have nothing else.
    alone: Vec<String>,
    /// Family and own identifier.
    both: Vec<(String, String)>,
}

impl List {
    /// Reads a list: IID, or FID and IID, a line; what follows does not count.
    fn read(path: &Path) -> Result<Self> {
        let mut source = Source::file(path)?;
        let file = source.name.clone();
        let mut records = open(&mut source, &file)?;
        let mut list = Self { file: file.clone(), alone: Vec::new(), both: Vec::new() };
        // The places of family and own identifier, where a header says so.
        let mut places: Option<(Option<usize>, usize)> = None;
        let mut is_first = true;
        while let Some(record) = records.next()? {
            let line = record.line;
            let cells = record.cells().map(|cell| cell_text(&file, line, "samples", cell));
            let cells: Vec<String> = cells.collect::<Result<_>>()?;
            let called = |wanted| cells.iter().position(|cell| is_called(cell, wanted));
            if std::mem::take(&mut is_first)
                && let Some(iid) = called("IID")
            {
                places = Some((called("FID"), iid));
                continue;
            }
            let (fid, iid) = places.unwrap_or(match cells.len() {
                0 | 1 => (None, 0),
                _ => (Some(0), 1),
            });
            let name = cells.get(iid).filter(|name| !name.is_empty()).cloned();
            let Some(name) = name else {
                let reason = CellError::MissingId;
                let column = "IID".to_owned();
                return Err(ReadError::Cell { file: file.clone(), line, column, reason });
            };
            match fid.and_then(|at| cells.get(at)) {
                Some(family) => list.both.push((family.clone(), name)),
                None => list.alone.push(name),
            }
        }
        match list.alone.is_empty() && list.both.is_empty() {
            true => Err(ReadError::NoRows { file: file.clone() }),
            false => Ok(list),
        }
    }

    /// Whether each row is listed, and how many of those listed are no row.
    fn rows(&self, samples: &Samples) -> (Vec<bool>, usize) {
        let mut alone: HashMap<&str, bool> =
            self.alone.iter().map(|name| (name.as_str(), false)).collect();
        let with_family = samples.fid.is_some();
        let mut both: HashMap<(&str, &str), bool> = HashMap::new();
        for (family, name) in &self.both {
            let family = if with_family { family.as_str() } else { "" };
            both.insert((family, name), false);
        }
        let named = (0..samples.iid.len()).map(|row| {
            let name = samples.iid[row].as_str();
            let family = samples.fid.as_ref().map_or("", |fid| fid[row].as_str());
            let found = [alone.get_mut(name), both.get_mut(&(family, name))];
            found.into_iter().flatten().fold(false, |_, seen| {
                *seen = true;
                true
            })
        });
        let named = named.collect();
        let unknown = alone.values().chain(both.values()).filter(|seen| !**seen).count();
        (named, unknown)
    }
}
