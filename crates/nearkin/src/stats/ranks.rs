//! Ranks with ties.

/// Ranks from 1, lowest value first; equal values share the mean of their ranks.
///
/// ```
/// assert_eq!(nearkin::stats::midranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
/// ```
pub fn midranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        // Ranks below + 1 to below + t, whose mean this is.
        let rank = below as f64 + (tied.len() + 1) as f64 / 2.0;
        tied.iter().for_each(|&i| ranks[i] = rank);
        below += tied.len();
    }
    ranks
}

/// Σ (t³ − t) over groups of t equal values: the usual correction of rank tests.
pub(super) fn tie_sum(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.chunk_by(|a, b| a == b).map(|tied| tied.len() as f64).map(|t| t * t * t - t).sum()
}
