//! Code that stalls in its tests, each for another reason.

pub mod channels;
pub mod given_up;
pub mod locks;
pub mod others;
