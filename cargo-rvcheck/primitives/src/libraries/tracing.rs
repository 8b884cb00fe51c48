//! `tracing`: what marks the thread while a span is entered.

use crate::owner::{Is, Owner};

/// Its types.
pub(super) const OWNERS: &[Owner] = &[
    Owner::of("tracing::span::Entered", Is::Mark).also(&["tracing::Entered"]),
    Owner::of("tracing::span::EnteredSpan", Is::Mark),
];
