//! Tails of the common distributions, each to about thirteen digits.
//!
//! All rest on the regularised incomplete gamma and beta functions, by series and continued
//! fractions (Press et al., *Numerical Recipes*, 3rd ed., ch. 6). Their leading factors are
//! taken from Loader's saddle-point form (C. Loader, *Fast and accurate computation of
//! binomial probabilities*, 2000), which keeps its digits where differences of `ln_gamma`
//! lose them: degrees of freedom in the millions are common when neighbours are counted.
//!
//! Arguments outside a function's domain give NaN.
//!
//! ```
//! use nearkin::stats::tails;
//! assert!((tails::student_sf(2.0, 10.0) - 0.036694017385370196).abs() < 1e-15);
//! ```

use std::f64::consts::TAU;

const TINY: f64 = 1e-300;

/// ln Γ(x) for x > 0: Stirling's series, reached from small x by Γ(x+1) = x Γ(x).
pub fn ln_gamma(x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return f64::NAN;
    }
    let (mut y, mut product) = (x, 1.0f64);
    while y < 15.0 {
        product *= y;
        y += 1.0;
    }
    (y - 0.5) * y.ln() - y + 0.5 * TAU.ln() + stirling_series(y) - product.ln()
}

/// Σ B₂ₖ / (2k(2k−1) x²ᵏ⁻¹), the tail of Stirling's series; for x ≥ 15.
fn stirling_series(x: f64) -> f64 {
    const B: [f64; 8] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
        -3617.0 / 122_400.0,
    ];
    let inverse_square = 1.0 / (x * x);
    B.iter().rev().fold(0.0, |sum, b| sum * inverse_square + b) / x
}

/// ln Γ(x+1) − (x+½) ln x + x − ½ ln 2π: what Stirling's formula leaves out of ln x!.
fn stirling_error(x: f64) -> f64 {
    match x {
        x if x >= 15.0 => stirling_series(x),
        x => ln_gamma(x + 1.0) - (x + 0.5) * x.ln() + x - 0.5 * TAU.ln(),
    }
}

/// x ln(x/m) + m − x ≥ 0, without cancellation near x = m (Loader's `bd0`).
fn deviance(x: f64, m: f64) -> f64 {
    let v = (x - m) / (x + m);
    if v.abs() >= 0.1 {
        return x * (x / m).ln() + m - x;
    }
    let mut sum = (x - m) * v;
    let (mut term, square) = (2.0 * x * v, v * v);
    for j in (3u32..).step_by(2) {
        term *= square;
        let next = sum + term / f64::from(j);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// λᵃ e^−λ / Γ(a+1) for a > 0: a Poisson probability at real `a`.
fn poisson(a: f64, lambda: f64) -> f64 {
    (-stirling_error(a) - deviance(a, lambda)).exp() / (TAU * a).sqrt()
}

/// Both regularised incomplete gamma functions, P(a, x) and Q(a, x) = 1 − P.
fn gamma_pair(a: f64, x: f64) -> (f64, f64) {
    if !(a > 0.0 && x >= 0.0) || a.is_infinite() {
        return (f64::NAN, f64::NAN);
    }
    if x == 0.0 {
        return (0.0, 1.0);
    }
    if x.is_infinite() {
        return (1.0, 0.0);
    }
    let front = poisson(a, x);
    if x < a + 1.0 {
        let (mut sum, mut term, mut i) = (1.0, 1.0, a);
        while term > sum * 1e-17 {
            i += 1.0;
            term *= x / i;
            sum += term;
        }
        let p = (front * sum).min(1.0);
        return (p, 1.0 - p);
    }
    // Lentz's method on Γ(a, x) = e^−x xᵃ (1/(x+1−a−) 1(1−a)/(x+3−a−) …).
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut h = d;
    let mut i = 0.0;
    loop {
        i += 1.0;
        let numerator = -i * (i - a);
        b += 2.0;
        d = 1.0 / away_from_zero(numerator * d + b);
        c = away_from_zero(b + numerator / c);
        h *= d * c;
        if (d * c - 1.0).abs() < 1e-16 || i > 1e6 {
            break;
        }
    }
    let q = (front * a * h).min(1.0);
    (1.0 - q, q)
}

/// Keep a denominator of Lentz's method away from zero.
fn away_from_zero(value: f64) -> f64 {
    if value.abs() < TINY { TINY } else { value }
}

/// The regularised lower incomplete gamma function P(a, x), a > 0, x ≥ 0.
pub fn gamma_p(a: f64, x: f64) -> f64 {
    gamma_pair(a, x).0
}

/// The regularised upper incomplete gamma function Q(a, x) = 1 − P(a, x).
pub fn gamma_q(a: f64, x: f64) -> f64 {
    gamma_pair(a, x).1
}

/// The regularised incomplete beta function Iₓ(a, b), a, b > 0, x in [0, 1].
pub fn beta(a: f64, b: f64, x: f64) -> f64 {
    beta_of(a, b, x, 1.0 - x)
}

/// Iₓ(a, b) with y = 1 − x given, so that neither loses digits near 0.
fn beta_of(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if !(a > 0.0 && b > 0.0 && x >= 0.0 && y >= 0.0) || a.is_infinite() || b.is_infinite() {
        return f64::NAN;
    }
    if x == 0.0 || y == 0.0 {
        return if x == 0.0 { 0.0 } else { 1.0 };
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_fraction(b, a, y, x);
    }
    beta_fraction(a, b, x, y)
}

/// Iₓ(a, b) = xᵃyᵇ/B(a, b) · 1/(β₀ + α₁/(β₁ + α₂/(β₂ + …))), by Lentz's method, with
///
/// αₙ = (a+n−1)(a+b+n−1) n (b−n) x² / (a+2n−1)²,
/// βₙ = n + n(b−n)x/(a+2n−1) + (a+n)(λ + 1 + n(1+y))/(a+2n+1), λ = a − (a+b)x
///
/// (DiDonato & Morris, *ACM TOMS* 18, 1992): λ, taken from the smaller side, is what keeps
/// the digits when a is huge and x close to 1.
fn beta_fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    // Γ(n+1)/(Γ(a+1)Γ(b+1)) xᵃ yᵇ, a binomial probability at real counts.
    let saddle = stirling_error(n) - stirling_error(a) - stirling_error(b);
    let exponent = saddle - deviance(a, n * x) - deviance(b, n * y);
    let binomial = exponent.exp() * (n / a / b / TAU).sqrt();
    let front = binomial * a * (b / n);
    let lambda = if a > b { n * y - b } else { a - n * x };
    let mut value = away_from_zero(a * (lambda + 1.0) / (a + 1.0));
    let (mut c, mut d) = (value, 0.0);
    let mut i = 0.0;
    loop {
        i += 1.0;
        let step = i * (b - i) * x / (a + 2.0 * i - 1.0);
        let alpha = (a + i - 1.0) * ((n + i - 1.0) / (a + 2.0 * i - 1.0)) * step * x;
        let beta = i + step + (a + i) * ((lambda + 1.0 + i * (1.0 + y)) / (a + 2.0 * i + 1.0));
        d = 1.0 / away_from_zero(beta + alpha * d);
        c = away_from_zero(beta + alpha / c);
        value *= c * d;
        if (c * d - 1.0).abs() < 1e-16 || i > 1e6 {
            break;
        }
    }
    (front / value).clamp(0.0, 1.0)
}

/// The normal density φ(z).
pub fn normal_density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / TAU.sqrt()
}

/// P(Z > z) for a standard normal Z.
pub fn normal_sf(z: f64) -> f64 {
    let (p, q) = gamma_pair(0.5, 0.5 * z * z);
    if z >= 0.0 { 0.5 * q } else { 0.5 + 0.5 * p }
}

/// P(Z ≤ z) for a standard normal Z.
pub fn normal_cdf(z: f64) -> f64 {
    normal_sf(-z)
}

/// P(T > t) for Student's t with `df` > 0 degrees of freedom, which need not be whole.
pub fn student_sf(t: f64, df: f64) -> f64 {
    let half = 0.5 * student_two_sided(t, df);
    if t >= 0.0 { half } else { 1.0 - half }
}

/// P(|T| > |t|) for Student's t; `df` may be ∞, which is the normal.
pub fn student_two_sided(t: f64, df: f64) -> f64 {
    if t.is_nan() || df.is_nan() || df <= 0.0 {
        return f64::NAN;
    }
    if t.is_infinite() {
        return 0.0;
    }
    if df.is_infinite() {
        return 2.0 * normal_sf(t.abs());
    }
    // t² may overflow; the ratio may not.
    let r = t / df.sqrt();
    let square = r * r;
    if square.is_infinite() {
        return 0.0;
    }
    beta_of(0.5 * df, 0.5, 1.0 / (1.0 + square), square / (1.0 + square))
}

/// P(Z > z) for Pearson's type III law of mean 0, deviation 1 and this skewness: a shifted gamma
/// law, turned around where the skewness is negative, and the normal law where it is near 0.
pub fn pearson3_sf(z: f64, skewness: f64) -> f64 {
    if skewness.abs() < 1e-3 {
        return normal_sf(z);
    }
    let shape = 4.0 / (skewness * skewness);
    let x = shape + z * shape.sqrt() * skewness.signum();
    match (x <= 0.0, skewness > 0.0) {
        (true, positive) => f64::from(u8::from(positive)),
        (false, true) => gamma_q(shape, x),
        (false, false) => gamma_p(shape, x),
    }
}

/// P(X > x) for χ² with `df` > 0 degrees of freedom; 1 for x ≤ 0.
pub fn chi_square_sf(x: f64, df: f64) -> f64 {
    gamma_q(0.5 * df, 0.5 * if x < 0.0 { 0.0 } else { x })
}

/// P(X > x) for Fisher's F with `above` and `below` degrees of freedom; 1 for x ≤ 0.
pub fn f_sf(x: f64, above: f64, below: f64) -> f64 {
    if x.is_infinite() {
        return if x > 0.0 { 0.0 } else { 1.0 };
    }
    let ratio = above * if x < 0.0 { 0.0 } else { x } / below;
    beta_of(0.5 * below, 0.5 * above, 1.0 / (1.0 + ratio), ratio / (1.0 + ratio))
}

/// P(X ≥ k) for X the successes in `n` trials of probability `p`.
pub fn binomial_at_least(k: u64, n: u64, p: f64) -> f64 {
    match k {
        _ if !(0.0..=1.0).contains(&p) => f64::NAN,
        0 => 1.0,
        k if k > n => 0.0,
        k => beta(k as f64, (n - k + 1) as f64, p),
    }
}

/// P(X ≤ k) for X the successes in `n` trials of probability `p`.
pub fn binomial_at_most(k: u64, n: u64, p: f64) -> f64 {
    match k {
        _ if !(0.0..=1.0).contains(&p) => f64::NAN,
        k if k >= n => 1.0,
        k => beta_of((n - k) as f64, (k + 1) as f64, 1.0 - p, p),
    }
}
