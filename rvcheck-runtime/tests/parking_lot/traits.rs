//! Which traits the types have, with contents that have more and fewer of them.

#![allow(dead_code)]

use std::cell::Cell;
use std::fmt::{Debug, Display};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;

use lock_api::{GuardSend, RawMutex as _, RawRwLock as _};
use parking_lot::*;

/// What holds where the inherent constant of the same name is not there.
trait Otherwise {
    const HAS: bool = false;
}

impl<T: ?Sized> Otherwise for T {}

macro_rules! traits {
    ($type:ty: $($name:ident($($bound:tt)*))*) => {
        print!("{}:", stringify!($type));
        $({
            struct Has<T: ?Sized>(PhantomData<T>);
            impl<T: ?Sized + $($bound)*> Has<T> {
                const HAS: bool = true;
            }
            if <Has<$type>>::HAS {
                print!(" {}", stringify!($name));
            }
        })*
        println!();
    };
}

macro_rules! types {
    ($($type:ty;)*) => {$(
        traits! { $type:
            Send(Send) Sync(Sync) Unpin(Unpin) UnwindSafe(UnwindSafe) RefUnwindSafe(RefUnwindSafe) Clone(Clone)
            Default(Default) Debug(Debug) Display(Display) PartialEq(PartialEq) Eq(Eq)
            Deref(Deref<Target = u8>) DerefMut(DerefMut<Target = u8>) From(From<u8>)
        }
    )*};
}

/// A raw lock whose guards may be sent.
struct Sent(RawMutex);

// SAFETY: that of the lock inside.
unsafe impl lock_api::RawMutex for Sent {
    const INIT: Sent = Sent(RawMutex::INIT);

    type GuardMarker = GuardSend;

    fn lock(&self) {
        self.0.lock();
    }

    fn try_lock(&self) -> bool {
        self.0.try_lock()
    }

    unsafe fn unlock(&self) {
        // SAFETY: as the caller says.
        unsafe { self.0.unlock() }
    }
}

/// A raw lock whose guards may be sent, and that is itself of one thread.
struct SentRw(RawRwLock, PhantomData<Cell<u8>>);

// SAFETY: that of the lock inside.
unsafe impl lock_api::RawRwLock for SentRw {
    const INIT: SentRw = SentRw(RawRwLock::INIT, PhantomData);

    type GuardMarker = GuardSend;

    fn lock_shared(&self) {
        self.0.lock_shared();
    }

    fn try_lock_shared(&self) -> bool {
        self.0.try_lock_shared()
    }

    unsafe fn unlock_shared(&self) {
        // SAFETY: as the caller says.
        unsafe { self.0.unlock_shared() }
    }

    fn lock_exclusive(&self) {
        self.0.lock_exclusive();
    }

    fn try_lock_exclusive(&self) -> bool {
        self.0.try_lock_exclusive()
    }

    unsafe fn unlock_exclusive(&self) {
        // SAFETY: as the caller says.
        unsafe { self.0.unlock_exclusive() }
    }
}

/// The guards' data may live shorter, where they may with the real ones.
fn shorter<'a, 'b: 'a>(
    read: MappedRwLockReadGuard<'b, &'b str>,
    again: MappedReentrantMutexGuard<'b, &'b str>,
) -> (MappedRwLockReadGuard<'a, &'a str>, MappedReentrantMutexGuard<'a, &'a str>) {
    (read, again)
}

fn main() {
    macro_rules! with {
        ($($content:ty)*) => {$(
            types! {
                Mutex<$content>; MutexGuard<'static, $content>; MappedMutexGuard<'static, $content>;
                FairMutex<$content>; FairMutexGuard<'static, $content>;
                lock_api::MutexGuard<'static, Sent, $content>; lock_api::MappedMutexGuard<'static, Sent, $content>;
                RwLock<$content>; RwLockReadGuard<'static, $content>; RwLockWriteGuard<'static, $content>;
                RwLockUpgradableReadGuard<'static, $content>; MappedRwLockReadGuard<'static, $content>;
                MappedRwLockWriteGuard<'static, $content>; lock_api::RwLock<SentRw, $content>;
                lock_api::RwLockReadGuard<'static, SentRw, $content>;
                lock_api::RwLockWriteGuard<'static, SentRw, $content>;
                lock_api::MappedRwLockReadGuard<'static, SentRw, $content>;
                lock_api::MappedRwLockWriteGuard<'static, SentRw, $content>;
                ReentrantMutex<$content>; ReentrantMutexGuard<'static, $content>;
                MappedReentrantMutexGuard<'static, $content>;
            }
            #[cfg(feature = "arc_lock")]
            types! {
                lock_api::ArcMutexGuard<RawMutex, $content>; lock_api::ArcMutexGuard<Sent, $content>;
                lock_api::ArcRwLockReadGuard<RawRwLock, $content>; lock_api::ArcRwLockReadGuard<SentRw, $content>;
                lock_api::ArcRwLockWriteGuard<RawRwLock, $content>; lock_api::ArcRwLockWriteGuard<SentRw, $content>;
                lock_api::ArcRwLockUpgradableReadGuard<RawRwLock, $content>;
                lock_api::ArcReentrantMutexGuard<RawMutex, RawThreadId, $content>;
            }
        )*};
    }
    with! { u8 Cell<u8> Rc<u8> &'static mut u8 std::sync::MutexGuard<'static, u8> fn(u8) -> u8 }
    types! {
        Mutex<str>; RwLock<str>; Mutex<dyn Debug>; Mutex<dyn Debug + Send>; RwLock<dyn Debug + Send + Sync>;
        MutexGuard<'static, str>; RwLockReadGuard<'static, [u8]>; Condvar; Once; WaitTimeoutResult; OnceState;
    }
}
