//! Definitions: what the ids in the records stand for. Rare, so one lock serves all threads.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use rvcheck_event::id::{SiteId, StringId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::TaskKind;
use rvcheck_event::remedy::{Applied, Remedy};
use rvcheck_event::trace::format::{PAGE, chunk, definition};

use super::{Span, Writer, dropped, take};
use crate::{enforcement, switch};

/// The longest text that is kept, in bytes; longer ones are cut at a character.
const LONGEST: usize = 8192;

struct Position {
    next: usize,
    end: usize,
    index: u32,
}

static POSITION: Mutex<Position> = Mutex::new(Position { next: 0, end: 0, index: 0 });

/// Defines a site.
pub(crate) fn site(id: SiteId, line: u32, column: u32, own: bool, file: &str) {
    write(definition::SITE, &[id.0, line, column, u32::from(own)], file);
}

/// What is spawned at this site begins a group of tasks.
pub(crate) fn group(id: SiteId, name: &str) {
    write(definition::GROUP, &[id.0], name);
}

/// Defines a string.
pub(crate) fn string(id: StringId, text: &str) {
    write(definition::STRING, &[id.0], text);
}

/// Defines a thread.
pub(crate) fn thread(id: ThreadId, task: TaskId, unit: UnitId, kind: TaskKind, name: &str) {
    write(definition::THREAD, &[id.0, task.0, unit.0, kind as u32], name);
}

/// Defines a unit.
pub(crate) fn unit(id: UnitId, name: &str) {
    write(definition::UNIT, &[id.0], name);
}

/// Names a task.
pub(crate) fn task_name(task: TaskId, name: &str) {
    write(definition::TASK_NAME, &[task.0], name);
}

/// The program is stopped because this unit has violated that property; `ended` if the whole process is.
pub(crate) fn stop(unit: u32, ended: bool, property: &str) {
    write(definition::STOP, &[unit, u32::from(ended)], property);
}

/// The remedy is applied at these sites from now on, of which the second may be none.
pub(crate) fn learnt(number: u32, remedy: Remedy, places: [u32; 2], was_known: bool, property: &str) {
    let numbers = [number, remedy as u32, places[0], places[1], u32::from(was_known)];
    write(definition::LEARNT, &numbers, property);
}

/// What the remedy of that number has done so far.
pub(crate) fn applied(number: u32, Applied { times, nanos, given_up }: Applied) {
    let words = |it: u64| [it as u32, (it >> 32) as u32];
    let ([times, more_times], [nanos, more_nanos]) = (words(times), words(nanos));
    write(definition::APPLIED, &[number, times, more_times, nanos, more_nanos, given_up], "");
}

/// The handler of that number has told of the end of a task.
pub(crate) fn handled(number: u32, task: u32) {
    write(definition::HANDLED, &[number, task], "");
}

/// Leaves a note for the report.
pub(crate) fn note(text: &str) {
    write(definition::NOTE, &[], text);
}

/// Writes a definition. Whoever comes here is at work, so that the lock is never held by this thread already.
fn write(tag: u32, numbers: &[u32], text: &str) {
    if !switch::is_open() {
        return;
    }
    let mut cut = text.len().min(LONGEST);
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    let text = &text.as_bytes()[..cut];
    let payload = numbers.len() * 4 + text.len();
    let size = (8 + payload).next_multiple_of(8);
    let mut position = POSITION.lock().unwrap_or_else(PoisonError::into_inner);
    // The eight bytes behind the last entry stay zero, which ends the chunk.
    if position.end - position.next < size + 8 {
        let pages = if position.index == 0 { 4 } else { 16 };
        let writer =
            Writer { kind: chunk::DEFINITIONS, thread: 0, index: position.index, task: 0, system_thread: 0 };
        let Some(Span { first, end }) = take(pages, &writer) else { return dropped(1) };
        debug_assert!(size + 8 < pages as usize * PAGE - chunk::CONTENTS);
        position.next = first as usize;
        position.end = end as usize;
        position.index += 1;
    }
    let length = position.next as *mut u32;
    let at = length.cast::<u8>();
    // SAFETY: the entry fits into the chunk, which only the holder of the lock writes. The length goes last, as an
    // atomic store, so that a reader of a torn file sees a whole entry or none.
    unsafe {
        at.add(4).cast::<[u8; 4]>().write(tag.to_le_bytes());
        let mut cursor = at.add(8);
        for number in numbers {
            cursor.cast::<[u8; 4]>().write(number.to_le_bytes());
            cursor = cursor.add(4);
        }
        cursor.copy_from_nonoverlapping(text.as_ptr(), text.len());
        AtomicU32::from_ptr(length).store((payload as u32).to_le(), Ordering::Release);
    }
    position.next += size;
    // SAFETY: what was written just now stays as it is.
    enforcement::define(tag, unsafe { core::slice::from_raw_parts(at.add(8), payload) });
}
