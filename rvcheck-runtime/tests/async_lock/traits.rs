//! Which traits the types have, with contents that have more and fewer of them.

use std::cell::Cell;
use std::fmt::{Debug, Display};
use std::future::Future;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;

use async_lock::futures::*;
use async_lock::*;

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
            #[allow(dead_code)]
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
            Default(Default) Debug(Debug) Display(Display) PartialEq(PartialEq) Future(Future)
            Deref(Deref<Target = u8>) DerefMut(DerefMut<Target = u8>) From(From<u8>)
        }
    )*};
}

macro_rules! with {
    ($($content:ty)*) => {$(
        types! {
            Mutex<$content>; MutexGuard<'static, $content>; MutexGuardArc<$content>;
            Lock<'static, $content>; LockArc<$content>;
            RwLock<$content>; RwLockReadGuard<'static, $content>; RwLockReadGuardArc<$content>;
            RwLockUpgradableReadGuard<'static, $content>; RwLockUpgradableReadGuardArc<$content>;
            RwLockWriteGuard<'static, $content>; RwLockWriteGuardArc<$content>;
            Read<'static, $content>; ReadArc<'static, $content>; UpgradableRead<'static, $content>;
            UpgradableReadArc<'static, $content>; Write<'static, $content>; WriteArc<'static, $content>;
            Upgrade<'static, $content>; UpgradeArc<$content>;
            OnceCell<$content>;
        }
    )*};
}

fn main() {
    with! { u8 Cell<u8> Rc<u8> &'static mut u8 std::sync::MutexGuard<'static, u8> fn(u8) -> u8 }
    types! {
        Mutex<str>; MutexGuard<'static, str>; MutexGuardArc<dyn Debug + Send>; LockArc<dyn Debug>;
        RwLock<str>; RwLock<dyn Debug + Send + Sync>; RwLockWriteGuardArc<str>; RwLockUpgradableReadGuardArc<str>;
        UpgradeArc<str>;
        Semaphore; SemaphoreGuard<'static>; SemaphoreGuardArc; Acquire<'static>; AcquireArc;
        Barrier; BarrierWait<'static>; BarrierWaitResult;
    }
}
