//! What macros make of their input, as far as that decides whether something can be inserted there.
//!
//! A macro sees the tokens that stand in the file. Some make text of them, as `stringify!` does, and a `macro_rules!` may
//! choose its arm by them. So nothing is inserted in the input of a macro that is not `known` to pass it on as code, nor
//! found to do so where the workspace defines it. Where an assertion shows its condition, the text that it would show
//! plainly is put back, if it is known for sure.

mod asserted;
mod hidden;
mod known;
mod own;

pub(crate) use hidden::{Hidden, Restored};
pub use own::{Defined, OwnMacros, definitions};
