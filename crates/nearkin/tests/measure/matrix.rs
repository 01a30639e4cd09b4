//! Laws of `measure::matrix`.

use nearkin::Run;
use nearkin::measure::*;
use nearkin::random::Random;

fn random(form: Form, size: usize, seed: u64) -> SquareMatrix {
    let mut random = Random::new(seed, 1);
    let mut made = SquareMatrix::identity(form, size, 0.0);
    for _ in 0..size + 1 {
        let mut draw = || (0..size).map(|_| random.normal()).collect::<Vec<f64>>();
        made.add_outer(1.0, Row::Dense(&draw()), &draw());
    }
    made
}

#[test]
fn the_nearest_psd_matrix_is_psd_idempotent_and_nearest() {
    for form in [Form::Diagonal, Form::Symmetric, Form::Full] {
        let a = random(form, 6, 4);
        let near = a.nearest_psd(&Run::default()).unwrap().unwrap();
        assert!(near.is_psd(&Run::default()).unwrap(), "{form:?}");
        let again = near.nearest_psd(&Run::default()).unwrap().unwrap();
        assert!(again.plus(-1.0, &near).length() < 1e-12 * near.length());
        // No other PSD matrix is nearer: tried on many made as LᵀL near it.
        let distance = |b: &SquareMatrix| {
            let cells = (0..6).flat_map(|i| (0..6).map(move |j| (i, j)));
            cells.map(|(i, j)| (a.at(i, j) - b.at(i, j)).powi(2)).sum::<f64>()
        };
        let best = distance(&near);
        for seed in 0..50 {
            let step = random(form, 6, 100 + seed).map(|x| x * 0.05);
            let Some(other) = SquareMatrix::new(step.form(), near.size(), near.cells().to_vec())
                .unwrap()
                .plus(1.0, &step)
                .nearest_psd(&Run::default())
                .unwrap()
            else {
                continue;
            };
            assert!(distance(&other) >= best - 1e-12, "{form:?}");
        }
    }
}

#[test]
fn a_matrix_with_no_positive_eigenvalue_has_no_nearest_psd_matrix() {
    for (form, value) in [(Form::Diagonal, -1.0), (Form::Full, -1.0), (Form::Symmetric, 0.0)] {
        let matrix = SquareMatrix::identity(form, 3, value);
        assert!(matrix.nearest_psd(&Run::default()).unwrap().is_none(), "{form:?}");
    }
}

#[test]
fn a_factor_makes_its_matrix_even_of_lower_rank() {
    let mut a = SquareMatrix::identity(Form::Symmetric, 4, 0.0);
    a.add_outer(0.5, Row::Dense(&[1.0, 2.0, 0.0, -1.0]), &[1.0, 2.0, 0.0, -1.0]);
    let rows = a.factor(&Run::default()).unwrap().unwrap();
    assert_eq!(rows.len(), 1);
    for i in 0..4 {
        for j in 0..4 {
            let made: f64 = rows.iter().map(|row| row[i] * row[j]).sum();
            assert!((made - a.at(i, j)).abs() < 1e-14);
        }
    }
    let factor =
        |form, value| SquareMatrix::identity(form, 2, value).factor(&Run::default()).unwrap();
    assert!(factor(Form::Diagonal, -1.0).is_none());
    assert_eq!(factor(Form::Full, 0.0).unwrap().len(), 0);
}

#[test]
fn every_form_multiplies_alike_where_it_must() {
    let diagonal = random(Form::Diagonal, 5, 9);
    let mut cells = vec![0.0; 25];
    (0..5).for_each(|i| cells[i * 6] = diagonal.at(i, i));
    let full = SquareMatrix::new(Form::Full, 5, cells).unwrap();
    let (x, y) = ([1.0, -2.0, 0.5, 0.0, 3.0], [0.1, 0.2, 0.3, 0.4, 0.5]);
    assert_eq!(diagonal.product(&x, &y), full.product(&x, &y));
    assert!((diagonal.length() - full.length()).abs() < 1e-12);
    let skew = random(Form::Full, 5, 2);
    let slow: f64 = (0..5).map(|i| (0..5).map(|j| x[i] * skew.at(i, j) * y[j]).sum::<f64>()).sum();
    assert!((skew.product(&x, &y) - slow).abs() < 1e-12);
}
