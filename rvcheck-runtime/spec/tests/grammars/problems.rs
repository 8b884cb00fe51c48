//! What is wrong with a grammar is found, and the problem points at the word that is wrong.

use rvcheck_spec::{Part, PropertySource, Vocabulary, compile};

use super::{grammar, worker};

/// A change, the string that the problem is in, the words that it points at, its message, and words of its help.
type Case = (fn(&mut PropertySource), Part, &'static str, &'static str, &'static str);

fn rule(source: &mut PropertySource, at: usize, text: &str) {
    text.clone_into(&mut source.grammar[at].1);
}

fn message(source: &mut PropertySource, at: usize, text: &str) {
    text.clone_into(&mut source.view[at].1);
}

fn push(list: &mut Vec<(String, String)>, name: &str, text: &str) {
    list.push((name.to_owned(), text.to_owned()));
}

const T: Part = Part::Rule(2);
const U: Part = Part::Rule(3);

const CASES: &[Case] = &[
    (|it| it.view.clear(), Part::Property, "", "the table `view` is missing", "send"),
    (|it| it.grammar.clear(), Part::Property, "", "the table `grammar` is missing", "rules"),
    (
        |it| _ = it.grammar.remove(0),
        Part::Property,
        "",
        "the key `start` is missing in `grammar`",
        "start = ",
    ),
    (|it| rule(it, 0, "s"), Part::Rule(0), "s", "unknown nonterminal `s`", "names one of the rules"),
    (
        |it| it.initial = Some("S".into()),
        Part::Initial,
        "S",
        "`initial` belongs to the logic `automaton`",
        "",
    ),
    (
        |it| it.formula = Some("true".into()),
        Part::Formula,
        "true",
        "`formula` belongs to the logic `ltl`",
        "",
    ),
    // The view.
    (
        |it| message(it, 1, "recieve A::f(id)"),
        Part::ViewMessage(1),
        "recieve",
        "expected `send` or `receive`",
        "`receive`",
    ),
    (
        |it| push(&mut it.view, "again", "receive Worker::send_current_id(x)"),
        Part::ViewMessage(6),
        "Worker::send_current_id",
        "`receive Worker::send_current_id` is the terminal `id` already",
        "only one",
    ),
    (
        |it| message(it, 2, "send A::f(w, w)"),
        Part::ViewMessage(2),
        "w",
        "`w` cannot be the name of a parameter",
        "callee",
    ),
    (
        |it| message(it, 2, "send A::f(callee)"),
        Part::ViewMessage(2),
        "callee",
        "`callee` cannot be the name",
        "sent to",
    ),
    (
        |it| push(&mut it.view, "assert", "send A::f()"),
        Part::ViewTerminal(6),
        "assert",
        "`assert` is a word of the language",
        "",
    ),
    (
        |it| push(&mut it.view, "1st", "send A::f()"),
        Part::ViewTerminal(6),
        "1st",
        "`1st` cannot be the name of a terminal",
        "",
    ),
    (
        |it| push(&mut it.view, "up", "send A::f()"),
        Part::ViewTerminal(6),
        "up",
        "no alternative begins with `up`",
        "leave it out",
    ),
    (
        |it| message(it, 0, "send A::f(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)"),
        Part::ViewMessage(0),
        "(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)",
        "a message can have 16 parameters",
        "",
    ),
    // Instances.
    (
        |it| it.per.push("w".into()),
        Part::Per(0),
        "w",
        "`w` is no parameter of `receive Worker::send_current_id`",
        "",
    ),
    (
        |it| {
            it.per.push("w".into());
            it.group = Some("workers".into());
        },
        Part::Per(0),
        "w",
        "a grammar has one instance for each group or for each value",
        "leave",
    ),
    (|it| it.group = Some("a b".into()), Part::Group, "a b", "`a b` cannot be the name of a group", ""),
    (
        |it| it.message = Some("{w} fails".into()),
        Part::Message,
        "w",
        "`w` is not what instances are told apart by",
        "",
    ),
    // The rules.
    (|it| rule(it, 2, "ε | i U"), T, "i", "unknown terminal `i`", ""),
    (|it| rule(it, 2, "ε | idd U"), T, "idd", "unknown terminal `idd`", "`id`"),
    (
        |it| rule(it, 2, "ε | U"),
        T,
        "U",
        "`U` is a nonterminal, and an alternative begins with a terminal",
        "view",
    ),
    (
        |it| rule(it, 2, "ε | id pr"),
        T,
        "pr",
        "`pr` is a terminal, and an alternative has only one",
        "rule of its own",
    ),
    (|it| rule(it, 2, "ε | id UU"), T, "UU", "unknown nonterminal `UU`", ""),
    (|it| rule(it, 2, "ε | id U W"), T, "W", "`W` cannot follow `U`", "at most one"),
    (
        |it| rule(it, 2, "ε | id U { U.w = T.w; U.i = id.id } | id V"),
        T,
        "id",
        "two alternatives of `T` begin with `id`: `id U { U.w = T.w; U.i = id.id }` and `id V`",
        "different terminals",
    ),
    (|it| rule(it, 2, "ε | id U | empty"), T, "empty", "two alternatives of `T` begin with `ε`", ""),
    (|it| rule(it, 2, "ε | id U { U.w = T.w"), T, "", "expected `;` or `}`, found the end", ""),
    (
        |it| rule(it, 2, "ε | id U { V.w = T.w }"),
        T,
        "V",
        "this alternative goes on with `U`, not with `V`",
        "`U`",
    ),
    (|it| rule(it, 2, "ε | id U { U.w = 1; U.w = 2 }"), T, "U.w", "`U.w` is set twice", ""),
    (|it| push(&mut it.grammar, "Y", "ε"), Part::RuleName(7), "Y", "no word leads to `Y`", "leave it out"),
    (|it| push(&mut it.grammar, "id", "ε"), Part::RuleName(7), "id", "`id` is a terminal already", ""),
    // Terms.
    (|it| rule(it, 2, "ε | id U { U.w = w; U.i = id.id }"), T, "w", "`w` stands for nothing here", "`T.w`"),
    (
        |it| rule(it, 2, "ε | id U { U.w = T.w; U.i = id.idd }"),
        T,
        "idd",
        "`id` has no parameter `idd`",
        "`id`",
    ),
    (
        |it| rule(it, 2, "ε | id U { U.w = T.w; U.i = pr.id }"),
        T,
        "pr",
        "`pr` is not known here",
        "hand the value on",
    ),
    (
        |it| rule(it, 2, "ε | id U { U.w = T.w; U.i = xx.id }"),
        T,
        "xx",
        "unknown terminal or nonterminal `xx`",
        "",
    ),
    (|it| rule(it, 2, "ε | id U { U.w = T.w; U.i = T.i }"), T, "i", "no alternative sets `T.i`", ""),
    (|it| rule(it, 2, "ε | id U { U.i = id.id }"), U, "w", "no alternative sets `U.w`", ""),
    (
        |it| rule(it, 6, "ε | es U { U.w = 1 }"),
        U,
        "i",
        "`U.i` is not set in the rule of `X`",
        "goes on with `U`",
    ),
    (
        |it| rule(it, 1, "ε | st assert S.w == 1 T { T.w = st.w } | id S { S.w = 1 }"),
        Part::Rule(1),
        "w",
        "`S.w` is not set where a trace begins",
        "begin with",
    ),
    (
        |it| rule(it, 6, "ε | es assert X.s == \"two\""),
        Part::Rule(6),
        "X.s == \"two\"",
        "`int` cannot be compared with `str`",
        "",
    ),
    (
        |it| rule(it, 6, "ε | es assert X.s"),
        Part::Rule(6),
        "X.s",
        "expected a value of sort `bool`, found `int`",
        "",
    ),
    (
        |it| rule(it, 6, "ε | es assert size(X.s) == 1"),
        Part::Rule(6),
        "X.s",
        "expected a value of sort `str`, found `int`",
        "",
    ),
    (
        |it| rule(it, 2, "ε | id U { U.w = 1; U.i = id.id } | st U { U.w = \"a\"; U.i = 1 }"),
        T,
        "w",
        "`U.w` is of sort `str` here and of sort `int` elsewhere",
        "",
    ),
    // Assertions that never hold.
    (
        |it| rule(it, 2, "ε | id assert false U { U.w = 1; U.i = id.id }"),
        T,
        "false",
        "`false` can never hold",
        "leave",
    ),
    (
        |it| rule(it, 2, "ε | id assert 1 + 1 == 3 U { U.w = 1; U.i = id.id }"),
        T,
        "1 + 1 == 3",
        "`1 + 1 == 3` can never hold",
        "",
    ),
    (
        |it| rule(it, 6, "ε | es assert X.s != X.s"),
        Part::Rule(6),
        "X.s != X.s",
        "`X.s != X.s` can never hold",
        "",
    ),
    (
        |it| rule(it, 6, "ε | es assert X.s > 3 && X.s < 2"),
        Part::Rule(6),
        "X.s > 3 && X.s < 2",
        "`X.s > 3 && X.s < 2` can never",
        "",
    ),
    (
        |it| rule(it, 6, "ε | es assert X.s == 1 && (X.s == 2 || false)"),
        Part::Rule(6),
        "X.s == 1 && (X.s == 2 || false)",
        "`X.s == 1 && (X.s == 2 || false)` can never hold",
        "",
    ),
];

#[test]
fn every_mistake_is_found_at_the_word_that_is_wrong() {
    for (change, part, words, message, help) in CASES {
        let mut source = worker();
        change(&mut source);
        let (property, problems) = compile(&source, &Vocabulary::default());
        assert!(property.is_none(), "{message}");
        let Some(problem) = problems.iter().find(|it| it.message.starts_with(message)) else {
            panic!("{message}: {problems:#?}")
        };
        assert_eq!(problem.part, *part, "{message}");
        let text = source.text(*part).unwrap_or_default();
        assert_eq!(&text[problem.span.start..problem.span.end], *words, "{message}");
        assert!(problem.help.as_deref().unwrap_or_default().contains(help), "{message}: {:?}", problem.help);
    }
}

#[test]
fn assertions_that_can_hold_are_allowed() {
    for text in
        ["X.s == X.s", "X.s > 1 && X.s < 3", "X.s == 1 || X.s == 2", "!(X.s == 1) && X.s != 2", "true"]
    {
        let mut source = worker();
        rule(&mut source, 6, &format!("ε | es assert {text}"));
        assert_eq!(compile(&source, &Vocabulary::default()).1, [], "{text}");
    }
}

#[test]
fn two_views_of_a_file_have_to_agree_on_the_parameters_of_a_message() {
    let first = grammar(&[("a", "send A::f(x, _)")], &[("start", "S"), ("S", "ε | a S")]);
    for (text, words, message) in [
        (
            "send A::f(x)",
            "(x)",
            "`send A::f` has 1 parameter here and 2 parameters in another view of this file",
        ),
        (
            "send A::f()",
            "()",
            "`send A::f` has no parameter here and 2 parameters in another view of this file",
        ),
        ("send A::f(z, y)", "z", "this parameter of `send A::f` is called `x` in another view of this file"),
        ("send A::f(_, y)", "", ""),
    ] {
        let second = grammar(&[("b", text)], &[("start", "S"), ("S", "ε | b S")]);
        let mut vocabulary = Vocabulary::default();
        vocabulary.declare_messages(&first);
        vocabulary.declare_messages(&second);
        let problems = compile(&second, &vocabulary).1;
        let found: Vec<_> =
            problems.iter().map(|it| (&text[it.span.start..it.span.end], it.message.as_str())).collect();
        let wanted = if message.is_empty() { Vec::new() } else { vec![(words, message)] };
        assert_eq!(found, wanted, "{text}");
    }
}
