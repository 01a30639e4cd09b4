//! How a run is carried out: threads, progress and the wish to stop.
//!
//! nearkin keeps one thread pool a process and thread count, built at first use and keyed by
//! process id: a pool inherited through `fork` has no threads behind it and would hang.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::{Error, Result};

/// Someone who watches long work and may ask it to stop.
pub trait Watch: Sync {
    /// `done` of `total` units of the current step are finished.
    fn advance(&self, done: u64, total: u64);
    /// True when the work should stop soon.
    fn stopped(&self) -> bool;
}

/// How to carry out a run. The default: all cores, nobody watching.
#[derive(Clone, Copy, Default)]
pub struct Run<'a> {
    /// Number of threads; 0 means one a core.
    pub threads: usize,
    /// Told about progress, asked about stopping.
    pub watch: Option<&'a dyn Watch>,
}

impl<'a> Run<'a> {
    /// A run on `threads` threads (0: one a core) that nobody watches.
    pub fn on(threads: usize) -> Self {
        Self { threads, watch: None }
    }

    /// Report progress and return an error if the watcher wants to stop.
    pub fn check(&self, done: u64, total: u64) -> Result<()> {
        match self.watch {
            Some(watch) if watch.stopped() => Err(Error::Stopped),
            Some(watch) => {
                watch.advance(done, total);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Run `work` inside the pool, so that rayon's iterators use its threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T> {
        Ok(pool(self.threads)?.install(work))
    }

    /// The number of threads this run will use.
    pub fn width(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        }
    }
}

/// True inside the pool of a run, whose threads may be used.
pub(crate) fn in_pool() -> bool {
    rayon::current_thread_index().is_some()
}

/// `each(place, chunk)` of every chunk of so many cells, in order; inside a pool by all its threads.
pub(crate) fn chunk_by_chunk<T: Send, R: Send>(
    cells: &mut [T],
    size: usize,
    each: impl Fn(usize, &mut [T]) -> R + Sync,
) -> Vec<R> {
    let size = size.max(1);
    let each = |(place, chunk): (usize, &mut [T])| each(place, chunk);
    // One chunk is soon done by whoever is here.
    match in_pool() && cells.len() > size {
        true => cells.par_chunks_mut(size).enumerate().map(each).collect(),
        false => cells.chunks_mut(size).enumerate().map(each).collect(),
    }
}

/// Watches a part of longer work: it is asked whether to stop, and told nothing.
pub(crate) struct Silent<'a>(pub &'a dyn Watch);

impl Watch for Silent<'_> {
    fn advance(&self, _: u64, _: u64) {}

    fn stopped(&self) -> bool {
        self.0.stopped()
    }
}

type Pools = Mutex<HashMap<(u32, usize), Arc<ThreadPool>>>;

fn pool(threads: usize) -> Result<Arc<ThreadPool>> {
    static POOLS: OnceLock<Pools> = OnceLock::new();
    let key = (std::process::id(), Run::on(threads).width());
    let mut pools =
        POOLS.get_or_init(Pools::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(&key) {
        return Ok(pool.clone());
    }
    // Pools of a parent process are forgotten, not joined: their threads do not exist here.
    for (_, stale) in pools.extract_if(|(process, _), _| *process != key.0) {
        std::mem::forget(stale);
    }
    let built = ThreadPoolBuilder::new()
        .num_threads(key.1)
        .thread_name(|i| format!("nearkin-{i}"))
        .build()
        .map_err(|e| Error::Threads { count: key.1, told: e.to_string() })?;
    let built = Arc::new(built);
    pools.insert(key, built.clone());
    Ok(built)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_uses_as_many_threads_as_asked() {
        assert_eq!(Run::on(3).install(rayon::current_num_threads).unwrap(), 3);
    }

    #[test]
    fn a_watcher_can_stop_a_run() {
        struct Impatient;
        impl Watch for Impatient {
            fn advance(&self, _: u64, _: u64) {}
            fn stopped(&self) -> bool {
                true
            }
        }
        let run = Run { threads: 1, watch: Some(&Impatient) };
        assert_eq!(run.check(0, 1), Err(Error::Stopped));
    }
}
