//! Matrices on disk: the flags that name one, reading, and fitting its names to a model's.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches};
use nearkin::data::{Classes, SimilarityMatrix};
use nearkin_read::{Labels, Mapped, NamedMatrix};

use crate::failure::{Failure, Result, refuse};
use crate::{flags, output};

const HEADING: &str = "Similarities instead of a table";

/// `--similarity` and `--dissimilarity`.
pub fn args(what: &'static str) -> Vec<Arg> {
    let file = |name: &'static str, help: String| {
        flags::file(name).action(ArgAction::Append).help(help).help_heading(HEADING)
    };
    vec![
        file("similarity", format!("{what}: .npy or delimited text, .gz may follow")),
        file("dissimilarity", "The same where larger means less alike".into())
            .conflicts_with("similarity"),
    ]
}

/// `--labels` and `--label-column`.
pub fn label_args(help: &'static str) -> Vec<Arg> {
    let labels = flags::file("labels").help(help);
    let column = flags::flag("label-column", "COLUMN")
        .requires("labels")
        .help("The column of that file which holds them, where there are several");
    [labels, column].map(|flag| flag.help_heading(HEADING)).to_vec()
}

/// All these arguments, for commands that need the classes of the samples.
pub fn labelled_args(what: &'static str) -> Vec<Arg> {
    let labels = label_args("The class of each sample: one a line, a .npy array or a column");
    [args(what), labels].concat()
}

/// Similarities from a file.
pub struct Given<'m> {
    /// The flag that named the file.
    pub flag: &'static str,
    /// The file.
    pub path: &'m Path,
    /// True for dissimilarities.
    pub dissimilar: bool,
    /// The content of the file. Numbers of a mapped file are not in it: they stay in the file.
    pub matrix: NamedMatrix,
    /// The file itself, where its numbers can be used in place.
    mapped: Option<&'static Mapped>,
}

/// Every matrix that the words name, one a measure.
pub fn all(matches: &ArgMatches) -> Result<Vec<Given<'_>>> {
    let mut all = Vec::new();
    for flag in ["similarity", "dissimilarity"] {
        for path in matches.get_many::<PathBuf>(flag).into_iter().flatten() {
            all.push(read(flag, path)?);
        }
    }
    Ok(all)
}

fn read<'m>(flag: &'static str, path: &'m Path) -> Result<Given<'m>> {
    let dissimilar = flag == "dissimilarity";
    if let Some(mapped) = crate::mapped::open(path, |mapped| mapped.similarities().is_ok()) {
        let (rows, columns) = (mapped.rows(), mapped.columns());
        let matrix = NamedMatrix { rows, columns, ..NamedMatrix::default() };
        return Ok(Given { flag, path, dissimilar, matrix, mapped: Some(mapped) });
    }
    let matrix = nearkin_read::read_matrix(path)?;
    Ok(Given { flag, path, dissimilar, matrix, mapped: None })
}

/// The matrix that the words name, if they name one.
pub fn chosen(matches: &ArgMatches) -> Result<Option<Given<'_>>> {
    let mut all = all(matches)?;
    match all.len() {
        0 | 1 => Ok(all.pop()),
        _ => refuse!("--{}: one matrix is asked for here", all[1].flag),
    }
}

impl Given<'_> {
    /// The file as the user named it.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The matrix as similarities, and the names of its rows.
    pub fn similarities(self) -> Result<(SimilarityMatrix<'static>, Option<Vec<String>>)> {
        let name = self.name();
        let NamedMatrix { rows, columns, mut values, row_names, .. } = self.matrix;
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
        let NamedMatrix { rows, columns, row_names, column_names, header_because, .. } =
            &self.matrix;
        if rows != columns {
            let hint = match header_because {
                Some(cell) => {
                    format!(" (the first line was taken for names, as `{cell}` is no number)")
                }
                None => String::new(),
            };
            return refuse!(
                "{}: the matrix is {rows} × {columns}{hint}; training needs the similarities of \
                 the samples with each other, as many rows as columns",
                self.name()
            );
        }
        match (row_names, column_names) {
            (Some(rows), Some(columns)) if rows != columns => {
                let at = rows.iter().zip(columns).position(|(a, b)| a != b).unwrap_or(0);
                refuse!(
                    "{}: row {at} is `{}` and column {at} is `{}`; rows and columns must be the \
                     same samples in the same order",
                    self.name(),
                    rows[at],
                    columns[at]
                )
            }
            _ => Ok(()),
        }
    }

    /// Refuse a matrix of other samples than `first` is about.
    pub fn check_alike(&self, first: &Given) -> Result<()> {
        let size = |given: &Given| (given.matrix.rows, given.matrix.columns);
        if size(self) != size(first) {
            return refuse!(
                "{}: the matrix is {} × {} and {} is {} × {}; several measures must be of the same \
                 samples",
                self.name(),
                self.matrix.rows,
                self.matrix.columns,
                first.name(),
                first.matrix.rows,
                first.matrix.columns
            );
        }
        match (&self.matrix.row_names, &first.matrix.row_names) {
            (Some(own), Some(meant)) if own != meant => refuse!(
                "{}: its rows have other names, or another order, than those of {}",
                self.name(),
                first.name()
            ),
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
            return refuse!(
                "--{}: {} has no column for the model's sample `{}`; its columns begin with {}",
                self.flag,
                self.name(),
                known[at],
                names.iter().take(5).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
            );
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

/// Labelled samples known by their similarities with each other.
pub struct Labelled {
    /// The file as the user named it.
    pub name: String,
    /// The similarities.
    pub s: SimilarityMatrix<'static>,
    /// The class of each sample.
    pub classes: Classes,
    /// The names of the samples, where the file has them.
    pub names: Option<Vec<String>>,
    /// True where the file held dissimilarities.
    pub dissimilar: bool,
}

/// The square matrix that the words name instead of a table, with its labels.
pub fn labelled(matches: &ArgMatches) -> Result<Option<Labelled>> {
    let Some(given) = chosen(matches)? else { return Ok(None) };
    if matches.contains_id("table") {
        return refuse!("--{}: there is a table too; name one of them", given.flag);
    }
    given.check_square()?;
    let name = given.name();
    let Some(classes) = labels(matches, &given)? else {
        return refuse!(
            "--labels: {name} holds similarities alone; name a file with the class of each sample"
        );
    };
    let dissimilar = given.dissimilar;
    let (s, names) = given.similarities()?;
    Ok(Some(Labelled { name, s, classes, names, dissimilar }))
}

/// The labels that `--labels` names, one for each row of `given`: found by the rows' names where
/// both have names, else in order.
pub fn labels(matches: &ArgMatches, given: &Given) -> Result<Option<Classes>> {
    let Some(path) = matches.get_one::<PathBuf>("labels") else { return Ok(None) };
    let column = matches.get_one::<String>("label-column").map(String::as_str);
    let Labels { labels, ids } = nearkin_read::read_labels(path, column)?;
    let (file, rows) = (path.display(), given.matrix.rows);
    if let (Some((column, ids)), Some(names)) = (&ids, &given.matrix.row_names)
        && !counts_rows(ids)
    {
        let found = by_name((&labels, ids), names).map_err(|reason| {
            Failure::Input(format!(
                "--labels: column `{column}` of {file} does not fit the names of {}: {reason}",
                given.name()
            ))
        })?;
        let spare = labels.len() - found.len();
        if spare > 0 {
            let text = format!("{spare} labels of {file} are of no row of {}", given.name());
            output::note(matches, &text);
        }
        return Ok(Some(Classes::from_labels(found)));
    }
    if labels.len() == rows {
        return Ok(Some(Classes::from_labels(labels)));
    }
    let hint = match labels.len() == rows + 1 && ids.is_none() {
        true => {
            format!("; if its first line, `{0}`, is a heading, say --label-column {0}", labels[0])
        }
        false => String::new(),
    };
    refuse!(
        "--labels: {file} holds {} labels and {} has {rows} rows; they must agree{hint}",
        labels.len(),
        given.name()
    )
}

/// True for 0, 1, 2 … and for 1, 2, 3 …: rows that were counted, not named.
fn counts_rows(ids: &[String]) -> bool {
    let from = |first: usize| (first..).zip(ids).all(|(number, id)| *id == number.to_string());
    from(0) || from(1)
}

/// The label of each of `names`.
fn by_name(
    (labels, ids): (&[String], &[String]),
    names: &[String],
) -> std::result::Result<Vec<String>, String> {
    let mut known: HashMap<&str, &String> = HashMap::new();
    for (id, label) in ids.iter().zip(labels) {
        if known.insert(id, label).is_some() {
            return Err(format!("`{id}` is there twice"));
        }
    }
    let label = |name: &String| {
        known.get(name.as_str()).map(|label| (*label).clone()).ok_or_else(|| {
            let some: Vec<String> = ids.iter().take(3).map(|id| format!("`{id}`")).collect();
            format!("it has no `{name}`; it begins with {}", some.join(", "))
        })
    };
    names.iter().map(label).collect()
}
