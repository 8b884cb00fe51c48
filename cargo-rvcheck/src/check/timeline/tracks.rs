//! The tracks of a process, and what is open on them.

use crate::timeline::{Category, Detail, Details, End, Id, Point, Slice, TrackRef, Viewer};
use std::io;
use std::sync::Arc;

/// Gives numbers.
#[derive(Debug, Default)]
pub(super) struct Ids(u64);

impl Ids {
    pub(super) fn next(&mut self) -> Id {
        self.0 += 1;
        Id(self.0)
    }
}

/// A track with its clock, on which no moment comes twice.
#[derive(Debug)]
pub(super) struct TrackCursor {
    pub(super) track: TrackRef,
    last: u64,
}

impl TrackCursor {
    pub(super) fn new(track: TrackRef) -> TrackCursor {
        TrackCursor { track, last: 0 }
    }

    /// The moment on this track for a time of the trace.
    pub(super) fn at(&mut self, time: u64) -> u64 {
        self.last = time.max(self.last.saturating_add(1));
        self.last
    }
}

/// What tells a slice from others that are open on the same track.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Key {
    Life,
    Test,
    Poll(u32),
    Block,
}

/// A slice that is not over yet.
#[derive(Debug)]
pub(super) struct OpenSlice {
    pub(super) id: Id,
    pub(super) parent: Option<Id>,
    pub(super) unit: Arc<str>,
    pub(super) category: Category,
    pub(super) name: String,
    pub(super) details: Details,
}

/// An open slice on a track of its own: nothing else is on it meanwhile.
#[derive(Debug)]
pub(super) struct Alone {
    pub(super) slice: OpenSlice,
    pub(super) from: u64,
    /// Which of the tracks of its kind that its task has.
    pub(super) slot: usize,
    track: TrackRef,
}

/// The tracks of one kind of a task, each with at most one slice at a time.
#[derive(Debug, Default)]
pub(super) struct Slots(Vec<(TrackCursor, bool)>);

impl Slots {
    /// The first track on which there is nothing; `None` if there is none, and one has to be added.
    pub(super) fn free(&self) -> Option<usize> {
        self.0.iter().position(|it| !it.1)
    }

    /// Adds a track, and gives its index.
    pub(super) fn add(&mut self, cursor: TrackCursor) -> usize {
        self.0.push((cursor, false));
        self.0.len() - 1
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Begins a slice.
    pub(super) fn begin(&mut self, slot: usize, slice: OpenSlice, time: u64) -> Alone {
        let (cursor, busy) = &mut self.0[slot];
        *busy = true;
        Alone { slice, from: cursor.at(time), slot, track: cursor.track }
    }

    /// Notes that a slice has ended.
    fn end(&mut self, slot: usize, to: u64) {
        if let Some((cursor, busy)) = self.0.get_mut(slot) {
            cursor.at(to);
            *busy = false;
        }
    }
}

impl Alone {
    /// Ends it. `slots` is where it is, if that is still there.
    pub(super) fn end(
        self,
        slots: Option<&mut Slots>,
        time: u64,
        end: End,
        viewer: &mut dyn Viewer,
    ) -> io::Result<()> {
        let to = time.max(self.from + 1);
        if let Some(slots) = slots {
            slots.end(self.slot, to);
        }
        give(&self.slice, &self.track, self.from, to, end, viewer)
    }
}

fn give(
    slice: &OpenSlice,
    track: &TrackRef,
    from: u64,
    to: u64,
    end: End,
    viewer: &mut dyn Viewer,
) -> io::Result<()> {
    viewer.slice(&Slice {
        id: slice.id,
        parent: slice.parent,
        track,
        unit: &slice.unit,
        category: slice.category,
        name: &slice.name,
        from,
        to,
        end,
        details: &slice.details,
    })
}

/// A track on which slices lie within each other.
#[derive(Debug)]
pub(super) struct Stack {
    cursor: TrackCursor,
    /// The outermost first, with when each began.
    open: Vec<(Key, u64, OpenSlice)>,
}

impl Stack {
    pub(super) fn new(cursor: TrackCursor) -> Stack {
        Stack { cursor, open: Vec::new() }
    }

    /// The innermost slice.
    pub(super) fn innermost(&self) -> Option<&OpenSlice> {
        self.open.last().map(|it| &it.2)
    }

    /// Whether this is open.
    pub(super) fn has(&self, key: Key) -> bool {
        self.open.iter().any(|it| it.0 == key)
    }

    /// Begins a slice within the innermost one.
    pub(super) fn begin(&mut self, key: Key, slice: OpenSlice, time: u64) {
        let from = self.cursor.at(time);
        self.open.push((key, from, slice));
    }

    /// Ends the innermost slice of this key, and those within it; nothing if there is none.
    pub(super) fn end(
        &mut self,
        key: Key,
        time: u64,
        end: End,
        details: Details,
        viewer: &mut dyn Viewer,
    ) -> io::Result<()> {
        let Some(at) = self.open.iter().rposition(|it| it.0 == key) else { return Ok(()) };
        while self.open.len() > at + 1 {
            self.end_innermost(time, End::Normal, viewer)?;
        }
        self.open[at].2.details.extend(details);
        self.end_innermost(time, end, viewer)
    }

    /// Ends all that is open, because nothing more is known.
    pub(super) fn end_all(&mut self, time: u64, viewer: &mut dyn Viewer) -> io::Result<()> {
        while !self.open.is_empty() {
            self.end_innermost(time, End::Open, viewer)?;
        }
        Ok(())
    }

    fn end_innermost(&mut self, time: u64, end: End, viewer: &mut dyn Viewer) -> io::Result<()> {
        let Some((_, from, slice)) = self.open.pop() else { return Ok(()) };
        let to = self.cursor.at(time);
        give(&slice, &self.cursor.track, from, to, end, viewer)
    }

    /// A moment in the innermost slice, if there is one.
    pub(super) fn point(&mut self, time: u64) -> Option<Point> {
        let (_, _, slice) = self.open.last()?;
        let (slice, unit) = (slice.id, Arc::clone(&slice.unit));
        Some(Point { track: self.cursor.track, slice, unit, time: self.cursor.at(time) })
    }
}

/// A text as a detail.
pub(super) fn text(text: impl Into<String>) -> Detail {
    Detail::Text(text.into())
}

/// A number as a detail.
pub(super) fn number(number: u64) -> Detail {
    Detail::Number(i64::try_from(number).unwrap_or(i64::MAX))
}
