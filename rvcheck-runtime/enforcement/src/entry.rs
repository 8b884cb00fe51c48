//! The functions that the recorder finds in the library, by the names in `rvcheck-runtime/src/enforcement/library.rs`.
//!
//! The caller lets one thread at a time in. Nothing unwinds out of here: where the enforcer itself fails, nothing more is stopped.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rvcheck_event::id::ThreadId;
use rvcheck_event::record::Record;
use rvcheck_event::trace::follow::Ticketed;

use crate::enforced::{Action, EnforcedProperties};
use crate::enforcer::{Enforcer, Stop};
use crate::lesson::Lesson;

/// A stop, with texts that stay until the next call.
#[repr(C)]
pub struct RawStop {
    unit: u32,
    property: *const u8,
    property_length: usize,
    message: *const u8,
    message_length: usize,
}

/// What was learnt, with a text that stays until the next call.
#[repr(C)]
pub struct RawLesson {
    remedy: u32,
    places: [u32; 2],
    property: *const u8,
    property_length: usize,
}

/// An enforcer, the stop that it has reported last, and what it has learnt and not reported yet; the last lesson that was reported.
struct Entered {
    enforcer: Option<Enforcer>,
    stop: Option<Stop>,
    lessons: Vec<Lesson>,
    last_lesson: Option<Lesson>,
}

/// Nothing is violated.
const GO_ON: u32 = 0;
/// The call is to panic.
const PANIC: u32 = 1;
/// The process is to be aborted.
const ABORT: u32 = 2;
/// Added to one of these: something was learnt.
const LEARNT: u32 = 4;

/// An enforcer of the properties in this text; null where they cannot be read. It is never given back.
///
/// # Safety
///
/// There are that many bytes.
// SAFETY: no other library of a program has a function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rvcheck_enforcement_open(text: *const u8, length: usize) -> *mut c_void {
    // SAFETY: as the caller says.
    let bytes = unsafe { std::slice::from_raw_parts(text, length) };
    let made =
        catch_unwind(|| Some(Enforcer::new(&EnforcedProperties::read(std::str::from_utf8(bytes).ok()?)?)));
    match made.ok().flatten() {
        Some(enforcer) => {
            let entered =
                Entered { enforcer: Some(enforcer), stop: None, lessons: Vec::new(), last_lesson: None };
            Box::into_raw(Box::new(entered)).cast()
        }
        None => std::ptr::null_mut(),
    }
}

/// Takes in a definition.
///
/// # Safety
///
/// The enforcer is one of [`rvcheck_enforcement_open`], and nobody else uses it meanwhile. There are that many bytes.
// SAFETY: no other library of a program has a function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rvcheck_enforcement_define(
    enforcer: *mut c_void,
    tag: u32,
    payload: *const u8,
    length: usize,
) {
    // SAFETY: as the caller says.
    let (entered, payload) =
        unsafe { (&mut *enforcer.cast::<Entered>(), std::slice::from_raw_parts(payload, length)) };
    entered.run(|enforcer| enforcer.define(tag, payload));
}

/// The record of this thread that comes next, as its two halves, behind its ticket. What was found is written
/// where there is something.
///
/// # Safety
///
/// The enforcer is one of [`rvcheck_enforcement_open`], and nobody else uses it meanwhile. `found` can be written.
// SAFETY: no other library of a program has a function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rvcheck_enforcement_step(
    enforcer: *mut c_void,
    thread: u32,
    ticket: u64,
    nanos: u64,
    low: u64,
    high: u64,
    found: *mut RawStop,
) -> u32 {
    // SAFETY: as the caller says.
    let entered = unsafe { &mut *enforcer.cast::<Entered>() };
    let next = Ticketed { ticket, nanos, record: Record::from_parts(low, high) };
    let stop = entered.run(|enforcer| (enforcer.step(ThreadId(thread), next), enforcer.take_lessons()));
    let (stop, lessons) = stop.unwrap_or_default();
    let learnt = if lessons.is_empty() { 0 } else { LEARNT };
    entered.lessons.extend(lessons);
    let Some(stop) = stop else { return GO_ON | learnt };
    let stop = entered.stop.insert(stop);
    let text = RawStop {
        unit: stop.unit.0,
        property: stop.property.as_ptr(),
        property_length: stop.property.len(),
        message: stop.message.as_ptr(),
        message_length: stop.message.len(),
    };
    // SAFETY: as the caller says.
    unsafe { found.write(text) };
    learnt | if stop.action == Action::Abort { ABORT } else { PANIC }
}

/// The next of what was learnt is written, if there is more of it: 1, else 0.
///
/// # Safety
///
/// The enforcer is one of [`rvcheck_enforcement_open`], and nobody else uses it meanwhile. `found` can be written.
// SAFETY: no other library of a program has a function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rvcheck_enforcement_lesson(enforcer: *mut c_void, found: *mut RawLesson) -> u32 {
    // SAFETY: as the caller says.
    let entered = unsafe { &mut *enforcer.cast::<Entered>() };
    let Some(lesson) = entered.lessons.pop() else { return 0 };
    let lesson = entered.last_lesson.insert(lesson);
    let raw = RawLesson {
        remedy: lesson.remedy as u32,
        places: lesson.places.map(|it| it.0),
        property: lesson.property.as_ptr(),
        property_length: lesson.property.len(),
    };
    // SAFETY: as the caller says.
    unsafe { found.write(raw) };
    1
}

impl Entered {
    /// Lets the enforcer do something; `None` where it has failed, now or before.
    fn run<R>(&mut self, what: impl FnOnce(&mut Enforcer) -> R) -> Option<R> {
        let enforcer = self.enforcer.as_mut()?;
        let done = catch_unwind(AssertUnwindSafe(|| what(enforcer)));
        if done.is_err() {
            self.enforcer = None;
        }
        done.ok()
    }
}
