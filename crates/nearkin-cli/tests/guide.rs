//! The guide is true: pages of methods say what the sources say, examples print what they show,
//! links lead somewhere.
//!
//! `NEARKIN_BLESS=1 cargo test -p nearkin-cli --test guide` writes the pages anew instead: what
//! is between `<!-- from … -->` and `<!-- end -->`, and the answers in examples. Read the
//! difference before committing it.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use common::Place;
use nearkin::parameter::{Parameter, ParameterKind, Parameters as _};
use nearkin::{classify, learn, weigh};

/// Held by who reads and writes pages, as two tests do.
static PAGES: Mutex<()> = Mutex::new(());

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn blesses() -> bool {
    std::env::var_os("NEARKIN_BLESS").is_some_and(|word| word == "1")
}

/// Every page of the guide.
fn pages() -> Vec<PathBuf> {
    let mut folders = vec![root().join("docs")];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|e| e == "md") => pages.push(path),
                false => {}
            }
        }
    }
    pages.sort();
    pages
}

/// A method with a page of its own.
struct Method {
    question: &'static str,
    id: &'static str,
    title: &'static str,
    parameters: Vec<Parameter>,
}

impl Method {
    fn page(&self) -> PathBuf {
        root().join(format!("docs/methods/{}-{}.md", self.question, self.id))
    }

    /// The source file that defines it.
    fn source(&self) -> String {
        let file = match self.id {
            "myopic-relieff" => "myopic".to_owned(),
            "turf" | "vls" => "wrap".to_owned(),
            id => id.replace('-', "_"),
        };
        let folder = format!("crates/nearkin/src/{}/{file}", self.question);
        match root().join(&folder).is_dir() && !root().join(format!("{folder}.rs")).is_file() {
            true => format!("{folder}/mod.rs"),
            false => format!("{folder}.rs"),
        }
    }

    /// What its source says of it.
    fn what(&self) -> String {
        let source = fs::read_to_string(root().join(self.source())).unwrap();
        let lines = source.lines().take_while(|line| line.starts_with("//!"));
        let text: Vec<&str> = lines.map(|line| line[3..].strip_prefix(' ').unwrap_or("")).collect();
        let text = text.join("\n");
        // Wrappers share a file: a paragraph each.
        let text = match self.id {
            "turf" | "vls" => {
                let begun = format!("**{}**", self.title);
                text.split("\n\n").find(|p| p.starts_with(&begun)).unwrap().to_owned()
            }
            _ => text,
        };
        without_code_links(&text)
    }

    fn table(&self) -> String {
        let mut table = String::from(
            "| parameter | in Python | values | default | what it does |\n|---|---|---|---|---|\n",
        );
        for one in &self.parameters {
            let default = match one.default.as_str() {
                "" => "none".to_owned(),
                default => format!("`{default}`"),
            };
            let help = one.help.replace('|', "\\|").replace('\n', " ");
            let flag = one.name.replace('_', "-");
            let values = values(&one.kind);
            let python = weigh::own_name(self.id, one.name).unwrap_or(one.python);
            writeln!(table, "| `--{flag}` | `{python}` | {values} | {default} | {help} |").unwrap();
        }
        table
    }
}

fn values(kind: &ParameterKind) -> String {
    match kind {
        ParameterKind::Whole { min: 0 } => "whole number".into(),
        ParameterKind::Whole { min } => format!("whole number, {min} or more"),
        ParameterKind::Real { min, max } if *min == f64::MIN && *max == f64::MAX => "number".into(),
        ParameterKind::Real { min, max } if *max == f64::MAX => format!("number, {min} or more"),
        ParameterKind::Real { min, max } => format!("number, {min} to {max}"),
        ParameterKind::Flag => "on or off".into(),
        ParameterKind::Choice(words) => quoted(words),
        ParameterKind::Words(words) => format!("some of {}", quoted(words)),
        ParameterKind::Reals => "numbers".into(),
    }
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Links into the library's documentation as plain names.
fn without_code_links(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("[`") {
        let Some((name, behind)) = after.split_once("`]") else { break };
        plain += before;
        plain += &format!("`{name}`");
        rest = match behind.strip_prefix('(') {
            Some(target) => target.split_once(')').map_or(behind, |(_, after)| after),
            None => behind,
        };
    }
    plain + rest
}

fn methods() -> Vec<Method> {
    let mut all: Vec<Method> = Vec::new();
    for one in weigh::methods() {
        let (about, parameters) = (one.about(), one.parameters());
        all.push(Method { question: "weigh", id: about.id, title: about.title, parameters });
    }
    for id in weigh::WRAPPERS {
        let inner = weigh::method("relieff").unwrap();
        let theirs = inner.parameters();
        let wrapped = weigh::wrap(id, inner).unwrap();
        let mut parameters = wrapped.parameters();
        parameters.retain(|one| theirs.iter().all(|other| other.name != one.name));
        let about = wrapped.about();
        all.push(Method { question: "weigh", id: about.id, title: about.title, parameters });
    }
    for one in learn::methods() {
        let (about, parameters) = (one.about(), one.parameters());
        all.push(Method { question: "learn", id: about.id, title: about.title, parameters });
    }
    for one in classify::classifiers() {
        let (about, parameters) = (one.about(), one.parameters());
        all.push(Method { question: "classify", id: about.id, title: about.title, parameters });
    }
    let bayes = classify::NaiveBayes::default();
    let (about, parameters) = (bayes.about(), bayes.parameters());
    all.push(Method { question: "classify", id: about.id, title: about.title, parameters });
    all
}

/// `page` with `body` between the mark and its end.
fn filled(page: &str, mark: &str, body: &str) -> Option<String> {
    let (before, rest) = page.split_once(mark)?;
    let (_, after) = rest.split_once("<!-- end -->")?;
    Some(format!("{before}{mark}\n{}\n<!-- end -->{after}", body.trim_end()))
}

#[test]
fn every_method_has_a_page_that_says_what_its_source_says() {
    let _alone = PAGES.lock().unwrap_or_else(PoisonError::into_inner);
    for method in methods() {
        let path = method.page();
        let shown = path.strip_prefix(root()).unwrap().display().to_string();
        let marks =
            [format!("<!-- from {} -->", method.source()), "<!-- from its parameters -->".into()];
        if blesses() && !path.exists() {
            let [what, parameters] = &marks;
            let page = format!(
                "# {}\n\n{what}\n<!-- end -->\n\n## Parameters\n\n{parameters}\n<!-- end -->\n",
                method.title
            );
            fs::write(&path, page).unwrap();
        }
        let page = fs::read_to_string(&path).unwrap_or_default();
        assert!(!page.is_empty(), "{shown} is missing; see the head of this test");
        assert!(page.starts_with(&format!("# {}\n", method.title)), "{shown}: its title");
        let mut wanted = page.clone();
        for (mark, body) in marks.iter().zip([method.what(), method.table()]) {
            wanted = filled(&wanted, mark, &body).unwrap_or_default();
            assert!(!wanted.is_empty(), "{shown} lacks `{mark}` or its end");
        }
        if blesses() {
            fs::write(&path, &wanted).unwrap();
        } else {
            assert!(page == wanted, "{shown} differs from the sources; see the head of this test");
        }
    }
}

#[test]
fn every_page_of_a_method_says_when_what_it_costs_and_shows_it_at_work() {
    for method in methods() {
        let page = fs::read_to_string(method.page()).unwrap();
        let id = method.id;
        let flag = if weigh::WRAPPERS.contains(&id) { "--wrap" } else { "--method" };
        let asks = [format!("$ nearkin {} ", method.question), format!(" {flag} {id}")];
        let blocks = page.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
        let shown = blocks.flat_map(str::lines).any(|line| {
            line.starts_with(&asks[0]) && format!("{line} ").contains(&format!("{} ", asks[1]))
        });
        assert!(shown, "{id}: no example with its answer");
        for part in ["```text\n", "\n## When ", "Cost: ", "Reference: ", "\n## Example\n"] {
            assert!(page.contains(part), "{id}: its page lacks `{}`", part.trim());
        }
    }
}

/// What `nearkin methods` tells beside parameters: the pages from their titles to their examples.
#[test]
fn the_program_tells_what_the_pages_say() {
    let _alone = PAGES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut facts = String::new();
    for method in methods() {
        let page = fs::read_to_string(method.page()).unwrap();
        let (_, told) = page.split_once("\n\n").unwrap();
        let told = told.split("\n## Example").next().unwrap();
        let lines = told.lines().filter(|line| !line.starts_with("<!-- "));
        let told = lines.collect::<Vec<_>>().join("\n");
        writeln!(facts, "# {} {}\n\n{}\n", method.question, method.id, told.trim()).unwrap();
    }
    let path = root().join("crates/nearkin-cli/data/facts.md");
    if blesses() {
        fs::write(&path, &facts).unwrap();
    }
    let there = fs::read_to_string(path).unwrap_or_default();
    assert!(there == facts, "data/facts.md differs from the pages; see the head of this test");
}

#[test]
fn examples_of_the_guide_print_what_they_show() {
    let _alone = PAGES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut run = 0;
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let place = Place::new();
        let mut wanted = String::new();
        for (number, part) in page.split("```console\n").enumerate() {
            if number == 0 {
                wanted += part;
                continue;
            }
            wanted += "```console\n";
            let (block, after) = part.split_once("```").unwrap();
            match block.starts_with("$ ") && block.contains("$ nearkin ") {
                true => wanted += &answered(&place, block, &mut run),
                false => wanted += block,
            }
            wanted += "```";
            wanted += after;
        }
        if blesses() {
            fs::write(&path, &wanted).unwrap();
        } else {
            assert!(page == wanted, "{}: an example prints something else", path.display());
        }
    }
    assert!(run >= 25, "{run} commands");
}

/// The commands of a block, each followed by what it prints.
fn answered(place: &Place, block: &str, run: &mut usize) -> String {
    let mut text = String::new();
    for command in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let answer = place.shell(command);
        assert_eq!(answer.code, Some(0), "{command}: {answer:?}");
        text += &format!("$ {command}\n{}", answer.out);
        *run += 1;
    }
    text
}

#[test]
fn commands_without_answers_work_as_pasted() {
    for name in ["tour", "coming-from-weka", "coming-from-corelearn"] {
        let page = fs::read_to_string(root().join(format!("docs/{name}.md"))).unwrap();
        let blocks = page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
        let place = Place::new();
        for block in blocks {
            let answer = place.shell(&format!("set -e\n{block}"));
            assert_eq!(answer.code, Some(0), "{name}: {block}: {answer:?}");
        }
    }
}

/// The name by which a heading is linked to.
fn slug(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// A page without its fenced blocks.
fn prose(page: &str) -> String {
    let mut fenced = false;
    let lines = page.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn links_lead_somewhere() {
    let mut all = pages();
    all.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)));
    let mut checked = 0;
    for path in &all {
        let page = prose(&fs::read_to_string(path).unwrap());
        for link in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://")
                || link.starts_with("mailto:")
                || link.contains(char::is_whitespace)
            {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                file => path.parent().unwrap().join(file),
            };
            assert!(target.exists(), "{}: {link} leads nowhere", path.display());
            if !anchor.is_empty() {
                let there = prose(&fs::read_to_string(&target).unwrap());
                let heads = there.lines().filter(|line| line.starts_with('#'));
                let mut slugs = heads.map(|line| slug(line.trim_start_matches('#')));
                assert!(
                    slugs.any(|slug| slug == anchor),
                    "{}: {link} has no such heading",
                    path.display()
                );
            }
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked} links");
}

#[test]
fn the_summary_names_every_page_of_a_method_and_no_page_twice() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let named = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let named: Vec<&str> = named.collect();
    let once: BTreeSet<&str> = named.iter().copied().collect();
    assert_eq!(named.len(), once.len(), "a page is named twice");
    for method in methods() {
        let name = format!("methods/{}-{}.md", method.question, method.id);
        assert!(once.contains(name.as_str()), "{name} is not in SUMMARY.md");
    }
}
