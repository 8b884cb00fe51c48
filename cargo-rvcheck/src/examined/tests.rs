//! Files in, findings out.

use super::*;
use crate::report::Style;
use crate::specs::{files, library, read};

fn of(text: &str) -> Examined {
    let files = vec![("my.toml".to_owned(), text.to_owned())];
    let specs = read(&files);
    examined(files, &specs, |_| true)
}

fn shown(text: &str) -> String {
    let mut out = Vec::new();
    render_human(&of(text), &mut out, Style::PLAIN).expect("there is room");
    String::from_utf8(out).expect("it is text")
}

/// A file with an oddity of each kind that a formula can have.
const ODD: &str = r#"schema = 1

[events]
grant = ["who: task"]
spare = []

[fluent.busy]
params = ["t: task"]
from = "event start(t)"
to = "event finish(t)"

[[property]]
id = "held"
logic = "ltl"
formula = """
forall t: task, l: lock .
  G (acquire(t, l) -> !holds(t, l))"""

[[property]]
id = "always"
logic = "ltl"
formula = "G (grant(_) -> true)"

[[property]]
id = "late"
logic = "ltl"
formula = "G (poll(_) -> F[0s,1s] suspend(_))"
"#;

#[test]
fn findings_are_shown_with_their_lines_and_properties_with_how_they_are_decided() {
    snapbox::assert_data_eq!(
        shown(ODD),
        r#"note[unused]: no property of this file uses the event `spare`
 --> my.toml:5:1
  |
5 | spare = []
  | ^^^^^
  |
  = help: leave it out, or name it in a property

note[unused]: no property of this file uses the fluent `busy`
 --> my.toml:7:9
  |
7 | [fluent.busy]
  |         ^^^^
  |
  = help: leave it out, or name it in a property

warning[vacuous]: held: `!holds(t, l)` cannot matter: the formula says the same with `false`
  --> my.toml:17:23
   |
17 |   G (acquire(t, l) -> !holds(t, l))"""
   |                       ^^^^^^^^^^^^
   |
   = help: leave it out, or say what is meant by it

error[tautological]: always: this is true of every trace
  --> my.toml:22:12
   |
22 | formula = "G (grant(_) -> true)"
   |            ^^^^^^^^^^^^^^^^^^^^
   |
   = help: nothing can violate it: some part says less than it seems to

properties
  held    ltl  safety                2 states  stepped
  always  ltl  safety and co-safety  1 state   stepped
  late    ltl                                  decided when the test is over: it has an operator with an interval

1 error, 1 warning, 2 notes
"#
    );
}

#[test]
fn the_exit_code_tells_errors_from_oddities() {
    let cases = [
        (ODD.to_owned(), Level::Error, ExitCode::Findings),
        (ODD.replace("-> true", "-> F poll(_)"), Level::Error, ExitCode::Clean),
        (ODD.replace("-> true", "-> F poll(_)"), Level::Warning, ExitCode::Findings),
        (ODD.replace("-> true", "-> F pol(_)"), Level::Error, ExitCode::Usage),
        ("schema = 1\n".to_owned(), Level::Error, ExitCode::NothingChecked),
    ];
    for (text, fail_on, code) in cases {
        assert_eq!(of(&text).exit_code(fail_on, false), code, "{text}");
    }
    assert_eq!(of("schema = 1\n").exit_code(Level::Error, true), ExitCode::Clean);
}

#[test]
fn the_json_form_has_places_and_classes() {
    let mut out = Vec::new();
    render_json(&of(ODD), &mut out).expect("there is room");
    let json: serde_json::Value = serde_json::from_slice(&out).expect("it is JSON");
    assert_eq!(json["schema"], "rvcheck.spec/1");
    assert_eq!(json["properties"][0]["class"], "safety");
    assert_eq!(json["properties"][2]["stepped"], false);
    let vacuous = &json["findings"][2];
    assert_eq!((&vacuous["kind"], &vacuous["property"]), (&"vacuous".into(), &"held".into()));
    assert_eq!((&vacuous["line"], &vacuous["column"]), (&17.into(), &23.into()));
    assert_eq!((&vacuous["end_line"], &vacuous["end_column"]), (&17.into(), &35.into()));
}

#[test]
fn nothing_is_odd_about_the_library_but_what_is_meant() {
    let known = examined(files(), &library(), |_| true);
    let found: Vec<String> = known
        .findings
        .iter()
        .map(|it| format!("{} {} {}", it.kind, it.property.as_deref().unwrap_or_default(), it.message))
        .collect();
    // A value is said to be bound before anybody can use it.
    let meant = "order-matters affinity the verdict can change if `affine(_, value)` and `affine_use(t, value)` come in the \
                 other order";
    assert_eq!(found, [meant]);
    assert_eq!(known.properties.len(), rvcheck_specs::LIBRARY.len());
}

/// The warnings that two variables may be the same, of a file with this formula: the words that each is about, and its message.
fn coinciding(formula: &str) -> Vec<String> {
    let text =
        format!("schema = 1\n\n[[property]]\nid = \"one\"\nlogic = \"ltl\"\nformula = \"{formula}\"\n");
    let found = of(&text).findings.into_iter().filter(|it| it.kind == "may-coincide");
    found.map(|it| format!("{}: {}", &text[it.span], it.message)).collect()
}

#[test]
fn two_variables_that_nothing_keeps_apart_are_a_warning_at_the_second_one() {
    let warned = "u: `t` and `u` may be the same task, and nothing keeps them apart";
    let cases = [
        "forall t: task, u: task, l: lock . G (acquire(t, l) -> !holds(u, l))",
        "forall t: task . forall u: task . G (start(t) -> !F panic(u))",
        "exists t: task, u: task . F start(t) && F panic(u)",
    ];
    for formula in cases {
        assert_eq!(coinciding(formula), [warned], "{formula}");
    }
}

#[test]
fn variables_that_are_kept_apart_are_no_matter() {
    let cases = [
        "forall t: task, u: task, l: lock where t != u . G (acquire(t, l) -> !holds(u, l))",
        "forall t: task, u: task, l: lock . G ([t != u] -> (acquire(t, l) -> !holds(u, l)))",
        // One event has both.
        "forall t: task, u: task . G (spawn(t, u) -> F finish(u))",
        // What is said of two is true of one.
        "forall t: task, u: task . G (start(t) && F panic(u) -> F panic(t))",
        // Other sorts, and another quantifier.
        "forall t: task, l: lock . G (acquire(t, l) -> F release(t, l))",
        "forall t: task . exists u: task . F start(t) && F panic(u)",
    ];
    for formula in cases {
        assert_eq!(coinciding(formula), [""; 0], "{formula}");
    }
}
