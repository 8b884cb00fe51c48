//! What is wrong with a trace that can still be read.

use std::fmt;

/// Counts of what had to be skipped or guessed. All zero for a trace that is whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Problems {
    /// Pages that were taken but never became a chunk.
    pub unwritten_pages: u64,
    /// Chunks that end behind the end of the file.
    pub torn_chunks: u64,
    /// Chunk headers that make no sense; their pages were skipped.
    pub bad_chunks: u64,
    /// Chunks that are missing in the middle of a thread's sequence.
    pub missing_chunks: u64,
    /// Chunks with the number of another one.
    pub doubled_chunks: u64,
    /// Definitions that make no sense.
    pub bad_definitions: u64,
    /// Records with an unknown code.
    pub bad_records: u64,
    /// Waits for a record that never came.
    pub order_gaps: u64,
    /// Records whose place in the order was already passed.
    pub late_records: u64,
}

impl Problems {
    /// The counts with what they count.
    fn items(&self) -> [(u64, &'static str); 9] {
        [
            (self.unwritten_pages, "pages that were never written"),
            (self.torn_chunks, "chunks cut off at the end of the file"),
            (self.bad_chunks, "chunks with a damaged header"),
            (self.missing_chunks, "missing chunks"),
            (self.doubled_chunks, "chunks that occur twice"),
            (self.bad_definitions, "damaged definitions"),
            (self.bad_records, "records of an unknown kind"),
            (self.order_gaps, "gaps in the order of events"),
            (self.late_records, "events out of their order"),
        ]
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        *self == Problems::default()
    }

    /// Whether events are missing, or their order is not the real one, so that a verdict could be wrong.
    pub fn events_lost(&self) -> bool {
        // Pages without a chunk are what a killed process leaves behind: nothing was in them yet.
        Problems { unwritten_pages: 0, bad_definitions: 0, ..*self } != Problems::default()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (count, what) in self.items() {
            if count > 0 {
                write!(f, "{}{count} {what}", if first { "" } else { ", " })?;
                first = false;
            }
        }
        if first { f.write_str("no problems") } else { Ok(()) }
    }
}

/// Why a file cannot be read as a trace at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceError {
    /// It is shorter than a trace's header.
    TooShort {
        /// Its length in bytes.
        length: usize,
    },
    /// It does not begin like a trace.
    BadMagic,
    /// It has another version of the format.
    Version {
        /// That version.
        found: u32,
    },
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceError::TooShort { length } => write!(
                f,
                "the file has {length} bytes, which is too short for a trace; recording ended before it began, so record again"
            ),
            TraceError::BadMagic => {
                f.write_str("the file is not a trace; give a file that `cargo rvcheck` has recorded (`.rvt`)")
            }
            TraceError::Version { found } => write!(
                f,
                "the trace has format version {found}, this rvcheck reads version {}; record again, or read it with the \
                 rvcheck that recorded it",
                super::format::VERSION
            ),
        }
    }
}

impl std::error::Error for TraceError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_described_in_words() {
        assert_eq!(Problems::default().to_string(), "no problems");
        let problems = Problems { missing_chunks: 2, order_gaps: 1, ..Problems::default() };
        assert_eq!(problems.to_string(), "2 missing chunks, 1 gaps in the order of events");
    }

    #[test]
    fn pages_that_were_never_written_lose_no_events() {
        assert!(!Problems { unwritten_pages: 5, ..Problems::default() }.events_lost());
        assert!(Problems { torn_chunks: 1, ..Problems::default() }.events_lost());
    }
}
