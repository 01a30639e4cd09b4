//! Naive Bayes on features of few values: the yardstick when the table itself is known.
//!
//! ```text
//! ŷ = argmin_f Σ_g C(f, g) · P(g) · Π_a P(x_a | g),   P(v | g) = (n_gav + α) / (n_ga + α·V_a)
//! ```
//!
//! where n_gav of the n_ga rows of class g have value v in column a, and V_a is the number of
//! values of that column; with two values it is the Bernoulli law. A missing cell, and a value
//! that training has not seen, say nothing.
//!
//! Cost: one pass over the table to fit, G·p a row to answer.
//!
//! Lower bound: an addition for each cell to fit, G·p a row to answer. Here every cell is first
//! written as a text, since values are known by their texts in any table; to fit, texts are
//! ordered, n·log₂ n comparisons a column, and each is found among V_a by log₂ V_a.
//!
//! When to use: to see what similarities lose, on tables of categories or bits. It reads the
//! columns themselves, so it needs a table and takes no measure.
//!
//! Reference: L. Cazzanti, *Similarity discriminant analysis*, 2009, section 5.

use super::About;
use super::common::{Priors, check_classes};
use super::predictions::{Answer, Costs, Predictions, assemble, each_row};
use crate::data::{Classes, ColumnValues, MISSING, Parts, Table, wrong_part};
use crate::{ClassifyError, Result, Run, parameters};

parameters! {
    /// Naive Bayes and its settings.
    pub struct NaiveBayes {
        /// Smoothing: what is added to the number of rows of each class with each value.
        alpha: f64 = 1.0, in 1e-12..=1e9;
        /// C(f, g), the cost of predicting f when the true class is g: a matrix row by row, with
        /// a row for each predicted class and a column for each true class; 0 and 1 when not
        /// given.
        costs: Option<Vec<f64>> = None;
    } with priors: Priors
}

/// Numeric columns of more different values than this are measurements, not categories.
pub(crate) const MOST_NUMBERS: usize = 20;

/// A naive Bayes classifier that has learned.
#[must_use]
#[derive(Debug, Clone, PartialEq)]
pub struct FittedNaiveBayes {
    names: Vec<String>,
    columns: Vec<Known>,
    log_priors: Vec<f64>,
    costs: Option<Costs>,
}

/// The values of a column and log P(value | class), a row a class.
#[derive(Debug, Clone, PartialEq)]
struct Known {
    name: String,
    values: Vec<String>,
    log_p: Vec<Vec<f64>>,
}

/// A column's cells as texts, `None` where missing; numbers as they are written.
pub(crate) fn cells(values: &ColumnValues) -> Vec<Option<String>> {
    let written = |v: f64| (!v.is_nan()).then(|| (v + 0.0).to_string());
    match values {
        ColumnValues::F64(lane) => lane.iter().map(written).collect(),
        ColumnValues::F32(lane) => lane.iter().map(|v| written(f64::from(v))).collect(),
        ColumnValues::Nominal { codes, categories } => codes
            .iter()
            .map(|&code| (code != MISSING).then(|| categories[usize::from(code)].clone()))
            .collect(),
        ColumnValues::Genotype(cells) => {
            (0..cells.len()).map(|row| cells.at(row).map(|copies| copies.to_string())).collect()
        }
    }
}

/// log P(value | class) of one column.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnLaw<'f> {
    /// The column.
    pub column: &'f str,
    /// The values that training saw in it.
    pub values: &'f [String],
    /// For every class, log P of every value.
    pub log_p: &'f [Vec<f64>],
}

impl NaiveBayes {
    /// The method's id, title, summary and reference.
    pub fn about(&self) -> About {
        About {
            id: "naive-bayes",
            title: "Naive Bayes",
            summary: "columns of categories as if they were independent; reads the table itself",
            reference: "Cazzanti 2009",
        }
    }

    /// Learn from the rows of `table`.
    ///
    /// # Errors
    /// When a parameter is out of range, labels do not fit the table or are of one class, or a
    /// column holds measurements rather than categories.
    pub fn fit(&self, table: &Table, classes: &Classes) -> Result<FittedNaiveBayes> {
        crate::parameter::Parameters::check(self)?;
        if table.rows() != classes.codes().len() {
            let (rows, labels) = (table.rows(), classes.codes().len());
            return Err(ClassifyError::TableLabelsDisagree { rows, labels }.into());
        }
        check_classes(classes)?;
        let mut columns = Vec::new();
        for column in table.columns() {
            let cells = cells(&column.values);
            let mut values: Vec<String> = cells.iter().flatten().cloned().collect();
            values.sort_unstable();
            values.dedup();
            if !column.is_nominal() && values.len() > MOST_NUMBERS {
                let (column, count) = (column.name.clone(), values.len());
                return Err(ClassifyError::TooManyNumbers { column, count }.into());
            }
            let mut counts = vec![vec![0.0; values.len()]; classes.len()];
            for (cell, &class) in cells.iter().zip(classes.codes()) {
                let at = cell.as_ref().and_then(|cell| values.binary_search(cell).ok());
                at.into_iter().for_each(|at| counts[class as usize][at] += 1.0);
            }
            let log_p = counts.iter().map(|row| {
                let total = row.iter().sum::<f64>() + self.alpha * row.len() as f64;
                row.iter().map(|n| ((n + self.alpha) / total).ln()).collect()
            });
            columns.push(Known { name: column.name.clone(), log_p: log_p.collect(), values });
        }
        Ok(FittedNaiveBayes {
            names: classes.names().to_vec(),
            columns,
            log_priors: self.priors.of(classes)?.iter().map(|p| p.ln()).collect(),
            costs: Costs::new(self.costs.as_deref(), classes.names())?,
        })
    }
}

impl NaiveBayes {
    /// The classifier these parts were taken from, under these parameters.
    ///
    /// # Errors
    /// When a part is missing, or does not fit the others.
    pub fn restore(&self, parts: &Parts) -> Result<FittedNaiveBayes> {
        let (names, columns) = (parts.texts("names")?.to_vec(), parts.texts("columns")?);
        let lengths = parts.codes("lengths")?;
        let (mut values, mut log_p) = (parts.texts("values")?, parts.numbers("log_p")?);
        let mut known = Vec::with_capacity(columns.len());
        for (name, &length) in columns.iter().zip(lengths) {
            let length = length as usize;
            let cut = values.split_at_checked(length);
            let Some(((own, rest), (p, others))) =
                cut.zip(log_p.split_at_checked(length * names.len()))
            else {
                return Err(wrong_part("values", "is too short"));
            };
            let by_class = (0..names.len()).map(|g| p[g * length..(g + 1) * length].to_vec());
            let (name, own, log_of) = (name.clone(), own.to_vec(), by_class.collect());
            known.push(Known { name, values: own, log_p: log_of });
            (values, log_p) = (rest, others);
        }
        if known.len() != columns.len() {
            return Err(wrong_part("lengths", "does not fit the columns"));
        }
        Ok(FittedNaiveBayes {
            columns: known,
            log_priors: parts.exactly("log_priors", names.len())?.to_vec(),
            costs: Costs::new(self.costs.as_deref(), &names)?,
            names,
        })
    }
}

impl FittedNaiveBayes {
    /// The fitted values as named arrays, so that they can be saved.
    pub fn parts(&self) -> Parts {
        let values = self.columns.iter().flat_map(|known| known.values.iter().cloned());
        let log_p = self.columns.iter().flat_map(|known| known.log_p.iter().flatten().copied());
        Parts::new()
            .with_texts("names", self.names.clone())
            .with_texts("columns", self.columns.iter().map(|known| known.name.clone()).collect())
            .with_codes("lengths", self.columns.iter().map(|k| k.values.len() as u32).collect())
            .with_texts("values", values.collect())
            .with_numbers("log_p", log_p.collect())
            .with_numbers("log_priors", self.log_priors.clone())
    }

    /// The class names, in code order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// log P(class), in code order.
    pub fn log_priors(&self) -> &[f64] {
        &self.log_priors
    }

    /// The law of every column.
    pub fn laws(&self) -> impl Iterator<Item = ColumnLaw<'_>> {
        self.columns.iter().map(|known| ColumnLaw {
            column: &known.name,
            values: &known.values,
            log_p: &known.log_p,
        })
    }

    /// The value of each column in row `row` of `table`, written as in training; none for a value
    /// that training did not see.
    pub fn values(&self, table: &Table, row: usize) -> Vec<Option<String>> {
        let value = |known: &Known| {
            let column = &table.columns()[table.position(&known.name)?];
            let cell = cells(&column.select(&[row]).values).pop().flatten()?;
            known.values.binary_search(&cell).is_ok().then_some(cell)
        };
        self.columns.iter().map(value).collect()
    }

    /// The class of each row of `table`, whose columns are found by name, as `run` says.
    ///
    /// # Errors
    /// When a column is missing, or the work was stopped.
    pub fn predict_with(&self, table: &Table, run: &Run) -> Result<Predictions> {
        let mut codes = Vec::with_capacity(self.columns.len());
        for known in &self.columns {
            let Some(at) = table.position(&known.name) else {
                return Err(ClassifyError::NoSuchColumn { column: known.name.clone() }.into());
            };
            let cells = cells(&table.columns()[at].values);
            let code = |cell: &Option<String>| {
                cell.as_ref().and_then(|cell| known.values.binary_search(cell).ok())
            };
            codes.push(cells.iter().map(code).collect::<Vec<_>>());
        }
        let answers = each_row(table.rows(), run, |row| {
            let mut likelihoods = vec![0.0; self.names.len()];
            for (known, codes) in self.columns.iter().zip(&codes) {
                if let Some(code) = codes[row] {
                    let parts = known.log_p.iter().map(|values| values[code]);
                    likelihoods.iter_mut().zip(parts).for_each(|(sum, log)| *sum += log);
                }
            }
            Ok(Answer::of_laws(&self.log_priors, &likelihoods, self.costs.as_ref()))
        })?;
        Ok(assemble(&self.names, &answers))
    }

    /// The class of each row, on all cores.
    ///
    /// # Errors
    /// As [`FittedNaiveBayes::predict_with`].
    pub fn predict(&self, table: &Table) -> Result<Predictions> {
        self.predict_with(table, &Run::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    fn bits() -> (Table<'static>, Classes) {
        let columns = vec![
            Column::numeric("p", vec![1.0, 1.0, 0.0, 0.0, 0.0]),
            Column::numeric("q", vec![1.0, 0.0, f64::NAN, 1.0, 0.0]),
        ];
        (Table::new(columns).unwrap(), Classes::from_labels(["a", "a", "b", "b", "b"]))
    }

    #[test]
    fn probabilities_are_those_counted_by_hand() {
        let (table, classes) = bits();
        let fitted = NaiveBayes::default().fit(&table, &classes).unwrap();
        let said = fitted.predict(&table).unwrap();
        // Row 0 is (1, 1): a has 2/5 · 3/4 · 2/4, b has 3/5 · 1/5 · 2/4.
        let joint = [0.4 * 0.75 * 0.5, 0.6 * 0.2 * 0.5];
        for (score, joint) in said.scores_of(0).iter().zip(joint) {
            assert!((score.exp() - joint).abs() < 1e-15);
        }
        // Row 2 misses q: only p counts.
        assert!((said.scores_of(2)[1].exp() - 0.6 * 0.8).abs() < 1e-15);
        assert_eq!(said.class, [0, 0, 1, 1, 1]);
    }

    #[test]
    fn columns_are_found_by_name_and_new_values_say_nothing() {
        let (table, classes) = bits();
        let fitted = NaiveBayes::default().fit(&table, &classes).unwrap();
        let swapped =
            Table::new(vec![Column::numeric("q", vec![7.0]), Column::numeric("p", vec![1.0])])
                .unwrap();
        let said = fitted.predict(&swapped).unwrap();
        assert!((said.scores_of(0)[0].exp() - 0.4 * 0.75).abs() < 1e-15);
        let refused = fitted.predict(&table.select_columns(&[0])).unwrap_err().to_string();
        assert!(refused.contains("no column `q`"));
    }

    #[test]
    fn measurements_are_refused() {
        let column = Column::numeric("height", (0..50).map(f64::from).collect());
        let table = Table::new(vec![column]).unwrap();
        let classes = Classes::from_labels((0..50).map(|i| (i % 2).to_string()));
        let refused = NaiveBayes::default().fit(&table, &classes).unwrap_err().to_string();
        assert!(refused.contains("column `height` holds 50 different numbers"), "{refused}");
    }
}
