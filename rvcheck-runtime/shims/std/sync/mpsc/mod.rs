//! `std::sync::mpsc`: channels whose messages are numbered.

mod channel;
mod iter;
mod receiver;
mod sender;

pub use ::real::sync::mpsc::*;

pub use channel::{channel, sync_channel};
pub use iter::{IntoIter, Iter, TryIter};
pub use receiver::Receiver;
pub use sender::{Sender, SyncSender};
