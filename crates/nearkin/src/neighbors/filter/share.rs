//! Shares: one pass over many groups of rows by all threads, each with a result of its own.
//!
//! Groups are in order of class, and a thread learns a threshold for a class from its first rows:
//! with a share of its own it does so for few classes. A thread that has finished its share helps
//! the others, so that a thread that wakes late does not delay the rest. A task is handed out by
//! one atomic addition.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

/// Groups that one thread works through from the first on, and other threads when they have
/// finished theirs.
struct Share {
    next: AtomicUsize,
    end: usize,
}

impl Share {
    fn of(groups: usize, threads: usize) -> Vec<Self> {
        let cut = |thread: usize| groups * thread / threads;
        (0..threads).map(|i| Self { next: AtomicUsize::new(cut(i)), end: cut(i + 1) }).collect()
    }

    /// The next groups, at most `task` of them.
    fn take(&self, task: usize) -> Option<Range<usize>> {
        let from = self.next.fetch_add(task, Ordering::Relaxed);
        (from < self.end).then(|| from..self.end.min(from + task))
    }
}

/// The results of up to `threads` threads of the current pool, each for its part of the groups and
/// beginning with `new()`; `work` gets up to `task` groups at a time.
pub(crate) fn in_shares<T: Send>(
    (groups, task): (usize, usize),
    threads: usize,
    new: impl Fn() -> T + Sync,
    work: impl Fn(Range<usize>, &mut T) + Sync,
) -> Vec<T> {
    let shares = Share::of(groups, threads);
    let part = |own: usize| {
        let mut made = new();
        for share in shares[own..].iter().chain(&shares[..own]) {
            while let Some(groups) = share.take(task) {
                work(groups, &mut made);
            }
        }
        made
    };
    match threads {
        1 => vec![part(0)],
        _ => (0..threads).into_par_iter().with_max_len(1).map(part).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_is_gone_through_once() {
        for (groups, task, threads) in [(0, 1, 2), (1, 4, 3), (100, 7, 1), (100, 7, 4), (3, 1, 8)] {
            let go_through = || {
                in_shares((groups, task), threads, Vec::new, |part, made| {
                    assert!(part.len() <= task);
                    made.extend(part);
                })
            };
            let made = crate::Run::on(threads).install(go_through).unwrap();
            let mut all = made.concat();
            all.sort_unstable();
            assert_eq!(all, (0..groups).collect::<Vec<_>>());
            assert_eq!(made.len(), threads);
        }
    }
}
