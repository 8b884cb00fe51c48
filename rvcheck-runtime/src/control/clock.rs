//! The clock of a controlled run: the system's, and what was skipped.
//!
//! It does not count decisions, since code that computes or waits outside has to see time pass. `clock_gettime` is defined here, weakly, so
//! that std, tokio and the program all see this clock. Where nothing is controlled it is the system's own. The recorder's threads see that
//! one, too.

use core::cell::Cell;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::sync::OnceLock;
use std::time::Instant;

/// What was skipped, in ns.
static SKIPPED: AtomicU64 = AtomicU64::new(0);
/// When the run began, in ns of the system's clock.
static BEGAN: AtomicU64 = AtomicU64::new(0);
/// The same as the program sees it.
static BASE: OnceLock<Instant> = OnceLock::new();

/// What is skipped more than needed, in ns: readings of the two clocks are not made at once.
const MARGIN: u64 = 10_000;

thread_local! {
    /// This thread sees the system's clock.
    static SEES_REAL_TIME: Cell<bool> = const { Cell::new(false) };
}

/// The run begins.
pub(super) fn begin() {
    // In this order: whoever loses the processor in between has waits end late, and never early.
    let _ = BASE.set(Instant::now());
    BEGAN.store(system::now(), Ordering::Relaxed);
}

/// A point in time of the program, in ns since the run began.
pub(super) fn at(time: Instant) -> u64 {
    let since = BASE.get().map_or(Duration::ZERO, |base| time.saturating_duration_since(*base));
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

/// From now on this thread sees the system's clock.
pub(super) fn see_real_time() {
    SEES_REAL_TIME.with(|it| it.set(true));
}

/// Does this by the system's clock.
pub(super) fn by_real_time<R>(does: impl FnOnce() -> R) -> R {
    let before = SEES_REAL_TIME.replace(true);
    let result = does();
    SEES_REAL_TIME.set(before);
    result
}

/// The time of the run, in ns since it began.
pub(super) fn now() -> u64 {
    (system::now() + SKIPPED.load(Ordering::Relaxed)).saturating_sub(BEGAN.load(Ordering::Relaxed))
}

/// So many ns go by.
pub(super) fn pass(nanos: u64) {
    if nanos != 0 {
        SKIPPED.fetch_add(nanos, Ordering::Relaxed);
    }
}

/// It is this time of the run, at least.
pub(super) fn skip_to(time: u64) {
    let ahead = time.saturating_add(MARGIN).saturating_sub(now());
    SKIPPED.fetch_add(ahead, Ordering::Relaxed);
}

#[cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod system {
    //! The system's clock, and the one that stands in front of it.

    use core::ffi::{CStr, c_char, c_void};
    use core::sync::atomic::{AtomicPtr, Ordering};

    use super::{SEES_REAL_TIME, SKIPPED};

    #[repr(C)]
    pub(super) struct Timespec {
        seconds: i64,
        nanos: i64,
    }

    type ClockGettime = unsafe extern "C" fn(i32, *mut Timespec) -> i32;

    const MONOTONIC: i32 = 1;
    /// The clocks of the processor's time.
    const OF_CPU: [i32; 2] = [2, 3];
    const SECOND: u64 = 1_000_000_000;

    unsafe extern "C" {
        fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    }

    /// That of the C library.
    static REAL: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());

    fn real() -> ClockGettime {
        const NEXT: *mut c_void = -1_isize as *mut c_void;
        const NAME: &CStr = c"clock_gettime";
        let mut found = REAL.load(Ordering::Relaxed);
        if found.is_null() {
            // SAFETY: the name ends with a zero. The library has the function.
            found = unsafe { dlsym(NEXT, NAME.as_ptr()) };
            REAL.store(found, Ordering::Relaxed);
        }
        // SAFETY: it is the function of that name.
        unsafe { core::mem::transmute::<*mut c_void, ClockGettime>(found) }
    }

    /// The system's time in ns.
    pub(super) fn now() -> u64 {
        let mut time = Timespec { seconds: 0, nanos: 0 };
        // SAFETY: the struct lives through the call.
        unsafe { real()(MONOTONIC, &raw mut time) };
        time.seconds as u64 * SECOND + time.nanos as u64
    }

    // Weak, so that a program that defines the function itself keeps its own.
    #[cfg(target_arch = "x86_64")]
    core::arch::global_asm!(
        ".weak clock_gettime",
        ".type clock_gettime,@function",
        "clock_gettime: jmp {ours}",
        ours = sym rvcheck_clock_gettime,
    );
    #[cfg(target_arch = "aarch64")]
    core::arch::global_asm!(
        ".weak clock_gettime",
        ".type clock_gettime,%function",
        "clock_gettime: b {ours}",
        ours = sym rvcheck_clock_gettime,
    );

    /// What the program gets for `clock_gettime`.
    unsafe extern "C" fn rvcheck_clock_gettime(clock: i32, time: *mut Timespec) -> i32 {
        // SAFETY: as the caller says.
        let result = unsafe { real()(clock, time) };
        let skipped = SKIPPED.load(Ordering::Relaxed);
        if result == 0 && skipped != 0 && !OF_CPU.contains(&clock) && !SEES_REAL_TIME.get() {
            // SAFETY: the call has just written there.
            let time = unsafe { &mut *time };
            let nanos = time.nanos as u64 + skipped % SECOND;
            time.seconds += (skipped / SECOND + nanos / SECOND) as i64;
            time.nanos = (nanos % SECOND) as i64;
        }
        result
    }
}

#[cfg(not(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
mod system {
    //! The system's clock, with nothing in front of it: what was skipped is seen by timers only.

    /// The time in ns since the recorder began.
    pub(super) fn now() -> u64 {
        crate::clock::nanos()
    }
}
