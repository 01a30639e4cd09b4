//! Matrices of similarities, and what they make of rows.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's helpers are tests

mod eigen;
mod matrix;
mod similarity;
