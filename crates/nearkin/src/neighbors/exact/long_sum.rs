//! Sums of a great many numbers, as if nothing was rounded before the end.

/// A sum, and the part that it has rounded off (O. Møller, 1965): together they are off by about
/// one rounding, however many numbers there are and in whatever order they come.
///
/// It takes six additions for a number in place of one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LongSum {
    /// The sum as doubles add it up, one after the other.
    pub sum: f64,
    /// The part that was rounded off.
    pub off: f64,
}

impl LongSum {
    /// Add a number.
    #[inline(always)]
    pub fn add(&mut self, term: f64) {
        let next = self.sum + term;
        let part = next - self.sum;
        self.off += (self.sum - (next - part)) + (term - part);
        self.sum = next;
    }

    /// Add another sum.
    pub fn join(&mut self, other: Self) {
        self.add(other.sum);
        self.off += other.off;
    }

    /// The sum as one number; infinite when it is too large for a double.
    pub fn total(self) -> f64 {
        // When the sum is infinite, the part that was rounded off is not a number.
        if self.off.is_finite() { self.sum + self.off } else { self.sum }
    }

    /// The sum divided by `count`, with one rounding at the end, so that the mean of equal numbers
    /// is exactly that number.
    pub fn over(self, count: f64) -> f64 {
        let share = self.total() / count;
        let left = (-share).mul_add(count, self.sum) + self.off;
        if left.is_finite() { share + left / count } else { share }
    }
}

#[cfg(test)]
mod tests {
    use super::LongSum;

    fn of(terms: impl IntoIterator<Item = f64>) -> LongSum {
        let mut sum = LongSum::default();
        terms.into_iter().for_each(|term| sum.add(term));
        sum
    }

    #[test]
    fn nothing_is_lost_beside_a_large_number() {
        let terms = || std::iter::once(1e16).chain(std::iter::repeat_n(1.0, 999));
        assert_eq!(of(terms()).total(), 1e16 + 1000.0 - 1.0 - 1.0);
        assert_eq!(of(terms()).sum, 1e16);
        let mut parts = of(terms().take(500));
        parts.join(of(terms().skip(500)));
        assert_eq!(parts.total(), of(terms()).total());
    }

    #[test]
    fn a_mean_of_equal_numbers_is_the_number() {
        for number in [0.1, 0.2, 0.45, 1.0 / 3.0, 1e-300, 1e300] {
            for count in (1..300).chain([100_003]) {
                let sum = of(std::iter::repeat_n(number, count));
                assert_eq!(sum.over(count as f64), number, "{count} times {number}");
            }
        }
        assert_ne!(of(std::iter::repeat_n(0.1, 100_003)).sum / 100_003.0, 0.1);
    }

    #[test]
    fn beyond_all_numbers_it_is_infinite() {
        let sum = of([f64::MAX, f64::MAX, 1.0]);
        assert_eq!((sum.total(), sum.over(3.0)), (f64::INFINITY, f64::INFINITY));
    }
}
