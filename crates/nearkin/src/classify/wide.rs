//! Products and sums of long columns of doubles. An instruction handles as many numbers as the
//! machine allows. There are always the same 32 running sums and no fused multiply-adds, so every
//! machine gets the same bits.
//!
//! Lower bound: 2 operations and 16 bytes an element.

use crate::neighbors::for_each_isa;

/// Running sums, enough for none to wait for its last addition.
const SUMS: usize = 32;

for_each_isa! {
    /// Σ x y.
    pub(super) fn dot[](x: &[f64], y: &[f64]) -> f64 {
        let ((x, x_rest), (y, y_rest)) = (x.as_chunks::<SUMS>(), y.as_chunks::<SUMS>());
        let mut sums = [0.0; SUMS];
        for (x, y) in x.iter().zip(y) {
            for lane in 0..SUMS {
                sums[lane] += x[lane] * y[lane];
            }
        }
        let rest: f64 = x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum();
        let mut width = SUMS / 2;
        while width > 0 {
            for lane in 0..width {
                sums[lane] += sums[lane + width];
            }
            width /= 2;
        }
        sums[0] + rest
    }
}

for_each_isa! {
    /// `to += by · x`.
    pub(super) fn add[](to: &mut [f64], by: f64, x: &[f64]) {
        for (to, x) in to.iter_mut().zip(x) {
            *to += by * x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn sums_are_those_of_a_plain_loop() {
        let mut random = Random::new(4, 0);
        for n in [0, 1, 31, 32, 33, 100, 257] {
            let [x, y]: [Vec<f64>; 2] =
                std::array::from_fn(|_| (0..n).map(|_| random.normal()).collect());
            let plain: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
            assert!((dot(&x, &y) - plain).abs() < 1e-12, "{n}");
            let mut to = x.clone();
            add(&mut to, 0.5, &y);
            for ((to, x), y) in to.iter().zip(&x).zip(&y) {
                assert_eq!(*to, x + 0.5 * y);
            }
        }
    }
}
