//! Uses both versions of one crate.

/// From one to the other.
pub fn newer(old: &first::Held) -> second::Held {
    second::Held { value: std::sync::RwLock::new((*old.0.read().unwrap()).into()) }
}
