//! `futures_util::task`.

pub use real::task::*;

mod spawn;

pub use spawn::{LocalSpawnExt, SpawnExt};
