//! The tick counter: the cheapest clock of the machine, converted to time by whoever reads the trace.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::OnceLock;
use std::time::Instant;

/// When recording began.
static BEGAN: OnceLock<(Instant, u64)> = OnceLock::new();
/// Ticks in a millisecond.
static PER_MILLISECOND: AtomicU64 = AtomicU64::new(1_000_000);

/// The tick counter. Monotonic within a thread on every machine that rvcheck knows; across threads good enough for show,
/// since order never depends on it.
#[inline]
pub(crate) fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: every x86-64 processor has the instruction.
        unsafe { core::arch::x86_64::_rdtsc() }
    }
    #[cfg(target_arch = "aarch64")]
    {
        let ticks: u64;
        // SAFETY: the virtual counter can be read in user mode on every supported system.
        unsafe { core::arch::asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack)) };
        ticks
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        BEGAN.get().map_or(0, |(began, _)| began.elapsed().as_nanos() as u64)
    }
}

/// Starts the clock, and measures the counter's speed to about a percent.
pub(crate) fn begin() -> u64 {
    let (instant, first) = *BEGAN.get_or_init(|| (Instant::now(), ticks()));
    // A tenth of a millisecond is enough: only thresholds depend on this, times in the trace are calibrated anew.
    while instant.elapsed().as_micros() < 100 {
        core::hint::spin_loop();
    }
    let nanos = instant.elapsed().as_nanos().max(1) as u64;
    let passed = ticks().wrapping_sub(first);
    PER_MILLISECOND.store((passed * 1_000_000 / nanos).max(1), Ordering::Relaxed);
    first
}

/// A pair of readings: the tick counter, and ns since recording began.
pub(crate) fn pair() -> (u64, u64) {
    let nanos = nanos();
    (ticks(), nanos)
}

/// ns since recording began.
pub(crate) fn nanos() -> u64 {
    BEGAN.get().map_or(0, |(began, _)| began.elapsed().as_nanos() as u64)
}

/// That many milliseconds in ticks.
pub(crate) fn milliseconds(count: u64) -> u64 {
    count * PER_MILLISECOND.load(Ordering::Relaxed)
}

/// CPU time of this thread in ns; 0 where the system does not tell. A system call, so it is not for every event.
pub(crate) fn thread_cpu() -> u64 {
    #[cfg(unix)]
    {
        #[repr(C)]
        struct Timespec {
            seconds: i64,
            nanos: i64,
        }
        unsafe extern "C" {
            fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
        }
        const CLOCK: i32 = if cfg!(target_os = "macos") { 16 } else { 3 };
        let mut time = Timespec { seconds: 0, nanos: 0 };
        // SAFETY: the struct has the layout of C's timespec on 64-bit systems, and lives through the call.
        if unsafe { clock_gettime(CLOCK, &raw mut time) } == 0 {
            return time.seconds as u64 * 1_000_000_000 + time.nanos as u64;
        }
    }
    0
}
