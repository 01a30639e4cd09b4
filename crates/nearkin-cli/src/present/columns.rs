//! Aligned columns of text, safe to show on a terminal.

/// A text without control characters, which a terminal would obey.
pub fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Rows of cells under a head, padded to the widest; the columns in `right` flush right.
pub fn aligned(head: &[impl AsRef<str>], rows: &[Vec<String>], right: &[usize]) -> String {
    let head: Vec<String> = head.iter().map(|text| text.as_ref().to_owned()).collect();
    let all = || std::iter::once(&head).chain(rows);
    let width = |at: usize| all().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut text = String::new();
    for row in all() {
        let mut line = String::new();
        for (at, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let gap = if at == 0 { "" } else { "  " };
            line += &match right.contains(&at) {
                true => format!("{gap}{cell:>width$}"),
                false => format!("{gap}{cell:<width$}"),
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_and_words_begin_on_one_line() {
        let rows = [["a", "5"], ["long", "10"]].map(|row| row.map(String::from).to_vec());
        assert_eq!(aligned(&["name", "n"], &rows, &[1]), "name   n\na      5\nlong  10\n");
    }

    #[test]
    fn a_name_cannot_command_the_terminal() {
        assert_eq!(shown("a\u{1b}[2J"), "a\u{fffd}[2J");
    }
}
