//! Which code of others a function of std or of another crate runs, and what is in values of their types.

mod call_effect;
pub mod functions;
mod names;
pub mod types;

pub use call_effect::{CallEffect, call_effect, call_effect_of_std, has_lock_inside, wakes};
