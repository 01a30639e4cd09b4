//! Small data sets that come with the crate, for examples, tests and first steps.
//!
//! [`Bundled::source`] gives the origin of each; `bundled/ATTRIBUTION.md` beside the files says
//! more.
//!
//! ```
//! use nearkin::data::bundled;
//! let (table, target) = bundled::load("iris")?;
//! assert_eq!((table.rows(), table.columns().len(), target.len()), (150, 4, 150));
//! # Ok::<(), nearkin::Error>(())
//! ```

use crate::data::{Column, Table, Target};
use crate::{DataError, Result};

/// A data set compiled into the crate.
#[derive(Debug, Clone, Copy)]
pub struct Bundled {
    /// The name users type.
    pub name: &'static str,
    /// Description in one line.
    pub title: &'static str,
    /// Number of rows.
    pub rows: usize,
    /// Number of features.
    pub columns: usize,
    /// Kind of its features, in a few words.
    pub kind: &'static str,
    /// Licence.
    pub licence: &'static str,
    /// Author, and where it was taken from.
    pub source: &'static str,
    content: Content,
}

/// How a set's cells are kept.
#[derive(Debug, Clone, Copy)]
enum Content {
    /// A csv of numbers, class last.
    Numeric(&'static str),
    /// A csv of categories, class last, empty cells missing.
    Nominal(&'static str),
    /// A csv of genotypes 0, 1 and 2, class last.
    Genotype(&'static str),
    /// Worked out by a rule.
    Rule(fn() -> Result<(Table<'static>, Target)>),
}

static ALL: [Bundled; 5] = [
    Bundled {
        name: "iris",
        title: "Iris flowers of three species, by four lengths",
        rows: 150,
        columns: 4,
        kind: "numeric",
        licence: "BSD-3-Clause (scikit-learn); CC BY 4.0 (UCI)",
        source: "R. A. Fisher, 1936; scikit-learn 1.9.1, which follows Fisher's paper (UCI's copy \
                 differs in rows 34 and 37)",
        content: Content::Numeric(include_str!("bundled/iris.csv")),
    },
    Bundled {
        name: "wine",
        title: "Italian wines of three cultivars, by chemical analysis",
        rows: 178,
        columns: 13,
        kind: "numeric",
        licence: "BSD-3-Clause (scikit-learn); CC BY 4.0 (UCI)",
        source: "M. Forina et al., PARVUS, 1988; scikit-learn 1.9.1",
        content: Content::Numeric(include_str!("bundled/wine.csv")),
    },
    Bundled {
        name: "house-votes-84",
        title: "Party of US representatives, by sixteen votes of 1984",
        rows: 435,
        columns: 16,
        kind: "nominal, missing values",
        licence: "CC BY 4.0 (UCI)",
        source: "Congressional Quarterly Almanac, 1984, donated to UCI by J. Schlimmer, 1987; \
                 Debian package weka 3.6.14-3",
        content: Content::Nominal(include_str!("bundled/house-votes-84.csv")),
    },
    Bundled {
        name: "balance-scale",
        title: "To which side a scale tips, by weights and distances",
        rows: 625,
        columns: 4,
        kind: "numeric, whole numbers",
        licence: "MIT OR Apache-2.0 (generated here)",
        source: "the rule of R. Siegler, 1976, as donated to UCI by T. Hume, 1994",
        content: Content::Rule(balance_scale),
    },
    Bundled {
        name: "epistasis",
        title: "Simulated cases and controls; loci M0P0 and M0P1 matter, and only together",
        rows: 600,
        columns: 20,
        kind: "nominal, genotypes",
        licence: "MIT OR Apache-2.0 (generated here)",
        source: "nearkin's generator `epistasis` with maf 0.2,0.3, heritability 0.2 and seed 1",
        content: Content::Genotype(include_str!("bundled/epistasis.csv")),
    },
];

/// All bundled data sets.
pub fn bundled() -> &'static [Bundled] {
    &ALL
}

/// The table and target of the set called `name`.
///
/// # Errors
/// No set of that name.
pub fn load(name: &str) -> Result<(Table<'static>, Target)> {
    match ALL.iter().find(|set| set.name == name) {
        Some(set) => set.load(),
        None => {
            let known = ALL.iter().map(|set| set.name).collect();
            Err(DataError::NoSuchSet { name: name.to_owned(), known }.into())
        }
    }
}

impl Bundled {
    /// The features and the class of every row.
    ///
    /// # Errors
    /// None for the sets of [`bundled`](bundled()).
    pub fn load(&self) -> Result<(Table<'static>, Target)> {
        match self.content {
            Content::Numeric(text) => self.parse(text, |name, cells| {
                let numbers = cells.iter().map(|cell| self.number(name, cell));
                Ok(Column::numeric(name, numbers.collect::<Result<_>>()?))
            }),
            Content::Nominal(text) => self.parse(text, |name, cells| {
                let cells: Vec<Option<&str>> =
                    cells.iter().map(|cell| (!cell.is_empty()).then_some(*cell)).collect();
                Column::nominal(name, &cells)
            }),
            Content::Genotype(text) => self.parse(text, |name, cells| {
                // A rare genotype is a category even where no row has it.
                let codes = cells.iter().map(|cell| Ok(self.number(name, cell)? as u16));
                let categories = ["0", "1", "2"].map(String::from).to_vec();
                Column::from_codes(name, codes.collect::<Result<_>>()?, categories)
            }),
            Content::Rule(rule) => rule(),
        }
    }

    /// Split a csv without quotes: features first, class last.
    fn parse(
        &self,
        text: &'static str,
        column: impl Fn(&'static str, &[&'static str]) -> Result<Column<'static>>,
    ) -> Result<(Table<'static>, Target)> {
        let mut lines = text.lines();
        let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let mut cells: Vec<Vec<&str>> = vec![Vec::new(); header.len()];
        for line in lines {
            line.split(',').zip(&mut cells).for_each(|(cell, column)| column.push(cell));
        }
        let labels = cells.pop().unwrap_or_default();
        let columns = header.iter().zip(&cells).map(|(name, cells)| column(name, cells));
        Ok((Table::new(columns.collect::<Result<_>>()?)?, Target::classes(labels)))
    }

    fn number(&self, column: &str, cell: &str) -> Result<f64> {
        cell.parse().map_err(|_| {
            let (column, cell) = (column.to_owned(), cell.to_owned());
            DataError::NotNumber { set: self.name, column, cell }.into()
        })
    }
}

/// Every scale with weights and distances in 1..=5, in UCI's order; the class compares
/// left weight × left distance with right weight × right distance.
fn balance_scale() -> Result<(Table<'static>, Target)> {
    let digit = |row: usize, place: u32| row / 5usize.pow(place) % 5 + 1;
    let names = ["left_weight", "left_distance", "right_weight", "right_distance"];
    let columns = names.iter().zip((0..4).rev()).map(|(name, place)| {
        Column::numeric(*name, (0..625).map(|row| digit(row, place) as f64).collect())
    });
    let labels = (0..625).map(|row| {
        let (left, right) = (digit(row, 3) * digit(row, 2), digit(row, 1) * digit(row, 0));
        match left.cmp(&right) {
            std::cmp::Ordering::Less => "R",
            std::cmp::Ordering::Equal => "B",
            std::cmp::Ordering::Greater => "L",
        }
    });
    Ok((Table::new(columns.collect())?, Target::classes(labels)))
}
