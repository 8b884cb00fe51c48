//! What is shown of texts that others chose: names, labels and strings of traces and programs.

mod html;

use crate::text;
use cargo_rvcheck::escape;
use cargo_rvcheck::finding::{
    CodeLocation, Draft, Level, Location, NextStep, Proof, Witness, WitnessEvent, finding,
};
use cargo_rvcheck::messages::render_messages;
use cargo_rvcheck::recorded::Unmonitored;
use cargo_rvcheck::report::{Format, PropertyReport, Report, Style, UnitVerdict, Verdict};
use std::io::{self, Write};

/// Whatever the texts of a report are: no form of it has a character that a terminal obeys, or a line that a log of GitHub
/// does. A form with a line for each thing has as many lines as for other texts, nothing in a cell of a table ends it, and no
/// backtick lacks its other half. JSON says what the report says.
pub fn output(input: &[u8]) {
    let text = text(input);
    let legible = escape::legible(&text);
    assert_eq!(legible.chars().count(), text.chars().count(), "columns stay");
    assert_eq!(escape::legible(&legible), legible, "escaping again changes nothing");
    if text.is_empty() {
        // A report leaves out what is not there.
        return;
    }
    let (crafted, plain) = (report(&text), report("a"));
    for format in [Format::Human, Format::Short, Format::Junit] {
        assert_unobeyed(&rendered(format, &crafted));
    }
    let lines = |render: &dyn Fn(&Report) -> String| {
        let (shown, expected) = (render(&crafted), render(&plain));
        assert_eq!(shown.lines().count(), expected.lines().count(), "{shown}");
        shown
    };
    lines(&|it| rendered(Format::Short, it));
    let commands = lines(&|it| rendered(Format::Github, it));
    assert!(commands.lines().all(|it| it.starts_with("::error file=")), "{commands}");
    assert_unobeyed(&commands.replace("\n::error ", "\n").replacen("::error ", "", 1));
    let markdown = lines(&|it| rendered(Format::Markdown, it));
    assert_unobeyed(&markdown);
    markdown.lines().for_each(assert_closed);
    diagrams(&markdown).for_each(assert_plain);
    html::assert_harmless(&rendered(Format::Html, &crafted));
    for document in [Format::ChromeTrace, Format::Otlp].map(|it| rendered(it, &crafted)) {
        assert_unobeyed(&document);
        assert!(serde_json::from_str::<serde_json::Value>(&document).is_ok(), "{document}");
    }
    let json = rendered(Format::Json, &crafted);
    let said = serde_json::to_value(&crafted).expect("a report is JSON");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json).expect("it is JSON"), said);
    for document in [json, rendered(Format::Sarif, &crafted), lines(&messages)] {
        assert_unobeyed(&document);
        for line in document.lines().filter(|it| it.starts_with('{') && it.len() > 1) {
            assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
        }
    }
}

/// A report in which every text is this one.
fn report(text: &str) -> Report {
    let owned = || text.to_owned();
    let location =
        || Location { file: owned(), line: 2, column: 1, end_line: 2, end_column: 3, label: owned() };
    let place = || CodeLocation { location: location(), own: true, in_test: false };
    let event = || WitnessEvent {
        event: owned(),
        task: owned(),
        object: Some(owned()),
        arguments: vec![owned()],
        time: 1,
        site: Some(owned()),
    };
    let found = |proof| {
        let draft = Draft {
            property: owned(),
            level: Level::Error,
            proof,
            message: owned(),
            test: owned(),
            witness: Witness {
                state: owned(),
                events: vec![event()],
                omitted: 0,
                derivation: vec![owned()],
                tail: vec![event()],
                locks: vec![owned()],
            },
            next: NextStep { advice: owned(), command: owned() },
        };
        let mut found = finding(draft, &[place()], &[]).expect("it has a place");
        found.related = vec![location()];
        found.pictures = html::pictures(text);
        found
    };
    let unit = UnitVerdict {
        test: owned(),
        verdict: Verdict::Violated,
        bindings: 1,
        exercised: 1,
        witness: vec![(owned(), owned())],
    };
    let mut report = Report::empty(text);
    report.findings = vec![found(Proof::Observed), found(Proof::Witnessed)];
    report.properties = vec![PropertyReport {
        title: owned(),
        verdict: Verdict::Violated,
        units: vec![unit],
        reasons: [(owned(), 1)].into(),
        ..PropertyReport::of(text)
    }];
    report.unmonitored = vec![Unmonitored { file: owned(), line: 3, column: None, reason: owned() }];
    report.run.notes = vec![owned()];
    report.run.processes = 1;
    report
}

fn rendered(format: Format, report: &Report) -> String {
    text_of(|out| format.render(report, out, Style::PLAIN))
}

/// The messages that end in the report.
fn messages(report: &Report) -> String {
    text_of(|out| render_messages(report, out))
}

fn text_of(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("there is room");
    String::from_utf8(out).expect("it is a text")
}

/// A terminal obeys nothing in it, and no log of GitHub.
fn assert_unobeyed(shown: &str) {
    for line in shown.lines() {
        let obeyed = |it: char| (it.is_control() && it != '\t') || ('\u{202a}'..='\u{202e}').contains(&it);
        assert!(!line.contains(obeyed), "{line:?}");
        // `::: file` is how a quotation names another file, and no command: these have letters behind the colons.
        let command = line.trim_start().strip_prefix("::").is_some_and(|it| !it.starts_with(": "));
        assert!(!command && !line.contains("##["), "{line:?}");
    }
}

/// The lines of the diagrams in Markdown.
fn diagrams(markdown: &str) -> impl Iterator<Item = &str> {
    let blocks = markdown.split("```mermaid\n").skip(1);
    blocks.flat_map(|it| it.split("```\n").next().unwrap_or_default().lines())
}

/// A line of a diagram has what the tool writes, and of other texts only what nothing obeys.
fn assert_plain(line: &str) {
    let is_written = |it: char| it.is_alphanumeric() || " ._-/,()#;:>…".contains(it);
    assert!(line.chars().all(is_written), "{line:?}");
}

/// The code in a line of Markdown ends in it, and outside there is no HTML. A bar has a backslash in front unless it begins a cell.
fn assert_closed(line: &str) {
    if line.starts_with("<details>") || line == "</details>" || line.starts_with("```") {
        return;
    }
    let (mut rest, mut bars) = (line, 0);
    while let Some(letter) = rest.chars().next() {
        match letter {
            '\\' => rest = &rest[1..],
            '`' => {
                let length = rest.len() - rest.trim_start_matches('`').len();
                let inside = &rest[length..];
                let mut runs =
                    inside.match_indices('`').map(|it| it.0).filter(|at| !inside[..*at].ends_with('`'));
                let end = runs.find(|at| {
                    let run = &inside[*at..];
                    run.len() - run.trim_start_matches('`').len() == length
                });
                let end = end.unwrap_or_else(|| panic!("a backtick is alone in {line:?}"));
                assert!(!inside[..end].replace("\\|", "").contains('|'), "{line:?}");
                rest = &inside[end + length..];
                continue;
            }
            '<' => assert!(rest.starts_with("<!-- -->"), "{line:?}"),
            '|' => bars += 1,
            _ => {}
        }
        rest = rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
    }
    assert!(matches!(bars, 0 | 4 | 6), "{bars} in {line:?}");
}
