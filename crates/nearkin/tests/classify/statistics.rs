//! Statistics, their laws and what a fitted model tells of itself.

use super::common::*;
use nearkin::classify::*;
use nearkin::data::SimilarityMatrix;

#[test]
fn other_statistics_meet_their_means_too() {
    let (s, classes, queries) = toy();
    for (statistic, count) in [
        (Statistic::Centroid, 9),
        (Statistic::Nearest, 9),
        (Statistic::Mean, 9),
        (Statistic::Deviation, 9),
        (Statistic::CrossDeviation, 27),
    ] {
        let sda = Sda { statistics: vec![statistic], laws: clamped(), ..Sda::default() };
        let fitted = sda.fit(&s, &classes).unwrap();
        let laws = fitted.insight().laws;
        assert_eq!(laws.len(), count);
        assert!(laws.iter().all(|law| law.law.lambda().is_finite() && law.weight == 1.0));
        let said = fitted.predict(&queries).unwrap();
        assert_eq!(said.class[1], 1, "{statistic:?}");
    }
    // The statistic by hand: the mean similarity of class 0 to class 1.
    let statistics = vec![Statistic::Mean];
    let sda = Sda { statistics, laws: clamped(), ..Sda::default() };
    let by_hand: f64 =
        (0..4).flat_map(|i| (4..9).map(move |j| (i, j))).map(|(i, j)| s.at(i, j)).sum();
    let law = sda.fit(&s, &classes).unwrap().insight().laws[1];
    assert_eq!((law.class, law.statistic), (0, 1));
    assert!((law.mean - by_hand / 20.0).abs() < 1e-12);
}

/// (20) with four statistics is the product of the four one by one, over the priors to the third.
#[test]
fn several_statistics_multiply_their_laws() {
    let (s, classes, queries) = toy();
    let all = [Statistic::Centroid, Statistic::Nearest, Statistic::Mean, Statistic::CrossDeviation];
    let scores = |statistics: &[Statistic]| {
        let sda = Sda { statistics: statistics.to_vec(), laws: clamped(), ..Sda::default() };
        sda.fit(&s, &classes).unwrap().predict(&queries).unwrap().scores
    };
    let mut sums = vec![0.0; 15];
    for statistic in all {
        let part = scores(&[statistic]);
        sums.iter_mut().zip(part).for_each(|(sum, score)| *sum += score);
    }
    for (at, sum) in sums.iter_mut().enumerate() {
        *sum -= 3.0 * classes.priors()[at % 3].ln();
    }
    near(&scores(&all), &sums);
    // What is asked for twice counts once; deviations are among the cross-deviations.
    let cross = scores(&[Statistic::CrossDeviation]);
    assert_eq!(scores(&[Statistic::CrossDeviation, Statistic::Deviation]), cross);
    assert_eq!(scores(&[Statistic::Mean, Statistic::Mean]), scores(&[Statistic::Mean]));
    let nearest = NnSda { laws: clamped(), ..NnSda::default() }.fit(&s, &classes).unwrap();
    near(&nearest.predict(&queries).unwrap().scores, &scores(&[Statistic::Nearest]));
    let mut sda = classifier("sda").unwrap();
    set(sda.as_mut(), "statistics", "centroid, mean").unwrap();
    let refused = set(sda.as_mut(), "statistics", "centroid,median").unwrap_err().to_string();
    assert!(refused.contains("expected one of centroid, nearest"), "{refused}");
}

#[test]
fn several_measures_are_several_statistics() {
    let (s, classes, queries) = toy();
    let moved = |s: &SimilarityMatrix, power: i32| {
        let values: Vec<f64> = s.values().iter().map(|s| s.powi(power)).collect();
        SimilarityMatrix::new(s.rows(), s.columns(), values).unwrap()
    };
    let run = nearkin::Run::on(1);
    let sda = Sda { laws: clamped(), ..Sda::default() };
    let views = [s.to_owned(), moved(&s, 2)];
    let asked = [queries.to_owned(), moved(&queries, 2)];
    let fitted = sda.fit_several(&views, &classes, &run).unwrap();
    let both = fitted.predict_from(Queries::Similarities(&asked), &run).unwrap();
    let one = |s: &SimilarityMatrix, q: &SimilarityMatrix| {
        sda.fit(s, &classes).unwrap().predict(q).unwrap().scores
    };
    let (first, second) = (one(&views[0], &asked[0]), one(&views[1], &asked[1]));
    let meant: Vec<f64> =
        (0..15).map(|at| first[at] + second[at] - classes.priors()[at % 3].ln()).collect();
    near(&both.scores, &meant);
    assert_eq!(fitted.law_tables().len(), 6);
    assert!(fitted.law_tables()[3].statistic.starts_with("measure 1: similarity"));
    let refused = fitted.predict(&queries).unwrap_err().to_string();
    assert!(refused.contains("fitted on 2 similarity matrices and is asked with 1"), "{refused}");
    let refused = Knn::default().fit_several(&views, &classes, &run).unwrap_err().to_string();
    assert!(refused.contains("knn takes one similarity matrix, 2 were given"), "{refused}");
    let back = sda.restore(&fitted.parts()).unwrap();
    assert_eq!(back.predict_from(Queries::Similarities(&asked), &run).unwrap(), both);
}

#[test]
fn laws_are_shown_against_what_was_observed() {
    let (s, classes, _) = toy();
    let tables = |sda: Sda| sda.fit(&s, &classes).unwrap().law_tables();
    for sda in [
        Sda { laws: clamped(), ..Sda::default() },
        Sda {
            laws: Laws {
                support: Omega::Interval,
                support_values: Some(vec![-5.0, 15.0]),
                ..clamped()
            },
            ..Sda::default()
        },
    ] {
        let found = tables(sda);
        assert_eq!(found.len(), 3);
        assert_eq!(found[1].statistic, "similarity to the centroid of 1");
        for table in found {
            let whole = |rows: &[Vec<f64>]| -> Vec<f64> {
                rows.iter().map(|row| row.iter().sum()).collect()
            };
            near(&whole(&table.observed), &[4.0, 5.0, 3.0]);
            near(&whole(&table.fitted), &[4.0, 5.0, 3.0]);
            assert_eq!(table.edges.len(), table.observed[0].len() + 1);
        }
    }
}

#[test]
fn costs_can_change_after_predicting() {
    let (s, classes, queries) = toy();
    let costs = vec![0.0, 1.0, 9.0, 1.0, 0.0, 9.0, 1.0, 1.0, 0.0];
    let before = Sda::default().fit(&s, &classes).unwrap().predict(&queries).unwrap();
    let laws = Laws { costs: Some(costs.clone()), ..Laws::default() };
    let fitted = Sda { laws, ..Sda::default() }.fit(&s, &classes).unwrap();
    let meant = fitted.predict(&queries).unwrap();
    assert_ne!(before.class, meant.class);
    assert_eq!(before.with_costs(&costs).unwrap(), meant);
    assert!(before.with_costs(&[0.0, 1.0]).unwrap_err().to_string().contains("3 × 3"));
    let plain = NearestCentroid::default().fit(&s, &classes).unwrap().predict(&queries).unwrap();
    assert!(plain.with_costs(&costs).unwrap_err().to_string().contains("no probabilities"));
}

#[test]
fn a_query_is_as_strange_as_its_likeliest_class_finds_it() {
    let (s, classes, queries) = toy();
    let fitted = Sda::default().fit(&s, &classes).unwrap();
    let said = fitted.predict(&queries).unwrap();
    let (anomaly, evidence) = (said.anomaly().unwrap(), said.log_evidence().unwrap());
    for row in 0..5 {
        let joint = said.scores_of(row);
        let likelihoods = joint.iter().zip(classes.priors()).map(|(score, p)| score - p.ln());
        near(&[anomaly[row]], &[-likelihoods.fold(f64::NEG_INFINITY, f64::max)]);
        near(&[evidence[row].exp()], &[joint.iter().map(|log| log.exp()).sum()]);
    }
    let plain = NearestCentroid::default().fit(&s, &classes).unwrap().predict(&queries).unwrap();
    assert!(plain.anomaly().is_none() && plain.log_evidence().is_none());
}

#[test]
fn calibration_is_counted_as_by_hand() {
    let said = Predictions {
        names: ["a", "b"].map(String::from).to_vec(),
        class: vec![0, 0, 1, 1],
        scores: vec![0.0; 8],
        log_posteriors: Some([0.9, 0.1, 0.8, 0.2, 0.3, 0.7, 0.4, 0.6].map(f64::ln).to_vec()),
        log_likelihood: None,
        outside: vec![false; 4],
        fallback: vec![false; 4],
    };
    let found = said.calibration(&["a", "b", "b", "b"], 5).unwrap();
    let counts: Vec<usize> = found.bins.iter().map(|bin| bin.count).collect();
    assert_eq!(counts, [0, 0, 0, 2, 2]);
    near(&[found.bins[3].probability, found.bins[3].right], &[0.65, 1.0]);
    near(&[found.bins[4].probability, found.bins[4].right], &[0.85, 0.5]);
    near(&[found.expected_error], &[(2.0 * 0.35 + 2.0 * 0.35) / 4.0]);
    near(&[found.log_loss], &[-(0.9f64 * 0.2 * 0.7 * 0.6).ln() / 4.0]);
    near(&[found.brier], &[2.0 * (0.01 + 0.64 + 0.09 + 0.16) / 4.0]);
    assert!(said.calibration(&["a"], 5).is_err());
}

/// What laws say one by one adds up to what the classifier says.
#[test]
fn evidence_adds_up_to_the_answer() {
    let (s, classes, queries) = toy();
    let prototypes = Medoids { c: Some(2), ..Medoids::default() };
    let all =
        vec![Statistic::Centroid, Statistic::Nearest, Statistic::Mean, Statistic::CrossDeviation];
    let rules: [(&dyn Classify, bool); 4] = [
        (&Sda { statistics: all, ..Sda::default() }, false),
        (&NnSda::default(), false),
        (&MixtureSda { prototypes, ..MixtureSda::default() }, false),
        (&LocalSda { size: fixed(9), n_min: 0, ..LocalSda::default() }, true),
    ];
    for (rule, local) in rules {
        let id = rule.about().id;
        let fitted = rule.fit(&s, &classes).unwrap();
        let said = fitted.predict(&queries).unwrap();
        for row in 0..queries.rows() {
            let evidence = fitted.evidence(&[&queries.row(row)]);
            assert!(!evidence.is_empty(), "{id}");
            let mut likelihoods = vec![0.0; 3];
            for (class, sum) in likelihoods.iter_mut().enumerate() {
                let own = evidence.iter().filter(|e| e.law.class == class);
                let statistics: std::collections::BTreeSet<usize> =
                    own.clone().map(|e| e.law.statistic).collect();
                for statistic in statistics {
                    let parts = own.clone().filter(|e| e.law.statistic == statistic);
                    *sum += parts.clone().map(|e| e.law.weight * e.log_p.exp()).sum::<f64>().ln();
                    let shares: f64 = parts.map(|e| e.responsibility).sum();
                    assert!((shares - 1.0).abs() < 1e-12, "{id}");
                }
            }
            if local {
                // Its priors are shares of neighbours, which the evidence does not tell: compare
                // what is left of the scores.
                let left: Vec<f64> =
                    said.scores_of(row).iter().zip(&likelihoods).map(|(s, l)| s - l).collect();
                let shares: f64 = left.iter().map(|log| log.exp()).sum();
                assert!((shares - 1.0).abs() < 1e-9, "{id} {left:?}");
            } else {
                let joint: Vec<f64> =
                    likelihoods.iter().zip(classes.priors()).map(|(l, p)| l + p.ln()).collect();
                near(&joint, said.scores_of(row));
            }
        }
    }
    let small = LocalSda { size: fixed(2), ..LocalSda::default() }.fit(&s, &classes).unwrap();
    assert!(small.evidence(&[&queries.row(0)]).is_empty(), "a fallback has no laws");
}

/// With priors other than the shares, odds move by their ratio; costs of 0 and 1 say the likeliest.
#[test]
fn probabilities_of_rules_of_scores_move_with_priors_and_decide_by_costs() {
    let (s, classes, queries) = toy();
    for id in
        ["nearest-centroid", "adjusted-centroid", "local-centroid", "condensed-nn", "sknn", "psvm"]
    {
        let fit = |settings: &[(&str, &str)]| {
            let mut one = classifier(id).unwrap();
            settings.iter().for_each(|(name, value)| set(one.as_mut(), name, value).unwrap());
            one.fit(&s, &classes).unwrap().predict(&queries).unwrap()
        };
        let plain = fit(&[]);
        let probable = fit(&[("probabilities", "true")]);
        assert_eq!((&plain.class, &plain.scores), (&probable.class, &probable.scores), "{id}");
        assert!(plain.log_posteriors.is_none());
        // Uniform priors where the shares are 4, 5 and 3 of 12.
        let uniform = fit(&[("probabilities", "true"), ("prior", "uniform")]);
        for row in 0..queries.rows() {
            let (p, u) =
                (probable.probabilities(row).unwrap(), uniform.probabilities(row).unwrap());
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{id}");
            let moved = (u[0] / u[1]) / (p[0] / p[1]);
            assert!((moved - 5.0 / 4.0).abs() < 1e-9, "{id}: {moved}");
        }
        let likeliest = fit(&[("costs", "0,1,1,1,0,1,1,1,0")]);
        for row in 0..queries.rows() {
            let p = probable.probabilities(row).unwrap();
            let class = likeliest.class[row] as usize;
            assert!(p.iter().all(|other| *other <= p[class]), "{id}");
        }
        let first = fit(&[("costs", "0,0,0,9,9,9,9,9,9")]);
        assert!(first.class.iter().all(|&class| class == 0), "{id}");
    }
}
