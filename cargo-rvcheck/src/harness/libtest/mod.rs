//! What a test executable says about its tests, read from the lines that it prints for people.
//!
//! Tests print to the same place: a child that inherits standard output may even be a test executable itself. So a line counts only
//! if it is exactly one of libtest's, and what the last lines say counts only if the number of tests in them is the one that was
//! announced and the status of the process agrees. Of a process that came to no such end a test has ended only if its line says so
//! and nothing speaks against it.

mod line;

use crate::recorded::{End, TestOutcome, TestResult};
use anstream::adapter::strip_str;
use line::{Line, bare};
use std::collections::{BTreeMap, BTreeSet};

/// The status of a harness of which a test has failed.
const FAILED: i32 = 101;

/// The output of a test executable, taken in line by line.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    tests: Vec<Seen>,
    index: BTreeMap<String, usize>,
    /// How many tests each run was about to run.
    announced: Vec<u64>,
    /// How each run has ended.
    endings: Vec<Ending>,
    /// All tests have run: what they have printed follows, and which of them have failed.
    details: Option<Details>,
}

/// What the harness prints after all tests have run.
#[derive(Clone, Debug, Default)]
struct Details {
    is_of_failures: bool,
    /// The names in the list of failures, so far.
    failures: BTreeSet<String>,
}

/// The end of a run.
#[derive(Clone, Debug)]
struct Ending {
    summary: Summary,
    failures: BTreeSet<String>,
}

/// What a line has told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// So many tests are about to run.
    Announced(u64),
    /// This test has begun.
    Begun(String),
    /// A test has ended.
    Ended(TestResult),
}

/// A test of which at least the beginning of its line was seen.
#[derive(Clone, Debug)]
struct Seen {
    name: String,
    should_panic: bool,
    claim: Claim,
}

/// What lines say of the end of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    /// Nothing yet, or nothing that could be told from what the test has printed.
    Nothing,
    /// It ended so.
    Outcome(TestOutcome),
    /// They contradict each other.
    Doubtful,
}

impl Claim {
    fn and(self, other: Claim) -> Claim {
        match (self, other) {
            (Claim::Nothing, it) | (it, Claim::Nothing) => it,
            (a, b) if a == b => a,
            _ => Claim::Doubtful,
        }
    }
}

/// The last line: `test result: ok. 3 passed; 0 failed; …`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many tests passed.
    pub passed: u64,
    /// How many tests failed.
    pub failed: u64,
    /// How many tests were not run.
    pub ignored: u64,
    /// How many benchmarks were measured.
    pub measured: u64,
}

impl Summary {
    fn total(self) -> u64 {
        self.passed + self.failed + self.ignored + self.measured
    }
}

/// Whose output it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Harness {
    /// A test executable's, which runs its tests once.
    Libtest,
    /// Rustdoc's, which may run several executables, one after another.
    Rustdoc,
}

/// What is known of the tests of a process that is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// The tests in the order in which they were seen.
    pub tests: Vec<TestResult>,
    /// Every test that was to run has ended, or there was nothing to run.
    pub complete: bool,
    /// How many tests have run that no line has named, because the user asked for a shorter form or because tests have printed into
    /// the lines.
    pub unnamed: u64,
    /// Some names may be of no test, or it is not known which tests were not run: only a list of the tests can tell.
    pub needs_list: bool,
}

impl Transcript {
    /// Takes in one line, without its end; what it has told.
    pub fn line(&mut self, line: &str) -> Option<Heard> {
        let plain = strip_str(line.trim_end_matches('\r')).to_string();
        match line::read(&plain) {
            Line::Announced(count) => {
                self.announced.push(count);
                self.details = None;
                return Some(Heard::Announced(count));
            }
            Line::Ended(summary) => {
                let details = self.details.take().unwrap_or_default();
                self.endings.push(Ending { summary, failures: details.failures });
            }
            Line::Details { failures } => {
                self.details = Some(Details { is_of_failures: failures, failures: BTreeSet::new() });
            }
            Line::Item(name) => {
                if let Some(details) = self.details.as_mut().filter(|it| it.is_of_failures) {
                    details.failures.insert(name.to_owned());
                }
            }
            // What failed tests have printed may look like anything.
            Line::Test { name, should_panic, outcome } if self.details.is_none() => {
                return self.test(name, should_panic, outcome);
            }
            Line::EndsInOutcome if self.details.is_none() => {
                // With one thread the end of a test's line comes after what it has printed, and that may be like an end itself.
                if let Some(last) = self.tests.last_mut().filter(|it| it.claim != Claim::Nothing) {
                    last.claim = Claim::Doubtful;
                }
            }
            Line::Test { .. } | Line::EndsInOutcome | Line::Other => {}
        }
        None
    }

    /// Looks at the beginning of a line whose end is still to come: with one thread, it tells which test has begun.
    pub fn beginning(&mut self, line: &str) -> Option<Heard> {
        let name = line.strip_prefix("test ")?.strip_suffix(" ... ")?;
        let (name, should_panic) = bare(name);
        if self.index.contains_key(name) { None } else { self.test(name, should_panic, None) }
    }

    fn test(&mut self, name: &str, should_panic: bool, outcome: Option<TestOutcome>) -> Option<Heard> {
        let claim = outcome.map_or(Claim::Nothing, Claim::Outcome);
        let result = |outcome| TestResult { name: name.to_owned(), outcome, should_panic };
        match self.index.get(name) {
            Some(&at) => {
                let first = self.tests[at].claim == Claim::Nothing;
                self.tests[at].claim = self.tests[at].claim.and(claim);
                outcome.filter(|_| first).map(|it| Heard::Ended(result(it)))
            }
            None => {
                self.index.insert(name.to_owned(), self.tests.len());
                self.tests.push(Seen { name: name.to_owned(), should_panic, claim });
                Some(outcome.map_or_else(|| Heard::Begun(name.to_owned()), |it| Heard::Ended(result(it))))
            }
        }
    }

    /// The end of what was announced, if there is one that a process which ended so comes to. Nobody knows how a process of a
    /// harness's own ended that is not started by the tool.
    fn ending(&self, harness: Harness, end: Option<&End>) -> Option<Ending> {
        let (announced, ending) = match harness {
            Harness::Libtest => (*self.announced.first()?, self.endings.last()?.clone()),
            Harness::Rustdoc => {
                let mut all = Ending { summary: Summary::default(), failures: BTreeSet::new() };
                for Ending { summary, failures } in &self.endings {
                    all.summary.passed += summary.passed;
                    all.summary.failed += summary.failed;
                    all.summary.ignored += summary.ignored;
                    all.summary.measured += summary.measured;
                    all.failures.extend(failures.iter().cloned());
                }
                (self.announced.iter().sum(), all)
            }
        };
        let agrees = match end {
            Some(End::Exited(0)) => ending.summary.failed == 0,
            Some(End::Exited(FAILED)) => ending.summary.failed > 0,
            Some(_) => false,
            None => true,
        };
        let whole =
            ending.summary.total() == announced && ending.failures.len() as u64 == ending.summary.failed;
        (agrees && whole).then_some(ending)
    }

    /// What is known of the tests, now that the process has ended in this way.
    pub fn verdicts(&self, harness: Harness, end: Option<&End>) -> Verdicts {
        if self.announced.is_empty() {
            return Verdicts { complete: true, ..Verdicts::default() };
        }
        let Some(Ending { summary, failures }) = self.ending(harness, end) else {
            let tests = self.tests.iter().map(|seen| match seen.claim {
                Claim::Outcome(outcome) => seen.result(outcome),
                Claim::Nothing | Claim::Doubtful => seen.result(TestOutcome::Unfinished),
            });
            return Verdicts { tests: tests.collect(), ..Verdicts::default() };
        };
        let result = |seen: &Seen| match seen.claim {
            _ if failures.contains(&seen.name) => seen.result(TestOutcome::Failed),
            Claim::Outcome(TestOutcome::Ignored) => seen.result(TestOutcome::Ignored),
            _ => seen.result(TestOutcome::Passed),
        };
        let mut tests: Vec<TestResult> = self.tests.iter().map(result).collect();
        // The quiet form names only the tests that failed.
        let unseen = failures.iter().filter(|it| !self.index.contains_key(*it));
        tests.extend(unseen.map(|name| TestResult {
            name: name.clone(),
            outcome: TestOutcome::Failed,
            should_panic: false,
        }));
        let ignored = tests.iter().filter(|it| it.outcome == TestOutcome::Ignored).count() as u64;
        let named = tests.len() as u64;
        let needs_list = named != summary.total() || ignored != summary.ignored;
        Verdicts { tests, complete: true, unnamed: summary.total().saturating_sub(named), needs_list }
    }

    /// The tests of a program with a `main` of its own, where everything is as libtest prints it, once and with all tests named, and
    /// the program ended in this way. So it is taken for one that does as libtest does.
    pub fn of_whole(&self, end: &End) -> Option<Vec<TestResult>> {
        let once = self.announced.len() == 1 && self.endings.len() == 1 && !self.tests.is_empty();
        let has_outcomes = self.tests.iter().all(|it| matches!(it.claim, Claim::Outcome(_)));
        let verdicts = self.verdicts(Harness::Libtest, Some(end));
        (once && has_outcomes && verdicts.complete && !verdicts.needs_list).then_some(verdicts.tests)
    }
}

impl Seen {
    fn result(&self, outcome: TestOutcome) -> TestResult {
        TestResult { name: self.name.clone(), outcome, should_panic: self.should_panic }
    }
}

/// The names that `--list --format terse` prints, without benchmarks.
pub fn listed(output: &str) -> Vec<String> {
    output.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

/// The same with benchmarks, which `cargo test` runs once like tests.
pub fn names(output: &str) -> Vec<String> {
    let name =
        |line: &str| line.strip_suffix(": test").or(line.strip_suffix(": benchmark")).map(str::to_owned);
    output.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests;
