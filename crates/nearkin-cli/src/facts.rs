//! The guide's pages about methods, for the terminal.
//!
//! `data/facts.md` holds the pages from their titles to their examples; the test of the guide
//! writes it and fails when it differs from them.

const PAGES: &str = include_str!("../data/facts.md");
const MARKS: [&str; 3] = ["Cost: ", "When to use: ", "Reference: "];

/// The page of a method, in parts.
#[derive(Debug, Default, PartialEq)]
pub struct Facts {
    /// All of it, as text without links.
    pub text: String,
    /// A description.
    pub what: Option<String>,
    /// Its formulas, a text each.
    pub formulas: Vec<String>,
    /// When to use it, and when not.
    pub when: Option<String>,
    /// Its cost in time and memory.
    pub cost: Option<String>,
    /// Where it was published.
    pub reference: Option<String>,
}

impl Facts {
    /// The page of the method `id`, which answers `question`.
    pub fn of(question: &str, id: &str) -> Option<Self> {
        let head = format!("# {question} {id}\n\n");
        let (_, page) = PAGES.split_once(&head)?;
        let page = page.split("\n\n# ").next()?;
        Some(Self::read(&without_links(page.trim())))
    }

    fn read(text: &str) -> Self {
        let (head, when) = text.split_once("\n## ").unwrap_or((text, ""));
        let mut facts = Self { text: text.replace("\n## ", "\n"), ..Self::default() };
        facts.text = facts.text.replace("```text\n", "").replace("```\n", "");
        let mut what = Vec::new();
        for (at, part) in head.split("```").enumerate() {
            match at % 2 {
                1 => facts.formulas.push(part.trim_start_matches("text").trim_matches('\n').into()),
                _ => what.push(part.trim()),
            }
        }
        let mut rest = what.join("\n\n");
        let cost = taken(&mut rest, MARKS[0]);
        let used = taken(&mut rest, MARKS[1]);
        facts.reference = taken(&mut rest, MARKS[2]);
        let not = when.split_once('\n').map(|(_, body)| one_line(body));
        let when: Vec<String> =
            [used, not].into_iter().flatten().filter(|t| !t.is_empty()).collect();
        facts.cost = cost;
        facts.when = (!when.is_empty()).then(|| when.join(" "));
        facts.what = Some(
            rest.split("\n\n")
                .map(one_line)
                .filter(|p| !p.is_empty())
                .collect::<Vec<_>>()
                .join("\n"),
        );
        facts
    }
}

/// Removes from `text`, and returns, the part from `mark` to the next mark or the paragraph's end.
fn taken(text: &mut String, mark: &str) -> Option<String> {
    let start = text.find(mark)?;
    let body = start + mark.len();
    let ends = MARKS.iter().chain(&["\n\n"]).filter_map(|end| text[body..].find(end));
    let end = ends.min().map_or(text.len(), |at| body + at);
    let found = one_line(&text[body..end]);
    text.replace_range(start..end, "");
    Some(found)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `[words](target)` as words.
fn without_links(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("](") {
        let Some(open) = rest[..at].rfind('[') else { break };
        let Some(end) = rest[at..].find(')') else { break };
        plain += &rest[..open];
        plain += &rest[open + 1..at];
        rest = &rest[at + end + 1..];
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_comes_apart() {
        let page = "Sums: all of it.\n\n```text\na = b\n```\n\nAnd more\nhere. Cost: n.\n\nReference: A. B.\n\n\
                    ## When not to use it\n\nNot for [words](x.md).";
        let facts = Facts::read(&without_links(page));
        assert_eq!(facts.what.as_deref(), Some("Sums: all of it.\nAnd more here."));
        assert_eq!(facts.formulas, ["a = b"]);
        assert_eq!(facts.cost.as_deref(), Some("n."));
        assert_eq!(facts.reference.as_deref(), Some("A. B."));
        assert_eq!(facts.when.as_deref(), Some("Not for words."));
        assert!(!facts.text.contains("```") && !facts.text.contains('#'));
    }

    #[test]
    fn every_page_is_found() {
        for (question, id) in [("weigh", "relieff"), ("weigh", "vls"), ("classify", "psvm")] {
            let facts = Facts::of(question, id).unwrap_or_default();
            assert!(
                facts.cost.is_some() && facts.when.is_some() && facts.reference.is_some(),
                "{id}"
            );
        }
        assert_eq!(Facts::of("weigh", "sda"), None);
    }
}
