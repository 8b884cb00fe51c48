//! The runner of executables that the user has configured, and how the tool's own is put in its place.

use super::files::File;
use crate::error::{Expected, Result};
use camino::Utf8Path;
use cargo_metadata::cargo_platform::{Cfg, Platform};
use std::str::FromStr;
use toml::Value;

/// A runner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runner {
    /// A program and its arguments; empty where there is none.
    pub words: Vec<String>,
    /// Where the tool's own has to go, there is one text. Cargo lets no list take the place of a text.
    pub is_text: bool,
}

/// The runner for this target: that of its name, or else that of a `cfg(…)` which holds for it.
pub(super) fn configured(files: &[File], target: &str, cfgs: &dyn Fn() -> Vec<Cfg>) -> Vec<String> {
    if let Some(words) = files.iter().find_map(|file| words(file, target)) {
        return words;
    }
    let mut known = None;
    let mut holds = |key: &str| {
        Platform::from_str(key).is_ok_and(|it| it.matches(target, known.get_or_insert_with(cfgs)))
    };
    let keys = files.iter().flat_map(|file| file.keys("target").map(move |key| (file, key)));
    let mut by_cfg = keys.filter(|(_, key)| key.starts_with("cfg(") && holds(key));
    by_cfg.find_map(|(file, key)| words(file, key)).unwrap_or_default()
}

/// Whether one text stands where the tool's own runner has to go.
pub(super) fn is_text(files: &[File], target: &str) -> bool {
    files.iter().any(|file| file.value(&["target", target, "runner"]).is_some_and(Value::is_str))
}

fn words(file: &File, key: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = match file.value(&["target", key, "runner"])? {
        Value::String(line) => line.split_whitespace().map(str::to_owned).collect(),
        Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => return None,
    };
    if let Some(first) = words.first_mut() {
        *first = file.program(first);
    }
    Some(words)
}

/// The tool's own runner as cargo's option `--config` takes it: `program` with `argument`, in place of the user's.
///
/// A text is split at spaces, so a program whose path has some is named from `here`, where cargo is started. That
/// fails if that path has some, too.
pub fn replacement(
    users: &Runner,
    program: &Utf8Path,
    argument: &Utf8Path,
    here: &Utf8Path,
) -> Result<Value> {
    if !users.is_text {
        return Ok(Value::Array([program, argument].map(|it| Value::String(it.to_string())).into()));
    }
    let word = |path: &Utf8Path| {
        let near = || Some(Utf8Path::new(".").join(path.strip_prefix(here).ok()?));
        let ways = [Some(path.to_owned()), near()];
        ways.into_iter().flatten().find(|it| !it.as_str().contains(char::is_whitespace))
    };
    match (word(program), word(argument)) {
        (Some(program), Some(argument)) => Ok(Value::String(format!("{program} {argument}"))),
        _ => Err(Expected::Configuration(format!(
            "cargo's configuration has a runner that is written as a text, and {program}, which has to take its place, has a \
             space in its path\nwrite the runner as a list: {:?}",
            users.words
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: &str = "x86_64-unknown-linux-gnu";

    fn of(text: &str) -> Runner {
        let table = text.parse().expect("it is TOML");
        let files = [File::of("/home/me/.cargo/config.toml".into(), table)];
        let cfgs = || ["unix", "target_os=\"linux\""].map(|it| it.parse().expect("it is a cfg")).into();
        Runner { words: configured(&files, HOST, &cfgs), is_text: is_text(&files, HOST) }
    }

    #[test]
    fn a_runner_is_a_list_or_a_text_under_the_name_of_the_target_or_a_cfg_that_holds() {
        let runner = |words: &[&str], is_text| Runner {
            words: words.iter().map(|it| (*it).to_owned()).collect(),
            is_text,
        };
        let cases = [
            (
                format!("[target.{HOST}]\nrunner = ['./run', 'a b']"),
                runner(&["/home/me/./run", "a b"], false),
            ),
            (format!("[target.{HOST}]\nrunner = 'qemu  -x'"), runner(&["qemu", "-x"], true)),
            (
                "target.'cfg(all(unix, target_os = \"linux\"))'.runner = 'sudo -E'".into(),
                runner(&["sudo", "-E"], false),
            ),
            ("target.'cfg(windows)'.runner = 'wine'".into(), Runner::default()),
            ("target.wasm32-wasip1.runner = 'wasmtime'".into(), Runner::default()),
            (format!("target.'cfg(unix)'.runner = 'a'\ntarget.{HOST}.runner = 'b'"), runner(&["b"], true)),
            (String::new(), Runner::default()),
        ];
        for (text, expected) in cases {
            assert_eq!(of(&text), expected, "{text}");
        }
    }

    #[test]
    fn a_list_takes_the_place_of_a_list_and_a_text_that_of_a_text() {
        let text = Runner { words: vec!["qemu".into()], is_text: true };
        let list = Runner { is_text: false, ..text.clone() };
        let show = |users: &Runner, program: &str| {
            replacement(users, program.into(), "/t/runs/1".into(), "/my work".into()).map(|it| it.to_string())
        };
        assert_eq!(show(&list, "/my work/run").ok().as_deref(), Some("[\"/my work/run\", \"/t/runs/1\"]"));
        assert_eq!(show(&text, "/t/run").ok().as_deref(), Some("\"/t/run /t/runs/1\""));
        assert_eq!(show(&text, "/my work/t/run").ok().as_deref(), Some("\"./t/run /t/runs/1\""));
        assert!(matches!(show(&text, "/your work/run"), Err(Expected::Configuration(_))));
    }
}
