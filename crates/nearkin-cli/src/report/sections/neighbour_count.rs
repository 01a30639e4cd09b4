//! Weights against the number of neighbours: does the answer hang on k?

use nearkin::weigh::{self, FeatureWeights, Weigh};

use crate::failure::{Failure, Result};
use crate::plot::lines::{self, Around, Line, Sample};
use crate::report::{Cell, Section, Subject, Table, WIDTH, counted};

/// The most lines drawn: more cannot be distinguished.
const LINES: usize = 6;
/// Rows that are looked at at most, as this is a fit for each k.
const ROWS: usize = 3000;
/// Rows × rows × features that a fit looks at, about.
const CELLS: f64 = 1e10;
const COUNTS: [usize; 10] = [1, 2, 3, 5, 10, 20, 30, 50, 70, 100];

/// The section, for the features that `found` ranks first.
pub fn section(subject: &Subject, found: &FeatureWeights, method: &str) -> Result<Section> {
    let heading = "Does that depend on the number of neighbours?";
    super::told(Section::new("neighbours-k", "Neighbours", heading), |section| {
        let columns = subject.table.columns().len().max(1) as f64;
        let most = ((CELLS / columns).sqrt() as usize).clamp(300, ROWS);
        let drawn = subject.drawn(most)?;
        let most = match subject.classes() {
            Some(classes) => classes.counts().iter().copied().max().unwrap_or(2).saturating_sub(1),
            None => drawn.rows.len().saturating_sub(1),
        };
        let counts: Vec<usize> = COUNTS.into_iter().filter(|&k| k <= most).collect();
        let mut fits: Vec<(usize, FeatureWeights)> = Vec::new();
        for &k in &counts {
            let mut one: Box<dyn Weigh> = weigh::method(method)?;
            weigh::set(one.as_mut(), "k", &k.to_string())?;
            let wanted = weigh::Extras::default();
            let fit = one.fit_with(&drawn.table, &drawn.target, &wanted, subject.run);
            fits.push((k, fit.map_err(|error| Failure::of_table(subject.name, error))?));
        }
        tell(section, found, &fits);
        section.notes(drawn.note);
        Ok(())
    })
}

fn tell(section: &mut Section, found: &FeatureWeights, fits: &[(usize, FeatureWeights)]) {
    let first = |fit: &FeatureWeights| fit.ranking().first().map(|one| one.feature.to_owned());
    let Some(best) = first(found) else { return };
    let kept = fits.iter().filter(|(_, fit)| first(fit).as_deref() == Some(&best)).count();
    section.answer(match kept == fits.len() {
        true => format!("The first place does not: it is `{best}` for every number tried."),
        false => format!(
            "`{best}` is first for {kept} of the {} tried; with few neighbours weights \
             follow single rows, with many they lose sight of features that matter only together.",
            counted(fits.len(), "number", "numbers")
        ),
    });
    let shown: Vec<usize> = found.ranking().iter().take(LINES).map(|one| one.index).collect();
    let line = |&at: &usize| Line {
        name: found.features[at].clone(),
        points: fits
            .iter()
            .map(|(k, fit)| Sample { x: *k as f64, y: fit.weights[at], ends: None })
            .collect(),
    };
    let around = Around {
        title: "Weights against neighbours, the first features",
        x: "k",
        y: "weight",
        hold: Some(0.0),
        log: true,
        ..Around::default()
    };
    let lines: Vec<Line> = shown.iter().map(line).collect();
    section.figure(lines::draw(around, &lines, WIDTH), "figure-neighbours");
    let mut head = vec!["feature".to_owned()];
    head.extend(fits.iter().map(|(k, _)| format!("k {k}")));
    let row = |one: &nearkin::weigh::RankedFeature| {
        let mut cells = vec![Cell::Text(one.feature.to_owned())];
        cells.extend(fits.iter().map(|(_, fit)| Cell::Number(fit.weights[one.index])));
        cells
    };
    section.table(Table::new(
        "weights-by-k",
        "Weights for each number of neighbours",
        head,
        found.ranking().iter().take(200).map(row).collect(),
    ));
}
