//! Figures 1 to 16: the margins of training rows under RBS, sRBS and their PSD forms.

use nearkin::data::Target;
use nearkin::evaluate::pipeline::Named;

use crate::manifest;
use crate::report::Section;
use crate::settings::Settings;
use nearkin_cli::failure::Result;
use nearkin_cli::plot::sticks;

const SETS: [&str; 4] = ["Iris", "Wine", "Balance", "Pima"];
const METHODS: [(&str, &str); 4] =
    [("rbs", "RBS"), ("srbs", "sRBS"), ("rbs-psd", "RBS-PSD"), ("srbs-psd", "sRBS-PSD")];

/// Margins of all rows, the first class against the rest, k = 1; plots into the folder that is
/// asked for.
pub fn margins(settings: &Settings, notes: &mut Vec<String>) -> Result<Section> {
    let mut lines = Vec::new();
    for (at, (id, title)) in METHODS.iter().enumerate() {
        for (set_at, set) in SETS.iter().enumerate().filter(|(_, set)| settings.wants_set(set)) {
            let number = at * SETS.len() + set_at + 1;
            let mut unseen = Vec::new();
            let Some((table, classes)) = manifest::table(settings, set, &mut unseen)? else {
                continue;
            };
            let sides = classes.codes().iter().map(|&c| if c == 0 { "class" } else { "rest" });
            let target = Target::classes(sides);
            let mut method = Named::new(*id).with("k", 1);
            if id.starts_with("srbs") {
                method = method.with("beta", 10).with("epochs", 50);
            }
            let learned = method.learn()?.fit_with(&table, &target, &settings.run())?;
            let Some(model) = learned.models.first() else { continue };
            let after = &model.after;
            let negative = after.iter().filter(|m| **m <= 0.0).count();
            let mean = after.iter().sum::<f64>() / after.len().max(1) as f64;
            let (low, high) = after
                .iter()
                .fold((f64::MAX, f64::MIN), |(low, high), &m| (low.min(m), high.max(m)));
            lines.push(vec![
                format!("{number}: {title}, {set}"),
                format!("{mean:+.4}"),
                format!("{negative} of {}", after.len()),
                format!("{low:+.3} to {high:+.3}"),
            ]);
            settings.figure(&format!("relief-srbs-figure-{number:02}"), |width| {
                let told = format!("Figure {number}: margins under {title}, {set}");
                sticks::draw(&told, ("training row", "margin"), after, width)
            })?;
        }
    }
    if settings.figures.is_none() {
        notes.push("figures 1 to 16 are plotted into a folder named by --figures".into());
    }
    let head = ["figure", "mean margin", "at or below 0", "range"];
    let below =
        "All rows, the first class against the rest, k = 1, matrices of length 1; beta = 10.\n";
    Ok(Section::table("Figures 1 to 16: margins", &head, &lines, below))
}
