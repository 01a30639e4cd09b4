//! The paper's methods as plans.

use nearkin::evaluate::pipeline::{Alike, Decide, Named, Pipeline, Use, Weights};
use nearkin::evaluate::{Plan, Subject};
use nearkin::measure::{Metric, Norm, Scaling};
use nearkin::neighbors::Rule;

use crate::settings::Settings;

/// Rows beyond which k is 1 and sRBS has no λ to choose: a partition there takes minutes.
const LARGE: usize = 10_000;

const K: [usize; 2] = [1, 3];

fn raw(similarity: Alike, rule: Rule) -> Pipeline {
    Pipeline {
        scaling: Scaling::None,
        weights: None,
        similarity,
        classifier: Decide::Rule { rule, k: 1 },
    }
}

/// Every method that the tables asked for need, on a set of `rows`.
pub fn all(settings: &Settings, rows: usize, notes: &mut Vec<String>, set: &str) -> Vec<Plan> {
    let large = rows > LARGE;
    let k: &[usize] = if large { &K[..1] } else { &K };
    let mut plans = Vec::new();
    if settings.wants(2) {
        let euclidean = raw(Alike::Metric(Metric::Euclidean), Rule::Knn);
        plans.push(Plan::new("kNN-Euclidean", euclidean).choosing("classifier.k", k));
    }
    for (rule, word) in [(Rule::Knn, "kNN"), (Rule::Sknn, "SkNN")] {
        let cosine = raw(Alike::Norm(Norm::Cosine), rule);
        plans.push(Plan::new(format!("{word}-cosine"), cosine).choosing("classifier.k", k));
        for psd in [false, true] {
            if !wanted(settings, rule, psd) {
                continue;
            }
            let ending = if psd { "-psd" } else { "" };
            let name =
                |method: &str| format!("{word}-A ({method}{})", if psd { "-PSD" } else { "" });
            let relief = Pipeline {
                weights: Some(Weights {
                    method: Named::new(format!("relief{ending}")),
                    using: Use::Factors,
                }),
                scaling: Scaling::MinMax,
                ..raw(Alike::Metric(Metric::Manhattan), rule)
            };
            plans.push(Plan::new(name("RELIEF"), relief).choosing("classifier.k", k));
            let rbs = raw(Alike::Learned(Named::new(format!("rbs{ending}"))), rule);
            let both = "similarity.k, classifier.k";
            plans.push(Plan::new(name("RBS"), rbs).choosing(both, k));
            let srbs = Named::new(format!("srbs{ending}")).with("epochs", 50);
            let srbs = Plan::new(name("sRBS"), raw(Alike::Learned(srbs), rule))
                .choosing("similarity.beta", &["0.1", "1", "10"]);
            plans.push(match large {
                true => srbs.choosing(both, k),
                false => srbs.choosing("similarity.lambda", &["0.1", "0.001"]).choosing(both, k),
            });
        }
    }
    if large {
        notes.push(format!("{set}: {rows} rows; one partition, k = 1, λ as it is by default"));
    }
    plans.push(Plan::constant("majority", Subject::Majority));
    plans.push(Plan::constant("all-rest", Subject::Rest));
    plans
}

/// True when a table that is asked for needs the rule's methods, in their PSD form or not.
fn wanted(settings: &Settings, rule: Rule, psd: bool) -> bool {
    let tables: &[usize] = match (rule, psd) {
        (Rule::Knn, false) => &[3, 5, 8],
        (Rule::Sknn, false) => &[4, 5, 8],
        (Rule::Knn, true) => &[6, 8],
        (Rule::Sknn, true) => &[7, 8],
    };
    tables.iter().any(|&table| settings.wants(table))
}
