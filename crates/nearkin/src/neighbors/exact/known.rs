//! Sums over neighbours where cells are missing or differences ramp: over the known cells alone.
//!
//! As in [`difference`](crate::neighbors::exact::difference) a run of features stays in registers
//! while all neighbours pass by; each lane tests whether its cell is missing, so that a missing
//! cell costs as much as a known one.
//!
//! Lower bound: k · p times a difference and four sums, for k neighbours and p features.

use crate::data::MISSING;
use crate::measure::Ramp;
use crate::neighbors::kernel::for_each_isa;

/// Features whose sums stay in registers.
const RUN: usize = 16;

/// Sums over the neighbours of a target, feature by feature.
#[derive(Debug)]
pub struct Known<'a> {
    /// Σ_j ω_j diff over the neighbours that have the feature, if the target has it.
    pub first: &'a mut [f64],
    /// Σ_j ω_j diff² over the same.
    pub second: &'a mut [f64],
    /// Σ_j ω_j over the same.
    pub used: &'a mut [f64],
    /// Σ_j ω_j over the others.
    pub gone: &'a mut [f64],
}

/// The differences of runs of cells.
///
/// No closure: the compiler might leave it outside of a loop's instruction set.
trait Difference<T> {
    /// Differences in the columns from `from` on; anything where a cell is not known.
    fn of(&self, x: &[T; RUN], z: &[T; RUN], from: usize) -> [f64; RUN];
    fn is_known(&self, x: T, z: T) -> bool;
}

/// Numbers under a scale for each column, and of nothing up to a whole run.
struct Scaled(Vec<f64>);

/// Numbers under a scale for each column and a ramp.
struct Ramped(Scaled, Ramp);

/// Codes: the same or not.
struct Same;

impl Scaled {
    fn new(scale: &[f64]) -> Self {
        let mut scale = scale.to_vec();
        scale.resize(scale.len().next_multiple_of(RUN), 0.0);
        Self(scale)
    }
}

impl<T: Copy + Into<f64>> Difference<T> for Scaled {
    #[inline(always)]
    fn of(&self, x: &[T; RUN], z: &[T; RUN], from: usize) -> [f64; RUN] {
        let scale = &self.0[from..from + RUN];
        let mut out = [0.0; RUN];
        for f in 0..RUN {
            out[f] = (x[f].into() - z[f].into()).abs() * scale[f];
        }
        out
    }

    #[inline(always)]
    fn is_known(&self, x: T, z: T) -> bool {
        !(x.into() - z.into()).is_nan()
    }
}

impl<T: Copy + Into<f64>> Difference<T> for Ramped {
    #[inline(always)]
    fn of(&self, x: &[T; RUN], z: &[T; RUN], from: usize) -> [f64; RUN] {
        let mut out = self.0.of(x, z, from);
        for diff in &mut out {
            *diff = self.1.of(*diff);
        }
        out
    }

    #[inline(always)]
    fn is_known(&self, x: T, z: T) -> bool {
        self.0.is_known(x, z)
    }
}

impl Difference<u16> for Same {
    #[inline(always)]
    fn of(&self, x: &[u16; RUN], z: &[u16; RUN], _: usize) -> [f64; RUN] {
        let mut out = [0.0; RUN];
        for f in 0..RUN {
            out[f] = f64::from(u8::from(x[f] != z[f]));
        }
        out
    }

    #[inline(always)]
    fn is_known(&self, x: u16, z: u16) -> bool {
        x != MISSING && z != MISSING
    }
}

/// [`Known`] of the numbers of `row`, for row-major `cells` with a scale for each column.
pub fn known_numbers<T: Copy + Default + Into<f64>>(
    cells: &[T],
    (scale, ramp): (&[f64], Option<Ramp>),
    row: usize,
    neighbours: &[(u32, f64)],
    out: Known,
) {
    match ramp {
        None => known(cells, scale.len(), row, neighbours, &Scaled::new(scale), out),
        Some(ramp) => {
            let ramped = Ramped(Scaled::new(scale), ramp);
            known(cells, scale.len(), row, neighbours, &ramped, out);
        }
    }
}

/// [`Known`] of the codes of `row`, for row-major `codes` of `width` columns.
pub fn known_codes(codes: &[u16], width: usize, row: usize, neighbours: &[(u32, f64)], out: Known) {
    known(codes, width, row, neighbours, &Same, out);
}

for_each_isa! {
    fn known[T: Copy + Default, D: Difference<T>](
        cells: &[T],
        width: usize,
        row: usize,
        neighbours: &[(u32, f64)],
        difference: &D,
        out: Known,
    ) {
        let Known { first, second, used, gone } = out;
        for from in (0..width).step_by(RUN) {
            let len = RUN.min(width - from);
            let x = padded(&cells[row * width + from..], len);
            let mut sums = [[0.0; RUN]; 4];
            if len == RUN {
                for &(other, weight) in neighbours {
                    let z = padded(&cells[other as usize * width + from..], RUN);
                    sums = added(difference, (&x, &z, from), weight, sums);
                }
            } else {
                for &(other, weight) in neighbours {
                    let z = padded(&cells[other as usize * width + from..], len);
                    sums = added(difference, (&x, &z, from), weight, sums);
                }
            }
            for (out, sums) in [&mut *first, second, used, gone].into_iter().zip(&sums) {
                out[from..from + len].copy_from_slice(&sums[..len]);
            }
        }
    }
}

/// The first `len` cells, and none after them.
#[inline(always)]
fn padded<T: Copy + Default>(cells: &[T], len: usize) -> [T; RUN] {
    if len == RUN
        && let Some(run) = cells.first_chunk()
    {
        return *run;
    }
    let mut run = [T::default(); RUN];
    run[..len].copy_from_slice(&cells[..len]);
    run
}

/// The four sums with a run of pairs of cells added, of the columns from `from` on.
#[inline(always)]
fn added<T: Copy, D: Difference<T>>(
    difference: &D,
    (x, z, from): (&[T; RUN], &[T; RUN], usize),
    weight: f64,
    [mut first, mut second, mut used, mut gone]: [[f64; RUN]; 4],
) -> [[f64; RUN]; 4] {
    let diffs = difference.of(x, z, from);
    for f in 0..RUN {
        // Bits that are kept or not, for the compiler would jump over numbers.
        let keep = u64::from(difference.is_known(x[f], z[f])).wrapping_neg();
        let kept = |number: f64, keep: u64| f64::from_bits(number.to_bits() & keep);
        let diff = kept(diffs[f], keep);
        first[f] += weight * diff;
        second[f] += weight * diff * diff;
        used[f] += kept(weight, keep);
        gone[f] += kept(weight, !keep);
    }
    [first, second, used, gone]
}
