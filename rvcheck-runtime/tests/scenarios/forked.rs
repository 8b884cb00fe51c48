//! Processes that are only forked off.

use std::panic::Location;

use rvcheck_runtime::{Head, Mode, ObjectKind, TaskKind, What};

use super::{every_hook, once_pending};

unsafe extern "C" {
    safe fn fork() -> i32;
    safe fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    safe fn alarm(seconds: u32) -> u32;
    safe fn exit(status: i32) -> !;
    safe fn _exit(status: i32) -> !;
}

pub(crate) fn by_the_library() -> i32 {
    fork()
}

/// The C library does not know of it.
#[cfg(target_os = "linux")]
pub(crate) fn by_the_system() -> i32 {
    unsafe extern "C" {
        fn syscall(number: core::ffi::c_long, ...) -> core::ffi::c_long;
    }
    const CLONE: core::ffi::c_long = if cfg!(target_arch = "x86_64") { 56 } else { 220 };
    const SIGCHLD: core::ffi::c_long = 17;
    // SAFETY: a copy of the process with this thread, which goes on where it is.
    unsafe { syscall(CLONE, SIGCHLD, 0, 0, 0, 0) as i32 }
}

#[track_caller]
fn ends_well(child: i32) {
    let mut status = 0;
    assert_eq!(waitpid(child, &raw mut status, 0), child);
    assert_eq!(status, 0);
}

pub(crate) fn leaves_the_trace_alone(lock: &Head, fork: fn() -> i32) {
    let here = Location::caller();
    let held = rvcheck_runtime::lock::acquired(lock, Mode::Write, false, here);
    let request = rvcheck_runtime::lock::request(lock, Mode::Write, here);
    let blocking = rvcheck_runtime::block(What::Sleep, here);
    let id = rvcheck_runtime::task::spawned(TaskKind::Async, here, "", None);
    let handle = rvcheck_runtime::task::Handle::new(id);
    let mut task = Box::pin(rvcheck_runtime::task::tracked(id, once_pending()));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(task.as_mut().poll(&mut context).is_pending());
    let child = fork();
    if child == 0 {
        // Whatever was begun before ends here, and here only for this process.
        drop((task, handle, blocking, request, held));
        every_hook(lock);
        assert!(std::panic::catch_unwind(|| panic!("as planned")).is_err());
        std::thread::spawn(|| every_hook(&Head::unborn(ObjectKind::StdMutex))).join().expect("it ends");
        // That does what is to be done at the end of a process.
        exit(0);
    }
    ends_well(child);
    drop((task, handle, blocking, request, held));
    for _ in 0..20_000 {
        drop(rvcheck_runtime::lock::acquired(lock, Mode::Write, false, here));
    }
}

/// While other threads are in the recorder's locks all the time.
pub(crate) fn waits_for_nobody(lock: &Head) {
    use std::sync::atomic::{AtomicBool, Ordering};
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for count in 0.. {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                rvcheck_runtime::event("count", format!("{count}"));
            }
        });
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                rvcheck_runtime::panics::set_hook(Box::new(|_| {}));
            }
        });
        for _ in 0..25 {
            let child = fork();
            if child == 0 {
                // Who waits for ever is ended.
                alarm(20);
                every_hook(lock);
                let panicked = std::panic::catch_unwind(|| std::panic::panic_any(1));
                _exit(i32::from(panicked.is_ok()));
            }
            ends_well(child);
        }
        over.store(true, Ordering::Relaxed);
    });
}
