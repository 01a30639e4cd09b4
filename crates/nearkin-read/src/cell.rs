//! One cell: is it a number, is it missing?

use crate::options::{MISSING_TOKENS, Options};

/// Powers of ten that `f64` holds exactly.
const EXACT: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// The cell without the blanks around it.
#[inline]
pub(crate) fn trimmed(cell: &[u8]) -> &[u8] {
    match cell {
        [first, .., last] if !first.is_ascii_whitespace() && !last.is_ascii_whitespace() => cell,
        _ => cell.trim_ascii(),
    }
}

/// The cell as a number, correctly rounded; infinite when it says so or is too large.
///
/// A number is an optional sign, digits with at most one point, and an optional exponent; or
/// `inf` or `infinity`. Short numbers are exact by one multiplication or division, the others
/// go through the standard library.
#[inline]
pub(crate) fn number(cell: &[u8]) -> Option<f64> {
    let (negative, digits) = match cell {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, cell),
    };
    let mut mantissa: u64 = 0;
    let mut seen = 0usize;
    let mut scale = 0usize;
    let mut point = false;
    for (at, &byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {
                mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                seen += 1;
                scale += usize::from(point);
            }
            b'.' if !point => point = true,
            b'e' | b'E' if seen > 0 => return with_exponent(cell, &digits[at + 1..]),
            _ => return infinity(negative, digits),
        }
    }
    if seen == 0 {
        return None;
    }
    if seen > 19 || mantissa > 1 << 53 || scale >= EXACT.len() {
        return standard(cell);
    }
    let value = mantissa as f64 / EXACT[scale];
    Some(if negative { -value } else { value })
}

#[cold]
fn infinity(negative: bool, digits: &[u8]) -> Option<f64> {
    let infinite = digits.eq_ignore_ascii_case(b"inf") || digits.eq_ignore_ascii_case(b"infinity");
    infinite.then_some(if negative { f64::NEG_INFINITY } else { f64::INFINITY })
}

fn with_exponent(cell: &[u8], exponent: &[u8]) -> Option<f64> {
    let digits = exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+")).unwrap_or(exponent);
    (!digits.is_empty() && digits.iter().all(u8::is_ascii_digit)).then(|| standard(cell))?
}

fn standard(cell: &[u8]) -> Option<f64> {
    std::str::from_utf8(cell).ok()?.parse().ok()
}

/// The marks of a missing cell: the usual ones and the caller's.
#[derive(Debug)]
pub(crate) struct Missing {
    usual: &'static [&'static str],
    extra: Vec<Vec<u8>>,
    numbers: Vec<f64>,
}

impl Missing {
    /// The marks that these options ask for.
    pub fn new(options: &Options) -> Self {
        let extra: Vec<Vec<u8>> =
            options.missing.iter().map(|token| token.trim().as_bytes().to_vec()).collect();
        let numbers = extra.iter().filter_map(|token| number(token)).collect();
        Self { usual: MISSING_TOKENS, extra, numbers }
    }

    /// The caller's alone, for a format that has a mark of its own.
    #[cfg(feature = "parquet")]
    pub fn of_the_caller(options: &Options) -> Self {
        Self { usual: &[], ..Self::new(options) }
    }

    /// True when this text marks a missing cell.
    pub fn text(&self, cell: &[u8]) -> bool {
        cell.is_empty()
            || self.usual.iter().any(|token| token.as_bytes() == cell)
            || self.extra.iter().any(|token| token == cell)
    }

    /// True when this number marks a missing cell, however it is spelt.
    #[inline]
    pub fn number(&self, value: f64) -> bool {
        !self.numbers.is_empty() && self.numbers.contains(&value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_no_numbers() {
        let words =
            ["", "-", ".", "+.", "e5", "1e", "1e+", "1.2.3", "nan", "0x10", "1_000", "1 2", "١"];
        for word in words {
            assert_eq!(number(word.as_bytes()), None, "{word}");
        }
    }

    #[test]
    fn infinities_are_seen_in_any_spelling() {
        for word in ["inf", "+Inf", "INFINITY", "1e999", "9".repeat(400).as_str()] {
            assert_eq!(number(word.as_bytes()), Some(f64::INFINITY), "{word}");
        }
        assert_eq!(number(b"-inf"), Some(f64::NEG_INFINITY));
    }

    #[test]
    fn the_callers_marks_count_by_text_and_by_number() {
        let options = Options { missing: vec!["-9".into(), "none".into()], ..Options::default() };
        let missing = Missing::new(&options);
        assert!(missing.text(b"none") && missing.text(b"") && missing.text(b"NA"));
        assert!(missing.number(-9.0) && !missing.number(9.0));
        assert!(!missing.text(b"na"));
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn the_callers_marks_may_be_the_only_ones() {
        let options = Options { missing: vec!["none".into()], ..Options::default() };
        let missing = Missing::of_the_caller(&options);
        assert!(missing.text(b"none") && missing.text(b"") && !missing.text(b"NA"));
    }

    proptest! {
        #[test]
        fn every_number_is_the_standard_librarys(text in "[-+]?[0-9]{0,21}\\.?[0-9]{0,24}([eE][-+]?[0-9]{1,3})?") {
            let ours = number(text.as_bytes());
            prop_assert_eq!(ours.map(f64::to_bits), text.parse::<f64>().ok().map(f64::to_bits));
        }

        #[test]
        fn printed_numbers_come_back(value in any::<f64>().prop_filter("finite", |v| v.is_finite())) {
            prop_assert_eq!(number(format!("{value:e}").as_bytes()), Some(value));
            prop_assert_eq!(number(format!("{value}").as_bytes()), Some(value));
        }
    }
}
