//! Dots in rows: a row for each name, a dot for each series, by colour and form.

use super::frame::{self, Area, LINE};
use super::scale::Scale;
use super::{Anchor, Figure, Ink, shortened, told};

/// `values[series][row]` as dots, with a line from the least to the largest of a row.
pub fn draw(
    (title, axis): (&str, &str),
    rows: &[String],
    series: &[String],
    values: &[Vec<f64>],
    width: f64,
) -> Figure {
    let left = frame::room_for(rows.iter().map(String::as_str), width);
    let lines = frame::legend_lines(series, width - 8.0);
    let top = 28.0 + lines as f64 * LINE;
    let area = Area { x: (left, width - 14.0), y: (top, top + rows.len().max(1) as f64 * LINE) };
    let mut figure = Figure::new(width, area.y.1 + 42.0, title);
    frame::title(&mut figure);
    frame::legend(&mut figure, (4.0, 36.0), width - 8.0, series);
    let all = values.iter().flatten().copied().chain([0.0]);
    let scale = Scale::holding(all, area.x).rounded();
    frame::bottom_axis(&mut figure, area, &scale, axis);
    let zero = scale.at(0.0);
    figure.rule(Ink::Axis, (zero, area.y.0), (zero, area.y.1), 1.0);
    for (number, name) in rows.iter().enumerate() {
        let y = area.y.0 + (number as f64 + 0.5) * LINE;
        let shown = shortened(name, frame::LONGEST_NAME);
        figure.write(Ink::Text, (left - 6.0, y + 4.0), Anchor::End, shown);
        let of_row: Vec<f64> = values.iter().filter_map(|one| one.get(number).copied()).collect();
        let low = of_row.iter().copied().fold(f64::INFINITY, f64::min);
        let high = of_row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low < high {
            figure.rule(Ink::Axis, (scale.at(low), y), (scale.at(high), y), 1.0);
        }
        for (which, &value) in of_row.iter().enumerate() {
            let of = series.get(which).map_or("", String::as_str);
            let tip = format!("{}, {}: {}", shortened(name, 60), shortened(of, 60), told(value));
            frame::marker(&mut figure, which, (scale.at(value), y), Some(tip));
        }
    }
    figure.about = format!(
        "{} rows with a mark for each of {}: {}.",
        rows.len(),
        series.len(),
        series.iter().map(|name| shortened(name, 40)).collect::<Vec<_>>().join(", ")
    );
    figure
}
