//! Source text from everywhere.

#[path = "../../common/parts.rs"]
pub mod common;
pub mod deep;

include!("included.rs");

/// The file itself.
pub const SELF: &str = include_str!("lib.rs"); pub const RAW: &[u8] = include_bytes!(r"deep/inner/leaf.rs");

/// By its full path.
pub const FULL: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/included.rs"));

/// Not Rust, and outside of the package.
pub const MANIFEST: &str = include_str!("../../Cargo.toml");

/// Awaits, so that the text of this file is not what is compiled.
pub async fn all() -> (u32, &'static str, &'static str) {
    (deep::inner::leaf::leaf().await, deep::odd::odd().await, included().await)
}
