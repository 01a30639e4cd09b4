//! Tables that nearkin has or makes, as arrays.

use nearkin::data::{Column, ColumnValues, MISSING, Table, Target};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::declarations::configure;
use crate::exception;

/// The bundled data sets; see `_core.pyi` for the keys.
#[pyfunction]
pub fn bundled(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let sets = nearkin::data::bundled().iter().map(|set| {
        Ok(dict! { py;
            "name": set.name,
            "title": set.title,
            "rows": set.rows,
            "columns": set.columns,
            "kind": set.kind,
            "licence": set.licence,
            "source": set.source,
        })
    });
    sets.collect()
}

/// The bundled data set called `name`.
#[pyfunction]
pub fn load<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
    let (table, target) = nearkin::data::bundled::load(name).map_err(exception)?;
    as_dict(py, &table, target)
}

/// A table whose right answer is known.
#[pyfunction]
pub fn simulate<'py>(
    py: Python<'py>,
    simulator: &str,
    parameters: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut generator = nearkin::simulate::generator(simulator).map_err(exception)?;
    configure(parameters, |name, text| nearkin::simulate::set(generator.as_mut(), name, text))?;
    let made = py.detach(|| generator.generate()).map_err(exception)?;
    let dict = as_dict(py, &made.table, made.target)?;
    dict.set_item("relevant", made.relevant)?;
    dict.set_item("notes", crate::notes(&made.notes))?;
    Ok(dict)
}

fn as_dict<'py>(
    py: Python<'py>,
    table: &Table<'_>,
    target: Target,
) -> PyResult<Bound<'py, PyDict>> {
    let (rows, width) = (table.rows(), table.columns().len());
    let mut cells = vec![vec![0.0; width]; rows];
    for (at, column) in table.columns().iter().enumerate() {
        for (row, cell) in numbers(column).into_iter().enumerate() {
            cells[row][at] = cell;
        }
    }
    let categories: Vec<Option<&[String]>> = table
        .columns()
        .iter()
        .map(|column| match &column.values {
            ColumnValues::Nominal { categories, .. } => Some(categories.as_slice()),
            _ => None,
        })
        .collect();
    let dict = dict! { py;
        "x": PyArray2::from_vec2(py, &cells)?,
        "categories": categories,
        "feature_names": table.names().collect::<Vec<_>>(),
    };
    add_target(&dict, target)?;
    Ok(dict)
}

/// The target as `y`, and the names of its codes as `class_names`.
pub fn add_target(dict: &Bound<'_, PyDict>, target: Target) -> PyResult<()> {
    let py = dict.py();
    match target {
        Target::Classes(classes) => {
            let codes = classes.codes().iter().map(|&code| i64::from(code)).collect();
            dict.set_item("y", PyArray1::<i64>::from_vec(py, codes))?;
            dict.set_item("class_names", classes.names().to_vec())
        }
        Target::Real(values) => dict.set_item("y", PyArray1::from_vec(py, values)),
    }
}

/// A column's numbers, or its codes as numbers; NaN where missing.
fn numbers(column: &Column<'_>) -> Vec<f64> {
    match &column.values {
        ColumnValues::F64(lane) => lane.iter().collect(),
        ColumnValues::F32(lane) => lane.iter().map(f64::from).collect(),
        ColumnValues::Nominal { codes, .. } => {
            let number = |&code: &u16| if code == MISSING { f64::NAN } else { f64::from(code) };
            codes.iter().map(number).collect()
        }
        ColumnValues::Genotype(cells) => {
            (0..cells.len()).map(|row| cells.at(row).map_or(f64::NAN, f64::from)).collect()
        }
    }
}
