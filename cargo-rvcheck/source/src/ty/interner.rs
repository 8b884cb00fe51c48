//! The types that there are, by their texts.

use super::{Node, Ty};
use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

/// They live as long as the process: it reads the types of one build, and these repeat.
static TYPES: LazyLock<RwLock<HashMap<&'static str, Ty>>> = LazyLock::new(RwLock::default);

/// The type of a text.
pub(super) fn interned(text: &str) -> Ty {
    let text = text.trim();
    if text.is_empty() {
        return Ty::default();
    }
    known(text).unwrap_or_else(|| add(text, || String::leak(text.to_owned())))
}

/// The type of a part of another type's text.
pub(super) fn interned_part(text: &'static str) -> Ty {
    let text = text.trim();
    if text.is_empty() {
        return Ty::default();
    }
    known(text).unwrap_or_else(|| add(text, || text))
}

fn known(text: &str) -> Option<Ty> {
    TYPES.read().unwrap_or_else(PoisonError::into_inner).get(text).copied()
}

fn add(text: &str, kept: impl FnOnce() -> &'static str) -> Ty {
    let mut all = TYPES.write().unwrap_or_else(PoisonError::into_inner);
    // Somebody else may have added it meanwhile.
    if let Some(it) = all.get(text) {
        return *it;
    }
    let text = kept();
    let it = Ty(Box::leak(Box::new(Node::new(text))));
    all.insert(text, it);
    it
}
