//! Code that stands still in its tests, each in another way.

pub mod channels;
pub mod locks;
pub mod others;
