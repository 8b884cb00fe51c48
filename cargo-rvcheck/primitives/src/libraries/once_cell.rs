//! `once_cell`.

use crate::action::Action;
use crate::operation::{Failure, What, make, to};
use crate::owner::{By, Inert, Is, Owner};

/// Its types and modules.
pub(super) const OWNERS: &[Owner] = &[
    Owner::of("once_cell::sync::Lazy", Is::Once(By::Thread))
        .does(&[
            to(Action::Initialise, "force").arguments(0).no_site().thread(),
            to(Action::Load, "get").some(),
            make("new").arguments(1).runs(0),
        ])
        .inert(&[(Inert::Alone, &["force_mut", "get_mut", "into_value"])]),
    Owner::of("once_cell::sync::OnceCell", Is::Once(By::Thread))
        .does(&[
            to(Action::Load, "get").some(),
            to(Action::Initialise, "get_or_init").thread(),
            to(Action::Initialise, "get_or_try_init").thread().ok().fails(&[Failure::Own]),
            make("new").arguments(0).site(),
            to(Action::Store, "set").arguments(1).fails(&[Failure::Already]),
            to(Action::Store, "try_insert").arguments(1).fails(&[Failure::Already]),
            to(Action::Wait, "wait").thread().gives(What::Message),
        ])
        .inert(&[
            (Inert::Alone, &["get_mut", "take"]),
            (Inert::GivesPart, &["get_unchecked", "with_value"]),
            (Inert::Alone, &["into_inner"]),
        ]),
];
