//! The property library that comes with the tool.

use super::{Specs, read, thresholds};
use crate::request::ThresholdArgs;

/// The library's properties. A test of the library makes sure that nothing is wrong with them.
pub fn library() -> Specs {
    read(&files())
}

/// The library's files, by name.
pub fn files() -> Vec<(String, String)> {
    files_with(&ThresholdArgs::DEFAULT)
}

/// The same with these thresholds.
pub fn files_with(thresholds: &ThresholdArgs) -> Vec<(String, String)> {
    let file = |it: &rvcheck_specs::Entry| {
        (format!("{}.toml", it.id), thresholds::with(it.id, it.toml, thresholds).into_owned())
    };
    rvcheck_specs::LIBRARY.iter().map(file).collect()
}
