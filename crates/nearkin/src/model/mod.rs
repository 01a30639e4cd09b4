//! Saved models: what was fitted, as bytes that last.
//!
//! A [`Model`] becomes the bytes of a safetensors file and comes back from them. Every number
//! lies in a tensor, names and settings in the header; nothing is run on the way back, and bytes
//! that are cut short, damaged, foreign or of a newer format are refused with the reason.
//! Whoever has the bytes puts them into a file.
//!
//! ```
//! use nearkin::data::{Dense, Target, bundled};
//! use nearkin::learn::{Learn, Rbs};
//! use nearkin::model::{Model, Origin, LabelledRows, SimilarityModel};
//! use nearkin::neighbors::Rule;
//!
//! let (table, target) = bundled::load("iris")?;
//! let learned = Rbs::default().fit(&table, &target)?;
//! let Target::Classes(classes) = target else { panic!("iris has classes") };
//! let model = Model::Similarity(SimilarityModel {
//!     origin: Origin::new("rbs", &Rbs::default(), "iris", "class"),
//!     learned,
//!     rule: Rule::Knn,
//!     k: 3,
//!     prototypes: Some(LabelledRows { rows: Dense::from_table(&table)?.into(), classes }),
//! });
//! let bytes = model.to_bytes()?;
//! assert_eq!(Model::from_bytes(&bytes)?, model);
//! assert!(Model::from_bytes(&bytes[..100]).unwrap_err().to_string().contains("cut short"));
//! # Ok::<(), nearkin::Error>(())
//! ```

mod classifier;
pub mod container;
mod measures;
mod naive_bayes;
mod origin;
mod parts;
mod similarity;
mod table;

use crate::measure::Similarity;
use crate::{ModelError, Result};

pub use classifier::{ClassifierModel, Ready, TrainingSamples};
pub use measures::SavedMeasure;
pub use naive_bayes::NaiveBayesModel;
pub use origin::Origin;
pub use parts::FORMAT;
pub use similarity::{LabelledRows, Neighbour, SimilarityModel};

use parts::{Reader, Writer};

/// What can be saved.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Model {
    /// A learned similarity.
    Similarity(SimilarityModel),
    /// A classifier over similarities.
    Classifier(ClassifierModel),
    /// Naive Bayes, which reads the columns themselves.
    NaiveBayes(NaiveBayesModel),
}

impl Model {
    /// How it came about.
    pub fn origin(&self) -> &Origin {
        match self {
            Self::Similarity(model) => &model.origin,
            Self::Classifier(model) => &model.origin,
            Self::NaiveBayes(model) => &model.origin,
        }
    }

    /// The columns it is about, and whether they are nominal.
    pub fn columns(&self) -> Vec<(String, bool)> {
        match self {
            Self::Similarity(model) => {
                model.columns().iter().map(|name| (name.clone(), false)).collect()
            }
            Self::Classifier(model) => model.columns(),
            Self::NaiveBayes(model) => model.columns.clone(),
        }
    }

    /// The bytes of its file.
    ///
    /// # Errors
    /// When it holds a norm of the caller's own, which is code.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut to = Writer::default();
        match self {
            Self::Similarity(model) => {
                let all = model.learned.models.iter();
                all.map(|one| &one.similarity).try_for_each(Similarity::check_savable)?;
                to.word("kind", "similarity");
                model.write(&mut to);
            }
            Self::Classifier(model) => {
                to.word("kind", "classifier");
                model.write(&mut to);
            }
            Self::NaiveBayes(model) => {
                to.word("kind", "naive-bayes");
                model.write(&mut to);
            }
        }
        Ok(to.finish())
    }

    /// The model in the bytes of a file.
    ///
    /// # Errors
    /// When the bytes are no model, cut short, damaged or of a newer format.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let from = Reader::new(bytes)?;
        match from.word("kind")? {
            "similarity" => Ok(Self::Similarity(SimilarityModel::read(&from)?)),
            "classifier" => Ok(Self::Classifier(ClassifierModel::read(&from)?)),
            "naive-bayes" => Ok(Self::NaiveBayes(NaiveBayesModel::read(&from)?)),
            other => Err(ModelError::UnknownKind { kind: other.to_owned() }.into()),
        }
    }
}
