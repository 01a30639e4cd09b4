//! Every example in the help texts works as pasted.

mod common;

use common::Place;

/// The lines of a help text's EXAMPLES that are commands.
fn examples(help: &str) -> Vec<String> {
    let section = help.split("EXAMPLES:\n").nth(1).unwrap_or_default();
    section
        .lines()
        .map(str::trim)
        .filter(|l| ["nearkin ", "mkdir ", "printf "].iter().any(|word| l.starts_with(word)))
        .map(String::from)
        .collect()
}

/// The names under a heading of a help text.
fn names(help: &str, heading: &str) -> Vec<String> {
    let section = help.split(&format!("{heading}:\n")).nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.is_empty());
    lines
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(String::from))
        .collect()
}

#[track_caller]
fn run_examples(words: &[&str]) -> String {
    let place = Place::new();
    let help = place.run(&[words, &["--help"]].concat()).well().out;
    let found = examples(&help);
    assert!(!found.is_empty(), "no example in the help of {words:?}");
    for line in found {
        let answer = place.shell(&line);
        assert_eq!(answer.code, Some(0), "{line}: {answer:?}");
    }
    help
}

#[test]
fn examples_of_the_program_and_its_commands_work_as_pasted() {
    let help = run_examples(&[]);
    let commands = names(&help, "Commands");
    assert!(commands.len() >= 4, "{commands:?}");
    for command in commands.iter().filter(|name| *name != "help") {
        run_examples(&[command]);
    }
}

#[test]
fn examples_of_the_generators_work_as_pasted() {
    let help = Place::new().run(&["simulate", "--help"]).well().out;
    for generator in names(&help, "Generators") {
        run_examples(&["simulate", &generator]);
    }
}

#[test]
fn the_simulated_example_finds_the_truth() {
    let place = Place::new();
    let help = place.run(&["simulate", "--help"]).well().out;
    let found = examples(&help);
    place.shell(&found[0]).well();
    let ranked = place.shell(&found[1]).well().out;
    let truth = place.shell(&found[2]).well().out;
    for column in truth.lines() {
        let best = ranked.lines().skip(4).take(truth.lines().count());
        assert!(best.into_iter().any(|line| line.contains(column)), "{column}: {ranked}");
    }
}
