//! `mpsc` channels.

pub use real::sync::mpsc::*;

mod bounded;
mod permit;
mod receiver;
mod unbounded;
mod weak;

pub use bounded::{channel, Sender};
pub use permit::{OwnedPermit, Permit, PermitIterator};
pub use receiver::{Receiver, UnboundedReceiver};
pub use unbounded::{unbounded_channel, UnboundedSender};
pub use weak::{WeakSender, WeakUnboundedSender};

pub mod error {
    //! Errors of channels.

    pub use real::sync::mpsc::error::*;
}
