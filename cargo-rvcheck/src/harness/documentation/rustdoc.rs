//! The tool in place of rustdoc.

use super::{Documentation, VARIABLE, for_variable};
use crate::error::Result;
use crate::harness::cargo::{check_interrupted, handle_interruptions};
use crate::harness::process::{Ended, Output, Start, become_process, end_like, run};
use crate::harness::run_file::{Executable, Mode, Orders, Ran, next_number, read_orders, write_result};
use crate::harness::runner::TRIES;
use crate::project::TargetKind;
use crate::recorded::{Origin, TestOutcome, TestResult};
use crate::wrapper::arguments;
use crate::wrapper::plan::{self, Plan};
use crate::wrapper::rustdoc::watched;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// Calls rustdoc as `own_path args…` asks for, and gives its exit code.
pub fn main(own_path: &Utf8Path, args: &[String]) -> Result<u8> {
    let Some(folder) = value(args, "--test-runtool-arg").map(Utf8PathBuf::from) else {
        return Err(become_process(&call("rustdoc", args)));
    };
    let orders = read_orders(&folder)?;
    let plan = plan::folder_of(own_path);
    let Some(words) = watched(&Plan::read(plan)?, plan, args)? else {
        return Err(become_process(&call(&orders.rustdoc, args)));
    };
    let crate_name = arguments::parse(args).crate_name.unwrap_or_default();
    let package = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let executable = Executable { package: package.into(), kind: TargetKind::Lib, target: crate_name };
    let start = call(&orders.rustdoc, &words);
    Library { folder: &folder, orders: &orders, start, executable }.test()
}

/// The value of an option that is a word of its own.
fn value<'a>(args: &'a [String], option: &str) -> Option<&'a String> {
    args.iter().position(|it| it == option).and_then(|at| args.get(at + 1))
}

fn call(program: &str, args: &[String]) -> Start {
    Start {
        words: std::iter::once(program.to_owned()).chain(args.iter().cloned()).collect(),
        recorder: None,
        output: Output::Inherited,
        environment: BTreeMap::new(),
        without: Vec::new(),
    }
}

/// A library whose documentation is tested.
struct Library<'a> {
    folder: &'a Utf8Path,
    orders: &'a Orders,
    start: Start,
    executable: Executable,
}

impl Library<'_> {
    fn test(&self) -> Result<u8> {
        if self.orders.mode == Mode::Listing {
            return Err(become_process(&self.start));
        }
        // Whoever interrupts the tool interrupts rustdoc as well.
        handle_interruptions();
        let number = next_number(self.folder)?;
        let ended = self.run(Output::Kept, false)?;
        let results: Vec<Named> = ended.transcript.results().into_iter().map(named).collect();
        let mut ran = Ran {
            executable: self.executable.clone(),
            libtest: true,
            command: self.start.words.clone(),
            end: ended.end.clone(),
            compiled: results.iter().filter(|it| it.1).map(|it| it.0.name.clone()).collect(),
            tests: results.into_iter().map(|it| it.0).collect(),
            unnamed: ended.transcript.unnamed(),
            origin: Origin::Cargo,
            only: None,
            function: None,
            unwatched: uncompiled(&ended.text),
            trace: None,
            seconds: ended.seconds,
        };
        write_result(self.folder, number, &ran)?;
        self.try_again(&mut ran)?;
        write_result(self.folder, number, &ran)?;
        Ok(end_like(&ended.end))
    }

    fn run(&self, output: Output, again: bool) -> Result<Ended> {
        let documentation = Documentation { executable: self.executable.clone(), again };
        let mut start = Start { output, ..self.start.clone() };
        start.environment.insert(VARIABLE.to_owned(), for_variable(VARIABLE, &documentation)?);
        run(&start)
    }

    /// Runs everything again while there are tests that have failed every time. Rustdoc takes no names with spaces, so it cannot
    /// be told to run only these. What does not compile will not compile again.
    fn try_again(&self, ran: &mut Ran) -> Result<()> {
        let mut failed: BTreeSet<String> = ran
            .tests
            .iter()
            .filter(|it| it.outcome == TestOutcome::Failed && !ran.unwatched.contains_key(&it.name))
            .map(|it| it.name.clone())
            .collect();
        for _ in 0..TRIES {
            check_interrupted()?;
            if failed.is_empty() {
                break;
            }
            let again =
                self.run(Output::Hidden, true)?.transcript.results().into_iter().map(|it| named(it).0);
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
            found.insert(name.to_owned(), message.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_does_not_compile_is_told_from_one_that_fails() {
        let text = "running 2 tests\ntest a.rs - f (line 1) ... FAILED\n\nfailures:\n\n---- a.rs - f (line 1) stdout ----\n\
            warning: unused\nerror[E0463]: can't find crate\n --> a.rs:1:1\n\nCouldn't compile the test.\n\
            ---- a.rs - g (line 6) stdout ----\nTest executable failed (exit status: 101).\n\nfailures:\n    a.rs - f (line 1)\n";
        let expected = [("a.rs - f (line 1)".to_owned(), "error[E0463]: can't find crate".to_owned())];
        assert_eq!(uncompiled(text), BTreeMap::from(expected));
    }
}
