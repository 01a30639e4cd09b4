//! Figures of the papers' tables, as printed.

/// A figure of a paper.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The data set, or the number of features.
    pub set: String,
    /// The method.
    pub method: String,
    /// Mean, where one is printed.
    pub mean: Option<f64>,
    /// The number after ±, where one is printed and is possible.
    pub deviation: Option<f64>,
    /// The mark of significance, as ASCII: `>>`, `>`, `=`, `<`, `<<`.
    pub mark: String,
}

/// The cells of a line of CSV, quotes taken off.
pub fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match (c, quoted) {
            ('"', _) => quoted = !quoted,
            (',', false) => cells.push(String::new()),
            (c, _) => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(c);
                }
            }
        }
    }
    cells
}

/// The figures of a table: `dataset,method,mean,std,mark`, or without the last two.
pub fn figures(text: &str) -> Vec<Figure> {
    let rows = text.lines().skip(1).filter(|line| !line.is_empty()).map(cells);
    let cell = |row: &[String], at: usize| row.get(at).cloned().unwrap_or_default();
    rows.map(|row| Figure {
        set: cell(&row, 0),
        method: cell(&row, 1),
        mean: cell(&row, 2).parse().ok(),
        // Deviations of shares are at most a half; a larger one is a misprint.
        deviation: cell(&row, 3).parse().ok().filter(|sd| *sd <= 0.5),
        mark: cell(&row, 4),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_cells_and_misprints_are_known() {
        let read = figures("dataset,method,mean,std,mark\nWine,\"a, b\",0.5,0.662,>>\n\nX,y,,,\n");
        assert_eq!((read[0].method.as_str(), read[0].deviation), ("a, b", None));
        assert_eq!((read[0].mark.as_str(), read[1].mean), (">>", None));
    }
}
