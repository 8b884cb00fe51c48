//! Formulas that are checked while the program runs.

use core::panic::Location;

use super::protocol::Annotation;
use super::sink;

/// A formula that is about to be checked, with its options. [`crate::check`] is the short way.
///
/// ```
/// use rvcheck_runtime::Check;
///
/// Check::new("greeted", "F event hello()").replay_tail(true).start();
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "it is checked from `start` on"]
pub struct Check<'a> {
    name: &'a str,
    formula: &'a str,
    replay_tail: bool,
}

impl<'a> Check<'a> {
    /// The formula under this name, from where it is started on.
    #[inline(always)]
    pub fn new(name: &'a str, formula: &'a str) -> Check<'a> {
        Check { name, formula, replay_tail: false }
    }

    /// Whether the trace of the property also has what was recorded before, from the beginning of the test. The report then says
    /// that the verdict is one *since the tail*.
    #[inline(always)]
    pub fn replay_tail(self, replay_tail: bool) -> Check<'a> {
        Check { replay_tail, ..self }
    }

    /// Begins to check.
    #[inline(always)]
    #[track_caller]
    pub fn start(self) {
        let annotation = if self.replay_tail { Annotation::CheckTail } else { Annotation::Check };
        sink::record(annotation, self.name, &self.formula, Location::caller());
    }
}
