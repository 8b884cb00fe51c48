//! The tool in place of rustdoc.

use super::name::UNNAMED;
use super::{Documentation, VARIABLE, for_variable};
use crate::error::Result;
use crate::harness::cargo::show_line;
use crate::harness::filterset;
use crate::harness::libtest::{Harness, Verdicts, listed};
use crate::harness::process::{Ended, Output, Start, become_process, end_like, run, run_before};
use crate::harness::reporter::Reporter;
use crate::harness::run_file::{Listed, Mode, Orders, Ran, next_number, read_orders, write_result};
use crate::harness::runner::TRIES;
use crate::harness::runner::naming::{self, NamedTest};
use crate::interruption::{self, check_interrupted};
use crate::messages::{self, Suite, SuiteKind};
use crate::project::TargetKind;
use crate::project::built::Executable;
use crate::recorded::{Origin, TestOutcome, TestResult};
use crate::wrapper::arguments;
use crate::wrapper::plan::{self, Plan};
use crate::wrapper::response::expanded;
use crate::wrapper::rustdoc::instrumented;
use camino::Utf8Path;
use std::collections::{BTreeMap, BTreeSet};

/// Why a doctest is not instrumented with a cargo before 1.89.
const NO_RUNNER: &str =
    "this cargo has rustdoc start the doctests without a runner, and so without instrumentation";

/// Why none of them is, where rustdoc fails before it comes to them.
const UNREADABLE: &str =
    "rustdoc cannot read the instrumented library, so its doctests run without instrumentation";

/// Calls rustdoc as `own_path args…` asks for, and gives its exit code.
pub fn main(own_path: &Utf8Path, args: &[String]) -> Result<u8> {
    let plan = plan::folder_of(own_path);
    let folder = plan::run_of(plan)?;
    let orders = read_orders(&folder)?;
    let Some(words) = instrumented(&Plan::read(plan)?, plan, args)? else {
        return Err(become_process(&call(&orders.rustdoc, args)));
    };
    let given = expanded(args)?;
    let args = given.as_deref().unwrap_or(args);
    let crate_name = arguments::parse(args).crate_name.unwrap_or_default();
    let package = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let executable = Executable { package: package.into(), kind: TargetKind::Lib, target: crate_name };
    let start = call(&orders.rustdoc, &words);
    let has_runner = args.iter().any(|it| it == "--test-runtool");
    Library { folder: &folder, orders: &orders, start, executable, has_runner }.test()
}

fn call(program: &str, args: &[String]) -> Start {
    Start {
        words: std::iter::once(program.to_owned()).chain(args.iter().cloned()).collect(),
        recorder: None,
        output: Output::Inherited,
        environment: BTreeMap::new(),
        without: Vec::new(),
        launch: None,
        limit: None,
    }
}

/// A library whose documentation is tested.
struct Library<'a> {
    folder: &'a Utf8Path,
    orders: &'a Orders,
    start: Start,
    executable: Executable,
    /// Rustdoc has the runner start the tests.
    has_runner: bool,
}

impl Library<'_> {
    fn test(&self) -> Result<u8> {
        if self.orders.mode == Mode::Listing {
            return Err(become_process(&self.start));
        }
        if !self.is_chosen()? {
            return Ok(0);
        }
        if self.orders.mode == Mode::Naming {
            return self.note_names();
        }
        // Whoever interrupts the tool interrupts rustdoc as well.
        interruption::note();
        let number = next_number(self.folder)?;
        messages::begin(self.folder);
        let mut reporter = Reporter::new(self.suite(), true, self.orders.shown);
        let ended = run_before(&self.start(Output::Kept, false)?, &mut reporter)?;
        reporter.finish(&ended);
        let verdicts = verdicts(&ended);
        let results: Vec<Named> = verdicts.tests.into_iter().map(named).collect();
        let mut ran = Ran {
            executable: self.executable.clone(),
            libtest: true,
            command: self.start.words.clone(),
            end: ended.end.clone(),
            compiled: results.iter().filter(|it| it.1).map(|it| it.0.name.clone()).collect(),
            tests: results.into_iter().map(|it| it.0).collect(),
            unnamed: verdicts.unnamed,
            origin: Origin::Cargo,
            only: None,
            function: None,
            unmonitored: uncompiled(&ended.text),
            trace: None,
            schedule: None,
            seconds: ended.seconds,
        };
        if !ended.succeeded() && ran.tests.is_empty() {
            ran.tests.push(TestResult {
                name: UNNAMED.to_owned(),
                outcome: TestOutcome::Failed,
                should_panic: false,
            });
            ran.unmonitored.insert(UNNAMED.to_owned(), UNREADABLE.to_owned());
        }
        if ran.unnamed > 0 {
            self.name_all(&mut ran)?;
        }
        write_result(self.folder, number, &ran)?;
        self.try_again(&mut ran)?;
        if !self.has_runner {
            let passed = ran.tests.iter().filter(|it| it.outcome == TestOutcome::Passed);
            let run = passed.filter(|it| !ran.compiled.contains(&it.name));
            ran.unmonitored.extend(run.map(|it| (it.name.clone(), NO_RUNNER.to_owned())));
        }
        write_result(self.folder, number, &ran)?;
        Ok(end_like(&ended.end))
    }

    /// Whether the tests are to run. Those in one documentation are not divided, because rustdoc takes no names with spaces.
    fn is_chosen(&self) -> Result<bool> {
        let selection = &self.orders.selection;
        if !selection.has(&format!("{}::documentation", self.suite().package)) {
            return Ok(false);
        }
        if selection.filtersets.is_none() {
            return Ok(true);
        }
        let all = self.list(&[])?;
        let selected = selection.filtered(filterset::Suite::Documentation(&self.executable), all.clone())?;
        let whole = selected.len() == all.len();
        if !whole && !selected.is_empty() && self.orders.mode != Mode::Naming {
            let (some, all, package) = (selected.len(), all.len(), self.suite().package);
            show_line(&format!(
                "rvcheck: rustdoc cannot run {some} of the {all} doctests of {package}, so none of them run; `kind(doc)` selects all"
            ));
        }
        Ok(whole && !all.is_empty())
    }

    /// Leaves behind which tests would be run, and runs none.
    fn note_names(&self) -> Result<u8> {
        let ignored: BTreeSet<String> = self.list(&["--ignored"])?.into_iter().collect();
        let mut tests: Vec<NamedTest> = Vec::new();
        for name in self.list(&[])? {
            let result = TestResult { name, outcome: TestOutcome::Passed, should_panic: false };
            let ignored = ignored.contains(&result.name);
            tests.push(NamedTest { name: named(result).0.name, ignored });
        }
        let listed =
            Listed { executable: self.executable.clone(), package: self.suite().package, libtest: true };
        let named = naming::Named { listed, documentation: true, tests };
        write_result(self.folder, next_number(self.folder)?, &named)?;
        Ok(0)
    }

    /// Names the tests of a run that printed only a summary: all that rustdoc lists.
    fn name_all(&self, ran: &mut Ran) -> Result<()> {
        let known: BTreeSet<String> = ran.tests.iter().map(|it| it.name.clone()).collect();
        let ignored: BTreeSet<String> = self.list(&["--ignored"])?.into_iter().collect();
        for name in self.list(&[])?.into_iter().filter(|it| !known.contains(it)) {
            let outcome = if ignored.contains(&name) { TestOutcome::Ignored } else { TestOutcome::Passed };
            ran.tests.push(TestResult { name, outcome, should_panic: false });
        }
        ran.unnamed = 0;
        Ok(())
    }

    fn list(&self, more: &[&str]) -> Result<Vec<String>> {
        let mut library = Library { start: self.start.clone(), executable: self.executable.clone(), ..*self };
        for word in ["--list"].iter().chain(more) {
            library.start.words.extend(["--test-args", word].map(str::to_owned));
        }
        Ok(listed(&library.run(Output::Hidden, true)?.text))
    }

    /// Its tests, as they are reported.
    fn suite(&self) -> Suite {
        let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
        Suite { package, target: self.executable.target.clone(), kind: SuiteKind::Doc }
    }

    fn start(&self, output: Output, again: bool) -> Result<Start> {
        let documentation = Documentation { executable: self.executable.clone(), again };
        let mut start = Start { output, ..self.start.clone() };
        start.environment.insert(VARIABLE.to_owned(), for_variable(VARIABLE, &documentation)?);
        Ok(start)
    }

    fn run(&self, output: Output, again: bool) -> Result<Ended> {
        run(&self.start(output, again)?)
    }

    /// Runs everything again while there are tests that have failed every time. Rustdoc takes no names with spaces, so it cannot
    /// be told to run only these. What does not compile will not compile again.
    fn try_again(&self, ran: &mut Ran) -> Result<()> {
        let mut failed: BTreeSet<String> = ran
            .tests
            .iter()
            .filter(|it| it.outcome == TestOutcome::Failed && !ran.unmonitored.contains_key(&it.name))
            .map(|it| it.name.clone())
            .collect();
        for _ in 0..self.orders.selection.retries.map_or(TRIES, |it| it as usize) {
            check_interrupted()?;
            if failed.is_empty() {
                break;
            }
            let again = verdicts(&self.run(Output::Hidden, true)?).tests.into_iter().map(|it| named(it).0);
            for passed in again.filter(|it| it.outcome == TestOutcome::Passed) {
                if failed.remove(&passed.name) {
                    ran.tests
                        .iter_mut()
                        .filter(|it| it.name == passed.name)
                        .for_each(|it| it.outcome = TestOutcome::Flaky);
                }
            }
        }
        Ok(())
    }
}

/// What is known of the tests of a call of rustdoc.
fn verdicts(ended: &Ended) -> Verdicts {
    ended.transcript.verdicts(Harness::Rustdoc, Some(&ended.end))
}

/// A result, and whether the test is only compiled.
type Named = (TestResult, bool);

/// The result without what rustdoc puts behind the name of a test that is only compiled.
pub(super) fn named(mut result: TestResult) -> Named {
    let bare = [" - compile fail", " - compile"].iter().find_map(|it| result.name.strip_suffix(it));
    let bare = bare.map(str::to_owned);
    let compiled = bare.is_some();
    result.name = bare.unwrap_or(result.name);
    (result, compiled)
}

/// The tests that do not compile, with the compiler's first message.
fn uncompiled(text: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for section in text.split("\n---- ").skip(1) {
        let Some((name, output)) = section.split_once(" stdout ----\n") else { continue };
        if output.lines().any(|it| it.ends_with("Couldn't compile the test.")) {
            let message = output.lines().find(|it| it.starts_with("error")).unwrap_or("error");
            let reason = format!("the doctest compiles only without instrumentation: {message}");
            found.insert(name.to_owned(), reason);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_does_not_compile_differs_from_one_that_fails() {
        let text = "running 2 tests\ntest a.rs - f (line 1) ... FAILED\n\nfailures:\n\n---- a.rs - f (line 1) stdout ----\n\
            warning: unused\nerror[E0463]: can't find crate\n --> a.rs:1:1\n\nCouldn't compile the test.\n\
            ---- a.rs - g (line 6) stdout ----\nTest executable failed (exit status: 101).\n\nfailures:\n    a.rs - f (line 1)\n";
        let found = uncompiled(text);
        assert_eq!(found.len(), 1);
        assert!(found["a.rs - f (line 1)"].ends_with("error[E0463]: can't find crate"), "{found:?}");
    }
}
