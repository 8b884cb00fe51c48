//! Property files, right and wrong.

use super::*;
use rvcheck_enforcement::Action;
use rvcheck_event::remedy::Remedy;

/// The lines of problems that this file has.
fn problems(text: &str) -> Vec<String> {
    let specs = read(&[("my.toml".to_owned(), text.to_owned())]);
    specs.problems.iter().map(|problem| problem.line(text)).collect()
}

const GOOD: &str = r#"
schema = 1

[[property]]
id = "twice"
title = "A lock is taken twice"
level = "warning"
logic = "automaton"
params = ["t: task", "l: lock"]
vars = { n = 0 }
initial = "free"
bad = ["broken"]
transitions = [
  "free -- acquire(t, l) / n = n + 1 --> held",
  "held -- release(t, l) --> free",
  "held -- acquire(t, l) [n > 0] --> broken",
]
levels = { broken = "note" }
messages = { broken = "{t} takes {l} again" }
primary = ["acquire"]
labels = { acquire = "taken here" }
next = "release it first"
"#;

#[test]
fn a_right_file_has_no_problems() {
    assert_eq!(problems(GOOD), [""; 0]);
    let specs = read(&[("my.toml".to_owned(), GOOD.to_owned())]);
    assert_eq!(specs.properties.len(), 1);
    assert_eq!(specs.properties[0].compiled.id(), "twice");
}

#[test]
fn each_mistake_is_named_with_its_place() {
    // What is replaced in the right file, by what, and the beginning of the one problem that comes of it.
    let cases = [
        ("schema = 1", "schema = 2", "my.toml:2:10: unknown schema 2"),
        ("schema = 1", "", "my.toml:1:1: the key `schema` is missing"),
        ("title =", "titel =", "my.toml:6:1: unknown key `titel`"),
        ("vars = { n = 0 }", "vars = { n = \"0\" }", "my.toml:10:14: `vars` must be a table of integers"),
        ("vars = { n = 0 }", "rules = \"x\"", "my.toml:10:9: `rules` must be a list of strings"),
        ("id = \"twice\"", "", "my.toml:4:1: the key `id` is missing"),
        (
            "bad = [\"broken\"]",
            "bad = \"broken\"",
            "my.toml:12:7: `bad` must be a list of strings, not string",
        ),
        ("[n > 0]", "[m > 0]", "my.toml:16:27: "),
        ("release(t, l)", "relaese(t, l)", "my.toml:15:12: "),
        ("\"warning\"", "\"waning\"", "my.toml:7:10: "),
        ("next = ", "next ", "my.toml:22:"),
    ];
    for (right, wrong, expected) in cases {
        let found = problems(&GOOD.replace(right, wrong));
        assert_eq!(found.len(), 1, "{wrong}: {found:?}");
        assert!(found[0].starts_with(expected), "{wrong}: {found:?}");
    }
}

#[test]
fn a_property_says_whether_it_stops_the_program() {
    let with = |lines: &str| GOOD.replace("logic =", &format!("{lines}\nlogic ="));
    let stops = |lines: &str| {
        let specs = read(&[("my.toml".to_owned(), with(lines))]);
        assert_eq!(specs.problems, [], "{lines}");
        specs.properties[0].stop.map(|action| (action, specs.properties[0].enforced().source.id))
    };
    assert_eq!(stops("on_violation = \"report\""), None);
    assert_eq!(stops("on_violation = \"stop\""), Some((Action::Panic, "twice".to_owned())));
    let abort = stops("on_violation = \"stop\"\nstop = \"abort\"");
    assert_eq!(abort.map(|it| it.0), Some(Action::Abort));
    let refuse = stops("on_violation = \"enforce\"\nremedy = \"refuse\"");
    assert_eq!(refuse.map(|it| it.0), Some(Action::Enforce(Remedy::Refuse)));
    let cases = [
        (
            "on_violation = \"enforce\"",
            "my.toml:8:16: `on_violation = \"enforce\"` does not say by which remedy",
        ),
        (
            "on_violation = \"enforce\"\nremedy = \"delay\"",
            "my.toml:9:10: the remedy `delay` is not supported",
        ),
        ("on_violation = \"enforce\"\nremedy = \"gait\"", "my.toml:9:10: unknown remedy `gait`"),
        (
            "on_violation = \"enforce\"\nremedy = \"gate\"",
            "my.toml:9:10: the remedy `gate` needs a property with two",
        ),
        (
            "on_violation = \"enforce\"\nremedy = \"offload\"",
            "my.toml:9:10: the remedy `offload` needs a property about",
        ),
        (
            "on_violation = \"enforce\"\nremedy = \"handle\"",
            "my.toml:9:10: the remedy `handle` needs a property about",
        ),
        ("on_violation = \"enforce\"\nstop = \"panic\"", "my.toml:9:8: `stop` means nothing without"),
        ("remedy = \"refuse\"", "my.toml:8:10: `remedy` means nothing without"),
        ("on_violation = \"halt\"", "my.toml:8:16: unknown `on_violation` `halt`"),
        ("stop = \"abort\"", "my.toml:8:8: `stop` means nothing without"),
        ("on_violation = \"stop\"\nstop = \"exit\"", "my.toml:9:8: unknown `stop` `exit`"),
    ];
    for (lines, expected) in cases {
        let found = problems(&with(lines));
        assert!(matches!(found.as_slice(), [one] if one.starts_with(expected)), "{lines}: {found:?}");
    }
    let awaited = with("on_violation = \"stop\"").replace(
        "\"free -- acquire(t, l)",
        "'free -- await(t, what = \"tick\") --> free', \"free -- acquire(t, l)",
    );
    let found = problems(&awaited);
    assert!(matches!(found.as_slice(), [one] if one.contains("what is awaited is not known")), "{found:?}");
}

#[test]
fn a_misspelt_key_is_guessed() {
    let text = GOOD.replace("transitions", "transition");
    let specs = read(&[("my.toml".to_owned(), text)]);
    assert!(specs.problems.iter().any(|it| it.help.as_deref() == Some("did you mean `transitions`?")));
    assert!(specs.properties.is_empty());
}

#[test]
fn the_same_id_in_two_files_is_a_problem() {
    let specs = read(&[("a.toml".to_owned(), GOOD.to_owned()), ("b.toml".to_owned(), GOOD.to_owned())]);
    assert_eq!(specs.properties.len(), 1);
    let lines: Vec<String> = specs.problems.iter().map(|it| it.line(GOOD)).collect();
    assert_eq!(lines, ["b.toml:5:6: the property `twice` is declared twice, first in a.toml"]);
}

#[test]
fn a_problem_is_shown_with_its_line() {
    let text = GOOD.replace("[n > 0]", "[m > 0]");
    let specs = read(&[("my.toml".to_owned(), text.clone())]);
    let shown = specs.problems[0].rendered(&text, false);
    assert!(shown.contains("--> my.toml:16:"), "{shown}");
    assert!(shown.contains("held -- acquire(t, l) [m > 0] --> broken"), "{shown}");
}

#[test]
fn the_library_has_no_problems() {
    let specs = library();
    assert_eq!(specs.problems, []);
    assert!(!specs.properties.is_empty());
}

/// A property file with a formula and a fluent.
const FORMULA: &str = r#"
schema = 1

[fluent.busy]
params = ["t: task"]
from = "event start(t)"
to = "event finish(t)"

[[property]]
id = "calm"
logic = "ltl"
formula = """
forall t: task .
  G (panic(t) -> !busy(t))"""
"#;

#[test]
fn mistakes_in_formulas_and_fluents_are_named_with_their_places() {
    assert_eq!(problems(FORMULA), [""; 0]);
    let cases = [
        ("panic(t)", "panik(t)", "my.toml:14:6: unknown event or fluent `panik`"),
        ("!busy(t)", "!busy(u)", "my.toml:14:24: unbound variable `u`"),
        ("-> !busy", "& !busy", "my.toml:14:15: `&` is no operator"),
        ("forall t: task", "forall t: tsk", "my.toml:13:11: unknown sort `tsk`"),
        ("\"t: task\"", "\"t: tsk\"", "my.toml:5:15: unknown sort `tsk`"),
        ("event finish(t)", "event finish(u)", "my.toml:7:20: unbound variable `u`"),
        ("from = \"event start(t)\"", "", "my.toml:4:1: the key `from` is missing"),
        ("[fluent.busy]", "[fluent.holds]", "my.toml:4:9: `holds` is a fluent or an event already"),
    ];
    for (right, wrong, expected) in cases {
        let found = problems(&FORMULA.replace(right, wrong));
        assert!(found.iter().any(|it| it.starts_with(expected)), "{wrong}: {found:?}");
    }
}

/// A property file with events and a proposition.
const DECLARED: &str = r#"
schema = 1

[events]
grant = ["who: task", "n: int"]
tick = []

[fluent.busy]
params = ["t: task"]

[[property]]
id = "calm"
logic = "ltl"
formula = "forall t: task . G (grant(t, _) && !tick() -> !busy(t))"
"#;

#[test]
fn mistakes_in_declarations_are_named_with_their_places() {
    assert_eq!(problems(DECLARED), [""; 0]);
    let cases = [
        ("\"n: int\"", "\"n: itn\"", "my.toml:5:27: unknown sort `itn`"),
        ("tick = []", "tick = \"\"", "my.toml:6:8: `events` must be a table of lists of strings, not string"),
        ("tick = []", "acquire = []", "my.toml:6:1: `acquire` is a fluent or an event already"),
        ("tick = []", "busy = []", "my.toml:8:9: `busy` is a fluent or an event already"),
        ("tick = []", "tick = []\ntick = []", "my.toml:7:1: duplicate key"),
        ("grant(t, _)", "grant(t, _, _)", "my.toml:14:44: `grant` has only 2 arguments"),
        ("tick()", "tik()", "my.toml:14:48: unknown event or fluent `tik`"),
        ("params = [\"t: task\"]", "", "my.toml:8:1: the key `from` is missing"),
        (
            "params = [\"t: task\"]",
            "params = []\nto = \"event tick()\"",
            "my.toml:8:1: the key `from` is missing",
        ),
    ];
    for (right, wrong, expected) in cases {
        let found = problems(&DECLARED.replace(right, wrong));
        assert!(found.iter().any(|it| it.starts_with(expected)), "{wrong}: {found:?}");
    }
}

#[test]
fn a_declaration_is_for_its_own_file() {
    let other = DECLARED.replace("calm", "calmer");
    let using = "schema = 1\n[[property]]\nid = \"x\"\nlogic = \"ltl\"\nformula = \"F tick()\"\n";
    let files = [("a.toml", DECLARED), ("b.toml", &other), ("c.toml", using)]
        .map(|(name, text)| (name.to_owned(), text.to_owned()));
    let specs = read(&files);
    let lines: Vec<String> = specs.problems.iter().map(|it| it.line(using)).collect();
    assert_eq!(lines, ["c.toml:5:14: unknown event or fluent `tick`"]);
    assert_eq!(specs.properties.len(), 2);
}

#[test]
fn emitted_events_are_checked_over_the_whole_file() {
    const FILE: &str = r#"
schema = 1

[events]
ping = ["t: task"]
pong = ["t: task"]

[[property]]
id = "server"
logic = "automaton"
params = ["t: task"]
initial = "s"
bad = ["b"]
transitions = ["s -- ping(t) / emit pong(t) --> s", "s -- panic(t) --> b"]

[[property]]
id = "client"
logic = "automaton"
params = ["t: task"]
initial = "s"
bad = ["b"]
transitions = ["s -- start(t) / emit ping(t) --> s", "s -- pong(t) --> b"]
"#;
    assert_eq!(problems(FILE), [""; 0]);
    let specs = read(&[("a.toml".to_owned(), FILE.to_owned()), ("b.toml".to_owned(), GOOD.to_owned())]);
    let followed: Vec<bool> = specs.properties.iter().map(Property::can_be_followed).collect();
    assert_eq!(followed, [false, false, true]);
    let family = |index: usize| match &specs.properties[index].compiled {
        rvcheck_spec::Property::Automaton(it) => Some(it.family),
        _ => None,
    };
    assert!(family(0) == family(1) && family(0) != family(2));
    let cycle = FILE.replace("s -- pong(t) --> b", "s -- pong(t) / emit ping(t) --> b");
    let message = "my.toml:14:37: emitted events go round in a cycle: `ping` → `pong` → `ping`";
    assert_eq!(problems(&cycle), [message]);
    let stop = FILE.replacen("params = [", "on_violation = \"stop\"\nparams = [", 3).replacen(
        "on_violation = \"stop\"\n",
        "",
        1,
    );
    let message = "my.toml:19:16: a property that takes emitted events cannot stop the program";
    let found = problems(&stop);
    assert_eq!(found, [message], "{stop}");
}
