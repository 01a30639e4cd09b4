//! Laws of `stats::wilcoxon`.

use nearkin::stats::*;

fn test(a: &[f64], zeros: Zeros, method: WilcoxonP, tail: Tail) -> Wilcoxon {
    wilcoxon(a, &vec![0.0; a.len()], zeros, method, tail).unwrap().unwrap()
}

/// The definition: try every sign pattern.
fn enumerated(ranks: &[f64], w_plus: f64) -> (f64, f64) {
    let patterns = 1u32 << ranks.len();
    let sums = (0..patterns).map(|bits| -> f64 {
        (0..ranks.len()).filter(|i| bits >> i & 1 == 1).map(|i| ranks[i]).sum()
    });
    let (mut left, mut right) = (0, 0);
    for sum in sums {
        left += u32::from(sum <= w_plus);
        right += u32::from(sum >= w_plus);
    }
    (f64::from(left) / f64::from(patterns), f64::from(right) / f64::from(patterns))
}

#[test]
fn the_convolution_is_the_enumeration_with_and_without_ties() {
    for values in [[1.0, -2.0, 3.0, -4.0, 5.0, 6.0], [1.0, -1.0, 2.0, 2.0, 2.0, -3.0]] {
        let ranks = midranks(&values.map(f64::abs));
        let seen = test(&values, Zeros::Drop, WilcoxonP::Exact, Tail::Left);
        let (left, right) = enumerated(&ranks, seen.w_plus);
        assert_eq!(seen.p, left);
        assert_eq!(test(&values, Zeros::Drop, WilcoxonP::Exact, Tail::Right).p, right);
    }
}

#[test]
fn pratt_ranks_the_zeros_before_leaving_them_out() {
    let values = [0.0, 1.0, 2.0];
    assert_eq!(test(&values, Zeros::Drop, WilcoxonP::Exact, Tail::Both).w_plus, 3.0);
    assert_eq!(test(&values, Zeros::Pratt, WilcoxonP::Exact, Tail::Both).w_plus, 5.0);
}

#[test]
fn exact_and_normal_meet_at_many_differences() {
    let a: Vec<f64> =
        (1..=500).map(|i| if i % 9 < 5 { f64::from(i) } else { -f64::from(i) }).collect();
    let p = |method| test(&a, Zeros::Drop, method, Tail::Right).p;
    assert!((p(WilcoxonP::Exact) - p(WilcoxonP::Normal { continuity: true })).abs() < 1e-4);
    let more = vec![1.0; 501];
    let refused = wilcoxon(&more, &[0.0; 501], Zeros::Drop, WilcoxonP::Exact, Tail::Both);
    assert!(refused.unwrap_err().to_string().contains("at most 500 differences, got 501"));
}

#[test]
fn no_difference_decides_nothing() {
    let same = wilcoxon(&[1.0], &[1.0], Zeros::Pratt, WilcoxonP::Auto, Tail::Both);
    assert_eq!(same, Ok(None));
}
