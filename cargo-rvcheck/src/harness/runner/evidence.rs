//! What the recorder knows of the tests of a process that did not come to its end. Lines can be printed by anybody; that a test had not
//! ended stands in the trace.

use crate::harness::children::map;
use crate::harness::run_file::Ran;
use crate::recorded::{End, TestOutcome};
use camino::Utf8Path;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::EventKind;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::TargetKind;
    use crate::project::built::Executable;
    use crate::recorded::{Origin, TestResult};
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
            unwatched: BTreeMap::new(),
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
