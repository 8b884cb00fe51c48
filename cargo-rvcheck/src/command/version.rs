//! `cargo rvcheck --version --json`: what other programs want to know before they call the tool.

use crate::config;
use crate::messages;
use crate::report;
use serde_json::json;
use std::ffi::OsString;

/// The answer, if these arguments, without the name of the program, are that question and nothing else.
pub fn asked(args: &[OsString]) -> Option<String> {
    let words: Vec<&str> = args.iter().filter_map(|it| it.to_str()).collect();
    let version = |it: &&str| matches!(*it, "--version" | "-V");
    let is_question = args.len() == 2 && words.iter().any(version) && words.contains(&"--json");
    is_question.then(answer)
}

fn answer() -> String {
    let answer = json!({
        "name": "rvcheck",
        "version": env!("CARGO_PKG_VERSION"),
        "rust_version": env!("CARGO_PKG_RUST_VERSION"),
        "schemas": {
            "report": report::SCHEMA,
            "messages": messages::SCHEMA,
            "spec": crate::examined::SCHEMA,
            "config": config::PATH,
        },
        "trace_format": rvcheck_event::trace::format::VERSION,
        "properties": rvcheck_specs::LIBRARY.iter().map(|it| it.id).collect::<Vec<_>>(),
    });
    format!("{answer:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_versions_of_the_forms_can_be_asked_for() {
        let asked = |line: &str| asked(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        let answer = asked("--version --json").expect("it is the question");
        let answer: serde_json::Value = serde_json::from_str(&answer).expect("it is JSON");
        assert_eq!(answer["schemas"]["report"], "rvcheck.report/1");
        assert!(asked("--json -V").is_some());
        assert_eq!(asked("--version"), None);
        assert_eq!(asked("test --version --json"), None);
    }
}
