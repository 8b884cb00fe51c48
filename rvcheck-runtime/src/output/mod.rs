//! The trace file of this process: opened once, grown page by page, shared by all threads.

mod definitions;
mod map;
mod starter;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use rvcheck_event::trace::format::{MAGIC, PAGE, VERSION, chunk, header, lost};

pub(crate) use definitions::{
    applied, group, handled, learnt, note, site, stop, string, task_name, thread, unit,
};
use map::Map;

use crate::{clock, switch};

/// Pages taken, header included; the header's copy is for readers.
static NEXT_PAGE: AtomicU32 = AtomicU32::new(1);
/// So many pages are taken once the process has ended.
const OVER: u32 = u32::MAX / 2;
/// Why the last chunk that was asked for could not be had.
static REFUSED: AtomicU32 = AtomicU32::new(lost::NOTHING);

/// The file of a process that finds the one that it was told of taken is called after that one and its own number. A number may
/// have been given before, so more than one name is tried.
const NAMES: u32 = 100;

/// Creates the file and its header. The variable that names the file is inherited by child processes, and a process may
/// become another program: whoever finds the file there was started by a process that records, and makes its own beside it. Whether
/// this one has the file itself.
pub(crate) fn open(path: &str, cap: u64, ticketed: bool) -> std::io::Result<bool> {
    let taken = |error: &std::io::Error| error.kind() == std::io::ErrorKind::AlreadyExists;
    let id = std::process::id();
    let mut names = std::iter::once(PathBuf::from(path))
        .chain(std::iter::once(format!("{path}.{id}").into()))
        .chain((2..NAMES).map(|count| format!("{path}.{id}.{count}").into()));
    let first =
        names.next().map_or_else(|| Err(std::io::ErrorKind::NotFound.into()), |it| map::create(&it, cap));
    let is_first = first.is_ok();
    let map = names.fold(first, |done, name| match done {
        Err(error) if taken(&error) => map::create(&name, cap),
        done => done,
    })?;
    if !is_first {
        starter::note(map, path);
    }
    let first = clock::begin();
    let wall = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |it| it.as_nanos() as u64);
    map.bytes(header::MAGIC, &MAGIC);
    map.store_u32(header::VERSION, VERSION);
    map.store_u32(header::PID, std::process::id());
    map.store_u64(header::TICKS, first);
    map.store_u64(header::WALL, wall);
    map.store_u32(header::TICKETED, u32::from(ticketed));
    map.store_u32(header::CAP_PAGES, map.pages());
    map.store_u32(header::NEXT_PAGE, 1);
    let command =
        std::env::args_os().map(|it| it.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ");
    let mut end = command.len().min(PAGE - header::COMMAND - 4);
    while !command.is_char_boundary(end) {
        end -= 1;
    }
    map.store_u32(header::COMMAND, end as u32);
    map.bytes(header::COMMAND + 4, &command.as_bytes()[..end]);
    calibrate(map);
    Ok(is_first)
}

/// Marks the end of the process, and gives back what the file did not need.
pub(crate) fn finish() {
    let Some(map) = map::get().filter(|_| switch::is_open()) else { return };
    // A process that forked off shares the map, and may have done so without telling anybody where the system cannot tell.
    if u32::from_le(map.atomic_u32(header::PID).load(Ordering::Relaxed)) != std::process::id() {
        return;
    }
    calibrate(map);
    map.store_u32(header::FINISHED, 1);
    // From here on no thread can take pages, so that nobody writes behind the new end of the file. A thread that took some a
    // moment ago may still be filling in their header, so the count is that of the pages taken and not of those published.
    let used = NEXT_PAGE.swap(OVER, Ordering::AcqRel).min(map.pages());
    map.store_u32(header::NEXT_PAGE, used);
    map.shrink(used);
}

/// Counts a record that could not be written. What threads do after the end of the process is not missed.
pub(crate) fn dropped(count: u64) {
    let may_write = switch::is_open() && NEXT_PAGE.load(Ordering::Relaxed) < OVER;
    if let Some(map) = map::get().filter(|_| may_write) {
        map.atomic_u64(header::DROPPED).fetch_add(count, Ordering::Relaxed);
        map.store_u32(header::LOST, REFUSED.load(Ordering::Relaxed));
    }
}

fn calibrate(map: &Map) {
    let (ticks, nanos) = clock::pair();
    map.store_u64(header::CALIBRATION, ticks);
    map.store_u64(header::CALIBRATION + 8, nanos);
}

/// A fresh chunk's contents: addresses of its first byte and of the byte behind it, both multiples of 16.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    pub(crate) first: *mut u64,
    pub(crate) end: *mut u64,
}

/// What a chunk's header says of its writer.
pub(crate) struct Writer {
    pub(crate) kind: u32,
    pub(crate) thread: u32,
    pub(crate) index: u32,
    pub(crate) task: u32,
    /// The system's number of the thread; 0 where it does not matter or is not known.
    pub(crate) system_thread: u32,
}

/// Takes that many pages for a chunk; `None` when the file is full or cannot grow.
pub(crate) fn take(pages: u32, writer: &Writer) -> Option<Span> {
    let map = map::get()?;
    // A disk that was full once is not asked again: what comes later would leave a hole before it.
    if REFUSED.load(Ordering::Relaxed) == lost::DISK {
        return None;
    }
    let fits = |page: u32| page.checked_add(pages).filter(|end| *end <= map.pages());
    let Ok(page) = NEXT_PAGE.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits) else {
        REFUSED.store(lost::CAP, Ordering::Relaxed);
        return None;
    };
    let end = page + pages;
    if !map.back(page, end) {
        REFUSED.store(lost::DISK, Ordering::Relaxed);
        return None;
    }
    map.atomic_u32(header::NEXT_PAGE).fetch_max(end, Ordering::Relaxed);
    let at = page as usize * PAGE;
    let (ticks, nanos) = clock::pair();
    map.store_u32(at + chunk::TYPE, writer.kind);
    map.store_u32(at + chunk::PAGES, pages);
    map.store_u32(at + chunk::THREAD, writer.thread);
    map.store_u32(at + chunk::INDEX, writer.index);
    map.store_u32(at + chunk::TASK, writer.task);
    map.store_u32(at + chunk::SYSTEM_THREAD, writer.system_thread);
    map.store_u64(at + chunk::TICKS, ticks);
    map.store_u64(at + chunk::NANOS, nanos);
    map.atomic_u32(at + chunk::MAGIC).store(chunk::CHUNK_MAGIC, Ordering::Release);
    Some(Span { first: map.words(at + chunk::CONTENTS), end: map.words(end as usize * PAGE) })
}
