//! [`DataError`]: what can go wrong in a table, a target or a matrix of similarities.

use super::ParameterError;
use crate::sentences::{listed, sentences};

sentences! {
    /// What can go wrong in a table, a target or a matrix of similarities.
    pub enum DataError {
        RowsDisagree { table: usize, target: usize }
            => "the table has {table} rows and the target {target}; they must agree";

        // Tables.
        NoColumns => "the table has no feature columns";
        ColumnsDisagree { column: String, rows: usize, first: String, expected: usize }
            => "column `{column}` has {rows} rows, column `{first}` has {expected}; they must agree";
        NamesDisagree { names: usize, columns: usize }
            => "{names} names were given for {columns} columns; every column needs its name";
        SameName { column: String } => "two columns are named `{column}`; rename or drop one";
        Infinite { row: usize, column: String }
            => "row {row}, column `{column}`: an infinite value has no distance to others; \
                replace it, or leave it empty to mark it missing";
        TooManyCategories { column: String, found: usize, max: usize }
            => "column `{column}` has {found} different values; a nominal column may have up to \
                {max}. Is it an identifier? Drop it, or read it as numeric";
        NoCategory { column: String, code: u16, categories: usize }
            => "column `{column}`: code {code} has no category; there are {categories}";
        TooWide { column: String, low: f64, high: f64 }
            => "column `{column}` reaches from {low:e} to {high:e}, too far apart for double \
                precision; divide it by a constant";
        GenotypeBytes { cells: usize, needed: usize, given: usize }
            => "{cells} genotypes take {needed} bytes, four in a byte; {given} were given";
        NoGenotype { row: usize, copies: u8 }
            => "row {row}: a genotype is 0, 1 or 2 copies of an allele, not {copies}";
        NoSuchSet { name: String, known: Vec<&'static str> }
            => "`{name}` is not a bundled data set; there are {}", listed(known);
        NotNumber { set: &'static str, column: String, cell: String }
            => "{set}, column `{column}`: `{cell}` is not a number";

        // A table beside the one a method was fitted on.
        MissingColumn { column: String }
            => "the table has no column `{column}`, which the method was fitted on";
        MissingLearnedColumn { column: String }
            => "the table has no column `{column}`, which the similarity was learned on";
        OtherKind { column: String, found: &'static str, fitted: &'static str }
            => "column `{column}` is {found} here and was {fitted} when the method was fitted{}",
            if *fitted == "genotype" { "; read it as a genotype here, too" } else { "" };
        TooManyValues { column: String, found: usize, max: usize }
            => "column `{column}`: {found} different values, known and unseen, are more than {max}";

        // Rows of plain numbers.
        NotNumeric { column: String, kind: &'static str }
            => "column `{column}` is {kind}, and inner products need numbers; turn its categories \
                into 0/1 columns, drop it, or name it as the target";
        NotFinite { row: usize, column: String, missing: bool }
            => "row {row}, column `{column}`: the value is {}; similarities need finite numbers, \
                so fill it in or drop the row",
            if *missing { "missing" } else { "infinite" };
        CellsDoNotFill { cells: usize, columns: usize }
            => "{cells} numbers do not fill rows of {columns} columns";
        SparseArrays { columns: usize, values: usize }
            => "sparse rows need row starts that rise from 0 to the number of cells, and a column \
                for each cell; there are {columns} columns and {values} values";
        SparseOrder { row: usize, column: u32, next: u32 }
            => "row {row}: column {column} is followed by {next}; the columns of a sparse row must \
                rise";
        SparseColumn { row: usize, column: u32, columns: usize }
            => "row {row}: there is no column {column}; columns are 0 to {}",
            columns.saturating_sub(1);
        UnknownColumn { row: usize, column: String, known: usize }
            => "row {row} has a cell in column `{column}`, which is not among the {known} columns \
                known; leave it out";

        // Tables in blocks.
        GenotypesInBlocks { column: String }
            => "column `{column}` holds genotypes, which do not come in blocks; read it as nominal";
        BlocksDisagree { columns: Vec<String>, others: Vec<String> }
            => "a block has the columns {} and another {}; blocks of one table have the same",
            listed(columns), listed(others);
        KindsDisagree { column: String }
            => "column `{column}` is numeric in one block and nominal in another; say which \
                columns are categorical";

        // Targets.
        NoClassName { row: usize, code: u32, names: usize }
            => "row {row}: class code {code} has no name; there are {names}";
        NoNameOfClass { code: u32 } => "class code {code} has no name";
        TargetNotFinite { row: usize, value: f64 }
            => "row {row}: the target is {value}; every row needs a finite value";
        GroupsDisagree { groups: usize, rows: usize }
            => "there are {groups} groups of rows and {rows} rows; every row needs its group";

        // Matrices of similarities.
        EmptySimilarities { rows: usize, columns: usize }
            => "the similarity matrix is {rows} × {columns}; it needs at least one row and one \
                column";
        SimilarityShape { rows: usize, columns: usize, values: usize }
            => "a similarity matrix of {rows} × {columns} cannot hold {values} values";
        SimilarityNotFinite { row: usize, column: usize, value: f64 }
            => "row {row}, column {column}: the similarity is {value}; every pair needs a finite \
                number";
        RowsBeside { rows: usize, other: usize }
            => "a matrix of {rows} rows and one of {other} cannot stand side by side";

        // Saved models.
        OtherColumns { missing: Vec<String>, extra: Vec<String> }
            => "the table has other columns than the model was made on: {}; {}",
            other_columns(missing, extra), match missing.is_empty() {
                true => "drop what is extra, or name it as the target",
                false => "give it the model's columns by their names",
            };
        BrokenPart { part: String, flaw: PartFlaw }
            => "the model's part `{part}` {flaw}; was the file changed or cut short?";
        UnknownWord { part: String, reason: Box<ParameterError> }
            => "the model's part `{part}`: {reason}";
    }
}

sentences! {
    /// What is wrong with a part of a saved model.
    pub enum PartFlaw {
        Absent => "is not there";
        NotOne { found: usize } => "holds {found} numbers instead of one";
        NotAsMany { found: usize, expected: usize } => "holds {found} numbers, not {expected}";
        Beyond { position: usize, limit: usize } => "points to {position} and there are {limit}";
        Other { how: &'static str } => "{how}";
    }
}

impl DataError {
    /// The row the error is about, if it is about one.
    pub fn row(&self) -> Option<usize> {
        match self {
            Self::Infinite { row, .. }
            | Self::NoGenotype { row, .. }
            | Self::NotFinite { row, .. }
            | Self::SparseOrder { row, .. }
            | Self::SparseColumn { row, .. }
            | Self::UnknownColumn { row, .. }
            | Self::NoClassName { row, .. }
            | Self::TargetNotFinite { row, .. }
            | Self::SimilarityNotFinite { row, .. } => Some(*row),
            _ => None,
        }
    }
}

/// As many names are listed of columns missing or extra.
const LISTED: usize = 8;

/// `missing `a`, `b`; extra `c` and 3 more`.
fn other_columns(missing: &[String], extra: &[String]) -> String {
    let listed = |(what, names): &(&str, &[String])| {
        let some: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
        let more = match names.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{what} {}{more}", some.join(", "))
    };
    let both = [("missing", missing), ("extra", extra)];
    let there = both.iter().filter(|(_, names)| !names.is_empty());
    there.map(listed).collect::<Vec<_>>().join("; ")
}
