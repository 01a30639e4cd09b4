//! Every random choice of nearkin: ChaCha streams derived from (seed, stream).
//!
//! A stream is named by a number (of a replicate, a round, a pass), never by a thread or the
//! time, so a run gives the same numbers on any machine. Streams of one purpose differ from
//! each other; two purposes under one seed may share a stream.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A seeded source of random numbers.
#[derive(Debug, Clone)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// Stream `stream` of `seed`; different streams are independent.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut source = ChaCha8Rng::seed_from_u64(seed);
        source.set_stream(stream);
        Self(source)
    }

    /// A whole random word.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in [0, 1), 53 random bits.
    pub fn uniform(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in 0..n without bias; n must be positive.
    pub fn below(&mut self, n: usize) -> usize {
        let n = n.max(1) as u64;
        // Lemire's multiply-shift: reject the few words that would favour small values.
        let threshold = n.wrapping_neg() % n;
        loop {
            let wide = u128::from(self.word()) * u128::from(n);
            if wide as u64 >= threshold {
                return (wide >> 64) as usize;
            }
        }
    }

    /// Standard normal, by the polar method.
    pub fn normal(&mut self) -> f64 {
        loop {
            let (u, v) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let s = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                return u * (-2.0 * s.ln() / s).sqrt();
            }
        }
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.uniform() < p
    }

    /// Shuffle in place (Fisher–Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// `m` of `0..n` without replacement, in random order.
    pub fn sample(&mut self, n: usize, m: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..n).collect();
        for i in 0..m.min(n) {
            all.swap(i, i + self.below(n - i));
        }
        all.truncate(m);
        all
    }
}
