//! The laws that SDA fitted, drawn with the data.

use nearkin::classify::{ClassLaw, Fitted, LawTable};

use crate::plot::Figure;
use crate::plot::laws::{self, Law};
use crate::report::{Cell, Samples, Section, Table, WIDTH};

/// The names of the figures: at most this many are drawn.
const FIGURES: [&str; 6] = [
    "figure-law-0",
    "figure-law-1",
    "figure-law-2",
    "figure-law-3",
    "figure-law-4",
    "figure-law-5",
];
/// The largest number of classes in one figure.
const DRAWN: usize = 6;

/// The section, from a fit of SDA.
pub fn section(samples: &Samples, fitted: &dyn Fitted) -> Section {
    let heading = "Do the laws of SDA fit the similarities?";
    let mut section = Section::new("laws", "Laws", heading);
    let tables = fitted.law_tables();
    if let Some(answer) = worst(samples, &tables) {
        section.answer(answer);
    }
    section.words(
        "For the centroid of each class: how similar the samples of every class are to it (thin \
         steps), and the law of largest entropy with their mean, which is what SDA knows of them \
         (thick lines). Where the two part, the probabilities of SDA are not to be trusted, and \
         local SDA, which fits laws around each query, may do better.",
    );
    // With centroids as the only statistic, statistic and class have the same numbers.
    let figures = tables.iter().enumerate().take(samples.classes.len()).zip(FIGURES);
    let figures = figures.map(|((of, table), name)| (law_figure(samples, of, table), name));
    section.figures(figures.collect());
    if tables.len() > FIGURES.len() {
        section.note(format!(
            "The first {} of {} centroids are drawn; the table below has all laws.",
            FIGURES.len(),
            tables.len()
        ));
    }
    let row = |one: &ClassLaw| {
        vec![
            Cell::Text(samples.class_name(one.class).to_owned()),
            Cell::Text(samples.classes.names().get(one.statistic).cloned().unwrap_or_default()),
            Cell::Number(one.mean),
            Cell::maybe(Some(one.law.lambda())),
        ]
    };
    section.table(Table::new(
        "laws",
        "The laws p(s) ∝ exp(λs), by their means",
        ["samples of", "similarity to the centroid of", "mean", "λ"],
        fitted.insight().laws.iter().map(row).collect(),
    ));
    fitted.notes().into_iter().for_each(|note| {
        section.note(format!("{note}."));
    });
    section
}

/// The law that differs most from the samples it was fitted to, as text.
fn worst(samples: &Samples, tables: &[LawTable]) -> Option<String> {
    let mut apart: Vec<(f64, usize, usize)> = Vec::new();
    for (of, table) in tables.iter().enumerate().take(samples.classes.len()) {
        for (class, (seen, law)) in table.observed.iter().zip(&table.fitted).enumerate() {
            apart.push((misplaced(seen, law), class, of));
        }
    }
    let (share, class, of) = apart.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let how = match share {
        s if s < 0.15 => "Yes, well",
        s if s < 0.35 => "Roughly",
        _ => "Not everywhere",
    };
    Some(format!(
        "{how}: the worst law is that of class {} around the centroid of {}, where {:.0} % of the \
         samples lie elsewhere than it expects.",
        samples.class_name(class),
        samples.class_name(of),
        share * 100.0
    ))
}

/// The share of samples that would have to move for a histogram to be what the law expects.
fn misplaced(seen: &[f64], law: &[f64]) -> f64 {
    let total: f64 = seen.iter().sum();
    let moved: f64 = seen.iter().zip(law).map(|(a, b)| (a - b).abs()).sum();
    if total > 0.0 { moved / 2.0 / total } else { 0.0 }
}

/// The similarities to one centroid, the class itself first, then the others in their order.
fn law_figure(samples: &Samples, of: usize, table: &LawTable) -> Figure {
    let mut classes: Vec<usize> = (0..samples.classes.len()).filter(|&c| c != of).collect();
    classes.insert(0, of);
    let law = |class: usize| Law {
        name: samples.class_name(class).to_owned(),
        observed: table.observed[class].clone(),
        fitted: table.fitted[class].clone(),
    };
    let all: Vec<Law> = classes.into_iter().take(DRAWN).map(law).collect();
    let title = format!("Similarity to the centroid of {}", samples.class_name(of));
    laws::draw((&title, "similarity"), &table.edges, &all, WIDTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_misplaced_is_the_share_that_would_have_to_move() {
        assert_eq!(misplaced(&[4.0, 0.0], &[4.0, 0.0]), 0.0);
        assert_eq!(misplaced(&[4.0, 0.0], &[3.0, 1.0]), 0.25);
        assert_eq!(misplaced(&[0.0, 0.0], &[0.0, 0.0]), 0.0);
    }
}
