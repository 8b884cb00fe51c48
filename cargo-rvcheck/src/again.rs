//! The command line that shows a finding again: what it has to keep of the one that showed it.

use crate::request::{BuildArgs, CARGO, TestTool, build_options};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::process::Command;

/// The options of a run that decide what is built, and what runs it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    /// The options, as they were given.
    pub options: Vec<String>,
    /// The user has chosen packages, so that the one that is meant has to be named.
    pub names_package: bool,
}

impl Again {
    /// What a run with these arguments has to keep. Of the packages it is the one of a finding that counts.
    pub fn of(args: &BuildArgs) -> Again {
        let mut args = args.clone();
        let workspace = &mut args.workspace;
        let names_package = workspace.workspace || workspace.all || !workspace.package.is_empty();
        (workspace.workspace, workspace.all) = (false, false);
        (workspace.package, workspace.exclude) = (Vec::new(), Vec::new());
        args.jobs = None;
        let mut command = Command::new("cargo");
        build_options(&mut command, &args, CARGO);
        let options = command.get_args().map(|it| it.to_string_lossy().into_owned());
        let options = options.chain(args.kept).collect();
        Again { options, names_package }
    }

    /// The same where the user has said what runs the tests.
    pub fn by(mut self, tool: TestTool) -> Again {
        let name = match tool {
            TestTool::Auto => return self,
            TestTool::Cargo => "cargo",
            TestTool::Nextest => "nextest",
        };
        self.options.extend(["--test-tool".to_owned(), name.to_owned()]);
        self
    }

    /// `cargo rvcheck` with this subcommand and these options; the package is named where it has to be.
    pub fn command(&self, subcommand: &str, package: Option<&str>) -> String {
        let mut command = format!("cargo rvcheck {subcommand}");
        for option in &self.options {
            command.push(' ');
            command.push_str(&quoted(option));
        }
        if let Some(package) = package {
            command.push_str(" -p ");
            command.push_str(package);
        }
        command
    }
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |it: char| it.is_alphanumeric() || "_-./=,:@+%".contains(it);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

/// The way from a folder to a file, both absolute, for whoever is in that folder.
pub fn from_folder(file: &Utf8Path, folder: &Utf8Path) -> String {
    let shared = file.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    // The root of a file system, or nothing at all.
    if shared < 2 {
        return file.to_string();
    }
    let up = folder.components().count() - shared;
    let down = file.components().skip(shared).map(|it| it.as_str());
    std::iter::repeat_n("..", up).chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(change: impl FnOnce(&mut BuildArgs)) -> BuildArgs {
        let mut args = BuildArgs::default();
        change(&mut args);
        args
    }

    #[test]
    fn what_decides_the_build_is_kept_and_the_package_is_that_of_the_finding() {
        let args = build(|it| {
            it.manifest.manifest_path = Some("../my shop/Cargo.toml".into());
            it.workspace.package = vec!["shop".into(), "till".into()];
            it.features.features = vec!["fast,safe".into()];
            it.features.no_default_features = true;
            it.profile = Some("ci".into());
            it.jobs = Some("2".into());
            it.offline = true;
            it.kept = vec!["--long-poll".into(), "5ms".into()];
        });
        let again = Again::of(&args).by(TestTool::Nextest);
        assert!(again.names_package);
        assert_eq!(
            again.command("test", Some("till")),
            "cargo rvcheck test --manifest-path '../my shop/Cargo.toml' --features fast,safe --no-default-features --offline \
             --profile ci --long-poll 5ms --test-tool nextest -p till"
        );
        assert_eq!(
            Again::of(&BuildArgs::default()).by(TestTool::Auto).command("run", None),
            "cargo rvcheck run"
        );
    }

    #[test]
    fn a_shell_reads_each_word_as_it_was() {
        let cases = [
            ("a/b.toml", "a/b.toml"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("$(x)", "'$(x)'"),
        ];
        for (word, expected) in cases {
            assert_eq!(quoted(word), expected);
        }
    }

    #[test]
    fn a_file_is_named_from_where_the_command_is_given() {
        let cases = [
            ("/w/shop/target/a.txt", "/w/shop", "target/a.txt"),
            ("/w/shop/target/a.txt", "/w/shop/till", "../target/a.txt"),
            ("/w/shop/target/a.txt", "/w/other", "../shop/target/a.txt"),
            ("/var/a.txt", "/w/shop", "/var/a.txt"),
        ];
        for (file, folder, expected) in cases {
            assert_eq!(from_folder(file.into(), folder.into()), expected);
        }
    }
}
