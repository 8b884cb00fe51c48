//! Which traits the types have, with contents that have more and fewer of them.

#[macro_use]
#[path = "../program_kit/traits.rs"]
mod traits;

use futures_core::stream::{FusedStream, Stream};

macro_rules! types {
    ($($type:ty;)*) => { traits! { $($type;)* => Stream(Stream) FusedStream(FusedStream) } };
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
    contents! { with }
}
