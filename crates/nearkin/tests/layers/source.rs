//! Rust text as words and signs, with just enough grammar to find where paths lead.

/// A word or a sign, and the line it stands in.
#[derive(Debug, Clone, PartialEq)]
struct Token {
    text: String,
    line: usize,
}

/// A name looked up at the crate's root.
#[derive(Debug, PartialEq)]
pub struct Reference {
    pub name: String,
    pub line: usize,
}

/// The words and signs of a file; comments and literals are gone.
#[derive(Debug)]
pub struct Tokens(Vec<Token>);

impl Tokens {
    /// Read `text`.
    pub fn of(text: &str) -> Self {
        let mut found = Vec::new();
        let chars: Vec<char> = text.chars().collect();
        let (mut at, mut line) = (0, 1);
        while at < chars.len() {
            let end = match word_end(&chars, at) {
                Some(end) => {
                    found.push(Token { text: chars[at..end].iter().collect(), line });
                    end
                }
                None => match skipped(&chars, at) {
                    Some(end) => end,
                    None if chars[at..].starts_with(&[':', ':']) => {
                        found.push(Token { text: "::".into(), line });
                        at + 2
                    }
                    None => {
                        found.push(Token { text: chars[at].to_string(), line });
                        at + 1
                    }
                },
            };
            line += chars[at..end].iter().filter(|c| **c == '\n').count();
            at = end;
        }
        Self(found)
    }

    fn text(&self, at: usize) -> &str {
        self.0.get(at).map_or("", |token| &token.text)
    }

    fn is(&self, at: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(i, word)| self.text(at + i) == *word)
    }

    /// Where what opens at `at` is closed.
    fn close(&self, at: usize) -> usize {
        let mut depth = 0usize;
        for i in at..self.0.len() {
            match self.text(i) {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" if depth <= 1 => return i,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
        }
        self.0.len()
    }

    /// The same without items under `#[cfg(test)]`.
    pub fn without_tests(self) -> Self {
        let mut kept = Vec::new();
        let mut at = 0;
        while at < self.0.len() {
            if !self.is(at, &["#", "[", "cfg", "(", "test", ")", "]"]) {
                kept.push(self.0[at].clone());
                at += 1;
                continue;
            }
            // The item ends with its block, or with a semicolon before any.
            at += 7;
            while at < self.0.len() {
                match self.text(at) {
                    ";" => break,
                    "{" => {
                        at = self.close(at);
                        // `use a::{b, c};` goes on.
                        if self.text(at + 1) != ";" {
                            break;
                        }
                    }
                    "(" | "[" => at = self.close(at),
                    _ => {}
                }
                at += 1;
            }
            at += 1;
        }
        Self(kept)
    }

    /// Every name that a file of `module` looks up at the crate's root, by `crate::` or by
    /// climbing there with `super::`; `*` and `as` when it takes the root as a whole.
    pub fn root_references(&self, module: &[String]) -> Vec<Reference> {
        let mut found = Vec::new();
        // Where each inline module around here is closed.
        let mut inside: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < self.0.len() {
            inside.retain(|&end| at < end);
            if self.text(at) == "mod" && self.text(at + 2) == "{" {
                inside.push(self.close(at + 2));
            }
            let mut rest = at;
            let depth = module.len() + inside.len();
            let at_root = match self.text(at) {
                "crate" => self.text(at + 1) == "::" || self.text(at + 1) == "as",
                "super" => {
                    let mut supers = 1;
                    while self.is(rest + 1, &["::", "super"]) {
                        rest += 2;
                        supers += 1;
                    }
                    supers >= depth
                }
                _ => false,
            };
            if at_root {
                match self.text(rest + 1) {
                    "::" => self.first_names(rest + 2, &mut found),
                    _ => found.extend(self.reference(rest + 1)),
                }
            }
            at = rest + 1;
        }
        found
    }

    fn reference(&self, at: usize) -> Option<Reference> {
        self.0.get(at).map(|token| Reference { name: token.text.clone(), line: token.line })
    }

    /// The first name of each path in the use tree at `at`.
    fn first_names(&self, at: usize, found: &mut Vec<Reference>) {
        if self.text(at) != "{" {
            found.extend(self.reference(at));
            return;
        }
        let end = self.close(at);
        let mut branch = at + 1;
        while branch < end {
            self.first_names(branch, found);
            while branch < end && self.text(branch) != "," {
                branch = if self.text(branch) == "{" { self.close(branch) } else { branch } + 1;
            }
            branch += 1;
        }
    }

    /// The modules this file declares.
    pub fn modules(&self) -> Vec<String> {
        let declared = (0..self.0.len())
            .filter(|&at| self.text(at) == "mod" && [";", "{"].contains(&self.text(at + 2)));
        declared.map(|at| self.text(at + 1).to_owned()).collect()
    }

    /// Names that `pub use module::…` lifts to this file's level, with their module.
    pub fn lifted(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for at in (0..self.0.len()).filter(|&at| self.is(at, &["pub", "use"])) {
            let module = self.text(at + 2).to_owned();
            let mut names = Vec::new();
            self.first_names(at + 4, &mut names);
            all.extend(names.into_iter().map(|name| (name.name, module.clone())));
        }
        all
    }

    /// Types this file shows to everybody: structs, enums, traits and other names of types.
    pub fn public_types(&self) -> Vec<String> {
        let kinds = ["struct", "enum", "trait", "type"];
        let shown = |at: &usize| self.text(*at) == "pub" && kinds.contains(&self.text(at + 1));
        let names = (0..self.0.len()).filter(shown).map(|at| self.text(at + 2).to_owned());
        names.filter(|name| name.starts_with(char::is_alphabetic)).collect()
    }

    /// Macros this file puts at the crate's root.
    pub fn exported_macros(&self) -> Vec<String> {
        let exported = ["#", "[", "macro_export", "]", "macro_rules", "!"];
        let found = (0..self.0.len()).filter(|&at| self.is(at, &exported));
        found.map(|at| self.text(at + exported.len()).to_owned()).collect()
    }

    /// The first line that says `unsafe`, or lets it be said.
    pub fn says_unsafe(&self) -> Option<usize> {
        let lets = |at: usize| {
            let opened = (0..at).rev().find(|&i| self.text(i) == "(" && self.close(i) > at);
            opened.is_some_and(|open| {
                open > 0 && ["allow", "expect", "warn"].contains(&self.text(open - 1))
            })
        };
        let found = (0..self.0.len()).find(|&at| match self.text(at) {
            "unsafe" => true,
            "unsafe_code" => lets(at),
            _ => false,
        });
        found.map(|at| self.0[at].line)
    }
}

fn word_end(chars: &[char], at: usize) -> Option<usize> {
    let is_word = |c: &char| c.is_alphanumeric() || *c == '_';
    let end = at + chars[at..].iter().take_while(|c| is_word(c)).count();
    let prefix: String = chars[at..end].iter().collect();
    // `r"…"`, `b'…'` and the like begin as words do; `r#name` is a word.
    let literal = ["r", "b", "c", "br", "cr"].contains(&prefix.as_str())
        && matches!(chars.get(end), Some('"' | '#' | '\''))
        && (chars[end] != '#' || chars[end..].iter().find(|c| **c != '#') == Some(&'"'));
    (end > at && !literal).then_some(end)
}

/// The end of the blank, comment or literal at `at`.
fn skipped(chars: &[char], at: usize) -> Option<usize> {
    let rest = &chars[at..];
    if rest[0].is_whitespace() {
        return Some(at + 1);
    }
    if rest.starts_with(&['/', '/']) {
        return Some(at + rest.iter().take_while(|c| **c != '\n').count());
    }
    if rest.starts_with(&['/', '*']) {
        return Some(at + block_comment(rest));
    }
    let prefix = rest.iter().take_while(|c| c.is_alphabetic()).count();
    let raw = rest[..prefix].contains(&'r');
    let hashes = rest[prefix..].iter().take_while(|c| **c == '#').count();
    match rest.get(prefix + if raw { hashes } else { 0 })? {
        '"' if raw => Some(at + raw_string(rest, prefix + hashes + 1, hashes)),
        '"' => Some(at + quoted(rest, prefix + 1, '"')),
        // A lifetime has no closing quote after its one letter.
        '\'' if rest.get(prefix + 1) == Some(&'\\') || rest.get(prefix + 2) == Some(&'\'') => {
            Some(at + quoted(rest, prefix + 1, '\''))
        }
        _ => None,
    }
}

fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut i) = (1, 2);
    while depth > 0 && i < rest.len() {
        let step = match rest[i..] {
            ['/', '*', ..] => 1,
            ['*', '/', ..] => -1,
            _ => 0,
        };
        depth += step;
        i += if step == 0 { 1 } else { 2 };
    }
    i
}

fn raw_string(rest: &[char], mut i: usize, hashes: usize) -> usize {
    while i < rest.len() {
        i += 1;
        if rest[i - 1] == '"'
            && rest[i..].iter().take(hashes).filter(|c| **c == '#').count() == hashes
        {
            return i + hashes;
        }
    }
    i
}

fn quoted(rest: &[char], mut i: usize, end: char) -> usize {
    while i < rest.len() && rest[i] != end {
        i += if rest[i] == '\\' { 2 } else { 1 };
    }
    (i + 1).min(rest.len())
}
