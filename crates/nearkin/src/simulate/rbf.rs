//! Random RBF: clouds around random centres.

use super::assemble::{begin, classes, finish, noise, relevant_numbers, sized};
use super::{Simulate, Simulated, about};
use crate::data::Column;
use crate::random::Random;
use crate::{Error, ParameterError, Result};

crate::parameters! {
    /// Clouds of points around random centres, each centre with a class, a weight and a width.
    ///
    /// A centre is uniform in the unit cube; its class, weight and deviation are random. A row
    /// picks a centre by weight, steps from it in a random direction by a normal length times
    /// the deviation, and takes its class. Irrelevant features are normal with mean and
    /// deviation uniform in [0, 1). Weka's own generator replays the stream that drew the
    /// centres for the rows; this one does not, so its tables are not Weka's.
    pub struct RandomRbf {
        /// Number of rows.
        rows: usize = 200, min 2;
        /// Number of relevant features.
        relevant: usize = 10, min 1;
        /// Number of irrelevant features.
        irrelevant: usize = 20;
        /// Number of classes.
        classes: usize = 2, min 2;
        /// Number of centres.
        centroids: usize = 50, min 2;
        /// Seed of every random choice.
        seed ("random_state"): u64 = 0;
    }
}

struct Centroid {
    centre: Vec<f64>,
    class: u32,
    weight: f64,
    deviation: f64,
}

impl Simulate for RandomRbf {
    about! {
        "random-rbf" is "Random RBF",
        "Clouds of points around random centres, each centre with its class.",
        "Weka 3.8, RandomRBF; Hall et al., SIGKDD Explorations 11(1), 2009"
    }

    fn generate(&self) -> Result<Simulated> {
        let mut random = begin(self, (self.rows, &[self.relevant, self.irrelevant]), self.seed)?;
        sized(self.centroids, &[self.relevant]).map_err(|_| {
            let (centroids, features) = (self.centroids, self.relevant);
            let reason = ParameterError::TooManyCentroids { centroids, features };
            Error::parameter("centroids", reason)
        })?;
        let centroids: Vec<Centroid> = (0..self.centroids)
            .map(|_| Centroid {
                centre: (0..self.relevant).map(|_| random.uniform()).collect(),
                class: random.below(self.classes) as u32,
                weight: random.uniform(),
                deviation: random.uniform(),
            })
            .collect();
        let (mut cells, mut codes) = (Vec::new(), Vec::new());
        for _ in 0..self.rows {
            let chosen = pick(&centroids, &mut random);
            cells.push(step(chosen, &mut random));
            codes.push(chosen.class);
        }
        let mut random = noise(self.seed);
        let irrelevant = (0..self.irrelevant).map(|j| {
            let (mean, deviation) = (random.uniform(), random.uniform());
            let numbers = (0..self.rows).map(|_| mean + deviation * random.normal()).collect();
            Column::numeric(format!("N{j}"), numbers)
        });
        let irrelevant = irrelevant.collect();
        finish(relevant_numbers(&cells, self.relevant), irrelevant, classes(codes)?, vec![])
    }
}

/// A centroid with probability proportional to its weight.
fn pick<'a>(centroids: &'a [Centroid], random: &mut Random) -> &'a Centroid {
    let mut left = random.uniform() * centroids.iter().map(|c| c.weight).sum::<f64>();
    for centroid in centroids {
        left -= centroid.weight;
        if left < 0.0 {
            return centroid;
        }
    }
    // Rounding may leave a crumb after the last one.
    &centroids[centroids.len() - 1]
}

/// A point at normal distance from the centre, in a direction drawn from the cube.
fn step(centroid: &Centroid, random: &mut Random) -> Vec<f64> {
    let offset: Vec<f64> = centroid.centre.iter().map(|_| 2.0 * random.uniform() - 1.0).collect();
    let length = offset.iter().map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    let scale = random.normal() * centroid.deviation / length;
    centroid.centre.iter().zip(offset).map(|(c, x)| c + scale * x).collect()
}
