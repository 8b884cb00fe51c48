//! How tests are explored.

use crate::explore::walks::By;
use std::time::Duration;

/// How tests are explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exploring {
    /// How long in all, if that is limited.
    pub time: Option<Duration>,
    /// By how many schedules each test, if that is limited.
    pub schedules: Option<u64>,
    /// What all randomness comes from.
    pub seed: u64,
    /// The only way in which schedules are chosen, if there is to be only one.
    pub by: Option<By>,
    /// Runs in which something goes wrong are counted, and none is looked into.
    pub counts_only: bool,
    /// Tests that were explored in the same way before go on from there.
    pub resumes: bool,
}
