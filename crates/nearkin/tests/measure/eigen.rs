//! Laws of `measure::eigen`.

use nearkin::Run;
use nearkin::measure::*;
use nearkin::random::Random;

fn random_symmetric(size: usize, rank: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed, 0);
    let mut cells = vec![0.0; size * size];
    for r in 0..rank {
        let u: Vec<f64> = (0..size).map(|_| random.normal()).collect();
        let sign = if r % 2 == 0 { 1.0 } else { -1.0 };
        for i in 0..size {
            (0..size).for_each(|j| cells[i * size + j] += sign * u[i] * u[j]);
        }
    }
    cells
}

#[test]
fn the_parts_are_orthogonal_and_make_the_whole() {
    for (size, rank) in [(1, 1), (2, 2), (3, 1), (8, 8), (17, 5), (40, 60)] {
        let cells = random_symmetric(size, rank, size as u64);
        let eigen = Eigen::of(&cells, size, &Run::default()).unwrap();
        for r in 0..size {
            for s in 0..size {
                let dot: f64 =
                    eigen.vector(r).iter().zip(eigen.vector(s)).map(|(x, y)| x * y).sum();
                assert!((dot - f64::from(u8::from(r == s))).abs() < 1e-12);
            }
        }
        for (made, cell) in eigen.compose(|x| x).iter().zip(&cells) {
            assert!((made - cell).abs() < 1e-11 * rank as f64, "{made} {cell}");
        }
        assert!(eigen.values.windows(2).all(|pair| pair[0] >= pair[1]));
        let beyond = eigen.values.iter().filter(|x| x.abs() > eigen.rounding() * 100.0);
        assert_eq!(beyond.count(), rank.min(size), "size {size}, rank {rank}");
    }
}

#[test]
fn zero_tiny_and_huge_matrices_give_numbers() {
    for scale in [0.0, 1e-300, 1e300] {
        let cells: Vec<f64> =
            [2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0].map(|x: f64| x * scale).to_vec();
        let eigen = Eigen::of(&cells, 3, &Run::default()).unwrap();
        assert!(eigen.values.iter().chain(&eigen.vectors).all(|x| x.is_finite()));
        for (value, meant) in eigen.values.iter().zip([3.0, 1.0, 0.0]) {
            assert!((value - meant * scale).abs() <= 1e-14 * scale);
        }
    }
}
