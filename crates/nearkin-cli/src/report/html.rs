//! A page as one HTML file: style and script inside, nothing to fetch.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

use super::{Cell, Page, Part, Section, Table};
use crate::csv::number;
use crate::plot::ink::{dark_style, light_style};
use crate::plot::svg::{embedded, escaped, turns};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What a browser allows on the page: only the page's own styles and script, each identified by
/// its digest. The page loads nothing and sends nothing.
fn policy(styles: &[&str]) -> String {
    let digests: Vec<String> = styles.iter().map(|style| digest(style)).collect();
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; \
         form-action 'none'",
        digest(&format!("\n{SCRIPT}")),
        digests.join(" ")
    )
}

/// The digest of a text as policies name it.
fn digest(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(Sha256::digest(text)))
}

/// The whole file.
pub fn write(page: &Page) -> String {
    let title = escaped(&page.title);
    let styles = [
        format!("\n{STYLE}"),
        format!("\n{}", light_style()),
        format!(
            "\n@media screen and (prefers-color-scheme: dark) {{\n{}}}\n@media screen {{\n{}}}\n",
            dark_style(":root:not([data-theme=light])"),
            dark_style(":root[data-theme=dark]"),
        ),
    ];
    let policy = policy(&[&styles[0], &styles[1], &styles[2]]);
    let [style, figures, dark] = &styles;
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"nearkin {}\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}</title>\n\
         <style>{style}</style>\n<style id=\"figure-style\">{figures}</style>\n\
         <style>{dark}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the answers</a>\n<header>\n<h1>{title}</h1>\n",
        env!("CARGO_PKG_VERSION"),
    );
    text += "<ul>\n";
    for line in &page.summary {
        line_of(&mut text, "li", "", line);
    }
    text += "</ul>\n</header>\n<nav aria-label=\"Questions\"><ul>\n";
    for section in &page.sections {
        let _ =
            writeln!(text, "<li><a href=\"#{}\">{}</a></li>", section.id, escaped(section.short));
    }
    text += "<li class=\"screen\"><button id=\"theme\" type=\"button\" \
             aria-label=\"Change between light and dark\">Dark</button></li>\n</ul></nav>\n\
             <main id=\"main\">\n";
    for section in &page.sections {
        write_section(&mut text, section);
    }
    text += "</main>\n<footer>\n<h2 id=\"made\">How this was made</h2>\n<dl>\n";
    for (name, value) in &page.made {
        let _ =
            writeln!(text, "<dt>{}</dt><dd><code>{}</code></dd>", escaped(name), escaped(value));
    }
    let _ = write!(
        text,
        "</dl>\n</footer>\n<div id=\"tip\" role=\"presentation\"></div>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    );
    text
}

fn line_of(text: &mut String, tag: &str, class: &str, words: &str) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let _ = writeln!(text, "<{tag}{class}>{}</{tag}>", with_code(words));
}

/// Words for the page; backticks set names off, as in the program's messages.
fn with_code(words: &str) -> String {
    let mut safe = String::new();
    for (at, part) in escaped(words).split('`').enumerate() {
        match at % 2 {
            0 => safe += part,
            _ => safe += &format!("<code>{part}</code>"),
        }
    }
    safe
}

fn write_section(text: &mut String, section: &Section) {
    let id = section.id;
    let heading = with_code(&section.heading);
    let _ = writeln!(
        text,
        "<section id=\"{id}\" aria-labelledby=\"{id}-h\">\n<h2 id=\"{id}-h\">{heading}</h2>"
    );
    for part in &section.parts {
        match part {
            Part::Answer(words) => line_of(text, "p", "answer", words),
            Part::Words(words) => line_of(text, "p", "", words),
            Part::Note(words) => line_of(text, "p", "note", words),
            Part::Figures(figures) => {
                text.push_str("<div class=\"figures\">\n");
                for (figure, name) in figures {
                    let _ = writeln!(
                        text,
                        "<figure id=\"{name}\">\n{}\n<div class=\"tools screen\"><button \
                         type=\"button\" class=\"small svg\">Save as SVG</button></div>\n</figure>",
                        embedded(figure, &format!("{name}-svg"))
                    );
                }
                text.push_str("</div>\n");
            }
            Part::Table(table) => write_table(text, table),
            Part::Neighbours(data) => write_neighbours(text, data),
        }
    }
    text.push_str("</section>\n");
}

fn write_table(text: &mut String, table: &Table) {
    let name = table.name;
    let _ = writeln!(
        text,
        "<div class=\"table\" data-name=\"{name}\">\n<div class=\"tools\">\n<input type=\"search\" \
         class=\"grow\" placeholder=\"Filter\" aria-label=\"Filter the rows of {name}\">\n\
         <button type=\"button\" class=\"small csv\">Save as CSV</button>\n\
         <span class=\"kept\" aria-live=\"polite\"></span>\n</div>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\">\n<table>\n\
         <caption><span>{}</span></caption>\n<thead><tr>",
        escaped(&table.caption)
    );
    let numeric = |at: usize| {
        let mut cells = table.rows.iter().map(|row| &row[at]);
        cells.clone().any(|cell| cell.number().is_some())
            && cells.all(|cell| !matches!(cell, Cell::Text(_)))
    };
    let numeric: Vec<bool> = (0..table.head.len()).map(numeric).collect();
    for (head, &numeric) in table.head.iter().zip(&numeric) {
        let class = if numeric { " class=\"number\"" } else { "" };
        let head = escaped(head);
        let _ =
            write!(text, "<th scope=\"col\"{class}><button type=\"button\">{head}</button></th>");
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        text.push_str("<tr>");
        for cell in row {
            let shown = cell.shown();
            let shown = escaped(&shown);
            let _ = match cell.number() {
                Some(value) => {
                    write!(text, "<td class=\"number\" data-v=\"{}\">{shown}</td>", number(value))
                }
                None => write!(text, "<td>{shown}</td>"),
            };
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table>\n</div>\n</div>\n");
}

fn write_neighbours(text: &mut String, data: &serde_json::Value) {
    let first = &data["rows"][0]["number"];
    let last = data["most"].as_u64().unwrap_or(0);
    // Inside a script only `<` could end it.
    let json: String = data.to_string().replace('<', "\\u003c");
    let json: String = json.chars().map(|c| if turns(c) { '\u{fffd}' } else { c }).collect();
    let _ = writeln!(
        text,
        "<div id=\"neighbours\">\n<div class=\"tools\"><label for=\"row\">Row</label>\n\
         <input id=\"row\" type=\"number\" min=\"0\" max=\"{last}\" value=\"{first}\"></div>\n\
         <div class=\"found\" aria-live=\"polite\"><p class=\"quiet\">This part needs \
         JavaScript.</p></div>\n</div>\n\
         <script type=\"application/json\" id=\"neighbour-data\">{json}</script>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_from_a_table_cannot_become_tags() {
        let mut section = Section::new("s", "S", "<b>?");
        section.add(Part::Words("the column `<img src=x>` & more".into()));
        let rows =
            vec![vec![Cell::Text("<i>".into()), Cell::Number(0.1 + 0.2), Cell::Chance(3e-9)]];
        let head = vec!["a\"".into(), "b".into(), "p".into()];
        section.add(Part::Table(Table { name: "t", caption: "<u>".into(), head, rows }));
        let data = serde_json::json!({ "rows": [{ "number": 0, "label": "</script>\u{202e}" }] });
        section.add(Part::Neighbours(data));
        let page = Page {
            title: "<script>alert(1)</script>".into(),
            summary: vec!["<br>".into()],
            sections: vec![section],
            made: vec![("command".into(), "nearkin report '<x>'".into())],
        };
        let text = write(&page);
        for tag in ["<b>?", "<img", "<i>", "<u>", "<br>", "<x>", "<script>alert", "\"</script>\""] {
            assert!(!text.contains(tag), "{tag}");
        }
        assert!(!text.contains('\u{202e}'));
        assert!(text.contains("<code>&lt;img src=x&gt;</code> &amp; more"));
        assert!(text.contains("data-v=\"0.30000000000000004\">0.3</td>"));
        assert!(text.contains("data-v=\"3e-9\">&lt; 0.0001</td>"), "{text}");
    }
    #[test]
    fn the_policy_names_every_style_and_script_of_the_page() {
        let page =
            Page { title: "t".into(), summary: Vec::new(), sections: Vec::new(), made: Vec::new() };
        let text = write(&page);
        let policy = text.split_once("Content-Security-Policy\" content=\"").unwrap().1;
        let policy = policy.split_once("\">").unwrap().0;
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"));
        for tag in ["style", "script"] {
            for part in text.split(&format!("<{tag}")).skip(1) {
                let inside = part.split_once('>').unwrap().1;
                let inside = inside.split_once(&format!("</{tag}>")).unwrap().0;
                assert!(policy.contains(&digest(inside)), "{tag}: {inside}");
            }
        }
        // Attributes with styles or actions would not be applied.
        assert!(!text.contains(" style=") && !text.contains(" onclick="));
    }
}
