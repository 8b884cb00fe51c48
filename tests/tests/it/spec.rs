//! `cargo rvcheck spec`: what is wrong or odd about property files is reported before anything runs.

use rvcheck_tests::{Fixture, Run};

/// A file of which nothing is wrong.
const GOOD: &str = r#"schema = 1

[events]
grant = ["who: task", "n: int"]

[fluent.busy]
params = ["t: task"]
from = "event start(t)"
to = "event finish(t)"

[[property]]
id = "calm"
logic = "ltl"
formula = "forall t: task . G (grant(t, _) -> !busy(t))"
"#;

fn sample(spec: &str) -> Fixture {
    Fixture::sample(&[("src/lib.rs", ""), ("specs/my.toml", spec)])
}

#[test]
fn every_mistake_is_reported_with_file_line_and_column_by_check_and_by_test() {
    // What is replaced in the right file, by what, where the mistake is, and the message.
    let cases = [
        ("id = \"calm\"", "id = \"calm", "12:", "invalid basic string"),
        ("logic = \"ltl\"", "logic = \"ltl\"\nlevle = \"note\"", "14:1", "unknown key `levle`"),
        ("schema = 1", "schema = 7", "1:10", "unknown schema 7"),
        (
            "[[property]]",
            "[[property]]\nid = \"m\"\nlogic = \"lifestate\"\nrules = [\"true |- cj f()\"]\n\n[[property]]",
            "14:19",
            "`cj` begins no message",
        ),
        ("logic = \"ltl\"", "logic = \"lifestate\"", "14:12", "`formula` belongs to the logic `ltl`"),
        ("grant(t, _)", "grnt(t, _)", "14:32", "unknown event or fluent `grnt`"),
        ("[events]", "[events]\nspawn = []", "4:1", "`spawn` is a fluent or an event already"),
        ("\"n: int\"", "\"n: number\"", "4:27", "unknown sort `number`"),
        ("forall t: task", "forall t: lock", "14:38", "`who` is of sort `task`, this of sort `lock`"),
        ("!busy(t)", "!busy(u)", "14:53", "unbound variable `u`"),
        ("forall t: task", "forall t: task, u: task", "14:28", "the variable `u` is not used"),
        ("G (", "G[5s,1s] (", "14:30", "this interval is empty"),
        ("id = \"calm\"", "id = \"task-leak\"", "12:6", "the property `task-leak` is declared twice"),
        ("-> !busy", "& !busy", "14:44", "`&` is no operator"),
    ];
    for (right, wrong, place, message) in cases {
        let fixture = sample(&GOOD.replace(right, wrong));
        let checked = fixture.run(&["spec", "check", "--message-format", "short"]).expect(2);
        let line = checked.stderr.lines().find(|it| it.contains(message));
        let line = line.unwrap_or_else(|| panic!("{message}: {}", checked.stderr));
        assert!(line.starts_with(&format!("specs/my.toml:{place}")), "{line}");
        assert!(line.contains(": error[invalid] "), "{line}");
        let tested = fixture.run(&["test"]).expect(2);
        let place = format!("specs/my.toml:{place}");
        assert!(tested.stderr.contains(message) && tested.stderr.contains(&place), "{}", tested.stderr);
        assert!(!tested.stderr.contains("Compiling"), "nothing is built: {}", tested.stderr);
    }
}

#[test]
fn a_file_that_is_not_utf_8_and_one_that_is_not_there_are_errors() {
    let fixture = sample(GOOD);
    std::fs::write(fixture.path().join("specs/my.toml"), b"schema = 1\nx = \xff").expect("there is room");
    for command in [&["spec", "check"][..], &["spec", "check", "specs/my.toml"], &["test"]] {
        let run = fixture.run(command).expect(2);
        assert!(run.stderr.contains("specs/my.toml:2:5: this byte is not UTF-8"), "{}", run.stderr);
    }
    let run = fixture.run(&["spec", "check", "specs/other.toml"]).expect(2);
    assert!(run.stderr.contains("cannot read specs/other.toml"), "{}", run.stderr);
    let run = fixture.run(&["spec", "check", "specs"]).expect(2);
    assert!(run.stderr.contains("cannot read specs: "), "{}", run.stderr);
}

/// What a run prints after it has looked at the files.
fn last(run: &Run) -> &str {
    run.stderr.lines().last().unwrap_or_default()
}

#[test]
fn a_sound_file_is_reported_with_the_class_of_its_properties() {
    let events = "[events]\ngrant = [\"who: task\", \"n: int\"]\n\n";
    let sound = GOOD.replace(events, "").replace("grant(t, _)", "panic(t)");
    let run = sample(&sound).run(&["spec", "check"]).expect(0);
    assert!(run.stderr.contains("  calm  ltl  safety  3 states  stepped\n"), "{}", run.stderr);
    assert_eq!(last(&run), "no findings");
    let none = Fixture::sample(&[("src/lib.rs", "")]);
    assert_eq!(last(&none.run(&["spec", "check"]).expect(3)), "there are no properties");
    none.run(&["spec", "check", "--allow-empty"]).expect(0);
}

#[test]
fn what_is_odd_fails_from_the_level_of_the_gate_on() {
    let many: Vec<String> = (0..20).map(|it| format!("F grant(_, {it})")).collect();
    let formula = "forall t: task . G (grant(t, _) -> !busy(t))";
    let large = sample(&GOOD.replace(formula, &many.join(" && ")));
    let run = large.run(&["spec", "check"]).expect(0);
    assert!(run.stderr.contains("warning[too-large]: calm: "), "{}", run.stderr);
    large.run(&["spec", "check", "--fail-on", "warning"]).expect(10);
    let constant = sample(&GOOD.replace("-> !busy(t)", "|| !grant(t, _)"));
    let run = constant.run(&["spec", "check", "specs/my.toml", "--output", "json"]).expect(10);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let kinds: Vec<&str> =
        json["findings"].as_array().expect("a list").iter().filter_map(|it| it["kind"].as_str()).collect();
    assert_eq!(kinds, ["unused", "tautological"]);
}

#[test]
fn automata_are_drawn_as_tables_and_for_graphviz() {
    let fixture = sample(GOOD);
    let table = fixture.run(&["spec", "graph", "calm"]).expect(0).stdout;
    assert!(table.starts_with("calm, for each binding of forall t: task\n\nstate  means "), "{table}");
    assert!(table.contains("grant(t, _)  "), "{table}");
    assert_eq!(fixture.run(&["spec", "graph", "specs/my.toml", "calm"]).expect(0).stdout, table);
    let library = fixture.run(&["spec", "graph", "lost-error", "--format", "dot"]).expect(0).stdout;
    assert!(library.starts_with("digraph \"lost-error\" {\n") && library.ends_with("}\n"), "{library}");
    let unknown = fixture.run(&["spec", "graph", "clam"]).expect(2);
    assert!(unknown.stderr.contains("did you mean `calm`?"), "{}", unknown.stderr);
    let timed = sample(&GOOD.replace("-> !busy", "-> F[0s,1s] !busy"));
    let run = timed.run(&["spec", "graph", "calm"]).expect(2);
    assert!(
        run.stderr.contains("there is no automaton of `calm`: it has an operator with"),
        "{}",
        run.stderr
    );
}
