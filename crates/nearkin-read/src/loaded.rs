//! [`Loaded`]: what a file held, and what was found out about it.

use std::collections::HashMap;

use nearkin::data::{Column, ColumnValues, Table, Target};

use crate::beside::Beside;
use crate::columns::Builder;
use crate::error::{ReadError, Result};
use crate::given::Strata;
use crate::layout::{Layout, PHENOTYPE, Role, SEX};
use crate::note::ReadNote;
use crate::options::{Format, Options};
use crate::phenotype::Phenotypes;
use crate::rows::{Decided, RawTarget, Rows, TargetCells, decide};
use crate::samples::Samples;

/// Where a variant lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The chromosome, as the file calls it.
    pub chromosome: String,
    /// The position on it.
    pub position: u64,
}

/// The content of a file, with what was detected.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Loaded {
    /// The features.
    pub table: Table<'static>,
    /// The target, unless the caller asked for none.
    pub target: Option<Target>,
    /// The target's column, or the file it came from.
    pub target_name: Option<String>,
    /// True when the caller did not choose the target column.
    pub target_guessed: bool,
    /// The format that was read.
    pub format: Format,
    /// The delimiter of a text table.
    pub delimiter: Option<u8>,
    /// Whether a text table had a header.
    pub header: Option<bool>,
    /// The line of each row, counted from 1; empty for files without lines.
    pub row_lines: Vec<u64>,
    /// The name of each row; empty for files that do not name rows.
    pub row_names: Vec<String>,
    /// The samples that the rows are, of files that name them.
    pub samples: Option<Samples>,
    /// The covariates that the options name, in that order.
    pub covariates: Vec<Column<'static>>,
    /// What the columns that [`Options::strata`] names say of each row.
    pub strata: Vec<Strata>,
    /// The places of variants, by the names of their columns; empty for files that do not know.
    pub places: HashMap<String, Place>,
    /// Notes on the table: columns whose kind may surprise, rows that were left out.
    pub notes: Vec<ReadNote>,
}

/// A file whose cells were read, before rows are left out.
pub(crate) struct Content {
    /// The names of all columns of the file.
    pub names: Vec<String>,
    /// What each of them is for.
    pub layout: Layout,
    /// Features, covariates and strata.
    pub columns: Vec<Column<'static>>,
    /// The target's cells.
    pub target: Option<TargetCells>,
    /// Families and identifiers of the samples; empty where the file has none.
    pub fid: Vec<String>,
    pub iid: Vec<String>,
    /// The line of each row, of a file with lines.
    pub lines: Vec<u64>,
    /// The places of variants by name.
    pub places: HashMap<String, Place>,
    pub format: Format,
    pub delimiter: Option<u8>,
    pub header: Option<bool>,
    pub notes: Vec<ReadNote>,
}

impl Content {
    /// The content of a file of some format, still without columns.
    pub fn new(format: Format, names: Vec<String>, layout: Layout) -> Self {
        let notes = layout.found_ids.map(|at| ReadNote::IdsFound { column: names[at].clone() });
        Self {
            names,
            layout,
            columns: Vec::new(),
            target: None,
            fid: Vec::new(),
            iid: Vec::new(),
            lines: Vec::new(),
            places: HashMap::new(),
            format,
            delimiter: None,
            header: None,
            notes: notes.into_iter().collect(),
        }
    }

    /// Adds the columns in the making.
    pub fn finish(&mut self, file: &str, builders: Vec<Builder>, options: &Options) -> Result<()> {
        for (at, builder) in builders.into_iter().enumerate() {
            match builder {
                Builder::Target(cells) => self.target = Some(TargetCells::Texts(cells)),
                Builder::Id(ids) => self.identify(self.layout.roles[at], ids),
                other => {
                    let column = other.finish(file, &self.names[at], options.discrete_limit)?;
                    self.columns.extend(column);
                }
            }
        }
        Ok(())
    }

    /// Takes the identifiers of samples.
    pub fn identify(&mut self, role: Role, ids: Vec<String>) {
        match role {
            Role::Family => self.fid = ids,
            _ => self.iid = ids,
        }
    }

    /// The table, of the rows that are kept.
    pub fn load(mut self, file: &str, beside: &Beside, options: &Options) -> Result<Loaded> {
        let count = match self.columns.first() {
            Some(column) => column.len(),
            None => self.iid.len().max(self.lines.len()),
        };
        let fid = (!self.fid.is_empty()).then_some(self.fid);
        let samples = (!self.iid.is_empty()).then_some(Samples { fid, iid: self.iid });
        let raw = self.layout.raw;
        let target = self.layout.target.zip(self.target).map(|(at, cells)| {
            let cells = match (cells, &samples) {
                (TargetCells::Texts(cells), Some(samples)) if raw && at == PHENOTYPE => {
                    TargetCells::Phenotypes(Phenotypes {
                        file: file.to_owned(),
                        lines: self.lines.iter().map(|&line| Some(line)).collect(),
                        names: samples.names(),
                        texts: cells.into_texts(),
                    })
                }
                (cells, _) => cells,
            };
            let (guessed, kind) = (self.layout.guessed, self.layout.kind);
            RawTarget { name: self.names[at].clone(), guessed, kind, cells }
        });
        if raw {
            // PLINK writes 0 where the sex is not known.
            let sex = &self.names[SEX];
            self.columns.iter_mut().filter(|column| column.name == *sex).for_each(without_zeros);
        }
        let by_family = self.layout.by_family;
        let rows = Rows { file, count, lines: &self.lines, samples, target, by_family };
        let decided = decide(rows, beside, options)?;
        if let Some(kept) = &decided.kept {
            let lines = self.lines;
            self.lines = kept.iter().filter_map(|&row| lines.get(row).copied()).collect();
            self.columns = self.columns.into_iter().map(|column| column.select(kept)).collect();
        }
        let mut loaded = Loaded::new(file, &self.names, self.columns, &self.layout, decided)?;
        self.notes.append(&mut loaded.notes);
        loaded.notes = self.notes;
        loaded.row_lines = self.lines;
        loaded.places = self.places;
        (loaded.format, loaded.delimiter, loaded.header) =
            (self.format, self.delimiter, self.header);
        Ok(loaded)
    }
}

/// Makes zeros missing cells.
fn without_zeros(column: &mut Column<'static>) {
    if let ColumnValues::F64(lane) = &column.values {
        let cells = lane.iter().map(|cell| if cell == 0.0 { f64::NAN } else { cell });
        *column = Column::numeric(column.name.clone(), cells.collect());
    }
}

impl Loaded {
    /// Features, covariates and strata among `columns`, which hold the rows that are kept.
    pub(crate) fn new(
        file: &str,
        names: &[String],
        columns: Vec<Column<'static>>,
        layout: &Layout,
        decided: Decided,
    ) -> Result<Self> {
        let [features, mut covariates, told] = layout.part(names, columns);
        let rows = features.first().map_or(0, Column::len);
        let kept = |column: Column<'static>| match &decided.kept {
            Some(kept) => column.select(kept),
            None => column,
        };
        for column in decided.covariates {
            if features.iter().chain(&covariates).any(|known| known.name == column.name) {
                let (file, column, other) = (file.to_owned(), column.name, decided.covar);
                return Err(ReadError::CovariateTwice { file, column, other });
            }
            covariates.push(kept(column));
        }
        let mut strata: Vec<Strata> = told.iter().map(Strata::of_column).collect();
        strata.extend(decided.strata.iter().map(|strata| match &decided.kept {
            Some(kept) => strata.select(kept),
            None => strata.clone(),
        }));
        debug_assert!(covariates.iter().all(|column| column.len() == rows));
        Ok(Self {
            table: Table::new(features).map_err(|e| ReadError::table(file, e))?,
            target: decided.target,
            target_name: decided.target_name,
            target_guessed: decided.target_guessed,
            format: Format::Csv,
            delimiter: None,
            header: None,
            row_lines: Vec::new(),
            row_names: decided.samples.as_ref().map(Samples::names).unwrap_or_default(),
            samples: decided.samples,
            covariates,
            strata,
            places: HashMap::new(),
            notes: decided.notes,
        })
    }
}
