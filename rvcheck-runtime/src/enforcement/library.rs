//! The library with the monitors, loaded while the program starts.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;

use rvcheck_event::record::Record;
use rvcheck_event::remedy::Remedy;

use super::{Lesson, Stop};
use crate::memory::Text;

/// What the library writes of a stop, see `rvcheck-runtime/enforcement/src/entry.rs`.
#[repr(C)]
struct RawStop {
    unit: u32,
    property: *const u8,
    property_length: usize,
    message: *const u8,
    message_length: usize,
}

/// What the library writes of what was learnt, see there.
#[repr(C)]
struct RawLesson {
    remedy: u32,
    places: [u32; 2],
    property: *const u8,
    property_length: usize,
}

/// What a step returns where the call is to panic, and where the process is to be aborted.
const PANIC: u32 = 1;
const ABORT: u32 = 2;
/// Added to that where something was learnt.
const LEARNT: u32 = 4;

type Open = unsafe extern "C" fn(*const u8, usize) -> *mut c_void;
type Define = unsafe extern "C" fn(*mut c_void, u32, *const u8, usize);
type NextLesson = unsafe extern "C" fn(*mut c_void, *mut RawLesson) -> u32;
type Step = unsafe extern "C" fn(*mut c_void, u32, u64, u64, u64, u64, *mut RawStop) -> u32;

/// The library, with its monitors.
pub(super) struct Library {
    monitors: *mut c_void,
    define: Define,
    step: Step,
    next_lesson: NextLesson,
}

// SAFETY: it is used by one thread at a time, but by any.
unsafe impl Send for Library {}

unsafe extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
}

/// Everything is resolved at once, and nothing of it is seen by other libraries.
const NOW_AND_LOCAL: c_int = if cfg!(target_os = "macos") { 2 | 4 } else { 2 };

/// Loads the library and gives it the text with the properties. An error in words if that fails.
pub(super) fn load(path: &str, enforced: &str) -> Result<Library, String> {
    let path = CString::new(path).map_err(|error| error.to_string())?;
    // SAFETY: a plain call. What the library does when it is loaded is what any Rust library does.
    let library = unsafe { dlopen(path.as_ptr(), NOW_AND_LOCAL) };
    if library.is_null() {
        return Err(last_error());
    }
    let find = |name: &CStr| {
        // SAFETY: the library was loaded just now, and stays.
        let found = unsafe { dlsym(library, name.as_ptr()) };
        if found.is_null() { Err(last_error()) } else { Ok(found) }
    };
    let (open, define, step, next_lesson) = (
        find(c"rvcheck_enforcement_open")?,
        find(c"rvcheck_enforcement_define")?,
        find(c"rvcheck_enforcement_step")?,
        find(c"rvcheck_enforcement_lesson")?,
    );
    // SAFETY: the functions of these names have these types.
    let (open, define, step, next_lesson) = unsafe {
        (
            core::mem::transmute::<*mut c_void, Open>(open),
            core::mem::transmute::<*mut c_void, Define>(define),
            core::mem::transmute::<*mut c_void, Step>(step),
            core::mem::transmute::<*mut c_void, NextLesson>(next_lesson),
        )
    };
    // SAFETY: there are that many bytes.
    let monitors = unsafe { open(enforced.as_ptr(), enforced.len()) };
    if monitors.is_null() {
        Err("the properties cannot be read".to_owned())
    } else {
        Ok(Library { monitors, define, step, next_lesson })
    }
}

fn last_error() -> String {
    // SAFETY: the text stays until the next call of these functions.
    unsafe {
        let text = dlerror();
        if text.is_null() {
            "unknown".to_owned()
        } else {
            CStr::from_ptr(text).to_string_lossy().into_owned()
        }
    }
}

/// A text of the library's.
///
/// # Safety
///
/// There are that many bytes.
unsafe fn copied(at: *const u8, length: usize) -> Text {
    // SAFETY: as the caller says.
    let text = unsafe { core::slice::from_raw_parts::<u8>(at, length) };
    Text::of(&[core::str::from_utf8(text).unwrap_or_default()])
}

impl Library {
    /// Hands over a definition.
    pub(super) fn define(&mut self, tag: u32, payload: &[u8]) {
        // SAFETY: the monitors are used by this thread alone, and there are that many bytes.
        unsafe { (self.define)(self.monitors, tag, payload.as_ptr(), payload.len()) }
    }

    /// Hands over a record. What the program is to be stopped for, if anything, and whether anything was learnt.
    pub(super) fn step(&mut self, thread: u32, ticket: Record, record: Record) -> (Option<Stop>, bool) {
        let mut stop = core::mem::MaybeUninit::<RawStop>::uninit();
        let (number, nanos) = (ticket.ticket_number(), ticket.value());
        // SAFETY: the monitors are used by this thread alone, and `stop` can be written.
        let end = unsafe {
            (self.step)(self.monitors, thread, number, nanos, record.low(), record.value(), stop.as_mut_ptr())
        };
        let (end, has_learnt) = (end & !LEARNT, end & LEARNT != 0);
        if !matches!(end, PANIC | ABORT) {
            return (None, has_learnt);
        }
        // SAFETY: it was written.
        let RawStop { unit, property, property_length, message, message_length } =
            unsafe { stop.assume_init() };
        // SAFETY: the texts stay until the next step.
        let (property, message) =
            unsafe { (copied(property, property_length), copied(message, message_length)) };
        (Some(Stop { unit, site: record.site, property, message, aborts: end == ABORT }), has_learnt)
    }

    /// The next of what was learnt.
    pub(super) fn lesson(&mut self) -> Option<Lesson> {
        let mut lesson = core::mem::MaybeUninit::<RawLesson>::uninit();
        // SAFETY: the monitors are used by this thread alone, and `lesson` can be written.
        if unsafe { (self.next_lesson)(self.monitors, lesson.as_mut_ptr()) } == 0 {
            return None;
        }
        // SAFETY: it was written.
        let RawLesson { remedy, places, property, property_length } = unsafe { lesson.assume_init() };
        // SAFETY: the text stays until the next call.
        let property = unsafe { copied(property, property_length) };
        Some(Lesson { remedy: Remedy::of_number(remedy)?, places, property })
    }
}
