//! Damaged traces are read as far as they go, and no bytes make the reader panic.

mod support;

use rvcheck_event::trace::format::{PAGE, chunk, header};
use rvcheck_event::trace::merge;
use rvcheck_event::trace::problems::{Problems, TraceError};
use rvcheck_event::trace::read::{self, Lost};
use support::{Random, program};

/// The pages on which chunks of events begin.
fn chunks(bytes: &[u8]) -> Vec<usize> {
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    (1..bytes.len() / PAGE)
        .filter(|page| {
            number(page * PAGE) == chunk::CHUNK_MAGIC && number(page * PAGE + chunk::TYPE) == chunk::EVENTS
        })
        .collect()
}

fn put(bytes: &mut [u8], at: usize, number: u32) {
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

fn count(bytes: &[u8]) -> (usize, Problems) {
    let trace = read::read(bytes).expect("a trace");
    (merge::events(&trace).count(), trace.problems())
}

#[test]
fn what_is_no_trace_is_refused_with_a_reason() {
    let whole = program(&mut Random(1), 10, 1).build();
    let error = |bytes: &[u8]| read::read(bytes).map(|it| it.pid());
    assert_eq!(error(&[]), Err(TraceError::TooShort { length: 0 }));
    assert_eq!(error(&whole[..PAGE - 1]), Err(TraceError::TooShort { length: PAGE - 1 }));
    let mut other = whole.clone();
    other[0] = b'X';
    assert_eq!(error(&other), Err(TraceError::BadMagic));
    let mut newer = whole.clone();
    put(&mut newer, header::VERSION, 77);
    assert_eq!(error(&newer), Err(TraceError::Version { found: 77 }));
    assert!(TraceError::Version { found: 77 }.to_string().contains("77"));
    assert_eq!(error(&whole), Ok(1));
}

#[test]
fn the_header_tells_how_the_recording_went() {
    let mut bytes = program(&mut Random(1), 10, 1).build();
    put(&mut bytes, header::DROPPED, 12);
    put(&mut bytes, header::LOST, 1);
    put(&mut bytes, header::FINISHED, 0);
    put(&mut bytes, header::COMMAND, 9);
    bytes[header::COMMAND + 4..header::COMMAND + 13].copy_from_slice(b"it --fast");
    let trace = read::read(&bytes).expect("a trace");
    assert_eq!((trace.dropped(), trace.lost(), trace.is_finished()), (12, Lost::Cap, false));
    assert_eq!(trace.command(), "it --fast");
    put(&mut bytes, header::COMMAND, u32::MAX);
    assert_eq!(read::read(&bytes).expect("a trace").command().len(), PAGE - header::COMMAND - 4);
}

#[test]
fn a_torn_tail_is_accepted() {
    let bytes = program(&mut Random(2), 2000, 4).build();
    let (all, problems) = count(&bytes);
    assert!(problems.is_empty());
    let last = *chunks(&bytes).last().unwrap() * PAGE;
    let (some, problems) = count(&bytes[..last + chunk::CONTENTS + 3 * 16 + 7]);
    assert_eq!(problems, Problems { torn_chunks: 1, ..Problems::default() });
    assert!(some < all && some > 0, "{some} of {all}");
}

#[test]
fn a_missing_chunk_is_counted_and_the_rest_is_read() {
    let mut bytes = program(&mut Random(3), 4000, 1).build();
    let (all, _) = count(&bytes);
    let page = chunks(&bytes)[1];
    put(&mut bytes, page * PAGE, 0);
    let (some, problems) = count(&bytes);
    assert_eq!(problems, Problems { missing_chunks: 1, unwritten_pages: 1, ..Problems::default() });
    assert!(problems.events_lost());
    assert!(all - some <= PAGE / 16, "only this chunk is lost");
}

#[test]
fn chunk_headers_that_make_no_sense_are_skipped() {
    let whole = program(&mut Random(4), 4000, 1).build();
    let page = chunks(&whole)[1];
    for (offset, value) in
        [(chunk::TYPE, 9), (chunk::PAGES, 0), (chunk::PAGES, u32::MAX), (chunk::PAGES, 100_000)]
    {
        let mut bytes = whole.clone();
        put(&mut bytes, page * PAGE + offset, value);
        let (_, problems) = count(&bytes);
        assert_eq!(problems, Problems { bad_chunks: 1, missing_chunks: 1, ..Problems::default() });
    }
    let mut bytes = whole.clone();
    put(&mut bytes, page * PAGE + chunk::INDEX, 0);
    assert_eq!(count(&bytes).1, Problems { doubled_chunks: 1, missing_chunks: 1, ..Problems::default() });
}

#[test]
fn records_of_an_unknown_kind_are_counted() {
    let mut bytes = program(&mut Random(5), 100, 1).build();
    let at = chunks(&bytes)[0] * PAGE + chunk::CONTENTS + 16;
    bytes[at] = 0xEE;
    let trace = read::read(&bytes).expect("a trace");
    let mut merge = merge::events(&trace);
    merge.by_ref().for_each(drop);
    assert_eq!(merge.problems().bad_records, 1);
}

#[test]
fn no_bytes_make_the_reader_panic() {
    let mut random = Random(6);
    let mut problems = 0;
    for _ in 0..400 {
        let steps = 50 + random.below(600);
        let pages = 1 + random.below(3) as u32;
        let mut bytes = program(&mut random, steps, pages).build();
        for _ in 0..=random.below(40) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.next() as u8,
                1 => bytes[at..].iter_mut().take(8).for_each(|it| *it = 0xFF),
                2 => {
                    // Mostly headers of chunks, which are few.
                    let page = random.below(bytes.len() / PAGE) * PAGE;
                    bytes[page + random.below(chunk::CONTENTS)] = random.next() as u8;
                }
                _ => bytes[at] ^= 1 << random.below(8),
            }
        }
        if random.one_in(3) {
            bytes.truncate(random.below(bytes.len()));
        }
        let Ok(trace) = read::read(&bytes) else { continue };
        let mut merge = merge::events(&trace);
        let mut events = 0;
        while let Some(event) = merge.next() {
            events += 1;
            rvcheck_event::jsonl::line(&event, merge.world(), &[]);
        }
        assert!(events <= bytes.len() / 16);
        problems += usize::from(!trace.problems().is_empty() || !merge.problems().is_empty());
    }
    assert!(problems > 100, "the damage is noticed");
}

#[test]
fn pure_noise_is_read_to_its_end() {
    let mut random = Random(7);
    for _ in 0..50 {
        let mut bytes = program(&mut random, 300, 2).build();
        for page in chunks(&bytes) {
            let contents = page * PAGE + chunk::CONTENTS;
            for at in (contents..(page + 1) * PAGE).step_by(16) {
                for byte in &mut bytes[at + 1..at + 16] {
                    *byte = random.next() as u8;
                }
                bytes[at] = [1, 2, 3, 4, 5, 7, 8, 25, 26, 33, 35, 49, 64, 65, 0xF0, 0xF1, 0xF2, 0xF4]
                    [random.below(18)];
            }
        }
        let trace = read::read(&bytes).expect("a trace");
        let mut merge = merge::events(&trace);
        let mut last = std::collections::BTreeMap::new();
        for event in merge.by_ref() {
            let last = last.entry(event.thread).or_insert(0);
            assert!(event.time >= *last, "time does not go back on a thread");
            *last = event.time;
        }
        assert!(merge.problems().order_gaps > 0);
    }
}
