//! The layout of a trace file (`.rvt`).
//!
//! ```text
//! page 0        header
//! page 1 …      chunks, one after another; each begins on a page and is a whole number of pages long
//! ```
//!
//! The file is a memory map that threads write concurrently: a thread takes pages with one atomic addition, fills in the
//! chunk's header and appends records until the chunk is full. Nothing is ever moved or rewritten, so whatever was
//! recorded before a `kill -9` can be read. A chunk ends at its first zero code. Pages that were taken but whose header
//! was not written yet are skipped page by page.
//!
//! All integers are little endian. The names below are byte offsets.

/// The size of a page, in bytes.
pub const PAGE: usize = 4096;

/// The first eight bytes of every trace.
pub const MAGIC: [u8; 8] = *b"RVTRACE\0";

/// The version of this format.
pub const VERSION: u32 = 1;

/// Offsets in the header page.
pub mod header {
    /// [`super::MAGIC`].
    pub const MAGIC: usize = 0;
    /// [`super::VERSION`], u32.
    pub const VERSION: usize = 8;
    /// Process id, u32.
    pub const PID: usize = 12;
    /// The tick counter when recording began, u64.
    pub const TICKS: usize = 16;
    /// Wall clock when recording began, ns since 1970, u64.
    pub const WALL: usize = 24;
    /// How many pages the file may grow to, u32.
    pub const CAP_PAGES: usize = 32;
    /// How many pages are taken, header included, u32; may exceed the cap.
    pub const NEXT_PAGE: usize = 36;
    /// How many records were not written because the file was full or could not grow, u64.
    pub const DROPPED: usize = 40;
    /// Why records were dropped: see [`super::lost`], u32.
    pub const LOST: usize = 48;
    /// 1 once the process ended in an orderly way, u32.
    pub const FINISHED: usize = 52;
    /// The latest pair of (tick counter, ns since recording began), u64 each; calibrates the ticks.
    pub const CALIBRATION: usize = 56;
    /// The instrumented process that started this one, directly or not; 0 if the tool itself did, or nobody knows, u32.
    pub const STARTER: usize = 72;
    /// The system's number of the thread that did so; 0 if nobody knows, u32.
    pub const STARTER_THREAD: usize = 76;
    /// That thread's name, as much of it as the system keeps: UTF-8 bytes, filled up with zeros.
    pub const STARTER_NAME: usize = 80;
    /// How long that name may be, in bytes.
    pub const STARTER_NAME_LENGTH: usize = 16;
    /// 1 where every record that is about more than its thread comes right after its ticket, u32.
    pub const TICKETED: usize = 96;
    /// The command line, as a length (u32) and UTF-8 bytes, cut to fit the page.
    pub const COMMAND: usize = 128;
}

/// Why records were lost.
pub mod lost {
    /// None were.
    pub const NOTHING: u32 = 0;
    /// The size cap was reached.
    pub const CAP: u32 = 1;
    /// The disk was full, or the file could not grow for another reason.
    pub const DISK: u32 = 2;
}

/// Offsets in a chunk's header, and its size.
pub mod chunk {
    /// [`CHUNK_MAGIC`], u32, written last.
    pub const MAGIC: usize = 0;
    /// [`EVENTS`] or [`DEFINITIONS`], u32.
    pub const TYPE: usize = 4;
    /// Length in pages, u32.
    pub const PAGES: usize = 8;
    /// The thread that writes it, u32.
    pub const THREAD: usize = 12;
    /// Its number among the chunks of this thread (or of the definitions), from 0, u32.
    pub const INDEX: usize = 16;
    /// The innermost task that the thread was polling, u32.
    pub const TASK: usize = 20;
    /// The tick counter at its beginning, u64.
    pub const TICKS: usize = 24;
    /// ns since recording began at its beginning, u64; with `TICKS` a calibration pair.
    pub const NANOS: usize = 32;
    /// The system's number of the thread that writes it; 0 if it is not known, u32.
    pub const SYSTEM_THREAD: usize = 40;
    /// Where the contents begin.
    pub const CONTENTS: usize = 64;

    /// The first four bytes of a chunk.
    pub const CHUNK_MAGIC: u32 = u32::from_le_bytes(*b"rvCH");
    /// Contents are [`crate::record::Record`]s.
    pub const EVENTS: u32 = 1;
    /// Contents are definitions, see [`super::definition`].
    pub const DEFINITIONS: u32 = 2;
}

/// Definitions: entries of variable length, each 8-aligned: length of the payload (u32, written last; 0 ends the chunk),
/// tag (u32), payload. Strings are the rest of the payload, UTF-8.
pub mod definition {
    /// A site: id u32, line u32, column u32, 1 where it belongs to the program's own crates u32, file name.
    pub const SITE: u32 = 1;
    /// A string: id u32, text.
    pub const STRING: u32 = 2;
    /// A thread: thread u32, its task u32, unit u32, [`crate::kind::TaskKind`] u32, name.
    pub const THREAD: u32 = 3;
    /// A unit: id u32, name of the test.
    pub const UNIT: u32 = 4;
    /// A task's name: task u32, name.
    pub const TASK_NAME: u32 = 5;
    /// A note of the recorder to the report (such as a limit that was reached), text.
    pub const NOTE: u32 = 6;
    /// The program was stopped where a property was violated: unit u32, 1 where it was ended and 0 where it panicked u32, id of
    /// the property.
    pub const STOP: u32 = 7;
    /// What is spawned at a site begins a named group of tasks: site u32, name. It comes right behind the site.
    pub const GROUP: u32 = 8;
    /// What was learnt of a place: number u32, [`crate::remedy::Remedy`] u32, the place, a site u32, the other place or 0 u32, 1 where
    /// it was known before the process began u32, id of the property.
    pub const LEARNT: u32 = 9;
    /// What a remedy has done so far: number of what was learnt u32, how often it was applied and what that cost in ns as two u64 of
    /// two u32 each, low half first, and how often it was given up u32. The last one counts.
    pub const APPLIED: u32 = 10;
    /// A handler has told of the panic or error that ended a task, which nobody else reads: number of what was learnt u32, task u32.
    pub const HANDLED: u32 = 11;
}
