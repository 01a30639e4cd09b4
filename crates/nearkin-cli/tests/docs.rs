//! The guide's commands work as pasted.
#![allow(clippy::unwrap_used)]

mod common;

use common::Place;

const GUIDE: &str = include_str!("../../../docs/weighting.md");
const MODELS: &str = include_str!("../../../docs/models.md");
const EVALUATION: &str = include_str!("../../../docs/evaluation.md");

/// The blocks of a page that are fenced as shell.
fn blocks(page: &str) -> Vec<&str> {
    page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// Run these commands in one place, at least `least` of them.
fn work_as_pasted(commands: &[&str], least: usize) {
    let place = Place::new();
    assert!(commands.len() >= least, "{commands:?}");
    for block in commands {
        let answer = place.shell(&format!("set -e\n{block}"));
        assert_eq!(answer.code, Some(0), "{block}: {answer:?}");
    }
}

#[test]
fn commands_of_the_weighting_guide_work_as_pasted() {
    let mut commands = blocks(GUIDE);
    commands.retain(|block| block.starts_with("nearkin"));
    work_as_pasted(&commands, 6);
}

#[test]
fn commands_of_the_guide_to_models_work_as_pasted() {
    work_as_pasted(&blocks(MODELS), 3);
}

#[test]
fn commands_of_the_guide_to_evaluation_work_as_pasted() {
    work_as_pasted(&blocks(EVALUATION), 4);
}

#[test]
fn the_weighting_guide_names_every_method_wrapper_and_column() {
    let place = Place::new();
    let listed = place.run(&["methods", "--json"]).well().out;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let weighs = |one: &&serde_json::Value| one["question"] == "weigh" || one["question"] == "wrap";
    for one in listed.as_array().unwrap().iter().filter(weighs) {
        let id = one["id"].as_str().unwrap();
        assert!(GUIDE.contains(&format!("`{id}`")), "{id}");
    }
    for column in
        ["p", "q", "t", "effect", "low", "high", "best_k", "removed_in", "order_sd", "row"]
    {
        assert!(GUIDE.contains(&format!("`{column}`")), "{column}");
    }
}
