//! The adapters, a file for each sort of value.

mod collections;
mod elsewhere;
mod futures;
mod iterators;
mod options;
mod pointers;
mod results;

use crate::adapter::Adapter;

/// All of them.
pub(crate) const ALL: &[&[Adapter]] = &[
    collections::ROWS,
    elsewhere::ROWS,
    futures::ROWS,
    iterators::ROWS,
    options::ROWS,
    pointers::ROWS,
    results::ROWS,
];
