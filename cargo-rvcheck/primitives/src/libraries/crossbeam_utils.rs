//! `crossbeam-utils`, also as `crossbeam`: its parker and its cell.

use super::parking::{PARKER, UNPARKER};
use crate::action::Action;
use crate::operation::{Leaves, make, to};
use crate::owner::{Ending, Is, Owner, Word};

/// Its types.
pub(super) const OWNERS: &[Owner] = &[
    Owner::of("crossbeam_utils::sync::Parker", Is::Handle(Ending::Nothing))
        .also(&["crossbeam::sync::Parker"])
        .does(PARKER),
    Owner::of("crossbeam_utils::sync::Unparker", Is::Handle(Ending::Nothing))
        .also(&["crossbeam::sync::Unparker"])
        .does(UNPARKER),
    Owner::of("crossbeam_utils::atomic::AtomicCell", Is::Flag(Word::Any))
        .also(&["crossbeam::atomic::AtomicCell"])
        .does(&[
            make("new").arguments(1),
            to(Action::Load, "load"),
            to(Action::Store, "store").arguments(1),
            to(Action::Swap, "swap").leaves(Leaves::Argument(1)).arguments(1),
            to(Action::Swap, "take"),
            to(Action::Swap, "compare_exchange").leaves(Leaves::Argument(2)).arguments(2).ok(),
            to(Action::Swap, "fetch_add").leaves(Leaves::More).arguments(1),
            to(Action::Swap, "fetch_sub").leaves(Leaves::Less).arguments(1),
            to(Action::Swap, "fetch_and").leaves(Leaves::Both).arguments(1),
            to(Action::Swap, "fetch_or").leaves(Leaves::Either).arguments(1),
            to(Action::Swap, "fetch_xor").arguments(1),
            to(Action::Swap, "fetch_update").leaves(Leaves::Made).arguments(1).runs(1).ok(),
        ]),
];
