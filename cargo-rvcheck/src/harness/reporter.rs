//! Reports what happens in a suite to whoever follows the [messages](crate::messages) of the run, and how far it is to whoever looks at
//! the terminal.

use super::libtest::Heard;
use super::process::{Audience, Ended};
use super::progress::{Shown, SuiteProgress};
use super::run_file::Ran;
use crate::messages::{Message, Suite, SuiteKind, tell};
use crate::recorded::{Origin, TestOutcome, TestResult};
use std::collections::BTreeSet;
use std::io::stderr;

/// Listens to the process of a suite.
pub struct Reporter {
    suite: Suite,
    /// The suite begins when it says how many tests it has.
    announces: bool,
    has_begun: bool,
    /// The test of which the beginning was seen just now. One that is ignored ends at once and never began.
    beginning: Option<String>,
    /// The tests whose beginning was reported, and not their end.
    running: BTreeSet<String>,
    progress: SuiteProgress,
}

impl Reporter {
    /// The process of this suite is about to be started. One that `announces` its tests is reported when it does so.
    pub fn new(suite: Suite, announces: bool, shown: Shown) -> Reporter {
        let progress = SuiteProgress::new(&suite.target, shown);
        let mut reporter = Reporter {
            suite,
            announces,
            has_begun: false,
            beginning: None,
            running: BTreeSet::new(),
            progress,
        };
        if !announces {
            reporter.begin(None);
        }
        reporter
    }

    fn begin(&mut self, tests: Option<u64>) {
        if !std::mem::replace(&mut self.has_begun, true) {
            tell(&Message::SuiteStarted { suite: self.suite.clone(), tests });
        }
    }

    fn tell_beginning(&mut self) {
        if let Some(test) = self.beginning.take() {
            test_started(&self.suite, &test);
            self.running.insert(test);
        }
    }

    fn tell_end(&mut self, result: &TestResult) {
        self.beginning.take_if(|it| *it == result.name);
        if !self.running.remove(&result.name) && result.outcome != TestOutcome::Ignored {
            test_started(&self.suite, &result.name);
        }
        test_finished(&self.suite, result);
    }

    /// The process has ended.
    pub fn finish(&mut self, ended: &Ended) {
        self.progress.finish(&mut stderr());
        self.begin(None);
        self.tell_beginning();
        let (suite, success) = (self.suite.clone(), ended.succeeded());
        let seconds = (ended.seconds * 1000.0).round() / 1000.0;
        tell(&Message::SuiteFinished { suite, success, seconds });
    }
}

impl Audience for Reporter {
    fn show(&mut self, part: &[u8]) {
        self.progress.show(part, &mut stderr());
    }

    fn wait(&mut self) {
        self.tell_beginning();
        self.progress.tell();
    }

    fn hear(&mut self, heard: &Heard) {
        self.progress.hear(heard);
        match heard {
            Heard::Announced(tests) => self.begin(Some(*tests).filter(|_| self.announces)),
            Heard::Begun(test) => self.beginning = Some(test.clone()),
            Heard::Ended(result) => self.tell_end(result),
        }
    }
}

/// Tells that a test has begun.
pub fn test_started(suite: &Suite, test: &str) {
    tell(&Message::TestStarted { suite: suite.clone(), test: test.to_owned() });
}

/// Tells how a test has ended.
pub fn test_finished(suite: &Suite, result: &TestResult) {
    let (test, outcome) = (result.name.clone(), result.outcome.into());
    tell(&Message::TestFinished { suite: suite.clone(), test, outcome });
}

/// Tells what became of the tests that did not simply pass or fail. `package` gives the name of the package in this folder.
pub fn tests_decided<'a>(processes: &[Ran], package: impl Fn(&camino::Utf8Path) -> &'a str) {
    for ran in processes {
        let kind = if ran.origin == Origin::Cargo { SuiteKind::Doc } else { ran.executable.kind.into() };
        let (package, target) = (package(&ran.executable.package).to_owned(), ran.executable.target.clone());
        let suite = Suite { package, target, kind };
        let simple = |it: &&TestResult| matches!(it.outcome, TestOutcome::Passed | TestOutcome::Ignored);
        for test in ran.tests.iter().filter(|it| !simple(it)) {
            let (test, outcome) = (test.name.clone(), test.outcome.into());
            tell(&Message::TestDecided { suite: suite.clone(), test, outcome });
        }
    }
}
