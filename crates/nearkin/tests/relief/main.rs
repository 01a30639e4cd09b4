//! The Relief family against slow, plain definitions written from the papers' formulas.
#![allow(clippy::unwrap_used)]

mod agree;
mod blocks;
mod edges;
mod golden;
mod laws;
mod packed;
mod plain;
mod space;
mod stir;
mod tables;
mod toy;
