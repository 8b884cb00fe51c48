//! A reader of news whose window has a button that removes a feed.
//!
//! The removal is a task of the toolkit, which may be executed only once.

pub mod remover;
pub mod toolkit;
