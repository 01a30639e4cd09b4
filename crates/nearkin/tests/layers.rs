//! The order of the house: modules see only what stands to their left, `unsafe` stays in its
//! files, and every crate keeps the workspace's lints.
//!
//! `layers/source.rs` reads Rust text; the rules are here.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's helpers are tests

#[path = "layers/source.rs"]
mod source;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use source::{Reference, Tokens};

/// The modules of `nearkin` from left to right. A module sees those in the groups before its
/// own; modules of one group do not see each other.
const ORDER: &[&[&str]] = &[
    &["sentences"],
    &["error"],
    &["note"],
    &["parameter", "random", "pool"],
    &["stats"],
    &["data"],
    &["measure", "simulate"],
    &["neighbors"],
    &["weigh", "learn", "classify"],
    &["compare"],
    &["evaluate"],
    &["model"],
    &["arrays"],
];

/// The only files that may say `unsafe`, by the beginning of their path in the workspace.
const UNSAFE: &[&str] = &[
    "crates/nearkin/src/neighbors/kernel/",
    "crates/nearkin-read/src/map.rs",
    "crates/nearkin-cli/src/mapped.rs",
];

fn level(module: &str) -> Option<usize> {
    ORDER.iter().position(|group| group.contains(&module))
}

/// Which module each name at the crate's root comes from.
type Root = BTreeMap<String, String>;

/// What is wrong with one file of module `module`, in words.
fn violations(file: &str, module: &[String], text: &str, root: &Root) -> Vec<String> {
    let Some(own) = module.first() else { return Vec::new() };
    let mut found = Vec::new();
    for Reference { name, line } in Tokens::of(text).without_tests().root_references(module) {
        let place = format!("{file}, line {line}");
        let Some(used) = root.get(&name) else {
            found.push(format!("{place}: `crate::{name}` comes from no module of ORDER"));
            continue;
        };
        let (Some(mine), Some(theirs)) = (level(own), level(used)) else {
            found.push(format!("{place}: `{own}` or `{used}` is not in ORDER"));
            continue;
        };
        if own != used && theirs >= mine {
            found.push(format!("{place}: `{own}` uses `{used}`, which is not to its left"));
        }
    }
    found
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// Every Rust file under `folder`, with its path in the workspace, in order.
fn rust_files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(workspace()).unwrap().to_str().unwrap();
                found.push((name.replace('\\', "/"), std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// `crates/nearkin/src/data/table.rs` is module `data::table`, as `["data", "table"]`.
fn module_of(file: &str) -> Vec<String> {
    let inside = file.strip_prefix("crates/nearkin/src/").unwrap().strip_suffix(".rs").unwrap();
    let parts = inside.split('/').filter(|part| !["lib", "mod"].contains(part));
    parts.map(str::to_owned).collect()
}

/// The names at the crate's root: its modules, what `lib.rs` lifts out of them, and macros.
fn root(files: &[(String, String)]) -> Root {
    let mut root = Root::new();
    for (file, text) in files {
        let module = module_of(file);
        let tokens = Tokens::of(text).without_tests();
        match module.first() {
            None => {
                root.extend(tokens.modules().into_iter().map(|name| (name.clone(), name)));
                root.extend(tokens.lifted());
            }
            Some(own) => {
                root.extend(tokens.exported_macros().into_iter().map(|m| (m, own.clone())));
            }
        }
    }
    root
}

#[test]
fn modules_see_only_what_stands_to_their_left() {
    let files = rust_files(&workspace().join("crates/nearkin/src"));
    let root = root(&files);
    let wrong: Vec<String> = files
        .iter()
        .flat_map(|(file, text)| violations(file, &module_of(file), text, &root))
        .collect();
    assert!(files.len() > 20 && root["Error"] == "error", "the sources were not found");
    assert!(wrong.is_empty(), "see docs/architecture.md\n{}", wrong.join("\n"));
}

#[test]
fn every_module_has_its_place_in_the_order() {
    let files = rust_files(&workspace().join("crates/nearkin/src"));
    for (file, _) in &files {
        if let Some(module) = module_of(file).first() {
            assert!(
                level(module).is_some(),
                "{file}: put `{module}` into ORDER of tests/layers.rs"
            );
        }
    }
    for module in
        Tokens::of(&files.iter().find(|f| f.0.ends_with("src/lib.rs")).unwrap().1).modules()
    {
        assert!(level(&module).is_some(), "put `{module}` into ORDER of tests/layers.rs");
    }
}

#[test]
fn unsafe_stays_in_its_files() {
    let files = rust_files(&workspace().join("crates"));
    for (file, text) in &files {
        let allowed = UNSAFE.iter().any(|beginning| file.starts_with(beginning));
        if let (Some(line), false) = (Tokens::of(text).says_unsafe(), allowed) {
            panic!("{file}, line {line}: `unsafe` belongs in {}", UNSAFE.join("*, "));
        }
    }
    for beginning in UNSAFE {
        let used = files.iter().any(|(file, text)| {
            file.starts_with(beginning) && Tokens::of(text).says_unsafe().is_some()
        });
        assert!(used, "{beginning} needs no `unsafe` any more: take it off the list");
    }
}

#[test]
fn every_crate_keeps_the_lints_of_the_workspace() {
    for entry in std::fs::read_dir(workspace().join("crates")).unwrap() {
        let manifest = entry.unwrap().path().join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).unwrap();
        assert!(inherits_lints(&text), "{}: add `[lints] workspace = true`", manifest.display());
    }
}

/// A type has one name and a name one type, over the published crates: a reader who meets it in a
/// signature, an error or the index knows what it is.
#[test]
fn public_type_names_are_unique() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in ["crates/nearkin/src", "crates/nearkin-read/src"] {
        for (file, text) in rust_files(&workspace().join(folder)) {
            for name in Tokens::of(&text).without_tests().public_types() {
                places.entry(name).or_default().push(file.clone());
            }
        }
    }
    // Every crate has an error and a result of its own.
    let own = ["Error", "Result"];
    places.retain(|name, files| files.len() > 1 && !own.contains(&name.as_str()));
    assert!(places.is_empty(), "{places:#?}");
}

fn inherits_lints(manifest: &str) -> bool {
    let lines = manifest.lines().map(|line| line.split('#').next().unwrap().replace(' ', ""));
    let mut section = lines.skip_while(|line| line != "[lints]").skip(1);
    section.by_ref().take_while(|line| !line.starts_with('[')).any(|line| line == "workspace=true")
}

mod the_checker_itself {
    use super::*;

    /// The violations of `text` as if it were a file of module `module`, written `a::b`.
    fn check(module: &str, text: &str) -> Vec<String> {
        let root = ["error", "data", "measure", "simulate", "neighbors", "weigh", "learn", "shed"];
        let mut root: Root = root.map(|name| (name.to_owned(), name.to_owned())).into();
        root.insert("Error".into(), "error".into());
        let module: Vec<String> = module.split("::").map(str::to_owned).collect();
        violations("a.rs", &module, text, &root)
    }

    #[test]
    fn a_look_to_the_right_is_caught() {
        assert_eq!(
            check("data::table", "use crate::Error;\nuse crate::weigh::ReliefF;"),
            ["a.rs, line 2: `data` uses `weigh`, which is not to its left"]
        );
    }

    #[test]
    fn a_look_to_the_left_is_fine() {
        assert!(
            check("weigh", "use crate::data::Table; use crate::{Error, neighbors};").is_empty()
        );
        assert!(check("weigh::relieff", "use crate::weigh::common; use super::common;").is_empty());
    }

    #[test]
    fn rooms_of_one_level_do_not_see_each_other() {
        assert_eq!(check("learn", "fn f() { crate::weigh::methods(); }").len(), 1);
        assert_eq!(check("measure", "use crate::simulate::Parity;").len(), 1);
    }

    #[test]
    fn lists_are_read_to_their_end() {
        let list = "use crate::{\n    data::{Table, Target},\n    Error,\n    neighbors::nearest,\n    weigh::{\n        common::Common,\n    },\n};";
        let found = check("measure", list);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("line 4") && found[1].contains("line 5"), "{found:?}");
    }

    #[test]
    fn climbing_out_by_super_counts_too() {
        assert_eq!(check("data", "use super::weigh::ReliefF;").len(), 1);
        assert_eq!(check("data::table", "use super::super::weigh;").len(), 1);
        assert_eq!(
            check("data", "mod inner { use super::super::{weigh::ReliefF, Error}; }").len(),
            1
        );
        assert!(check("data::table", "use super::weigh;").is_empty(), "that is data::weigh");
        assert!(check("data", "mod inner { use super::weigh; }").is_empty(), "and so is that");
    }

    #[test]
    fn the_whole_root_at_once_is_refused() {
        assert_eq!(check("weigh", "use crate::*;").len(), 1);
        assert_eq!(check("weigh", "use crate as house;").len(), 1);
    }

    #[test]
    fn unknown_modules_are_caught() {
        assert_eq!(check("weigh", "use crate::attic::Trunk;").len(), 1);
        assert_eq!(check("weigh", "use crate::shed::Rake;").len(), 1);
        assert_eq!(check("shed", "use crate::data::Table;").len(), 1);
    }

    #[test]
    fn comments_texts_and_tests_do_not_count() {
        let quiet = r####"
            //! [`neighbors`](crate::weigh) answers to it. "
            /* use crate::weigh; /* nested */ use crate::weigh; */
            const A: &str = "use crate::weigh; \" ";
            const B: &str = r#"use crate::weigh; " "#;
            const C: (char, char, &'static str) = ('"', '\'', "//");
            /// ```
            /// use crate::weigh::ReliefF;
            /// ```
            pub(crate) fn f<'a>(x: &'a str) -> &'a str { x }
            #[cfg(test)]
            mod tests { use crate::weigh::ReliefF; mod deep { } }
            #[cfg(test)]
            use crate::weigh::ReliefF;
        "####;
        assert_eq!(check("data", quiet), [""; 0]);
        let after = format!("{quiet}\nuse crate::weigh;");
        assert_eq!(check("data", &after).len(), 1, "what follows is read again");
    }

    #[test]
    fn unsafe_is_a_word_not_a_piece_of_text() {
        let unsafe_line = |text: &str| Tokens::of(text).says_unsafe();
        assert_eq!(unsafe_line("// unsafe\nlet x = \"unsafe\"; let unsafely = 1;"), None);
        assert_eq!(unsafe_line("#![forbid(unsafe_code)]"), None);
        assert_eq!(unsafe_line("\nunsafe { f() }"), Some(2));
        assert_eq!(unsafe_line("#![allow(unsafe_code)]"), Some(1));
        assert_eq!(unsafe_line("#[expect(dead_code, unsafe_code)]"), Some(1));
    }

    #[test]
    fn lints_are_inherited_only_in_their_own_section() {
        assert!(inherits_lints("[package]\nname = \"x\"\n\n[lints]\nworkspace = true\n"));
        assert!(!inherits_lints("[package]\nversion.workspace = true\n"));
        assert!(!inherits_lints("[lints]\n[dependencies]\nworkspace = true\n"));
        assert!(!inherits_lints("[lints]\n# workspace = true\n"));
    }
}
