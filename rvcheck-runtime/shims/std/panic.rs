//! `std::panic`: panics that the program catches, and its hooks.

use real::any::Any;
use real::panic as std;

pub use ::real::panic::*;

/// Calls the closure and catches a panic, which is recorded as caught.
#[inline]
#[track_caller]
pub fn catch_unwind<F: FnOnce() -> R + UnwindSafe, R>(f: F) -> real::thread::Result<R> {
    let result = std::catch_unwind(f);
    if result.is_err() {
        recorder::panics::caught(Location::caller());
    }
    result
}

/// Goes on with a panic that was caught.
#[inline]
pub fn resume_unwind(payload: Box<dyn Any + Send>) -> ! {
    std::resume_unwind(payload)
}

/// Sets the program's panic hook. The recorder's own stays in front of it.
///
/// # Panics
///
/// From a panicking thread.
#[inline]
pub fn set_hook(hook: Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send + 'static>) {
    recorder::panics::set_hook(hook);
}

/// Takes the program's panic hook away.
///
/// # Panics
///
/// From a panicking thread.
#[inline]
#[must_use]
pub fn take_hook() -> Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send + 'static> {
    recorder::panics::take_hook()
}

recorder::exchanged_functions! {
    catch_unwind::<fn(), ()> => std::catch_unwind::<fn(), ()>;
    resume_unwind => std::resume_unwind;
    set_hook => std::set_hook;
    take_hook => std::take_hook;
}
