//! Letters as strokes, for pictures made of pixels: no font file is needed anywhere.
//!
//! A glyph lies on a grid: capitals reach from line 0 down to the base line 6, small letters
//! begin at line 2, tails end at line 8. Each stroke is a run of digit pairs, column and line.

/// Width of a column of the grid, in sizes of the font.
const COLUMN: f64 = 0.098;
/// Height of a line of the grid.
const LINE: f64 = 0.119;
/// Columns between two letters.
const GAP: f64 = 1.7;

/// What stands for a character that has no glyph.
const UNKNOWN: (u8, &str) = (3, "0030360600");

/// A stroke: points to the right of and below the place where the text begins on its base line.
pub type Stroke = Vec<(f64, f64)>;

/// The strokes of a text of size 1, and how wide it is.
pub fn strokes(text: &str) -> (Vec<Stroke>, f64) {
    let (mut all, mut x) = (Vec::new(), 0.0);
    for c in text.chars() {
        let (columns, drawn) = glyph(c);
        for stroke in drawn.split(' ').filter(|stroke| !stroke.is_empty()) {
            let pairs = stroke.as_bytes().chunks_exact(2);
            let point = |pair: &[u8]| {
                let [column, line] = [pair[0], pair[1]].map(|digit| f64::from(digit - b'0'));
                (x + column * COLUMN, (line - 6.0) * LINE)
            };
            all.push(pairs.map(point).collect());
        }
        x += (f64::from(columns) + GAP) * COLUMN;
    }
    (all, (x - GAP * COLUMN).max(0.0))
}

/// A glyph: its width in columns and its strokes. Accents are left out.
fn glyph(c: char) -> (u8, &'static str) {
    match c {
        ' ' => (2, ""),
        '!' => (0, "0004 0606"),
        '"' => (2, "0001 2021"),
        '#' => (4, "1016 3036 0242 0444"),
        '$' => (4, "413010010213334445361605 2026"),
        '%' => (4, "0640 0010110100 3545463635"),
        '&' => (4, "461110202104051626 2644"),
        '\'' | '’' | '‘' => (0, "0001"),
        '(' => (2, "20111526"),
        ')' => (2, "00111506"),
        '*' => (4, "2125 0244 0442"),
        '+' => (4, "2125 0343"),
        ',' => (1, "1607"),
        '-' | '−' | '–' | '—' => (3, "0333"),
        '.' => (0, "0606"),
        '/' => (4, "0640"),
        '0' => (4, "103041453616050110"),
        '1' => (4, "112026 1636"),
        '2' => (4, "01103041420646"),
        '3' => (4, "01103041423323 3344453616 1605"),
        '4' => (4, "36300444"),
        '5' => (4, "400003334445361605"),
        '6' => (4, "413010010516364544331304"),
        '7' => (4, "004016"),
        '8' => (4, "103041423313020110 1304051636454433"),
        '9' => (4, "051636454130100102133342"),
        ':' => (0, "0202 0606"),
        ';' => (1, "1212 1607"),
        '<' => (4, "410345"),
        '=' => (4, "0242 0444"),
        '>' => (4, "014305"),
        '?' => (4, "01103041422324 2626"),
        '@' => (4, "342423333544413010010516 1636"),
        'A' | 'Á' | 'À' | 'Â' | 'Ä' | 'Ã' | 'Å' => (4, "062046 1434"),
        'B' => (4, "0006 003041423303 3344453606"),
        'C' | 'Ç' => (4, "4130100105163645"),
        'D' => (4, "0006 002041452606"),
        'E' | 'É' | 'È' | 'Ê' | 'Ë' => (4, "40000646 0333"),
        'F' => (4, "400006 0333"),
        'G' => (4, "41301001051636454424"),
        'H' => (4, "0006 4046 0343"),
        'I' | 'Í' | 'Î' | 'Ï' => (2, "1016 0020 0626"),
        'J' => (3, "3035261605"),
        'K' => (4, "0006 4004 1346"),
        'L' => (4, "000646"),
        'M' => (6, "0600346066"),
        'N' | 'Ñ' => (4, "06004640"),
        'O' | 'Ó' | 'Ò' | 'Ô' | 'Ö' | 'Õ' => (4, "103041453616050110"),
        'P' => (4, "06003041423303"),
        'Q' => (4, "103041453616050110 3447"),
        'R' => (4, "06003041423303 2346"),
        'S' => (4, "413010010213334445361605"),
        'T' => (4, "0040 2026"),
        'U' | 'Ú' | 'Ù' | 'Û' | 'Ü' => (4, "000516364540"),
        'V' => (4, "002640"),
        'W' => (6, "0016325660"),
        'X' => (4, "0046 4006"),
        'Y' => (4, "0023 4023 2326"),
        'Z' => (4, "00400646"),
        '[' => (2, "20000626"),
        '\\' => (4, "0046"),
        ']' => (2, "00202606"),
        '^' => (4, "022042"),
        '_' => (4, "0747"),
        '`' => (1, "0011"),
        'a' | 'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => (4, "12324346 441405163645"),
        'b' => (4, "0006 0312324345361605"),
        'c' | 'ç' => (4, "4332120305163645"),
        'd' => (4, "4046 4332120305163645"),
        'e' | 'é' | 'è' | 'ê' | 'ë' => (4, "04444332120305163645"),
        'f' => (3, "30201116 0232"),
        'g' => (4, "4247381807 4332120305163645"),
        'h' => (4, "0006 0312324346"),
        'i' | 'í' | 'ì' | 'î' | 'ï' => (0, "0206 0000"),
        'j' => (2, "22271808 2020"),
        'k' => (4, "0006 4204 2346"),
        'l' => (1, "000516"),
        'm' => (6, "0206 0312223336 3342526366"),
        'n' | 'ñ' => (4, "0206 0312324346"),
        'o' | 'ó' | 'ò' | 'ô' | 'ö' | 'õ' => (4, "123243453616050312"),
        'p' => (4, "0208 0312324345361605"),
        'q' => (4, "4248 4332120305163645"),
        'r' => (3, "0206 031232"),
        's' => (4, "43321203143445361605"),
        't' => (3, "10152636 0232"),
        'u' | 'ú' | 'ù' | 'û' | 'ü' => (4, "0205163645 4246"),
        'v' => (4, "022642"),
        'w' => (6, "0216335662"),
        'x' => (4, "0246 4206"),
        'y' => (4, "0226 421708"),
        'z' => (4, "02420646"),
        '{' => (3, "30212213242536"),
        '|' => (0, "0007"),
        '}' => (3, "00111223141506"),
        '~' => (4, "04133443"),
        '…' => (4, "0606 2626 4646"),
        _ => UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_character_has_strokes_on_the_grid() {
        for c in '!'..='~' {
            assert_ne!(glyph(c), UNKNOWN, "{c}");
            let (columns, drawn) = glyph(c);
            for stroke in drawn.split(' ') {
                assert!(stroke.len() >= 4 && stroke.len().is_multiple_of(2), "{c}: {stroke}");
                for pair in stroke.as_bytes().chunks_exact(2) {
                    assert!((b'0'..=b'0' + columns).contains(&pair[0]), "{c}: {stroke}");
                    assert!((b'0'..=b'8').contains(&pair[1]), "{c}: {stroke}");
                }
            }
        }
    }

    #[test]
    fn a_text_is_as_wide_as_charts_expect_or_less() {
        for text in ["petal_length", "weight", "0.375", "Iris virginica"] {
            assert!(strokes(text).1 * super::super::TEXT <= super::super::width_of(text), "{text}");
        }
    }
}
