//! Which traits the types have, with contents that have more and fewer of them.

#[macro_use]
#[path = "../program_kit/traits.rs"]
mod traits;

use futures_channel::{mpsc, oneshot};
use futures_core::future::FusedFuture;
use futures_core::stream::{FusedStream, Stream};
use futures_sink::Sink;

macro_rules! types {
    ($($type:ty;)*) => {
        traits! {
            $($type;)* => FusedFuture(FusedFuture) Stream(Stream) FusedStream(FusedStream) Sink(Sink<u8>)
        }
    };
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
    contents! { with }
    types! { &'static mpsc::UnboundedSender<u8>; mpsc::SendError; mpsc::TryRecvError; oneshot::Canceled; }
}
