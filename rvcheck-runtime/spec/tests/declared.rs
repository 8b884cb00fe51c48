//! Events and propositions that a specification declares, in both logics.

use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, StringId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::names::Names;
use rvcheck_event::value::Value;
use rvcheck_spec::{
    EventSource, Facts, FluentSource, Monitor, Part, Problem, PropertySource, UnitEnd, Verdict, Vocabulary,
    compile,
};

/// What is known at one moment of a trace.
#[derive(Default)]
struct Moment {
    names: Names,
    arguments: Vec<Value>,
}

impl Facts for Moment {
    fn attribute(&self, event: &Event, name: &'static str) -> Option<Value> {
        (name == "time").then(|| Value::int(event.time))
    }

    fn arguments(&self, event: &Event) -> &[Value] {
        if event.kind == EventKind::User { &self.arguments } else { &[] }
    }

    fn callee(&self) -> Value {
        Value::Absent
    }

    fn text(&self, id: StringId) -> Option<&str> {
        Some(self.names.text(id))
    }
}

fn event_source(name: &str, params: &[&str]) -> EventSource {
    EventSource { name: name.to_owned(), params: params.iter().map(|it| (*it).to_owned()).collect() }
}

fn vocabulary() -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    for (name, params) in
        [("grant", &["who: task", "n: int"] as &[&str]), ("revoke", &["who: task"]), ("tick", &[])]
    {
        assert_eq!(vocabulary.declare_event(&event_source(name, params)), []);
    }
    let fluents = [("granted", Some("grant(t, _)"), Some("event revoke(t)")), ("busy", None, None)];
    for (name, from, to) in fluents {
        let source = FluentSource {
            name: name.to_owned(),
            params: vec!["t: task".to_owned()],
            from: from.map(str::to_owned),
            to: to.map(str::to_owned),
        };
        assert_eq!(vocabulary.declare_fluent(&source), []);
    }
    vocabulary
}

fn formula(text: &str) -> PropertySource {
    PropertySource {
        id: "p".to_owned(),
        logic: "ltl".to_owned(),
        formula: Some(text.to_owned()),
        ..PropertySource::default()
    }
}

/// `grant task:1 5; start task:2; set busy(task:1)`: a name, then tasks and numbers. A built-in event takes its task.
fn verdict(source: &PropertySource, script: &str) -> (Verdict, u64) {
    let (property, problems) = compile(source, &vocabulary());
    assert_eq!(problems, [], "{source:?}");
    let mut monitor = Monitor::new(vec![property.expect("nothing is wrong")]);
    let mut moment = Moment::default();
    for line in script.split(';').map(str::trim).filter(|it| !it.is_empty()) {
        let (name, rest) = line.split_once('(').expect("arguments");
        moment.arguments = rest.trim_end_matches(')').split(',').filter_map(value).collect();
        let kind = EventKind::of_name(name).unwrap_or(EventKind::User);
        let task = match moment.arguments.first() {
            Some(Value::Object(Sort::Task, task)) if kind != EventKind::User => TaskId(*task),
            _ => TaskId::NONE,
        };
        let object = if kind == EventKind::User { moment.names.intern(name).0 } else { 0 };
        let (thread, unit, site) = (ThreadId(1), UnitId(1), SiteId::NONE);
        let event =
            Event { kind, flags: 0, thread, task, unit, site, object, number: 0, time: 0, ns: 0, cpu: 0 };
        monitor.step(&event, &moment);
    }
    monitor.end_of_unit(UnitId(1), UnitEnd::Complete);
    let verdicts = monitor.finish(&moment);
    verdicts.properties[0].units.first().map_or((Verdict::NotExercised, 0), |it| (it.verdict, it.bindings))
}

fn value(text: &str) -> Option<Value> {
    let text = text.trim();
    let (sort, number) = text.split_once(':').unwrap_or(("", text));
    let number = number.parse().ok()?;
    Some(if sort == "task" { Value::Object(Sort::Task, number) } else { Value::Int(number.into()) })
}

#[test]
fn formulas_speak_of_declared_events_and_propositions() {
    use Verdict as V;
    let cases = [
        ("forall t: task . G (grant(t, _) -> F revoke(t))", "grant(task:1, 5); revoke(task:1)", V::Held),
        ("forall t: task . G (grant(t, _) -> F revoke(t))", "grant(task:1, 5); revoke(task:2)", V::Violated),
        ("forall t: task . G !grant(t, 5)", "grant(task:1, 4)", V::NotExercised),
        ("forall t: task . G !grant(t, 5)", "grant(task:1, 5)", V::Violated),
        (
            "forall t: task, n: int . G (grant(t, n) if (n > 3) -> F tick())",
            "grant(task:1, 4); tick()",
            V::Held,
        ),
        (
            "forall t: task, n: int . G (grant(t, n) if (n > 3) -> F tick())",
            "tick(); grant(task:1, 4)",
            V::Violated,
        ),
        ("forall t: task . G (panic(t) -> !granted(t))", "grant(task:1, 4); panic(task:1)", V::Violated),
        (
            "forall t: task . G (panic(t) -> !granted(t))",
            "grant(task:1, 4); revoke(task:1); panic(task:1)",
            V::Held,
        ),
        ("forall t: task . G (grant(t) -> !busy(t))", "set busy(task:1); grant(task:1, 1)", V::Violated),
        (
            "forall t: task . G (grant(t) -> !busy(t))",
            "set busy(task:1); clear busy(task:1); grant(task:1, 1)",
            V::Held,
        ),
        ("forall t: task . G (grant(t) -> !busy(t))", "set busy(task:2); grant(task:1, 1)", V::Held),
        // A missing argument matches `_` and nothing else.
        ("F grant(_, _)", "grant(task:1)", V::Held),
        ("forall n: int . F grant(_, n)", "grant(task:1); tick()", V::NotExercised),
    ];
    for (text, script, expected) in cases {
        assert_eq!(verdict(&formula(text), script).0, expected, "{text} on {script}");
    }
}

#[test]
fn an_event_that_is_not_declared_is_a_position_and_nothing_else() {
    let next = formula("forall t: task . G (grant(t) -> X revoke(t))");
    assert_eq!(verdict(&next, "grant(task:1); revoke(task:1)"), (Verdict::Held, 1));
    assert_eq!(verdict(&next, "grant(task:1); other(task:2); revoke(task:1)"), (Verdict::Violated, 1));
}

#[test]
fn automata_step_over_declared_events() {
    let source = |transitions: [&str; 3]| PropertySource {
        id: "p".to_owned(),
        logic: "automaton".to_owned(),
        params: vec!["t: task".to_owned()],
        vars: vec![("sum".to_owned(), "0".to_owned())],
        initial: Some("free".to_owned()),
        bad: vec!["broken".to_owned()],
        transitions: transitions.map(str::to_owned).to_vec(),
        ..PropertySource::default()
    };
    let budget = source([
        "free -- grant(t, n) [sum + n <= 10] / sum = sum + n --> free",
        "free -- grant(t, n) [sum + n > 10] --> broken",
        "free -- revoke(t) / sum = 0 --> free",
    ]);
    for (script, expected) in [
        ("grant(task:1, 6); grant(task:2, 6); grant(task:1, 4)", Verdict::Held),
        ("grant(task:1, 6); grant(task:1, 5)", Verdict::Violated),
        ("grant(task:1, 6); revoke(task:1); grant(task:1, 5)", Verdict::Held),
        ("grant(task:1, 6); revoke(task:2); grant(task:1, 5)", Verdict::Violated),
        ("tick(); other(task:1, 11)", Verdict::NotExercised),
    ] {
        assert_eq!(verdict(&budget, script).0, expected, "{script}");
    }
}

#[test]
fn errors_in_a_declaration_are_reported() {
    let message = |problems: Vec<Problem>| problems.first().map(|it| (it.part, it.message.clone()));
    let many: Vec<String> = (0..17).map(|it| format!("p{it}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let cases = [
        (event_source("acquire", &[]), Part::EventName, "`acquire` is a fluent or an event already"),
        (event_source("holds", &[]), Part::EventName, "`holds` is a fluent or an event already"),
        (event_source("grant", &[]), Part::EventName, "`grant` is a fluent or an event already"),
        (event_source("busy", &[]), Part::EventName, "`busy` is a fluent or an event already"),
        (event_source("Grant", &[]), Part::EventName, "`Grant` cannot name an event"),
        (event_source("set x", &[]), Part::EventName, "`set x` cannot name an event"),
        (event_source("forall", &[]), Part::EventName, "`forall` is a word of the language"),
        (event_source("e", &["n: itn"]), Part::EventParam(0), "unknown sort `itn`"),
        (event_source("e", &["n", "n"]), Part::EventParam(1), "`n` cannot be the name of a parameter here"),
        (event_source("e", &many), Part::EventParam(16), "there can be 16 parameters, not 17"),
    ];
    for (source, part, expected) in cases {
        let found = message(vocabulary().declare_event(&source));
        assert_eq!(found, Some((part, expected.to_owned())), "{source:?}");
    }
    // The kind that stands for them all hides none of them.
    assert_eq!(vocabulary().declare_event(&event_source("user", &[])), []);
}

#[test]
fn errors_in_a_pattern_of_a_declared_event_are_reported() {
    let cases = [
        ("G grant(_, _, _)", "`grant` has only 2 arguments"),
        ("G tick(_)", "`tick` has no arguments"),
        ("G grant(\"me\")", "`who` is of sort `task`, this of sort `str`"),
        ("G grant(_, mode = 1)", "`grant` has no attribute `mode`"),
        ("forall l: lock . G grant(l)", "`who` is of sort `task`, this of sort `lock`"),
        ("G grnat(_)", "unknown event or fluent `grnat`"),
        ("G event busy(_)", "unknown event `busy`"),
    ];
    for (text, expected) in cases {
        let (_, problems) = compile(&formula(text), &vocabulary());
        assert_eq!(problems.first().map(|it| it.message.as_str()), Some(expected), "{text}");
    }
    let (_, problems) = compile(&formula("G grnat(_)"), &vocabulary());
    assert_eq!(problems[0].help.as_deref(), Some("did you mean `grant`?"));
}
