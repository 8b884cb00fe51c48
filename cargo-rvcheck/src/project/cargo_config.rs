//! What the user's own configuration of cargo already puts around rustc and around test executables.
//!
//! The tool takes both places, so it has to call what was there.

use crate::error::{Expected, Result};
use camino::{Utf8Path, Utf8PathBuf};
use std::path::PathBuf;
use toml::{Table, Value};

/// What is to be called inside the tool's own wrapper and runner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chained {
    /// The wrapper of rustc, if any.
    pub wrapper: Option<String>,
    /// The runner of executables: a program and its arguments; empty where there is none.
    pub runner: Vec<String>,
}

/// Reads it from the environment and from the configuration files that cargo reads in this folder.
pub fn chained(folder: &Utf8Path, host: &str) -> Result<Chained> {
    let files = files(folder);
    let upper = host.to_uppercase().replace(['-', '.'], "_");
    let wrapper = variable("RUSTC_WRAPPER").or_else(|| variable("CARGO_BUILD_RUSTC_WRAPPER"));
    let wrapper = match wrapper {
        Some(name) => Some(name),
        None => files.iter().find_map(|file| file.text(&["build", "rustc-wrapper"])),
    };
    let runner = match variable(&format!("CARGO_TARGET_{upper}_RUNNER")) {
        Some(line) => line.split_whitespace().map(str::to_owned).collect(),
        None => files
            .iter()
            .find_map(|file| file.words(&["target", host, "runner"]))
            .transpose()?
            .unwrap_or_default(),
    };
    Ok(Chained { wrapper: wrapper.filter(|it| !it.is_empty()), runner })
}

/// An environment variable with a value.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// A configuration file, and the folder that relative programs in it are relative to.
struct File {
    base: Utf8PathBuf,
    path: Utf8PathBuf,
    table: Table,
}

/// The configuration files that hold in this folder, the nearest first. One that cannot be read is cargo's to complain about.
fn files(folder: &Utf8Path) -> Vec<File> {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".cargo")))
        .and_then(|it| Utf8PathBuf::from_path_buf(it).ok());
    let near = folder.ancestors().map(|it| it.join(".cargo"));
    let mut found: Vec<File> = Vec::new();
    for place in near.chain(home) {
        for name in ["config", "config.toml"] {
            let path = place.join(name);
            let table = std::fs::read_to_string(&path).ok().and_then(|it| it.parse().ok());
            if let Some(table) = table {
                if found.iter().all(|it| it.path != path) {
                    found.push(File { base: place.parent().unwrap_or(&place).to_owned(), path, table });
                }
                break;
            }
        }
    }
    found
}

impl File {
    fn value(&self, keys: &[&str]) -> Option<&Value> {
        let (last, tables) = keys.split_last()?;
        let table = tables.iter().try_fold(&self.table, |table, key| table.get(*key)?.as_table())?;
        table.get(*last)
    }

    fn text(&self, keys: &[&str]) -> Option<String> {
        Some(self.program(self.value(keys)?.as_str()?))
    }

    /// A program and its arguments, as cargo reads them: a list, or one text that is split at spaces.
    fn words(&self, keys: &[&str]) -> Option<Result<Vec<String>>> {
        let mut words: Vec<String> = match self.value(keys)? {
            // Cargo refuses to replace a text by a list, and only a list can hold the tool's own runner.
            Value::String(line) => {
                return Some(Err(Expected::Configuration(format!(
                    "{}: `{}` is a text, which rvcheck cannot replace\nwrite it as a list: {:?}",
                    self.path,
                    keys.join("."),
                    line.split_whitespace().collect::<Vec<_>>()
                ))));
            }
            Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => return None,
        };
        if let Some(first) = words.first_mut() {
            *first = self.program(first);
        }
        Some(Ok(words))
    }

    /// A bare name is looked up on the path; anything with a slash is relative to the folder of `.cargo`.
    fn program(&self, name: &str) -> String {
        if name.contains('/') { self.base.join(name).into_string() } else { name.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> File {
        let table = text.parse().expect("it is TOML");
        File { base: "/home/me".into(), path: "/home/me/.cargo/config.toml".into(), table }
    }

    #[test]
    fn programs_with_a_slash_are_relative_to_the_folder_of_the_configuration() {
        let cases =
            [("sccache", "sccache"), ("tools/wrap", "/home/me/tools/wrap"), ("/bin/wrap", "/bin/wrap")];
        for (written, meant) in cases {
            let file = file(&format!("build.rustc-wrapper = '{written}'"));
            assert_eq!(file.text(&["build", "rustc-wrapper"]).as_deref(), Some(meant));
        }
    }

    #[test]
    fn a_runner_is_a_list_of_words_and_a_text_is_refused() {
        let list = file("[target.host]\nrunner = ['./run', '-q']");
        let words = list.words(&["target", "host", "runner"]).and_then(Result::ok);
        assert_eq!(words, Some(vec!["/home/me/./run".to_owned(), "-q".to_owned()]));
        let text = file("[target.host]\nrunner = 'qemu -x'");
        assert!(matches!(text.words(&["target", "host", "runner"]), Some(Err(Expected::Configuration(_)))));
        assert!(file("").words(&["target", "host", "runner"]).is_none());
    }
}
