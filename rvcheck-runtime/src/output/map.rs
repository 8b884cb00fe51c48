//! The memory-mapped file. The only place with calls into the system.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::os::unix::io::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use rvcheck_event::trace::format::PAGE;

/// How far the file grows at least, and at most, at a time: 256 KiB and 16 MiB.
const STEP: (u32, u32) = (64, 4096);

static MAP: OnceLock<Map> = OnceLock::new();
/// What the file grows by where the system has no call for that; nothing may be allocated here, see [`crate::memory`].
static ZEROS: [u8; PAGE] = [0; PAGE];

/// The map of this process's trace.
pub(super) struct Map {
    base: *mut u8,
    pages: u32,
    /// Pages that have disk blocks; writing behind them would be a bus error.
    backed: AtomicU32,
    file: Mutex<Opened>,
}

/// The file. A program may close all descriptors that it does not know, and its next file then has the number of this one.
struct Opened {
    file: File,
    path: PathBuf,
    /// Device and inode.
    identity: (u64, u64),
}

impl Opened {
    fn new(file: File, path: &Path) -> io::Result<Opened> {
        let identity = identity(&file)?;
        Ok(Opened { file, path: path.to_owned(), identity })
    }

    /// The file, opened again where its descriptor was closed.
    fn file(&mut self) -> io::Result<&File> {
        if !identity(&self.file).is_ok_and(|it| it == self.identity) {
            let again = File::options().read(true).write(true).open(&self.path)?;
            if identity(&again)? != self.identity {
                return Err(io::ErrorKind::NotFound.into());
            }
            // The old number is somebody else's by now, or nobody's.
            std::mem::forget(std::mem::replace(&mut self.file, again));
        }
        Ok(&self.file)
    }
}

fn identity(file: &File) -> io::Result<(u64, u64)> {
    let metadata = file.metadata()?;
    Ok((metadata.dev(), metadata.ino()))
}

// SAFETY: the memory is only written through atomics, or in pages that one thread has taken for itself.
unsafe impl Send for Map {}
// SAFETY: as above.
unsafe impl Sync for Map {}

unsafe extern "C" {
    fn mmap(address: *mut u8, length: usize, protection: i32, flags: i32, file: i32, offset: i64) -> *mut u8;
}

/// The map, once it exists.
#[inline]
pub(super) fn get() -> Option<&'static Map> {
    MAP.get()
}

/// Creates the file, which must not be there yet, and maps room for `cap` bytes of it, of which only the header has disk blocks.
pub(super) fn create(path: &Path, cap: u64) -> io::Result<&'static Map> {
    const READ_WRITE: i32 = 3;
    const SHARED: i32 = 1;
    let pages = u32::try_from(cap / PAGE as u64).unwrap_or(u32::MAX / 4).clamp(16, u32::MAX / 4);
    let file = File::options().read(true).write(true).create_new(true).open(path)?;
    grow(&file, 0, 1)?;
    // SAFETY: a fresh map of a file that stays open; nothing else refers to it.
    let base =
        unsafe { mmap(std::ptr::null_mut(), pages as usize * PAGE, READ_WRITE, SHARED, file.as_raw_fd(), 0) };
    if base as isize == -1 {
        return Err(io::Error::last_os_error());
    }
    let map = Map { base, pages, backed: AtomicU32::new(1), file: Mutex::new(Opened::new(file, path)?) };
    Ok(MAP.get_or_init(|| map))
}

/// Gives the pages `from..to` disk blocks, so that a full disk is an error here and not a signal later.
fn grow(file: &File, from: u32, to: u32) -> io::Result<()> {
    let (offset, length) = (u64::from(from) * PAGE as u64, u64::from(to - from) * PAGE as u64);
    #[cfg(target_os = "linux")]
    {
        unsafe extern "C" {
            fn posix_fallocate(file: i32, offset: i64, length: i64) -> i32;
        }
        // SAFETY: a plain call on an open file.
        match unsafe { posix_fallocate(file.as_raw_fd(), offset as i64, length as i64) } {
            0 => return Ok(()),
            error if io::Error::from_raw_os_error(error).kind() == io::ErrorKind::StorageFull => {
                return Err(io::Error::from_raw_os_error(error));
            }
            // Some file systems cannot; they get zeros.
            _ => {}
        }
    }
    (offset..offset + length).step_by(PAGE).try_for_each(|at| file.write_all_at(&ZEROS, at))
}

impl Map {
    /// How many pages the file may have.
    pub(super) fn pages(&self) -> u32 {
        self.pages
    }

    /// Makes sure that the pages up to `end` can be written.
    pub(super) fn back(&self, page: u32, end: u32) -> bool {
        if end > self.backed.load(Ordering::Acquire) && !self.grow_to(end) {
            return false;
        }
        self.populate(page, end);
        true
    }

    fn grow_to(&self, end: u32) -> bool {
        let mut opened = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let backed = self.backed.load(Ordering::Acquire);
        if end <= backed {
            return true;
        }
        let Ok(file) = opened.file() else { return false };
        let step = backed.clamp(STEP.0, STEP.1);
        let wanted = end.max(backed.saturating_add(step).min(self.pages));
        // When the disk cannot give the whole step it may still give what is needed now.
        let reached = if grow(file, backed, wanted).is_ok() {
            wanted
        } else if grow(file, backed, end).is_ok() {
            end
        } else {
            return false;
        };
        self.backed.store(reached, Ordering::Release);
        true
    }

    /// Maps the pages at once, which is cheaper than a fault for each. Best effort.
    fn populate(&self, page: u32, end: u32) {
        #[cfg(target_os = "linux")]
        {
            const POPULATE_WRITE: i32 = 23;
            unsafe extern "C" {
                fn madvise(address: *mut u8, length: usize, advice: i32) -> i32;
            }
            // SAFETY: the range lies inside the map.
            unsafe { madvise(self.at(page as usize * PAGE), (end - page) as usize * PAGE, POPULATE_WRITE) };
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (page, end);
    }

    /// Cuts the file behind that many pages. Nobody may take pages any more.
    pub(super) fn shrink(&self, pages: u32) {
        let mut opened = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = opened.file().and_then(|it| it.set_len(u64::from(pages) * PAGE as u64));
    }

    /// The address of that offset.
    #[inline]
    pub(super) fn at(&self, offset: usize) -> *mut u8 {
        debug_assert!(offset <= self.pages as usize * PAGE);
        // SAFETY: callers stay inside the map.
        unsafe { self.base.add(offset) }
    }

    /// The address of the words at that offset, which is a multiple of 8.
    pub(super) fn words(&self, offset: usize) -> *mut u64 {
        self.at(offset).cast()
    }

    /// The number at that offset, which is a multiple of 4.
    #[inline]
    pub(super) fn atomic_u32(&self, offset: usize) -> &AtomicU32 {
        // SAFETY: inside the map and aligned; only accessed atomically.
        unsafe { AtomicU32::from_ptr(self.at(offset).cast()) }
    }

    /// The number at that offset, which is a multiple of 8.
    #[inline]
    pub(super) fn atomic_u64(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: inside the map and aligned; only accessed atomically.
        unsafe { AtomicU64::from_ptr(self.at(offset).cast()) }
    }

    pub(super) fn store_u32(&self, offset: usize, value: u32) {
        self.atomic_u32(offset).store(value.to_le(), Ordering::Relaxed);
    }

    pub(super) fn store_u64(&self, offset: usize, value: u64) {
        self.atomic_u64(offset).store(value.to_le(), Ordering::Relaxed);
    }

    /// Writes bytes into a part of the header that only this thread writes.
    pub(super) fn bytes(&self, offset: usize, bytes: &[u8]) {
        // SAFETY: inside the map, and not yet published to anyone.
        unsafe { self.at(offset).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    }
}
