//! Supports: the values a statistic can take, Ω.
//!
//! Lower bound of n values: n · log₂ n comparisons to order them, and for each different one a
//! subtraction and a division; beyond [`MOST_VALUES`] two additions into cells instead. A sum
//! over a set is an exponential a value, or the series of `knots`.

use std::cmp::Ordering;

use super::knots::Knots;
use super::moments::{Moments, grid_moments, interval_moments, set_moments};
use crate::data::{Parts, wrong_part};
use crate::{Result, Run, SupportError};

/// Observed supports of more different values than this are gathered into as many cells.
pub const MOST_VALUES: usize = 4096;

/// The values a statistic can take, Ω.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Support {
    /// A finite set, each value standing for a number of neighbours gathered into it.
    Set(Values),
    /// An arithmetic progression of `count` values.
    Grid {
        /// The smallest value.
        start: f64,
        /// The distance from one value to the next.
        step: f64,
        /// The number of values.
        count: usize,
    },
    /// All numbers from `low` to `high`.
    Interval {
        /// The left end.
        low: f64,
        /// The right end.
        high: f64,
    },
    /// All numbers from `low` on.
    HalfLine {
        /// The left end.
        low: f64,
    },
}

/// A finite set of values in order, with its stretched copy in [0, 1].
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    low: f64,
    high: f64,
    /// (value − low) / (high − low), and how many values it stands for.
    pub(super) scaled: Vec<(f64, f64)>,
    /// How many different values there were.
    distinct: usize,
    pub(super) knots: Knots,
}

impl Values {
    /// The number of different values, before any were gathered into cells.
    pub fn distinct(&self) -> usize {
        self.distinct
    }
}

/// So many values are sorted in some hundredths of a second, without asking whether to go on.
const AT_ONCE: usize = 1 << 20;

fn by_value<T: Copy + Into<f64>>(a: &T, b: &T) -> Ordering {
    (*a).into().total_cmp(&(*b).into())
}

fn finite<T: Copy + Into<f64>>(
    values: impl IntoIterator<Item = T>,
) -> Result<Vec<T>, SupportError> {
    let values: Vec<T> = values.into_iter().collect();
    match values.iter().map(|&value| value.into()).find(|x: &f64| !x.is_finite()) {
        Some(value) => Err(SupportError::NotFinite { value }),
        None => Ok(values),
    }
}

/// Sort values, in parallel by halves, until the run is stopped.
fn sort<T: Copy + Into<f64> + Send>(values: &mut [T], run: &Run) -> crate::Result<()> {
    run.check(0, 0)?;
    if values.len() <= AT_ONCE {
        values.sort_unstable_by(by_value);
        return Ok(());
    }
    let (low, _, high) = values.select_nth_unstable_by(values.len() / 2, by_value);
    let (low, high) = rayon::join(|| sort(low, run), || sort(high, run));
    low.and(high)
}

impl Support {
    /// The different values among `values`, all of which must be finite.
    ///
    /// More than [`MOST_VALUES`] are gathered into that many cells of equal width, each a
    /// value (the mean of its members) that counts as often as it has members; the ends stay.
    ///
    /// Values in single precision are sorted in it.
    ///
    /// # Errors
    /// When there is no value, one is not finite, or they are too far apart for a double.
    pub fn of<T: Copy + Into<f64>>(
        values: impl IntoIterator<Item = T>,
    ) -> Result<Self, SupportError> {
        let mut values = finite(values)?;
        values.sort_unstable_by(by_value);
        Self::of_sorted(values)
    }

    /// [`Support::of`] of very many values, which takes a while: in parallel, as `run` says.
    ///
    /// # Errors
    /// Those of [`Support::of`]; the caller stopped the run.
    pub fn of_many<T: Copy + Into<f64> + Send>(
        values: impl IntoIterator<Item = T>,
        run: &Run,
    ) -> crate::Result<Self> {
        let mut values = finite(values)?;
        run.install(|| sort(&mut values, run))??;
        Ok(Self::of_sorted(values)?)
    }

    fn of_sorted<T: Copy + Into<f64>>(mut values: Vec<T>) -> Result<Self, SupportError> {
        values.dedup_by(|a, b| (*a).into() == (*b).into());
        let (Some(&low), Some(&high)) = (values.first(), values.last()) else {
            return Err(SupportError::Empty);
        };
        let (low, high): (f64, f64) = (low.into(), high.into());
        let distinct = values.len();
        let width = high - low;
        if !width.is_finite() {
            return Err(SupportError::TooWide { low, high });
        }
        if width == 0.0 {
            let (scaled, knots) = (vec![(0.0, 1.0)], Knots::default());
            return Ok(Self::Set(Values { low, high, scaled, distinct, knots }));
        }
        let all = values.iter().map(|&value| (value.into() - low) / width);
        let scaled: Vec<(f64, f64)> = if distinct <= MOST_VALUES {
            all.map(|v| (v, 1.0)).collect()
        } else {
            gather(all, distinct)
        };
        let knots = Knots::new(scaled.len());
        Ok(Self::Set(Values { low, high, scaled, distinct, knots }))
    }

    /// An arithmetic progression.
    ///
    /// # Errors
    /// When an argument is not finite, the step not above 0, or there is no value.
    pub fn grid(start: f64, step: f64, count: usize) -> Result<Self, SupportError> {
        if !(start.is_finite() && step.is_finite() && step > 0.0 && count > 0) {
            return Err(SupportError::Grid { start, step, count });
        }
        Ok(Self::Grid { start, step, count })
    }

    /// All numbers between two ends.
    ///
    /// # Errors
    /// When an end is not finite, or the left one not below the right one.
    pub fn interval(low: f64, high: f64) -> Result<Self, SupportError> {
        if !(low.is_finite() && high.is_finite() && low < high) {
            return Err(SupportError::Interval { low, high });
        }
        Ok(Self::Interval { low, high })
    }

    /// The support in words.
    pub fn describe(&self) -> String {
        let (low, high) = (self.low(), self.high());
        match self {
            Self::Set(values) if values.distinct > MOST_VALUES => {
                let gathered = values.scaled.len();
                format!("{} values from {low} to {high}, in {gathered} cells", values.distinct)
            }
            Self::Set(values) => format!("{} values from {low} to {high}", values.distinct),
            Self::Grid { step, count, .. } => {
                format!("{count} values from {low} to {high}, {step} apart")
            }
            Self::Interval { .. } => format!("all numbers from {low} to {high}"),
            Self::HalfLine { .. } => format!("all numbers from {low} on"),
        }
    }

    /// The support, taken apart.
    pub fn parts(&self) -> Parts {
        let kind = |word: &str| Parts::new().with_texts("kind", vec![word.into()]);
        match self {
            Self::Set(values) => kind("set")
                .with_numbers("ends", vec![values.low, values.high])
                .with_numbers("values", values.scaled.iter().map(|v| v.0).collect())
                .with_numbers("counts", values.scaled.iter().map(|v| v.1).collect())
                .with_numbers("distinct", vec![values.distinct as f64]),
            Self::Grid { start, step, count } => {
                kind("grid").with_numbers("ends", vec![*start, *step, *count as f64])
            }
            Self::Interval { low, high } => {
                kind("interval").with_numbers("ends", vec![*low, *high])
            }
            Self::HalfLine { low } => kind("half-line").with_numbers("ends", vec![*low]),
        }
    }

    /// The support these parts were taken from.
    ///
    /// # Errors
    /// When a part is missing, or makes no support.
    pub fn restore(parts: &Parts) -> Result<Self> {
        let kind = parts.texts("kind")?.concat();
        match (kind.as_str(), parts.numbers("ends")?) {
            ("set", &[low, high]) => {
                let values = parts.numbers("values")?;
                let counts = parts.exactly("counts", values.len())?;
                let scaled: Vec<(f64, f64)> =
                    values.iter().copied().zip(counts.iter().copied()).collect();
                if scaled.is_empty() {
                    return Err(wrong_part("values", "is empty"));
                }
                let distinct = parts.number("distinct")? as usize;
                let knots = if low == high { Knots::default() } else { Knots::new(scaled.len()) };
                Ok(Self::Set(Values { low, high, scaled, distinct, knots }))
            }
            ("grid", &[start, step, count]) => Ok(Self::grid(start, step, count as usize)?),
            ("interval", &[low, high]) => Ok(Self::interval(low, high)?),
            ("half-line", &[low]) => Ok(Self::HalfLine { low }),
            _ => Err(wrong_part("kind", "is no support this version knows")),
        }
    }

    /// The smallest value.
    pub fn low(&self) -> f64 {
        match self {
            Self::Set(values) => values.low,
            Self::Grid { start, .. } => *start,
            Self::Interval { low, .. } | Self::HalfLine { low } => *low,
        }
    }

    /// The largest value, infinite on the half-line.
    pub fn high(&self) -> f64 {
        match self {
            Self::Set(values) => values.high,
            Self::Grid { start, step, count } => start + step * (*count - 1) as f64,
            Self::Interval { high, .. } => *high,
            Self::HalfLine { .. } => f64::INFINITY,
        }
    }

    /// True when `value` lies between the ends.
    pub fn spans(&self, value: f64) -> bool {
        (self.low()..=self.high()).contains(&value)
    }

    /// The values from `from` on and below `to` of a finite support, with how many each stands
    /// for.
    pub(super) fn between(&self, from: f64, to: f64) -> Box<dyn Iterator<Item = (f64, f64)> + '_> {
        let inside = move |s: &(f64, f64)| s.0 >= from && s.0 < to;
        match self {
            Self::Set(values) => {
                let width = values.high - values.low;
                // The top value is stretched back to itself, whatever rounding says.
                let value =
                    move |v: f64| if v == 1.0 { values.high } else { values.low + v * width };
                Box::new(values.scaled.iter().map(move |&(v, n)| (value(v), n)).filter(inside))
            }
            Self::Grid { start, step, count } => {
                Box::new((0..*count).map(move |j| (start + step * j as f64, 1.0)).filter(inside))
            }
            Self::Interval { .. } | Self::HalfLine { .. } => Box::new(std::iter::empty()),
        }
    }

    /// Moments of the stretched support under tilt `theta`; `around` is a guess of the mean.
    pub(super) fn moments(&self, theta: f64, around: f64) -> Moments {
        match self {
            Self::Set(values) => match values.knots.sums(&values.scaled, theta) {
                Some([all, distance, squares]) => {
                    let distance = distance / all;
                    Moments::towards(theta, distance, squares / all - distance * distance)
                }
                None => set_moments(&values.scaled, theta, around),
            },
            Self::Grid { count, .. } => {
                let steps = (*count - 1) as f64;
                let (mean, variance) = grid_moments(theta.abs() / steps, *count as f64);
                Moments::towards(theta, mean / steps, variance / (steps * steps))
            }
            Self::Interval { .. } | Self::HalfLine { .. } => {
                let (mean, variance) = interval_moments(theta.abs());
                Moments::towards(theta, mean, variance)
            }
        }
    }

    /// log Σ exp(θ·(v − e)) over the stretched support, e its end on the side of the tilt.
    pub(super) fn log_sum(&self, theta: f64) -> f64 {
        let size = theta.abs();
        match self {
            Self::Set(values) => {
                if let Some([all, ..]) = values.knots.sums(&values.scaled, theta) {
                    return all.ln();
                }
                let end = if theta > 0.0 { 1.0 } else { 0.0 };
                let terms =
                    values.scaled.iter().map(|(v, count)| count * (theta * (v - end)).exp());
                terms.sum::<f64>().ln()
            }
            Self::Grid { count, .. } => {
                let (m, u) = (*count as f64, size / (*count - 1) as f64);
                if u == 0.0 { m.ln() } else { ((-m * u).exp_m1() / (-u).exp_m1()).ln() }
            }
            Self::Interval { low, high } => {
                let inside = if size == 0.0 { 1.0 } else { -(-size).exp_m1() / size };
                inside.ln() + (high - low).ln()
            }
            Self::HalfLine { .. } => 0.0,
        }
    }
}

/// Gather sorted values of [0, 1] into cells, the two ends on their own.
fn gather(values: impl Iterator<Item = f64>, distinct: usize) -> Vec<(f64, f64)> {
    let cells = MOST_VALUES - 2;
    let mut sums = vec![(0.0, 0.0); cells];
    for v in values.skip(1).take(distinct - 2) {
        let cell = &mut sums[((v * cells as f64) as usize).min(cells - 1)];
        *cell = (cell.0 + v, cell.1 + 1.0);
    }
    let filled = sums.into_iter().filter(|cell| cell.1 > 0.0).map(|(sum, n)| (sum / n, n));
    std::iter::once((0.0, 1.0)).chain(filled).chain([(1.0, 1.0)]).collect()
}
