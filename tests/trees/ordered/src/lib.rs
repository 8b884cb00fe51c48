//! Locks that two threads or tasks take in opposite orders, one after the other. What orders them is unusual.
//! Only in [`unordered`] nothing does.

pub mod atomics;
pub mod counts;
pub mod outside;
pub mod tasks;
pub mod threads;
pub mod unordered;
