//! The newer of two versions.

use std::sync::RwLock;

/// What is held.
pub struct Held {
    /// More than before.
    pub value: RwLock<u16>,
}

/// Where this is.
pub fn here() -> (&'static str, u32) {
    (file!(), line!())
}
