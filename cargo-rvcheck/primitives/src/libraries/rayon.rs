//! `rayon`: a pool of threads, where a worker that waits for the work that it gave away runs other work meanwhile.

use crate::action::Action;
use crate::operation::{Operation, to};
use crate::owner::{Is, Object, Owner};

/// Its modules and types.
pub(super) const OWNERS: &[Owner] = &[
    Owner::module("rayon", Object::Pool).also(&["rayon_core"]).does(&[
        runs("join", 0).arguments(2),
        runs("join_context", 0).arguments(2),
        runs("scope", 0),
        runs("scope_fifo", 0),
        runs("in_place_scope", 0),
        runs("in_place_scope_fifo", 0),
    ]),
    Owner::of("rayon::ThreadPool", Is::Pool).also(&["rayon_core::ThreadPool"]).does(&[
        runs("install", 1),
        runs("join", 1).arguments(2),
        runs("scope", 1),
        runs("scope_fifo", 1),
        runs("in_place_scope", 1),
    ]),
];

/// Runs that argument, of all, and perhaps the one behind it.
const fn runs(name: &'static str, argument: u8) -> Operation {
    to(Action::RunInPool, name).runs(argument)
}
