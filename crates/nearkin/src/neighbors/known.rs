//! Sums over neighbours of what is known: where cells are missing, or differences ramp.
//!
//! As in [`difference`](super::difference) a run of features stays in registers while all neighbours
//! pass by; a missing cell is told from a known one lane by lane, so that it costs no more than one.
//!
//! Floor: k · p times a difference, its size, its scale, two tests, a product and an addition for the
//! sums, one more of each for the squares, and an addition for each of the two weights; eight to an
//! instruction in double precision. The 8 · k · p bytes of numbers, or 2 · k · p of codes, lie apart.

use super::kernel::for_each_isa;
use crate::data::MISSING;
use crate::measure::Ramp;

/// Features whose sums stay in registers.
const RUN: usize = 16;

/// What neighbours say of a run of features, feature by feature.
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

/// The difference of two cells of a column.
///
/// No closure: the compiler might leave it outside of a loop's instruction set.
pub(super) trait Difference<T> {
    /// The difference, whatever it is where `is_known` denies it.
    fn of(&self, x: T, z: T, column: usize) -> f64;
    fn is_known(&self, x: T, z: T) -> bool;
}

/// Numbers under a scale for each column.
struct Scaled<'a>(&'a [f64]);

/// Numbers under a scale for each column and a ramp.
struct Ramped<'a>(&'a [f64], Ramp);

/// Codes: the same or not.
struct Same;

impl<T: Copy + Into<f64>> Difference<T> for Scaled<'_> {
    #[inline(always)]
    fn of(&self, x: T, z: T, column: usize) -> f64 {
        (x.into() - z.into()).abs() * self.0[column]
    }

    #[inline(always)]
    fn is_known(&self, x: T, z: T) -> bool {
        !(x.into() - z.into()).is_nan()
    }
}

impl<T: Copy + Into<f64>> Difference<T> for Ramped<'_> {
    #[inline(always)]
    fn of(&self, x: T, z: T, column: usize) -> f64 {
        self.1.of((x.into() - z.into()).abs() * self.0[column])
    }

    #[inline(always)]
    fn is_known(&self, x: T, z: T) -> bool {
        !(x.into() - z.into()).is_nan()
    }
}

impl Difference<u16> for Same {
    #[inline(always)]
    fn of(&self, x: u16, z: u16, _: usize) -> f64 {
        f64::from(u8::from(x != z))
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
        None => known(cells, scale.len(), row, neighbours, &Scaled(scale), out),
        Some(ramp) => known(cells, scale.len(), row, neighbours, &Ramped(scale, ramp), out),
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
            let mut sums = [[0.0; RUN]; 4];
            let mut x = [T::default(); RUN];
            x[..len].copy_from_slice(&cells[row * width + from..][..len]);
            for &(other, weight) in neighbours {
                let z = &cells[other as usize * width + from..];
                match z.first_chunk::<RUN>() {
                    Some(z) if len == RUN => {
                        for f in 0..RUN {
                            add(difference, (x[f], z[f], from + f), weight, &mut sums, f);
                        }
                    }
                    _ => {
                        for f in 0..len {
                            add(difference, (x[f], z[f], from + f), weight, &mut sums, f);
                        }
                    }
                }
            }
            for (out, sums) in [&mut *first, second, used, gone].into_iter().zip(&sums) {
                out[from..from + len].copy_from_slice(&sums[..len]);
            }
        }
    }
}

/// Add a pair of cells to the four sums of feature `f` of a run.
#[inline(always)]
fn add<T: Copy, D: Difference<T>>(
    difference: &D,
    (x, z, column): (T, T, usize),
    weight: f64,
    sums: &mut [[f64; RUN]; 4],
    f: usize,
) {
    let known = difference.is_known(x, z);
    let diff = if known { difference.of(x, z, column) } else { 0.0 };
    sums[0][f] += weight * diff;
    sums[1][f] += weight * diff * diff;
    sums[2][f] += if known { weight } else { 0.0 };
    sums[3][f] += if known { 0.0 } else { weight };
}
