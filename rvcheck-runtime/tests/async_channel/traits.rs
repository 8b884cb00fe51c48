//! Which traits the types have, with contents that have more and fewer of them.

use std::cell::Cell;
use std::fmt::{Debug, Display};
use std::future::Future;
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;

use futures_core::stream::{FusedStream, Stream};

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
            Default(Default) Debug(Debug) Display(Display) PartialEq(PartialEq) Future(Future) Stream(Stream)
            FusedStream(FusedStream)
        }
    )*};
}

macro_rules! with {
    ($($content:ty)*) => {$(
        types! {
            async_channel::Sender<$content>; async_channel::Receiver<$content>;
            async_channel::WeakSender<$content>; async_channel::WeakReceiver<$content>;
            async_channel::Send<'static, $content>; async_channel::Recv<'static, $content>;
            async_channel::SendError<$content>; async_channel::TrySendError<$content>;
        }
        #[cfg(rv_async_channel_2_5)]
        types! { async_channel::Closed<'static, $content>; }
    )*};
}

fn main() {
    with! { u8 Cell<u8> Rc<u8> &'static mut u8 std::sync::MutexGuard<'static, u8> fn(u8) -> u8 }
}
