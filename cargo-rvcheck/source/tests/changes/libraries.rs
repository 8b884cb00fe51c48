//! Another library with the same primitive.

use super::Group;
use ra_ap_syntax::SyntaxNode;

/// What is written for one library, and for another one. All of them or none.
const SWAPS: &[&[(&str, &str)]] = &[
    &[("std::sync::Mutex", "parking_lot::Mutex"), (".lock().unwrap()", ".lock()")],
    &[
        ("std::sync::RwLock", "parking_lot::RwLock"),
        (".read().unwrap()", ".read()"),
        (".write().unwrap()", ".write()"),
    ],
    &[("parking_lot::Mutex", "std::sync::Mutex"), (".lock()", ".lock().unwrap()")],
    &[("tokio::sync::Mutex", "async_lock::Mutex")],
    &[("tokio::sync::RwLock", "async_lock::RwLock")],
    &[("std::sync::mpsc::sync_channel", "crossbeam_channel::bounded"), ("SyncSender", "Sender")],
    &[("use std::sync::mpsc;", "use crossbeam_channel as mpsc;"), ("mpsc::channel(", "mpsc::unbounded(")],
    &[("use std::thread;", "use tokio::task as thread;"), ("thread::spawn(", "thread::spawn_blocking(")],
];

/// The first swap whose every part is in the text.
pub(super) fn another(text: &str, _: &SyntaxNode) -> Vec<Group> {
    let Some(swap) = SWAPS.iter().find(|it| it.iter().all(|(from, _)| text.contains(from))) else {
        return Vec::new();
    };
    let places = swap.iter().flat_map(|(from, to)| {
        text.match_indices(from).map(move |(at, _)| (at..at + from.len(), (*to).to_owned()))
    });
    vec![Group { of: 0..0, edits: places.collect() }]
}
