//! The README shows what the program really prints.
#![allow(clippy::unwrap_used)] // a test's helpers are tests

mod common;

use std::process::Command;

use common::Place;

const README: &str = include_str!("../../../README.md");
const COMMAND: &str = "$ cargo run --release -q -p nearkin-cli -- ";

#[test]
fn the_first_answer_in_the_readme_is_what_the_program_prints() {
    let shown = README.split("```console\n").find(|block| block.starts_with(COMMAND)).unwrap();
    let (words, answer) = shown[COMMAND.len()..].split_once('\n').unwrap();
    let (answer, _) = answer.split_once("```").unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_nearkin"));
    let output = program.args(words.split(' ')).output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), answer);
}

#[test]
fn the_first_minute_with_similarities_and_classes_works_as_pasted() {
    for heading in ["## Which similarity?\n", "## Which class?\n"] {
        let section = README.split(heading).nth(1).unwrap().split("\n## ").next().unwrap();
        let lines = section.lines().filter_map(|line| line.strip_prefix("$ "));
        let place = Place::new();
        let mut run = 0;
        for line in lines {
            let answer = place.shell(line);
            assert_eq!(answer.code, Some(0), "{line}: {answer:?}");
            run += 1;
        }
        assert!(run >= 2, "{heading}");
    }
}
