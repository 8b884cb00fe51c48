//! Whether a trace grows, found out with a few small reads.

use rvcheck_event::record::RECORD_SIZE;
use rvcheck_event::trace::format::{MAGIC, PAGE, chunk, header};
use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// How much of a trace is written. Threads fill their chunks one after another, so the last chunk of each tells.
#[derive(Debug, Default)]
pub(in crate::harness) struct Growth {
    /// The first page that was not looked at.
    page: u64,
    /// For each thread, where its last chunk is free, and where that chunk ends.
    free: BTreeMap<u32, (u64, u64)>,
}

impl Growth {
    /// Looks at the file again: whether anything was written since the last time.
    pub(in crate::harness) fn look(&mut self, file: &File) -> bool {
        let mut grown = self.find_chunks(file);
        for (free, end) in self.free.values_mut() {
            if *free < *end && is_written(file, *free) {
                *free = first_free(file, *free, *end);
                grown = true;
            }
        }
        grown
    }

    fn find_chunks(&mut self, file: &File) -> bool {
        let mut head = [0; header::COMMAND];
        if file.read_exact_at(&mut head, 0).is_err() || !head.starts_with(&MAGIC) {
            return false;
        }
        let pages = u64::from(number(&head, header::NEXT_PAGE));
        self.page = self.page.max(1);
        let before = self.page;
        while self.page < pages {
            let at = self.page * PAGE as u64;
            let mut head = [0; chunk::CONTENTS];
            let whole = file.read_exact_at(&mut head, at).is_ok();
            if !whole || number(&head, chunk::MAGIC) != chunk::CHUNK_MAGIC {
                break;
            }
            let length = u64::from(number(&head, chunk::PAGES)).max(1);
            if number(&head, chunk::TYPE) == chunk::EVENTS {
                let first = at + chunk::CONTENTS as u64;
                let end = at + length * PAGE as u64;
                self.free.insert(number(&head, chunk::THREAD), (first, end));
            }
            self.page += length;
        }
        self.page > before
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|it| it.try_into().ok()).map_or(0, u32::from_le_bytes)
}

/// Whether there is a record at this place.
fn is_written(file: &File, at: u64) -> bool {
    let mut code = [0];
    file.read_exact_at(&mut code, at).is_ok() && code[0] != 0
}

/// The first place of a chunk without a record; there is one at `from`, and none behind the first free place.
fn first_free(file: &File, from: u64, end: u64) -> u64 {
    let size = RECORD_SIZE as u64;
    let (mut written, mut free) = (0, (end - from) / size);
    while free - written > 1 {
        let middle = written + (free - written) / 2;
        if is_written(file, from + middle * size) { written = middle } else { free = middle }
    }
    from + free * size
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// A trace with one chunk of this many pages, in which so many records are written.
    fn trace(pages: u32, records: usize) -> Vec<u8> {
        let mut bytes = vec![0; (1 + pages as usize) * PAGE];
        bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
        let put = |bytes: &mut Vec<u8>, at: usize, value: u32| {
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        };
        put(&mut bytes, header::NEXT_PAGE, 1 + pages);
        put(&mut bytes, PAGE + chunk::MAGIC, chunk::CHUNK_MAGIC);
        put(&mut bytes, PAGE + chunk::TYPE, chunk::EVENTS);
        put(&mut bytes, PAGE + chunk::PAGES, pages);
        put(&mut bytes, PAGE + chunk::THREAD, 7);
        for record in 0..records {
            bytes[PAGE + chunk::CONTENTS + record * RECORD_SIZE] = 24;
        }
        bytes
    }

    #[test]
    fn a_trace_grows_with_each_record_and_not_by_itself() {
        let mut growth = Growth::default();
        let mut file = tempfile::tempfile().expect("there is room for a file");
        let room = (2 * PAGE - chunk::CONTENTS) / RECORD_SIZE;
        for records in [0, 1, 2, 100, 101, room - 1, room] {
            file.write_all_at(&trace(2, records), 0).expect("it can be written");
            assert!(growth.look(&file), "{records}");
            assert!(!growth.look(&file), "{records}");
        }
        file.flush().expect("it can be written");
    }

    #[test]
    fn what_is_no_trace_does_not_grow() {
        let file = tempfile::tempfile().expect("there is room for a file");
        assert!(!Growth::default().look(&file));
    }
}
