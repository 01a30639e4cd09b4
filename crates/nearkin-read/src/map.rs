//! [`Mapped`]: a `.npy` array whose numbers are used where they lie, without a second copy.
//!
//! A mapped file stays on disk: the system brings in the pages that are used and may drop them
//! again, so a matrix larger than memory can be opened, and several programs share one copy. The
//! price is that another program can change it meanwhile. Numbers that are overwritten change in
//! place, and a page that is gone because the file was cut short raises SIGBUS.
//! [`catch_cut_files`] turns that signal into zeros and a mark, and [`Mapped::check`] says
//! afterwards whether the file is still the one that was opened.

#![allow(unsafe_code)]

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;
use std::time::SystemTime;

use memmap2::{Mmap, MmapMut};
use nearkin::data::{Column, ColumnValues, Lane, SimilarityMatrix, Table};

use crate::csv::numbered;
use crate::error::{NpyError, ReadError, Result};
use crate::npy::{Floats, Shape};

#[cfg(unix)]
use bus::Guarded;
#[cfg(unix)]
pub use bus::catch_cut_files;

/// Keep a process alive whose mapped file is cut short; here the system refuses to cut it.
#[cfg(not(unix))]
pub fn catch_cut_files() {}

/// A map where the system itself keeps files whole that are mapped.
#[cfg(not(unix))]
#[derive(Debug)]
struct Guarded;

#[cfg(not(unix))]
impl Guarded {
    fn new(_: &Mmap) -> Self {
        Self
    }

    fn is_cut(&self) -> bool {
        false
    }
}

/// A two-dimensional `.npy` array of floats. The file is mapped into memory and its numbers are
/// not copied.
///
/// ```no_run
/// use nearkin_read::Mapped;
///
/// let file = Mapped::open("similarities.npy".as_ref())?;
/// let similarities = file.similarities()?;
/// println!("{} queries, {} references", similarities.rows(), similarities.columns());
/// # Ok::<(), nearkin_read::ReadError>(())
/// ```
#[derive(Debug)]
#[must_use]
pub struct Mapped {
    name: String,
    /// The file that `map` shows, where it is no copy. Before `map`, so that it is dropped first: the
    /// guard must not outlive the addresses.
    shown: Option<Shown>,
    map: Mmap,
    shape: Shape,
}

/// A file that is mapped, and what it was when it was.
#[derive(Debug)]
struct Shown {
    file: File,
    was: (u64, Option<SystemTime>),
    guarded: Guarded,
}

/// The length of a file and when it was last written, by which a change is noticed.
fn state(about: &Metadata) -> (u64, Option<SystemTime>) {
    (about.len(), about.modified().ok())
}

/// An existing file that is not empty, and what is known about it.
fn opened(path: &Path) -> Result<(String, File, Metadata)> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|e| ReadError::io(&name, e))?;
    let about = file.metadata().map_err(|e| ReadError::io(&name, e))?;
    if about.is_dir() {
        return Err(ReadError::Directory { file: name });
    }
    if about.len() == 0 {
        return Err(ReadError::Empty { file: name });
    }
    Ok((name, file, about))
}

impl Mapped {
    /// Reads the file at `path` into memory, once; its numbers are used where they were read to.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or holds no array of floats of two dimensions.
    pub fn open(path: &Path) -> Result<Self> {
        let (name, mut file, about) = opened(path)?;
        let mut read = |length: usize| -> std::io::Result<Mmap> {
            // Memory of the system's is aligned for any number.
            let mut copy = MmapMut::map_anon(length)?;
            file.read_exact(&mut copy)?;
            copy.make_read_only()
        };
        let length = usize::try_from(about.len()).unwrap_or(usize::MAX);
        let map = read(length).map_err(|e| ReadError::io(&name, e))?;
        Self::of(name, map, None)
    }

    /// Maps the file at `path`: nothing is read before it is used.
    ///
    /// # Safety
    ///
    /// No program may write to the file as long as this value lives. Where that cannot be known,
    /// call [`catch_cut_files`] before and [`Mapped::check`] after the work, and use nothing that
    /// was computed when it reports an error.
    ///
    /// # Errors
    ///
    /// When the file cannot be mapped, or holds no array of floats of two dimensions.
    pub unsafe fn map(path: &Path) -> Result<Self> {
        let (name, file, about) = opened(path)?;
        // SAFETY: the map is only read; that nobody changes the file is the caller's promise.
        let map = unsafe { Mmap::map(&file) }.map_err(|e| ReadError::io(&name, e))?;
        let guarded = Guarded::new(&map);
        Self::of(name, map, Some(Shown { file, was: state(&about), guarded }))
    }

    fn of(name: String, map: Mmap, shown: Option<Shown>) -> Result<Self> {
        let shape = Shape::of(&name, &map)?;
        let found = Self { name, map, shape, shown };
        match found.shape.kind {
            Floats::Single => found.cells::<f32>().map(drop),
            Floats::Double => found.cells::<f64>().map(drop),
        }?;
        Ok(found)
    }

    /// Reports whether a mapped file was changed since it was opened.
    ///
    /// # Errors
    ///
    /// [`ReadError::Changed`] when it was cut short or written to: what was computed from it meanwhile
    /// is wrong. A file that was read by [`Mapped::open`] cannot change.
    pub fn check(&self) -> Result<()> {
        let Some(shown) = &self.shown else { return Ok(()) };
        let now = shown.file.metadata().map_err(|e| ReadError::io(&self.name, e))?;
        match shown.guarded.is_cut() || state(&now) != shown.was {
            true => Err(ReadError::Changed { file: self.name.clone() }),
            false => Ok(()),
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.shape.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.shape.columns
    }

    /// The file as messages name it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The array's columns, borrowed from the map.
    pub(crate) fn lanes(&self) -> Result<Vec<ColumnValues<'_>>> {
        let values = |at: usize| match self.shape.kind {
            Floats::Single => self.lane::<f32>(at).map(ColumnValues::F32),
            Floats::Double => self.lane::<f64>(at).map(ColumnValues::F64),
        };
        (0..self.shape.columns).map(values).collect()
    }

    /// The array as a table of numeric columns `x0`, `x1`, …, borrowed from the map.
    ///
    /// # Errors
    ///
    /// When a number is infinite, or the file is shorter than its shape.
    pub fn table(&self) -> Result<Table<'_>> {
        let columns = numbered(self.shape.columns).into_iter().zip(self.lanes()?);
        let columns = columns.map(|(name, values)| Column { name, values });
        Table::new(columns.collect()).map_err(|e| ReadError::table(&self.name, e))
    }

    /// The array as similarities of queries (rows) to references (columns), borrowed from the
    /// map; it must hold double precision numbers, row by row.
    ///
    /// # Errors
    ///
    /// When it holds other numbers, or one that is no similarity.
    pub fn similarities(&self) -> Result<SimilarityMatrix<'_>> {
        if self.shape.fortran || self.shape.kind != Floats::Double {
            return Err(ReadError::npy(&self.name, NpyError::MappedSimilarities));
        }
        let matrix = SimilarityMatrix::new(self.rows(), self.columns(), self.cells::<f64>()?);
        matrix.map_err(|e| ReadError::table(&self.name, e))
    }

    fn lane<T: Cell>(&self, at: usize) -> Result<Lane<'_, T>> {
        let Shape { rows, columns, fortran, .. } = self.shape;
        let (start, stride) = if fortran { (at * rows, 1) } else { (at, columns) };
        Lane::borrowed(self.cells()?, start, stride, rows)
            .ok_or_else(|| ReadError::npy(&self.name, NpyError::ShorterThanShape))
    }

    /// All cells, in the order of the file.
    fn cells<T: Cell>(&self) -> Result<&[T]> {
        let bytes = &self.map[self.shape.offset..];
        // SAFETY: every pattern of bits is a float, and `Cell` is implemented for floats only.
        let (before, cells, after) = unsafe { bytes.align_to::<T>() };
        match (before, after) {
            ([], []) => Ok(cells),
            _ => Err(ReadError::npy(&self.name, NpyError::NotAligned)),
        }
    }
}

/// A float as it lies in a file of this machine's byte order.
trait Cell: Copy {}
impl Cell for f32 {}
impl Cell for f64 {}

/// SIGBUS as a mark: pages of a file that was cut short become zeros.
#[cfg(unix)]
mod bus {
    use std::mem::MaybeUninit;
    use std::ptr::null_mut;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

    use memmap2::Mmap;

    /// The pages of a map, as the handler finds them; never freed, as it may look at any time.
    struct Pages {
        from: usize,
        /// The address behind the last page; 0 once the map is gone.
        to: AtomicUsize,
        cut: AtomicBool,
        next: *const Pages,
    }

    /// The pages of all maps, those of the latest first.
    static ALL: AtomicPtr<Pages> = AtomicPtr::new(null_mut());

    /// What the process did about the signal before, and the size of a page.
    static BEFORE: OnceLock<(libc::sigaction, usize)> = OnceLock::new();

    /// A map that the handler knows.
    pub struct Guarded(&'static Pages);

    impl std::fmt::Debug for Guarded {
        fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            to.debug_tuple("Guarded").field(&self.is_cut()).finish()
        }
    }

    impl Guarded {
        pub fn new(map: &Mmap) -> Self {
            let from = map.as_ptr() as usize;
            let (to, cut) = (AtomicUsize::new(from + map.len()), AtomicBool::new(false));
            let mut next = ALL.load(Ordering::Acquire);
            let pages = Box::into_raw(Box::new(Pages { from, to, cut, next }));
            while let Err(now) =
                ALL.compare_exchange(next, pages, Ordering::AcqRel, Ordering::Acquire)
            {
                next = now;
                // SAFETY: nobody else knows these pages yet.
                unsafe { (*pages).next = next };
            }
            // SAFETY: pages are never freed, and from here on only their atomics change.
            Self(unsafe { &*pages })
        }

        pub fn is_cut(&self) -> bool {
            self.0.cut.load(Ordering::Acquire)
        }
    }

    impl Drop for Guarded {
        fn drop(&mut self) {
            self.0.to.store(0, Ordering::Release);
        }
    }

    // SAFETY: what threads share are atomics.
    unsafe impl Send for Guarded {}
    // SAFETY: as above.
    unsafe impl Sync for Guarded {}

    /// From now on a mapped file that is cut short does not end the process: the missing part
    /// reads as zeros, and [`Mapped::check`](super::Mapped::check) reports it. SIGBUS from
    /// anything else goes where it went before.
    pub fn catch_cut_files() {
        BEFORE.get_or_init(|| {
            // SAFETY: both calls take what they are documented to; an all-zero action is valid.
            unsafe {
                let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).unwrap_or(4096);
                let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
                let mut before: libc::sigaction = MaybeUninit::zeroed().assume_init();
                action.sa_sigaction = on_bus as *const () as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                libc::sigemptyset(&mut action.sa_mask);
                libc::sigaction(libc::SIGBUS, null_mut(), &mut before);
                libc::sigaction(libc::SIGBUS, &action, null_mut());
                (before, page)
            }
        });
    }

    /// The map that an address lies in, if it is in one.
    fn map_of(address: usize) -> Option<&'static Pages> {
        let mut at = ALL.load(Ordering::Acquire).cast_const();
        // SAFETY: pages are never freed.
        while let Some(pages) = unsafe { at.as_ref() } {
            if (pages.from..pages.to.load(Ordering::Acquire)).contains(&address) {
                return Some(pages);
            }
            at = pages.next;
        }
        None
    }

    extern "C" fn on_bus(
        signal: libc::c_int,
        about: *mut libc::siginfo_t,
        context: *mut libc::c_void,
    ) {
        let Some((before, page)) = BEFORE.get() else {
            // Between the two calls of `catch_cut_files`: the read is tried again.
            return;
        };
        // SAFETY: the system gives a valid description of the signal.
        let address = unsafe { (*about).si_addr() } as usize;
        if let Some(pages) = map_of(address) {
            let from = address / page * page;
            let length = pages.to.load(Ordering::Acquire).next_multiple_of(*page) - from;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
            // SAFETY: these pages belong to the map, which unmaps them when it is dropped.
            let zeros = unsafe {
                libc::mmap(from as *mut libc::c_void, length, libc::PROT_READ, flags, -1, 0)
            };
            if zeros != libc::MAP_FAILED {
                pages.cut.store(true, Ordering::Release);
                return;
            }
        }
        // SAFETY: as the handler before was installed, so it is called; without one the signal's
        // own action follows when the read is tried again.
        unsafe {
            match before.sa_sigaction {
                libc::SIG_DFL | libc::SIG_IGN => {
                    libc::signal(signal, libc::SIG_DFL);
                }
                handler if before.sa_flags & libc::SA_SIGINFO != 0 => {
                    type Handler =
                        extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
                    std::mem::transmute::<usize, Handler>(handler)(signal, about, context);
                }
                handler => {
                    std::mem::transmute::<usize, extern "C" fn(libc::c_int)>(handler)(signal);
                }
            }
        }
    }
}
