//! The words of `evaluate`: protocols, ways to choose, and lists of methods.

use nearkin::data::{Cut, Protocol};
use nearkin::evaluate::pipeline::{Alike, Decide, Pipeline};
use nearkin::evaluate::{Inner, Mode, Plan, Study, Subject};

use crate::failure::{Failure, Result};

/// The study that `text` means: `10-fold`, `5x10-fold`, `holdout`, `20xholdout:0.3`, `loo`, or a
/// preset.
pub fn protocol(text: &str, seed: u64) -> Result<Study> {
    let wrong = || {
        Failure::Input(format!(
            "--protocol: expected K-fold, RxK-fold, holdout, holdout:SHARE, loo, sila-2008, \
             srbs-2012 or sda-2009, got `{text}`"
        ))
    };
    match text {
        "sila-2008" => return Ok(Study::sila_2008(seed, 1)),
        "srbs-2012" => return Ok(Study::srbs_2012(seed, 1)),
        "sda-2009" => return Ok(Study::sda_2009()),
        _ => {}
    }
    let (repeats, kind) = match text.split_once('x') {
        Some((times, kind)) => (times.parse().map_err(|_| wrong())?, kind),
        None => (1, text),
    };
    let cut = match (kind, kind.strip_suffix("-fold"), kind.strip_prefix("holdout:")) {
        ("loo", ..) => Cut::LeaveOneOut,
        ("holdout", ..) => Cut::HoldOut(0.2),
        (_, Some(folds), _) => Cut::Folds(folds.parse().map_err(|_| wrong())?),
        (_, _, Some(share)) => Cut::HoldOut(share.parse().map_err(|_| wrong())?),
        _ => return Err(wrong()),
    };
    if repeats == 0 {
        return Err(wrong());
    }
    let protocol = Protocol { cut, repeats, stratified: true, seed };
    let mut study = Study { protocol, ..Study::default() };
    if cut == Cut::LeaveOneOut {
        study.choose.inner = Inner::LeaveOneOut;
    }
    Ok(study)
}

/// A protocol in the words that [`protocol`] takes.
pub fn told(protocol: &Protocol) -> String {
    let kind = match protocol.cut {
        Cut::HoldOut(share) => format!("holdout:{share}"),
        Cut::Folds(folds) => format!("{folds}-fold"),
        Cut::EvenFolds(folds) => format!("{folds} even folds"),
        Cut::LeaveOneOut => "loo".into(),
    };
    match protocol.repeats {
        1 => kind,
        repeats => format!("{repeats}x{kind}"),
    }
}

/// How candidates are chosen: `loo`, `5-fold`, `validation` or `validation:0.3`.
pub fn inner(text: &str) -> Result<Inner> {
    let share = |text: &str| text.parse().ok().filter(|s: &f64| *s > 0.0 && *s < 1.0);
    let found = match (text, text.strip_suffix("-fold"), text.strip_prefix("validation:")) {
        ("loo", ..) => Some(Inner::LeaveOneOut),
        ("validation", ..) => Some(Inner::Validation(0.2)),
        (_, Some(folds), _) => folds.parse().ok().filter(|n| *n > 1).map(Inner::Folds),
        (_, _, Some(text)) => share(text).map(Inner::Validation),
        _ => None,
    };
    found.ok_or_else(|| {
        Failure::Input(format!(
            "--choose: expected loo, K-fold, validation or validation:SHARE, got `{text}`"
        ))
    })
}

/// The methods of a list, commas within parentheses being part of a method.
pub fn methods(text: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0i32);
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        match (c, parts.last_mut()) {
            (',', _) if depth == 0 => parts.push(String::new()),
            (c, Some(part)) => part.push(c),
            _ => {}
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// The plan of one method.
pub fn plan(text: &str, given: bool) -> nearkin::Result<Plan> {
    match text {
        "majority" => return Ok(Plan::constant(text, Subject::Majority)),
        "all-rest" => return Ok(Plan::constant(text, Subject::Rest)),
        _ => {}
    }
    let pipeline = match given {
        true => Pipeline::given(Decide::parse(text)?),
        false => Pipeline::parse(text)?,
    };
    Ok(Plan::new(text, pipeline))
}

/// The rows every table of results has: cosine, Euclidean distance, majority, all-rest.
pub fn baselines(given: bool, mode: Mode, plans: &mut Vec<Plan>) -> nearkin::Result<()> {
    let mut words = vec!["majority"];
    if mode == Mode::OneVsRest {
        words.push("all-rest");
    }
    match given {
        true => words.insert(0, "knn"),
        false => words.splice(0..0, ["cosine > knn", "euclidean > knn"]).for_each(drop),
    }
    for word in words {
        let plan = plan(word, given)?;
        if !plans.iter().any(|known| known.subject == plan.subject && known.grid.is_empty()) {
            plans.push(plan);
        }
    }
    Ok(())
}

/// True when a plan uses similarities as they are given.
pub fn is_given(plan: &Plan) -> bool {
    match &plan.subject {
        Subject::Pipeline(pipeline) => pipeline.similarity == Alike::Given,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protocols_are_read() {
        let cut = |text: &str| {
            let study = protocol(text, 3).unwrap();
            (study.protocol.cut, study.protocol.repeats)
        };
        assert_eq!(cut("10-fold"), (Cut::Folds(10), 1));
        assert_eq!(cut("5x2-fold"), (Cut::Folds(2), 5));
        assert_eq!(cut("20xholdout:0.3"), (Cut::HoldOut(0.3), 20));
        assert_eq!(cut("srbs-2012"), (Cut::EvenFolds(5), 1));
        assert_eq!(protocol("loo", 0).unwrap().choose.inner, Inner::LeaveOneOut);
        for wrong in ["", "fold", "x-fold", "0x3-fold", "holdout:x", "loof"] {
            assert!(protocol(wrong, 0).is_err(), "{wrong}");
        }
        assert_eq!(inner("validation:0.3").unwrap(), Inner::Validation(0.3));
        assert!(inner("1-fold").is_err() && inner("validation:2").is_err());
    }

    #[test]
    fn commas_in_parentheses_belong_to_their_method() {
        assert_eq!(
            methods("knn, srbs(beta=1, k=3) > knn ,,sda"),
            ["knn", "srbs(beta=1, k=3) > knn", "sda"]
        );
    }

    #[test]
    fn baselines_are_there_once() {
        let mut plans = vec![plan("cosine > knn", false).unwrap()];
        baselines(false, Mode::OneVsRest, &mut plans).unwrap();
        let names: Vec<&str> = plans.iter().map(|plan| plan.name.as_str()).collect();
        assert_eq!(names, ["cosine > knn", "euclidean > knn", "majority", "all-rest"]);
        assert!(plan("cosine > knn", true).is_err() && !is_given(&plans[0]));
    }
}
