//! What is put into the build of the user's program: the recorder, the shims for std and tokio, and the rewritten
//! sources.

pub mod compiler;
pub mod core;
pub mod enforcement;
pub mod groups;
pub mod libraries;
pub mod macros;
pub mod member_file;
pub mod observed;
pub mod overlay;
pub mod probe;
pub mod rewriting;
pub mod shaping;
pub mod shim;
pub mod shortfall;
pub mod test_modules;
