//! Corrections for many tests at once.
//!
//! Each function takes p-values in any order and gives adjusted ones in the same order.
//! `None`, and NaN too, stands for a feature that was not tested: it comes out as `None` and is
//! not counted.

/// Benjamini & Hochberg's q-values (*JRSS B* 57, 1995), which bound the false discovery rate:
/// q₍ᵢ₎ = min over j ≥ i of m p₍ⱼ₎ / j.
///
/// ```
/// use nearkin::stats::benjamini_hochberg;
/// let q = benjamini_hochberg(&[Some(0.01), None, Some(0.04), Some(0.03)]);
/// assert_eq!(q, [Some(0.03), None, Some(0.04), Some(0.04)]);
/// ```
pub fn benjamini_hochberg(p: &[Option<f64>]) -> Vec<Option<f64>> {
    let order = ascending(p);
    let m = order.len() as f64;
    let mut adjusted = vec![None; p.len()];
    let mut least = 1.0f64;
    for (rank, &(index, value)) in order.iter().enumerate().rev() {
        least = least.min(value * (m / (rank + 1) as f64));
        adjusted[index] = Some(least);
    }
    adjusted
}

/// Holm's step-down adjustment (*Scand. J. Statist.* 6, 1979), which bounds the chance of
/// any false claim: p₍ᵢ₎ becomes max over j ≤ i of (m − j + 1) p₍ⱼ₎.
pub fn holm(p: &[Option<f64>]) -> Vec<Option<f64>> {
    let order = ascending(p);
    let m = order.len();
    let mut adjusted = vec![None; p.len()];
    let mut most = 0.0f64;
    for (rank, &(index, value)) in order.iter().enumerate() {
        most = most.max((value * (m - rank) as f64).min(1.0));
        adjusted[index] = Some(most);
    }
    adjusted
}

/// The tested p-values with their positions, smallest first; NaN counts as not tested.
fn ascending(p: &[Option<f64>]) -> Vec<(usize, f64)> {
    let tested = p.iter().enumerate().filter_map(|(i, p)| p.map(|p| (i, p)));
    let mut order: Vec<(usize, f64)> = tested.filter(|(_, p)| !p.is_nan()).collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    order
}
