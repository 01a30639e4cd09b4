//! A figure as pixels, with soft edges.

use super::font;
use super::{Anchor, Figure, Mark, Shape};

/// Pixels a unit of the figure, so that thin lines stay sharp.
pub const SCALE: f64 = 2.0;

/// Rows of pixels.
pub struct Pixels {
    /// How many in a row.
    pub width: usize,
    height: usize,
    /// Their colours, row by row.
    pub cells: Vec<[u8; 3]>,
}

/// Paint a figure on white.
pub fn paint(figure: &Figure) -> Pixels {
    let [width, height] = [figure.width, figure.height].map(|side| (side * SCALE).ceil() as usize);
    let mut pixels = Pixels { width, height, cells: vec![[255; 3]; width * height] };
    figure.marks.iter().for_each(|mark| pixels.mark(mark));
    pixels
}

impl Pixels {
    fn mark(&mut self, Mark { shape, ink, .. }: &Mark) {
        let colour = ink.light();
        let scaled = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
            points.iter().map(|&(x, y)| (x * SCALE, y * SCALE)).collect()
        };
        match shape {
            Shape::Box { at: (x, y), size: (w, h) } => {
                let (x0, y0, x1, y1) = (x * SCALE, y * SCALE, (x + w) * SCALE, (y + h) * SCALE);
                let within = |low: f64, high: f64, at: f64| {
                    (high.min(at + 0.5) - low.max(at - 0.5)).clamp(0.0, 1.0)
                };
                let cover = |px: f64, py: f64| within(x0, x1, px) * within(y0, y1, py);
                self.blend((x0, y0), (x1, y1), colour, cover);
            }
            Shape::Disc { at: (x, y), radius } => {
                let (x, y, r) = (x * SCALE, y * SCALE, radius * SCALE);
                let cover = |px: f64, py: f64| r - (px - x).hypot(py - y) + 0.5;
                self.blend((x - r, y - r), (x + r, y + r), colour, cover);
            }
            Shape::Line { points, width } => self.stroke(&scaled(points), width * SCALE, colour),
            Shape::Area(points) => self.area(&scaled(points), colour),
            Shape::Text { at, size, anchor, upward, text } => {
                let (strokes, width) = font::strokes(text);
                let begun = match anchor {
                    Anchor::Start => 0.0,
                    Anchor::Middle => -width / 2.0,
                    Anchor::End => -width,
                };
                for stroke in strokes {
                    let placed = stroke.into_iter().map(|(x, y)| {
                        let (x, y) = ((x + begun) * size, y * size);
                        match upward {
                            true => ((at.0 + y) * SCALE, (at.1 - x) * SCALE),
                            false => ((at.0 + x) * SCALE, (at.1 + y) * SCALE),
                        }
                    });
                    self.stroke(&placed.collect::<Vec<_>>(), size * 0.085 * SCALE, colour);
                }
            }
            Shape::Picture { at, size, columns, cells } => {
                let rows = cells.len() / (*columns).max(1);
                let [x0, y0] = [at.0 * SCALE, at.1 * SCALE].map(|v| v.round().max(0.0) as usize);
                let [w, h] = [size.0 * SCALE, size.1 * SCALE].map(|v| v.round() as usize);
                for y in 0..h.min(self.height.saturating_sub(y0)) {
                    for x in 0..w.min(self.width.saturating_sub(x0)) {
                        let cell = (y * rows / h) * columns + x * columns / w;
                        self.cells[(y0 + y) * self.width + x0 + x] = cells[cell];
                    }
                }
            }
        }
    }

    /// A line through points, with round ends and joints.
    fn stroke(&mut self, points: &[(f64, f64)], width: f64, colour: [u8; 3]) {
        let r = width / 2.0;
        for pair in points.windows(2) {
            let [(ax, ay), (bx, by)] = [pair[0], pair[1]];
            let (dx, dy) = (bx - ax, by - ay);
            let squared = dx * dx + dy * dy;
            let cover = |px: f64, py: f64| {
                let along = match squared > 0.0 {
                    true => (((px - ax) * dx + (py - ay) * dy) / squared).clamp(0.0, 1.0),
                    false => 0.0,
                };
                r - (px - ax - along * dx).hypot(py - ay - along * dy) + 0.5
            };
            let low = (ax.min(bx) - r, ay.min(by) - r);
            self.blend(low, (ax.max(bx) + r, ay.max(by) + r), colour, cover);
        }
    }

    /// The inside of a closed line, from sixteen looks into each pixel.
    fn area(&mut self, points: &[(f64, f64)], colour: [u8; 3]) {
        let end = |pick: fn(f64, f64) -> f64, start: f64| {
            points.iter().fold((start, start), |m, p| (pick(m.0, p.0), pick(m.1, p.1)))
        };
        let (low, high) = (end(f64::min, f64::INFINITY), end(f64::max, f64::NEG_INFINITY));
        if points.is_empty() {
            return;
        }
        let inside = |x: f64, y: f64| {
            let next = points.iter().cycle().skip(1);
            let crossed = points.iter().zip(next).filter(|(a, b)| {
                (a.1 > y) != (b.1 > y) && x < (b.0 - a.0) * (y - a.1) / (b.1 - a.1) + a.0
            });
            crossed.count() % 2 == 1
        };
        let cover = |px: f64, py: f64| {
            let look = |at: usize| -0.375 + 0.25 * at as f64;
            let seen = (0..16).filter(|at| inside(px + look(at % 4), py + look(at / 4))).count();
            seen as f64 / 16.0
        };
        self.blend(low, high, colour, cover);
    }

    /// Lay `colour` over the pixels between two corners, as much as `cover` says of each.
    fn blend(
        &mut self,
        low: (f64, f64),
        high: (f64, f64),
        colour: [u8; 3],
        cover: impl Fn(f64, f64) -> f64,
    ) {
        let first = |v: f64| (v - 1.0).floor().max(0.0) as usize;
        let last = |v: f64, most: usize| ((v + 1.0).ceil().max(0.0) as usize).min(most);
        for y in first(low.1)..last(high.1, self.height) {
            for x in first(low.0)..last(high.0, self.width) {
                let share = cover(x as f64 + 0.5, y as f64 + 0.5).clamp(0.0, 1.0);
                if share > 0.0 {
                    let cell = &mut self.cells[y * self.width + x];
                    for (old, new) in cell.iter_mut().zip(colour) {
                        let mixed = f64::from(*old) + (f64::from(new) - f64::from(*old)) * share;
                        *old = mixed.round() as u8;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Ink;

    fn painted(shape: Shape) -> Pixels {
        let mut figure = Figure::new(10.0, 10.0, "t");
        figure.draw(Ink::Text, shape);
        paint(&figure)
    }

    /// How much of the picture is covered, in units of the figure.
    fn ink_of(pixels: &Pixels) -> f64 {
        let full = 255.0 - f64::from(Ink::Text.light()[0]);
        let covered = pixels.cells.iter().map(|c| (255.0 - f64::from(c[0])) / full);
        covered.sum::<f64>() / SCALE / SCALE
    }

    #[test]
    fn shapes_cover_their_area() {
        let near = |shape, area: f64| {
            let found = ink_of(&painted(shape));
            assert!((found - area).abs() < 0.35, "{found} is not {area}");
        };
        near(Shape::Box { at: (1.3, 2.0), size: (4.2, 3.0) }, 12.6);
        near(Shape::Disc { at: (5.0, 5.0), radius: 3.0 }, 28.27);
        near(Shape::Area(vec![(1.0, 1.0), (9.0, 2.0), (1.0, 8.5)]), 30.0);
        near(Shape::Line { points: vec![(2.0, 5.0), (8.0, 5.0)], width: 1.0 }, 6.78);
    }

    #[test]
    fn what_lies_outside_is_left_out() {
        painted(Shape::Box { at: (-5.0, -5.0), size: (100.0, 100.0) });
        painted(Shape::Disc { at: (-50.0, 5.0), radius: 3.0 });
        let text = "wider than the picture".to_owned();
        let (at, size, anchor) = ((9.0, 5.0), 13.0, Anchor::Start);
        painted(Shape::Text { at, size, anchor, upward: true, text });
        let cells = vec![[1, 2, 3]; 4];
        painted(Shape::Picture { at: (5.0, 5.0), size: (90.0, 90.0), columns: 2, cells });
    }
}
