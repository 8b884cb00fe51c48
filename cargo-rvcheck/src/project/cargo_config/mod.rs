//! What the user's own configuration of cargo says about compilers, targets and programs around them.
//!
//! The tool takes the places of the wrappers and of the runner, so it has to call what was there. Cargo shows nobody what its
//! configuration comes to, so the files are read once more.

mod files;
mod runner;

use crate::error::{Expected, Result};
use camino::Utf8PathBuf;
use cargo_metadata::cargo_platform::Cfg;
use files::{File, files};
pub use runner::{Runner, replacement};
use std::process::Command;
use toml::Value;

/// The word by which cargo's configuration means the target that the compiler itself runs on.
const HOST: &str = "host-tuple";

/// The configuration that holds in a folder, and the environment.
#[derive(Debug)]
pub struct CargoConfig {
    /// What was given on the command line: what wins comes first.
    given: Vec<File>,
    files: Vec<File>,
}

impl CargoConfig {
    /// Reads the files that hold in the current folder, and what was `given` as `--config`.
    pub fn here(given: &[String]) -> CargoConfig {
        let folder = std::env::current_dir().ok().and_then(|it| Utf8PathBuf::from_path_buf(it).ok());
        let folder = folder.unwrap_or_default();
        CargoConfig { given: files::given(given, &folder), files: files(&folder) }
    }

    /// The compiler.
    pub fn rustc(&self) -> String {
        self.program(&["RUSTC", "CARGO_BUILD_RUSTC"], "rustc").unwrap_or_else(|| "rustc".to_owned())
    }

    /// The wrapper of every call of the compiler.
    pub fn wrapper(&self) -> Option<String> {
        self.program(&["RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"], "rustc-wrapper")
    }

    /// The wrapper of calls for members of the workspace.
    pub fn workspace_wrapper(&self) -> Option<String> {
        self.program(
            &["RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER"],
            "rustc-workspace-wrapper",
        )
    }

    /// What tests documentation.
    pub fn rustdoc(&self) -> String {
        self.program(&["RUSTDOC", "CARGO_BUILD_RUSTDOC"], "rustdoc").unwrap_or_else(|| "rustdoc".to_owned())
    }

    /// The targets that cargo builds for, on its command line or else here. `host` is the compiler's own.
    pub fn targets(&self, named: &[String], host: &str) -> Vec<String> {
        let variable = || variable("CARGO_BUILD_TARGET").map(|it| vec![it]);
        let found = match named {
            [] => targets_in(&self.given)
                .or_else(variable)
                .or_else(|| targets_in(&self.files))
                .unwrap_or_default(),
            named => named.to_vec(),
        };
        found.into_iter().map(|it| if it == HOST { host.to_owned() } else { it }).collect()
    }

    /// The runner of executables for this target. `rustc` says what holds for the target, where that matters.
    pub fn runner(&self, target: &str, rustc: &str) -> Runner {
        let upper = target.to_uppercase().replace(['-', '.'], "_");
        let words = match runner::configured(&self.given, target, &|| cfgs(rustc)) {
            given if !given.is_empty() => given,
            _ => match variable(&format!("CARGO_TARGET_{upper}_RUNNER")) {
                Some(line) => line.split_whitespace().map(str::to_owned).collect(),
                None => runner::configured(&self.files, target, &|| cfgs(rustc)),
            },
        };
        let is_text = runner::is_text(&self.given, target) || runner::is_text(&self.files, target);
        Runner { words, is_text }
    }

    /// A program that one of these variables or else this key of `build` names. An empty name means none.
    fn program(&self, variables: &[&str], key: &str) -> Option<String> {
        let of = |files: &[File]| files.iter().find_map(|it| it.program_at(&["build", key]));
        let found = of(&self.given).or_else(|| variables.iter().find_map(|it| variable(it)));
        let found = found.or_else(|| of(&self.files));
        found.filter(|it| !it.is_empty())
    }
}

/// The targets that the first of these files names which names any.
fn targets_in(files: &[File]) -> Option<Vec<String>> {
    let names = match files.iter().find_map(|it| it.value(&["build", "target"]))? {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    };
    Some(names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

/// An environment variable with a value.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// What holds for programs that this compiler makes. What it does not say holds for none.
fn cfgs(rustc: &str) -> Vec<Cfg> {
    let output = Command::new(rustc).args(["--print", "cfg"]).output();
    let text = output.map(|it| String::from_utf8_lossy(&it.stdout).into_owned()).unwrap_or_default();
    text.lines().filter_map(|it| it.parse().ok()).collect()
}

/// Fails if one of these targets is not the one that the compiler runs on.
pub fn check_targets(targets: &[String], host: &str) -> Result<()> {
    match targets.iter().find(|it| *it != host) {
        None => Ok(()),
        Some(other) => Err(Expected::Configuration(format!(
            "the program is to be built for {other}, and only what is built for {host} can be instrumented\n\
             choose that with `--target {host}`"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> CargoConfig {
        let table = text.parse().expect("it is TOML");
        CargoConfig { given: Vec::new(), files: vec![File::of("/home/me/.cargo/config.toml".into(), table)] }
    }

    #[test]
    fn targets_are_a_name_or_a_list_and_the_host_has_a_word() {
        let cases: [(&str, &[&str]); 4] = [
            ("", &[]),
            ("build.target = 'wasm32-wasip1'", &["wasm32-wasip1"]),
            ("build.target = 'host-tuple'", &["here"]),
            ("build.target = ['a', 'host-tuple']", &["a", "here"]),
        ];
        for (text, expected) in cases {
            assert_eq!(config(text).targets(&[], "here"), expected, "{text}");
            assert_eq!(config(text).targets(&["b".to_owned()], "here"), ["b"], "the command line wins");
        }
    }

    #[test]
    fn another_target_is_named_together_with_what_to_do() {
        let check = |targets: &[&str]| {
            let targets: Vec<String> = targets.iter().map(|it| (*it).to_owned()).collect();
            check_targets(&targets, "here").map_err(|it| it.to_string())
        };
        assert_eq!(check(&[]), Ok(()));
        assert_eq!(check(&["here"]), Ok(()));
        let error = check(&["here", "wasm32-wasip1"]).expect_err("it is another one");
        assert!(error.contains("wasm32-wasip1") && error.contains("--target here"), "{error}");
    }

    #[test]
    fn what_is_given_on_the_command_line_wins() {
        let words = ["build.rustc-wrapper='./wrap'", "build.target='a'", "build.target='b'", "no = toml"];
        let given = files::given(&words.map(str::to_owned), "/shop".into());
        let config = CargoConfig { given, ..config("build.rustc-wrapper = 'cc'\nbuild.target = 'c'") };
        let wrapper = config.program(&[], "rustc-wrapper");
        assert_eq!(wrapper.as_deref(), Some("/shop/./wrap"));
        assert_eq!(config.targets(&[], "here"), ["b"]);
    }

    #[test]
    fn an_empty_wrapper_is_none() {
        assert_eq!(config("build.rustc-wrapper = ''").program(&[], "rustc-wrapper"), None);
        assert_eq!(config("build.rustc-wrapper = 'cc'").program(&[], "rustc-wrapper").as_deref(), Some("cc"));
    }
}
