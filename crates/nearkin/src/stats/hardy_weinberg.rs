//! Hardy–Weinberg proportions: the exact test of genotype counts.
//!
//! Given n samples that carry r copies of the rarer allele, the number of heterozygotes h has the
//! parity of r, and with a = (r − h)/2 and b = n − h − a homozygotes
//!
//! ```text
//! P(h + 2) / P(h) = 4 a b / ((h + 2)(h + 1))
//! ```
//!
//! The p-value is the probability of all h that are no likelier than the one seen. Cost: r/2 steps.
//!
//! Reference: Wigginton, Cutler and Abecasis (2005), A note on exact tests of Hardy–Weinberg
//! equilibrium, American Journal of Human Genetics 76.

/// Two probabilities this near, as shares of each other, count as equal.
const SAME: f64 = 1e-9;

/// The p-value of the exact test of Hardy–Weinberg proportions for the number of samples with 0, 1
/// and 2 copies of an allele; 1 where there is but one genotype distribution, as without samples.
///
/// ```
/// use nearkin::stats::hardy_weinberg;
/// let p = hardy_weinberg([298, 489, 213]);
/// assert!((p - 0.6556635).abs() < 1e-7);
/// ```
pub fn hardy_weinberg(counts: [usize; 3]) -> f64 {
    let [none, het, both] = counts;
    let n = none + het + both;
    let rare = (2 * both + het).min(2 * none + het);
    // Relative to the likeliest number of heterozygotes, so that none overflows.
    let ratio = |h: usize| {
        let a = (rare - h) / 2;
        let b = n - h - a;
        4.0 * a as f64 * b as f64 / ((h + 2) as f64 * (h + 1) as f64)
    };
    let mut top = rare % 2;
    while top + 2 <= rare && ratio(top) > 1.0 {
        top += 2;
    }
    let mut weights = vec![0.0; rare / 2 + 1];
    weights[top / 2] = 1.0;
    for h in (top..rare.saturating_sub(1)).step_by(2) {
        weights[h / 2 + 1] = weights[h / 2] * ratio(h);
    }
    for at in (0..top / 2).rev() {
        weights[at] = weights[at + 1] / ratio(2 * at + rare % 2);
    }
    let seen = weights[het / 2];
    let total: f64 = weights.iter().sum();
    let as_far: f64 = weights.iter().filter(|&&weight| weight <= seen * (1.0 + SAME)).sum();
    (as_far / total).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: n! / (a! h! b!) · 2^h arrangements among (2n)! / (r! (2n − r)!), in logarithms.
    fn plain(counts: [usize; 3]) -> f64 {
        let log_factorial = |n: usize| (1..=n).map(|i| (i as f64).ln()).sum::<f64>();
        let n: usize = counts.iter().sum();
        let copies = 2 * counts[2] + counts[1];
        let probability = |h: usize| {
            let both = (copies - h) / 2;
            let none = n - h - both;
            let ways =
                log_factorial(n) - log_factorial(none) - log_factorial(h) - log_factorial(both)
                    + h as f64 * 2f64.ln();
            let all = log_factorial(2 * n) - log_factorial(copies) - log_factorial(2 * n - copies);
            (ways - all).exp()
        };
        let possible = (0..=copies.min(2 * n - copies)).filter(|h| h % 2 == copies % 2);
        let seen = probability(counts[1]);
        possible.map(probability).filter(|&p| p <= seen * (1.0 + 1e-9)).sum()
    }

    #[test]
    fn the_exact_test_is_its_definition() {
        for n in 0..=14 {
            for both in 0..=n {
                for het in 0..=n - both {
                    let counts = [n - both - het, het, both];
                    let (found, meant) = (hardy_weinberg(counts), plain(counts));
                    assert!((found - meant).abs() < 1e-10, "{counts:?}: {found}, {meant}");
                }
            }
        }
        for counts in [[500, 80, 20], [0, 301, 2], [1000, 3, 1], [120, 260, 120]] {
            let (found, meant) = (hardy_weinberg(counts), plain(counts));
            assert!((found / meant - 1.0).abs() < 1e-8, "{counts:?}: {found}, {meant}");
        }
    }

    #[test]
    fn published_p_values_come_back() {
        // The MN blood group, and the example of the reference's program.
        assert!((hardy_weinberg([298, 489, 213]) - 0.655_663_5).abs() < 1e-7);
        assert!((hardy_weinberg([50, 57, 14]) - 0.842_279_9).abs() < 1e-6);
        // By hand: 5 samples, 2 copies; 0 heterozygotes have probability 1/9, 2 have 8/9.
        assert!((hardy_weinberg([4, 0, 1]) - 1.0 / 9.0).abs() < 1e-15);
    }

    #[test]
    fn either_allele_may_be_counted_and_large_counts_do_not_overflow() {
        assert_eq!(hardy_weinberg([7, 5, 30]), hardy_weinberg([30, 5, 7]));
        assert_eq!(hardy_weinberg([0, 0, 0]), 1.0);
        assert_eq!(hardy_weinberg([9, 0, 0]), 1.0);
        let p = hardy_weinberg([200_000, 0, 200_000]);
        assert!((0.0..1e-300).contains(&p), "{p}");
        assert_eq!(hardy_weinberg([100_000, 200_000, 100_000]), 1.0);
    }
}
