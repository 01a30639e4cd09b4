//! How a run is carried out: threads, progress and the wish to stop.
//!
//! nearkin keeps one thread pool a process and thread count, built at first use and keyed by
//! process id: a pool inherited through `fork` has no threads behind it and would hang.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
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

/// How to carry out a run. The default: all cores, and no watcher.
#[derive(Clone, Copy, Default)]
#[must_use]
pub struct Run<'a> {
    /// Number of threads; 0 means one a core.
    threads: usize,
    /// Use the pool that the caller is in, if it is in one.
    in_current_pool: bool,
    watch: Option<&'a dyn Watch>,
    /// The watcher may stop the run, and is not told how far it is.
    quiet: bool,
}

impl<'a> Run<'a> {
    /// A run on `threads` threads (0: one a core) of nearkin's own, without a watcher.
    pub fn on(threads: usize) -> Self {
        Self { threads, ..Self::default() }
    }

    /// A run on the threads of the rayon pool that it is called from. Outside of any pool it is
    /// the run on one thread a core, never rayon's global pool, which does not survive `fork`.
    ///
    /// ```
    /// use nearkin::Run;
    ///
    /// let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build()?;
    /// let threads = pool.install(|| Run::in_current_pool().width());
    /// assert_eq!(threads, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_current_pool() -> Self {
        Self { in_current_pool: true, ..Self::default() }
    }

    /// The same run, watched.
    pub fn watched(self, watch: &'a dyn Watch) -> Self {
        Self { watch: Some(watch), quiet: false, ..self }
    }

    /// The same run as a part of longer work: it can be stopped, and reports no progress.
    pub fn quiet(self) -> Self {
        Self { quiet: true, ..self }
    }

    /// Report progress and return an error if the watcher wants to stop.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] when the watcher wants to stop.
    pub fn check(&self, done: u64, total: u64) -> Result<()> {
        match self.watch {
            Some(watch) if watch.stopped() => Err(Error::Stopped),
            Some(watch) if !self.quiet => {
                watch.advance(done, total);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Run `work` inside the pool, so that rayon's iterators use its threads.
    ///
    /// # Errors
    ///
    /// [`Error::Threads`] when the system cannot start as many threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T> {
        match self.in_current_pool && in_pool() {
            true => Ok(work()),
            false => Ok(pool(self.threads)?.install(work)),
        }
    }

    /// `fill(row, cells)` for each row of `width` cells, in parallel, asking before each whether to
    /// go on.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] when the watcher wants to stop, [`Error::Threads`] as in
    /// [`Run::install`].
    pub fn rows<T: Send>(
        &self,
        cells: &mut [T],
        width: usize,
        fill: impl Fn(usize, &mut [T]) + Sync,
    ) -> Result<()> {
        let width = width.max(1);
        let (done, total) = (AtomicU64::new(0), cells.len().div_ceil(width) as u64);
        self.install(|| {
            cells.par_chunks_mut(width).enumerate().try_for_each(|(row, cells)| {
                self.check(done.fetch_add(1, Relaxed), total)?;
                fill(row, cells);
                Ok::<(), Error>(())
            })
        })??;
        self.check(total, total)
    }

    /// The number of threads this run will use.
    pub fn width(&self) -> usize {
        match self.threads {
            _ if self.in_current_pool && in_pool() => rayon::current_num_threads(),
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        }
    }
}

/// True on a thread of a rayon pool, whose threads may be used.
pub(crate) fn in_pool() -> bool {
    rayon::current_thread_index().is_some()
}

/// `each(place, chunk)` for every chunk of `size` cells, answers in order; inside a pool by all its
/// threads.
pub(crate) fn chunk_by_chunk<T: Send, R: Send>(
    cells: &mut [T],
    size: usize,
    each: impl Fn(usize, &mut [T]) -> R + Sync,
) -> Vec<R> {
    let size = size.max(1);
    let each = |(place, chunk): (usize, &mut [T])| each(place, chunk);
    // One chunk is not worth waking another thread.
    match in_pool() && cells.len() > size {
        true => cells.par_chunks_mut(size).enumerate().map(each).collect(),
        false => cells.chunks_mut(size).enumerate().map(each).collect(),
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
        let run = Run::on(1).watched(&Impatient);
        assert_eq!(run.check(0, 1), Err(Error::Stopped));
        // Once the parts of longer work could not be stopped.
        assert_eq!(run.quiet().check(0, 1), Err(Error::Stopped));
    }

    #[test]
    fn rows_are_filled_until_the_run_is_stopped() {
        struct After(AtomicU64);
        impl Watch for After {
            fn advance(&self, _: u64, _: u64) {}
            fn stopped(&self) -> bool {
                self.0.fetch_add(1, Relaxed) >= 3
            }
        }
        let mut cells = vec![0usize; 35];
        let fill = |row: usize, cells: &mut [usize]| cells.fill(1 + row);
        Run::on(2).rows(&mut cells, 5, fill).unwrap();
        assert_eq!(cells, (0..35).map(|at| 1 + at / 5).collect::<Vec<_>>());
        let (mut cells, watch) = (vec![0usize; 35], After(AtomicU64::new(0)));
        let stopped = Run::on(1).watched(&watch).rows(&mut cells, 5, fill);
        assert_eq!(stopped, Err(Error::Stopped));
        assert_eq!(cells.iter().filter(|cell| **cell > 0).count(), 15);
    }

    #[test]
    fn a_quiet_run_reports_no_progress() {
        #[derive(Default)]
        struct Counting(AtomicU64);
        impl Watch for Counting {
            fn advance(&self, _: u64, _: u64) {
                self.0.fetch_add(1, Relaxed);
            }
            fn stopped(&self) -> bool {
                false
            }
        }
        let watch = Counting::default();
        let run = Run::on(1).watched(&watch);
        assert_eq!((run.quiet().check(1, 2), run.check(1, 2)), (Ok(()), Ok(())));
        assert_eq!(watch.0.into_inner(), 1);
    }

    #[test]
    fn a_run_in_the_current_pool_uses_its_threads_and_outside_of_one_those_of_nearkin() {
        let names = |run: Run| {
            run.install(|| {
                let name = |_| std::thread::current().name().map(str::to_owned);
                (0..64).into_par_iter().map(name).collect::<Vec<_>>()
            })
        };
        let own = ThreadPoolBuilder::new().num_threads(2).thread_name(|i| format!("own-{i}"));
        let own = own.build().unwrap();
        let starts = |names: &[Option<String>], with: &str| {
            names.iter().all(|name| name.as_deref().is_some_and(|name| name.starts_with(with)))
        };
        let run = Run::in_current_pool();
        assert!(starts(&own.install(|| names(run)).unwrap(), "own-"));
        assert!(starts(&own.install(|| names(Run::on(2))).unwrap(), "nearkin-"));
        assert!(starts(&names(run).unwrap(), "nearkin-"));
        assert_eq!(own.install(|| run.width()), 2);
    }
}
