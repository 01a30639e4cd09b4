//! NumPy arrays that stay in their files while the program uses them.
//!
//! Another program may write to such a file meanwhile, which this one cannot prevent. So files are
//! checked before an answer is written: when one has changed, the user gets an error instead.

#![allow(unsafe_code)]

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use nearkin_read::Mapped;

use crate::failure::Result;

/// All files that were mapped.
static ALL: Mutex<Vec<&'static Mapped>> = Mutex::new(Vec::new());

/// The file mapped into memory, if it is a NumPy array of floats that is `fit` for use. None for
/// any other file or a faulty one: the reader handles those.
pub fn open(path: &Path, fit: impl Fn(&Mapped) -> bool) -> Option<&'static Mapped> {
    nearkin_read::catch_cut_files();
    // SAFETY: nothing is written before `check` has seen that no file was changed.
    let mapped = unsafe { Mapped::map(path) }.ok().filter(fit)?;
    // It is never freed: the program ends after the one command it runs.
    let mapped: &'static Mapped = Box::leak(Box::new(mapped));
    ALL.lock().unwrap_or_else(PoisonError::into_inner).push(mapped);
    Some(mapped)
}

/// Refuse to go on when a mapped file is not what it was.
pub fn check() -> Result<()> {
    let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.iter().try_for_each(|mapped| Ok(mapped.check()?))
}
