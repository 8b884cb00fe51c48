//! `cargo rvcheck list tests`.

use super::show::print_documents;
use super::show::print_lines;
use super::test::{selection, without_skipped};
use crate::cli::{ListArgs, ListFormat};
use crate::console::Console;
use crate::error::Result;
use crate::exit_code::ExitCode;
use crate::harness::cargo::{Surroundings, call, run_reading, test_arguments};
use crate::harness::instrumented::{Outcome, build};
use crate::harness::run_file::{Mode, count, read_results};
use crate::harness::runner::naming::{Named, NamedTest};
use crate::harness::session::Session;
use crate::interruption::{self, Running, check_interrupted};
use crate::messages::SuiteKind;
use crate::project::built::Built;
use crate::recorded::DOCUMENTATION;
use crate::request::{CARGO, MonitorArgs, Scope, build_options, target_options};
use serde_json::json;
use std::collections::BTreeSet;
use std::num::NonZeroU32;

/// Builds the tests as `test` does, and lists those that it would run.
pub(super) fn list(args: &ListArgs, console: Console) -> Result<ExitCode> {
    interruption::handle(Running::Tests);
    // No run is removed for a list.
    let monitoring = MonitorArgs::of_build(Scope::Graph, NonZeroU32::MAX);
    let mut session = Session::prepare(&args.build, monitoring, false, console)?;
    let mut args = args.clone();
    args.build = without_skipped(&args.build, &session.project)?;
    session.selection = selection(&args.selection.as_selection(), &args.build, &session)?;
    session.order_part(&session.run, Mode::Naming, args.selection.partition)?;
    let attempt = |session: &Session| name(session, &args, console);
    let plainly =
        |session: &Session| Ok(compile(&args, &session.plainly(None)?, console)?.success == Some(true));
    match build(&mut session, console, attempt, plainly)? {
        Outcome::Built(_) => {}
        Outcome::Failed(failed) => {
            console.error(failed.note());
            return Ok(failed.exit_code());
        }
    }
    check_interrupted()?;
    let mut all: Vec<Named> = read_results(&session.run, count(&session.run))?;
    all.sort_by(|a, b| {
        (&a.listed.package, a.documentation, &a.listed.executable).cmp(&(
            &b.listed.package,
            b.documentation,
            &b.listed.executable,
        ))
    });
    let packages: BTreeSet<&str> = all.iter().map(|it| it.listed.package.as_str()).collect();
    let several = session.project.members().count() > 1 || packages.len() > 1;
    if all.iter().all(|it| it.tests.is_empty()) {
        let what =
            args.selection.in_words().map_or_else(String::new, |it| format!(" that is selected by {it}"));
        console.error(format_args!("there is no test{what}"));
        return Ok(ExitCode::NothingChecked);
    }
    let tests = all.iter().flat_map(|suite| suite.tests.iter().map(move |test| (suite, test)));
    match args.message_format {
        ListFormat::Human => print_lines(tests.map(|(suite, test)| human(suite, test, several)))?,
        ListFormat::Json => print_documents(tests.map(|(suite, test)| as_json(suite, test, several)))?,
    }
    Ok(ExitCode::Clean)
}

/// What reports call the test.
fn unit(suite: &Named, test: &NamedTest, several: bool) -> String {
    let package = if several { format!("{}::", suite.listed.package) } else { String::new() };
    format!("{package}{}::{}", suite.listed.executable.target, test.name)
}

fn human(suite: &Named, test: &NamedTest, several: bool) -> String {
    let marks = [(suite.documentation, " (doctest)"), (test.ignored, " (ignored)")];
    let marks: String = marks.iter().filter(|it| it.0).map(|it| it.1).collect();
    format!("{}{marks}", unit(suite, test, several))
}

fn as_json(suite: &Named, test: &NamedTest, several: bool) -> String {
    let executable = &suite.listed.executable;
    let kind: SuiteKind = if suite.documentation { SuiteKind::Doc } else { executable.kind.into() };
    let select = if suite.documentation {
        DOCUMENTATION.to_owned()
    } else {
        executable.kind.select(&executable.target)
    };
    json!({
        "package": suite.listed.package,
        "target": executable.target,
        "kind": kind,
        "select": select,
        "test": test.name,
        "unit": unit(suite, test, several),
        "ignored": test.ignored,
    })
    .to_string()
}

/// Has cargo build the tests, and have the runner ask each executable for its tests.
fn name(session: &Session, args: &ListArgs, console: Console) -> Result<Built> {
    let mut command = call("test", &session.instrumented(&session.run)?, console);
    build_options(&mut command, &args.build, CARGO);
    target_options(&mut command, &args.targets, true);
    command.arg("--no-fail-fast");
    let given = &args.selection;
    test_arguments(&mut command, &given.as_selection().for_executables(&given.filters, &given.args));
    run_reading(command, console, |_| (), |built| session.list(&session.run, built))
}

/// Has cargo build the tests and nothing else.
fn compile(args: &ListArgs, surroundings: &Surroundings, console: Console) -> Result<Built> {
    let mut command = call("test", surroundings, console);
    build_options(&mut command, &args.build, CARGO);
    target_options(&mut command, &args.targets, true);
    command.arg("--no-run");
    run_reading(command, console, |_| (), |_| Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::run_file::Listed;
    use crate::project::TargetKind;
    use crate::project::built::Executable;

    #[test]
    fn a_test_is_listed_by_the_name_that_reports_have() {
        let executable = Executable { package: "/shop".into(), kind: TargetKind::Test, target: "it".into() };
        let listed = Listed { executable, package: "shop".into(), libtest: true };
        let test = NamedTest { name: "a::sells".into(), ignored: true };
        let suite = Named { listed, documentation: false, tests: vec![test.clone()] };
        assert_eq!(human(&suite, &test, false), "it::a::sells (ignored)");
        let value: serde_json::Value = as_json(&suite, &test, true).parse().expect("it is JSON");
        assert_eq!((&value["unit"], &value["select"]), (&json!("shop::it::a::sells"), &json!("--test it")));
        assert_eq!((&value["kind"], &value["ignored"]), (&json!("test"), &json!(true)));
    }
}
