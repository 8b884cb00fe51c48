//! Reading a trace while it is written, in the order of the tickets.
//!
//! [`Tail::poll`] is called again and again, and goes each time as far as it can: to the first ticket whose record is not there yet.
//! A record is complete as soon as its code is there, and what it names was defined before.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use super::bytes::u32_at;
use super::follow::Ticketed;
use super::format::{MAGIC, PAGE, VERSION, chunk, header};
use crate::id::ThreadId;
use crate::record::{RECORD_SIZE, Record, code};

/// How many bytes of a thread are read at a time.
const PART: usize = 1 << 16;
/// The bytes that stand before each definition, and the zeros behind the last one.
const HEAD: usize = 8;
/// Longer definitions are none: the recorder cuts texts.
const LONGEST: usize = 1 << 13;

/// A file that grows.
pub trait Source {
    /// Reads into `buffer` what is there from `offset` on; how many bytes that are.
    fn read(&mut self, offset: u64, buffer: &mut [u8]) -> usize;
}

/// What takes the contents of the trace.
pub trait Listener {
    /// A definition with its payload, see [`super::format::definition`].
    fn define(&mut self, tag: u32, payload: &[u8]);
    /// The record of this thread that comes next in the order of the tickets.
    fn record(&mut self, thread: ThreadId, next: Ticketed);
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Tail {
    /// The first page that was not looked at.
    page: usize,
    definitions: Reader,
    threads: BTreeMap<u32, Written>,
    /// The first record of each thread that has one, by ticket.
    heads: BinaryHeap<Reverse<(u64, u32)>>,
    /// The ticket that comes next.
    expected: u64,
}

/// What a thread has written.
#[derive(Clone, Debug, Default)]
struct Written {
    reader: Reader,
    /// The last ticket, and its time.
    ticket: (u64, u64),
    records: VecDeque<Ticketed>,
}

/// How far the chunks of one writer were read.
#[derive(Clone, Debug, Default)]
struct Reader {
    /// The contents of the chunks that are known, by number.
    chunks: BTreeMap<u32, (usize, usize)>,
    chunk: u32,
    /// How many bytes of the chunk's contents were read.
    read: usize,
}

impl Default for Tail {
    fn default() -> Tail {
        Tail {
            page: 1,
            definitions: Reader::default(),
            threads: BTreeMap::new(),
            heads: BinaryHeap::new(),
            expected: 1,
        }
    }
}

impl Tail {
    /// Nothing was read yet.
    pub fn new() -> Tail {
        Tail::default()
    }

    /// Reads on. With `give_up`, a ticket is passed over whose record is not there. Whether anything was handed on.
    pub fn poll(&mut self, source: &mut impl Source, give_up: bool, listener: &mut impl Listener) -> bool {
        if !self.find_chunks(source) {
            return false;
        }
        // What the records name was defined before they were written, so the definitions are read after them.
        for (id, written) in &mut self.threads {
            let was_empty = written.records.is_empty();
            written.read_records(source);
            if let Some(first) = written.records.front().filter(|_| was_empty) {
                self.heads.push(Reverse((first.ticket, *id)));
            }
        }
        let defined = self.definitions.read_definitions(source, listener);
        self.tell(give_up, listener) || defined
    }

    /// Tells the records up to the first ticket that is missing.
    fn tell(&mut self, give_up: bool, listener: &mut impl Listener) -> bool {
        let mut progressed = false;
        while let Some(Reverse((ticket, id))) = self.heads.peek().copied() {
            if ticket > self.expected && !give_up {
                break;
            }
            self.heads.pop();
            let Some(written) = self.threads.get_mut(&id) else { continue };
            if let Some(next) = written.records.pop_front() {
                self.expected = ticket + 1;
                listener.record(ThreadId(id), next);
                progressed = true;
            }
            if let Some(next) = written.records.front() {
                self.heads.push(Reverse((next.ticket, id)));
            }
        }
        progressed
    }

    /// Whether a record is there whose turn has not come.
    pub fn is_waiting(&self) -> bool {
        !self.heads.is_empty()
    }

    /// Looks for chunks that were begun since. `false` if this is no trace with tickets, or not yet.
    fn find_chunks(&mut self, source: &mut impl Source) -> bool {
        let mut head = [0; header::COMMAND];
        if source.read(0, &mut head) < head.len()
            || !head.starts_with(&MAGIC)
            || u32_at(&head, header::VERSION) != VERSION
            || u32_at(&head, header::TICKETED) != 1
        {
            return false;
        }
        let pages = u32_at(&head, header::NEXT_PAGE) as usize;
        while self.page < pages {
            let at = self.page * PAGE;
            let mut head = [0; chunk::CONTENTS];
            let taken = source.read(at as u64, &mut head) == head.len();
            // Its writer has taken the page and not written for what. That comes soon.
            if !taken || u32_at(&head, chunk::MAGIC) != chunk::CHUNK_MAGIC {
                break;
            }
            let length = (u32_at(&head, chunk::PAGES) as usize).max(1);
            let reader = match u32_at(&head, chunk::TYPE) {
                chunk::DEFINITIONS => &mut self.definitions,
                _ => &mut self.threads.entry(u32_at(&head, chunk::THREAD)).or_default().reader,
            };
            let contents = (at + chunk::CONTENTS, at + length * PAGE);
            reader.chunks.insert(u32_at(&head, chunk::INDEX), contents);
            self.page += length;
        }
        true
    }
}

impl Reader {
    /// The next bytes that were not read, at most so many; where they are.
    fn next(&self, most: usize) -> Option<(u64, usize)> {
        let (first, end) = self.chunks.get(&self.chunk)?;
        let at = first + self.read;
        Some((at as u64, (end - at.min(*end)).min(most)))
    }

    /// The chunk was read to its end.
    fn go_on(&mut self) {
        self.chunks.remove(&self.chunk);
        self.chunk += 1;
        self.read = 0;
    }

    fn read_definitions(&mut self, source: &mut impl Source, listener: &mut impl Listener) -> bool {
        let mut buffer = vec![0; LONGEST + HEAD];
        let mut found = false;
        while let Some((at, room)) = self.next(buffer.len()) {
            let got = source.read(at, &mut buffer[..room]);
            let length = if got < HEAD { 0 } else { u32_at(&buffer, 0) as usize };
            if length == 0 || HEAD + length > got {
                // The next chunk is begun only when this one is done.
                if !self.chunks.contains_key(&(self.chunk + 1)) {
                    return found;
                }
                self.go_on();
                continue;
            }
            listener.define(u32_at(&buffer, 4), &buffer[HEAD..HEAD + length]);
            self.read += (HEAD + length).next_multiple_of(HEAD);
            found = true;
        }
        found
    }
}

impl Written {
    fn read_records(&mut self, source: &mut impl Source) {
        let mut buffer = vec![0; PART];
        while let Some((at, room)) = self.reader.next(PART) {
            if room < RECORD_SIZE {
                self.reader.go_on();
                continue;
            }
            let got = source.read(at, &mut buffer[..room]);
            let (records, _) = buffer[..got].as_chunks::<RECORD_SIZE>();
            let there = records.iter().take_while(|it| it[0] != 0).count();
            for bytes in &records[..there] {
                self.take(Record::of_bytes(bytes));
            }
            self.reader.read += there * RECORD_SIZE;
            if there * RECORD_SIZE < room {
                return;
            }
        }
    }

    fn take(&mut self, record: Record) {
        match record.code {
            code::TICKET => self.ticket = (record.ticket_number(), record.value()),
            // The recorder writes these on its own, between a ticket and what it is for.
            code::TIME => {}
            _ => {
                let (ticket, nanos) = self.ticket;
                self.records.push_back(Ticketed { ticket, nanos, record });
            }
        }
    }
}
