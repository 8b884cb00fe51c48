//! Remedies: what is done at a place from the second time on, after a property with `on_violation = "enforce"` was violated there.
//!
//! The room `learnt` knows the places. Remedies are the one way in which the recorder changes what a program does beside stopping it.

mod gate;
mod handler;
mod offload;

use rvcheck_event::remedy::Remedy;

use crate::learnt::{Number, at};
use crate::{Loc, clock, site, switch};

pub(crate) use gate::{arrives, left};
pub(crate) use handler::{End, detached, ended, joined, watch};
pub(crate) use offload::was_abandoned;
pub use offload::{Offload, PollUnderWay, Polling, offload};

/// What was learnt of a place, if that is this remedy.
fn at_place(location: Loc, remedy: Remedy) -> Option<Number> {
    if !switch::on() {
        return None;
    }
    let site = site::of(location);
    at(site.id, remedy).filter(|_| site.own)
}

/// How long it is since then, in ns.
fn since(begun: u64) -> u64 {
    clock::nanos().saturating_sub(begun)
}
