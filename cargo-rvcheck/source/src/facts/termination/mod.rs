//! Who can still end a wait: where the senders of a channel live, how the loop around a receive ends, and which tasks and threads cannot end.

mod aborted;
mod closed;
mod fields;
mod forgotten;
mod holders;
mod kept_senders;
mod left;
mod life;
mod loops;
mod optional;
mod orders;
mod owned;
mod races;
mod receivers;
mod replies;

pub(crate) use self::aborted::{aborted, outlives_its_handle};
pub(crate) use self::closed::is_closed_by_call;
pub(crate) use self::fields::{DropOrder, kept_by_later_field};
pub(crate) use self::forgotten::Forgotten;
pub(crate) use self::holders::{Holder, kept_at, owns};
pub(crate) use self::left::{Left, left};
pub(crate) use self::life::{Unending, unending, unending_unless};
pub(crate) use self::loops::{Exits, exits_of, looks_at_missed, loop_of};
pub(crate) use self::orders::{Uses, made_before, order_at, orders};
pub(crate) use self::owned::{has_owner, is_of_main, only_by_calls, only_when_asked};
pub(crate) use self::races::{Race, races};
pub(crate) use self::receivers::{is_given_alone, receiver_at};
pub(crate) use self::replies::{Unanswered, unanswered};
