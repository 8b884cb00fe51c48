//! Who can still end a wait: where the senders of a channel live, and how the loop around a receive ends.

mod homes;
mod loops;
mod orders;

pub(crate) use self::homes::{Home, kept_at, owns};
pub(crate) use self::loops::{Exits, exits_of, gives_on};
pub(crate) use self::orders::{Uses, made_before, order_at, orders};
