//! The property library that comes with the tool.

use super::{Specs, read};

/// The library's properties. A test of the library makes sure that nothing is wrong with them.
pub fn library() -> Specs {
    read(&files())
}

/// The library's files, by name.
pub fn files() -> Vec<(String, String)> {
    rvcheck_specs::LIBRARY.iter().map(|it| (format!("{}.toml", it.id), it.toml.to_owned())).collect()
}
