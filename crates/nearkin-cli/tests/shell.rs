//! Completions and manual pages.

mod common;

use common::Place;

/// The commands that the program's help names.
fn commands(place: &Place) -> Vec<String> {
    let help = place.run(&["--help"]).well().out;
    let section = help.split("Commands:\n").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next().map(String::from));
    names.filter(|name| name != "help").collect()
}

#[test]
fn completions_know_every_command_and_bash_takes_them() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = place.run(&["completions", shell]).well().out;
        for command in commands(&place) {
            assert!(script.contains(&command), "{shell}: {command}");
        }
        assert!(script.contains("p-values"), "{shell} knows the flags");
    }
    place.run(&["completions", "bash", "-o", "nearkin.bash"]).well();
    let line = ". ./nearkin.bash\nCOMP_WORDS=(nearkin wei); COMP_CWORD=1\n\
                _nearkin nearkin wei nearkin; echo ${COMPREPLY[@]}";
    place.file("ask", line);
    let answer = place.shell("command -v bash >/dev/null || { echo weigh; exit 0; }; bash ask");
    assert_eq!(answer.well().out.trim(), "weigh");
    place.run(&["completions", "tcsh"]).refused(2, &["tcsh", "bash"]);
}

#[test]
fn there_is_a_manual_page_of_the_program_and_of_each_command() {
    let place = Place::new();
    let page = place.run(&["man"]).well().out;
    assert!(page.contains(".TH nearkin 1"), "{page}");
    for command in commands(&place) {
        let page = place.run(&["man", &command]).well().out;
        assert!(
            page.contains(&format!(".TH nearkin\\-{command} 1"))
                || page.contains(&format!(".TH nearkin-{command} 1")),
            "{page}"
        );
        assert!(page.contains("EXAMPLES"), "{command}");
    }
    place.run(&["man", "nothing"]).refused(2, &["`nothing` is no command"]);
}
