//! The classifiers: figures the chapter and a prototype fix, and laws every one of them keeps.
#![allow(clippy::unwrap_used)]

mod common;
mod edges;
mod laws;
mod others;
mod priors;
mod prototype;
mod prototypes;
mod real_data;
mod sizes;
mod statistics;
