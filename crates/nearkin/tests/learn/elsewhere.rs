//! Rows in blocks, each asked by itself, teach what the rows together do, to the bit.

use std::sync::Arc;

use nearkin::Run;
use nearkin::data::{Dense, Target, bundled};
use nearkin::learn::elsewhere::{Elsewhere, learn, pairs};
use nearkin::learn::{Fixed, Learn, method, set};
use nearkin::measure::{Form, Row, SquareMatrix};

/// Blocks of rows, and answers put together from theirs.
struct Blocks(Vec<Fixed<'static>>);

impl Elsewhere for Blocks {
    fn rows(&self) -> usize {
        self.0.iter().map(Fixed::rows).sum()
    }

    fn margins(&self, matrix: &SquareMatrix) -> nearkin::Result<Vec<f64>> {
        let each = self.0.iter().map(|block| block.margins(matrix, &Run::on(1)));
        Ok(each.collect::<nearkin::Result<Vec<_>>>()?.concat())
    }

    fn weighted(&self, weights: &[f64]) -> nearkin::Result<Vec<f64>> {
        let (mut first, mut total) = (0, Vec::new());
        for block in &self.0 {
            let own = &weights[first..first + block.rows()];
            for cells in block.weighted_blocks(|i| own[i], &Run::on(1))? {
                total.resize(cells.len(), 0.0);
                total.iter_mut().zip(cells).for_each(|(sum, cell)| *sum += cell);
            }
            first += block.rows();
        }
        Ok(total)
    }
}

fn cut(method: &dyn Learn, rows: &Dense, target: &Target) -> Blocks {
    let Target::Classes(classes) = target else { panic!("classes") };
    let how = (method.common(), method.norm());
    let starts = (0..rows.rows()).step_by(Fixed::BLOCK);
    let block = |start: usize| {
        let range = start..(start + Fixed::BLOCK).min(rows.rows());
        let fixed = pairs(how, rows, classes, range, &Run::on(2)).unwrap().0;
        let parts = fixed.into_parts().unwrap();
        Fixed::from_parts(method.common().matrix, rows.names().len(), parts).unwrap()
    };
    Blocks(starts.map(block).collect())
}

#[test]
fn blocks_of_rows_teach_the_same_bits() {
    let (table, target) = bundled::load("epistasis").unwrap();
    let names: Vec<String> = table.names().map(str::to_owned).collect();
    // Numbers that no row is without.
    let cells = (0..600 * names.len()).map(|i| 1.0 + ((i * 7919) % 101) as f64 / 50.0);
    let rows = Dense::new(names, cells.collect()).unwrap();
    let settings: [(&str, &[(&str, &str)]); 6] = [
        ("rbs", &[]),
        ("rbs", &[("matrix", "full"), ("norm", "dot")]),
        ("rbs-psd", &[("matrix", "symmetric")]),
        ("srbs", &[("beta", "10")]),
        ("srbs", &[("solver", "modern"), ("norm", "dice"), ("epochs", "20")]),
        ("srbs-psd", &[("matrix", "symmetric"), ("epochs", "5")]),
    ];
    for (id, settings) in settings {
        let mut method = method(id).unwrap();
        settings.iter().for_each(|(name, text)| set(method.as_mut(), name, text).unwrap());
        let task = nearkin::learn::Task::new(&rows, nearkin::learn::Lesson::Classes(&target));
        let whole = method.learn(&task, &Run::on(2));
        let Target::Classes(classes) = &target else { panic!("classes") };
        let blocks = Arc::new(cut(method.as_ref(), &rows, &target));
        let known = (classes.names(), classes.counts());
        let found = learn(method.as_ref(), rows.names(), known, blocks, &Run::on(1));
        match (whole, found) {
            (Ok(whole), Ok(found)) => assert_eq!(found.models, whole.models, "{id}"),
            (whole, found) => assert_eq!(whole, found, "{id}"),
        }
    }
}

#[test]
fn sila_says_why_it_needs_all_rows() {
    let told = method("sila").unwrap().blockwise().unwrap_err().to_string();
    assert!(told.contains("sequential by definition"), "{told}");
}

#[test]
fn whitening_needs_all_rows_too() {
    for id in ["rbs", "rbs-psd", "srbs", "srbs-psd"] {
        let mut method = method(id).unwrap();
        set(&mut *method, "whiten", "0.5").unwrap();
        let told = method.blockwise().unwrap_err().to_string();
        assert!(told.contains("looks at all rows together"), "{told}");
    }
}

#[test]
fn neighbours_found_anew_need_all_rows_too() {
    for id in ["srbs", "srbs-psd"] {
        let mut method = method(id).unwrap();
        set(&mut *method, "refresh", "true").unwrap();
        let told = method.blockwise().unwrap_err().to_string();
        assert!(told.contains("refresh") && told.contains("in blocks"), "{told}");
    }
}

#[test]
fn margins_and_their_gradient_are_those_of_plain_loops_to_the_bit() {
    for (rows, size) in [(1, 1), (300, 9), (600, 13)] {
        // A third of the cells are 0.
        let cell = |i: usize| {
            if i.is_multiple_of(3) { 0.0 } else { ((i * 7919) % 101) as f64 / 50.0 - 1.0 }
        };
        let x: Vec<f64> = (0..rows * size).map(cell).collect();
        let v: Vec<f64> = (0..rows * size).map(|i| cell(i * 31 + 7)).collect();
        for form in [Form::Symmetric, Form::Full] {
            let fixed = Fixed::from_parts(form, size, (x.clone(), v.clone())).unwrap();
            let mut matrix = SquareMatrix::identity(form, size, 0.5);
            let (left, right) = (&x[..size], &v[rows * size - size..]);
            matrix.add_outer(0.25, Row::Dense(left), right);
            let margins = fixed.margins(&matrix, &Run::on(2)).unwrap();
            let weights: Vec<f64> = (0..rows).map(|i| 1.0 / (i + 2) as f64).collect();
            let blocks = fixed.weighted_blocks(|i| weights[i], &Run::on(2)).unwrap();
            let mut sums = vec![vec![0.0; size * size]; rows.div_ceil(Fixed::BLOCK)];
            for i in 0..rows {
                let (x, v) = (&x[i * size..][..size], &v[i * size..][..size]);
                assert_eq!(margins[i].to_bits(), matrix.product(x, v).to_bits(), "row {i}");
                let sum = &mut sums[i / Fixed::BLOCK];
                for l in 0..size {
                    let weighed = weights[i] * x[l];
                    for m in 0..size {
                        sum[l * size + m] += weighed * v[m];
                    }
                }
            }
            assert_eq!(blocks, sums);
            // A diagonal is a matrix of any form; one of another size is none of these rows.
            let diagonal = SquareMatrix::identity(Form::Diagonal, size, 0.5);
            let same = SquareMatrix::identity(form, size, 0.5);
            let of = |matrix: &SquareMatrix| fixed.margins(matrix, &Run::on(1));
            assert_eq!(of(&diagonal).unwrap(), of(&same).unwrap());
            assert!(of(&SquareMatrix::identity(form, size + 1, 1.0)).is_err());
        }
    }
}
