//! What the renderers make of one report, byte by byte, and how reports stand before the gate.

use super::*;
use crate::finding::{CodeLocation, Draft, Level, Location, NextStep, Proof, Witness, WitnessEvent, finding};
use serde_json::Value;

/// The source that the sample's findings are about.
const SOURCE: &str = "\
use tokio::sync::mpsc;

impl Journal {
    pub fn append(&mut self, record: &str) {
        let job = flush(record.to_string());
        tokio::spawn(async move {
            job.await
        });
    }

    // Line 11.
    // Line 12.
    // Line 13.
    // Line 14.
    fn flush(&self) -> Result<(), TooLong> {
        Err(TooLong(17))
    }
}
";

fn place(line: u32, columns: std::ops::Range<u32>, label: &str) -> CodeLocation {
    let location = Location {
        file: "src/lib.rs".into(),
        line,
        column: columns.start,
        end_line: line,
        end_column: columns.end,
        label: label.into(),
    };
    CodeLocation { location, own: true, in_test: false }
}

fn lost_error() -> Finding {
    let draft = Draft {
        property: "lost-error".into(),
        level: Level::Error,
        proof: Proof::Observed,
        message: "the error of the task spawned in `Journal::append` is lost".into(),
        test: "it::records".into(),
        witness: Witness {
            state: "lost".into(),
            events: vec![WitnessEvent {
                event: "finish".into(),
                task: "the task spawned in `Journal::append`".into(),
                object: None,
                arguments: Vec::new(),
                time: 1200,
                site: Some("src/lib.rs:6:9".into()),
            }],
            omitted: 0,
            derivation: Vec::new(),
            tail: Vec::new(),
            locks: Vec::new(),
        },
        next: NextStep {
            advice: "keep the JoinHandle and await it".into(),
            command: "cargo rvcheck test --test it -- --exact records".into(),
        },
    };
    let primary = place(6, 9..21, "task spawned here");
    let mut found =
        finding(draft, &[primary], &[place(16, 9..25, "the error arises here")]).expect("it has a place");
    found.occurrences = 3;
    found
}

/// A report with one finding, three properties and something that was unmonitored.
pub(crate) fn sample() -> Report {
    let property = |id: &str, verdict, units: Vec<UnitVerdict>| PropertyReport {
        id: id.into(),
        title: format!("What {id} demands"),
        level: Level::Error,
        verdict,
        units,
        sites: SiteCount::of(1, 0),
        events: 12,
        reasons: BTreeMap::new(),
        elsewhere: 0,
        notes: 0,
        live: None,
    };
    let unit = |test: &str, verdict| UnitVerdict {
        test: test.into(),
        verdict,
        bindings: 2,
        exercised: 2,
        witness: Vec::new(),
    };
    let mut report = Report::empty("0123abcd");
    report.tool = "rvcheck 0.0.0".into();
    report.findings = vec![lost_error()];
    report.properties = vec![
        property(
            "lost-error",
            Verdict::Violated,
            vec![unit("it::records", Verdict::Violated), unit("it::flushes", Verdict::Held)],
        ),
        property("panic-as-result", Verdict::Held, vec![unit("it::records", Verdict::Held)]),
        property("semaphore", Verdict::NotExercised, Vec::new()),
    ];
    report.unmonitored = vec![Unmonitored {
        file: "src/raw.rs".into(),
        line: 3,
        column: None,
        reason: "the edit did not compile".into(),
    }];
    report.run = RunReport {
        tests: TestCount { passed: 2, ignored: 1, ..TestCount::default() },
        sites: SiteCount::of(9, 1),
        events: 128,
        units: 2,
        processes: 1,
        trace_bytes: 8192,
        seconds: 0.25,
        ..RunReport::default()
    };
    report.excerpts = Excerpts::of(&report.findings, |file| (file == "src/lib.rs").then_some(SOURCE));
    report
}

fn rendered(format: Format, report: &Report) -> String {
    let mut out = Vec::new();
    format.render(report, &mut out, Style::PLAIN).expect("a vector takes everything");
    String::from_utf8(out).expect("renderers write UTF-8")
}

#[test]
fn a_folder_of_pages_has_the_findings_of_this_report_only() {
    let guard = tempfile::tempdir().expect("there is room for a folder");
    let folder = camino::Utf8Path::from_path(guard.path()).expect("its name is Unicode").join("pages");
    let mut report = sample();
    report.findings.push(Finding { message: "<script>another</script>".into(), ..lost_error() });
    html::write_pages(&report, &folder).expect("it can be written");
    std::fs::write(folder.join("finding-of-mine.html"), "").expect("it can be written");
    report.findings[0].suppressed = true;
    html::write_pages(&report, &folder).expect("it can be written again");
    let entries = folder.read_dir_utf8().expect("it is there").map(|it| it.expect("it can be read"));
    let mut names: Vec<String> = entries.map(|it| it.file_name().to_owned()).collect();
    names.sort();
    assert_eq!(names, ["finding-1.html", "finding-of-mine.html", "index.html"]);
    let page = std::fs::read_to_string(folder.join("finding-1.html")).expect("it can be read");
    assert!(page.contains("<h1>&lt;script&gt;another&lt;/script&gt;</h1>"));
    assert!(page.contains("tokio::spawn(async move {"), "the lines around the place are quoted");
    let index = std::fs::read_to_string(folder.join("index.html")).expect("it can be read");
    assert!(index.contains("href=\"finding-1.html\"") && index.contains("1 more are allowed"));
}

#[test]
fn one_document_has_the_index_and_all_findings() {
    let page = rendered(Format::Html, &sample());
    assert!(page.contains("href=\"#finding-1\"") && page.contains("id=\"finding-1\""));
    assert_eq!(page.matches("<html").count(), 1);
}

#[test]
fn a_person_sees_the_place_the_reason_and_what_to_do() {
    insta::assert_snapshot!(rendered(Format::Human, &sample()));
}

#[test]
fn without_the_source_the_places_are_still_named() {
    let report = Report { excerpts: Excerpts::default(), ..sample() };
    insta::assert_snapshot!(rendered(Format::Human, &report));
}

#[test]
fn the_last_line_counts_what_is_open_and_what_is_allowed() {
    let last = |suppressed: &[bool]| {
        let mut report = sample();
        report.findings = suppressed.iter().map(|it| Finding { suppressed: *it, ..lost_error() }).collect();
        let text = rendered(Format::Human, &report);
        text.lines().last().unwrap_or_default().to_owned()
    };
    let cases: [(&[bool], &str); 4] = [
        (&[], "no findings"),
        (&[false, false], "2 errors"),
        (&[true], "no findings; 1 allowed"),
        (&[false, true, true], "1 error; 2 allowed"),
    ];
    for (suppressed, expected) in cases {
        assert_eq!(last(suppressed), expected);
    }
}

#[test]
fn what_only_the_source_shows_is_not_violated() {
    let mut report = sample();
    let row = &mut report.properties[0];
    row.verdict = Verdict::Found;
    row.units.iter_mut().for_each(|it| it.verdict = Verdict::Held);
    let text = rendered(Format::Human, &report);
    assert!(text.contains("\n  found          lost-error       in the source; tests: "), "{text}");
}

#[test]
fn a_property_with_notes_says_how_many() {
    let mut report = sample();
    let row = &mut report.properties[0];
    (row.verdict, row.notes) = (Verdict::Held, 2);
    row.units.iter_mut().for_each(|it| it.verdict = Verdict::Held);
    let text = rendered(Format::Human, &report);
    assert!(text.contains("\n  held           lost-error       tests: "), "{text}");
    assert!(text.contains(" exercised instances; 2 notes\n"), "{text}");
    let text = rendered(Format::Markdown, &report);
    assert!(text.contains("| `lost-error` | held, 2 notes |"), "{text}");
}

#[test]
fn the_short_form_is_one_line_a_finding() {
    insta::assert_snapshot!(
        rendered(Format::Short, &sample()),
        @r"
    src/lib.rs:6:9: error[lost-error] the error of the task spawned in `Journal::append` is lost
    src/raw.rs:3: unmonitored: the edit did not compile
    "
    );
}

#[test]
fn the_json_form_has_the_fields_of_the_schema() {
    insta::assert_snapshot!(rendered(Format::Json, &sample()));
}

#[test]
fn the_form_for_code_scanning_has_a_rule_for_each_property_and_relative_places() {
    let report = Report { workspace: "services/bank/".into(), ..sample() };
    let mut sarif: Value = serde_json::from_str(&rendered(Format::Sarif, &report)).expect("it is JSON");
    // The pages of the library are long, and tested as pages.
    for rule in sarif.pointer_mut("/runs/0/tool/driver/rules").and_then(Value::as_array_mut).expect("a list")
    {
        let help = rule["help"]["markdown"].as_str().expect("each rule has help").to_owned();
        assert!(help.contains(rule["id"].as_str().expect("it has an id")), "{help}");
        rule["help"] = "…".into();
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&sarif).expect("it is JSON"));
}

#[test]
fn the_form_for_ci_services_has_a_case_for_each_property_and_test() {
    insta::assert_snapshot!(rendered(Format::Junit, &sample()));
}

#[test]
fn notes_and_suppressed_findings_fail_no_case() {
    for change in [|it: &mut Finding| it.level = Level::Note, |it: &mut Finding| it.suppressed = true] {
        let mut report = sample();
        change(&mut report.findings[0]);
        let xml = rendered(Format::Junit, &report);
        assert!(xml.contains(r#"failures="0""#) && !xml.contains("<failure"), "{xml}");
    }
}

#[test]
fn a_failed_build_is_an_error_of_its_own() {
    let xml = rendered(Format::Junit, &Report::of_failed_build("", true, vec!["it is <broken>".into()]));
    assert!(xml.contains("<error message=\"it is &lt;broken&gt;\"/>"), "{xml}");
}

#[test]
fn annotations_name_the_place_in_the_repository() {
    let report = Report { workspace: "services/bank/".into(), ..sample() };
    insta::assert_snapshot!(rendered(Format::Github, &report));
}

#[test]
fn github_is_given_no_more_annotations_than_it_shows() {
    let mut report = sample();
    let of_level = |level, count| std::iter::repeat_n(Finding { level, ..lost_error() }, count);
    report.findings = of_level(Level::Error, 12).chain(of_level(Level::Warning, 3)).collect();
    let text = rendered(Format::Github, &report);
    let lines = |start: &str| text.lines().filter(|it| it.starts_with(start)).count();
    assert_eq!((lines("::error file"), lines("::warning file")), (10, 3));
    assert!(text.contains("::error::2 more errors not shown here"), "{text}");
}

#[test]
fn the_job_summary_is_a_table_of_findings_and_one_of_properties() {
    insta::assert_snapshot!(rendered(Format::Markdown, &sample()));
}

/// Fails unless `docs/schema/<name>` has this text. With `SNAPSHOTS=overwrite` in the environment it is brought up to date instead.
#[track_caller]
pub(crate) fn assert_committed(schema: &str, name: &str) {
    let path = camino::Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schema").join(name);
    if std::env::var("SNAPSHOTS").as_deref() == Ok("overwrite") {
        std::fs::write(&path, schema).expect("it can be written");
    }
    let committed = std::fs::read_to_string(&path).expect("it is there");
    assert!(schema == committed, "{path} is another; SNAPSHOTS=overwrite writes it again");
}

#[test]
fn the_committed_schema_is_that_of_the_types() {
    let mut schema = Vec::new();
    schema::render_schema(&mut schema).expect("a vector takes everything");
    let schema = String::from_utf8(schema).expect("it is a text");
    assert_committed(&schema, "report.json");
}

#[test]
fn a_report_is_valid_by_the_committed_schema_and_another_value_is_not() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../docs/schema/report.json")).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let value = |report: &Report| serde_json::to_value(report).expect("a report is JSON");
    for report in [Report::empty("x"), sample()] {
        validator.validate(&value(&report)).expect("it is valid");
    }
    let mut broken = value(&sample());
    broken["findings"][0]["level"] = "fatal".into();
    assert!(!validator.is_valid(&broken));
}

#[test]
fn json_without_the_later_fields_is_still_a_report() {
    let report = sample();
    let mut json = serde_json::to_value(&report).expect("a report is JSON");
    for later in ["build", "units", "inconclusive", "notes", "processes", "trace_bytes", "seconds"] {
        let removed =
            json.pointer_mut("/run").and_then(Value::as_object_mut).and_then(|run| run.remove(later));
        assert!(removed.is_some(), "{later} is a field");
    }
    let read: Report = serde_json::from_value(json).expect("the rest is enough");
    assert_eq!(read.findings, report.findings);
}

#[test]
fn a_stored_report_renders_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let folder = camino::Utf8Path::from_path(folder.path()).expect("its name is UTF-8");
    let report = sample();
    stored::write(&report, folder).expect("it can be written");
    assert_eq!(stored::read(folder).expect("it can be read"), report);
}

#[test]
fn a_suppressed_finding_is_in_the_json_only() {
    let mut report = sample();
    report.findings[0].suppressed = true;
    assert!(!rendered(Format::Short, &report).contains("lost-error"));
    assert!(rendered(Format::Human, &report).contains("no findings"));
    assert!(rendered(Format::Json, &report).contains("\"suppressed\": true"));
}

#[test]
fn the_worst_of_several_reasons_decides_the_exit_code() {
    let gate = Gate { fail_on: Level::Warning, allow_empty: false, strict: false };
    let mut report = Report::empty("");
    let mut expect = |change: &dyn Fn(&mut Report), code: u8, why: &str| {
        change(&mut report);
        assert_eq!(report.exit_code(gate), code, "{why}");
    };
    // Each line adds a reason that goes before all of those above it.
    expect(&|_| (), 3, "nothing was checked");
    expect(&|it| it.run.units = 1, 3, "there are no sites");
    expect(&|it| it.run.concurrent = 1, 0, "what has no site is seen in the source");
    expect(&|it| it.run.concurrent = 0, 3, "there is nothing in the source either");
    expect(&|it| it.run.sites = SiteCount::of(1, 0), 0, "a unit and a site");
    expect(
        &|it| it.findings = vec![Finding { level: Level::Note, ..lost_error() }],
        0,
        "a note is below the gate",
    );
    expect(&|it| it.run.dropped = 1, 6, "records were lost");
    expect(&|it| it.findings[0].level = Level::Warning, 10, "a warning is at the gate");
    expect(&|it| it.run.tests.failed_plainly = 1, 4, "a test fails plainly");
    expect(&|it| it.run.tests.failed_under_tool = 1, 5, "a test fails under the tool");
}

#[test]
fn each_reason_alone_has_its_exit_code() {
    let gate = Gate { fail_on: Level::Error, allow_empty: false, strict: false };
    let checked = || {
        let mut report = Report::empty("");
        report.run.units = 1;
        report.run.sites = SiteCount::of(1, 0);
        report
    };
    let code = |change: fn(&mut Report)| {
        let mut report = checked();
        change(&mut report);
        report.exit_code(gate)
    };
    assert_eq!(code(|it| it.run.units = 0), 3);
    assert_eq!(code(|it| it.run.sites = SiteCount::of(4, 4)), 3);
    assert_eq!(code(|it| it.run.sites = SiteCount::of(4, 3)), 0);
    assert_eq!(code(|it| it.run.truncated = true), 6);
    assert_eq!(code(|it| it.run.inconclusive = true), 6);
    assert_eq!(code(|it| it.run.build = BuildOutcome::FailedPlainly), 4);
    assert_eq!(code(|it| it.run.build = BuildOutcome::FailedUnderTool), 5);
    assert_eq!(code(|it| it.findings = vec![Finding { level: Level::Warning, ..lost_error() }]), 0);
    assert_eq!(code(|it| it.findings = vec![Finding { suppressed: true, ..lost_error() }]), 0);
    assert_eq!(code(|it| it.findings = vec![lost_error()]), 10);
    let odd = |level| Finding { property: crate::finding::SUPPRESSION.into(), level, ..lost_error() };
    let mut stale = checked();
    stale.findings = vec![odd(Level::Note)];
    assert_eq!(stale.exit_code(gate), 0);
    assert_eq!(stale.exit_code(Gate { strict: true, ..gate }), 12);
    assert_eq!(Report::empty("").exit_code(Gate { allow_empty: true, ..gate }), 0);
}
