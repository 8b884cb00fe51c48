//! What is wrong with a property is found, and the problem points at the word that is wrong.

use rvcheck_spec::{Part, PropertySource, Vocabulary, compile, compile_automaton};

/// A property without problems, for tests to break.
fn sound() -> PropertySource {
    let texts = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect();
    PropertySource {
        id: "sound".to_owned(),
        logic: "automaton".to_owned(),
        params: texts(&["t: task", "l: lock"]),
        vars: vec![("n".to_owned(), "0".to_owned())],
        initial: Some("free".to_owned()),
        bad: texts(&["broken"]),
        end_bad: texts(&["held"]),
        transitions: texts(&[
            "free -- acquire(t, l) / n = n + 1 --> held",
            "held -- release(t, l) --> free",
            "held -- acquire(t, l) [n > 1] --> broken",
        ]),
        ..PropertySource::default()
    }
}

/// A change, the string that the problem is in, the words that it points at, its message, and words of its help.
type Case = (fn(&mut PropertySource), Part, &'static str, &'static str, &'static str);

fn set(string: &mut String, text: &str) {
    text.clone_into(string);
}

fn transition(source: &mut PropertySource, text: &str) {
    set(&mut source.transitions[1], text);
}

const SECOND: Part = Part::Transition(1);

const CASES: &[Case] = &[
    (|it| set(&mut it.logic, "lt"), Part::Logic, "lt", "unknown logic `lt`", "`ltl`"),
    (|it| it.formula = Some("true".to_owned()), Part::Formula, "true", "`formula` belongs to the logic", ""),
    (|it| it.level = Some("eror".to_owned()), Part::Level, "eror", "unknown level `eror`", "`error`"),
    (|it| it.scope = Some("unit".to_owned()), Part::Scope, "unit", "unknown scope `unit`", "`process`"),
    (|it| set(&mut it.params[1], "l: lck"), Part::Param(1), "lck", "unknown sort `lck`", "`lock`"),
    (|it| set(&mut it.params[1], "l: grup"), Part::Param(1), "grup", "unknown sort `grup`", "`group`"),
    (|it| set(&mut it.params[1], "t: lock"), Part::Param(1), "t", "`t` is declared twice", ""),
    (
        |it| set(&mut it.params[1], "L: lock"),
        Part::Param(1),
        "L",
        "`L` cannot be the name of a variable",
        "small",
    ),
    (|it| set(&mut it.params[1], "l lock"), Part::Param(1), "lock", "expected the end, found `lock`", ""),
    (|it| set(&mut it.vars[0].1, "\"x\""), Part::VarValue(0), "\"x\"", "a register holds an integer", ""),
    (|it| set(&mut it.vars[0].0, "t"), Part::VarName(0), "t", "`t` is declared twice", ""),
    (|it| it.initial = None, Part::Property, "", "the key `initial` is missing", "name the state"),
    (|it| it.transitions.clear(), Part::Property, "", "there are no `transitions`", ""),
    (
        |it| set(&mut it.bad[0], "brokn"),
        Part::Bad(0),
        "brokn",
        "no transition enters state `brokn`",
        "`broken`",
    ),
    (|it| it.good.push("broken".to_owned()), Part::Good(0), "broken", "state `broken` is listed twice", ""),
    (
        |it| it.good.push("free".to_owned()),
        Part::Good(0),
        "free",
        "the initial state `free` cannot be final",
        "",
    ),
    (
        |it| {
            it.bad.clear();
            it.end_bad.clear();
        },
        Part::Property,
        "",
        "nothing can violate this property",
        "`bad`",
    ),
    (
        |it| transition(it, "held -- relase(t, l) --> free"),
        SECOND,
        "relase",
        "unknown event `relase`",
        "`release`",
    ),
    (|it| transition(it, "held -- poll(t, l) --> free"), SECOND, "l", "`poll` has only 1 arguments", ""),
    (
        |it| transition(it, "held -- release(t, l, moed = ::read) --> free"),
        SECOND,
        "moed",
        "`release` has no attribute `moed`",
        "`mode`",
    ),
    (
        |it| transition(it, "held -- release(t, l, mode = ::raed) --> free"),
        SECOND,
        "::raed",
        "`mode` is never `raed`",
        "`read`",
    ),
    (
        |it| transition(it, "held -- release(t, l, try = 1) --> free"),
        SECOND,
        "1",
        "`try` is of sort `bool`, this of sort `int`",
        "",
    ),
    (
        |it| transition(it, "held -- release(l, t) --> free"),
        SECOND,
        "l",
        "`t` is of sort `task`, this of sort `lock`",
        "",
    ),
    (|it| transition(it, "held -- release(t, l) [n > m] --> free"), SECOND, "m", "unbound variable `m`", ""),
    (
        |it| transition(it, "held -- release(t, l) [n + 1] --> free"),
        SECOND,
        "n + 1",
        "a guard is a condition, but this is of sort `int`",
        "",
    ),
    (
        |it| transition(it, "held -- release(t, l) [t == n] --> free"),
        SECOND,
        "t == n",
        "`task` cannot be compared with `int`",
        "",
    ),
    (
        |it| transition(it, "held -- release(t, l) [t < t] --> free"),
        SECOND,
        "t < t",
        "values of sort `task` have no order",
        "",
    ),
    (
        |it| transition(it, "held -- release(t, _) [l != l] --> free"),
        SECOND,
        "l",
        "`l` is not bound by the pattern of this transition",
        "their own pattern",
    ),
    (
        |it| transition(it, "held -- release(t, l) / m = 1 --> free"),
        SECOND,
        "m",
        "unknown register `m`",
        "`vars`",
    ),
    (
        |it| transition(it, "held -- release(t, l) / n = true --> free"),
        SECOND,
        "true",
        "`n` is of sort `int`, this of sort `bool`",
        "",
    ),
    (
        |it| transition(it, "held -- release(t, l) / emit grant(t) --> free"),
        SECOND,
        "grant",
        "unknown event `grant`",
        "declares",
    ),
    (
        |it| transition(it, "broken -- release(t, l) --> free"),
        SECOND,
        "broken",
        "state `broken` is final; nothing can leave it",
        "",
    ),
    (
        |it| transition(it, "hold -- release(t, l) --> free"),
        SECOND,
        "hold",
        "no sequence of transitions leads to state `hold`",
        "",
    ),
    (
        |it| it.transitions.push("held -- acquire(t, _) --> free".to_owned()),
        Part::Transition(3),
        "held -- acquire",
        "this transition and transition 3 can be enabled together",
        "exclude",
    ),
    (|it| it.message = Some("{t} broke {x}".to_owned()), Part::Message, "x", "`x` is not a parameter", ""),
    (
        |it| it.messages.push(("helt".to_owned(), String::new())),
        Part::MessageState(0),
        "helt",
        "`helt` is not a state in `bad` or `end_bad`",
        "`held`",
    ),
    (
        |it| it.levels.push(("held".to_owned(), "warn".to_owned())),
        Part::LevelValue(0),
        "warn",
        "unknown level `warn`",
        "`warning`",
    ),
    (
        |it| it.primary.push("aquire".to_owned()),
        Part::Primary(0),
        "aquire",
        "unknown event `aquire`",
        "`acquire`",
    ),
    (
        |it| it.labels.push(("spwan".to_owned(), String::new())),
        Part::Label(0),
        "spwan",
        "unknown event `spwan`",
        "`spawn`",
    ),
];

#[test]
fn the_property_that_the_others_are_made_of_is_sound() {
    let (automaton, problems) = compile_automaton(&sound());
    assert_eq!(problems, []);
    assert!(automaton.is_some());
}

#[test]
fn every_mistake_is_found_at_the_word_that_is_wrong() {
    for (change, part, words, message, help) in CASES {
        let mut source = sound();
        change(&mut source);
        let (automaton, problems) = compile(&source, &Vocabulary::default());
        assert!(automaton.is_none(), "{message}");
        let problem = problems
            .iter()
            .find(|it| it.message.starts_with(message))
            .unwrap_or_else(|| panic!("{message}: {problems:?}"));
        assert_eq!(problem.part, *part, "{message}");
        assert_eq!(
            &source.text(*part).unwrap_or_default()[problem.span.start..problem.span.end],
            *words,
            "{message}"
        );
        assert!(problem.help.as_deref().unwrap_or_default().contains(help), "{message}: {:?}", problem.help);
    }
}

#[test]
fn transitions_that_exclude_each_other_are_allowed() {
    for (first, second) in [
        ("held -- finish(t, outcome = ::ok) --> free", "held -- finish(t, outcome = ::err) --> free"),
        ("held -- finish(t) [n == 1] --> free", "held -- finish(t) [n != 1] --> free"),
        ("held -- join(t, _) --> free", "held -- join(_, t) --> free"),
        ("held -- permit(t, _, n) --> free", "held -- permit(t, _, m) [m != n] --> free"),
    ] {
        let mut source = sound();
        source.transitions.extend([first.to_owned(), second.to_owned()]);
        assert_eq!(compile_automaton(&source).1, [], "{first} and {second}");
    }
}
