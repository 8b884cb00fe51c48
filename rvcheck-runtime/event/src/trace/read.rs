//! Reading a trace: the header, the definitions, and where each thread's records are.
//!
//! Nothing is copied but the definitions. What is torn or damaged is skipped and counted.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::bytes::{u32_at, u64_at};
use super::definitions::Definitions;
use super::format::{MAGIC, PAGE, VERSION, chunk, header, lost};
use super::problems::{Problems, TraceError};
use super::resolve::Strings;
use super::ticks::Pair;
pub use super::ticks::Ticks;
use crate::id::{StringId, TaskId, ThreadId};
use crate::names::Names;
use crate::record::{RECORD_SIZE, Record};

/// Why the recorder could not write everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// It could.
    Nothing,
    /// The trace reached its greatest size.
    Cap,
    /// The disk was full.
    Disk,
    /// A reason that this version does not know.
    Other(u32),
}

/// A trace in memory.
#[derive(Clone, Debug)]
pub struct Trace<'a> {
    bytes: &'a [u8],
    names: Arc<Names>,
    strings: BTreeMap<u32, StringId>,
    threads: Vec<ThreadRecords>,
    system_threads: BTreeMap<u32, ThreadId>,
    ticks: Ticks,
    problems: Problems,
}

/// Who started a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Starter {
    /// The process: the nearest one above that records.
    pub process: u32,
    /// The system's number of the thread; 0 if it is not known.
    pub thread: u32,
    /// The thread's name, cut to what the system keeps of it.
    pub thread_name: String,
}

/// Where the records of one thread are.
#[derive(Clone, Debug)]
pub(super) struct ThreadRecords {
    pub(super) thread: ThreadId,
    /// In the order of their numbers.
    pub(super) chunks: Vec<Chunk>,
}

/// One chunk of records.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    index: u32,
    /// Where its contents begin and end in the file.
    pub(super) first: usize,
    pub(super) end: usize,
    /// The innermost task that the thread was polling when it took the chunk.
    pub(super) task: TaskId,
    pub(super) ticks: u64,
    /// The chunk before it is missing.
    pub(super) after_gap: bool,
}

/// Reads a trace.
///
/// # Errors
///
/// If the bytes are no trace, or one of another version. Damage inside a trace is no error, see [`Trace::problems`].
pub fn read(bytes: &[u8]) -> Result<Trace<'_>, TraceError> {
    if bytes.len() < PAGE {
        return Err(TraceError::TooShort { length: bytes.len() });
    }
    if !bytes.starts_with(&MAGIC) {
        return Err(TraceError::BadMagic);
    }
    let version = u32_at(bytes, header::VERSION);
    if version != VERSION {
        return Err(TraceError::Version { found: version });
    }
    let mut problems = Problems::default();
    let mut definitions: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    let mut threads: BTreeMap<u32, Vec<Chunk>> = BTreeMap::new();
    let mut system_threads = BTreeMap::new();
    let mut pairs = Vec::new();
    for page in Pages::of(bytes) {
        let at = page.page * PAGE;
        let kind = match page.found {
            PageContent::Nothing => {
                problems.unwritten_pages += 1;
                continue;
            }
            PageContent::Damaged => {
                problems.bad_chunks += 1;
                continue;
            }
            PageContent::Chunk { kind, torn } => {
                problems.torn_chunks += u64::from(torn);
                kind
            }
        };
        let (first, end) = (at + chunk::CONTENTS, page.end.min(bytes.len()));
        let index = u32_at(bytes, at + chunk::INDEX);
        pairs.push(Pair { ticks: u64_at(bytes, at + chunk::TICKS), nanos: u64_at(bytes, at + chunk::NANOS) });
        if kind == chunk::DEFINITIONS {
            problems.doubled_chunks += u64::from(definitions.contains_key(&index));
            definitions.entry(index).or_insert((first, end));
        } else {
            let task = TaskId(u32_at(bytes, at + chunk::TASK));
            let ticks = u64_at(bytes, at + chunk::TICKS);
            let found = Chunk { index, first, end, task, ticks, after_gap: false };
            let thread = u32_at(bytes, at + chunk::THREAD);
            system_threads.insert(u32_at(bytes, at + chunk::SYSTEM_THREAD), ThreadId(thread));
            threads.entry(thread).or_default().push(found);
        }
    }
    let mut read = Definitions::default();
    problems.missing_chunks += missing(definitions.keys().copied());
    for (first, end) in definitions.into_values() {
        read.read(&bytes[first..end]);
    }
    problems.bad_definitions += read.bad;
    let threads = threads
        .into_iter()
        .map(|(thread, chunks)| ThreadRecords {
            thread: ThreadId(thread),
            chunks: sequence(chunks, &mut problems),
        })
        .collect();
    let last =
        Pair { ticks: u64_at(bytes, header::CALIBRATION), nanos: u64_at(bytes, header::CALIBRATION + 8) };
    let ticks = Ticks::new(u64_at(bytes, header::TICKS), pairs, last);
    system_threads.remove(&0);
    Ok(Trace {
        bytes,
        names: Arc::new(read.names),
        strings: read.strings,
        threads,
        system_threads,
        ticks,
        problems,
    })
}

/// How many numbers are missing below the greatest one.
fn missing(numbers: impl Iterator<Item = u32>) -> u64 {
    let (mut next, mut missing) = (0_u64, 0_u64);
    for number in numbers {
        missing += u64::from(number).saturating_sub(next);
        next = u64::from(number) + 1;
    }
    missing
}

/// The chunks of one thread in order, each number once, with the gaps marked.
fn sequence(mut chunks: Vec<Chunk>, problems: &mut Problems) -> Vec<Chunk> {
    chunks.sort_by_key(|it| it.index);
    let all = chunks.len();
    chunks.dedup_by_key(|it| it.index);
    problems.doubled_chunks += (all - chunks.len()) as u64;
    problems.missing_chunks += missing(chunks.iter().map(|it| it.index));
    let mut next = 0;
    for it in &mut chunks {
        it.after_gap = it.index != next;
        next = it.index.wrapping_add(1);
    }
    chunks
}

/// Walks over the pages behind the header, chunk by chunk.
struct Pages<'a> {
    bytes: &'a [u8],
    page: usize,
    end: usize,
}

/// What begins at a page.
struct PageRun {
    page: usize,
    /// The offset behind it.
    end: usize,
    found: PageContent,
}

enum PageContent {
    Nothing,
    Damaged,
    Chunk { kind: u32, torn: bool },
}

impl Pages<'_> {
    fn of(bytes: &[u8]) -> Pages<'_> {
        let taken = u32_at(bytes, header::NEXT_PAGE) as usize;
        // A page that is not whole may still hold records.
        let end = taken.min(bytes.len().div_ceil(PAGE));
        Pages { bytes, page: 1, end }
    }
}

impl Iterator for Pages<'_> {
    type Item = PageRun;

    fn next(&mut self) -> Option<PageRun> {
        if self.page >= self.end {
            return None;
        }
        let page = self.page;
        let at = page * PAGE;
        let magic = u32_at(self.bytes, at + chunk::MAGIC);
        let kind = u32_at(self.bytes, at + chunk::TYPE);
        let pages = u32_at(self.bytes, at + chunk::PAGES) as usize;
        let found = if magic != chunk::CHUNK_MAGIC {
            PageContent::Nothing
        } else if !(kind == chunk::EVENTS || kind == chunk::DEFINITIONS)
            || pages == 0
            || page.saturating_add(pages) > u32_at(self.bytes, header::NEXT_PAGE) as usize
            || at + chunk::CONTENTS > self.bytes.len()
        {
            PageContent::Damaged
        } else {
            PageContent::Chunk { kind, torn: at + pages * PAGE > self.bytes.len() }
        };
        let length = if let PageContent::Chunk { .. } = found { pages } else { 1 };
        self.page += length;
        Some(PageRun { page, end: self.page * PAGE, found })
    }
}

impl<'a> Trace<'a> {
    /// The id of the process.
    pub fn pid(&self) -> u32 {
        u32_at(self.bytes, header::PID)
    }

    /// Who started the process, if that was another process that records.
    pub fn starter(&self) -> Option<Starter> {
        let process = u32_at(self.bytes, header::STARTER);
        let name = &self.bytes[header::STARTER_NAME..header::STARTER_NAME + header::STARTER_NAME_LENGTH];
        let length = name.iter().position(|it| *it == 0).unwrap_or(name.len());
        (process != 0).then(|| Starter {
            process,
            thread: u32_at(self.bytes, header::STARTER_THREAD),
            thread_name: String::from_utf8_lossy(&name[..length]).into_owned(),
        })
    }

    /// The thread to which the system gave this number. The last one, where it has given the number to several.
    pub fn system_thread(&self, number: u32) -> Option<ThreadId> {
        self.system_threads.get(&number).copied()
    }

    /// The command line of the process.
    pub fn command(&self) -> String {
        let length = u32_at(self.bytes, header::COMMAND) as usize;
        let longest = PAGE - header::COMMAND - 4;
        let first = header::COMMAND + 4;
        String::from_utf8_lossy(&self.bytes[first..first + length.min(longest)]).into_owned()
    }

    /// When recording began, in ns since 1970.
    pub fn began_at(&self) -> u64 {
        u64_at(self.bytes, header::WALL)
    }

    /// Whether the process ended in an orderly way.
    pub fn is_finished(&self) -> bool {
        u32_at(self.bytes, header::FINISHED) == 1
    }

    /// How many records the recorder could not write.
    pub fn dropped(&self) -> u64 {
        u64_at(self.bytes, header::DROPPED)
    }

    /// Why it could not.
    pub fn lost(&self) -> Lost {
        match u32_at(self.bytes, header::LOST) {
            lost::NOTHING => Lost::Nothing,
            lost::CAP => Lost::Cap,
            lost::DISK => Lost::Disk,
            other => Lost::Other(other),
        }
    }

    /// What the ids stand for.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The names, to add to: the source knows more of them than the recorder.
    pub fn names_mut(&mut self) -> &mut Names {
        Arc::make_mut(&mut self.names)
    }

    pub(super) fn shared_names(&self) -> Arc<Names> {
        Arc::clone(&self.names)
    }

    /// From ticks to time.
    pub fn ticks(&self) -> &Ticks {
        &self.ticks
    }

    /// What is wrong with the file. What is wrong with the order of events, the merge tells.
    pub fn problems(&self) -> Problems {
        self.problems
    }

    /// The threads that recorded something, in the order of their ids.
    pub fn threads(&self) -> impl Iterator<Item = ThreadId> {
        self.threads.iter().map(|it| it.thread)
    }

    /// The records of one thread, in its own order.
    pub fn records(&self, thread: ThreadId) -> impl Iterator<Item = Record> {
        let found = self.threads.binary_search_by_key(&thread, |it| it.thread).ok();
        let chunks = found.map_or(&[][..], |index| &self.threads[index].chunks);
        chunks.iter().flat_map(|it| {
            let (records, _) = self.bytes[it.first..it.end].as_chunks::<RECORD_SIZE>();
            records.iter().map(Record::of_bytes).take_while(|it| it.code != 0)
        })
    }

    pub(super) fn streams(&self) -> &[ThreadRecords] {
        &self.threads
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Whether the order of the records is given by tickets.
    pub fn is_ticketed(&self) -> bool {
        u32_at(self.bytes, header::TICKETED) == 1
    }

    /// No id is greater than this, unless the trace is damaged or incomplete.
    pub(super) fn id_limit(&self) -> u32 {
        u32::try_from(self.bytes.len() / RECORD_SIZE).unwrap_or(u32::MAX)
    }
}

impl Strings for Trace<'_> {
    fn string(&self, number: u32) -> StringId {
        self.strings.get(&number).copied().unwrap_or_default()
    }
}
