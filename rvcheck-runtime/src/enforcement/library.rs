//! The library with the monitors, loaded while the program starts.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;

use rvcheck_event::record::Record;

use crate::memory::Text;

/// What a step has found, see `rvcheck-runtime/enforcement/src/entry.rs`.
#[repr(C)]
pub(super) struct Found {
    pub(super) unit: u32,
    property: *const u8,
    property_length: usize,
    message: *const u8,
    message_length: usize,
}

type Open = unsafe extern "C" fn(*const u8, usize) -> *mut c_void;
type Define = unsafe extern "C" fn(*mut c_void, u32, *const u8, usize);
type Step = unsafe extern "C" fn(*mut c_void, u32, u64, u64, u64, u64, *mut Found) -> u32;

/// A enforcement in the library.
pub(super) struct Library {
    enforcement: *mut c_void,
    define: Define,
    step: Step,
}

// SAFETY: it is used by one thread at a time, but by any.
unsafe impl Send for Library {}

/// How a step ends the call that it is in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Panic,
    Abort,
}

unsafe extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
}

/// Everything is resolved at once, and nothing of it is seen by other libraries.
const NOW_AND_LOCAL: c_int = if cfg!(target_os = "macos") { 2 | 4 } else { 2 };

/// Loads the library and gives it its orders. An error in words if that fails.
pub(super) fn load(path: &str, orders: &str) -> Result<Library, String> {
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
    let enforcement = unsafe { open(orders.as_ptr(), orders.len()) };
    if enforcement.is_null() {
        Err("its orders cannot be read".to_owned())
    } else {
        Ok(Library { enforcement, define, step })
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
        // SAFETY: the enforcement is used by this thread alone, and there are that many bytes.
        unsafe { (self.define)(self.enforcement, tag, payload.as_ptr(), payload.len()) }
    }

    /// Hands over a record; how the call is to end, and what was found, if it is.
    pub(super) fn step(&mut self, thread: u32, ticket: Record, record: Record) -> Option<(End, Found)> {
        let mut found = core::mem::MaybeUninit::<Found>::uninit();
        // SAFETY: the enforcement is used by this thread alone, and `found` can be written.
        let end = unsafe {
            let (number, nanos) = (ticket.ticket_number(), ticket.value());
            (self.step)(
                self.enforcement,
                thread,
                number,
                nanos,
                record.low(),
                record.value(),
                found.as_mut_ptr(),
            )
        };
        let end = match end {
            1 => End::Panic,
            2 => End::Abort,
            _ => return None,
        };
        // SAFETY: it was written.
        Some((end, unsafe { found.assume_init() }))
    }
}

impl Found {
    /// The id of the property and the message, copied. To be asked for before the next step.
    pub(super) fn texts(&self) -> (Text, Text) {
        // SAFETY: the texts stay until the next step.
        unsafe {
            let text = |at, length| {
                let text = core::slice::from_raw_parts::<u8>(at, length);
                Text::of(&[core::str::from_utf8(text).unwrap_or_default()])
            };
            (text(self.property, self.property_length), text(self.message, self.message_length))
        }
    }
}
