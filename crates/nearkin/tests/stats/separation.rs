//! Laws of `stats::separation`.

use nearkin::stats::*;

#[test]
fn ties_count_half() {
    assert_eq!(separation(&[1.0, 1.0, 1.0], &[1]).unwrap().unwrap().auc, 0.5);
}

#[test]
fn auc_is_the_share_of_pairs_in_order() {
    let weights = [0.3f64, -0.1, 0.3, 0.7, 0.2, 0.0];
    let relevant = [0, 3, 5];
    let mut pairs = 0.0;
    for a in relevant {
        for b in [1, 2, 4] {
            pairs += match weights[a].total_cmp(&weights[b]) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        }
    }
    let found = separation(&weights, &relevant).unwrap().unwrap();
    assert!((found.auc - pairs / 9.0).abs() < 1e-15);
    assert!(found.usability >= found.separability);
}

#[test]
fn scaling_the_weights_leaves_auc_alone() {
    let weights = [0.3, -0.1, 0.5, 0.7];
    let scaled = weights.map(|w| 8.0 * w - 1.0);
    let auc = |w: &[f64]| separation(w, &[2, 0]).unwrap().unwrap().auc;
    assert_eq!(auc(&weights), auc(&scaled));
}

#[test]
fn only_one_sort_of_feature_cannot_be_separated() {
    assert_eq!(separation(&[1.0, 2.0], &[]), Ok(None));
    assert_eq!(separation(&[1.0, 2.0], &[0, 1, 1]), Ok(None));
    assert!(separation(&[1.0], &[3]).unwrap_err().to_string().contains("feature 3"));
    assert!(separation(&[f64::NAN, 1.0], &[0]).is_err());
}
