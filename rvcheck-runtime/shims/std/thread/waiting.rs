//! Functions that put the thread to sleep.

use real::panic::Location;
use real::thread as std;
use real::time::Duration;

use recorder::What;

/// Sleeps.
#[track_caller]
pub fn sleep(dur: Duration) {
    let _blocking = recorder::block(What::Sleep, Location::caller());
    std::sleep(dur);
}

/// Sleeps for `ms` milliseconds.
#[track_caller]
#[deprecated(since = "1.6.0", note = "replaced by `std::thread::sleep`")]
pub fn sleep_ms(ms: u32) {
    let _blocking = recorder::block(What::Sleep, Location::caller());
    std::sleep(Duration::from_millis(u64::from(ms)));
}

/// Waits until another thread calls `unpark`.
#[track_caller]
pub fn park() {
    let _blocking = recorder::block(What::Park, Location::caller());
    std::park();
}

/// Waits until another thread calls `unpark`, for at most that long.
#[track_caller]
pub fn park_timeout(dur: Duration) {
    let _blocking = recorder::block(What::Sleep, Location::caller());
    std::park_timeout(dur);
}

/// Waits until another thread calls `unpark`, for at most `ms` milliseconds.
#[track_caller]
#[deprecated(since = "1.6.0", note = "replaced by `std::thread::park_timeout`")]
pub fn park_timeout_ms(ms: u32) {
    let _blocking = recorder::block(What::Sleep, Location::caller());
    std::park_timeout(Duration::from_millis(u64::from(ms)));
}
