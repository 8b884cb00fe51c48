//! `tracing`: what marks the thread while a span is entered, and what is recorded of it.

use crate::owner::{Inert, Is, Object, Owner};

/// Its types.
pub(super) const OWNERS: &[Owner] = &[
    Owner::of("tracing::span::Entered", Is::Mark).also(&["tracing::Entered"]),
    Owner::of("tracing::span::EnteredSpan", Is::Mark),
    Owner::module("tracing::subscriber", Object::Task)
        .inert(&[(Inert::Registers, &["set_default", "set_global_default", "with_default"])]),
];
