//! What is wrong with a lifestate is found, and the problem points at the word that is wrong.

use rvcheck_spec::{EventSource, Part, PropertySource, Vocabulary, compile};

use super::lifestate;

/// Rules, the words that the problem points at, the rule they are in, the message, and words of the help.
type Case = (&'static [&'static str], &'static str, usize, &'static str, &'static str);

const CASES: &[Case] = &[
    (
        &["true |- ci f(x)", "_ |- dis ci f(x)"],
        "dis",
        1,
        "a rule cannot speak of refused calls",
        "write `ci f(…)`",
    ),
    (&["send f(x) |- ci f(x)"], "send", 0, "`send` begins no message", "a message is `cb f(…)`"),
    (&["cbk f(x) |- ci f(x)"], "cbk", 0, "`cbk` begins no message", "`cb`"),
    (
        &["true |- ci f(x)", "true |+ ci f(y)"],
        "true |+ ci f(y)",
        1,
        "this permits what rule 1 prohibits after the same histories",
        "leave one",
    ),
    (&["true |- ci f(x)", "true |- ci f(y)"], "true |- ci f(y)", 1, "this is rule 1 again", "leave it out"),
    (
        &["_*; ci f(x) |- ci g(x)", "_*; ci f(x, y) |- ci g(x)"],
        "(x, y)",
        1,
        "`f` has 2 parameters here and 1 parameter in rule 1",
        "name all",
    ),
    (
        &["ci f(x) |- ci f()"],
        "()",
        0,
        "`f` has no parameter here and 1 parameter elsewhere in this rule",
        "name all",
    ),
    (&["ciret v = f(x) |- ci f(1, 2)"], "(1, 2)", 0, "`f` has 2 parameters here", "name all"),
    (
        &["!(_*; ci f(x); _*) |- ci g()"],
        "x",
        0,
        "nothing binds `x` in some histories of this rule",
        "write `_`",
    ),
    (&["(ci f(x))* |- ci g(y)"], "x", 0, "nothing binds `x` in some histories of this rule", "write `_`"),
    (&["_*; ci grant(1, x) |- ci grant(x, _)"], "1", 0, "`grant` is of sort `task`, this of sort `int`", ""),
    (
        &["_*; ci grant(x, _) |- ci grant(_, x)"],
        "x)",
        0,
        "`x` is of sort `task` elsewhere in this rule, and of sort `int` here",
        "",
    ),
    (
        &["_*; ci grant(x) |- ci f()"],
        "(x)",
        0,
        "`grant` has 1 parameter here and 2 parameters in its declaration",
        "name all",
    ),
    (&["ci f(a,b,c,d,e,f,g,h,i) |- ci g()"], "i", 0, "a rule can have 8 variables, not 9", "divide"),
];

fn vocabulary(source: &PropertySource) -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    let params = vec!["who: task".to_owned(), "n: int".to_owned()];
    assert_eq!(vocabulary.declare_event(&EventSource { name: "grant".to_owned(), params }), []);
    vocabulary.declare_lifestate(source);
    vocabulary
}

#[test]
fn a_problem_points_at_the_word_that_is_wrong() {
    for (rules, words, rule, message, help) in CASES {
        let source = lifestate(rules);
        let (property, problems) = compile(&source, &vocabulary(&source));
        assert!(property.is_none(), "{rules:?}");
        let problem = &problems[0];
        let at = &rules[*rule][problem.span.start..];
        assert_eq!(problem.part, Part::LifestateRule(*rule), "{problem:?}");
        assert!(at.starts_with(words), "{rules:?}: {problem:?}");
        assert!(problem.message.contains(message), "{problem:?}");
        assert!(problem.help.as_deref().unwrap_or("").contains(help), "{problem:?}");
    }
}

#[test]
fn a_lifestate_has_rules_and_no_keys_of_other_logics() {
    let source = lifestate(&[]);
    assert_eq!(compile(&source, &vocabulary(&source)).1[0].message, "there are no `rules`");
    let source = PropertySource { formula: Some("true".to_owned()), ..lifestate(&["true |- ci f()"]) };
    assert_eq!(compile(&source, &vocabulary(&source)).1[0].message, "`formula` belongs to the logic `ltl`");
    let source = PropertySource {
        logic: "ltl".to_owned(),
        formula: Some("true".to_owned()),
        ..lifestate(&["true |- ci f()"])
    };
    assert_eq!(
        compile(&source, &vocabulary(&source)).1[0].message,
        "`rules` belongs to the logic `lifestate`"
    );
}

#[test]
fn a_message_can_name_variables_of_prohibited_messages() {
    let source = PropertySource {
        message: Some("{s} and {t}".to_owned()),
        ..lifestate(&["true |- ci f(s)", "_*; ci f(t) |+ ci f(t)"])
    };
    let problems = compile(&source, &vocabulary(&source)).1;
    assert_eq!(
        (problems.len(), problems[0].message.as_str()),
        (1, "`t` is not a variable of a prohibited message")
    );
}

#[test]
fn a_regex_with_too_many_states_is_a_problem_and_no_hang() {
    let rule = format!("_*; ci f(); {} |- ci g()", vec!["_"; 20].join("; "));
    let problems = compile(&lifestate(&[&rule]), &Vocabulary::default()).1;
    assert!(problems[0].message.contains("take more than 4096 states"), "{problems:?}");
    let many: Vec<String> = (0..11).map(|it| format!("ci f({it})")).collect();
    let problems =
        compile(&lifestate(&[&format!("{} |- ci g()", many.join(" | "))]), &Vocabulary::default()).1;
    assert!(problems[0].message.contains("too many messages of one function"), "{problems:?}");
}

#[test]
fn a_built_in_event_goes_one_way_and_has_its_parameters() {
    let cases = [
        ("true |- ci acquire(t, l)", "`acquire` is built in, and is never `ci`", "write `ciret acquire`"),
        (
            "true |- ciret poll(t)",
            "`poll` is built in, and is never `ciret`",
            "write `cb poll` or `cbret poll`",
        ),
        (
            "true |- ci release(l)",
            "`release` has 1 parameter here and 2 parameters in its declaration",
            "name all",
        ),
        ("true |- ciret join(t, 1)", "`join` is of sort `task`, this of sort `int`", ""),
    ];
    for (rule, message, help) in cases {
        let problems = compile(&lifestate(&[rule]), &Vocabulary::default()).1;
        assert_eq!(problems[0].message, message, "{rule}");
        assert!(problems[0].help.as_deref().unwrap_or_default().contains(help), "{problems:?}");
    }
}
