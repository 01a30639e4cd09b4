//! Categories that are small whole numbers, such as genotypes: found by counting, not by sorting.

use nearkin::data::MISSING;
use numpy::ndarray::ArrayView2;
use numpy::{Element, PyArray1};
use pyo3::prelude::*;

use crate::arrays::Array2;

/// Columns looked at together, so that rows lying in order are read in order.
const TOGETHER: usize = 32;

/// A matrix of cells that may be whole numbers.
#[derive(FromPyObject)]
pub enum Whole<'py> {
    #[pyo3(transparent, annotation = "float64 array")]
    F64(Array2<'py, f64>),
    #[pyo3(transparent, annotation = "float32 array")]
    F32(Array2<'py, f32>),
    #[pyo3(transparent, annotation = "int64 array")]
    I64(Array2<'py, i64>),
    #[pyo3(transparent, annotation = "int32 array")]
    I32(Array2<'py, i32>),
    #[pyo3(transparent, annotation = "int8 array")]
    I8(Array2<'py, i8>),
    #[pyo3(transparent, annotation = "uint8 array")]
    U8(Array2<'py, u8>),
}

/// A column's codes, and the categories they stand for in ascending order.
type Coded<'py> = (Bound<'py, PyArray1<u16>>, Vec<u8>);

/// The codes and categories of each of `columns` whose known cells are whole numbers from 0 to 255.
#[pyfunction]
pub fn small_categories<'py>(
    py: Python<'py>,
    x: Whole<'py>,
    columns: Vec<usize>,
) -> PyResult<Vec<Option<Coded<'py>>>> {
    match &x {
        Whole::F64(x) => coded(py, x, &columns),
        Whole::F32(x) => coded(py, x, &columns),
        Whole::I64(x) => coded(py, x, &columns),
        Whole::I32(x) => coded(py, x, &columns),
        Whole::I8(x) => coded(py, x, &columns),
        Whole::U8(x) => coded(py, x, &columns),
    }
}

fn coded<'py, T: Element + Cell + Sync>(
    py: Python<'py>,
    x: &Array2<'py, T>,
    columns: &[usize],
) -> PyResult<Vec<Option<Coded<'py>>>> {
    let x = x.as_array();
    let mut all = Vec::with_capacity(columns.len());
    for columns in columns.chunks(TOGETHER) {
        py.check_signals()?;
        let found = py.detach(|| block(x, columns));
        let coded = |(codes, kept)| (PyArray1::from_vec(py, codes), kept);
        all.extend(found.into_iter().map(|found| found.map(coded)));
    }
    Ok(all)
}

/// Codes and categories of a few columns.
fn block<T: Cell>(x: ArrayView2<'_, T>, columns: &[usize]) -> Vec<Option<(Vec<u16>, Vec<u8>)>> {
    let none = |_| (Vec::with_capacity(x.nrows()), [false; 256], true);
    let mut found: Vec<(Vec<u16>, [bool; 256], bool)> = columns.iter().map(none).collect();
    for row in x.rows() {
        for (&column, (cells, seen, small)) in columns.iter().zip(&mut found) {
            let cell = row.get(column).and_then(|cell| cell.small());
            cells.push(cell.unwrap_or(MISSING));
            *small &= cell.is_some();
            if let Some(seen) = cell.and_then(|cell| seen.get_mut(usize::from(cell))) {
                *seen = true;
            }
        }
    }
    let each = found.into_iter().map(|(mut cells, seen, small)| {
        let kept: Vec<u8> = (0..=255).filter(|&value| seen[usize::from(value)]).collect();
        let mut place = [MISSING; 256];
        kept.iter().zip(0..).for_each(|(&value, code)| place[usize::from(value)] = code);
        for cell in &mut cells {
            *cell = place.get(usize::from(*cell)).copied().unwrap_or(MISSING);
        }
        small.then_some((cells, kept))
    });
    each.collect()
}

/// A number that may be whole.
trait Cell: Copy {
    /// This number if it is a whole number from 0 to 255, or [`MISSING`]; none for anything else.
    fn small(self) -> Option<u16>;
}

macro_rules! whole_cells {
    ($($kind:ty),*) => {$(
        impl Cell for $kind {
            #[inline]
            fn small(self) -> Option<u16> {
                u8::try_from(self).ok().map(u16::from)
            }
        }
    )*};
}

macro_rules! real_cells {
    ($($kind:ty),*) => {$(
        impl Cell for $kind {
            #[inline]
            fn small(self) -> Option<u16> {
                let cut = self as u8;
                match <$kind>::from(cut) == self {
                    true => Some(u16::from(cut)),
                    false => self.is_nan().then_some(MISSING),
                }
            }
        }
    )*};
}

whole_cells!(i64, i32, i8, u8);
real_cells!(f64, f32);
