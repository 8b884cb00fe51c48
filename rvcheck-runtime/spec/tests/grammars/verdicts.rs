//! What grammars say of single traces.

use rvcheck_spec::evaluation::engine::Options;
use rvcheck_spec::{DoubtKind, PropertySource, Verdict};

use super::{compiled, grammar, monitored, worker};

/// The verdict over the only unit, and the reason for doubt.
fn said(sources: &[PropertySource], lines: &str) -> (Verdict, u64, Option<DoubtKind>) {
    let (properties, vocabulary) = compiled(sources);
    let (verdicts, _) = monitored(&properties, &vocabulary, lines, |_| true, Options::ALL);
    let unit = &verdicts.properties[0].units.iter().find(|it| it.unit.0 != 0).expect("there is a unit");
    (unit.verdict, unit.violated, unit.doubt.map(|it| it.kind))
}

#[test]
fn each_group_has_its_own_instance_and_events_of_others_are_ignored() {
    let group = PropertySource { group: Some("workers".to_owned()), ..worker() };
    let st =
        |group: &str| format!("{{\"e\":\"send Coordinator::start_replication\",\"a\":{{\"w\":1}}{group}}}\n");
    let two = format!("{}{}", st(",\"group\":\"workers:1\""), st(",\"group\":\"workers:2\""));
    assert_eq!(said(std::slice::from_ref(&group), &two), (Verdict::Held, 0, None));
    assert_eq!(said(&[worker()], &two), (Verdict::Violated, 1, None));
    let others = format!("{}{}{}", st(""), st(",\"group\":\"others:1\""), st(",\"group\":\"workers:x\""));
    assert_eq!(said(&[group], &others), (Verdict::NotExercised, 0, None));
}

#[test]
fn attributes_are_set_all_at_once() {
    let swap = grammar(
        &[("a", "send A::f(x, y)"), ("b", "send B::g(x, y)"), ("e", "send E::h(x, y)")],
        &[
            ("start", "S"),
            ("S", "a T { T.x = a.x; T.y = a.y; T.z = 7 }"),
            (
                "T",
                "ε | b T { T.x = T.y; T.y = T.x; T.z = T.z + 1 } | e assert e.x == T.x && e.y == T.y && T.z == 8",
            ),
        ],
    );
    let word = |x: u8, y: u8| {
        format!(
            "{{\"e\":\"send A::f\",\"a\":{{\"x\":1,\"y\":2}}}}\n{{\"e\":\"send B::g\"}}\n{{\"e\":\"send E::h\",\"a\":{{\"x\":{x},\"y\":{y}}}}}"
        )
    };
    assert_eq!(said(std::slice::from_ref(&swap), &word(2, 1)), (Verdict::Held, 0, None));
    assert_eq!(said(&[swap], &word(1, 2)), (Verdict::Violated, 1, None));
}

#[test]
fn what_is_not_known_is_doubt_and_no_violation() {
    let worker = worker();
    let begin = "{\"e\":\"send Coordinator::start_replication\",\"a\":{}}\n{\"e\":\"receive Worker::send_current_id\",\"a\":{\"id\":1}}\n";
    let pr =
        |id: u8| format!("{begin}{{\"e\":\"send ClientJob::register_items\",\"a\":{{\"w\":1,\"id\":{id}}}}}");
    assert_eq!(
        said(std::slice::from_ref(&worker), &pr(1)),
        (Verdict::Inconclusive, 0, Some(DoubtKind::Assertion))
    );
    // The other half of the assertion is false whatever the worker is.
    assert_eq!(said(&[worker], &pr(2)), (Verdict::Violated, 1, None));
    let per = PropertySource {
        per: vec!["x".to_owned()],
        ..grammar(&[("a", "send A::f(x)")], &[("start", "S"), ("S", "a T"), ("T", "ε")])
    };
    let unknown = "{\"e\":\"send A::f\",\"a\":{}}\n{\"e\":\"send A::f\",\"a\":{\"x\":1}}\n{\"e\":\"send A::f\",\"a\":{\"x\":1}}";
    assert_eq!(said(&[per], unknown), (Verdict::Inconclusive, 0, Some(DoubtKind::Instance)));
}

#[test]
fn a_receive_without_a_send_is_incompatible_where_sends_are_in_a_view_of_the_file() {
    let receives = grammar(&[("r", "receive A::f(x)")], &[("start", "S"), ("S", "ε | r S")]);
    let sends = PropertySource {
        id: "sends".to_owned(),
        ..grammar(&[("s", "send A::f(x)")], &[("start", "S"), ("S", "ε | s S")])
    };
    let lines = "{\"e\":\"receive A::f\",\"a\":{\"x\":1}}";
    assert_eq!(said(std::slice::from_ref(&receives), lines), (Verdict::Held, 0, None));
    let both = [receives, sends];
    assert_eq!(said(&both, lines), (Verdict::Inconclusive, 0, Some(DoubtKind::Unsent)));
    let sent = format!("{{\"e\":\"send A::f\",\"a\":{{\"x\":1}}}}\n{lines}");
    assert_eq!(said(&both, &sent), (Verdict::Held, 0, None));
}

#[test]
fn the_messages_that_have_to_be_recorded_are_those_of_all_views_with_the_sizes_that_rules_ask_for() {
    let other = PropertySource {
        id: "other".to_owned(),
        ..grammar(&[("is", "receive Worker::accept_items(_)")], &[("start", "S"), ("S", "ε | is S")])
    };
    let (properties, _) = compiled(&[other, worker()]);
    let messages = |at: usize| -> Vec<String> {
        properties[at]
            .messages()
            .iter()
            .map(|it| format!("{}({})", it.event(), it.params.join(", ")))
            .collect()
    };
    assert_eq!(messages(0), ["receive Worker::accept_items(items, items.len)"]);
    assert_eq!(
        messages(1)[2..5],
        [
            "send ClientJob::register_items(w, id)",
            "receive Worker::reply_register_items(reg)",
            "receive Worker::accept_items(items, items.len)",
        ]
    );
}

#[test]
fn a_size_is_that_of_a_text_or_the_recorded_one() {
    let sized = grammar(&[("a", "send A::f(x)")], &[("start", "S"), ("S", "ε | a assert size(a.x) == 2 S")]);
    let word = |arguments: &str| format!("{{\"e\":\"send A::f\",\"a\":{{{arguments}}}}}");
    for (arguments, verdict) in [
        ("\"x\":\"ab\"", Verdict::Held),
        ("\"x\":\"ä\"", Verdict::Held),
        ("\"x\":\"abc\",\"x.len\":2", Verdict::Violated),
        ("\"x\":\"chan:1\",\"x.len\":2", Verdict::Held),
        ("\"x.len\":3", Verdict::Violated),
        ("\"x\":\"chan:1\"", Verdict::Inconclusive),
        ("\"x\":2", Verdict::Inconclusive),
    ] {
        assert_eq!(said(std::slice::from_ref(&sized), &word(arguments)).0, verdict, "{arguments}");
    }
}

#[test]
fn a_word_that_may_not_end_is_violated_at_the_end_of_its_unit() {
    let open = grammar(
        &[("a", "send A::f()"), ("b", "send B::f()")],
        &[("start", "S"), ("S", "ε | a T"), ("T", "b S")],
    );
    let (a, b) = ("{\"e\":\"send A::f\"}\n", "{\"e\":\"send B::f\"}\n");
    assert_eq!(said(std::slice::from_ref(&open), &format!("{a}{b}")), (Verdict::Held, 0, None));
    assert_eq!(said(std::slice::from_ref(&open), &format!("{a}{b}{a}")), (Verdict::Violated, 1, None));
    assert_eq!(said(&[open], &format!("{a}{a}")), (Verdict::Violated, 1, None));
}

#[test]
fn formulas_can_ask_for_the_group_of_an_event() {
    let lines = "{\"e\":\"start\",\"a\":{\"t\":\"task:1\"},\"group\":\"workers:1\",\"time\":1}\n{\"e\":\"start\",\"a\":{\"t\":\"task:2\"},\"time\":2}";
    for (formula, verdict) in [
        ("F start(_, group = \"workers:1\")", Verdict::Held),
        ("G !start(_, group = \"workers:2\")", Verdict::NotExercised),
        ("forall t: task . G !start(t, group = \"workers:1\")", Verdict::Violated),
        // An interval makes it one that is decided at the end.
        ("F[0s,inf] start(_, group = \"workers:1\")", Verdict::Held),
        ("G[0s,inf] !start(_, group = \"workers:1\")", Verdict::Violated),
    ] {
        let source = PropertySource {
            id: "f".to_owned(),
            logic: "ltl".to_owned(),
            formula: Some(formula.to_owned()),
            ..PropertySource::default()
        };
        assert_eq!(said(&[source], lines).0, verdict, "{formula}");
    }
}

#[test]
fn the_path_to_a_violation_follows_from_the_last_messages_and_the_attributes() {
    use rvcheck_event::jsonl;
    use rvcheck_event::stream::EventStream;
    use rvcheck_event::value::Value;
    use rvcheck_spec::derivation::{Telling, derivation};
    use rvcheck_spec::{Automaton, Monitor, Property};

    let loops = grammar(
        &[("a", "send A::f(x)"), ("b", "send B::f(x)")],
        &[
            ("start", "S"),
            ("S", "a T { T.n = 1; T.x = a.x }"),
            ("T", "a T { T.n = T.n + 1; T.x = a.x } | b assert b.x > T.n"),
        ],
    );
    let (properties, vocabulary) = compiled(&[loops]);
    let Property::Automaton(Automaton { grammar: Some(grammar), .. }) = &properties[0] else {
        panic!("a grammar")
    };
    let a = |count: usize| "{\"e\":\"send A::f\",\"a\":{\"x\":5},\"callee\":3}\n".repeat(count);
    let reported = |lines: &str| {
        let log = jsonl::read(lines.as_bytes(), vocabulary.declared()).with_unit_for_the_rest("process");
        let mut monitor = Monitor::new(properties.clone());
        let mut replay = log.replay();
        while let Some(event) = replay.next() {
            monitor.step(&event, replay.world());
            if let Some(violation) = monitor.take_violations().into_iter().next() {
                let world = replay.world();
                let name = |value: Value| match value {
                    Value::Int(number) => number.to_string(),
                    other => format!("{other:?}"),
                };
                let event = |event: &rvcheck_event::event::Event| world.names().event(event).to_owned();
                let telling = Telling {
                    name: &name,
                    event: &event,
                    arguments: world.arguments(),
                    callee: world.callee(),
                };
                return derivation(grammar, &violation, &telling);
            }
        }
        panic!("nothing violates it")
    };
    assert_eq!(
        reported("{\"e\":\"send B::f\",\"a\":{\"x\":9}}"),
        [
            "the trace begins in `S`",
            "then comes `b`: send B::f(x = 9)",
            "`S` allows `a T { T.n = 1; T.x = a.x }`",
        ]
    );
    assert_eq!(
        reported(&format!("{}{{\"e\":\"send B::f\",\"a\":{{\"x\":1}},\"callee\":4}}", a(2))),
        [
            "so far S → a T → a T, now in `T` with n = 2, x = 5",
            "then comes `b`: send B::f(x = 1, callee = 4)",
            "this is false of it: b.x > T.n",
        ]
    );
    assert_eq!(
        reported(&format!("{}{{\"e\":\"send B::f\",\"a\":{{\"x\":1}}}}", a(30)))[0],
        "so far … → a T → a T → a T → a T → a T → a T → a T → a T, now in `T` with n = 30, x = 5"
    );
    assert_eq!(
        reported(&format!("{}{{\"e\":\"send B::f\",\"a\":{{\"x\":3}}}}\n{}", a(1), a(1)))[2],
        "nothing may come any more"
    );
}

#[test]
fn oddities_of_a_grammar_are_reported_and_it_can_be_drawn() {
    use rvcheck_spec::Property;
    use rvcheck_spec::examine::{RemarkKind, examine};
    use rvcheck_spec::graph::Graph;

    let odd = grammar(
        &[("a", "send A::f(x)"), ("b", "send B::f(x)")],
        &[
            ("start", "S"),
            ("S", "ε | a T { T.x = a.x; T.y = 1 }"),
            ("T", "b assert b.x == T.x T { T.x = T.x; T.y = 2 }"),
        ],
    );
    let (properties, _) = compiled(std::slice::from_ref(&odd));
    let known = examine(&odd, &properties[0]);
    let remarks: Vec<_> = known
        .remarks
        .iter()
        .map(|it| {
            (it.kind, &odd.text(it.part).unwrap_or_default()[it.span.start..it.span.end], it.message.as_str())
        })
        .collect();
    assert_eq!(
        remarks,
        [
            (
                RemarkKind::Unsatisfiable,
                "T",
                "no word ends from `T` on, so that every trace which comes here violates it"
            ),
            (RemarkKind::Unused, "T.y", "nothing uses `T.y`"),
        ]
    );
    let Property::Automaton(automaton) = &properties[0] else { panic!("a grammar") };
    let graph = Graph::of_automaton(&odd, automaton);
    assert_eq!(known.states, Some(graph.states.len()));
    assert!(graph.table().contains("b assert b.x == T.x T { T.x = T.x; T.y = 2 }"), "{}", graph.table());
    assert!(graph.dot().contains("a message whose assertion is false"), "{}", graph.dot());
    assert_eq!(examine(&worker(), &compiled(&[worker()]).0[0]).remarks, []);
}
