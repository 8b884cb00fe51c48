//! Units: which test the events of a process belong to, how that test ended, and what a report calls it.

use crate::again::Again;
use crate::recorded::{
    DOCUMENTATION, End, Origin, Process, Recorded, TestOutcome, TestResult, documented_at,
};
use crate::report::Undecided;
use camino::Utf8Path;
use std::collections::{BTreeMap, BTreeSet};

/// The status of a program whose main function panicked.
const PANICKED: i32 = 101;

/// The unit of whatever belongs to no test, as reports name it.
pub(super) const PROCESS: &str = "process";

/// How a unit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ending {
    /// As it should: its trace is the whole of it.
    Normal,
    /// By a panic, as it should. Whatever it has touched and not violated so far is undecided, if more could have decided it.
    Panicked,
    /// By a failure, a kill, or nobody knows how. Whatever was not violated so far is undecided.
    Abnormal,
}

/// The units of one process.
pub(super) struct Units<'a> {
    process: &'a Process,
    /// What a command line that runs it again has to keep.
    again: Again,
    /// `<package>::`, or nothing in a workspace of one package.
    prefix: String,
    tests: BTreeMap<&'a str, &'a TestResult>,
}

impl<'a> Units<'a> {
    pub(super) fn new(process: &'a Process, packages: &BTreeSet<&str>) -> Units<'a> {
        let prefix = if packages.len() > 1 { format!("{}::", process.package) } else { String::new() };
        let tests = process.tests.iter().map(|test| (test.name.as_str(), test)).collect();
        Units { process, again: Again::default(), prefix, tests }
    }

    /// The same units, which this has to be kept for to run them again.
    pub(super) fn again_by(self, again: &Again) -> Units<'a> {
        Units { again: again.clone(), ..self }
    }

    /// The test that a unit of the recorder's is, if it is one. A thread whose name libtest does not know is none, unless
    /// the process was stopped before libtest could say so. In a process that is for one test everything is that test's.
    pub(super) fn test<'n>(&'n self, recorded: &'n str) -> Option<&'n str> {
        if let Some(only) = &self.process.only {
            return Some(only);
        }
        let known = self.tests.contains_key(recorded) || !self.orderly();
        (self.process.libtest && !recorded.is_empty() && known).then_some(recorded)
    }

    /// The package whose target the process is.
    pub(super) fn package(&self) -> &'a str {
        &self.process.package
    }

    /// What reports call the test: `<target>::<path>`.
    pub(super) fn name(&self, test: &str) -> String {
        if self.process.origin == Origin::Trace {
            return test.to_owned();
        }
        format!("{}{}::{test}", self.prefix, self.process.target)
    }

    /// How the test ended.
    pub(super) fn ending(&self, test: &str) -> Ending {
        match self.tests.get(test) {
            Some(it) if it.outcome == TestOutcome::Passed => {
                if it.should_panic {
                    Ending::Panicked
                } else {
                    Ending::Normal
                }
            }
            None if self.process.origin == Origin::Process || !self.process.libtest => self.process_ending(),
            _ => Ending::Abnormal,
        }
    }

    /// How the process as a whole ended. A test program without a harness ends as its one result says.
    pub(super) fn process_ending(&self) -> Ending {
        if self.process.origin == Origin::Process {
            return if self.process.end == End::Orderly { Ending::Normal } else { Ending::Abnormal };
        }
        let fine = |it: &&TestResult| matches!(it.outcome, TestOutcome::Passed | TestOutcome::Ignored);
        let failed = !self.process.libtest && !self.tests.values().all(fine);
        if self.orderly() && !failed { Ending::Normal } else { Ending::Abnormal }
    }

    /// How a unit ended, by the recorder's name for it.
    pub(super) fn ending_of(&self, recorded: &str) -> Ending {
        self.test(recorded).map_or_else(|| self.process_ending(), |test| self.ending(test))
    }

    /// The tests of a harness that ran, whether they left events or not, as the recorder names them.
    pub(super) fn ran(&self) -> impl Iterator<Item = &'a str> + '_ {
        let ran = self.tests.iter().filter(|(_, it)| it.outcome != TestOutcome::Ignored);
        ran.filter(|_| self.process.libtest).map(|(name, _)| *name)
    }

    /// The units that this process has whether they left events or not, by the names of reports: the tests of a harness, the one
    /// test that it is for, or the process itself. What another process has started has none of its own.
    pub(super) fn own(&self) -> Vec<(String, Ending)> {
        if self.process.origin == Origin::Process {
            Vec::new()
        } else if self.process.libtest {
            self.ran().map(|test| (self.name(test), self.ending(test))).collect()
        } else {
            let name = self.process.only.as_ref().map_or_else(|| PROCESS.to_owned(), |test| self.name(test));
            vec![(name, self.process_ending())]
        }
    }

    /// The unit of all events of the process, by the name of reports.
    pub(super) fn whole(&self) -> (String, Ending) {
        (PROCESS.to_owned(), self.process_ending())
    }

    /// The tests that did not come to their end as they should, so that what they would have shown is not known.
    pub(super) fn undecided_tests(&self) -> impl Iterator<Item = Undecided> + '_ {
        self.tests.iter().filter_map(|(test, result)| {
            let what = match result.outcome {
                TestOutcome::Passed | TestOutcome::Ignored => return None,
                TestOutcome::FailedPlainly => "fails without rvcheck too",
                TestOutcome::FailedUnderTool => "fails under rvcheck every time, and never without it",
                TestOutcome::Flaky => "is flaky: it failed, and passed when it was run again",
                TestOutcome::Failed if self.process.origin == Origin::Trace => "panicked",
                TestOutcome::Failed => "failed",
                TestOutcome::Stopped => "was stopped where a property was violated",
                TestOutcome::Stalled => "stalled and was ended",
                TestOutcome::Unfinished => "did not finish",
            };
            let test = self.name(test);
            let fails_anyway = matches!(result.outcome, TestOutcome::Flaky | TestOutcome::FailedPlainly);
            Some(Undecided { reason: format!("`{test}` {what}"), test, fails_anyway })
        })
    }

    /// It is only the frame of units, so that what belongs to none of them counts only if something happened.
    pub(super) fn is_frame(&self) -> bool {
        self.process.libtest || self.process.origin == Origin::Process
    }

    /// There is nothing in it to record: it is a harness in which no test ran, or rustdoc.
    pub(super) fn is_idle(&self) -> bool {
        self.process.origin == Origin::Cargo || (self.process.libtest && self.ran().next().is_none())
    }

    /// It is a program that was run and has come to its end by itself, and not the frame of tests.
    pub(super) fn is_program(&self) -> bool {
        let is_alone = !self.is_frame() && !self.is_replayed() && self.process.only.is_none();
        is_alone && matches!(self.process.end, End::Exited(0) | End::Orderly)
    }

    /// The process did not come to its own end, so that it may have waited for something.
    pub(super) fn was_cut(&self) -> bool {
        matches!(self.process.end, End::Signalled(_) | End::TimedOut | End::Hung | End::Unfinished)
    }

    /// The process did not come to its own end, and no other one runs again what was cut in it, as is done for tests.
    pub(super) fn was_cut_for_good(&self) -> bool {
        self.was_cut() && !self.process.libtest
    }

    /// The test was ended because nothing went on in it; without one, the process was.
    pub(super) fn is_stalled(&self, test: Option<&str>) -> bool {
        let stalled = |it: &&TestResult| it.outcome == TestOutcome::Stalled;
        match test {
            Some(test) => self.tests.get(test).is_some_and(stalled),
            None => !self.process.libtest && matches!(self.process.end, End::TimedOut | End::Hung),
        }
    }

    /// It is certain that nobody in it could go on: whoever controlled it knows everybody.
    pub(super) fn hung(&self) -> bool {
        self.process.end == End::Hung
    }

    /// It was for a doctest.
    pub(super) fn is_documentation(&self) -> bool {
        self.process.select == DOCUMENTATION
    }

    /// Its trace is all there is.
    pub(super) fn is_replayed(&self) -> bool {
        self.process.origin == Origin::Trace
    }

    /// The file and the line of the one doctest that it was for, where that is known.
    pub(super) fn documented_at(&self) -> Option<(&'a str, u32)> {
        self.process.only.as_deref().and_then(documented_at)
    }

    /// It may still run, and change its trace.
    pub(super) fn may_run(&self) -> bool {
        self.process.end == End::Unfinished
    }

    /// Its trace, if it recorded any.
    pub(super) fn trace(&self) -> Option<&'a Utf8Path> {
        self.process.trace.as_deref()
    }

    /// What runs, or the trace where that is all there is.
    pub(super) fn target(&self) -> &'a str {
        &self.process.target
    }

    /// What notes call the process.
    pub(super) fn label(&self) -> String {
        let target = format!("{}{}", self.prefix, self.process.target);
        if self.process.origin != Origin::Process {
            return format!("`{target}`");
        }
        let program = self.process.command.first().map_or("", String::as_str);
        let program = Utf8Path::new(program).file_name().unwrap_or(program);
        let starter = self.process.only.as_ref().map_or(target, |test| self.name(test));
        format!("`{program}`, started by `{starter}`,")
    }

    /// How it ended, after its label.
    pub(super) fn end(&self) -> String {
        match self.process.end {
            End::Exited(code) => format!("ended with status {code} before all of its tests had"),
            End::Signalled(signal) => format!("was ended by signal {signal}"),
            End::TimedOut | End::Hung => "stalled and was ended".to_owned(),
            End::Orderly => "ended".to_owned(),
            End::Unfinished => "was killed, or was still running when the run ended".to_owned(),
        }
    }

    /// The process came to its own end. A harness has then reported all of its tests; any other program may end with
    /// what status it likes, but not by a panic.
    pub(super) fn orderly(&self) -> bool {
        match self.process.end {
            _ if self.process.origin == Origin::Process => true,
            End::Exited(_) if self.process.libtest => {
                !self.tests.values().any(|it| it.outcome == TestOutcome::Unfinished)
            }
            End::Exited(code) => code != PANICKED,
            End::Orderly => true,
            End::Signalled(_) | End::TimedOut | End::Hung | End::Unfinished => false,
        }
    }

    /// The command line that runs this test again; the whole process without one.
    pub(super) fn again(&self, test: Option<&str>) -> String {
        let process = self.process;
        if process.origin == Origin::Trace {
            return process.command.join(" ");
        }
        let is_named = self.again.names_package || !self.prefix.is_empty();
        let command = |subcommand| self.again.command(subcommand, is_named.then_some(&*process.package));
        let select = if process.select.is_empty() { String::new() } else { format!(" {}", process.select) };
        match test {
            Some(test) if process.select == DOCUMENTATION => {
                // Rustdoc splits what it is given at spaces, so only the item can be named.
                let item = test.split_once(" - ").and_then(|(_, rest)| rest.split_once(" (line "));
                let item = item.map_or("", |(item, _)| item);
                format!("{}{select} {item}", command("test")).trim_end().to_owned()
            }
            Some(test) if process.libtest => {
                format!("{}{select} -- --exact {test}", command("test"))
            }
            Some(_) => format!("{}{select}", command("test")),
            None if process.libtest => format!("{}{select}", command("test")),
            None => format!("{}{select}", command("run")),
        }
    }
}

/// The packages whose members are monitored.
pub(super) fn packages(recorded: &Recorded) -> BTreeSet<&str> {
    recorded.sources.iter().map(|file| file.package.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(end: End, tests: &[(&str, TestOutcome)]) -> Process {
        Process {
            package: "shop".into(),
            target: "it".into(),
            select: "--test it".into(),
            libtest: true,
            origin: Origin::Tool,
            only: None,
            command: Vec::new(),
            end,
            tests: tests
                .iter()
                .map(|(name, outcome)| TestResult {
                    name: (*name).into(),
                    outcome: *outcome,
                    should_panic: false,
                })
                .collect(),
            trace: None,
            seconds: 0.0,
        }
    }

    #[test]
    fn the_package_is_named_only_where_there_are_several() {
        let process = process(End::Exited(0), &[("books::balance", TestOutcome::Passed)]);
        let one = Units::new(&process, &BTreeSet::from(["shop"]));
        assert_eq!(one.name("books::balance"), "it::books::balance");
        assert_eq!(
            one.again(Some("books::balance")),
            "cargo rvcheck test --test it -- --exact books::balance"
        );
        let two = Units::new(&process, &BTreeSet::from(["shop", "till"]));
        assert_eq!(two.name("books::balance"), "shop::it::books::balance");
        assert_eq!(two.again(None), "cargo rvcheck test -p shop --test it");
    }

    #[test]
    fn only_a_test_that_passed_ended_normally() {
        let outcomes = [
            (TestOutcome::Passed, Ending::Normal),
            (TestOutcome::Failed, Ending::Abnormal),
            (TestOutcome::FailedPlainly, Ending::Abnormal),
            (TestOutcome::FailedUnderTool, Ending::Abnormal),
            (TestOutcome::Flaky, Ending::Abnormal),
            (TestOutcome::Unfinished, Ending::Abnormal),
        ];
        for (outcome, ending) in outcomes {
            let process = process(End::Exited(101), &[("a", outcome)]);
            assert_eq!(Units::new(&process, &BTreeSet::new()).ending("a"), ending, "{outcome:?}");
        }
        let mut panicking = process(End::Exited(0), &[("a", TestOutcome::Passed)]);
        panicking.tests[0].should_panic = true;
        assert_eq!(Units::new(&panicking, &BTreeSet::new()).ending("a"), Ending::Panicked);
    }

    #[test]
    fn a_test_program_without_a_harness_ends_as_its_one_result_says() {
        let failed = process(End::Exited(1), &[("main", TestOutcome::FailedPlainly)]);
        let program = Process { libtest: false, ..failed };
        let units = Units::new(&program, &BTreeSet::new());
        assert_eq!(units.process_ending(), Ending::Abnormal);
        assert_eq!(units.ran().count(), 0);
    }

    #[test]
    fn a_thread_that_libtest_does_not_know_is_a_test_only_if_the_process_was_stopped() {
        let ended = process(End::Exited(0), &[("a", TestOutcome::Passed)]);
        let killed = process(End::Signalled(9), &[("a", TestOutcome::Passed)]);
        assert_eq!(Units::new(&ended, &BTreeSet::new()).test("worker"), None);
        assert_eq!(Units::new(&ended, &BTreeSet::new()).test("a"), Some("a"));
        assert_eq!(Units::new(&killed, &BTreeSet::new()).test("worker"), Some("worker"));
    }

    #[test]
    fn a_process_with_failed_tests_came_to_its_own_end() {
        let failed = process(End::Exited(101), &[("a", TestOutcome::Failed)]);
        assert_eq!(Units::new(&failed, &BTreeSet::new()).process_ending(), Ending::Normal);
        let cut = process(End::Exited(101), &[("a", TestOutcome::Unfinished)]);
        assert_eq!(Units::new(&cut, &BTreeSet::new()).process_ending(), Ending::Abnormal);
        for (status, ending) in [(0, Ending::Normal), (1, Ending::Normal), (101, Ending::Abnormal)] {
            let program = Process { libtest: false, ..process(End::Exited(status), &[]) };
            assert_eq!(Units::new(&program, &BTreeSet::new()).process_ending(), ending, "{status}");
        }
    }
}
