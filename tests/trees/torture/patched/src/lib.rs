//! Replaces a crate of the registry.

/// Says that this is the one.
pub const PATCHED: u32 = 1;
