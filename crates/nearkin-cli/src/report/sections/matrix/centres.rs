//! Which sample stands for its class.

use nearkin::classify::Fitted;

use crate::report::{Cell, Samples, Section, Table, listed};

/// The section, from a fit of SDA.
pub fn section(samples: &Samples, fitted: &dyn Fitted) -> Section {
    let mut section = Section::new("centres", "Prototypes", "Which sample stands for its class?");
    let by_class = samples.by_class();
    let found = fitted.insight().prototypes;
    let centres =
        || found.iter().enumerate().flat_map(|(class, of)| of.iter().map(move |&row| (class, row)));
    let named: Vec<String> = centres()
        .take(8)
        .map(|(class, row)| {
            format!("sample {} of class {}", samples.called(row), samples.class_name(class))
        })
        .collect();
    section.answer(format!("Most typical are {}.", listed(&named)));
    section.words("SDA calls the most typical sample the centroid of its class: that to which the others of the class are most similar \
         in sum. Where its own class is hardly more similar to it than the others are, the class \
         has no one typical sample.");
    let row = |(class, row): (usize, usize)| {
        let mean = |own: bool| {
            let others = (0..samples.s.rows())
                .filter(|&z| z != row && (samples.class(z) == class) == own)
                .map(|z| samples.s.at(z, row));
            let (sum, count) = others.fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
            (count > 0.0).then(|| sum / count)
        };
        vec![
            Cell::Text(samples.class_name(class).to_owned()),
            Cell::Text(samples.called(row)),
            Cell::Number(by_class[class].len() as f64),
            Cell::maybe(mean(true)),
            Cell::maybe(mean(false)),
        ]
    };
    section.table(Table::new(
        "prototypes",
        "Centroids, and how similar other samples are to them",
        ["class", "sample", "samples of the class", "mean of its class", "mean of others"],
        centres().map(row).collect(),
    ));
    section
}
