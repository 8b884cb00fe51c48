//! Rust source to sites and edits, without any input or output.
//!
//! Text comes in and values go out: where something of interest [happens](sites), what to [insert](rewrite) so that
//! it is noticed, where a [position] in the rewritten text was before, which [item](items) encloses it, which parts
//! are [tests], and what the user has [allowed](suppression). What the compiler makes of it is read from its [MIR](mir). No text makes any of it fail: what cannot be read is
//! passed over, and what is left out on purpose is returned with a reason.
//!
//! Almost everything works on tokens, so that it sees into macros. The syntax tree gives the frame:
//! which items enclose a place.

mod allocator;
pub mod atomics;
pub mod blocking;
pub mod body;
mod call;
pub mod callee;
pub mod conditions;
mod constant;
pub mod crate_root;
pub mod delivery;
pub mod edit;
pub mod edition;
pub mod ended;
pub mod facts;
pub mod fixes;
mod hoist;
mod imports;
mod includes;
pub mod items;
pub mod lines;
pub mod macros;
pub mod marker;
pub mod mir;
pub mod modules;
pub mod observe;
mod outline;
pub mod position;
pub mod program;
pub mod residual;
pub mod rewrite;
mod role;
pub mod rules;
pub mod sites;
pub mod suppression;
pub mod telling;
pub mod tests;
mod token;
pub mod ty;
