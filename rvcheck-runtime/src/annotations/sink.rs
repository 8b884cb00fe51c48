//! Where annotations go: to the recorder, or nowhere where there is none.

use core::panic::Location;

use super::Arguments;
use super::protocol::Annotation;
#[cfg(all(feature = "recorder", not(rvcheck_instrumented)))]
use super::recording as recorder;
// Given by the tool when it compiles the dev-dependency of a program under test.
#[cfg(rvcheck_instrumented)]
use rvcheck_injected::recording as recorder;

/// Hands an annotation to the recorder.
#[cfg(any(feature = "recorder", rvcheck_instrumented))]
#[inline]
pub(super) fn record(
    annotation: Annotation,
    name: &str,
    arguments: &impl Arguments,
    location: &'static Location<'static>,
) {
    if recorder::is_recording() {
        arguments.with(|values| recorder::record(annotation, name, values, location));
    }
}

/// There is no recorder.
#[cfg(not(any(feature = "recorder", rvcheck_instrumented)))]
#[inline(always)]
pub(super) fn record(_: Annotation, _: &str, _: &impl Arguments, _: &'static Location<'static>) {}

/// The number of the task that runs now; 0 for none.
#[cfg(any(feature = "recorder", rvcheck_instrumented))]
#[inline]
pub(super) fn task() -> u32 {
    recorder::task()
}

/// There is no recorder, and tasks have no numbers.
#[cfg(not(any(feature = "recorder", rvcheck_instrumented)))]
#[inline(always)]
pub(super) fn task() -> u32 {
    0
}

/// An object was named that the recorder cannot tell from others.
#[cfg(any(feature = "recorder", rvcheck_instrumented))]
#[inline]
pub(super) fn unidentified<T: ?Sized>() {
    if recorder::is_recording() {
        recorder::unidentified(core::any::type_name::<T>());
    }
}

/// There is no recorder.
#[cfg(not(any(feature = "recorder", rvcheck_instrumented)))]
#[inline(always)]
pub(super) fn unidentified<T: ?Sized>() {}
