//! Matrices on disk: the flags that name one, reading, and fitting its names to a model's.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, value_parser};
use nearkin::data::{Classes, SimilarityMatrix};
use nearkin_read::{Mapped, Matrix};

use crate::failure::{Failure, Result};

const HEADING: &str = "Similarities instead of a table";

/// `--similarity` and `--dissimilarity`.
pub fn args(what: &'static str) -> Vec<Arg> {
    let file = |name: &'static str, help: String| {
        Arg::new(name)
            .long(name)
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help(help)
            .help_heading(HEADING)
    };
    vec![
        file("similarity", format!("{what}: .npy or delimited text, .gz may follow")),
        file("dissimilarity", "The same where larger means less alike".into())
            .conflicts_with("similarity"),
    ]
}

/// `--labels` and `--label-column`.
pub fn label_args(help: &'static str) -> Vec<Arg> {
    let labels = Arg::new("labels")
        .long("labels")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help(help);
    let column = Arg::new("label-column")
        .long("label-column")
        .value_name("COLUMN")
        .requires("labels")
        .help("The column of that file which holds them, where there are several");
    [labels, column].map(|flag| flag.help_heading(HEADING)).to_vec()
}

/// Similarities from a file.
pub struct Given<'m> {
    /// The flag that named the file.
    pub flag: &'static str,
    /// The file.
    pub path: &'m Path,
    /// True for dissimilarities.
    pub dissimilar: bool,
    /// What the file holds; without its numbers where they stay in the file.
    pub matrix: Matrix,
    /// The file itself, where its numbers can be used as they lie there.
    mapped: Option<&'static Mapped>,
}

/// The matrix that the words name, if they name one.
pub fn chosen(matches: &ArgMatches) -> Result<Option<Given<'_>>> {
    let named = ["similarity", "dissimilarity"]
        .into_iter()
        .find_map(|flag| Some((flag, matches.get_one::<PathBuf>(flag)?)));
    let Some((flag, path)) = named else { return Ok(None) };
    let dissimilar = flag == "dissimilarity";
    if let Some(mapped) = mapped(path) {
        let (rows, columns) = (mapped.rows(), mapped.columns());
        let matrix = Matrix { rows, columns, ..Matrix::default() };
        return Ok(Some(Given { flag, path, dissimilar, matrix, mapped: Some(mapped) }));
    }
    let matrix = nearkin_read::read_matrix(path)?;
    Ok(Some(Given { flag, path, dissimilar, matrix, mapped: None }))
}

/// The file mapped into memory, where it is a NumPy array of doubles row by row. Any other file, a
/// faulty one too, is for the reader.
fn mapped(path: &Path) -> Option<&'static Mapped> {
    let mapped = Mapped::open(path).ok().filter(|mapped| mapped.similarities().is_ok())?;
    // It stays as long as the program, which ends with the one command it was given.
    Some(Box::leak(Box::new(mapped)))
}

impl Given<'_> {
    /// The file as the user named it.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The matrix as similarities, and the names of its rows.
    pub fn similarities(self) -> Result<(SimilarityMatrix<'static>, Option<Vec<String>>)> {
        let name = self.name();
        let Matrix { rows, columns, mut values, row_names, .. } = self.matrix;
        match self.mapped {
            Some(mapped) if !self.dissimilar => return Ok((mapped.similarities()?, None)),
            Some(mapped) => values = mapped.similarities()?.values().to_vec(),
            None => {}
        }
        let s = match self.dissimilar {
            true => SimilarityMatrix::from_dissimilarities(rows, columns, values),
            false => SimilarityMatrix::new(rows, columns, values),
        };
        Ok((s.map_err(|error| Failure::of_table(&name, error))?, row_names))
    }

    /// Refuse a training matrix that is not square, or whose rows and columns are other things.
    pub fn check_square(&self) -> Result<()> {
        let Matrix { rows, columns, row_names, column_names, header_because, .. } = &self.matrix;
        if rows != columns {
            let hint = match header_because {
                Some(cell) => {
                    format!(" (the first line was taken for names, as `{cell}` is no number)")
                }
                None => String::new(),
            };
            return Err(Failure::Input(format!(
                "{}: the matrix is {rows} × {columns}{hint}; training needs the similarities of \
                 the samples with each other, as many rows as columns",
                self.name()
            )));
        }
        match (row_names, column_names) {
            (Some(rows), Some(columns)) if rows != columns => {
                let at = rows.iter().zip(columns).position(|(a, b)| a != b).unwrap_or(0);
                Err(Failure::Input(format!(
                    "{}: row {at} is `{}` and column {at} is `{}`; rows and columns must be the \
                     same samples in the same order",
                    self.name(),
                    rows[at],
                    columns[at]
                )))
            }
            _ => Ok(()),
        }
    }

    /// Put the columns into the order of a model's samples, where both have names.
    pub fn align(&mut self, known: Option<&[String]>) -> Result<()> {
        let (Some(known), Some(names)) = (known, &self.matrix.column_names) else { return Ok(()) };
        if names == known {
            return Ok(());
        }
        let place = |name: &String| names.iter().position(|other| other == name);
        let places: Vec<Option<usize>> = known.iter().map(place).collect();
        if let Some(at) = places.iter().position(Option::is_none) {
            return Err(Failure::Input(format!(
                "--{}: {} has no column for the model's sample `{}`; its columns begin with {}",
                self.flag,
                self.name(),
                known[at],
                names.iter().take(5).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
            )));
        }
        let width = self.matrix.columns;
        let rows = self.matrix.values.chunks_exact(width);
        let values = rows.flat_map(|row| places.iter().flatten().map(|&at| row[at])).collect();
        self.matrix.values = values;
        self.matrix.columns = known.len();
        self.matrix.column_names = Some(known.to_vec());
        Ok(())
    }
}

/// The labels that `--labels` names, one for each of `rows`.
pub fn labels(matches: &ArgMatches, of: &str, rows: usize) -> Result<Option<Classes>> {
    let Some(path) = matches.get_one::<PathBuf>("labels") else { return Ok(None) };
    let column = matches.get_one::<String>("label-column").map(String::as_str);
    let classes = nearkin_read::read_labels(path, column)?;
    match classes.codes().len() {
        count if count == rows => Ok(Some(classes)),
        count => Err(Failure::Input(format!(
            "--labels: {} holds {count} labels and {of} has {rows} rows; they must agree",
            path.display()
        ))),
    }
}
