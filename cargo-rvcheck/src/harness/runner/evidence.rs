//! What is known of the tests of a process that did not come to its end: they were left open, a property stopped them, or they came to
//! a stall. Lines can be printed by anybody; all this stands in the trace.

use super::ExecutableRun;
use crate::harness::children::map;
use crate::harness::run_file::Ran;
use crate::harness::watchdog::Stalled;
use crate::recorded::{End, TestOutcome, TestResult};
use camino::Utf8Path;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::EventKind;
use rvcheck_event::names::Stop;
use rvcheck_event::trace::{merge, read};
use std::collections::BTreeMap;

impl Ran {
    /// Takes for unfinished what had not ended when the process did: tests whose units are open, and the last one that was named,
    /// unless its unit says that it had ended. A thread that ends the process by `exit` ends its unit on the way.
    pub(super) fn doubt_open(&mut self) {
        let ended = self.trace.as_deref().and_then(units).unwrap_or_default();
        let last = self.tests.len().saturating_sub(1);
        let by_exit = matches!(self.end, End::Exited(_));
        for (at, test) in self.tests.iter_mut().enumerate() {
            let is_last = at == last;
            let has_ended = ended.get(&test.name).map_or(!is_last, |ended| *ended && !(is_last && by_exit));
            if !has_ended && matches!(test.outcome, TestOutcome::Passed | TestOutcome::Failed) {
                test.outcome = TestOutcome::Unfinished;
            }
        }
    }

    /// Notes the tests that stalled. They are not tried again: they would do so again.
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

/// The units of a trace by name, and whether they have ended.
fn units(path: &Utf8Path) -> Option<BTreeMap<String, bool>> {
    let map = map(path)?;
    let trace = read::read(&map).ok()?;
    let mut ended: BTreeMap<UnitId, bool> = BTreeMap::new();
    for event in merge::events(&trace) {
        match event.kind {
            EventKind::TestBegin => _ = ended.entry(event.unit).or_insert(false),
            EventKind::TestEnd => _ = ended.insert(event.unit, true),
            _ => {}
        }
    }
    let names = trace.names();
    let named = |(unit, ended): (UnitId, bool)| Some((names.text(names.unit(unit)?).to_owned(), ended));
    Some(ended.into_iter().filter_map(named).collect())
}

/// What was stopped in a process.
#[derive(Debug, Default)]
struct Stopped {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::TargetKind;
    use crate::project::built::Executable;
    use crate::recorded::Origin;
    use TestOutcome::{Passed, Unfinished};
    use camino::Utf8PathBuf;
    use rvcheck_event::trace::write::TraceBuilder;
    use std::collections::BTreeSet;

    /// What is left of the tests `a`, `b` and `c`, which all seem to have passed, in a process of which the units `a` and `b` are
    /// known.
    fn left(end: End, a_ends: bool, b_ends: bool) -> Vec<TestOutcome> {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let path = Utf8PathBuf::from_path_buf(folder.path().join("p1.rvt")).expect("its name is Unicode");
        let mut trace = TraceBuilder::new();
        for (number, (name, ends)) in [("a", a_ends), ("b", b_ends)].into_iter().enumerate() {
            let thread = trace.test(name);
            if ends {
                let unit = UnitId(number as u32 + 1);
                trace.end_test(thread, unit, rvcheck_event::kind::TestOutcome::Unknown);
            }
        }
        std::fs::write(&path, trace.build()).expect("it can be written");
        let passed = |name: &str| TestResult { name: name.to_owned(), outcome: Passed, should_panic: false };
        let mut ran = Ran {
            executable: Executable { package: "/shop".into(), kind: TargetKind::Test, target: "it".into() },
            libtest: true,
            command: Vec::new(),
            end,
            tests: ["a", "b"].map(passed).into(),
            unnamed: 0,
            origin: Origin::Tool,
            only: None,
            function: None,
            compiled: BTreeSet::new(),
            unmonitored: BTreeMap::new(),
            trace: Some(path),
            schedule: None,
            seconds: 0.0,
        };
        ran.doubt_open();
        ran.tests.iter().map(|it| it.outcome).collect()
    }

    #[test]
    fn a_test_whose_unit_is_open_has_not_passed_whatever_a_line_says() {
        assert_eq!(left(End::Signalled(6), false, true), [Unfinished, Passed]);
        assert_eq!(left(End::Signalled(6), true, false), [Passed, Unfinished]);
        assert_eq!(left(End::Signalled(6), true, true), [Passed, Passed]);
    }

    #[test]
    fn the_last_test_of_a_process_that_exits_may_have_done_so() {
        assert_eq!(left(End::Exited(3), true, true), [Passed, Unfinished]);
    }
}
