//! Perturbed centroids: bits around one or more random centroids a class, some of them flipped.

use super::assemble::{classes, finish, irrelevant_digits, relevant_digits, sized};
use super::{Simulate, Simulated, about};
use crate::parameter::Parameters;
use crate::random::Random;
use crate::{Note, Result};

crate::parameters! {
    /// Two classes of rows of bits. A class has random centroids; a row picks one of them and
    /// flips each bit with a probability of its class.
    pub struct PerturbedCentroids {
        /// Number of rows.
        rows: usize = 100, min 2;
        /// Number of bits.
        bits: usize = 25, min 1;
        /// Number of irrelevant bits.
        irrelevant: usize = 0;
        /// Number of centroids of each class.
        centroids: usize = 1, min 1;
        /// Probability that a bit of class 0 is flipped.
        flip_0: f64 = 0.3333333333333333, in 0.0..=1.0;
        /// Probability that a bit of class 1 is flipped.
        flip_1: f64 = 0.25, in 0.0..=1.0;
        /// Probability that later centroids copy a bit from the first one of their class; other
        /// bits are 0 or 1 with probability 1/2. Above 0, centroids of the same class are more
        /// alike than centroids of different classes.
        alike: f64 = 0.0, in 0.0..=1.0;
        /// Probability of class 0.
        share_0: f64 = 0.5, in 0.0..=1.0;
        /// Which rows are drawn. Another number gives other rows around the same centroids.
        sample: u64 = 0;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

impl PerturbedCentroids {
    /// The centroids of both classes, which depend on the seed and not on the sample.
    pub fn centres(&self) -> [Vec<Vec<u16>>; 2] {
        let mut random = Random::new(self.seed, 0);
        [0, 1].map(|_| {
            let mut own: Vec<Vec<u16>> = Vec::with_capacity(self.centroids);
            for _ in 0..self.centroids {
                let bits = (0..self.bits).map(|bit| {
                    let fresh = random.below(2) as u16;
                    // Drawn in any case, so that `alike` changes nothing else.
                    let kept = random.chance(self.alike);
                    own.first().filter(|_| kept).map_or(fresh, |first| first[bit])
                });
                let bits = bits.collect();
                own.push(bits);
            }
            own
        })
    }

    /// log p(row | class), the truth the rows are drawn from.
    pub fn log_density(&self, centres: &[Vec<Vec<u16>>; 2], class: usize, row: &[u16]) -> f64 {
        let flip = [self.flip_0, self.flip_1][class];
        let density: f64 = centres[class]
            .iter()
            .map(|centre| {
                let flipped = centre.iter().zip(row).filter(|(a, b)| a != b).count() as i32;
                let kept = row.len() as i32 - flipped;
                flip.powi(flipped) * (1.0 - flip).powi(kept) / centres[class].len() as f64
            })
            .sum();
        density.ln()
    }
}

impl Simulate for PerturbedCentroids {
    about! {
        "perturbed-centroids" is "Perturbed centroids",
        "Two classes of bits around random centroids, bits flipped at random.",
        "Cazzanti, Similarity discriminant analysis, 2009, section 5.1"
    }

    fn generate(&self) -> Result<Simulated> {
        self.check()?;
        sized(self.rows, &[self.bits, self.irrelevant])?;
        let centres = self.centres();
        // Stream 0 draws the centroids.
        let mut random = Random::new(self.seed, self.sample.wrapping_add(1));
        let (mut cells, mut codes) = (Vec::with_capacity(self.rows), Vec::new());
        for _ in 0..self.rows {
            let class = usize::from(!random.chance(self.share_0));
            let centre = &centres[class][random.below(self.centroids)];
            let flip = [self.flip_0, self.flip_1][class];
            let flipped = centre.iter().map(|&bit| bit ^ u16::from(random.chance(flip)));
            cells.push(flipped.collect::<Vec<u16>>());
            codes.push(class as u32);
        }
        let notes = centres.iter().enumerate().flat_map(|(class, own)| {
            own.iter().map(move |bits| Note::Centroid { class, bits: bits.clone() })
        });
        // A stream away from those of centroids and rows, and another one for each sample.
        let noise = self.seed ^ self.sample.wrapping_add(1).rotate_left(40);
        finish(
            relevant_digits(&cells, self.bits, 2)?,
            irrelevant_digits(self.rows, self.irrelevant, 2, noise)?,
            classes(codes)?,
            notes.collect(),
        )
    }
}
