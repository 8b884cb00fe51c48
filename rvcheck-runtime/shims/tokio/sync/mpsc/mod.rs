//! `mpsc` channels.

pub use real::sync::mpsc::*;

mod bounded;
mod permit;
mod receiver;
mod unbounded;
#[cfg(rv_tokio_1_21)]
mod weak;

pub use bounded::{channel, Sender};
#[cfg(rv_tokio_1_6)]
pub use permit::OwnedPermit;
pub use permit::Permit;
#[cfg(rv_tokio_1_36)]
pub use permit::PermitIterator;
pub use receiver::{Receiver, UnboundedReceiver};
pub use unbounded::{unbounded_channel, UnboundedSender};
#[cfg(rv_tokio_1_21)]
pub use weak::WeakSender;
#[cfg(rv_tokio_1_22)]
pub use weak::WeakUnboundedSender;

pub mod error {
    //! Errors of channels.

    pub use real::sync::mpsc::error::*;
}

rt::exchanged! {
    Receiver<()> => real::sync::mpsc::Receiver<()>;
    UnboundedReceiver<()> => real::sync::mpsc::UnboundedReceiver<()>;
    #[cfg(rv_tokio_1_21)] WeakSender<()> => real::sync::mpsc::WeakSender<()>;
    #[cfg(rv_tokio_1_22)] WeakUnboundedSender<()> => real::sync::mpsc::WeakUnboundedSender<()>;
}
