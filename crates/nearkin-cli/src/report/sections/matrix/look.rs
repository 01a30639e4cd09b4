//! The heat map by class, and what is odd about the numbers.

use crate::plot::{Figure, heat, told};
use crate::report::{Cell, Samples, Section, Table, WIDTH, counted};

/// Classes whose means can be drawn.
const DRAWN: usize = 12;
/// Pairs that are listed.
const PAIRS: usize = 50;

/// Properties of the numbers of a matrix.
#[derive(Debug, Clone, PartialEq)]
struct Found {
    low: f64,
    high: f64,
    /// Ordered pairs of different samples.
    pairs: usize,
    /// Similarities below 0 among them.
    negative: usize,
    /// Pairs (i, j) whose similarity differs from that of (j, i), with the difference. The largest
    /// difference comes first.
    asymmetric: Vec<(usize, usize, f64)>,
    /// The number of samples that are more similar to another sample than to themselves.
    outdone: usize,
}

/// The section, and its answer in a line.
pub fn section(samples: &Samples) -> (Section, String) {
    let mut section = Section::new("matrix", "Matrix", "What do the similarities look like?");
    let found = look(samples.s.rows(), &|i, j| samples.s.at(i, j));
    let kind =
        if samples.dissimilar { "dissimilarities, their sign changed," } else { "similarities" };
    let of = |(name, count): (&String, &usize)| format!("{name} ({count})");
    let classes: Vec<String> =
        samples.classes.names().iter().zip(samples.classes.counts()).map(of).collect();
    let shown = &classes[..classes.len().min(DRAWN)];
    let more = match classes.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let size = format!(
        "{} of {}: {}{more}; {kind} from {} to {}.",
        counted(samples.s.rows(), "sample", "samples"),
        counted(classes.len(), "class", "classes"),
        shown.join(", "),
        told(found.low),
        told(found.high)
    );
    section.answer(format!("{size} {}", oddities(&found)));
    if found.outdone > 0 {
        section.note(format!(
            "{} more similar to another sample than to itself: the diagonal is not the largest of \
             its row. Classifiers of nearkin do not need it to be.",
            counted(found.outdone, "sample is", "samples are")
        ));
    }
    let by_class = samples.by_class();
    let title = "Similarities, ordered by class";
    let picture = heat::by_class(title, samples.s, samples.classes, WIDTH);
    let mut figures = vec![(picture, "figure-matrix")];
    let means = means(samples, &by_class);
    if means.len() <= DRAWN {
        figures.push((mean_map(samples, &means, &found), "figure-class-means"));
    }
    section.figures(figures);
    section.table(mean_table(samples, &means));
    if !found.asymmetric.is_empty() {
        section.table(pair_table(samples, &found));
    }
    let short = format!("{size} {}", oddities(&found));
    (section, short)
}

fn look(n: usize, at: &dyn Fn(usize, usize) -> f64) -> Found {
    let mut found = Found {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        pairs: n * n.saturating_sub(1),
        negative: 0,
        asymmetric: Vec::new(),
        outdone: 0,
    };
    for i in 0..n {
        let mut nearest = f64::NEG_INFINITY;
        for j in (0..n).filter(|&j| j != i) {
            let value = at(i, j);
            found.negative += usize::from(value < 0.0);
            (found.low, found.high) = (found.low.min(value), found.high.max(value));
            nearest = nearest.max(value);
            let gap = (value - at(j, i)).abs();
            if i < j && gap > 0.0 {
                found.asymmetric.push((i, j, gap));
            }
        }
        found.outdone += usize::from(nearest > at(i, i));
    }
    found.asymmetric.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
    found
}

/// Asymmetry and negativity in words.
fn oddities(found: &Found) -> String {
    let pairs = (found.pairs / 2).max(1) as f64;
    let symmetry = match found.asymmetric.first() {
        None => "They are symmetric".to_owned(),
        Some((.., most)) => format!(
            "They are not symmetric: {:.1} % of the pairs differ by direction, by up to {}",
            found.asymmetric.len() as f64 / pairs * 100.0,
            told(*most)
        ),
    };
    let negative = match found.negative {
        0 => "none is below 0".to_owned(),
        all if all == found.pairs => "all are below 0".to_owned(),
        some => format!("{:.1} % are below 0", some as f64 / found.pairs as f64 * 100.0),
    };
    format!("{symmetry}; {negative}.")
}

/// Mean similarity of the samples of one class to those of another; a sample's similarity to
/// itself is left out.
fn means(samples: &Samples, by_class: &[Vec<usize>]) -> Vec<Vec<Option<f64>>> {
    let mean = |from: &Vec<usize>, to: &Vec<usize>| {
        let (mut sum, mut count) = (0.0, 0.0);
        for &i in from {
            for &j in to.iter().filter(|&&j| j != i) {
                (sum, count) = (sum + samples.s.at(i, j), count + 1.0);
            }
        }
        (count > 0.0).then(|| sum / count)
    };
    by_class.iter().map(|from| by_class.iter().map(|to| mean(from, to)).collect()).collect()
}

fn mean_map(samples: &Samples, means: &[Vec<Option<f64>>], found: &Found) -> Figure {
    let middle = (found.low + found.high) / 2.0;
    let cell = |mean: &Option<f64>| match mean {
        Some(value) => (value - middle, told(*value)),
        None => (0.0, String::new()),
    };
    let cells: Vec<Vec<(f64, String)>> =
        means.iter().map(|row| row.iter().map(cell).collect()).collect();
    let names = samples.classes.names();
    let head = ("Mean similarity of classes", "samples of", "to samples of");
    heat::table(head, names, names, &cells, WIDTH)
}

fn mean_table(samples: &Samples, means: &[Vec<Option<f64>>]) -> Table {
    let names = samples.classes.names();
    let mut head = vec!["class".to_owned()];
    head.extend(names.iter().map(|name| format!("to {name}")));
    let row = |(name, means): (&String, &Vec<Option<f64>>)| {
        let mut cells = vec![Cell::Text(name.clone())];
        cells.extend(means.iter().map(|&mean| Cell::maybe(mean)));
        cells
    };
    Table::new(
        "class-means",
        "Mean similarity of the samples of a class to those of each, themselves left out",
        head,
        names.iter().zip(means).map(row).collect(),
    )
}

fn pair_table(samples: &Samples, found: &Found) -> Table {
    let row = |&(i, j, gap): &(usize, usize, f64)| {
        vec![
            Cell::Text(samples.called(i)),
            Cell::Text(samples.called(j)),
            Cell::Number(samples.s.at(i, j)),
            Cell::Number(samples.s.at(j, i)),
            Cell::Number(gap),
        ]
    };
    let all = found.asymmetric.len();
    let part = if all > PAIRS { format!(" (the first {PAIRS} of {all})") } else { String::new() };
    Table::new(
        "asymmetric-pairs",
        format!("Pairs that differ by direction{part}"),
        ["first", "second", "first to second", "second to first", "gap"],
        found.asymmetric.iter().take(PAIRS).map(row).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oddities_are_counted_over_pairs_of_different_samples() {
        // 0→1 and 1→0 differ by 3; two of six similarities are below 0; sample 0 is outdone.
        let s = [[1.0, 2.0, -1.0], [-1.0, 9.0, 0.0], [-1.0, 0.0, 9.0]];
        let found = look(3, &|i, j| s[i][j]);
        assert_eq!((found.low, found.high, found.negative, found.outdone), (-1.0, 2.0, 3, 1));
        assert_eq!(found.asymmetric, [(0, 1, 3.0)]);
        let told = oddities(&found);
        assert!(told.contains("33.3 % of the pairs differ by direction, by up to 3"), "{told}");
        assert!(told.contains("50.0 % are below 0"), "{told}");
        let even = look(2, &|_, _| 1.0);
        assert_eq!(oddities(&even), "They are symmetric; none is below 0.");
    }
}
