//! Why a prediction is believed.

pub mod check;

use crate::history::StepId;

/// A run that ends in a deadlock, made up of steps of the one that was recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The steps, one after another.
    pub steps: Vec<StepId>,
    /// The requests that are made in the end, in this order, and never granted.
    pub asking: Vec<StepId>,
}
