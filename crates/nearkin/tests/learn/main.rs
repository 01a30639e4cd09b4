//! What reference values fix about learned similarities, and laws every method keeps.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's helpers are tests

mod balance;
mod edges;
mod elsewhere;
mod golden;
mod laws;
mod perceptron;
mod rounds;
mod toy;
mod whiten;
