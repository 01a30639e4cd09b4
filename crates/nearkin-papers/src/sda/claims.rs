//! The chapter's findings in its simulations, by name.

use crate::studies::sda::{Cell, claims};

use crate::report::{Outcome, Verdict};

/// The findings, looked for in our cells.
pub fn simulated(cells: &[Cell], related: &[Cell]) -> Vec<Verdict> {
    let found = claims(cells, related).into_iter();
    let mut all: Vec<Verdict> = found
        .map(|claim| Verdict {
            name: claim.claim,
            claim: "A finding of the chapter's simulations",
            outcome: Outcome::of(claim.seen, false),
            evidence: claim.figures,
        })
        .collect();
    if all.is_empty() {
        all.push(Verdict {
            name: "Simulations".into(),
            claim: "local SDA beats local NC in every table",
            outcome: Outcome::NotTried,
            evidence: "no table of 1 to 8 was asked for".into(),
        });
    }
    all
}
