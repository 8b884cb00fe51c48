//! Lifestates of runs: the functions that rules name are observed, violations are found, and other orders are predicted from the trace.

use std::collections::BTreeMap;

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

/// A window whose button starts a task.
const PROGRAM: &str = r#"
use std::cell::Cell;

#[derive(Default)]
pub struct Task {
    running: Cell<bool>,
}

impl Task {
    pub fn execute(&self, priority: u8) -> Result<u8, String> {
        if self.running.replace(true) { Err("it is running".into()) } else { Ok(priority) }
    }
}

#[derive(Default)]
pub struct Window {
    task: Task,
}

impl Window {
    pub fn on_create(&self) {}

    pub fn on_click(&self, button: u32) -> u32 {
        let _ = self.task.execute(1);
        button
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_click() {
        let window = Window::default();
        window.on_create();
        window.on_click(7);
    }

    #[test]
    fn two_clicks() {
        let window = Window::default();
        window.on_create();
        window.on_click(7);
        window.on_click(7);
    }
}
"#;

const MODEL: &str = r#"schema = 1

[[property]]
id = "executed-once"
logic = "lifestate"
rules = [
  "_*; ci Task::execute(t, _)             |- ci Task::execute(t, _)",
  "true                                   |- cb Window::on_click(w, _)",
  "_*; cbret _ = Window::on_create(w)     |+ cb Window::on_click(w, _)",
  "_*; ciret ::Err = Task::execute(t, _)  |- cbret 8 = Window::on_click(_, 8)",
]
message = "{t} is executed twice"
"#;

#[test]
fn functions_that_rules_name_are_messages_of_a_run() {
    let fixture = Fixture::sample(&[("src/lib.rs", PROGRAM), ("specs/model.toml", MODEL)]).with_own_target();
    let run = fixture.test(&[]).expect(10);
    let properties = run.report()["properties"].as_array().expect("they are a list");
    let property = properties.iter().find(|it| it["id"] == "executed-once").expect("it is there");
    let verdict = |test: &str| {
        let units = property["units"].as_array().expect("they are a list");
        let of_test = |name: &str| name.ends_with(test);
        let unit = units.iter().find(|it| it["test"].as_str().is_some_and(of_test));
        unit.map(|it| it["verdict"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(verdict("one_click").as_deref(), Some("held"), "{}", run.human());
    assert_eq!(verdict("two_clicks").as_deref(), Some("violated"), "{}", run.human());
    let said = run.human();
    for part in ["is executed twice", "is prohibited by rule 1", "src/lib.rs:10"] {
        assert!(said.contains(part), "{part} in {said}");
    }

    let runs = fixture.target().join("rvcheck/runs");
    let mut folders: Vec<_> =
        runs.read_dir().expect("there are runs").map(|it| it.expect("an entry").path()).collect();
    folders.retain(|it| it.join("recorded.json").is_file());
    let folder = folders[0].to_str().expect("UTF-8");
    let model = fixture.path().join("specs/model.toml");
    let model = model.to_str().expect("UTF-8");
    let predicted = fixture.run(&["predict", "--model", model, folder]);
    let said = &predicted.stderr;
    for part in ["1 violated, 1 predicted", "what may happen", "✗ ci Task::execute(Task#"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let validated = fixture.run(&["validate", model, folder]);
    assert!(validated.stderr.contains("valid prefixes"), "{}", validated.stderr);
    assert!(!validated.stderr.contains("refuted"), "{}", validated.stderr);
}

#[test]
fn a_rule_that_names_no_function_is_an_error_with_a_guess() {
    let model = MODEL.replace("Window::on_create", "Window::on_created");
    let fixture = Fixture::sample(&[("src/lib.rs", PROGRAM), ("specs/model.toml", &model)]);
    let run = fixture.run(&["list", "sites"]).expect(2);
    for part in
        ["is called `Window::on_created`", "did you mean `Window::on_create`?", "specs/model.toml:", "^"]
    {
        assert!(run.stderr.contains(part), "{part} in {}", run.stderr);
    }
}

#[test]
fn a_call_that_a_rule_prohibits_does_not_happen_where_the_lifestate_stops_the_program() {
    let model = MODEL.replace("logic =", "on_violation = \"stop\"\nlogic =");
    let files = [("src/lib.rs", PROGRAM), ("specs/model.toml", &model)];
    let fixture = Fixture::sample(&files).with_monitors();
    let run = fixture.test(&[]).expect(10);
    let tests = &run.report()["run"]["tests"];
    assert_eq!((&tests["stopped"], &tests["passed"]), (&1.into(), &1.into()), "{}", run.human());
}

#[test]
fn what_another_order_of_calls_violates_is_made_to_happen() {
    let fixture = Fixture::tree("rearranged");
    for test in ["a_task_writes_what_another_one_opens", "a_thread_writes_what_another_one_closes"] {
        let args = ["--confirm-budget", "10m", "--", "--exact", test];
        // On a busy machine the threads may race by themselves.
        let is_observed = |it: &Run| it.report()["findings"][0]["proof"] == "observed";
        let run = (0..5).map(|_| fixture.test(&args).expect(10)).find(|it| !is_observed(it));
        let run = run.expect("it passes plainly as a rule");
        let findings = run.report()["findings"].as_array().expect("it is a list");
        let [finding] = &findings[..] else { panic!("{}", run.human()) };
        assert_eq!(finding["message"], "Ledger#1 is written to, and not open");
        assert_eq!((&finding["level"], &finding["proof"]), (&"error".into(), &"confirmed".into()));
        // The test itself has passed, and breaks the rule again by the schedule.
        assert_eq!(run.report()["run"]["tests"]["passed"], 1);
        let command = finding["next"]["command"].as_str().expect("it is a text");
        let words: Vec<&str> = command.split(' ').skip(3).collect();
        let again = fixture.test(&words).expect(10);
        assert!(again.human().contains("is written to, and not open"), "{}", again.human());
    }
    let kept = ["a_task_writes_when_it_is_told", "a_thread_closes_when_all_have_written"];
    let run = fixture.test(&[&["--", "--exact"][..], &kept].concat()).expect(0);
    assert_eq!(run.report()["findings"], serde_json::json!([]), "{}", run.human());
    // So they are where everything is tried that there is.
    let explored = ["--schedules", "100", "--", "--exact"];
    let run = fixture.reporting("explore", &[&explored[..], &kept].concat()).expect(0);
    assert_eq!(run.report()["findings"], serde_json::json!([]), "{}", run.human());
}

/// By property and test: the verdicts of a run of a tree.
fn verdicts(run: &Run, property: &str) -> BTreeMap<String, String> {
    let properties = run.report()["properties"].as_array().expect("they are a list");
    let property = properties.iter().find(|it| it["id"] == property).unwrap_or_else(|| panic!("{property}"));
    let units = property["units"].as_array().expect("they are a list");
    let text = |it: &Value| it.as_str().expect("it is a text").to_owned();
    units.iter().map(|it| (text(&it["test"]), text(&it["verdict"]))).collect()
}

/// Where the traces of a tree's tests are.
fn traces(fixture: &Fixture) -> String {
    let runs = fixture.target().join("rvcheck/runs");
    let mut folders: Vec<_> =
        runs.read_dir().expect("there are runs").map(|it| it.expect("an entry").path()).collect();
    folders.retain(|it| it.join("recorded.json").is_file());
    folders[0].to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_call_that_the_library_refuses_is_a_violation_and_who_calls_is_known() {
    let fixture = Fixture::tree("boundary").with_own_target();
    let run = fixture.test(&[]).expect(10);
    let said = run.human();
    assert_eq!(run.report()["run"]["tests"]["failed"], 0, "{said}");
    assert_eq!(run.report()["unmonitored"].as_array().map(Vec::len), Some(0), "{said}");
    for property in ["refused", "clicked", "named"] {
        let wanted = format!("{property}_violated");
        for (test, verdict) in verdicts(&run, property) {
            let is_violated = test.contains(&wanted);
            assert_eq!(verdict == "violated", is_violated, "{property}: {test} is {verdict}\n{said}");
        }
    }
    // A call that a rule prohibits is told of once, also where the library refuses it.
    let findings = run.report()["findings"].as_array().expect("they are a list");
    let of_rule: Vec<&Value> = findings
        .iter()
        .filter(|it| it["test"].as_str().is_some_and(|it| it.ends_with("a_rule_and_a_panic")))
        .filter(|it| it["property"] == "refused")
        .collect();
    let mut states: Vec<&str> = of_rule.iter().filter_map(|it| it["witness"]["state"].as_str()).collect();
    states.sort_unstable();
    assert_eq!(states, ["prohibited", "refused"], "{of_rule:#?}");
    for part in [
        "the call is `dis ci Button::check(",
        "it panicked",
        "the call is `dis ci Button::strict(",
        "the call is `dis ci starts(10, _)`: it returned `Err`",
        "`ci starts(7, _)` is prohibited by rule 1",
        "the model is too weak there",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }

    let folder = traces(&fixture);
    let model = fixture.path().join("specs/own.toml");
    let model = model.to_str().expect("UTF-8");
    let validated = fixture.run(&["validate", model, &folder]);
    let rows: Vec<&str> = validated.stderr.lines().filter(|it| it.contains("refused: `cb ")).collect();
    assert!(
        matches!(*rows, [row] if row.contains("clicked_refuted_where_nobody_knows_who_calls")),
        "{}",
        validated.stderr
    );
}

#[test]
fn what_is_no_library_is_an_error_with_a_guess() {
    let fixture = Fixture::tree("boundary");
    let cases = [
        ("boundary::toolkit\"]", "boundary::toolkits\"]", "is called `boundary::toolkits`"),
        ("boundary::toolkit\"]", "boundry\"]", "is called `boundry`"),
        ("boundary::toolkit\"]", "boundary::tool kit\"]", "`tool kit` is no name of a path"),
        ("library =", "libary =", "unknown key `libary`"),
    ];
    for (from, to, message) in cases {
        fixture.edit("specs/own.toml", from, to);
        let run = fixture.run(&["list", "sites"]).expect(2);
        for part in [message, "specs/own.toml:2:", "^"] {
            assert!(run.stderr.contains(part), "{part} in {}", run.stderr);
        }
        let is_guess = message.contains("called") || message.contains("unknown");
        assert!(!is_guess || run.stderr.contains("did you mean"), "{}", run.stderr);
        fixture.edit("specs/own.toml", to, from);
    }
}

#[test]
fn what_libraries_call_is_a_callback_also_a_service_a_future_and_a_destructor() {
    let fixture = Fixture::tree("callbacks");
    let run = fixture.test(&[]).expect(10);
    let said = run.human();
    assert_eq!(run.report()["run"]["tests"]["failed"], 0, "{said}");
    assert_eq!(run.report()["unmonitored"].as_array().map(Vec::len), Some(0), "{said}");
    let expected = [
        ("ready-first", "tower_calls_a_service", "held"),
        ("polled-once", "tokio_polls_a_future", "violated"),
        ("never-dropped", "tokio_drops_a_guard", "violated"),
    ];
    for (property, test, verdict) in expected {
        for (unit, found) in verdicts(&run, property) {
            // What the program calls itself is no callback.
            let wanted = if unit.ends_with(test) { verdict } else { "not-exercised" };
            assert_eq!(found, wanted, "{property}: {unit}\n{said}");
        }
    }
}
