//! Exploration, as far as it is a matter of thought: which schedules a test is run by, what to believe of what goes wrong, and what was
//! covered.
//!
//! Nothing here runs anything or knows the time. A test is run twice by the default order, and what these runs [show](ground) decides
//! whether it can be explored. The choices that there were lead to [directed] schedules; [walks] come after them. Both are dealt in
//! [blocks](block), so that several machines together do what one would. What goes wrong is [shrunk](shrink) and
//! [believed](belief) or not.

pub mod belief;
pub mod block;
pub mod coverage;
pub mod directed;
pub mod ground;
pub mod seed;
pub mod seen;
pub mod shares;
pub mod shrink;
pub mod walks;

#[cfg(test)]
mod simulator;
#[cfg(test)]
mod tests;
