//! The data of a classifier: rows of a table, or similarities and labels.

use std::path::PathBuf;

use clap::ArgMatches;
use nearkin::data::{Classes, SimilarityMatrix, Table, Target};
use nearkin::measure::pairwise::PairMeasure;

use super::method;
use crate::failure::{Result, refuse};
use crate::{input, matrices};

/// The data that a classifier is fitted on.
pub enum Data {
    /// Rows, their target and the measures that compare them.
    Table { table: Table<'static>, target: Target, measures: Vec<Box<dyn PairMeasure>> },
    /// Similarities, a matrix a measure, with the samples' classes and names.
    Matrices {
        views: Vec<SimilarityMatrix<'static>>,
        classes: Classes,
        names: Option<Vec<String>>,
        dissimilar: bool,
    },
}

impl Data {
    /// How many measures compare the samples.
    pub fn measures(&self) -> usize {
        match self {
            Self::Table { measures, .. } => measures.len(),
            Self::Matrices { views, .. } => views.len(),
        }
    }

    /// The target.
    pub fn target(&self) -> Target {
        match self {
            Self::Table { target, .. } => target.clone(),
            Self::Matrices { classes, .. } => Target::Classes(classes.clone()),
        }
    }
}

/// The data that the words name, what they call it and what the classes are called.
pub fn read(matches: &ArgMatches) -> Result<(Data, String, String)> {
    let table = matches.get_one::<PathBuf>("table").is_some();
    let given = matrices::all(matches)?;
    let Some(first) = given.first() else {
        if !table {
            return refuse!(
                "classify: name a table, or a matrix with --similarity or --dissimilarity and \
                 --labels; `nearkin classify --help` tells more"
            );
        }
        if matches.get_one::<PathBuf>("labels").is_some() {
            return refuse!(
                "--labels: these are for --similarity; name the column of a table with --target"
            );
        }
        let measures = method::measures(matches)?;
        let name = input::name(matches);
        let loaded = input::read(matches)?;
        let (target, target_name) = input::target(matches, &name, &loaded)?;
        let (target, target_name) = (target.clone(), target_name.to_owned());
        if let Target::Real(_) = target {
            return refuse!(
                "{name}: column `{target_name}` holds real numbers and `classify` tells classes \
                 apart; say --target-kind classes if its numbers are the names of classes, or name \
                 the column of the classes with --target"
            );
        }
        return Ok((Data::Table { table: loaded.table, target, measures }, name, target_name));
    };
    if table {
        return refuse!("--{}: there is a table too; name one of them", first.flag);
    }
    if matches.value_source("measure") == Some(clap::parser::ValueSource::CommandLine) {
        return refuse!("--measure: this compares rows of a table, and similarities are given");
    }
    let names: Vec<String> = given.iter().map(|one| one.name()).collect();
    let (name, dissimilar) = (names.join(" and "), first.dissimilar);
    for given in &given {
        given.check_square()?;
        given.check_alike(first)?;
    }
    let Some(classes) = matrices::labels(matches, first)? else {
        return refuse!(
            "--labels: {name} holds similarities alone; name a file with the class of each sample"
        );
    };
    let (mut views, mut names) = (Vec::new(), None);
    for given in given {
        let (s, own) = given.similarities()?;
        views.push(s);
        names = names.or(own);
    }
    Ok((Data::Matrices { views, classes, names, dissimilar }, name, "class".into()))
}
