//! `--costs`: C(f, g), what it costs to say class f when g is true, as numbers or as a file.

use std::path::Path;

use clap::{Arg, ArgMatches};
use nearkin::model::Origin;

use crate::csv::number;
use crate::failure::{Failure, Result, refuse};

/// The forms that costs may have, for help texts.
const FORMS: &str = "numbers, as in 0,1,5,0: a matrix row by row, with a row for each predicted \
                     class and a column for each true class; or a file of that matrix, in the \
                     order of the classes or with their names";

/// The flag of a command that asks a saved model.
pub fn arg() -> Arg {
    described(Arg::new("costs").long("costs"), "")
}

/// `arg` with its value and help; `who` names the methods that have it.
pub fn described(arg: Arg, who: &str) -> Arg {
    arg.value_name("COSTS").allow_hyphen_values(true).help(format!(
        "C(f, g), the cost of predicting f when the true class is g: {FORMS}. The class of \
         least expected cost is predicted{who}"
    ))
}

/// Costs to decide by.
pub struct Costs {
    /// The cost matrix C(f, g) row by row: one row for each predicted class f, one column for each
    /// true class g.
    pub values: Vec<f64>,
    /// True when they were given in this command, false when they come from the model.
    now: bool,
}

impl Costs {
    /// The costs given by `--costs`, else those that the model was made with.
    pub fn in_force(
        matches: &ArgMatches,
        origin: &Origin,
        classes: &[String],
    ) -> Result<Option<Self>> {
        if let Some(text) = matches.get_one::<String>("costs") {
            return Ok(Some(Self { values: read(text, classes)?, now: true }));
        }
        Self::of_model(origin, classes)
    }

    /// The costs that a model was made with, if any.
    pub fn of_model(origin: &Origin, classes: &[String]) -> Result<Option<Self>> {
        let own = origin.parameters.iter().find(|(name, _)| name == "costs");
        Self::made_with(own.map_or("", |(_, text)| text), classes)
    }

    /// The costs in the text of a method's parameter; none when the text is empty.
    pub fn made_with(text: &str, classes: &[String]) -> Result<Option<Self>> {
        match text {
            "" => Ok(None),
            text => Ok(Some(Self { values: read(text, classes)?, now: false })),
        }
    }

    /// Those given now, where they were.
    pub fn given(&self) -> Option<&[f64]> {
        self.now.then_some(&self.values)
    }

    /// Σ_g C(f, g)·P(g) for each class f.
    pub fn expected(&self, p: &[f64]) -> Vec<f64> {
        let rows = self.values.chunks_exact(p.len().max(1));
        rows.map(|row| row.iter().zip(p).map(|(cost, p)| cost * p).sum()).collect()
    }

    /// The mean cost of the predicted classes, given the true ones. None when a true class is not
    /// one of `classes`.
    pub fn mean<'t>(
        &self,
        classes: &[String],
        said: &[u32],
        truth: impl Iterator<Item = &'t str>,
    ) -> Option<f64> {
        let cost = |(&said, truth): (&u32, &str)| {
            let truth = classes.iter().position(|name| name == truth)?;
            Some(self.values[said as usize * classes.len() + truth])
        };
        let all: Option<Vec<f64>> = said.iter().zip(truth).map(cost).collect();
        all.map(|all| all.iter().sum::<f64>() / all.len() as f64)
    }

    /// A sentence that says which costs decided.
    pub fn told(&self) -> String {
        let values: Vec<String> = self.values.iter().map(|&cost| number(cost)).collect();
        let whose = if self.now { "given by --costs" } else { "that the model was made with" };
        format!("decided by the least expected cost, of the costs {} {whose}", values.join(","))
    }
}

/// The costs that `text` gives or names, for these classes.
pub fn read(text: &str, classes: &[String]) -> Result<Vec<f64>> {
    let parts: Vec<&str> =
        text.split([',', ';', ' ']).map(str::trim).filter(|part| !part.is_empty()).collect();
    let numbers: Option<Vec<f64>> = parts.iter().map(|part| part.parse().ok()).collect();
    match numbers {
        Some(numbers) if !numbers.is_empty() => checked(numbers, classes),
        _ if Path::new(text).exists() => of_file(Path::new(text), classes),
        _ => refuse!("--costs: `{text}` is neither numbers nor a file that is there; give {FORMS}"),
    }
}

fn checked(values: Vec<f64>, classes: &[String]) -> Result<Vec<f64>> {
    let width = classes.len();
    if values.len() != width * width {
        return refuse!(
            "--costs: {} given; {width} classes ({}) need {width} × {width}; give {FORMS}",
            values.len(),
            classes.join(", ")
        );
    }
    match values.iter().find(|cost| !(cost.is_finite() && **cost >= 0.0)) {
        Some(bad) => refuse!("--costs: a cost is 0 or more, got {bad}"),
        None => Ok(values),
    }
}

fn of_file(file: &Path, classes: &[String]) -> Result<Vec<f64>> {
    let (shown, width) = (file.display(), classes.len());
    let matrix = nearkin_read::read_matrix(file)?;
    if (matrix.rows, matrix.columns) != (width, width) {
        return refuse!(
            "--costs: {shown} is {} × {}, and {width} classes ({}) need {width} × {width}",
            matrix.rows,
            matrix.columns,
            classes.join(", ")
        );
    }
    if let Some(at) = matrix.values.iter().position(|cost| !(cost.is_finite() && *cost >= 0.0)) {
        return refuse!(
            "--costs: {shown} has {} in row {}, column {}; a cost is 0 or more",
            matrix.values[at],
            at / width,
            at % width
        );
    }
    let place = |names: &Option<Vec<String>>| -> Result<Vec<usize>> {
        let Some(names) = names else { return Ok((0..width).collect()) };
        let at = |class: &String| {
            names.iter().position(|name| name == class).ok_or_else(|| {
                Failure::Input(format!(
                    "--costs: {shown} has names, but none is class `{class}`; it has {}",
                    names.join(", ")
                ))
            })
        };
        classes.iter().map(at).collect()
    };
    let (said, truth) = (place(&matrix.row_names)?, place(&matrix.column_names)?);
    let cost = |f: usize, g: usize| matrix.values[said[f] * width + truth[g]];
    Ok((0..width * width).map(|at| cost(at / width, at % width)).collect())
}
