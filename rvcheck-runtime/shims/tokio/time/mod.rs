//! `tokio::time`.
//!
//! Timers record nothing of their own. They tell the recorder that they run, and where one is awaited, the await says so.

pub use real::time::*;

mod interval;
mod sleep;
mod timeout;

pub use interval::{interval, interval_at, Interval};
pub use sleep::{sleep, sleep_until, Sleep};
pub use timeout::{timeout, timeout_at, Timeout};

/// Stops the clock of the runtime. In a controlled run its timers are the real ones from then on.
///
/// # Panics
///
/// As the real function.
#[cfg(all(feature = "test-util", rv_tokio_1_2))]
#[track_caller]
pub fn pause() {
    rt::control::pause_time(true);
    real::time::pause();
}

/// Lets the clock go on.
///
/// # Panics
///
/// As the real function.
#[cfg(all(feature = "test-util", rv_tokio_1_2))]
#[track_caller]
pub fn resume() {
    rt::control::pause_time(false);
    real::time::resume();
}

rt::exchanged_functions! {
    #[cfg(all(feature = "test-util", rv_tokio_1_2))] pause => real::time::pause;
    #[cfg(all(feature = "test-util", rv_tokio_1_2))] resume => real::time::resume;
}
