//! `JoinHandle`.

use real::panic::Location;
use real::thread as std;

use recorder::task::Handle;
use recorder::{Loc, TaskId, What};

use super::{Result, Thread};

/// The right to wait for a thread. Dropping it detaches the thread.
pub struct JoinHandle<T> {
    handle: Handle,
    real: std::JoinHandle<T>,
}

recorder::identified!([T] JoinHandle<T>, it => it.handle.value());

impl<T> JoinHandle<T> {
    pub(super) fn new(real: std::JoinHandle<T>, id: TaskId) -> JoinHandle<T> {
        JoinHandle { handle: Handle::new(id), real }
    }

    /// Waits for the end of the thread.
    ///
    /// # Errors
    ///
    /// With the payload of its panic.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        let JoinHandle { mut handle, real } = self;
        joined(&mut handle, real, std::JoinHandle::is_finished, std::JoinHandle::join, Location::caller())
    }

    /// Whether the thread is done.
    #[track_caller]
    #[inline]
    pub fn is_finished(&self) -> bool {
        let is_finished = self.real.is_finished();
        if is_finished {
            self.handle.found_ended(Location::caller());
        }
        is_finished
    }
}

/// Waits for the thread behind a handle of either sort.
#[inline]
pub(super) fn joined<H, T>(
    handle: &mut Handle,
    real: H,
    is_finished: fn(&H) -> bool,
    join: fn(H) -> Result<T>,
    location: Loc,
) -> Result<T> {
    let blocking = (!is_finished(&real)).then(|| {
        handle.polled(location);
        recorder::block(What::Join, location)
    });
    recorder::control::join(handle.id(), location);
    let real_join = recorder::control::real_join();
    let result = join(real);
    drop(real_join);
    drop(blocking);
    handle.joined(location);
    result
}

recorder::forwards! {
    [T] JoinHandle<T> {
        #[must_use] pub fn thread(&self) -> &Thread;
    }
    [T] JoinHandle<T>: Debug;
}

#[cfg(unix)]
impl<T> real::os::unix::thread::JoinHandleExt for JoinHandle<T> {
    recorder::forwards! {
        fn as_pthread_t(&self) -> real::os::unix::thread::RawPthread;
    }

    fn into_pthread_t(self) -> real::os::unix::thread::RawPthread {
        let JoinHandle { mut handle, real } = self;
        handle.forget();
        real.into_pthread_t()
    }
}

#[cfg(windows)]
mod windows {
    use real::os::windows::io::{
        AsHandle, AsRawHandle, BorrowedHandle, IntoRawHandle, OwnedHandle, RawHandle,
    };

    use super::JoinHandle;

    recorder::forwards! {
        [T] JoinHandle<T>: AsHandle {
            fn as_handle(&self) -> BorrowedHandle<'_>;
        }
        [T] JoinHandle<T>: AsRawHandle {
            fn as_raw_handle(&self) -> RawHandle;
        }
    }

    impl<T> IntoRawHandle for JoinHandle<T> {
        fn into_raw_handle(self) -> RawHandle {
            let JoinHandle { mut handle, real } = self;
            handle.forget();
            real.into_raw_handle()
        }
    }

    impl<T> From<JoinHandle<T>> for OwnedHandle {
        fn from(join_handle: JoinHandle<T>) -> OwnedHandle {
            let JoinHandle { mut handle, real } = join_handle;
            handle.forget();
            real.into()
        }
    }
}
