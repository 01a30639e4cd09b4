//! News: the corpus of the paper is not at hand, so its protocol is run on an analogue.
//!
//! The paper has 4561 documents of 20 newsgroups as 200 dimensions of a singular value
//! decomposition of word counts, half to learn from and half to tell. Ours are drawn from
//! another edition of the same groups of which only the presence of words is known; documents
//! that the decomposition leaves at zero are dropped. Matrices are diagonal, and few epochs and
//! one k are tried: a symmetric matrix of 200 features has a hundred times as many weights to
//! learn.

use nearkin::data::{Classes, Column, Cut, Dense, Protocol, Table, Target};
use nearkin::evaluate::{Plan, Study, Subject};
use nearkin::measure::{Metric, Norm};
use nearkin::neighbors::Rule;
use nearkin::random::Random;
use nearkin_read::{Options, TargetKind};

use super::svd::TruncatedSvd;
use super::{Alike, K, plain, sila};
use crate::manifest;
use crate::measured::{Measured, measure};
use crate::settings::Settings;
use nearkin_cli::failure::{Failure, Result};

/// How large the analogue is: documents, dimensions, and epochs to choose from.
fn size(settings: &Settings) -> (usize, usize, &'static [usize]) {
    if settings.quick { (400, 50, &[1, 3]) } else { (4561, 200, &[1, 3, 10]) }
}

/// Neighbours of learned similarities.
const LEARNED_K: usize = 3;

/// The methods of table 1 on the analogue of News, if it is there.
pub fn run(settings: &Settings, notes: &mut Vec<String>) -> Result<Option<Measured>> {
    let (wanted, dimensions, epochs) = size(settings);
    let Some((table, classes)) = documents(settings, wanted, dimensions, notes)? else {
        notes.push("News: neither the corpus nor its analogue is at hand; left out".into());
        return Ok(None);
    };
    notes.push(format!(
        "News: an analogue, {} documents of another edition as {dimensions} dimensions; SiLA with a \
         diagonal matrix, k = {LEARNED_K}, epochs of {epochs:?}",
        table.rows()
    ));
    let mut study = Study::sila_2008(settings.seed, 1);
    study.protocol = Protocol { cut: Cut::HoldOut(0.5), ..study.protocol };
    let mut plans = Vec::new();
    for k in K {
        let euclidean = plain(Alike::Metric(Metric::Euclidean), Rule::Knn, k);
        plans.push(Plan::new(format!("kNN-euclidean, k = {k}"), euclidean));
        for (rule, word) in [(Rule::Knn, "kNN"), (Rule::Sknn, "SkNN")] {
            let cosine = plain(Alike::Norm(Norm::Cosine), rule, k);
            plans.push(Plan::new(format!("{word}-cos, k = {k}"), cosine));
        }
    }
    for (rule, word) in [(Rule::Knn, "kNN"), (Rule::Sknn, "SkNN")] {
        let learned = plain(sila("diagonal", LEARNED_K), rule, LEARNED_K);
        let plan = Plan::new(format!("{word}-A, k = {LEARNED_K}"), learned);
        plans.push(plan.choosing("similarity.epochs", epochs));
    }
    plans.push(Plan::constant("all-rest", Subject::Rest));
    measure("News", (&table, &classes), (&study, &plans), settings).map(Some)
}

/// Documents drawn from the analogue as dimensions of their words, and their groups.
fn documents(
    settings: &Settings,
    wanted: usize,
    dimensions: usize,
    notes: &mut Vec<String>,
) -> Result<Option<(Table<'static>, Classes)>> {
    let Some(path) = manifest::find(settings, "News words", notes)? else { return Ok(None) };
    let options = Options { target_kind: TargetKind::Classes, ..Options::default() };
    let loaded = nearkin_read::read_svmlight(&path, &options)?;
    let Target::Classes(groups) = loaded.target else { return Ok(None) };
    let all = loaded.rows.rows();
    let mut drawn = Random::new(settings.seed, 2008).sample(all, wanted.min(all));
    drawn.sort_unstable();
    let svd = TruncatedSvd { dimensions, seed: settings.seed, ..TruncatedSvd::default() };
    let reduced = svd
        .reduce(&loaded.rows.select_rows(&drawn), &settings.run())
        .map_err(|error| Failure::of_table("News", error))?;
    let told = |&row: &usize| reduced.row(row).iter().any(|v| *v != 0.0);
    let kept: Vec<usize> = (0..reduced.rows()).filter(told).collect();
    let rows: Vec<usize> = kept.iter().map(|&row| drawn[row]).collect();
    let Target::Classes(classes) = Target::Classes(groups).select(&rows) else { return Ok(None) };
    Ok(Some((table(&reduced.select_rows(&kept))?, classes)))
}

fn table(rows: &Dense) -> Result<Table<'static>> {
    let column = |at: usize| (0..rows.rows()).map(|row| rows.row(row)[at]).collect::<Vec<f64>>();
    let columns = rows.names().iter().enumerate();
    let columns = columns.map(|(at, name)| Column::numeric(name.clone(), column(at)));
    Ok(Table::new(columns.collect())?)
}
