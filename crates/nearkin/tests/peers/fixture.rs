//! The recorded tables and scores.

use std::path::PathBuf;

use nearkin::data::{Column, ColumnValues, Table, Target, bundled};

/// A table with its target, ready for nearkin and for plain loops.
pub struct Data {
    pub table: Table<'static>,
    pub target: Target,
    /// Columns of numbers, or of codes; NaN is missing.
    pub cells: Vec<Vec<f64>>,
    pub nominal: Vec<bool>,
    /// The class of each row.
    pub labels: Vec<usize>,
    pub classes: usize,
    /// The real target of each row.
    pub real: Vec<f64>,
}

impl Data {
    pub fn new(table: Table<'static>, target: Target) -> Self {
        let nominal = table.columns().iter().map(Column::is_nominal).collect();
        let cells = table.columns().iter().map(cells).collect();
        let (labels, classes, real) = match &target {
            Target::Classes(c) => {
                (c.codes().iter().map(|&c| c as usize).collect(), c.len(), Vec::new())
            }
            Target::Real(values) => (Vec::new(), 0, values.clone()),
        };
        Self { table, target, cells, nominal, labels, classes, real }
    }

    pub fn rows(&self) -> usize {
        self.table.rows()
    }

    pub fn features(&self) -> usize {
        self.cells.len()
    }

    /// The same with one more column.
    pub fn with(self, column: Column<'static>) -> Self {
        let mut columns = self.table.into_columns();
        columns.push(column);
        Self::new(Table::new(columns).unwrap(), self.target)
    }
}

fn cells(column: &Column) -> Vec<f64> {
    match &column.values {
        ColumnValues::F64(lane) => lane.iter().collect(),
        ColumnValues::F32(lane) => lane.iter().map(f64::from).collect(),
        ColumnValues::Nominal { codes, .. } => {
            let missing = |row: usize| column.is_missing(row);
            let code = |(row, &c): (usize, &u16)| if missing(row) { f64::NAN } else { c.into() };
            codes.iter().enumerate().map(code).collect()
        }
        ColumnValues::Genotype(cells) => {
            (0..cells.len()).map(|row| cells.at(row).map_or(f64::NAN, f64::from)).collect()
        }
    }
}

fn lines(file: &str) -> Vec<Vec<String>> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests/peers/fixtures", file].iter().collect();
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// The recorded table called `name`, or the bundled one.
pub fn data(name: &str) -> Data {
    if name == "wine" {
        let (table, target) = bundled::load(name).unwrap();
        return Data::new(table, target);
    }
    let lines = lines(&format!("{name}.csv"));
    let (head, rows) = lines.split_first().unwrap();
    let column = |at: usize| rows.iter().map(move |row| row[at].as_str());
    let number = |cell: &str| if cell.is_empty() { f64::NAN } else { cell.parse().unwrap() };
    let mut columns = Vec::new();
    let mut target = None;
    for (at, title) in head.iter().enumerate() {
        let (name, kind) = title.split_once(':').unwrap();
        match kind {
            "numeric" => columns.push(Column::numeric(name, column(at).map(number).collect())),
            "nominal" => {
                let cells: Vec<_> = column(at).map(|c| (!c.is_empty()).then_some(c)).collect();
                columns.push(Column::nominal(name, &cells).unwrap());
            }
            "class" => target = Some(Target::classes(column(at))),
            _ => target = Some(Target::real(column(at).map(number).collect()).unwrap()),
        }
    }
    Data::new(Table::new(columns).unwrap(), target.unwrap())
}

/// What `peer` recorded for a set, a method and a setting, in the order of the features.
pub fn scores(peer: &str, set: &str, method: &str, setting: &str) -> Vec<f64> {
    let wanted = [set, method, setting];
    let found: Vec<f64> = lines(&format!("{peer}.csv"))
        .iter()
        .filter(|row| row[..3] == wanted)
        .map(|row| row[4].parse().unwrap())
        .collect();
    assert!(!found.is_empty(), "{peer} has no record of {wanted:?}");
    found
}
