//! Pictures: a [`Figure`] is a list of marks, drawn by a chart and written as SVG, from which PNG
//! is made.
//!
//! Charts ([`bars`], [`dots`], [`lines`], [`heat`], [`histogram`], [`laws`], [`manhattan`],
//! [`margins`], [`sticks`]) decide the marks and write no files. Writers ([`svg`], [`png`]) write any marks.
//! A colour is an [`Ink`], so that a page can show the same figure on a light or a dark ground.

pub mod bars;
pub mod dots;
pub mod file;
mod frame;
pub mod heat;
pub mod histogram;
pub mod ink;
pub mod laws;
pub mod lines;
pub mod manhattan;
pub mod margins;
pub mod png;
mod scale;
pub mod sticks;
pub mod svg;

pub use ink::Ink;

/// A drawing, with a title and a description for readers who cannot see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// The title.
    pub title: String,
    /// The description for readers who cannot see it.
    pub about: String,
    /// The marks, the lowest first.
    pub marks: Vec<Mark>,
}

/// One thing drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// The shape and its place.
    pub shape: Shape,
    /// Its colour.
    pub ink: Ink,
    /// The text shown when the pointer is over it.
    pub tip: Option<String>,
}

/// A point of a drawing, from its upper left corner.
pub type Point = (f64, f64);

/// The shapes that charts are made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A filled box.
    Box {
        /// Its upper left corner.
        at: Point,
        /// Width and height.
        size: Point,
    },
    /// A line through points.
    Line {
        /// The points.
        points: Vec<Point>,
        /// Its width.
        width: f64,
    },
    /// A filled shape with straight sides.
    Area(Vec<Point>),
    /// A filled circle.
    Disc {
        /// Its centre.
        at: Point,
        /// Its radius.
        radius: f64,
    },
    /// A line of text.
    Text {
        /// Where it stands, on its base line.
        at: Point,
        /// Its size.
        size: f64,
        /// Which part of it is at that point.
        anchor: Anchor,
        /// True when it runs upwards.
        upward: bool,
        /// The words.
        text: String,
    },
    /// Cells of colour, row by row.
    Picture {
        /// Its upper left corner.
        at: Point,
        /// Width and height.
        size: Point,
        /// Cells in a row.
        columns: usize,
        /// Their colours.
        cells: Vec<[u8; 3]>,
    },
}

/// Which part of a text is at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

impl Figure {
    /// An empty figure.
    pub fn new(width: f64, height: f64, title: impl Into<String>) -> Self {
        let (title, about) = (title.into(), String::new());
        Self { width, height, title, about, marks: Vec::new() }
    }

    /// Draw a shape.
    pub fn draw(&mut self, ink: Ink, shape: Shape) {
        self.marks.push(Mark { shape, ink, tip: None });
    }

    /// Draw a shape with a text that is shown when the pointer is over it.
    pub fn draw_told(&mut self, ink: Ink, shape: Shape, tip: impl Into<String>) {
        self.marks.push(Mark { shape, ink, tip: Some(tip.into()) });
    }

    /// Write a line of text.
    pub fn write(&mut self, ink: Ink, at: Point, anchor: Anchor, text: impl Into<String>) {
        let text = Shape::Text { at, size: TEXT, anchor, upward: false, text: text.into() };
        self.draw(ink, text);
    }

    /// Draw a straight line.
    pub fn rule(&mut self, ink: Ink, from: Point, to: Point, width: f64) {
        self.draw(ink, Shape::Line { points: vec![from, to], width });
    }
}

/// The size of text.
pub const TEXT: f64 = 13.0;

/// An estimated width of a text; it errs on the large side.
pub fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * TEXT * 0.56
}

/// A text cut to at most `most` characters, so that a long name leaves room for the rest.
pub fn shortened(text: &str, most: usize) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    match text.chars().count() > most {
        true => clean.take(most.saturating_sub(1)).chain(['…']).collect(),
        false => clean.collect(),
    }
}

/// A number with four significant digits.
pub fn told(value: f64) -> String {
    let size = value.abs();
    match size {
        0.0 => "0".into(),
        _ if !(1e-4..1e6).contains(&size) => format!("{value:.2e}"),
        _ => {
            let decimals = (3 - size.log10().floor() as i32).clamp(0, 7) as usize;
            let text = format!("{value:.decimals$}");
            match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => text,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_significant_digits() {
        let told: Vec<String> =
            [0.0, 0.375_44, -12.0, 1234.56, 0.000_012_3, 2.5e7].map(told).to_vec();
        assert_eq!(told, ["0", "0.3754", "-12", "1235", "1.23e-5", "2.50e7"]);
    }

    #[test]
    fn a_long_name_is_cut_and_says_so() {
        assert_eq!(shortened("petal\nlength", 20), "petal length");
        assert_eq!(shortened("petal_length", 6), "petal…");
    }
}
