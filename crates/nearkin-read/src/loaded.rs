//! [`Loaded`]: what a file held, and what was found out about it.

use nearkin::data::{Column, Table, Target};

use crate::columns::Builder;
use crate::error::{ReadError, Result};
use crate::layout::Layout;
use crate::note::ReadNote;
use crate::options::{Format, Options};

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
    /// Notes on the table: columns whose kind may surprise.
    pub notes: Vec<ReadNote>,
}

impl Loaded {
    /// Columns and a target that `layout` chose among `names`; the rest as in a file of no format.
    pub(crate) fn new(
        file: &str,
        names: &[String],
        columns: Vec<Column<'static>>,
        target: Option<Target>,
        layout: &Layout,
    ) -> Result<Self> {
        Ok(Self {
            table: Table::new(columns).map_err(|e| ReadError::table(file, e))?,
            target,
            target_name: layout.target.map(|at| names[at].clone()),
            target_guessed: layout.guessed,
            format: Format::Csv,
            delimiter: None,
            header: None,
            row_lines: Vec::new(),
            row_names: Vec::new(),
            notes: Vec::new(),
        })
    }
}

/// Finished columns and target from those in the making.
pub(crate) fn assemble(
    file: &str,
    names: Vec<String>,
    builders: Vec<Builder>,
    lines: Vec<u64>,
    layout: &Layout,
    options: &Options,
) -> Result<Loaded> {
    let mut columns = Vec::with_capacity(names.len());
    let mut target = None;
    for (name, builder) in names.iter().zip(builders) {
        match builder {
            Builder::Target(cells) => {
                let found = cells.finish(layout.kind).map_err(|(row, found, fault)| {
                    fault.at(file, lines.get(row).copied().unwrap_or(0), name, found.as_bytes())
                })?;
                target = Some(found);
            }
            other => columns.extend(other.finish(file, name, options.discrete_limit)?),
        }
    }
    let mut loaded = Loaded::new(file, &names, columns, target, layout)?;
    loaded.row_lines = lines;
    Ok(loaded)
}
