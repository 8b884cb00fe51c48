//! Which traits the types have, with contents that have more and fewer of them.

use std::cell::Cell;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::future::Future;
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;

use futures_channel::{mpsc, oneshot};
use futures_core::future::FusedFuture;
use futures_core::stream::{FusedStream, Stream};
use futures_sink::Sink;

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
            Default(Default) Debug(Debug) Display(Display) PartialEq(PartialEq) Eq(Eq) Error(Error) Future(Future)
            FusedFuture(FusedFuture) Stream(Stream) FusedStream(FusedStream) Sink(Sink<u8>)
        }
    )*};
}

macro_rules! with {
    ($($content:ty)*) => {$(
        types! {
            mpsc::Sender<$content>; mpsc::Receiver<$content>; mpsc::UnboundedSender<$content>;
            mpsc::UnboundedReceiver<$content>; mpsc::TrySendError<$content>;
            oneshot::Sender<$content>; oneshot::Receiver<$content>; oneshot::Cancellation<'static, $content>;
        }
        #[cfg(rv_futures_channel_0_3_32)]
        types! { mpsc::Recv<'static, mpsc::Receiver<$content>>; }
    )*};
}

fn main() {
    with! { u8 Cell<u8> Rc<u8> &'static mut u8 std::sync::MutexGuard<'static, u8> fn(u8) -> u8 }
    types! { &'static mpsc::UnboundedSender<u8>; mpsc::SendError; mpsc::TryRecvError; oneshot::Canceled; }
}
