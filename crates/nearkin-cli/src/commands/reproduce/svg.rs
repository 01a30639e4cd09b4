//! Plots as SVG text: margins of rows as bars, and curves.

use std::fmt::Write as _;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
const EDGE: f64 = 50.0;

/// Values in the order of rows, a bar each: those at or below 0 in another colour.
pub fn margins(title: &str, values: &[f64]) -> String {
    let (low, high) = range(values.iter().copied().chain([0.0]));
    let y = |value: f64| HEIGHT - EDGE - (value - low) / (high - low) * (HEIGHT - 2.0 * EDGE);
    let step = (WIDTH - 2.0 * EDGE) / values.len().max(1) as f64;
    let mut body = String::new();
    for (at, &value) in values.iter().enumerate() {
        let colour = if value > 0.0 { "#30688e" } else { "#c0392b" };
        let (x, top) = (EDGE + at as f64 * step, y(value.max(0.0)));
        let height = (y(0.0) - y(value)).abs().max(0.2);
        let width = (step * 0.9).max(0.3);
        let _ = writeln!(
            body,
            "<rect x=\"{x:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" \
             fill=\"{colour}\"/>"
        );
    }
    framed(title, "training row", "margin", (low, high), y(0.0), &body)
}

/// One curve through points; x on a logarithmic axis.
pub fn curve(title: &str, labels: (&str, &str), points: &[(f64, f64)]) -> String {
    let (low, high) = range(points.iter().map(|p| p.1));
    let (first, last) = range(points.iter().map(|p| p.0.max(1.0).ln()));
    let x =
        |value: f64| EDGE + (value.max(1.0).ln() - first) / (last - first) * (WIDTH - 2.0 * EDGE);
    let y = |value: f64| HEIGHT - EDGE - (value - low) / (high - low) * (HEIGHT - 2.0 * EDGE);
    let place = |p: &(f64, f64)| format!("{:.1},{:.1}", x(p.0), y(p.1));
    let line: Vec<String> = points.iter().map(place).collect();
    let mut body = format!(
        "<polyline fill=\"none\" stroke=\"#30688e\" stroke-width=\"2\" points=\"{}\"/>\n",
        line.join(" ")
    );
    for point in points {
        let (x, y, at) = (x(point.0), HEIGHT - EDGE + 16.0, point.0);
        let _ = writeln!(body, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"9\">{at}</text>");
    }
    framed(title, labels.0, labels.1, (low, high), HEIGHT - EDGE, &body)
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let ends = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = values.fold(ends, |(low, high), v| (low.min(v), high.max(v)));
    match low < high {
        true => (low, high),
        false => (low - 0.5, low + 0.5),
    }
}

fn framed(
    title: &str,
    below: &str,
    beside: &str,
    (low, high): (f64, f64),
    axis: f64,
    body: &str,
) -> String {
    let (right, bottom, middle) = (WIDTH - EDGE, HEIGHT - EDGE, HEIGHT / 2.0);
    let safe = title.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{EDGE}\" y=\"24\" font-size=\"14\">{safe}</text>\n{body}\
         <line x1=\"{EDGE}\" y1=\"{axis:.1}\" x2=\"{right}\" y2=\"{axis:.1}\" stroke=\"black\"/>\n\
         <line x1=\"{EDGE}\" y1=\"{EDGE}\" x2=\"{EDGE}\" y2=\"{bottom}\" stroke=\"black\"/>\n\
         <text x=\"4\" y=\"{EDGE}\">{high:.3}</text>\n<text x=\"4\" y=\"{bottom}\">{low:.3}</text>\n\
         <text x=\"{right}\" y=\"{}\" text-anchor=\"end\">{below}</text>\n\
         <text x=\"14\" y=\"{middle}\" transform=\"rotate(-90 14 {middle})\">{beside}</text>\n</svg>\n",
        HEIGHT - 12.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_margin_has_its_bar() {
        let plot = margins("a < b", &[0.5, -0.25, 0.0]);
        assert_eq!(plot.matches("<rect x=").count(), 3);
        assert_eq!(plot.matches("#c0392b").count(), 2);
        assert!(plot.contains("a &lt; b") && plot.ends_with("</svg>\n"));
        assert!(curve("t", ("x", "y"), &[(1.0, 0.5), (10.0, 0.5)]).contains("<polyline"));
    }
}
