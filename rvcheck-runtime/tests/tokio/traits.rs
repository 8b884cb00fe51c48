//! Which traits the types have, with contents that have more and fewer of them.

#![allow(dead_code)]

use std::cell::Cell;
use std::fmt::{Debug, Display};
use std::future::Future;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;

use tokio::runtime::*;
use tokio::sync::*;
use tokio::task::{AbortHandle, JoinHandle, JoinSet, LocalSet};

struct Type<T: ?Sized>(PhantomData<T>);

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
            Default(Default) Debug(Debug) Display(Display) PartialEq(PartialEq) Eq(Eq) Future(Future)
            Deref(Deref<Target = u8>) DerefMut(DerefMut<Target = u8>) From(From<u8>) Iterator(Iterator)
            ExactSizeIterator(ExactSizeIterator)
        }
    )*};
}

fn main() {
    println!("{}", size_of::<Type<u8>>());
    macro_rules! with {
        ($($content:ty)*) => {$(
            types! {
                Mutex<$content>; MutexGuard<'static, $content>; MappedMutexGuard<'static, $content>;
                OwnedMutexGuard<$content>; OwnedMappedMutexGuard<$content, u8>; OwnedMappedMutexGuard<u8, $content>;
                RwLock<$content>; RwLockReadGuard<'static, $content>; RwLockWriteGuard<'static, $content>;
                RwLockMappedWriteGuard<'static, $content>; OwnedRwLockReadGuard<$content, u8>;
                OwnedRwLockReadGuard<u8, $content>; OwnedRwLockWriteGuard<$content>;
                OwnedRwLockMappedWriteGuard<$content, u8>; OwnedRwLockMappedWriteGuard<u8, $content>;
                OnceCell<$content>;
                mpsc::Sender<$content>; mpsc::WeakSender<$content>; mpsc::Receiver<$content>;
                mpsc::Permit<'static, $content>; mpsc::PermitIterator<'static, $content>; mpsc::OwnedPermit<$content>;
                mpsc::UnboundedSender<$content>; mpsc::WeakUnboundedSender<$content>; mpsc::UnboundedReceiver<$content>;
                oneshot::Sender<$content>; oneshot::Receiver<$content>;
                broadcast::Sender<$content>; broadcast::Receiver<$content>;
                watch::Sender<$content>; watch::Receiver<$content>; watch::Ref<'static, $content>;
                JoinHandle<$content>; JoinSet<$content>;
            }
            #[cfg(rv_tokio_1_44)]
            types! { broadcast::WeakSender<$content>; }
            #[cfg(rv_tokio_1_47)]
            types! { SetOnce<$content>; }
        )*};
    }
    with! { u8 Cell<u8> Rc<u8> &'static mut u8 std::sync::MutexGuard<'static, u8> fn(u8) -> u8 }
    types! {
        Mutex<str>; RwLock<str>; Mutex<dyn Debug>; Mutex<dyn Debug + Send>; RwLock<dyn Debug + Send + Sync>;
        MutexGuard<'static, str>; OwnedMutexGuard<dyn Debug + Send>; OwnedRwLockReadGuard<str>;
        Semaphore; SemaphorePermit<'static>; OwnedSemaphorePermit; Notify; futures::Notified<'static>; Barrier;
        AbortHandle; LocalSet; Runtime; Handle; Builder;
    }
    #[cfg(rv_tokio_1_47)]
    types! { futures::OwnedNotified; }
    #[cfg(rv_tokio_1_51)]
    types! { LocalRuntime; }
}
