//! Which code of others a function of std or of another crate runs, and what is in values of their types.

mod deed;
pub mod functions;
mod names;
pub mod types;

pub use deed::{Deed, deed, deed_of_std, has_lock_inside, wakes};
