//! Code that stands still in its tests, each in another way.

pub mod channels;
pub mod given_up;
pub mod locks;
pub mod others;
