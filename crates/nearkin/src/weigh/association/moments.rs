//! Moments of Σ_ij A_ij B_π(i)π(j) over all permutations π, for symmetric A and B with diagonal 0.
//!
//! Mantel (1967) gave mean and variance. The third moment sums over the ways in which three pairs of
//! rows can share rows: with S_A(P) the sum over all rows that are different of the product of A
//! along pattern P, k_P the rows of the pattern and n_(k) = n (n − 1) … (n − k + 1),
//! ```text
//! E[Z³] = 8 Σ_P c_P S_A(P) S_B(P) / n_(k_P)
//!
//! P            same pair  two same, one joined  two same, one apart  triangle  star  path  two joined, one apart  all apart
//! c_P             1/2              3                    3/4              1       1     3            3/2               1/8
//! k_P              2               3                     4               3       4     4             5                 6
//! ```
//! Both matrices have their mean taken off first: that moves Z by a constant, and sums of large
//! numbers that nearly cancel do not arise.

/// Sums over a symmetric matrix of pairs whose diagonal and total are 0.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct PairSums {
    /// Σ_ij A_ij².
    pub squares: f64,
    /// Σ_ij A_ij³.
    pub cubes: f64,
    /// Σ_i r_i², with r_i = Σ_j A_ij.
    pub rows2: f64,
    /// Σ_i r_i³.
    pub rows3: f64,
    /// Σ_i r_i Σ_j A_ij².
    pub rows_squares: f64,
    /// Σ_ij r_i A_ij r_j.
    pub form: f64,
    /// Σ_ijk A_ij A_jk A_ki.
    pub triangles: f64,
}

/// Variance and third moment of Z, whose mean is 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moments {
    pub variance: f64,
    pub third: f64,
}

impl Moments {
    /// Those of `a` and `b` over all permutations of `n` rows, six at the least.
    pub fn new(n: usize, a: &PairSums, b: &PairSums) -> Self {
        Self { variance: variance(n, a, b), third: third(n, a, b) }
    }

    /// The third moment in units of the deviation.
    pub fn skewness(&self) -> f64 {
        let skewness = self.third / self.variance.powf(1.5);
        if skewness.is_finite() { skewness } else { 0.0 }
    }
}

/// The variance alone, which needs squares and squared rows.
pub(super) fn variance(n: usize, a: &PairSums, b: &PairSums) -> f64 {
    let patterns = |s: &PairSums| {
        let joined = s.rows2 - s.squares;
        [s.squares, joined, -4.0 * joined - 2.0 * s.squares]
    };
    let (a, b) = (patterns(a), patterns(b));
    let ways = [(0.5, 2), (1.0, 3), (0.25, 4)];
    4.0 * (0..3).map(|p| ways[p].0 * a[p] * (b[p] / falling(n, ways[p].1))).sum::<f64>()
}

fn third(n: usize, a: &PairSums, b: &PairSums) -> f64 {
    const WAYS: [(f64, usize); 8] =
        [(0.5, 2), (3.0, 3), (0.75, 4), (1.0, 3), (1.0, 4), (3.0, 4), (1.5, 5), (0.125, 6)];
    let (a, b) = (patterns(a), patterns(b));
    8.0 * (0..8).map(|p| WAYS[p].0 * a[p] * (b[p] / falling(n, WAYS[p].1))).sum::<f64>()
}

/// S(P) in the order of the table above; the total of all pairs is 0.
fn patterns(s: &PairSums) -> [f64; 8] {
    let same = s.cubes;
    let joined = s.rows_squares - same;
    let apart = -4.0 * joined - 2.0 * same;
    let triangle = s.triangles;
    let star = s.rows3 - 3.0 * joined - same;
    let path = s.form - 2.0 * s.rows_squares + same - triangle;
    let two = -4.0 * joined - 2.0 * triangle - 4.0 * path - 2.0 * star;
    let all = -8.0
        * (0.5 * same + 3.0 * joined + 0.75 * apart + triangle + star + 3.0 * path + 1.5 * two);
    [same, joined, apart, triangle, star, path, two, all]
}

/// n (n − 1) … with k factors.
fn falling(n: usize, k: usize) -> f64 {
    (0..k).map(|less| (n - less) as f64).product()
}

/// Σ_ijk A_ij A_jk A_ki of a dense symmetric matrix with n rows.
pub(super) fn triangles(n: usize, cells: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        let row = &cells[i * n..][..i];
        for j in 0..i {
            // Each triangle i > j > k stands for the six orders of its rows.
            let inner = dot(&row[..j], &cells[j * n..][..j]);
            sum += row[j] * inner;
        }
    }
    6.0 * sum
}

crate::neighbors::for_each_isa! {
    /// Σ_i a_i b_i.
    pub(super) fn dot[](a: &[f64], b: &[f64]) -> f64 {
        const LANES: usize = 16;
        let mut lanes = [0.0; LANES];
        let ((a, rest_a), (b, rest_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
        for (a, b) in a.iter().zip(b) {
            for lane in 0..LANES {
                lanes[lane] += a[lane] * b[lane];
            }
        }
        let rest: f64 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
        lanes.iter().sum::<f64>() + rest
    }
}

/// The sums of a matrix that is given cell by cell, the slow way; its mean is taken off first.
#[cfg(test)]
pub(super) fn plain_sums(n: usize, cell: impl Fn(usize, usize) -> f64) -> PairSums {
    let pairs = || (0..n).flat_map(move |i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j);
    let mean = pairs().map(|(i, j)| cell(i, j)).sum::<f64>() / (n * (n - 1)) as f64;
    let a = |i: usize, j: usize| if i == j { 0.0 } else { cell(i, j) - mean };
    let rows: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a(i, j)).sum()).collect();
    PairSums {
        squares: pairs().map(|(i, j)| a(i, j).powi(2)).sum(),
        cubes: pairs().map(|(i, j)| a(i, j).powi(3)).sum(),
        rows2: rows.iter().map(|r| r * r).sum(),
        rows3: rows.iter().map(|r| r.powi(3)).sum(),
        rows_squares: pairs().map(|(i, j)| rows[i] * a(i, j).powi(2)).sum(),
        form: pairs().map(|(i, j)| rows[i] * a(i, j) * rows[j]).sum(),
        triangles: pairs()
            .map(|(i, j)| (0..n).map(|k| a(i, j) * a(j, k) * a(k, i)).sum::<f64>())
            .sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Every order of 0..n.
    fn orders(n: usize) -> Vec<Vec<usize>> {
        if n == 0 {
            return vec![vec![]];
        }
        let longer = |short: Vec<usize>| {
            (0..n).map(move |at| {
                let mut order = short.clone();
                order.insert(at, n - 1);
                order
            })
        };
        orders(n - 1).into_iter().flat_map(longer).collect()
    }

    fn symmetric(n: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut random = Random::new(seed, 0);
        let mut matrix = vec![vec![0.0; n]; n];
        for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let value = random.normal().exp();
            (matrix[i][j], matrix[j][i]) = (value, value);
        }
        matrix
    }

    #[test]
    fn moments_are_those_of_all_permutations() {
        for n in [6, 7] {
            let (a, b) = (symmetric(n, 1), symmetric(n, 2));
            let all = orders(n);
            let each = all.iter().map(|order| {
                let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
                pairs.map(|(i, j)| a[i][j] * b[order[i]][order[j]]).sum::<f64>()
            });
            let each: Vec<f64> = each.collect();
            let mean = each.iter().sum::<f64>() / all.len() as f64;
            let central =
                |p: i32| each.iter().map(|z| (z - mean).powi(p)).sum::<f64>() / all.len() as f64;
            let sums = |m: &Vec<Vec<f64>>| plain_sums(n, |i, j| m[i][j]);
            let ours = Moments::new(n, &sums(&a), &sums(&b));
            assert!((ours.variance / central(2) - 1.0).abs() < 1e-10, "{n}: {ours:?}");
            assert!((ours.third / central(3) - 1.0).abs() < 1e-8, "{n}: {ours:?} {}", central(3));
        }
    }

    #[test]
    fn triangles_of_a_dense_matrix_are_those_of_three_loops() {
        let n = 37;
        let matrix = symmetric(n, 3);
        let cells = matrix.concat();
        let of = |i: usize, j: usize| -> f64 {
            (0..n).map(|k| matrix[i][j] * matrix[j][k] * matrix[k][i]).sum()
        };
        let plain: f64 = (0..n).map(|i| (0..n).map(|j| of(i, j)).sum::<f64>()).sum();
        assert!((triangles(n, &cells) / plain - 1.0).abs() < 1e-12);
    }
}
