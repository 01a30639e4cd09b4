//! `nearkin neighbors`: which rows of a saved model are most similar to a row, and why?

use std::borrow::Cow;
use std::fmt::Write as _;

use clap::{ArgMatches, Command};
use nearkin::Run;
use nearkin::data::{Classes, TableRows, Target};
use nearkin::measure::OwnedVectors;
use nearkin::model::{LabelledRows, Model, Neighbour, SimilarityModel};
use serde_json::{Map, Value, json};

use super::learn::WHITENED;
use crate::csv::{cell, number};
use crate::failure::{Result, refuse};
use crate::present::columns::{aligned, shown};
use crate::present::table::cut;
use crate::sink::Sink;
use crate::{flags, input, models, output, progress};

/// The number of contributions named in the table.
const NAMED: usize = 3;

const EXAMPLES: &str = "\
EXAMPLES:
  nearkin learn @iris -m sila -o iris.safetensors
  # Who is like row 3, and which features make them so?
  nearkin neighbors iris.safetensors @iris --row 3
  nearkin neighbors iris.safetensors @iris --row 3 --k 10 --features --format csv";

/// The command line.
pub fn command() -> Command {
    let own = [
        models::row_arg("The row of TABLE to ask about, the first being 0"),
        flags::number("k", 1)
            .aliases(["neighbors", "n-neighbors"])
            .short_alias('n')
            .help("The number of neighbours. Default: as many as the model uses to predict"),
        output::switch("features", "A column for what each feature adds to the similarity (CSV)"),
    ];
    Command::new("neighbors")
        .about("Show which rows of a saved model are most similar to a row, and why")
        .after_help(EXAMPLES)
        .arg(models::arg())
        .args(input::args())
        .args(own)
        .args(output::args())
}

/// Show the neighbours of a row.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let (form, path, saved) = models::asked(matches)?;
    let Model::Similarity(model) = &saved else {
        return refuse!(
            "{}: this model holds no learned similarity; `nearkin explain` tells about it",
            models::path(matches).display()
        );
    };
    let name = input::name(matches);
    let mut model = Cow::Borrowed(model);
    // A model without rows ranks the other rows of the table.
    let among_own = model.prototypes.is_none();
    if among_own {
        let told = format!("the model holds no rows: neighbours are other rows of {name}");
        output::note(matches, &told);
    }
    let wanted = matches.get_one::<u64>("k").map_or(model.k, |&n| n as usize);
    let count = wanted + usize::from(among_own);
    let (row, mut found) = match input::sparse(matches)? {
        Some(loaded) => {
            let row = models::row(matches, &name, loaded.rows.rows(), None)?;
            if among_own {
                let rows = loaded.rows.over(model.columns())?.into();
                model.to_mut().prototypes = Some(own_rows(rows, Some(&loaded.target)));
            }
            let near = |run: &Run| model.neighbours_of(&loaded.rows, row, count, run);
            (row, progress::watched(matches, &name, near)?)
        }
        None => {
            let loaded = models::table(matches, &saved)?;
            let row = models::row(matches, &name, loaded.table.rows(), None)?;
            if among_own {
                let rows = TableRows::select(&loaded.table, model.columns())?.to_dense()?.into();
                model.to_mut().prototypes = Some(own_rows(rows, loaded.target.as_ref()));
            }
            let near = |run: &Run| model.neighbours(&loaded.table, row, count, run);
            (row, progress::watched(matches, &name, near)?)
        }
    };
    if among_own {
        for list in &mut found {
            list.retain(|near| near.row != row);
            list.truncate(wanted);
        }
    }
    let model = model.as_ref();
    let lists: Vec<List> = model
        .learned
        .models
        .iter()
        .zip(&found)
        .map(|(one, near)| List { class: one.class.as_deref(), near, model })
        .collect();
    let text = form.text(
        || table(&lists, row, &name),
        || csv(&lists, matches.get_flag("features")),
        || as_json(&lists, row, &name),
    );
    Sink::open(path)?.fill(|out| out.write_all(text.as_bytes()))
}

/// Rows to find neighbours among, of the classes that came with them, if any did.
fn own_rows(rows: OwnedVectors, target: Option<&Target>) -> LabelledRows {
    let classes = match target {
        Some(Target::Classes(classes)) => classes.clone(),
        _ => Classes::from_labels((0..rows.rows()).map(|_| "")),
    };
    LabelledRows { rows, classes }
}

/// The neighbours under one similarity.
struct List<'a> {
    class: Option<&'a str>,
    near: &'a [Neighbour],
    model: &'a SimilarityModel,
}

impl List<'_> {
    fn class_of(&self, near: &Neighbour) -> &str {
        let known = self.model.prototypes.as_ref();
        known.map_or("", |known| known.classes.names()[near.class as usize].as_str())
    }

    /// The columns that add most, either way.
    fn most(&self, near: &Neighbour) -> String {
        let mut all: Vec<(&str, f64)> =
            self.model.features().zip(near.contributions.iter().copied()).collect();
        all.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let told: Vec<String> = all
            .iter()
            .take(NAMED)
            .filter(|(_, part)| *part != 0.0)
            .map(|(name, part)| format!("{} {part:.3}", cut(name)))
            .collect();
        told.join(", ")
    }
}

fn table(lists: &[List], row: usize, name: &str) -> String {
    let mut text = format!("Most similar to row {row} of {}\n", shown(name));
    for list in lists {
        if let Some(class) = list.class {
            let _ = writeln!(text, "\nUnder the similarity of class `{}`", shown(class));
        }
        let line = |(rank, near): (usize, &Neighbour)| {
            vec![
                (rank + 1).to_string(),
                near.row.to_string(),
                cut(list.class_of(near)),
                format!("{:.4}", near.similarity),
                list.most(near),
            ]
        };
        let rows: Vec<Vec<String>> = list.near.iter().enumerate().map(line).collect();
        let head = ["rank", "row", "class", "similarity", "most of it from"];
        text += &aligned(&head, &rows, &[0, 1, 3]);
    }
    if lists.iter().any(|list| list.model.whitens()) {
        let _ = writeln!(text, "\n{WHITENED}");
    }
    text
}

fn csv(lists: &[List], features: bool) -> String {
    let local = lists.iter().any(|list| list.class.is_some());
    let mut text = String::from(if local { "of,rank" } else { "rank" });
    text += ",row,class,similarity";
    if let (true, Some(list)) = (features, lists.first()) {
        for column in list.model.features() {
            let _ = write!(text, ",{}", cell(&format!("by_{column}")));
        }
    }
    text.push('\n');
    for list in lists {
        for (rank, near) in (1..).zip(list.near) {
            if local {
                let _ = write!(text, "{},", cell(list.class.unwrap_or_default()));
            }
            let class = cell(list.class_of(near));
            let _ = write!(text, "{rank},{},{class},{}", near.row, number(near.similarity));
            if features {
                near.contributions.iter().for_each(|&x| text += &format!(",{}", number(x)));
            }
            text.push('\n');
        }
    }
    text
}

fn as_json(lists: &[List], row: usize, name: &str) -> Value {
    let all = lists.iter().map(|list| {
        let near = |(rank, near): (usize, &Neighbour)| {
            let columns = list.model.features().map(str::to_owned);
            let parts = columns.zip(near.contributions.iter().map(|&x| json!(x)));
            json!({
                "rank": rank + 1, "row": near.row, "class": list.class_of(near),
                "similarity": near.similarity, "contributions": parts.collect::<Map<_, _>>(),
            })
        };
        let neighbours: Vec<Value> = list.near.iter().enumerate().map(near).collect();
        json!({ "of_class": list.class, "neighbors": neighbours })
    });
    json!({
        "nearkin_version": env!("CARGO_PKG_VERSION"), "table": name, "row": row,
        "similarities": all.collect::<Vec<Value>>(),
    })
}
