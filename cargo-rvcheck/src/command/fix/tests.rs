//! The tests of what is fixed: those that have passed before have to pass afterwards.

use super::{Refusal, cargos};
use crate::cli::FixArgs;
use crate::console::Console;
use crate::error::Result;
use crate::harness::libtest::Harness;
use crate::harness::process::{Ended, Output, Start, run};
use crate::interruption::check_interrupted;
use crate::recorded::{End, TestOutcome};
use crate::report::counted;
use crate::request::target_options;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::Duration;

/// What `cargo test` came to before anything was fixed.
pub(super) struct Tests<'a> {
    args: &'a FixArgs,
    console: Console,
    before: Outcome,
    /// How long it may take from now on.
    limit: Duration,
}

/// What a run of the tests came to.
struct Outcome {
    end: End,
    /// The tests that did not pass, as far as they have names.
    failed: BTreeSet<String>,
}

/// A fix that lets the tests wait forever is found after this time, or after [`SLOWER`] times what they took before if that is longer.
const LEAST: Duration = Duration::from_mins(1);
/// See [`LEAST`].
const SLOWER: u32 = 5;
/// How many failed tests are named.
const NAMED: usize = 3;

impl<'a> Tests<'a> {
    /// Runs them before anything is fixed. Those that fail already say nothing of fixes.
    pub(super) fn before(args: &'a FixArgs, console: Console) -> Result<Tests<'a>> {
        console.status("Testing", "as it is");
        let ended = tested(args, None, console)?;
        let limit = LEAST.max(Duration::from_secs_f64(ended.seconds) * SLOWER);
        let before = Outcome::of(&ended);
        if before.end != End::Exited(0) {
            let count = u64::try_from(before.failed.len()).unwrap_or(u64::MAX);
            let failing = if count == 0 { "the tests".to_owned() } else { counted(count, "test") };
            console.warn(format_args!(
                "before anything is fixed, `cargo test` does not succeed: what {failing} would say of the fixes is not known"
            ));
        }
        Ok(Tests { args, console, before, limit })
    }

    /// Runs them on what is on disk; which of them fail that have not failed before. What fails once and not again is not blamed.
    pub(super) fn failure(&self) -> Result<Option<Refusal>> {
        self.console.status("Testing", "what is fixed");
        match self.once()? {
            Some(_) => self.once(),
            None => Ok(None),
        }
    }

    fn once(&self) -> Result<Option<Refusal>> {
        let after = Outcome::of(&tested(self.args, Some(self.limit), self.console)?);
        let new: Vec<&String> = after.failed.difference(&self.before.failed).collect();
        let what = match after.end {
            End::Exited(0) => return Ok(None),
            End::TimedOut => "the tests do not come to an end with it",
            _ if new.len() == 1 => "a test fails with it",
            _ if !new.is_empty() => "tests fail with it",
            ref end if *end == self.before.end => return Ok(None),
            _ => "`cargo test` does not succeed with it",
        };
        let mut detail: Vec<String> = new.iter().take(NAMED).map(|it| format!("  {it}")).collect();
        if new.len() > NAMED {
            detail.push(format!("  and {} more", new.len() - NAMED));
        }
        Ok(Some(Refusal { what, detail: detail.join("\n") }))
    }
}

impl Outcome {
    fn of(ended: &Ended) -> Outcome {
        // Cargo runs several executables, one after another, as rustdoc does.
        let tests = ended.transcript.verdicts(Harness::Rustdoc, Some(&ended.end)).tests;
        let failed = |it: TestOutcome| matches!(it, TestOutcome::Failed | TestOutcome::Unfinished);
        let failed = tests.into_iter().filter(|it| failed(it.outcome)).map(|it| it.name).collect();
        Outcome { end: ended.end.clone(), failed }
    }
}

/// Has cargo run the tests, all of them.
fn tested(args: &FixArgs, limit: Option<Duration>, console: Console) -> Result<Ended> {
    let mut command = cargos("test", args);
    target_options(&mut command, &args.targets, true);
    command.arg("--no-fail-fast");
    check_interrupted()?;
    console.detail(format_args!("{command:?}"));
    let start = Start {
        words: words(&command),
        recorder: None,
        output: Output::Hidden,
        environment: BTreeMap::new(),
        without: Vec::new(),
        launch: None,
        limit,
    };
    let ended = run(&start)?;
    check_interrupted()?;
    Ok(ended)
}

fn words(command: &Command) -> Vec<String> {
    let all = std::iter::once(command.get_program()).chain(command.get_args());
    all.map(|it| it.to_string_lossy().into_owned()).collect()
}
