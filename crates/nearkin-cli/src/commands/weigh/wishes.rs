//! Flags for more than the weights: weights of classes, pairs and rows, p-values, intervals.

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches};
use nearkin::weigh::{Bootstrap, Call, Extras};

use crate::failure::{Failure, Result};
use crate::{flags, models, output};

const HEADING: &str = "Certainty";
/// Shuffles of the target when the user does not say how many.
const PERMUTATIONS: &str = "200";
/// The most fits, or copies of all weights: more take too long.
const MOST: u64 = 1_000_000;

/// The fewest exchanges of which one in twenty can be told.
const LEAST_NULL: u64 = 19;

/// How p-values are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tested {
    /// By the method itself, which is association.
    Own,
    /// By association, beside the weights of another method.
    Association,
    /// STIR's t-test.
    Stir,
    /// Shuffles of the target, so many.
    Permutation(usize),
}

/// The flags about answers besides the weights.
pub fn args() -> Vec<Arg> {
    let explain = flags::flag("explain", "ROW")
        .value_delimiter(',')
        .action(ArgAction::Append)
        .help(
            "Also what this row (the first is 0, or its sample's name) contributes to each weight",
        )
        .help_heading("Output");
    let tests = ["association", "permutation", "stir"];
    let p_values = flags::one_of("p-values", "TEST", tests).help(
        "Test each feature; adds p, and q for the share of false discoveries. association: those of \
         the method association, which hold beside other features. permutation: exchanges of the \
         target, a fit each, for any method; asks whether anything matters. stir: a t-test over \
         pairs that share rows, to compare with the R package; it is no p-value, and wrong where \
         classes are unequal",
    );
    let number = |name: &'static str, default: &'static str, help: String| {
        let number = flags::whole(1, MOST);
        flags::flag(name, "N").default_value(default).value_parser(number).help(help)
    };
    let permutations = number(
        "permutations",
        PERMUTATIONS,
        "Exchanges of the target, a fit each; no p is below 1/(N + 1)".into(),
    );
    let null = flags::flag("null", "N").value_parser(flags::whole(LEAST_NULL, MOST)).help(
        "How much noise weighs: weigh again after N exchanges of the target. 99 is usual. Adds \
         null95, which each feature's weight exceeds by chance in 1 of 20, and tells what the \
         largest of all weights exceeds so",
    );
    let interval = flags::flag("interval", "LEVEL")
        .num_args(0..=1)
        .default_missing_value("0.95")
        .value_parser(level)
        .help(
            "Also the bootstrap interval of each weight, low to high, at this level (0.95 when \
             none is given)",
        );
    let replicates = number("replicates", "1000", "Bootstrap replicates of --interval".into());
    let certainty = [p_values, permutations, null, interval, replicates];
    let mut all = vec![
        output::switch(
            "per-class",
            "Also a ranking for each class, and with --null where classes disagree (in a table)",
        ),
        output::switch(
            "pairs",
            "Also the differences of each class to its neighbours of each class, by their share",
        ),
        explain,
    ];
    all.extend(certainty.into_iter().map(|flag| flag.help_heading(HEADING)));
    all
}

fn level(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(level) if level > 0.0 && level < 1.0 => Ok(level),
        _ => Err("expected a level above 0 and below 1, such as 0.95; before the table's name \
                  write --interval=0.95"
            .into()),
    }
}

/// How p-values are to be found, if at all: by association where features are to be called and no
/// test is named, and by the method itself where that is association (`own`).
pub fn tested(matches: &ArgMatches, own: bool, call: Option<Call>) -> Result<Option<Tested>> {
    let test = matches.get_one::<String>("p-values").map(String::as_str);
    let tested = match test {
        None | Some("association") if own => Some(Tested::Own),
        Some(test) if own => {
            return Err(Failure::Input(format!(
                "--p-values: {test} plays no part where the method is association, which has \
                 p-values of its own; leave it out"
            )));
        }
        Some("association") => Some(Tested::Association),
        Some("permutation") => Some(Tested::Permutation(number(matches, "permutations"))),
        Some(_) => Some(Tested::Stir),
        None => call.map(|_| Tested::Association),
    };
    let idle = |flag: &str, needed: &str| match typed(matches, flag) {
        true => Err(Failure::Input(format!("--{flag}: nothing to do without {needed}; add it"))),
        false => Ok(()),
    };
    if !matches!(tested, Some(Tested::Permutation(_))) {
        idle("permutations", "--p-values permutation")?;
    }
    if matches.get_one::<f64>("interval").is_none() {
        idle("replicates", "--interval")?;
    }
    Ok(tested)
}

/// What is wanted in addition to the weights of a table with `rows` rows.
pub fn wanted(
    matches: &ArgMatches,
    tested: Option<Tested>,
    seed: u64,
    (table, rows, names): (&str, usize, &[String]),
) -> Result<Extras> {
    let mut explained: Vec<usize> = Vec::new();
    for text in matches.get_many::<String>("explain").into_iter().flatten() {
        let row = models::row_of("explain", text, table, rows, Some(names))?;
        if text.parse::<usize>().is_err() {
            output::note(matches, &format!("sample `{text}` is row {row}"));
        }
        if !explained.contains(&row) {
            explained.push(row);
        }
    }
    let replicates = number(matches, "replicates");
    let level = matches.get_one::<f64>("interval");
    Ok(Extras {
        per_class: matches.get_flag("per-class"),
        pairs: matches.get_flag("pairs"),
        rows: explained,
        stir: tested == Some(Tested::Stir),
        bootstrap: level.map(|&level| Bootstrap { replicates, level, seed }),
    })
}

/// Exchanges of the target that tell how much noise weighs, if they are asked for.
pub fn null(matches: &ArgMatches) -> Option<usize> {
    matches.get_one::<u64>("null").map(|&exchanges| exchanges as usize)
}

fn number(matches: &ArgMatches, name: &str) -> usize {
    matches.get_one::<u64>(name).map_or(0, |&number| number as usize)
}

fn typed(matches: &ArgMatches, name: &str) -> bool {
    matches.value_source(name) == Some(ValueSource::CommandLine)
}
