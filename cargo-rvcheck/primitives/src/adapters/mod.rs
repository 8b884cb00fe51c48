//! The adapters, a file for each sort of value.

mod collections;
mod elsewhere;
mod futures;
mod iterators;
mod options;
mod pointers;
mod results;

use crate::adapter::Rows;

/// All of them.
pub(crate) const ALL: &[&[Rows]] = &[
    collections::ROWS,
    elsewhere::ROWS,
    futures::ROWS,
    iterators::ROWS,
    options::ROWS,
    pointers::ROWS,
    results::ROWS,
];
