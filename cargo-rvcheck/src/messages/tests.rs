//! What is reported can be read back, is valid by the committed schema, and comes out as it went in.

use super::follow::copy;
use super::schema::render_schema;
use super::{Ended, Message, SCHEMA, Suite, SuiteKind};
use crate::report::Report;
use crate::report::tests::{assert_committed, sample};
use camino::Utf8PathBuf;
use serde_json::Value;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// One of each.
fn messages() -> Vec<Message> {
    let suite = || Suite { package: "shop".into(), target: "it".into(), kind: SuiteKind::Test };
    let test = || "cart::adds".to_owned();
    let report = sample();
    vec![
        Message::RunStarted { schema: SCHEMA.into(), tool: "rvcheck 1".into(), folder: "/runs/1".into() },
        Message::BuildStarted { watched: true },
        Message::CompilerMessage {
            target: "shop".into(),
            level: "warning".into(),
            message: "unused variable: `x`".into(),
            rendered: "warning: unused variable: `x`\n".into(),
        },
        Message::Artifact { target: "shop".into(), fresh: false },
        Message::BuildFinished { success: true },
        Message::SuiteStarted { suite: suite(), tests: Some(2) },
        Message::SuiteStarted { suite: suite(), tests: None },
        Message::TestStarted { suite: suite(), test: test() },
        Message::TestFinished { suite: suite(), test: test(), outcome: Ended::Failed },
        Message::SuiteFinished { suite: suite(), success: false, seconds: 0.25 },
        Message::TestDecided { suite: suite(), test: test(), outcome: Ended::FailedUnderTool },
        Message::Finding { finding: report.findings[0].clone() },
        Message::Report(report),
    ]
}

#[test]
fn each_message_is_valid_by_the_committed_schema_and_can_be_read_back() {
    let mut schema = Vec::new();
    render_schema(&mut schema).expect("it can be written");
    let schema = String::from_utf8(schema).expect("JSON is UTF-8");
    assert_committed(&schema, "messages.json");
    let schema: Value = serde_json::from_str(&schema).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    for message in messages() {
        let value = serde_json::to_value(&message).expect("it is JSON");
        assert!(validator.is_valid(&value), "{value}");
        let read: Message = serde_json::from_value(value.clone()).expect("it can be read");
        assert_eq!(serde_json::to_value(&read).expect("it is JSON"), value);
    }
    for other in [r#"{"reason":"nothing"}"#, r#"{"reason":"build-finished"}"#, "{}"] {
        let other: Value = serde_json::from_str(other).expect("it is JSON");
        assert!(!validator.is_valid(&other), "{other}");
    }
}

#[test]
fn the_last_message_is_the_report_with_a_reason() {
    let value = serde_json::to_value(Message::Report(sample())).expect("it is JSON");
    assert_eq!(value["reason"], "report");
    let report: Report = serde_json::from_value(value).expect("readers skip what they do not know");
    assert_eq!(report.findings, sample().findings);
}

#[test]
fn lines_are_copied_whole_and_in_order_while_others_append_to_the_file() {
    let guard = tempfile::tempdir().expect("there is room for a temporary folder");
    let path = Utf8PathBuf::from_path_buf(guard.path().join("messages")).expect("its name is Unicode");
    let over = AtomicBool::new(false);
    let mut copied = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = OpenOptions::new().create(true).append(true).open(&path).expect("there is room");
            for number in 0..200 {
                let (first, second) = (format!("{{\"line\":{number}"), "}\n");
                file.write_all(first.as_bytes()).expect("there is room");
                file.write_all(second.as_bytes()).expect("there is room");
            }
            file.write_all(b"{\"cut").expect("there is room");
            over.store(true, Ordering::Release);
        });
        copy(&path, &over, &mut copied);
    });
    let expected: Vec<String> = (0..200).map(|number| format!("{{\"line\":{number}}}")).collect();
    assert!(copied.ends_with(b"\n"));
    assert_eq!(String::from_utf8_lossy(&copied).lines().collect::<Vec<_>>(), expected);
}
