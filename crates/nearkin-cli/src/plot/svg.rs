//! A figure as Scalable Vector Graphics.

use std::borrow::Cow;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;

use super::ink::{hex, light_style};
use super::{Anchor, Figure, Ink, Mark, Shape, png};

/// True for marks that turn the direction of the words after them: a name with such a mark could
/// make its neighbours read as something else.
pub fn turns(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// A text as it may stand between tags or in quotes; characters that XML has no place for, and marks
/// that turn the direction of words, are replaced.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let odd = |c: char| {
        matches!(c, '&' | '<' | '>' | '"' | '\'')
            || turns(c)
            || (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{fffe}' | '\u{ffff}')
    };
    if !text.contains(odd) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            c if odd(c) => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    Cow::Owned(safe)
}

/// A file of its own: it holds its colours and has a white background.
pub fn alone(figure: &Figure) -> String {
    let ground = format!(
        "<style>{}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        light_style()
    );
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", element(figure, "figure", &ground))
}

/// An element for a page that defines the colours; `id` must be unique on that page.
pub fn embedded(figure: &Figure, id: &str) -> String {
    element(figure, id, "")
}

fn element(figure: &Figure, id: &str, ground: &str) -> String {
    let (width, height) = (short(figure.width), short(figure.height));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\" \
         font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\">\n\
         <title id=\"{id}-t\">{}</title>\n<desc id=\"{id}-d\">{}</desc>\n{ground}",
        escaped(&figure.title),
        escaped(&figure.about)
    );
    figure.marks.iter().for_each(|mark| draw(&mut text, mark));
    text.push_str("</svg>");
    text
}

fn draw(text: &mut String, Mark { shape, ink, tip }: &Mark) {
    let inside = match tip {
        Some(tip) => format!("<title>{}</title>", escaped(tip)),
        None => String::new(),
    };
    let fill = paint(*ink, "f", "fill");
    // Writing into a string cannot fail.
    let _ = match shape {
        Shape::Box { at: (x, y), size: (w, h) } => {
            let (x, y, w, h) = (short(*x), short(*y), short(*w), short(*h));
            close(
                text,
                &format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" {fill}"),
                "rect",
                &inside,
            )
        }
        Shape::Disc { at: (x, y), radius } => {
            let (x, y, r) = (short(*x), short(*y), short(*radius));
            close(
                text,
                &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" {fill}"),
                "circle",
                &inside,
            )
        }
        Shape::Area(points) => close(
            text,
            &format!("<polygon points=\"{}\" {fill}", listed(points)),
            "polygon",
            &inside,
        ),
        Shape::Line { points, width } => {
            let stroke = paint(*ink, "l", "stroke");
            let (points, width) = (listed(points), short(*width));
            close(
                text,
                &format!("<polyline points=\"{points}\" stroke-width=\"{width}\" {stroke}"),
                "polyline",
                &inside,
            )
        }
        Shape::Text { at: (x, y), size, anchor, upward, text: words } => {
            let (x, y, size) = (short(*x), short(*y), short(*size));
            let turn = match upward {
                true => format!(" transform=\"rotate(-90 {x} {y})\""),
                false => String::new(),
            };
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            writeln!(
                text,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\"{turn} \
                 {fill}>{}</text>",
                escaped(words)
            )
        }
        Shape::Picture { at: (x, y), size: (w, h), columns, cells } => {
            let (x, y, w, h) = (short(*x), short(*y), short(*w), short(*h));
            let data = BASE64.encode(png::encode(*columns, cells));
            writeln!(
                text,
                "<image x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" \
                 preserveAspectRatio=\"none\" image-rendering=\"pixelated\" \
                 href=\"data:image/png;base64,{data}\"/>"
            )
        }
    };
}

fn close(text: &mut String, begun: &str, name: &str, inside: &str) -> std::fmt::Result {
    match inside {
        "" => writeln!(text, "{begun}/>"),
        inside => writeln!(text, "{begun}>{inside}</{name}>"),
    }
}

fn paint(ink: Ink, kind: &str, property: &str) -> String {
    match ink.class() {
        Some(name) => format!("class=\"{kind}-{name}\""),
        None => format!("{property}=\"{}\"", hex(ink.light())),
    }
}

fn listed(points: &[(f64, f64)]) -> String {
    let pairs: Vec<String> =
        points.iter().map(|&(x, y)| format!("{},{}", short(x), short(y))).collect();
    pairs.join(" ")
}

/// A length to a hundredth of a pixel.
fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_break_out_of_the_figure() {
        let mut figure = Figure::new(10.0, 10.0, "</title><script>alert(1)</script>");
        figure.write(Ink::Text, (0.0, 0.0), Anchor::Start, "a\"b<&\u{1}\u{202e}");
        let text = alone(&figure);
        assert!(!text.contains("<script"), "{text}");
        assert!(text.contains("a&quot;b&lt;&amp;\u{fffd}\u{fffd}"), "{text}");
    }
}
