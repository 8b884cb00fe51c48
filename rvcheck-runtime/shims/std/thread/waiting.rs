//! Functions that put the thread to sleep.

use real::panic::Location;
use real::thread as std;
use real::time::Duration;

use recorder::What;

/// Sleeps.
#[track_caller]
pub fn sleep(dur: Duration) {
    let location = Location::caller();
    let _blocking = recorder::block(What::Sleep, location);
    if !recorder::control::sleep(dur, location) {
        std::sleep(dur);
    }
}

/// Sleeps for `ms` milliseconds.
#[track_caller]
#[deprecated(since = "1.6.0", note = "replaced by `std::thread::sleep`")]
pub fn sleep_ms(ms: u32) {
    sleep(Duration::from_millis(u64::from(ms)));
}

/// Waits until another thread calls `unpark`.
#[track_caller]
pub fn park() {
    let location = Location::caller();
    let _blocking = recorder::block(What::Park, location);
    if !recorder::control::park(None, location) {
        std::park();
    }
}

/// Waits until another thread calls `unpark`, for at most that long.
#[track_caller]
pub fn park_timeout(dur: Duration) {
    let location = Location::caller();
    let _blocking = recorder::block(What::Sleep, location);
    if !recorder::control::park(Some(dur), location) {
        std::park_timeout(dur);
    }
}

/// Waits until another thread calls `unpark`, for at most `ms` milliseconds.
#[track_caller]
#[deprecated(since = "1.6.0", note = "replaced by `std::thread::park_timeout`")]
pub fn park_timeout_ms(ms: u32) {
    park_timeout(Duration::from_millis(u64::from(ms)));
}

/// Lets others go on.
#[track_caller]
pub fn yield_now() {
    recorder::control::yields(Location::caller());
    std::yield_now();
}

recorder::exchanged_functions! {
    sleep => std::sleep;
    #[allow(deprecated)] sleep_ms => std::sleep_ms;
    park => std::park;
    park_timeout => std::park_timeout;
    #[allow(deprecated)] park_timeout_ms => std::park_timeout_ms;
    yield_now => std::yield_now;
}
