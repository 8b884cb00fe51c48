//! `once_cell::sync`. A cell counts as a lock that is held while its initialiser runs.

mod cell;
mod lazy;

pub use real::sync::*;

pub use cell::OnceCell;
pub use lazy::Lazy;
