//! Tables, targets, matrices and the ways to cut them.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's helpers are tests

mod dense;
mod encode;
mod folds;
mod parts;
mod similarity;
mod sparse;
mod split;
mod table;
mod target;
