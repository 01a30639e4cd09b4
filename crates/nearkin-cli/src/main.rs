//! The nearkin program.
fn main() {}
