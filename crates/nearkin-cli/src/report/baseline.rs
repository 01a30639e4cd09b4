//! What an accuracy has to beat: the same answer for every row, and the best rule of one feature.
//!
//! A rule of one feature answers the most frequent class of each category, or of each side of one
//! limit for numbers (R. C. Holte 1993 calls such rules 1R). Feature and limit are chosen on the
//! training rows of each split.

use nearkin::data::{Classes, Column, ColumnValues, Protocol, Table};

use crate::failure::Result;
use crate::plot::told;

/// Accuracies on rows that were not used for choosing; means over splits.
#[derive(Debug, Clone, PartialEq)]
pub struct Baselines {
    /// Of the most frequent class of the training rows.
    pub constant: f64,
    /// Of the best rule of one feature.
    pub rule: f64,
    /// The rule as text; it is chosen on all rows.
    pub words: String,
}

/// The rule of one feature.
#[derive(Debug, Clone, PartialEq)]
struct Rule {
    column: usize,
    /// The largest number on the low side; none for a rule about categories.
    limit: Option<f64>,
    /// The predicted class of each category, or of the low and the high side.
    says: Vec<u32>,
    /// The predicted class of missing cells and of categories without training rows.
    otherwise: u32,
    /// Training rows that it gets right.
    right: usize,
}

/// Both baselines, by the splits of `protocol`.
pub fn find(table: &Table, classes: &Classes, protocol: &Protocol) -> Result<Baselines> {
    let cells: Vec<Cells> = table.columns().iter().map(Cells::of).collect();
    let codes = classes.codes();
    let splits = protocol.splits(classes, None)?;
    let (mut constant, mut rule) = (0.0, 0.0);
    for split in &splits {
        let most = most_frequent(split.train.iter().map(|&row| codes[row]), classes.len());
        let found = best(&cells, &split.train, classes, most);
        let share = |says: &dyn Fn(usize) -> u32| {
            let right = split.test.iter().filter(|&&row| says(row) == codes[row]).count();
            right as f64 / split.test.len().max(1) as f64
        };
        constant += share(&|_| most);
        rule += share(&|row| found.as_ref().map_or(most, |rule| rule.says(&cells, row)));
    }
    let count = splits.len().max(1) as f64;
    let all: Vec<usize> = (0..codes.len()).collect();
    let most = most_frequent(codes.iter().copied(), classes.len());
    let words = best(&cells, &all, classes, most);
    let words = words.map_or_else(String::new, |rule| rule.words(table, classes));
    Ok(Baselines { constant: constant / count, rule: rule / count, words })
}

/// The cells of a column: codes of categories (missing: none), or numbers (missing: NaN).
enum Cells {
    Codes(Vec<Option<usize>>, usize),
    Numbers(Vec<f64>),
}

impl Cells {
    fn of(column: &Column) -> Self {
        match &column.values {
            ColumnValues::F64(lane) => Self::Numbers(lane.iter().collect()),
            ColumnValues::F32(lane) => Self::Numbers(lane.iter().map(f64::from).collect()),
            ColumnValues::Nominal { codes, categories } => {
                let known =
                    |&code: &u16| Some(usize::from(code)).filter(|&code| code < categories.len());
                Self::Codes(codes.iter().map(known).collect(), categories.len())
            }
            ColumnValues::Genotype(cells) => {
                Self::Codes((0..cells.len()).map(|row| cells.at(row).map(usize::from)).collect(), 3)
            }
        }
    }
}

/// The first of the most frequent classes.
fn most_frequent(codes: impl Iterator<Item = u32>, classes: usize) -> u32 {
    let mut counts = vec![0usize; classes];
    codes.for_each(|code| counts[code as usize] += 1);
    largest(&counts).0 as u32
}

/// The place and the size of the first largest count.
fn largest(counts: &[usize]) -> (usize, usize) {
    let most = counts.iter().copied().max().unwrap_or(0);
    (counts.iter().position(|&count| count == most).unwrap_or(0), most)
}

/// The rule with the most right answers among `rows`, the first one on ties. None when no rule has
/// more right answers than always answering `most`.
fn best(cells: &[Cells], rows: &[usize], classes: &Classes, most: u32) -> Option<Rule> {
    let codes = classes.codes();
    let alone = rows.iter().filter(|&&row| codes[row] == most).count();
    let mut best: Option<Rule> = None;
    for (column, cells) in cells.iter().enumerate() {
        let rule = match cells {
            Cells::Codes(of, categories) => {
                let mut counts = vec![vec![0usize; classes.len()]; *categories];
                let mut right = 0;
                for &row in rows {
                    match of[row] {
                        Some(category) => counts[category][codes[row] as usize] += 1,
                        None => right += usize::from(codes[row] == most),
                    }
                }
                let says = |counts: &Vec<usize>| match largest(counts) {
                    (_, 0) => most,
                    (class, _) => class as u32,
                };
                right += counts.iter().map(|counts| largest(counts).1).sum::<usize>();
                let says = counts.iter().map(says).collect();
                Rule { column, limit: None, says, otherwise: most, right }
            }
            Cells::Numbers(of) => match limit(of, rows, classes, most) {
                Some((limit, says, right)) => {
                    let says = says.to_vec();
                    Rule { column, limit: Some(limit), says, otherwise: most, right }
                }
                None => continue,
            },
        };
        if rule.right > best.as_ref().map_or(alone, |best| best.right) {
            best = Some(rule);
        }
    }
    best
}

/// The limit between numbers that gets the most rows right, the class on each side, and how many.
fn limit(
    of: &[f64],
    rows: &[usize],
    classes: &Classes,
    most: u32,
) -> Option<(f64, [u32; 2], usize)> {
    let codes = classes.codes();
    let mut known: Vec<(f64, u32)> =
        rows.iter().map(|&row| (of[row], codes[row])).filter(|(x, _)| !x.is_nan()).collect();
    known.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (mut low, mut high) = (vec![0usize; classes.len()], vec![0usize; classes.len()]);
    known.iter().for_each(|&(_, code)| high[code as usize] += 1);
    let missing = rows.iter().filter(|&&row| of[row].is_nan() && codes[row] == most).count();
    let mut best = None;
    for pair in 0..known.len().saturating_sub(1) {
        let (x, code) = known[pair];
        low[code as usize] += 1;
        high[code as usize] -= 1;
        if x < known[pair + 1].0 {
            let ((a, in_low), (b, in_high)) = (largest(&low), largest(&high));
            let right = in_low + in_high + missing;
            if best.is_none_or(|(_, _, most)| right > most) {
                best = Some((x, [a as u32, b as u32], right));
            }
        }
    }
    best
}

impl Rule {
    fn says(&self, cells: &[Cells], row: usize) -> u32 {
        match &cells[self.column] {
            Cells::Codes(of, _) => of[row].map_or(self.otherwise, |category| self.says[category]),
            Cells::Numbers(of) => match (of[row], self.limit) {
                (x, Some(limit)) if !x.is_nan() => self.says[usize::from(x > limit)],
                _ => self.otherwise,
            },
        }
    }

    fn words(&self, table: &Table, classes: &Classes) -> String {
        let column = &table.columns()[self.column];
        let class = |code: u32| &classes.names()[code as usize];
        match self.limit {
            Some(limit) => format!(
                "`{}` up to {}: {}, else {}",
                column.name,
                told(limit),
                class(self.says[0]),
                class(self.says[1])
            ),
            None => format!("the most frequent class of each value of `{}`", column.name),
        }
    }
}

impl Baselines {
    /// Both baselines as text, to print next to an accuracy.
    pub fn told(&self) -> String {
        let rule = match self.words.is_empty() {
            true => "; no rule of one feature does better".to_owned(),
            false => {
                format!("; the best rule of one feature ({}), {:.3}", self.words, self.rule)
            }
        };
        format!("Always answering the most frequent class gives {:.3}{rule}.", self.constant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearkin::data::Cut;

    #[test]
    fn the_best_rule_is_found_by_trying_all() {
        let cells = [
            Cells::Numbers(vec![1.0, 2.0, 3.0, 4.0, 5.0, f64::NAN]),
            Cells::Codes(vec![Some(0), Some(1), Some(0), Some(1), None, Some(1)], 2),
        ];
        let classes = Classes::from_labels(["a", "b", "a", "b", "b", "b"]);
        let rows: Vec<usize> = (0..6).collect();
        // By the second column all are right (the missing cell gets the most frequent class, b);
        // by the first at most 5: below or at 1 a, above b.
        let rule = best(&cells, &rows, &classes, 1).unwrap();
        assert_eq!((rule.column, rule.right), (1, 6));
        let rule = best(&cells[..1], &rows, &classes, 1).unwrap();
        assert_eq!((rule.limit, rule.right, &rule.says[..]), (Some(1.0), 5, &[0, 1][..]));
        assert_eq!((rule.says(&cells, 5), rule.says(&cells, 0)), (1, 0));
        // Where nothing beats the most frequent class there is no rule.
        assert_eq!(best(&[Cells::Numbers(vec![1.0; 6])], &rows, &classes, 1), None);
    }

    #[test]
    fn a_constant_is_judged_on_rows_left_out() {
        let labels: Vec<&str> = (0..50).map(|row| if row < 40 { "a" } else { "b" }).collect();
        let classes = Classes::from_labels(&labels);
        let table = Table::new(vec![Column::numeric("x", vec![1.0; 50])]).unwrap();
        let protocol = Protocol { cut: Cut::Folds(5), ..Protocol::default() };
        let found = find(&table, &classes, &protocol).unwrap();
        assert!((found.constant - 0.8).abs() < 1e-12 && (found.rule - 0.8).abs() < 1e-12);
        assert!(found.told().contains("0.800; no rule of one feature does better"));
    }
}
