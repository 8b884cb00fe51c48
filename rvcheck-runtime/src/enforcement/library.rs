//! The library with the monitors, loaded while the program starts.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;

use rvcheck_event::record::Record;

use super::Stop;
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

/// What a step returns where the call is to panic, and where the process is to be aborted.
const PANIC: u32 = 1;
const ABORT: u32 = 2;

type Open = unsafe extern "C" fn(*const u8, usize) -> *mut c_void;
type Define = unsafe extern "C" fn(*mut c_void, u32, *const u8, usize);
type Step = unsafe extern "C" fn(*mut c_void, u32, u64, u64, u64, u64, *mut RawStop) -> u32;

/// The library, with its monitors.
pub(super) struct Library {
    monitors: *mut c_void,
    define: Define,
    step: Step,
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
    let (open, define, step) = (
        find(c"rvcheck_enforcement_open")?,
        find(c"rvcheck_enforcement_define")?,
        find(c"rvcheck_enforcement_step")?,
    );
    // SAFETY: the functions of these names have these types.
    let (open, define, step) = unsafe {
        (
            core::mem::transmute::<*mut c_void, Open>(open),
            core::mem::transmute::<*mut c_void, Define>(define),
            core::mem::transmute::<*mut c_void, Step>(step),
        )
    };
    // SAFETY: there are that many bytes.
    let monitors = unsafe { open(enforced.as_ptr(), enforced.len()) };
    if monitors.is_null() {
        Err("the properties cannot be read".to_owned())
    } else {
        Ok(Library { monitors, define, step })
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

impl Library {
    /// Hands over a definition.
    pub(super) fn define(&mut self, tag: u32, payload: &[u8]) {
        // SAFETY: the monitors are used by this thread alone, and there are that many bytes.
        unsafe { (self.define)(self.monitors, tag, payload.as_ptr(), payload.len()) }
    }

    /// Hands over a record. What the program is to be stopped for, if anything.
    pub(super) fn step(&mut self, thread: u32, ticket: Record, record: Record) -> Option<Stop> {
        let mut stop = core::mem::MaybeUninit::<RawStop>::uninit();
        let (number, nanos) = (ticket.ticket_number(), ticket.value());
        // SAFETY: the monitors are used by this thread alone, and `stop` can be written.
        let end = unsafe {
            (self.step)(self.monitors, thread, number, nanos, record.low(), record.value(), stop.as_mut_ptr())
        };
        if !matches!(end, PANIC | ABORT) {
            return None;
        }
        // SAFETY: it was written.
        let RawStop { unit, property, property_length, message, message_length } =
            unsafe { stop.assume_init() };
        // SAFETY: the texts stay until the next step.
        let copied = |at, length| unsafe {
            let text = core::slice::from_raw_parts::<u8>(at, length);
            Text::of(&[core::str::from_utf8(text).unwrap_or_default()])
        };
        let (property, message) = (copied(property, property_length), copied(message, message_length));
        Some(Stop { unit, site: record.site, property, message, aborts: end == ABORT })
    }
}
