//! `cargo rvcheck validate` and `cargo rvcheck predict --model`: the page of models is a transcript, and what is wrong with the arguments is said.
//!
//! With `UPDATE_DOCS=1` in the environment the page is written anew.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/lifestates.md");

/// The exit code, and what is on stderr.
fn run(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-rvcheck"))
        .current_dir(folder)
        .arg("rvcheck")
        .args(args)
        .output()
        .expect("the tool runs");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn block<'a>(page: &'a str, language: &str) -> &'a str {
    let begin = format!("\n```{language}\n");
    let rest = page.split_once(&begin).expect("the page has one").1;
    &rest[..=rest.find("\n```").expect("it ends")]
}

/// The second block of the page in a language.
fn later_block<'a>(page: &'a str, language: &str) -> &'a str {
    block(page.split_once(block(page, language)).expect("it is there").1, language)
}

/// A folder with the files of the page.
fn example() -> tempfile::TempDir {
    let page = fs::read_to_string(PAGE).expect("there is a page");
    let folder = tempfile::tempdir().expect("there is room");
    let clicked = block(&page, "csv");
    let execute = "ci Task::execute,remover\n";
    let files = [
        ("button.toml", block(&page, "toml").to_owned()),
        ("clicked.csv", clicked.to_owned()),
        ("mended.csv", clicked.replace(execute, &format!("ci Button::disable,ok\n{execute}"))),
        (
            "started.toml",
            block(&page, "toml").replace("\n]\n", &format!("\n{}]\n", later_block(&page, "toml"))),
        ),
        ("twice.csv", format!("{clicked}cb Task::done,remover\ncbret Task::done,(),remover\n")),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("it can be written");
    }
    folder
}

#[test]
fn the_page_of_models_shows_what_the_tool_says() {
    let (folder, page) = (example(), fs::read_to_string(PAGE).expect("there is a page"));
    let mut wanted = String::new();
    let mut codes = Vec::new();
    let mut rest = page.as_str();
    while let Some((before, from)) = rest.split_once("\n```console\n$ cargo rvcheck ") {
        let (command, after) = from.split_once("\n```\n").expect("a command ends");
        let (between, shown) = after.split_once("\n```text\n").expect("the page shows what it says");
        let (_, after) = shown.split_once("\n```\n").expect("it ends");
        let (code, said) = run(folder.path(), &command.split(' ').collect::<Vec<_>>());
        codes.push(code);
        // The times differ.
        let said = said.split("\ncost:").next().unwrap_or_default().trim_end();
        let shown = format!("{between}\n```text\n{said}\n```\n");
        let _ = write!(wanted, "{before}\n```console\n$ cargo rvcheck {command}\n```\n{shown}");
        rest = after;
    }
    wanted += rest;
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(PAGE, &wanted).expect("it can be written");
        return;
    }
    snapbox::assert_data_eq!(wanted, page);
    assert_eq!(codes, [0, 0, 0, 10]);
}

#[test]
fn the_report_in_json_has_the_answers() {
    let folder = example();
    let report = |args: &[&str]| -> Value {
        run(folder.path(), &[args, &["--output", "json=out.json"]].concat());
        let text = fs::read_to_string(folder.path().join("out.json")).expect("there is a report");
        serde_json::from_str(&text).expect("it is JSON")
    };
    let validated = report(&["validate", "button.toml", "clicked.csv", "twice.csv"]);
    assert_eq!(validated["properties"][0]["verdict"], "refuted");
    let row = &validated["validations"][1];
    assert_eq!(
        (&row["valid"], &row["messages"], &row["removed_by"]),
        (&9.into(), &11.into(), &vec![2].into())
    );
    let predicted = report(&["predict", "--model", "button.toml", "clicked.csv"]);
    assert_eq!(predicted["properties"][0]["verdict"], "predicted");
    assert_eq!(predicted["findings"][0]["proof"], "potential");
    let row = &predicted["rearrangements"][0];
    assert_eq!((&row["answer"], row["may_happen"].as_array().map(Vec::len)), (&"violation".into(), Some(3)));
    let row_of_search = row["may_happen"].clone();
    let bounded = report(&["predict", "--model", "button.toml", "clicked.csv", "--states", "1"]);
    let row = &bounded["rearrangements"][0];
    if cfg!(feature = "sat") {
        assert_eq!((&row["answer"], &row["solved"]), (&"violation".into(), &1.into()));
        assert_eq!((&row["may_happen"], &row["may_be_longer"]), (&row_of_search, &false.into()));
    } else {
        assert_eq!(row["answer"], "unknown");
    }
    fs::write(folder.path().join("outside.csv"), "ci Task::execute,1\nciret Task::execute,ok,1\n")
        .expect("there is room");
    let outside = report(&["predict", "--model", "button.toml", "outside.csv"]);
    let row = &outside["rearrangements"][0];
    assert_eq!((&row["answer"], &row["outside"]), (&"not-exercised".into(), &2.into()));
}

/// Two tasks are polled, one of which opens and closes what the other one reads.
const POLLS: &str = r#"
{"e":"poll","a":{"t":"task:1"},"thread":1}
{"e":"poll","a":{"t":"task:2"},"thread":2}
{"e":"ci open","a":{"1":7},"thread":1,"task":"task:1"}
{"e":"ci close","a":{"1":7},"thread":1,"task":"task:1"}
{"e":"suspend","a":{"t":"task:1"},"thread":1}
{"e":"ci read","a":{"1":7},"thread":2,"task":"task:2"}
{"e":"suspend","a":{"t":"task:2"},"thread":2}
"#;

#[test]
fn polls_that_overlap_and_share_an_object_leave_the_answer_open() {
    let folder = tempfile::tempdir().expect("there is room");
    let write =
        |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("it can be written");
    let rules =
        r#"["_*; ci open(f) |- ci read(f)", "_*; ci close(f) |+ ci read(f)", "(_ & true) |- cb poll(t)"]"#;
    let file = format!("schema = 1\n[[property]]\nid = \"files\"\nlogic = \"lifestate\"\nrules = {rules}\n");
    write("files.toml", &file);
    write("polls.jsonl", POLLS.trim_start());
    let (code, said) = run(folder.path(), &["predict", "--model", "files.toml", "polls.jsonl"]);
    assert_eq!(code, 0, "{said}");
    let answer = "whether an order of the 2 callbacks of process violates `files` is unknown: none of whole callbacks does (13 states), but \
        `cb poll(task:1)` and `cb poll(task:2)` overlap in the trace, and both have `7`\n";
    assert!(said.contains(answer), "{said}");
    // One behind the other, the polls are in some order of callbacks.
    let mut lines: Vec<&str> = POLLS.trim_start().lines().collect();
    lines[1..5].rotate_left(1);
    write("polls.jsonl", &lines.join("\n"));
    let (_, said) = run(folder.path(), &["predict", "--model", "files.toml", "polls.jsonl"]);
    assert!(said.contains("no order of the 2 callbacks of process violates `files`"), "{said}");
}

#[test]
fn a_violation_goes_before_a_refutation() {
    let folder = example();
    let trace = "cb Task::done,remover\ndis ci Task::execute,remover\n";
    fs::write(folder.path().join("both.csv"), trace).expect("it can be written");
    let (code, said) = run(folder.path(), &["validate", "button.toml", "both.csv"]);
    assert_eq!(code, 10);
    assert!(said.contains("\n  violated       async-task  tests: 1 violated;"), "{said}");
    assert!(said.contains("refused: `cb Task::done(remover)`, by rule 2; 1 violation"), "{said}");
}

#[test]
fn what_cannot_be_used_is_said_with_exit_code_2() {
    let folder = example();
    fs::write(folder.path().join("other.toml"), "schema = 1\n").expect("it can be written");
    let wrong = block(&fs::read_to_string(PAGE).expect("there is a page"), "toml").replacen(
        "ci Task",
        "call Task",
        1,
    );
    fs::write(folder.path().join("wrong.toml"), wrong).expect("it can be written");
    let cases: [(&[&str], &str); 6] = [
        (&["validate", "other.toml", "clicked.csv"], "other.toml has no property of `logic = \"lifestate\"`"),
        (&["validate", "wrong.toml", "clicked.csv"], "`call` begins no message"),
        (&["validate", "button.toml", "missing.csv"], "cannot read missing.csv"),
        (&["validate", "button.toml"], "<TRACE>"),
        (&["predict", "--model", "other.toml", "clicked.csv"], "has no property of"),
        (&["predict", "--states", "5", "clicked.csv"], "--model"),
    ];
    for (args, message) in cases {
        let (code, said) = run(folder.path(), args);
        assert_eq!(code, 2, "{args:?}: {said}");
        assert!(said.contains(message), "{args:?}: {said}");
    }
}
