//! The short help of every command fits a screen and leads to the long one.

mod common;

use common::Place;

/// A screen's lines and columns.
const SCREEN: (usize, usize) = (40, 100);

/// The names under a heading of a help text.
fn names(help: &str, heading: &str) -> Vec<String> {
    let section = help.split(&format!("{heading}:\n")).nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.is_empty());
    let lines = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    lines.filter_map(|line| line.split_whitespace().next().map(String::from)).collect()
}

#[track_caller]
fn check(place: &Place, command: &[&str]) -> String {
    let short = place.run(&[command, &["-h"]].concat()).well().out;
    let widest = short.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let lines = short.lines().count();
    assert!(lines <= SCREEN.0 && widest <= SCREEN.1, "{command:?} {lines}, {widest}:\n{short}");
    assert!(short.contains("--help"), "{command:?}");
    short
}

#[test]
fn the_short_help_of_every_command_fits_a_screen() {
    let place = Place::new();
    let commands = names(&check(&place, &[]), "Commands");
    assert!(commands.len() >= 14, "{commands:?}");
    for command in commands.iter().filter(|name| *name != "help") {
        let short = check(&place, &[command]);
        for generator in names(&short, "Generators") {
            check(&place, &[command, &generator]);
        }
    }
}

#[test]
fn the_long_help_has_every_flag_of_the_short_one() {
    let place = Place::new();
    for command in ["weigh", "learn", "classify", "evaluate"] {
        let flags = |help: &str| -> Vec<String> {
            let words = help.split_whitespace().filter(|word| word.starts_with("--"));
            words.map(|word| word.trim_end_matches(',').to_owned()).collect()
        };
        let [short, long] = ["-h", "--help"].map(|flag| flags(&place.run(&[command, flag]).out));
        assert!(short.iter().all(|flag| long.contains(flag)) && long.len() > short.len());
    }
}
