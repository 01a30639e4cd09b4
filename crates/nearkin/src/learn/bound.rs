//! [`Bound`]: how many mistakes theory allows SiLA's first epoch.
//!
//! For any matrix U with ‖U‖_F = 1 and any γ > 0, let m_i be the margin of row i under U, with
//! the impostors most similar under U, and
//!
//! ```text
//! D = √ Σ_i max(0, γ − m_i)²
//! mistakes ≤ (R + D)² / γ²                                                  (theorem 2)
//! ```
//!
//! where no update is longer than R and learning starts at the null matrix. D = 0 when all
//! margins reach γ: theorem 1. By theorem 3, with E expected mistakes on m + 1 rows, a new row
//! is misjudged with probability at most 2E/(m + 1). Here U is the learned matrix, R the
//! longest update made, and E the mistakes counted. A symmetric matrix moves by twice what its
//! margin says, so a quarter of the bound would hold there; the printed one is given.
//!
//! Reference: A. M. Qamar, E. Gaussier, J.-P. Chevallet and J. H. Lim, *Similarity learning for
//! nearest neighbor classification*, ICDM 2008, section 4; Y. Freund and R. E. Schapire, *Large
//! margin classification using the perceptron algorithm*, Machine Learning 37 (1999).

/// Largest number of values of γ that are tried.
const TRIED: usize = 256;

/// The bound from theory on the number of mistakes, and the actual number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// Mistakes of the first epoch.
    pub mistakes: u64,
    /// R, the length of the longest update.
    pub radius: f64,
    /// γ, the margin that makes the bound smallest.
    pub gamma: f64,
    /// D, how far margins fall short of γ.
    pub shortfall: f64,
    /// (R + D)²/γ².
    pub bound: f64,
    /// R²/γ² for the smallest margin γ, when all margins are positive: the separable case.
    pub separable: Option<f64>,
    /// 2E/(m + 1), capped at 1.
    pub expected_error: f64,
}

impl Bound {
    /// The best bound these margins of a matrix of length 1 give, or none when no margin is
    /// positive.
    pub fn new(margins: &[f64], radius: f64, mistakes: u64) -> Option<Self> {
        let mut positive: Vec<f64> = margins.iter().copied().filter(|m| *m > 0.0).collect();
        positive.sort_by(f64::total_cmp);
        let smallest = *positive.first()?;
        let shortfall =
            |gamma: f64| margins.iter().map(|m| (gamma - m).max(0.0).powi(2)).sum::<f64>().sqrt();
        let bound = |gamma: f64| ((radius + shortfall(gamma)) / gamma).powi(2);
        let mut gamma = smallest;
        for &other in positive.iter().step_by(positive.len().div_ceil(TRIED)) {
            if bound(other) < bound(gamma) {
                gamma = other;
            }
        }
        Some(Self {
            mistakes,
            radius,
            gamma,
            shortfall: shortfall(gamma),
            bound: bound(gamma),
            separable: (positive.len() == margins.len()).then(|| (radius / smallest).powi(2)),
            expected_error: (2.0 * mistakes as f64 / (margins.len() + 1) as f64).min(1.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_margins_give_the_separable_bound() {
        let bound = Bound::new(&[0.5; 9], 2.0, 3).unwrap();
        assert_eq!((bound.gamma, bound.shortfall, bound.bound), (0.5, 0.0, 16.0));
        assert_eq!((bound.separable, bound.expected_error), (Some(16.0), 0.6));
    }

    #[test]
    fn a_row_on_the_wrong_side_costs_its_shortfall() {
        let bound = Bound::new(&[1.0, 1.0, -1.0], 2.0, 1).unwrap();
        assert_eq!((bound.gamma, bound.shortfall, bound.bound), (1.0, 2.0, 16.0));
        assert_eq!(bound.separable, None);
        assert_eq!(Bound::new(&[0.0, -1.0], 2.0, 1), None);
    }

    #[test]
    fn a_small_margin_may_be_given_up_for_a_better_bound() {
        let bound = Bound::new(&[0.01, 1.0, 1.0], 1.0, 1).unwrap();
        assert_eq!(bound.gamma, 1.0);
        assert!(bound.bound < 4.0 && bound.separable.unwrap() > 9999.0);
    }
}
