//! What is asked for, as options of cargo.

use super::{BuildArgs, TargetArgs};
use std::process::Command;

/// Adds an option with its value for each of the values.
fn each(command: &mut Command, option: &str, values: &[String]) {
    for value in values {
        command.args([option, value]);
    }
}

fn flags(command: &mut Command, flags: &[(&str, bool)]) {
    command.args(flags.iter().filter(|it| it.1).map(|it| it.0));
}

/// What a program calls those of cargo's options that it names in its own way.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// The profile of the build.
    pub profile: &'static str,
    /// How many jobs the build has.
    pub jobs: &'static str,
}

/// Cargo's own names.
pub const CARGO: Dialect = Dialect { profile: "--profile", jobs: "--jobs" };

/// Adds the user's options about what is built.
pub fn build_options(command: &mut Command, args: &BuildArgs, dialect: Dialect) {
    if let Some(path) = &args.manifest.manifest_path {
        command.arg("--manifest-path").arg(path);
    }
    each(command, "--package", &args.workspace.package);
    each(command, "--exclude", &args.workspace.exclude);
    each(command, "--features", &args.features.features);
    each(command, "--target", &args.target);
    each(command, "-Z", &args.unstable);
    flags(
        command,
        &[
            ("--workspace", args.workspace.workspace || args.workspace.all),
            ("--all-features", args.features.all_features),
            ("--no-default-features", args.features.no_default_features),
            ("--release", args.release),
            ("--locked", args.locked),
            ("--offline", args.offline),
            ("--frozen", args.frozen),
            ("--timings", args.timings),
            ("--future-incompat-report", args.future_incompat_report),
            ("--ignore-rust-version", args.ignore_rust_version),
        ],
    );
    if let Some(profile) = &args.profile {
        command.args([dialect.profile, profile]);
    }
    if let Some(jobs) = &args.jobs {
        command.args([dialect.jobs, jobs]);
    }
}

/// Adds the user's choice of targets. Without one it is what `cargo test` runs; `documentation` says whether doctests
/// are among them.
pub fn target_options(command: &mut Command, args: &TargetArgs, documentation: bool) {
    let chosen = [
        ("--lib", args.lib),
        ("--bins", args.bins),
        ("--tests", args.tests),
        ("--examples", args.examples),
        ("--benches", args.benches),
        ("--all-targets", args.all_targets),
    ];
    let named = [
        ("--bin", &args.bin),
        ("--test", &args.test),
        ("--example", &args.example),
        ("--bench", &args.bench),
    ];
    flags(command, &chosen);
    for (option, names) in named {
        each(command, option, names);
    }
    if args.doc && documentation {
        command.arg("--doc");
    }
    if !documentation && !args.is_chosen() && !args.all_targets {
        command.arg("--tests");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &Command) -> Vec<String> {
        command.get_args().map(|it| it.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn the_users_options_are_passed_on() {
        let mut args = BuildArgs { release: true, jobs: Some("2".into()), ..BuildArgs::default() };
        args.workspace.package = vec!["shop".into()];
        args.features.features = vec!["a,b".into()];
        let mut command = Command::new("cargo");
        build_options(&mut command, &args, CARGO);
        assert_eq!(words(&command), ["--package", "shop", "--features", "a,b", "--release", "--jobs", "2"]);
    }

    #[test]
    fn without_a_choice_of_targets_cargo_chooses() {
        let none = TargetArgs::default();
        let lib = TargetArgs { lib: true, ..TargetArgs::default() };
        let named = TargetArgs { test: vec!["it".into()], ..TargetArgs::default() };
        let doc = TargetArgs { doc: true, ..TargetArgs::default() };
        let cases: [(&TargetArgs, bool, &[&str]); 6] = [
            (&none, true, &[]),
            (&none, false, &["--tests"]),
            (&lib, true, &["--lib"]),
            (&named, false, &["--test", "it"]),
            (&doc, true, &["--doc"]),
            (&doc, false, &[]),
        ];
        for (args, documentation, expected) in cases {
            let mut command = Command::new("cargo");
            target_options(&mut command, args, documentation);
            assert_eq!(words(&command), expected);
        }
    }
}
