//! Bars around an axis: negative weights to the left, positive ones to the right.

use crate::screen::Style;

/// Cells for the longest bar, and for both sides together when there are two.
const WIDTH: usize = 30;

const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// Draws bars to one scale.
pub struct Bars {
    style: Style,
    left: usize,
    right: usize,
    per_cell: f64,
}

impl Bars {
    /// Bars for these weights.
    pub fn new(weights: impl Iterator<Item = f64>, style: Style) -> Self {
        let (mut low, mut high) = (0.0f64, 0.0f64);
        for weight in weights.filter(|w| w.is_finite()) {
            (low, high) = (low.min(weight), high.max(weight));
        }
        let per_cell = (high - low) / WIDTH as f64;
        let cells = |size: f64| match size > 0.0 {
            true => ((size / per_cell).ceil() as usize).clamp(1, WIDTH),
            false => 0,
        };
        Self { style, left: cells(-low), right: cells(high), per_cell }
    }

    /// The bar of `weight`, axis included.
    pub fn draw(&self, weight: f64) -> String {
        let length = match self.per_cell > 0.0 {
            true => (weight.abs() / self.per_cell).min(WIDTH as f64),
            false => 0.0,
        };
        let axis = if self.style == Style::Rich { '│' } else { '|' };
        let none = " ".repeat(self.left);
        match (weight < 0.0, self.style) {
            (true, _) => {
                // Blocks grow from the left, so a leftward bar is in whole cells.
                let full = (length.round() as usize).min(self.left);
                let bar = self.block().to_string().repeat(full);
                let gap = " ".repeat(self.left - full);
                format!("{gap}{}{axis}", self.colour(&bar, 31))
            }
            (false, Style::Plain) => {
                let full = (length.round() as usize).min(self.right);
                format!("{none}{axis}{}", "#".repeat(full))
            }
            (false, Style::Rich) => {
                let eighths = (length * 8.0).round() as usize;
                let mut bar = "█".repeat(eighths / 8);
                if !eighths.is_multiple_of(8) {
                    bar.push(EIGHTHS[eighths % 8]);
                }
                format!("{none}{axis}{}", self.colour(&bar, 32))
            }
        }
    }

    fn block(&self) -> char {
        if self.style == Style::Rich { '█' } else { '#' }
    }

    fn colour(&self, bar: &str, code: u8) -> String {
        match self.style == Style::Rich && !bar.is_empty() {
            true => format!("\x1b[{code}m{bar}\x1b[0m"),
            false => bar.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_bars_go_left_and_positive_ones_right_of_one_axis() {
        let bars = Bars::new([2.0, -1.0, 0.0].into_iter(), Style::Plain);
        assert_eq!(bars.draw(2.0), format!("{}|{}", " ".repeat(10), "#".repeat(20)));
        assert_eq!(bars.draw(-1.0), format!("{}|", "#".repeat(10)));
        assert_eq!(bars.draw(0.0), format!("{}|", " ".repeat(10)));
    }

    #[test]
    fn weights_that_are_all_zero_draw_nothing() {
        assert_eq!(Bars::new([0.0; 3].into_iter(), Style::Plain).draw(0.0), "|");
    }

    #[test]
    fn fine_bars_end_in_a_part_of_a_block() {
        let bars = Bars::new([30.0].into_iter(), Style::Rich);
        assert_eq!(bars.draw(1.5), "│\x1b[32m█▌\x1b[0m");
    }
}
