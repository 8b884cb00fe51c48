//! `cargo nextest run` in place of `cargo test`.

use super::cargo::{Surroundings, call, run_reading, run_to_stderr, show_line, surround, test_arguments};
use super::run_file::{Ran, count};
use super::session::Session;
use crate::cli::TestArgs;
use crate::console::Console;
use crate::error::{Expected, Result};
use crate::interruption::check_interrupted;
use crate::project::built::Built;
use crate::project::built::Executable;
use crate::project::{Project, cargo};
use crate::recorded::TestOutcome;
use crate::request::{CARGO, Dialect, TestTool, build_options, target_options};
use std::collections::BTreeMap;
use std::process::Stdio;

/// Nextest's names of cargo's options; its own options have the usual ones.
const NEXTEST: Dialect = Dialect { profile: "--cargo-profile", jobs: "--build-jobs" };

/// Where a workspace says how nextest is to run its tests.
const CONFIGURATION: &str = ".config/nextest.toml";

/// Whether nextest is to run the tests.
pub fn is_chosen(args: &TestArgs, project: &Project, console: Console) -> Result<bool> {
    match args.test_tool {
        TestTool::Cargo => Ok(false),
        TestTool::Nextest if args.targets.doc => Err(Expected::Configuration(
            "nextest does not run the doctests\n`--doc` goes with `--test-tool cargo`".to_owned(),
        )),
        TestTool::Nextest if is_installed() => Ok(true),
        TestTool::Nextest => Err(Expected::NoNextest),
        TestTool::Auto if args.targets.doc || !project.root.join(CONFIGURATION).exists() => Ok(false),
        TestTool::Auto => {
            let installed = is_installed();
            let what = if installed { "nextest" } else { "cargo test, since nextest is not installed" };
            console.status("Using", format_args!("{what} ({CONFIGURATION})"));
            Ok(installed)
        }
    }
}

fn is_installed() -> bool {
    let mut command = cargo();
    command.args(["nextest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|it| it.success())
}

/// Builds the tests, and has nextest run them.
pub fn run(
    session: &Session,
    args: &TestArgs,
    surroundings: &Surroundings,
    console: Console,
) -> Result<Built> {
    // What was built, nextest does not say; it finds everything up to date.
    let mut command = call("test", surroundings, console);
    build_options(&mut command, &args.build, CARGO);
    target_options(&mut command, &args.targets, true);
    command.arg("--no-run");
    let built = run_reading(command, console, show_line, |built| session.list(&session.run, built))?;
    if built.success != Some(true) || check_interrupted().is_err() {
        return Ok(built);
    }
    let mut command = cargo();
    command.args(["nextest", "run", "--color", console.color().name(), "--cargo-quiet"]);
    surround(&mut command, surroundings);
    build_options(&mut command, &args.build, NEXTEST);
    target_options(&mut command, &args.targets, true);
    // That there is nothing to run, the report says.
    command.args(["--no-fail-fast", "--no-tests", "pass"]);
    command.args(selection(args));
    let (options, given) = own_options(&args.args);
    command.args(options).args(&args.filters);
    test_arguments(&mut command, &given);
    let code = run_to_stderr(command, console)?;
    if code != 0 && count(&session.run) == 0 {
        check_interrupted()?;
        return Err(Expected::NextestRefused);
    }
    Ok(built)
}

/// Which tests nextest is to run, and how often.
fn selection(args: &TestArgs) -> Vec<String> {
    let selection = &args.selection;
    let partition = args.partition.map(|it| format!("--partition={it}"));
    let filtersets = selection.filtersets.iter().map(|it| format!("--filterset={it}"));
    let ignored = selection.run_ignored.map(|it| format!("--run-ignored={}", it.name()));
    let retries = selection.retries.map(|it| format!("--retries={it}"));
    partition.into_iter().chain(filtersets).chain(ignored).chain(retries).collect()
}

/// The arguments for test executables that nextest takes as options of its own, and the rest.
fn own_options(args: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut own, mut rest) = (Vec::new(), Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--nocapture" | "--no-capture" => own.push("--no-capture".to_owned()),
            "--test-threads" => own.extend(args.next().map(|it| format!("--test-threads={it}"))),
            other if other.starts_with("--test-threads=") => own.push(other.to_owned()),
            other => rest.push(other.to_owned()),
        }
    }
    (own, rest)
}

/// Counts each test once, also if nextest has tried it several times: it is flaky if not all attempts ended alike. The result
/// stays with the last attempt.
pub fn join_attempts(processes: &mut [Ran]) {
    let mut last: BTreeMap<(Executable, String), usize> = BTreeMap::new();
    for at in 0..processes.len() {
        let Some(name) = processes[at].only.clone() else { continue };
        let Some(before) = last.insert((processes[at].executable.clone(), name), at) else { continue };
        let earlier = std::mem::take(&mut processes[before].tests);
        for (test, earlier) in processes[at].tests.iter_mut().zip(earlier) {
            if (test.outcome == TestOutcome::Passed) != (earlier.outcome == TestOutcome::Passed) {
                test.outcome = TestOutcome::Flaky;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::TargetKind;
    use crate::recorded::{End, Origin, TestResult};
    use std::collections::BTreeSet;

    fn attempt(name: &str, outcome: TestOutcome) -> Ran {
        Ran {
            executable: Executable { package: "/shop".into(), kind: TargetKind::Test, target: "it".into() },
            libtest: true,
            command: Vec::new(),
            end: End::Exited(0),
            tests: vec![TestResult { name: name.to_owned(), outcome, should_panic: false }],
            unnamed: 0,
            origin: Origin::Tool,
            only: Some(name.to_owned()),
            function: None,
            compiled: BTreeSet::new(),
            unmonitored: BTreeMap::new(),
            trace: None,
            schedule: None,
            seconds: 0.0,
        }
    }

    #[test]
    fn nextest_has_options_of_its_own_for_what_libtest_does() {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (own, rest) = own_options(&words("--nocapture --skip slow --test-threads 2 --exact"));
        assert_eq!(own, ["--no-capture", "--test-threads=2"]);
        assert_eq!(rest, ["--skip", "slow", "--exact"]);
        assert_eq!(own_options(&words("--test-threads=1")).0, ["--test-threads=1"]);
    }

    #[test]
    fn a_test_counts_once_and_is_flaky_if_its_attempts_differ() {
        use TestOutcome::{Failed, Flaky, Passed};
        let cases = [
            (vec![Passed], Passed),
            (vec![Failed, Passed], Flaky),
            (vec![Failed, Failed, Passed], Flaky),
            (vec![Failed, Failed], Failed),
        ];
        for (attempts, expected) in cases {
            let mut processes: Vec<Ran> = attempts.iter().map(|it| attempt("a", *it)).collect();
            processes.insert(1, attempt("b", Passed));
            join_attempts(&mut processes);
            let results: Vec<_> = processes.iter().flat_map(|it| &it.tests).collect();
            assert_eq!(results.len(), 2, "{attempts:?}");
            assert!(results.iter().any(|it| it.name == "a" && it.outcome == expected), "{attempts:?}");
        }
    }
}
