//! Studies that the papers' experiments report.
//!
//! [`class_dependence`] asks over seeded splits how class-dependent weights relate to the
//! difficulty of a problem; [`separability`] compares weighting methods where the relevant
//! features are known; [`sda`] repeats the simulations of similarity discriminant analysis.

pub mod class_dependence;
pub mod sda;
pub mod separability;
