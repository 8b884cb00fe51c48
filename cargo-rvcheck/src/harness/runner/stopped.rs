//! Which tests a property has stopped: its own monitors inside the program say so in the trace.

use super::ExecutableRun;
use crate::harness::children::map;
use crate::harness::run_file::Ran;
use crate::recorded::{TestOutcome, TestResult};
use camino::Utf8Path;
use rvcheck_event::names::Stop;
use rvcheck_event::trace::read;
use std::collections::BTreeMap;

/// What was stopped in a process.
#[derive(Debug, Default)]
pub(super) struct Stopped {
    /// Anything at all.
    any: bool,
    /// The tests, as the recorder names them; and whether the process was ended for it.
    tests: BTreeMap<String, bool>,
}

impl Stopped {
    fn of(trace: &Utf8Path) -> Stopped {
        let Some(bytes) = map(trace) else { return Stopped::default() };
        let Ok(trace) = read::read(&bytes) else { return Stopped::default() };
        let names = trace.names();
        let named = |it: &Stop| Some((names.text(names.unit(it.unit)?).to_owned(), it.ended));
        Stopped { any: !names.stops().is_empty(), tests: names.stops().iter().filter_map(named).collect() }
    }

    fn names(&self, test: &TestResult, ran: &Ran) -> bool {
        if ran.only.is_some() { self.any } else { self.tests.contains_key(&test.name) }
    }
}

impl ExecutableRun<'_> {
    /// Notes the tests that did not pass because a property stopped them. They are not tried again: they would fail again.
    pub(super) fn note_stopped(&self, ran: &mut Ran) {
        let Some(trace) = ran.trace.as_ref().filter(|_| self.orders.enforcement.is_some()) else { return };
        let stopped = Stopped::of(trace);
        let mut tests = std::mem::take(&mut ran.tests);
        for test in &mut tests {
            if matches!(test.outcome, TestOutcome::Failed | TestOutcome::Unfinished)
                && stopped.names(test, ran)
            {
                test.outcome = TestOutcome::Stopped;
            }
        }
        // The harness had no time to say anything of a test that ended the process.
        let unnamed =
            |name: &String| ran.only.is_none() && ran.libtest && tests.iter().all(|it| it.name != *name);
        let ended = stopped.tests.iter().filter(|(_, ended)| **ended).map(|(name, _)| name.clone());
        let missing: Vec<String> = ended.filter(unnamed).collect();
        tests.extend(missing.into_iter().map(|name| TestResult {
            name,
            outcome: TestOutcome::Stopped,
            should_panic: false,
        }));
        ran.tests = tests;
    }
}
