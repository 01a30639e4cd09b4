//! Matrices, settings and readers that the tests of classifiers share.

use nearkin::classify::*;
use nearkin::data::{Classes, SimilarityMatrix};
use nearkin::random::Random;

/// Twelve samples of three classes and five queries: asymmetric, made up by a formula.
pub fn toy() -> (SimilarityMatrix<'static>, Classes, SimilarityMatrix<'static>) {
    let y = [0usize, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2];
    let mut s = Vec::new();
    for i in 0..12usize {
        for j in 0..12usize {
            let base = if y[i] == y[j] { 6.0 } else { 1.0 };
            let up = ((7 * i + 3 * j * j + 5 * i * j) % 11) as f64 / 2.0;
            let down = ((i * i + 2 * j) % 5) as f64 / 4.0;
            s.push(if i == j { 12.0 } else { base + up - down });
        }
    }
    let mut q = Vec::new();
    for i in 0..5usize {
        for (j, class) in y.iter().enumerate() {
            let base = if *class == i % 3 { 5.0 } else { 2.0 };
            let up = ((3 * i + 2 * j + i * j * j) % 9) as f64 / 2.0;
            q.push(base + up - ((i + j * j) % 4) as f64 / 4.0);
        }
    }
    let classes = Classes::from_labels(y.map(|class| class.to_string()));
    let s = SimilarityMatrix::new(12, 12, s).unwrap();
    (s, classes, SimilarityMatrix::new(5, 12, q).unwrap())
}

/// A random matrix of `n` samples in three classes, nearer within a class, asymmetric.
pub fn random_matrix(n: usize, seed: u64) -> (SimilarityMatrix<'static>, Classes) {
    let mut random = Random::new(seed, 0);
    let class = |i: usize| i * 7 % 3;
    let cells = (0..n * n).map(|c| {
        let same = class(c / n) == class(c % n);
        (if same { 0.8 } else { 0.0 }) + random.normal()
    });
    let s = SimilarityMatrix::new(n, n, cells.collect::<Vec<_>>()).unwrap();
    (s, Classes::from_labels((0..n).map(|i| ["x", "y", "z"][class(i)])))
}

#[track_caller]
pub fn near(found: &[f64], meant: &[f64]) {
    assert_eq!(found.len(), meant.len());
    for (found, meant) in found.iter().zip(meant) {
        assert!((found - meant).abs() < 1e-9, "{found} {meant}");
    }
}

pub fn clamped() -> Laws {
    Laws { boundary: Boundary::Clamp, clamp: 1e-6, ..Laws::default() }
}

pub fn fixed(k: usize) -> Size {
    Size { k: Some(k), ..Size::default() }
}

/// A matrix of the data folder times `sign`, with its labels; nothing without the folder.
pub fn shared(
    matrix: &str,
    labels: &str,
    sign: f64,
) -> Option<(SimilarityMatrix<'static>, Vec<String>)> {
    let folder = std::path::PathBuf::from(std::env::var_os("NEARKIN_DATA")?).join("similarity");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let labels: Vec<String> = read(labels).lines().map(|line| line.trim().to_owned()).collect();
    let text = read(matrix);
    let values = text.split([',', '\n']).map(str::trim).filter(|v| !v.is_empty());
    let values: Vec<f64> = values.map(|v| 0.0 + sign * v.parse::<f64>().unwrap()).collect();
    Some((SimilarityMatrix::new(labels.len(), labels.len(), values).unwrap(), labels))
}

/// Errors when each sample is predicted from the others, sizes chosen among those anew.
pub fn leave_one_out(s: &SimilarityMatrix, labels: &[String], classifier: &dyn Classify) -> usize {
    let wrong = |&row: &usize| {
        let rest: Vec<usize> = (0..labels.len()).filter(|&r| r != row).collect();
        let classes = Classes::from_labels(rest.iter().map(|&r| &labels[r]));
        let fitted = classifier.fit(&s.select(&rest, &rest), &classes).unwrap();
        let said = fitted.predict(&s.select(&[row], &rest)).unwrap();
        said.errors([&labels[row]]) == 1
    };
    (0..labels.len()).filter(wrong).count()
}
