//! Laws of `stats::tails`.

use nearkin::stats::tails::*;

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * b.abs().max(1e-300), "{a} is not {b}");
}

#[test]
fn gamma_of_a_half_is_root_pi() {
    close(ln_gamma(0.5), 0.5 * std::f64::consts::PI.ln(), 1e-14);
    close(ln_gamma(11.0), 3_628_800f64.ln(), 1e-14);
}

#[test]
fn tails_of_a_fair_coin_are_counts_over_powers_of_two() {
    close(binomial_at_least(8, 10, 0.5), 56.0 / 1024.0, 1e-14);
    close(binomial_at_most(2, 10, 0.5), 56.0 / 1024.0, 1e-14);
    assert_eq!(binomial_at_least(11, 10, 0.5), 0.0);
    assert_eq!(binomial_at_most(10, 10, 0.5), 1.0);
}

#[test]
fn left_and_right_tails_make_one() {
    for t in [-3.0, -0.2, 0.0, 0.7, 4.0] {
        close(student_sf(t, 3.7) + student_sf(-t, 3.7), 1.0, 1e-14);
    }
}

#[test]
fn many_degrees_of_freedom_approach_the_normal() {
    close(student_sf(2.5, 1e12), normal_sf(2.5), 1e-10);
    close(student_sf(2.5, f64::INFINITY), normal_sf(2.5), 1e-15);
}

#[test]
fn outside_the_domain_is_nan() {
    assert!(student_sf(1.0, 0.0).is_nan());
    assert!(ln_gamma(-1.0).is_nan());
    assert!(beta(1.0, 1.0, 2.0).is_nan());
}
