#[path = "deeper.txt.rs"]
pub mod odd;

pub mod inner {
    pub mod leaf;
}

/// A file that is a module of the crate, and a text as well.
pub const LEAF: &str = include_str!("inner/leaf.rs");
