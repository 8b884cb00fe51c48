//! Where it goes what a program says: nowhere, unless a recorder is there.

use core::panic::Location;

use super::Arguments;
#[cfg(all(feature = "recorder", not(rvcheck_instrumented)))]
use crate::said as recorder;
use crate::words::Word;
// Given by the tool when it compiles the dev-dependency of a program under test.
#[cfg(rvcheck_instrumented)]
use rvcheck_injected::said as recorder;

/// Tells the recorder.
#[cfg(any(feature = "recorder", rvcheck_instrumented))]
#[inline]
pub(super) fn say(word: Word, name: &str, arguments: &impl Arguments, location: &'static Location<'static>) {
    if recorder::listens() {
        arguments.with(|values| recorder::say(word, name, values, location));
    }
}

/// Nobody listens.
#[cfg(not(any(feature = "recorder", rvcheck_instrumented)))]
#[inline(always)]
pub(super) fn say(_: Word, _: &str, _: &impl Arguments, _: &'static Location<'static>) {}

/// The number of the task that runs now; 0 for none.
#[cfg(any(feature = "recorder", rvcheck_instrumented))]
#[inline]
pub(super) fn task() -> u32 {
    recorder::task()
}

/// Nobody counts them.
#[cfg(not(any(feature = "recorder", rvcheck_instrumented)))]
#[inline(always)]
pub(super) fn task() -> u32 {
    0
}

/// An object was named that the recorder cannot tell from others.
#[cfg(any(feature = "recorder", rvcheck_instrumented))]
#[inline]
pub(super) fn unknown<T: ?Sized>() {
    if recorder::listens() {
        recorder::unknown(core::any::type_name::<T>());
    }
}

/// As above; nobody listens.
#[cfg(not(any(feature = "recorder", rvcheck_instrumented)))]
#[inline(always)]
pub(super) fn unknown<T: ?Sized>() {}
