//! The types of libraries that a type names.

use super::path::canonical;
use rvcheck_primitives::{Owner, owner, owners_named};

/// Those that a text names. The compiler leaves out the path of what has a name of its own.
pub(super) fn named_in(text: &str) -> Box<[&'static Owner]> {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | ':' | '#');
    let of_path = |path: &str| match path.rsplit_once("::") {
        Some((_, last)) if owners_named(last).is_empty() => Vec::new(),
        Some(_) => owner(&canonical(path)).into_iter().collect(),
        None => owners_named(path).to_vec(),
    };
    text.split(|it| !is_part(it)).flat_map(|it| of_path(it.trim_matches(':'))).collect()
}
