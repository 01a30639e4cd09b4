//! Laws of `measure::similarity`.

use nearkin::Run;
use nearkin::data::Dense;
use nearkin::measure::*;
use nearkin::measure::{Row, dot};
use nearkin::random::Random;

fn names(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("f{i}")).collect()
}

fn binary(rows: usize, columns: usize) -> Dense {
    let mut random = Random::new(5, 0);
    let cells = (0..rows * columns).map(|_| f64::from(u8::from(random.chance(0.6)))).collect();
    Dense::new(names(columns), cells).unwrap()
}

#[test]
fn a_block_is_its_pairs_at_any_size_and_thread_count() {
    let mut random = Random::new(2, 0);
    for (rows, columns) in [(1, 1), (31, 3), (33, 4), (65, 7), (130, 5)] {
        let mut dense = binary(rows, columns);
        if rows == 33 {
            let cells = (0..rows * columns).map(|_| random.uniform() + 0.1).collect();
            dense = Dense::new(names(columns), cells).unwrap();
        }
        for norm in [Norm::Dot, Norm::Dice, Norm::Jaccard] {
            for form in [Form::Diagonal, Form::Symmetric, Form::Full] {
                let mut matrix = SquareMatrix::identity(form, columns, 0.3);
                let mut draw = || (0..columns).map(|_| random.normal()).collect::<Vec<_>>();
                matrix.add_outer(1.0, Row::Dense(&draw()), &draw());
                let similarity = Similarity::new(matrix, norm, names(columns)).unwrap();
                let ready = similarity.prepare(&dense).unwrap();
                let block = similarity.between(&ready, &ready, &Run::on(2)).unwrap();
                assert_eq!(block, similarity.between(&ready, &ready, &Run::on(1)).unwrap());
                let own: Vec<f64> = block.iter().step_by(rows + 1).copied().collect();
                assert_eq!(own, similarity.pairs(&ready, &ready).unwrap());
                for i in (0..rows).step_by(7) {
                    for j in 0..rows {
                        let pair = similarity.score(dense.row(i), dense.row(j)).unwrap();
                        assert_eq!(block[i * rows + j], pair);
                    }
                }
            }
        }
    }
}

#[test]
fn dice_and_jaccard_of_sets_are_what_everyone_calls_them() {
    let (x, y) = ([1.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]);
    let score = |norm| Similarity::plain(norm, names(4)).score(&x, &y).unwrap();
    assert_eq!(score(Norm::Dice), 2.0 * 2.0 / 5.0);
    assert_eq!(score(Norm::Jaccard), 2.0 / 3.0);
    assert_eq!(score(Norm::Dot), 2.0);
    let nothing = Similarity::plain(Norm::Jaccard, names(4));
    assert_eq!(nothing.score(&[0.0; 4], &[0.0; 4]).unwrap(), 0.0);
}

#[test]
fn the_cosine_does_not_see_the_length_of_rows() {
    let cosine = Similarity::plain(Norm::Cosine, names(2));
    for scale in [1e-200, 1.0, 1e200] {
        let found = cosine.score(&[3.0 * scale, 4.0 * scale], &[4.0, 3.0]).unwrap();
        assert!((found - 0.96).abs() < 1e-15, "{found}");
    }
}

/// N = 0 makes the similarity 0; learning refuses such a row.
#[test]
fn a_row_of_zeros_is_like_no_other_and_teaches_nothing() {
    let (sparse, empty) = (vec![0, 2, 2], vec![1.0, 2.0, 0.0, 0.0]);
    let dense = Dense::new(names(2), empty).unwrap();
    let sparse = nearkin::data::Sparse::new(names(2), sparse, vec![0, 1], vec![1.0, 2.0]);
    let cosine = Similarity::plain(Norm::Cosine, names(2));
    let all = [cosine.prepare(&dense).unwrap(), cosine.prepare(&sparse.unwrap()).unwrap()];
    for rows in all {
        let scores = cosine.between(&rows, &rows, &Run::on(1)).unwrap();
        assert!((scores[0] - 1.0).abs() < 1e-15);
        assert_eq!(scores[1..], [0.0; 3]);
        let told = rows.check_directions().unwrap_err().to_string();
        assert!(told.contains("row 1 is all zeros"), "{told}");
    }
    let dot = Prepared::new(Norm::Dot, &dense).unwrap();
    assert!(dot.check_directions().is_ok());
}

#[test]
fn rows_a_norm_cannot_take_are_refused_with_their_place() {
    let refuse = |norm, cells: &[f64]| {
        let dense = Dense::new(names(2), cells.to_vec()).unwrap();
        Prepared::new(norm, &dense).unwrap_err().to_string()
    };
    for norm in [Norm::Dice, Norm::Jaccard] {
        let told = refuse(norm, &[1.0, -0.5]);
        assert!(told.contains("row 0, column `f1`: -0.5 is negative"), "{told}");
    }
    let dot = Similarity::plain(Norm::Dot, names(2));
    assert!(dot.score(&[f64::NAN, 1.0], &[1.0, 1.0]).is_err());
    assert!(dot.score(&[1.0], &[1.0, 1.0]).is_err());
    assert!(dot.score(&[1e200, 1.0], &[1e200, 1.0]).unwrap_err().to_string().contains("large"));
    let amounts = Dense::new(names(2), vec![0.5, 1.0]).unwrap();
    assert!(Prepared::new(Norm::Dice, &amounts).unwrap().note().is_some());
}

#[test]
fn a_factor_gives_the_similarity_as_an_inner_product() {
    let mut matrix = SquareMatrix::identity(Form::Symmetric, 3, 0.2);
    matrix.add_outer(1.0, Row::Dense(&[1.0, -1.0, 2.0]), &[1.0, -1.0, 2.0]);
    let similarity = Similarity::new(matrix.clone(), Norm::Dot, names(3)).unwrap();
    assert!(similarity.is_psd(&Run::default()).unwrap());
    let factor = similarity.factor(&Run::default()).unwrap();
    let map = |x: &[f64]| factor.iter().map(|row| dot(row, x)).collect::<Vec<_>>();
    let (x, y) = ([1.0, 2.0, 3.0], [-1.0, 0.5, 2.0]);
    let inner = dot(&map(&x), &map(&y));
    assert!((inner - similarity.score(&x, &y).unwrap()).abs() < 1e-12);
    let dice = Similarity::new(matrix, Norm::Dice, names(3)).unwrap();
    assert!(dice.factor(&Run::default()).unwrap_err().to_string().contains("no inner product"));
}
