//! Descriptive statistics of a sample's similarities.
//!
//! Each [`Statistic`] gives one number for every class (cross-deviations one for every pair), for
//! every matrix of similarities: several statistics, and several measures of similarity, stand
//! side by side as more columns of the same table.
//!
//! Lower bound for n samples: n² comparisons or additions for the nearest or the mean of all
//! classes, one operation a class for statistics of the centroid alone.

use super::centroid::{Centroid, Scope, centroids};
use super::common::Training;
use crate::data::{Parts, wrong_part};
use crate::{Result, choice};

choice! {
    /// A statistic of a sample, for each class h.
    #[non_exhaustive]
    pub enum Statistic {
        /// s(x, μ_h), the similarity to the centroid.
        Centroid = "centroid",
        /// The largest similarity to a sample of the class; a training sample leaves itself out.
        Nearest = "nearest",
        /// The mean similarity to the samples of the class; a training sample leaves itself out.
        Mean = "mean",
        /// (s(x, μ_h) − m_h)², m_h the mean of s(z, μ_h) over the samples z of class h.
        Deviation = "deviation",
        /// (s(x, μ_h) − m_g)² for every pair of classes g and h; the deviations are among them.
        CrossDeviation = "cross-deviation",
    }
}

/// One column: a statistic of one class, with what it needs from training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Measured {
    Centroid { class: usize, row: usize },
    Nearest { class: usize },
    Mean { class: usize },
    Deviation { class: usize, row: usize, usual: f64, of: usize },
}

impl Measured {
    /// The columns of these statistics of one matrix.
    pub fn columns(
        statistics: &[Statistic],
        training: Training,
        centroid: (Centroid, Scope),
    ) -> Vec<Self> {
        let by_class = training.by_class();
        let classes = 0..by_class.len();
        let needed = statistics.iter().any(|s| !matches!(s, Statistic::Nearest | Statistic::Mean));
        let centres = if needed { centroids(training, centroid.0, centroid.1) } else { vec![] };
        // How similar the samples of a class usually are to its centroid.
        let usual = |(class, &row): (&Vec<usize>, &usize)| {
            class.iter().map(|&z| training.s.at(z, row)).sum::<f64>() / class.len() as f64
        };
        let usual: Vec<f64> = by_class.iter().zip(&centres).map(usual).collect();
        let deviation = |class: usize, of: usize| Self::Deviation {
            class,
            row: centres[class],
            usual: usual[of],
            of,
        };
        let mut columns = Vec::new();
        for statistic in statistics {
            match statistic {
                Statistic::Centroid => {
                    let rows = centres.iter().enumerate();
                    columns.extend(rows.map(|(class, &row)| Self::Centroid { class, row }));
                }
                Statistic::Nearest => {
                    columns.extend(classes.clone().map(|class| Self::Nearest { class }));
                }
                Statistic::Mean => {
                    columns.extend(classes.clone().map(|class| Self::Mean { class }));
                }
                Statistic::Deviation => {
                    columns.extend(classes.clone().map(|class| deviation(class, class)));
                }
                Statistic::CrossDeviation => {
                    let pairs =
                        classes.clone().flat_map(|of| classes.clone().map(move |h| (h, of)));
                    columns.extend(pairs.map(|(class, of)| deviation(class, of)));
                }
            }
        }
        // A statistic asked for twice, as deviations are among cross-deviations, counts once.
        let mut once: Vec<Self> = Vec::with_capacity(columns.len());
        for column in columns {
            if !once.contains(&column) {
                once.push(column);
            }
        }
        once
    }

    /// True for similarities themselves, whose values are those of the matrix.
    pub fn is_similarity(self) -> bool {
        matches!(self, Self::Centroid { .. } | Self::Nearest { .. })
    }

    /// Its class and the row of its centroid, if it is a similarity to a centroid.
    pub fn centroid(self) -> Option<(usize, usize)> {
        match self {
            Self::Centroid { class, row } | Self::Deviation { class, row, .. } => {
                Some((class, row))
            }
            _ => None,
        }
    }

    /// Its name, from those of the classes.
    pub fn name(self, names: &[String]) -> String {
        let name = |class: usize| names.get(class).map_or("", String::as_str);
        match self {
            Self::Centroid { class, .. } => {
                format!("similarity to the centroid of {}", name(class))
            }
            Self::Nearest { class } => format!("similarity to the nearest of {}", name(class)),
            Self::Mean { class } => format!("mean similarity to {}", name(class)),
            Self::Deviation { class, of, .. } if of == class => {
                format!("squared deviation of the similarity to the centroid of {}", name(class))
            }
            Self::Deviation { class, of, .. } => format!(
                "squared deviation of the similarity to the centroid of {} from what is usual in {}",
                name(class),
                name(of)
            ),
        }
    }

    /// The statistic of similarities `s`; `own` is the training sample they belong to.
    ///
    /// `None` where no sample is left to compare with.
    pub fn of(self, s: &[f64], by_class: &[Vec<usize>], own: Option<usize>) -> Option<f64> {
        let others = |class: usize| by_class[class].iter().filter(move |&&z| Some(z) != own);
        match self {
            Self::Centroid { row, .. } => Some(s[row]),
            Self::Deviation { row, usual, .. } => Some((s[row] - usual).powi(2)),
            Self::Nearest { class } => others(class).map(|&z| s[z]).reduce(f64::max),
            Self::Mean { class } => {
                let (mut sum, mut n) = (0.0, 0.0);
                for &z in others(class) {
                    (sum, n) = (sum + s[z], n + 1.0);
                }
                (n > 0.0).then(|| sum / n)
            }
        }
    }

    pub fn parts(columns: &[Self]) -> Parts {
        let kind = |column: &Self| match column {
            Self::Centroid { .. } => 0,
            Self::Nearest { .. } => 1,
            Self::Mean { .. } => 2,
            Self::Deviation { .. } => 3,
        };
        let rest = |column: &Self| match *column {
            Self::Centroid { class, row } => [class, row, 0],
            Self::Nearest { class } | Self::Mean { class } => [class, 0, 0],
            Self::Deviation { class, row, of, .. } => [class, row, of],
        };
        let usual = |column: &Self| match column {
            Self::Deviation { usual, .. } => *usual,
            _ => 0.0,
        };
        Parts::new()
            .with_codes("kinds", columns.iter().map(kind).collect())
            .with_codes("rows", columns.iter().flat_map(rest).map(|i| i as u32).collect())
            .with_numbers("usual", columns.iter().map(usual).collect())
    }

    pub fn restore(parts: &Parts, classes: usize, rows: usize) -> Result<Vec<Self>> {
        let (kinds, at) = (parts.codes("kinds")?, parts.codes("rows")?);
        let usual = parts.exactly("usual", kinds.len())?;
        if at.len() != 3 * kinds.len() {
            return Err(wrong_part("rows", "does not fit the statistics"));
        }
        let columns =
            kinds.iter().zip(at.chunks_exact(3)).zip(usual).map(|((kind, at), &usual)| {
                let (class, row, of) = (at[0] as usize, at[1] as usize, at[2] as usize);
                if class >= classes || row >= rows || of >= classes {
                    return Err(wrong_part("rows", "points beyond the training samples"));
                }
                match kind {
                    0 => Ok(Self::Centroid { class, row }),
                    1 => Ok(Self::Nearest { class }),
                    2 => Ok(Self::Mean { class }),
                    3 => Ok(Self::Deviation { class, row, usual, of }),
                    _ => Err(wrong_part("kinds", "names a statistic this version does not know")),
                }
            });
        columns.collect()
    }
}
