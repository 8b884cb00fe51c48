//! Which tests came to a standstill, so that their process was ended.

use crate::harness::run_file::Ran;
use crate::harness::standstill::Stalled;
use crate::recorded::{TestOutcome, TestResult};

impl Ran {
    /// Notes the tests that came to a standstill. They are not tried again: they would do so again.
    pub(super) fn note_stalled(&mut self, stalled: &Stalled) {
        if self.only.is_none() && stalled.tests.is_empty() {
            // The trace does not say which; the harness does, where it runs one test after another.
            let open = self.tests.iter_mut().filter(|it| it.outcome == TestOutcome::Unfinished);
            open.for_each(|it| it.outcome = TestOutcome::Stalled);
            return;
        }
        let names: Vec<String> = match &self.only {
            Some(only) => vec![only.clone()],
            None => stalled.tests.iter().cloned().collect(),
        };
        for name in names {
            match self.tests.iter_mut().find(|it| it.name == name) {
                Some(test) if test.outcome == TestOutcome::Unfinished => test.outcome = TestOutcome::Stalled,
                // It has ended after all.
                Some(_) => {}
                // The harness names a test only when it is over.
                None => {
                    self.tests.push(TestResult { name, outcome: TestOutcome::Stalled, should_panic: false });
                }
            }
        }
    }
}
