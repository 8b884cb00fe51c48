//! Signals whose handler does what is recorded.

use std::panic::Location;
use std::sync::atomic::{AtomicU32, Ordering};

use rvcheck_runtime::{Head, Mode, ObjectKind};

unsafe extern "C" {
    fn signal(number: i32, handler: extern "C" fn(i32)) -> usize;
    fn setitimer(which: i32, new: *const [i64; 4], old: *mut [i64; 4]) -> i32;
}

static HANDLED: AtomicU32 = AtomicU32::new(0);
static LOCK: Head = Head::unborn(ObjectKind::StdRwLock);

extern "C" fn handler(_: i32) {
    drop(rvcheck_runtime::lock::acquired(&LOCK, Mode::Read, true, Location::caller()));
    // One more text each time, for which the recorder needs its locks.
    let count = HANDLED.fetch_add(1, Ordering::Relaxed);
    let digits = [b'a' + (count % 26) as u8, b'a' + (count / 26 % 26) as u8, b'a' + (count / 676 % 26) as u8];
    rvcheck_runtime::event("handled", str::from_utf8(&digits).unwrap_or_default());
}

/// Many of them, while the program does nothing but what is recorded.
pub(crate) fn arrive(lock: &Head) {
    const REAL_TIME: (i32, i32) = (0, 14);
    let here = Location::caller();
    // SAFETY: the handler allocates nothing and takes no lock; the times are as C has them on 64-bit systems.
    unsafe {
        signal(REAL_TIME.1, handler);
        setitimer(REAL_TIME.0, &[0, 50, 0, 50], std::ptr::null_mut());
    }
    for pass in 0_u64.. {
        if HANDLED.load(Ordering::Relaxed) >= 2_000 {
            break;
        }
        drop(rvcheck_runtime::lock::acquired(lock, Mode::Write, false, here));
        if pass % 64 == 0 {
            rvcheck_runtime::event("round", format!("{pass:08}"));
        }
    }
    // SAFETY: as above.
    unsafe { setitimer(REAL_TIME.0, &[0; 4], std::ptr::null_mut()) };
}
