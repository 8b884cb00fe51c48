//! `arc-swap`: an `Arc` that is exchanged as a whole.

use crate::action::Action;
use crate::operation::{Leaves, make, to};
use crate::owner::{Inert, Is, Owner, Word};

/// Its types.
pub(super) const OWNERS: &[Owner] = &[Owner::of("arc_swap::ArcSwapAny", Is::Flag(Word::Any))
    .also(&["arc_swap::ArcSwap", "arc_swap::ArcSwapOption"])
    .does(&[
        make("new").arguments(1),
        make("from_pointee").arguments(1),
        to(Action::Load, "load"),
        to(Action::Load, "load_full"),
        to(Action::Store, "store").arguments(1),
        to(Action::Swap, "swap").leaves(Leaves::Argument(1)).arguments(1),
        to(Action::Swap, "compare_and_swap").leaves(Leaves::Argument(2)).arguments(2),
        to(Action::Swap, "rcu").leaves(Leaves::Made).arguments(1).runs(1),
    ])
    .inert(&[(Inert::Alone, &["into_inner"]), (Inert::GivesPart, &["map"])])];
