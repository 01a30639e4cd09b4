//! Tables of examples and what is to be explained about them.
//!
//! [`Table`] holds named columns, numeric or nominal, with missing cells; [`Target`] holds
//! the class or the real value of each row.

pub mod bundled;
mod table;
mod target;

pub use bundled::{Bundled, bundled};
pub use table::{Column, Lane, MISSING, Table, Values};
pub use target::{Classes, Target};
