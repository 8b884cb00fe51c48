//! What is known of a property without a trace, and how its automaton looks.

mod kit;

use kit::{formula, ltl, source};
use proptest::prelude::*;
use rvcheck_event::kind::EventKind;
use rvcheck_spec::compilation::machine::{Edge, Options};
use rvcheck_spec::examine::{Examination, examine};
use rvcheck_spec::graph::Graph;
use rvcheck_spec::model::machine::{Atom, Class, Machine};
use rvcheck_spec::{Part, Property, PropertySource, Vocabulary, compile};

fn examined(source: &PropertySource) -> Examination {
    let (property, problems) = compile(source, &Vocabulary::default());
    examine(source, &property.unwrap_or_else(|| panic!("{problems:?}")))
}

/// The class, the number of states, and each remark as its kind and the words that it is about.
fn of_formula(text: &str) -> (Option<&'static str>, Option<usize>, Vec<String>) {
    let known = examined(&source(text));
    let remarks = known.remarks.iter().map(|it| {
        assert_eq!(it.part, Part::Formula);
        format!("{} {}", it.kind, &text[it.span.start..it.span.end])
    });
    (known.class.map(Class::name), known.states, remarks.collect())
}

#[test]
fn formulas_are_known_before_any_trace() {
    let cases: &[(&str, &str, usize, &[&str])] = &[
        ("forall t: task . G !panic(t)", "safety", 2, &[]),
        ("exists t: task . F panic(t)", "co-safety", 2, &[]),
        ("forall t: task . G (poll(t) -> F suspend(t))", "decided only at the end", 2, &[]),
        ("G (poll(_) || true)", "safety and co-safety", 1, &["tautological G (poll(_) || true)"]),
        (
            "forall t: task . F (poll(t) && suspend(t))",
            "safety",
            1,
            &["unsatisfiable forall t: task . F (poll(t) && suspend(t))"],
        ),
        // Whoever acquires a lock holds it then.
        (
            "forall t: task, l: lock . G (acquire(t, l) -> !holds(t, l))",
            "safety",
            2,
            &["vacuous !holds(t, l)"],
        ),
        (
            "forall t: task . G (poll(t) -> !blocked(t)) && (poll(t) || !poll(t))",
            "safety",
            3,
            &["vacuous (poll(t) || !poll(t))"],
        ),
        (
            "forall t: task . (F panic(t)) || F (panic(t) && X poll(t))",
            "decided only at the end",
            2,
            &["vacuous F (panic(t) && X poll(t))"],
        ),
    ];
    for (text, class, states, remarks) in cases {
        let (found, count, mut said) = of_formula(text);
        let mut remarks = remarks.to_vec();
        said.sort();
        remarks.sort_unstable();
        assert_eq!((found, count), (Some(*class), Some(*states)), "{text}");
        assert_eq!(said, remarks, "{text}");
    }
}

#[test]
fn events_whose_order_decides_are_named() {
    let known = examined(&source("forall t: task, u: task where t != u . !F (panic(t) && F finish(u))"));
    let [remark] = &known.remarks[..] else { panic!("{:?}", known.remarks) };
    assert!(remark.message.contains("`panic(t)`") && remark.message.contains("`finish(u)`"), "{remark:?}");
}

#[test]
fn a_formula_that_is_too_large_is_reported_and_one_that_is_not_stepped_says_why() {
    let many: Vec<String> = (0..20).map(|it| format!("F spawn(_, _, name = \"{it}\")")).collect();
    let (class, states, remarks) = of_formula(&many.join(" && "));
    assert_eq!((class, states), (None, None));
    assert!(remarks[0].starts_with("too-large F spawn"), "{remarks:?}");
    let known = examined(&source("G (poll(_) -> F[0ns,10ns] suspend(_))"));
    assert!(known.remarks.is_empty() && known.at_end.is_some(), "{known:?}");
}

/// An automaton of which nothing is odd.
fn automaton() -> PropertySource {
    let texts = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect();
    PropertySource {
        id: "twice".to_owned(),
        logic: "automaton".to_owned(),
        params: texts(&["t: task", "l: lock"]),
        vars: vec![("n".to_owned(), "0".to_owned())],
        initial: Some("free".to_owned()),
        bad: texts(&["broken"]),
        transitions: texts(&[
            "free -- acquire(t, l) / n = n + 1 --> held",
            "held -- release(t, l) [n < 5] --> free",
            "held -- release(t, l) [n >= 5] --> broken",
        ]),
        ..PropertySource::default()
    }
}

#[test]
fn automata_are_known_before_any_trace() {
    type Case = (fn(&mut PropertySource), &'static str, &'static [&'static str]);
    let cases: &[Case] = &[
        (|_| (), "safety", &[]),
        (|it| it.end_bad.push("held".to_owned()), "decided only at the end", &[]),
        (|it| it.params.push("s: sem".to_owned()), "safety", &["unused: no pattern has the parameter `s`"]),
        (
            |it| it.vars.push(("m".to_owned(), "0".to_owned())),
            "safety",
            &["unused: nothing reads the register `m`"],
        ),
        (
            |it| it.transitions.push("held -- panic(t) --> over".to_owned()),
            "safety",
            &["dead-state: nothing can be violated any more once state `over` is reached"],
        ),
        (
            |it| it.transitions[1] = "held -- release(t, l) [n < 6] --> free".to_owned(),
            "safety",
            &["overlap: it cannot be shown that this transition and transition 2 exclude each other"],
        ),
    ];
    for (change, class, remarks) in cases {
        let mut source = automaton();
        change(&mut source);
        let known = examined(&source);
        let said: Vec<String> =
            known.remarks.iter().map(|it| format!("{}: {}", it.kind, it.message)).collect();
        assert_eq!(said, *remarks);
        assert_eq!(known.class.map(Class::name), Some(*class), "{remarks:?}");
    }
}

#[test]
fn guards_that_exclude_each_other_are_seen_to_do_so() {
    let cases = [
        ("[n < 5]", "[n >= 5]", true),
        ("[n < 5]", "[4 < n]", true),
        ("[n < 5]", "[n > 3]", false),
        ("[n == 5]", "[n != 5]", true),
        ("[!(n < 5 && t != t)]", "[n < 5 && t != t]", true),
        ("[n < 5 || n > 9]", "[n == 7]", true),
        ("[n < 5 || n > 9]", "[n == 10]", false),
        ("[n * 2 <= n + 1]", "[n + 1 < n * 2]", true),
        ("[n < 9223372036854775807]", "[n == 9223372036854775807]", true),
    ];
    for (first, second, excluded) in cases {
        let mut source = automaton();
        source.transitions[1] = format!("held -- release(t, l) {first} --> free");
        source.transitions[2] = format!("held -- release(t, l) {second} --> broken");
        assert_eq!(examined(&source).remarks.is_empty(), excluded, "{first} and {second}");
    }
}

#[test]
fn the_machine_of_a_formula_is_shown_with_its_events() {
    let ltl = ltl("forall t: task, l: lock . G (acquire(t, l) -> F release(t, l)) && G !panic(t)");
    let machine = Machine::of(&ltl, Options::DEFAULT).expect("it can be stepped");
    let graph = Graph::of_machine(&ltl, &machine);
    assert_eq!(
        graph.table(),
        "\
p, for each binding of forall t: task, forall l: lock

state  means                      event            next
0      satisfied if it ends here  panic(t)         1
                                  acquire(t, l)    2
                                  any other event  0
1      violated for good          -                -
2      violated if it ends here   panic(t)         1
                                  release(t, l)    0
                                  any other event  2
"
    );
    assert!(graph.dot().contains("  0 -> 1 [label = \"panic(t)\"];\n"), "{}", graph.dot());
}

#[test]
fn variables_of_the_same_name_are_distinguished_when_quantifiers_move_to_the_front() {
    let ltl = ltl("(forall t: task . G !panic(t)) || (forall t: task . G !finish(t))");
    let machine = Machine::of(&ltl, Options::DEFAULT).expect("it can be stepped");
    let graph = Graph::of_machine(&ltl, &machine);
    assert_eq!(graph.variables, ["forall t: task", "forall t2: task"], "{graph:?}");
}

#[test]
fn an_automaton_is_shown_with_its_guards_and_actions() {
    let source = automaton();
    let (Some(Property::Automaton(automaton)), _) = compile(&source, &Vocabulary::default()) else {
        panic!("it is one")
    };
    let graph = Graph::of_automaton(&source, &automaton);
    assert_eq!(
        graph.table(),
        "\
twice, for each binding of forall t: task, forall l: lock

state   means                      event                      next
free    satisfied if it ends here  acquire(t, l) / n = n + 1  held
held    satisfied if it ends here  release(t, l) [n < 5]      free
                                   release(t, l) [n >= 5]     broken
broken  violated for good          -                          -
"
    );
    assert_eq!(
        graph.dot(),
        "\
digraph \"twice\" {
  rankdir = LR;
  node [shape = box, style = rounded];
  label = \"forall t: task, forall l: lock\";
  begin [shape = point];
  begin -> 0;
  0 [label = \"free\\nsatisfied if it ends here\"];
  1 [label = \"held\\nsatisfied if it ends here\"];
  2 [label = \"broken\\nviolated for good\", peripheries = 2];
  0 -> 1 [label = \"acquire(t, l) / n = n + 1\"];
  1 -> 0 [label = \"release(t, l) [n < 5]\"];
  1 -> 2 [label = \"release(t, l) [n >= 5]\"];
}
"
    );
}

/// Whether an edge is one for events of this kind at which exactly these atoms are true. An edge for all other events is one for
/// those of a kind too.
fn takes(edge: &Edge, kind: Option<EventKind>, holds: &dyn Fn(usize) -> bool) -> bool {
    edge.kind == kind && edge.atoms.iter().all(|(atom, truth)| holds(*atom) == *truth)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edges_lead_where_the_tables_lead(text in formula(&[""])) {
        let text = format!("forall t: task, u: task, l: lock . {text}");
        let (Some(Property::Ltl(ltl)), _) = compile(&source(&text), &Vocabulary::default()) else { return Ok(()) };
        let Ok(machine) = Machine::of(&ltl, Options::DEFAULT) else { return Ok(()) };
        for state in 0..machine.states.len() {
            let edges = machine.edges(state);
            for letters in &machine.letters {
                for set in 0..1_usize << letters.atoms.len() {
                    let holds = |atom| letters.atoms.iter().position(|it| *it == atom).is_some_and(|bit| set >> bit & 1 != 0);
                    let to = machine.after(state, letters.kind, holds);
                    let own: Vec<_> = edges.iter().filter(|it| takes(it, Some(letters.kind), &holds)).collect();
                    let others: Vec<_> = edges.iter().filter(|it| takes(it, None, &holds)).collect();
                    prop_assert!(own.len() <= 1 && others.len() == 1, "{text}: {edges:?}");
                    let rest = others[0].to;
                    // Sets that never come lead where all other events lead, and edges do not look at them.
                    if to != rest {
                        let leads = own.first().map_or(rest, |it| it.to);
                        prop_assert_eq!(leads, to, "{} in state {}: {:?}", text, state, edges);
                    }
                    let none = !letters.atoms.iter().any(|it| matches!(machine.atoms[*it], Atom::Event(..)) && holds(*it));
                    prop_assert!(!none || own.is_empty() && to == rest, "{text} in state {state}: {edges:?}");
                }
            }
        }
    }
}
