//! Which features are associated with the target: tests with valid p-values, and the summary line
//! at the top of the page.

use nearkin::data::{Table as Data, Target};
use nearkin::weigh::{
    Association, Associations, FeatureAssociation, Given, Nearness, Partner, PartnerSearch,
};

use crate::failure::{Failure, Result};
use crate::plot::bars::{self, Bar};
use crate::plot::manhattan::{self, Spot};
use crate::report::{Cell, Section, Subject, Table, WIDTH, counted, listed, places};

/// A q at most this is called.
pub const CALLED: f64 = 0.05;
/// Features in a figure, and in a table.
const DRAWN: usize = 30;
const LISTED: usize = 1000;
/// Features that are named in the line for the head of the page.
const NAMED: usize = 5;
/// Rows that are tested in any case, and at most.
const ROWS: (usize, usize) = (5000, 20_000);
/// Steps that take about a minute: features × near pairs × exchanges.
const STEPS: f64 = 6e10;
/// Exchanges that complete categories and classes take in the time of one, about.
const AT_ONCE: f64 = 60.0;
/// The approximate share of rows that lie within the radius.
const NEAR: f64 = 0.3;
/// The fewest exchanges.
const FEWEST: usize = 50;

/// The section, its line, and what was found.
pub fn section(subject: &Subject) -> Result<(Section, String, Option<Associations>)> {
    let mut short = None;
    let mut kept = None;
    let heading = format!("Which features go with `{}`?", subject.target_name);
    let section = super::told(Section::new("association", "Association", heading), |section| {
        let quick = quick(subject.table, subject.target);
        let most = most_rows(subject.table.columns().len(), quick);
        let drawn = subject.drawn(most)?;
        let size = (drawn.rows.len(), subject.table.columns().len(), quick);
        let method = method(size, subject.seed);
        let covariates = subject.covariates.map(|table| table.select_rows(&drawn.rows));
        let strata: Option<Vec<u32>> =
            subject.strata.map(|strata| drawn.rows.iter().map(|&row| strata[row]).collect());
        let given = Given {
            covariates: covariates.as_ref(),
            strata: strata.as_deref(),
            ..Given::default()
        };
        let found = method
            .test(&drawn.table, &drawn.target, &given, subject.run)
            .map_err(|error| Failure::of_table(subject.name, error))?;
        let all = subject.table.rows();
        let rows = match drawn.rows.len() {
            tested if tested == all => counted(all, "row", "rows"),
            tested => format!("{tested} of {all} rows, drawn with seed {}", subject.seed),
        };
        let rows = match subject.adjusted() {
            Some(words) => format!("{rows}, adjusted {words}"),
            None => rows,
        };
        let firsts: Vec<usize> = order(&found)
            .into_iter()
            .filter(|&at| found.tests[at].q <= CALLED)
            .take(NAMED)
            .collect();
        let mut search = PartnerSearch::default();
        search.seed = subject.seed;
        let mut partners = match firsts.len() {
            0 => Vec::new(),
            _ => search
                .find(&drawn.table, &drawn.target, &firsts, subject.run)
                .map_err(|error| Failure::of_table(subject.name, error))?,
        };
        partners.retain(|partner| partner.p_family <= CALLED);
        let line = answer(subject, (&found, &partners), &rows);
        section.answer(line.clone());
        tell(section, subject, &method, &found);
        pairs(section, &found, &partners);
        short = Some(line);
        kept = Some(found);
        Ok(())
    })?;
    let short = short.unwrap_or_else(|| {
        "No feature was tested; “Association” says why. Weights alone do not tell a feature apart \
         from noise."
            .into()
    });
    Ok((section, short, kept))
}

/// True where exchanges are counted many at a time: complete categories, and classes.
fn quick(table: &Data, target: &Target) -> bool {
    let complete =
        table.columns().iter().all(|column| column.is_nominal() && column.missing() == 0);
    complete && matches!(target, Target::Classes(_))
}

/// Rows that can be tested in some minutes.
fn most_rows(columns: usize, quick: bool) -> usize {
    let steps = 4.0 * STEPS * if quick { AT_ONCE } else { 1.0 };
    let rows = (steps / (FEWEST as f64 * NEAR * columns.max(1) as f64)).sqrt();
    (rows as usize).clamp(ROWS.0, ROWS.1)
}

/// Steps of one exchange of all features, and whether the nearest rows alone are looked at: where
/// even the fewest exchanges would take long.
fn steps((rows, columns, quick): (usize, usize, bool), k: usize) -> (f64, bool) {
    let (rows, columns) = (rows as f64, columns.max(1) as f64);
    let all = columns * NEAR * rows * rows / if quick { AT_ONCE } else { 1.0 };
    match all * FEWEST as f64 > 4.0 * STEPS {
        true => (columns * k as f64 * rows, true),
        false => (all, false),
    }
}

/// The test, with as many exchanges as take about a minute.
fn method(size: (usize, usize, bool), seed: u64) -> Association {
    let mut method = Association::default();
    method.common.seed = seed;
    let (one, nearest) = steps(size, method.k);
    if nearest {
        method.near = Nearness::Nearest;
    }
    method.exchanges = (STEPS / one).clamp(FEWEST as f64, method.exchanges as f64) as usize;
    method.column_exchanges = method.column_exchanges.min(method.exchanges);
    method
}

/// About how long the test takes, in steps of a feature, a near pair and an exchange.
pub fn cost(subject: &Subject) -> f64 {
    let quick = quick(subject.table, subject.target);
    let columns = subject.table.columns().len();
    let rows = subject.table.rows().min(most_rows(columns, quick));
    let size = (rows, columns, quick);
    let method = method(size, 0);
    let distances = (rows as f64).powi(2) * columns as f64;
    distances + steps(size, method.k).0 * method.exchanges as f64
}

/// Places of the features, the clearest first.
fn order(found: &Associations) -> Vec<usize> {
    let mut order: Vec<usize> = (0..found.tests.len()).collect();
    let key = |at: usize| (found.tests[at].z, found.tests[at].p);
    order.sort_by(|&a, &b| {
        let (a, b) = (key(a), key(b));
        b.0.total_cmp(&a.0).then(a.1.total_cmp(&b.1))
    });
    order
}

/// The answer in one line: how many features, which ones, and in which direction.
fn answer(subject: &Subject, (found, partners): (&Associations, &[Partner]), rows: &str) -> String {
    let called: Vec<usize> =
        order(found).into_iter().filter(|&at| found.tests[at].q <= CALLED).collect();
    let all = counted(found.tests.len(), "feature", "features");
    if called.is_empty() {
        return format!(
            "No feature is told apart from noise (association of {all}, q ≤ {CALLED}, {rows})."
        );
    }
    let family = called.iter().filter(|&&at| found.tests[at].p_family <= CALLED).count();
    let mut named: Vec<String> =
        called.iter().take(NAMED).map(|&at| way(subject, (found, partners), at)).collect();
    if called.len() > NAMED {
        named.push(format!("{} more", called.len() - NAMED));
    }
    let family = match family {
        0 => "none by the stricter family-wise p".to_owned(),
        all if all == called.len() => "all by the stricter family-wise p, too".into(),
        some => format!("{some} by the stricter family-wise p, too"),
    };
    let verb = if called.len() == 1 { "goes" } else { "go" };
    format!(
        "{} of {all} {verb} with `{}` (association, q ≤ {CALLED}, {rows}; {family}): {}.",
        called.len(),
        subject.target_name,
        listed(&named)
    )
}

/// A feature and the direction of its association with the target, as text.
fn way(subject: &Subject, (found, partners): (&Associations, &[Partner]), at: usize) -> String {
    let name = &found.features[at];
    // The partner of least p comes first.
    let partner = partners.iter().find(|partner| partner.feature == at);
    let partner = partner.map(|partner| &found.features[partner.partner]);
    match (direction(subject, found, at), partner) {
        (Some(words), _) => words,
        (None, Some(partner)) => format!("`{name}` together with `{partner}`"),
        (None, None) => format!("`{name}` (not by itself in one direction)"),
    }
}

/// The pairs of features that act together.
fn pairs(section: &mut Section, found: &Associations, partners: &[Partner]) {
    if partners.is_empty() {
        return;
    }
    section.words(
        "Some of the first features act together with others: the two tell more about the target \
         than both alone (interaction information; numbers are cut into thirds, p counts all pairs \
         that were looked at).",
    );
    let row = |one: &Partner| {
        vec![
            Cell::Text(found.features[one.feature].clone()),
            Cell::Text(found.features[one.partner].clone()),
            Cell::Number(one.information),
            Cell::Chance(one.p_family),
        ]
    };
    section.table(Table::new(
        "partners",
        "Features that act together",
        ["feature", "together with", "information (nats)", "family-wise p"],
        partners.iter().map(row).collect(),
    ));
}

/// `genotype 2 of rs12 goes with case`; none when the association has no direction.
fn direction(subject: &Subject, found: &Associations, at: usize) -> Option<String> {
    let name = &found.features[at];
    let direction = found.tests[at].direction.as_ref()?;
    let genotype =
        subject.table.columns().get(at).is_some_and(|column| {
            matches!(column.values, nearkin::data::ColumnValues::Genotype(_))
        });
    let high = |yes: bool| if yes { "high" } else { "low" };
    let of_class = direction.class.is_some();
    let feature = match &direction.level {
        Some(level) if genotype => format!("genotype {level} of `{name}`"),
        Some(level) => format!("`{name}` = {level}"),
        None => format!("{} `{name}`", high(!of_class || direction.more)),
    };
    let target = subject.target_name;
    // A number alone would not be seen to be a class.
    let named = |class: &String| match class.parse::<f64>() {
        Ok(_) => format!("`{target}` {class}"),
        Err(_) => class.clone(),
    };
    Some(match (&direction.class, &direction.level) {
        (Some(class), Some(_)) if !direction.more => {
            format!("{feature} goes with less {}", named(class))
        }
        (Some(class), _) => format!("{feature} goes with {}", named(class)),
        (None, _) => format!("{feature} goes with {} `{target}`", high(direction.more)),
    })
}

fn tell(section: &mut Section, subject: &Subject, method: &Association, found: &Associations) {
    let near = match method.near {
        Nearness::Radius => "those nearer than usual".to_owned(),
        Nearness::Nearest => format!("the {} nearest", method.k),
    };
    section.words(format!(
        "For each feature, rows that are alike in all other features ({near}) are compared: do they \
         differ in `{}` where they differ in the feature? The neighbours know neither the target nor \
         the feature. p is the larger of two: “p target” from {} exchanges of the target between rows, \
         “p column” from exchanges of the feature's cells between rows. It \
         holds for classes of unequal size, and beside features that matter. q: among all features \
         with such a q or less, about that share are false calls. Family-wise p: the chance of even \
         one false call among all features. This test is nearkin's own.",
        subject.target_name, method.exchanges
    ));
    section.words(
        "A feature that is tied to a relevant one (linked, correlated) is called too. A call says \
         that a feature goes with the target, not that it is the cause.",
    );
    found.notes.iter().for_each(|note| section.note(format!("{note}.")));
    if let Some(words) = subject.adjusted() {
        section.words(format!(
            "The test is adjusted {words}: the target's residuals take its place, and exchanges stay \
             within strata. Other sections are not adjusted, unless they say so."
        ));
    }
    if method.near == Nearness::Nearest {
        section.note(format!(
            "This table is large: {} exchanges of the target and the {} nearest rows were used, so \
             that it takes minutes. `nearkin weigh --method association` takes more.",
            method.exchanges, method.k
        ));
    }
    let extrapolated =
        found.tests.iter().filter(|test| test.q <= CALLED && test.extrapolated).count();
    if extrapolated > 0 {
        section.words(format!(
            "For {} p is smaller than {} exchanges can tell by themselves; it follows from a law \
             that was fitted to them (marked in the table).",
            counted(extrapolated, "called feature", "called features"),
            method.exchanges
        ));
    }
    let order = order(found);
    let mut figures = vec![(figure(found, &order), "figure-association")];
    figures.extend(
        along_the_genome(subject, found).map(|figure| (figure, "figure-association-places")),
    );
    section.figures(figures);
    let row = |(rank, &at): (usize, &usize)| {
        let test: &FeatureAssociation = &found.tests[at];
        vec![
            Cell::Number((rank + 1) as f64),
            Cell::Text(found.features[at].clone()),
            Cell::Text(if test.q <= CALLED { "yes" } else { "no" }.into()),
            Cell::Number(test.z),
            Cell::Chance(test.p),
            Cell::Chance(test.p_target),
            Cell::Chance(test.p_column),
            Cell::Chance(test.q),
            Cell::Chance(test.p_family),
            Cell::Text(direction(subject, found, at).unwrap_or_default().replace('`', "")),
            Cell::Text(
                if test.extrapolated && test.q <= CALLED { "by a fitted law" } else { "" }.into(),
            ),
        ]
    };
    let caption = match order.len() > LISTED {
        true => format!("The association of each feature, the first {LISTED} of {}", order.len()),
        false => "The association of each feature".to_owned(),
    };
    section.table(Table::new(
        "association",
        caption,
        [
            "rank",
            "feature",
            "called",
            "z",
            "p",
            "p target",
            "p column",
            "q",
            "family-wise p",
            "direction",
            "small p",
        ],
        order.iter().enumerate().take(LISTED).map(row).collect(),
    ));
}

/// p of each feature at its place, where features have places.
fn along_the_genome(subject: &Subject, found: &Associations) -> Option<crate::plot::Figure> {
    let places = places::of(subject.name, subject.table)?;
    let spot = |(at, place): (usize, Option<places::Place>)| {
        let (chromosome, position) = place?;
        let test = &found.tests[at];
        let (p, called) = (test.p, test.q <= CALLED);
        Some(Spot { name: found.features[at].clone(), chromosome, position, p, called })
    };
    let spots: Vec<Spot> = places.into_iter().enumerate().filter_map(spot).collect();
    let title = format!("Association along the genome; large dots: called (q ≤ {CALLED})");
    Some(manhattan::draw(&title, &spots, WIDTH))
}

fn figure(found: &Associations, order: &[usize]) -> crate::plot::Figure {
    let bar = |&at: &usize| Bar {
        name: found.features[at].clone(),
        value: found.tests[at].z,
        faint: found.tests[at].q > CALLED,
        ..Bar::default()
    };
    let bars: Vec<Bar> = order.iter().take(DRAWN).map(bar).collect();
    let title = match order.len() > DRAWN {
        true => format!("Association, the first {DRAWN} of {}", order.len()),
        false => "Association of each feature".to_owned(),
    };
    let axis = format!("z; dark: called (q ≤ {CALLED})");
    bars::draw(&title, &axis, &bars, WIDTH)
}
