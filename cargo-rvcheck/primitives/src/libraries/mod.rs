//! The libraries, a file each.

mod arc_swap;
mod async_channel;
mod async_lock;
mod crossbeam_channel;
mod crossbeam_utils;
mod dashmap;
mod event_listener;
mod executors;
mod flume;
mod futures_channel;
mod futures_executor;
mod futures_util;
mod lock_api;
mod once_cell;
mod parking;
mod parking_lot;
mod rayon;
mod spin;
mod std;
mod tokio;
mod tokio_stream;
mod tokio_util;
mod tracing;

use crate::owner::Owner;

/// A library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Library {
    /// The name of its crate.
    pub name: &'static str,
    /// Its types and modules.
    pub owners: &'static [Owner],
}

const fn library(name: &'static str, owners: &'static [Owner]) -> Library {
    Library { name, owners }
}

/// Modules of crates through which items of others are seen, with the paths that these have in the one form.
pub const SEEN_THROUGH: &[(&str, &str)] = &[
    ("futures::lock::", "futures_util::lock::"),
    ("futures::executor::", "futures_executor::"),
    ("futures::channel::", "futures_channel::"),
    ("std::sync::poison::", "std::sync::"),
    ("parking_lot::Arc", "lock_api::Arc"),
    ("dashmap::Entry", "dashmap::mapref::entry::Entry"),
    ("dashmap::OccupiedEntry", "dashmap::mapref::entry::OccupiedEntry"),
    ("dashmap::VacantEntry", "dashmap::mapref::entry::VacantEntry"),
];

/// Modules of crates that have traits alone: what is brought in by `*` names no types.
pub const OF_TRAITS: &[&str] = &["rayon::prelude", "futures::prelude", "futures_util::prelude", "itertools"];

/// All libraries.
pub const fn all() -> &'static [Library] {
    ALL
}

const ALL: &[Library] = &[
    library("arc_swap", arc_swap::OWNERS),
    library("async_channel", async_channel::OWNERS),
    library("async_lock", async_lock::OWNERS),
    library("crossbeam_channel", crossbeam_channel::OWNERS),
    library("crossbeam_utils", crossbeam_utils::OWNERS),
    library("dashmap", dashmap::OWNERS),
    library("event_listener", event_listener::OWNERS),
    library("executors", executors::OWNERS),
    library("flume", flume::OWNERS),
    library("futures_channel", futures_channel::OWNERS),
    library("futures_executor", futures_executor::OWNERS),
    library("futures_util", futures_util::OWNERS),
    library("lock_api", lock_api::OWNERS),
    library("once_cell", once_cell::OWNERS),
    library("parking", parking::OWNERS),
    library("parking_lot", parking_lot::OWNERS),
    library("rayon", rayon::OWNERS),
    library("spin", spin::OWNERS),
    library("std", std::OWNERS),
    library("tokio", tokio::OWNERS),
    library("tokio_stream", tokio_stream::OWNERS),
    library("tokio_util", tokio_util::OWNERS),
    library("tracing", tracing::OWNERS),
];
