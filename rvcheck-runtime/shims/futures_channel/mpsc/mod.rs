//! Channels with many senders and one receiver.

pub use real::mpsc::*;

mod bounded;
mod error;
mod receiver;
#[cfg(rv_futures_channel_0_3_32)]
mod recv;
mod sender;
#[cfg(feature = "sink")]
mod sink;
mod unbounded;

pub use bounded::{channel, Sender};
pub use error::TrySendError;
pub use receiver::{Receiver, UnboundedReceiver};
#[cfg(rv_futures_channel_0_3_32)]
pub use recv::Recv;
pub use unbounded::{unbounded, UnboundedSender};
