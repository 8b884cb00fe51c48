//! The outputs that the READMEs quote are those of the tool, and the examples' own snapshots are up to date.
//!
//! With `SNAPSHOTS=overwrite` in the environment both are brought up to date instead.

use std::collections::BTreeSet;
use std::path::Path;

use rvcheck_tests::guide::assert_shown;
use rvcheck_tests::{Fixture, Run, repository};

/// The text with the fenced block of a report: what stands before it, the block, and what follows.
fn quoted(readme: &str) -> (&str, &str, &str) {
    let at = readme.find("\nproperties\n").expect("the README quotes a report");
    let start =
        readme[..=at].rfind("```text\n").expect("the quotation begins with a fence") + "```text\n".len();
    let end = at + readme[at..].find("```").expect("the quotation ends with a fence");
    (&readme[..start], &readme[start..end], &readme[end..])
}

/// The example's own snapshot.
const SNAPSHOT: &str = "rvcheck/snapshots/report.snap";

fn overwrites() -> bool {
    std::env::var("SNAPSHOTS").as_deref() == Ok("overwrite")
}

/// The report for a person on this example. The tests have a target folder of their own.
fn report(example: &str, code: i32) -> String {
    let fixture = Fixture::example(example);
    let mut run = fixture.test(&[]).expect(code);
    if fixture.path().join(format!("{SNAPSHOT}.new")).exists() {
        assert!(overwrites(), "the snapshot of `{example}` is not what the tool answers:\n{}", run.stderr);
        fixture.run(&["accept"]).expect(0);
        let kept = repository().join("examples").join(example).join(SNAPSHOT);
        std::fs::copy(fixture.path().join(SNAPSHOT), kept).expect("the snapshot can be written");
        run = fixture.test(&[]).expect(code);
    }
    run.human().replace(&fixture.target().display().to_string(), "target")
}

/// Without what differs from run to run: times, sizes, and how often a scheduler does what.
fn lasting(report: &str) -> String {
    let mut lines = Vec::new();
    for line in report.trim_end().lines() {
        lines.push(match line.trim_start() {
            it if it.starts_with("cost: ") => "cost: …",
            it if it.contains(" runs of ") && it.ends_with(" a second") => "runs: …",
            _ => line.trim_end(),
        });
    }
    lines.join("\n")
}

#[track_caller]
fn check(readme: &Path, human: &str) {
    let text = std::fs::read_to_string(readme).expect("there is a README");
    let (before, block, after) = quoted(&text);
    if lasting(block) == lasting(human) {
        return;
    }
    if overwrites() {
        std::fs::write(readme, format!("{before}{}\n{after}", human.trim_end()))
            .expect("the README can be written");
        return;
    }
    snapbox::assert_data_eq!(lasting(human), lasting(block));
}

#[test]
fn the_report_on_each_example_is_the_one_in_its_readme() {
    for (example, code) in [("bank", 10), ("clean", 0), ("shop", 10)] {
        check(&repository().join("examples").join(example).join("README.md"), &report(example, code));
    }
}

#[test]
fn what_exploring_finds_in_the_box_office_is_in_its_readme() {
    let fixture = Fixture::example("box-office");
    // Another desk comes between the check and the act.
    let tested = fixture.test(&[]).expect(10);
    assert!(tested.human().contains("this acts on a check that may be out of date"), "{}", tested.human());
    // With one run after another, the first schedule that fails is always the same.
    let words = ["explore", "--schedules", "100", "--jobs", "1", "--confirm-budget", "0"];
    let run = fixture.run(&words).expect(10);
    let human = run.human().replace(&fixture.target().display().to_string(), "target");
    let (_, found) = human.split_once("\nerror[").expect("there is a finding");
    check(&repository().join("examples/box-office/README.md"), &format!("error[{found}"));
}

#[test]
fn what_a_second_click_would_do_is_in_the_readme_of_the_button() {
    let fixture = Fixture::example("button");
    fixture.test(&["--", "--test-threads=1"]).expect(0);
    let run = last_run(&fixture);
    let predicted = fixture.run(&["predict", "--model", "specs/button.toml", &run]).expect(0);
    let (_, found) = predicted.stderr.split_once("note[").expect("something is predicted");
    // The objects of the two tests have one address, or two.
    let found = found.replace("Remover#2", "Remover#1");
    check(&repository().join("examples/button/README.md"), &format!("note[{found}"));
    // The model agrees with all that was seen.
    let validated = fixture.run(&["validate", "specs/button.toml", &run]).expect(0);
    assert_eq!(validated.stderr.matches(" valid\n").count(), 2, "{}", validated.stderr);
    // So do the models of what is built in: those of two tests each, and of the process for channels and signals.
    for (model, valid) in [("lifecycle/tokio", 2 * 3), ("lifestate/tokio", 2 * 6 + 2), ("lifestate/drop", 2)]
    {
        let model = repository().join(format!("specs/lib/models/callbacks/{model}.toml"));
        let validated = fixture.run(&["validate", &model.display().to_string(), &run]).expect(0);
        assert_eq!(validated.stderr.matches(" valid\n").count(), valid, "{}", validated.stderr);
    }
}

/// The folder of the last run of the tests.
fn last_run(fixture: &Fixture) -> String {
    let root = format!("\"workspace_root\": {:?}", fixture.path().display().to_string());
    let runs = fixture.target().join("rvcheck/runs").read_dir().expect("there are runs");
    let folders = runs.map(|it| it.expect("an entry").path());
    let own = folders.filter(|it| {
        std::fs::read_to_string(it.join("recorded.json")).is_ok_and(|recorded| recorded.contains(&root))
    });
    let number = |it: &std::path::PathBuf| it.file_name()?.to_str()?.parse::<u64>().ok();
    own.max_by_key(number).expect("it was run").display().to_string()
}

#[test]
fn the_shop_has_a_property_of_its_own_with_each_verdict() {
    let fixture = Fixture::example("shop");
    // The short form of libtest's output does not say which tests are to panic.
    for args in [&[][..], &["--", "--quiet"]] {
        let run = fixture.test(args).expect(10);
        let properties = run.report()["properties"].as_array().expect("there are properties");
        for (id, verdict) in [
            ("one-lock", "violated"),
            ("let-in", "inconclusive"),
            ("delivered", "held"),
            ("nothing-missed", "not-exercised"),
        ] {
            let found = properties.iter().find(|it| it["id"] == id).map(|it| &it["verdict"]);
            assert_eq!(found, Some(&verdict.into()), "{id}");
        }
        assert_eq!(run.report()["run"]["inconclusive"], false);
    }
}

#[test]
fn grammars_hold_in_the_sessions_of_the_replication_and_stop_each_clause_that_is_broken() {
    let readme = repository().join("examples/replication/README.md");
    let text = std::fs::read_to_string(&readme).expect("there is a README");
    let fixture = Fixture::example("replication").with_monitors();
    let sessions = fixture.test(&[]).expect(0);
    // Before that may stand how many schedules are tried, which depends on what the run has shown.
    let (_, report) = sessions.human().split_once("properties\n").expect("there are properties");
    check(&readme, &format!("properties\n{report}"));
    let broken = fixture.test(&["--test", "broken"]).expect(10);
    let passed = &broken.report()["run"]["tests"]["passed"];
    // Each test asserts that the forbidden call had no effect.
    assert_eq!(broken.report()["run"]["tests"]["failed"], 0, "{}", broken.human());

    let property = |run: &Run, id: &str| {
        let all = run.report()["properties"].as_array().expect("they are a list");
        all.iter().find(|it| it["id"] == id).expect("it is there").clone()
    };
    let clauses: Vec<&str> = text
        .lines()
        .filter_map(|it| it.strip_suffix("` |")?.rsplit_once("| `"))
        .map(|it| it.1)
        .filter(|it| it.contains("::") && it.contains('_'))
        .collect();
    assert_eq!(passed, clauses.len(), "{clauses:?}");
    for (view, messages) in [("session", 6), ("scheduling", 5)] {
        let found = property(&broken, view);
        let units = found["units"].as_array().expect("they are a list");
        let violated: BTreeSet<&str> = units
            .iter()
            .filter(|it| it["verdict"] == "violated")
            .filter_map(|it| it["test"].as_str()?.strip_prefix("broken::"))
            .collect();
        let own: BTreeSet<&str> = clauses.iter().copied().filter(|it| it.starts_with(view)).collect();
        assert_eq!(violated, own, "{view}");
        let (count, held) = (own.len(), property(&sessions, view));
        assert_eq!(held["verdict"], "held");
        let row = format!(
            "| `{view}` | {messages} | {count} | {count} | {count} | {} | {} |",
            found["events"], held["events"]
        );
        assert!(text.contains(&row), "the README does not say\n{row}");
    }
    let shown = text.rsplit("```text\n").next().and_then(|it| it.split("```").next());
    assert_shown(broken.human(), shown.expect("the README shows a finding"));
}

#[test]
fn the_finding_of_the_readme_is_one_of_the_bank() {
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("there is a README");
    let shown = readme.split("```text\n").nth(1).and_then(|it| it.split("```").next());
    assert_shown(&report("bank", 10), shown.expect("the README shows a finding"));
}

#[test]
fn the_lines_that_the_bank_speaks_of_are_where_its_readme_says() {
    let folder = repository().join("examples/bank");
    let readme = std::fs::read_to_string(folder.join("README.md")).expect("there is a README");
    let source = std::fs::read_to_string(folder.join("src/lib.rs")).expect("there is a library");
    let mut checked = 0;
    for row in readme.lines().filter(|line| line.starts_with("| `src/lib.rs:")) {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let line: usize =
            cells[1].rsplit(':').next().and_then(|it| it.parse().ok()).expect("a place has a line");
        let text = source.lines().nth(line - 1).expect("the file has the line");
        assert!(text.contains(cells[2]), "line {line} is {text:?}");
        checked += 1;
    }
    assert_eq!(checked, 4);
}
