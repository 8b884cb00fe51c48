use super::super::pattern::PathPattern;
use super::super::{Argument, Crossing, Direction, Moment, insertions};
use super::*;
use crate::edit::apply;

fn observation(pattern: &str, moment: Moment, arguments: &[&str]) -> Observation {
    let arguments = arguments.iter().map(|it| match it.split_once(" = ") {
        Some((name, expression)) => Argument::new(name, expression),
        None => Argument::new(*it, *it),
    });
    let path = PathPattern::parse(pattern).expect("it is a pattern");
    Observation::plain("e".to_owned(), path, moment, arguments.collect())
}

fn found(text: &str, observation: &Observation, skip: &BTreeMap<usize, String>) -> Insertions {
    found_in(text, observation, skip, None)
}

fn found_in(
    text: &str,
    observation: &Observation,
    skip: &BTreeMap<usize, String>,
    foreign: Option<&str>,
) -> Insertions {
    let module = Module { krate: "shop", path: &["pool".to_owned()] };
    let options = Options { skip, against: &|_| None, foreign, libraries: false };
    insertions(text, Edition::Rust2021, &module, std::slice::from_ref(observation), &options)
}

/// The text with `<` for what is inserted before something or begins a body, and `>` for what is behind.
fn shown(text: &str, observation: &Observation) -> String {
    let mut edits = found(text, observation, &BTreeMap::new()).edits;
    edits.sort_by_key(|it| (it.offset, rank(&it.insert)));
    for edit in &mut edits {
        edit.insert = Cow::Borrowed(if edit.insert.starts_with(CLOSE) { ">" } else { "<" });
    }
    apply(text, &edits)
}

#[test]
fn a_body_begins_with_what_records_its_call() {
    let cases = [
        ("fn f() {}", "f", "fn f() {<}"),
        (
            "mod a { impl B { async fn f(&self) { 1 } } }",
            "B::f",
            "mod a { impl B { async fn f(&self) {< 1 } } }",
        ),
        (
            "impl A for B<'_> { fn f() {} } impl A { fn f() {} }",
            "A::f",
            "impl A for B<'_> { fn f() {<} } impl A { fn f() {<} }",
        ),
        ("trait A { fn f(); fn g() { } }", "A::*", "trait A { fn f(); fn g() {< } }"),
        ("fn f() { #![allow(a)] fn g() {} }", "pool::f", "fn f() { #![allow(a)]< fn g() {} }"),
        ("fn f() { fn g() {} }", "f::g", "fn f() { fn g() {<} }"),
        ("m! { impl A { fn f() {} } }", "shop::pool::A::f", "m! { impl A { fn f() {<} } }"),
        ("fn f() {}", "other::f", "fn f() {}"),
        ("const fn f() {}", "f", "const fn f() {}"),
        ("fn f() { g(|a| { a }) }", "f::{g}", "fn f() { g(|a| {< a }) }"),
        ("fn f() { g(|a| a + 1) }", "f::{closure}", "fn f() { g(|a| <<a + 1>) }"),
        ("fn f() { g(|a| async move { a }) }", "{g}", "fn f() { g(|a| async move {< a }) }"),
        ("fn f() { g(|a| a) }", "f::g", "fn f() { g(|a| a) }"),
    ];
    for (text, pattern, expected) in cases {
        assert_eq!(shown(text, &observation(pattern, Moment::Entry, &[])), expected);
    }
}

#[test]
fn a_result_is_recorded_wherever_it_is_returned() {
    let cases = [
        ("fn f() -> u8 { 1 }", "fn f() -> u8 {< <1> }"),
        ("fn f() { a(); }", "fn f() {< a(); <}"),
        ("fn f() { a() }", "fn f() {< <a()> }"),
        (
            "fn f() -> u8 { if a { return 1; } loop { return b?; } }",
            "fn f() -> u8 {< if a { return <1>; } <loop { return <<b>?>; }> }",
        ),
        ("fn f() { if a { return; } }", "fn f() {< <if a { return<; }> }"),
        ("fn f() { let f = |a| a?; }", "fn f() {< let f = |a| a?; <}"),
        ("fn f() -> A { b.c()?.d()? }", "fn f() -> A {< <<<b.c()>?.d()>?> }"),
        (
            "fn f() -> A { let a = || { b?; return c; }; async { d? }; return e }",
            "fn f() -> A {< let a = || { b?; return c; }; async { d? }; return <e> }",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(text, &observation("f", Moment::Return, &["result"])), expected);
    }
}

#[test]
fn the_result_of_a_closure_is_recorded_in_it() {
    let cases = [
        ("fn g() { f(|a| a?.b) }", "fn g() { f(|a| <<<<a>?.b>>) }"),
        ("fn g() { f(|a| { if b { return 1; } a }) }", "fn g() { f(|a| {< if b { return <1>; } <a> }) }"),
        ("fn g() { f(|a| async move { a? }) }", "fn g() { f(|a| async move {< <<a>?> }) }"),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(text, &observation("g::{f}", Moment::Return, &["result"])), expected);
    }
}

#[test]
fn the_body_of_somebody_elses_function_is_a_closure_so_that_its_caller_is_known() {
    let cases = [
        ("shop::f", "fn f() -> u8 { return 1 }", "< fn f() -> u8 {<< return 1 >}"),
        (
            "shop::B::f",
            "impl B { /// A\n pub fn f(&self) { } }",
            "impl B { < /// A\n pub fn f(&self) {<< >} }",
        ),
        // What returns a future, or what cannot be said in the body, is recorded whoever calls it.
        ("shop::f", "async fn f() {}", "async fn f() {<}"),
        ("shop::f", "fn f() -> impl A { 1 }", "fn f() -> impl A {< 1 }"),
        // Without the name of its crate a function of the program is meant.
        ("f", "fn f() {}", "fn f() {}"),
        ("pool::f", "fn f() {}", "fn f() {}"),
        ("*::f", "fn f() {}", "fn f() {}"),
    ];
    for (pattern, text, expected) in cases {
        let observation = observation(pattern, Moment::Entry, &[]);
        let found = found_in(text, &observation, &BTreeMap::new(), Some("/a/shop-1.0.0"));
        let mut edits = found.edits;
        for edit in &mut edits {
            let shown = if edit.insert.starts_with(CLOSE) { ">" } else { "<" };
            let space =
                if edit.insert.ends_with(' ') && edit.insert.contains("track_caller") { " " } else { "" };
            edit.insert = Cow::Owned(format!("{shown}{space}"));
        }
        edits.sort_by_key(|it| it.offset);
        assert_eq!(apply(text, &edits), expected, "{pattern}");
    }
    let text = "\nfn f(\n) {}";
    let found =
        found_in(text, &observation("shop::f", Moment::Entry, &[]), &BTreeMap::new(), Some("/a/shop-1.0.0"));
    let recorded = found.edits.iter().find(|it| it.insert.contains("record")).expect("it is recorded");
    for part in ["\"/a/shop-1.0.0/\"", "2..=3", "is_from_outside"] {
        assert!(recorded.insert.contains(part), "{part} in {}", recorded.insert);
    }
}

#[test]
fn what_is_not_observed_has_a_reason() {
    let cases = [
        ("const fn f(a: u8) {}", &["a"][..], "may evaluate a `const fn`"),
        ("fn f(b: u8) {}", &["a"], "it has no parameter `a`"),
        ("fn f((a, b): (u8, u8)) {}", &["a"], "it has no parameter `a`"),
        ("fn f() {}", &["self"], "it has no parameter `self`"),
        ("fn f(&self, (a, b): (u8, u8)) {}", &["a = $1"], "parameter 1 is a pattern"),
        ("fn f(&self, a: u8) {}", &["a = 2 * $2"], "it has no parameter 2"),
    ];
    for (text, arguments, reason) in cases {
        let found = found(text, &observation("f", Moment::Entry, arguments), &BTreeMap::new());
        let [observed] = &*found.observed else { panic!("{text}: {:?}", found.observed) };
        assert!(observed.unmonitored.as_deref().is_some_and(|it| it.contains(reason)), "{observed:?}");
        assert!(found.edits.is_empty(), "{text}");
    }
}

#[test]
fn what_does_not_compile_becomes_comments_of_the_same_length() {
    let text = "fn f(&self, a: Vec<u8>) -> Result<u8> { a?; b }";
    for arguments in [&["self", "len = a.len()"][..], &["self", "result"]] {
        let moment = if arguments.contains(&RESULT) { Moment::Return } else { Moment::Entry };
        let observation = observation("f", moment, arguments);
        let all = found(text, &observation, &BTreeMap::new());
        let name = text.find('f').map(|it| it + 3).expect("it is there");
        let less = found(text, &observation, &BTreeMap::from([(name, "no".to_owned())]));
        let places =
            |it: &Insertions| it.edits.iter().map(|it| (it.offset, it.insert.len())).collect::<Vec<_>>();
        assert_eq!(places(&all), places(&less));
        assert!(!all.edits.is_empty() && all.edits.iter().all(|it| is_insertion(&it.insert)));
        assert!(less.edits.iter().all(|it| it.insert.starts_with("/*") && it.insert.ends_with("*/")));
        assert!(
            less.edits.iter().all(|it| !is_insertion(&it.insert) && it.insert.matches("*/").count() == 1)
        );
        let reason = less.observed.first().and_then(|it| it.unmonitored.clone());
        assert!(reason.is_some_and(|it| it.ends_with("does not compile here: no")));
    }
}

#[test]
fn a_parameter_can_be_named_by_its_number() {
    let text = "fn f(&self, a: u8, b: Vec<u8>) {}";
    let found =
        found(text, &observation("f", Moment::Entry, &["x = $1", "y = $2.len() + $1"]), &BTreeMap::new());
    let [edit] = &*found.edits else { panic!("{:?}", found.edits) };
    for part in ["Observed(&(a))", "Observed(&(b.len() + a))"] {
        assert!(edit.insert.contains(part), "{}", edit.insert);
    }
}

#[test]
fn what_is_returned_is_said_to_be_of_the_type_of_the_result() {
    let cases = [
        (
            "fn f() -> Result<u8, &'a E> { a }",
            "match ::std::__rv_shim::observing::typed::<Result<u8, &'a E>>(",
        ),
        (
            "fn f() -> Result<u8,\n  // Why.\n  E> { a }",
            "match ::std::__rv_shim::observing::typed::<Result<u8,  E>>(",
        ),
        ("async fn f() -> Self::A { a }", "match ::std::__rv_shim::observing::typed::<Self::A>("),
        ("fn f() -> impl A { a }", "match ("),
        ("fn f() -> Option<impl A> { a }", "match ("),
        ("fn f() -> ! { a }", "match ("),
        ("fn f() { a }", "match ("),
    ];
    for (text, expected) in cases {
        let found = found(text, &observation("f", Moment::Return, &["result"]), &BTreeMap::new());
        let expected = format!("{}{expected}", super::super::text::OPEN);
        assert!(found.edits.iter().any(|it| it.insert == expected), "{text}: {:?}", found.edits);
    }
}

/// A message of a lifestate that names this function.
fn message(direction: Direction, moment: Moment, arguments: &[&str]) -> Observation {
    let crossing = Some(Crossing { direction, of_event: false });
    Observation { crossing, ..observation("f", moment, arguments) }
}

fn with(text: &str, observations: &[Observation], libraries: bool) -> Vec<Edit> {
    let module = Module { krate: "shop", path: &[] };
    let options = Options { skip: &BTreeMap::new(), against: &|_| None, foreign: None, libraries };
    insertions(text, Edition::Rust2021, &module, observations, &options).edits
}

#[test]
fn who_calls_matters_to_a_message_where_libraries_are_known() {
    let of = |text: &str, direction, libraries: bool| {
        let edits = with(text, &[message(direction, Moment::Entry, &[])], libraries);
        let inserted: Vec<&str> = edits.iter().map(|it| &*it.insert).collect();
        inserted.join("\n")
    };
    let plain = "fn f() -> u8 { 1 }";
    let callin = of(plain, Direction::Callin, true);
    for part in ["#[track_caller]", "may_be_from_program", "once(move ||", "1..=1"] {
        assert!(callin.contains(part), "{part} in {callin}");
    }
    assert!(of(plain, Direction::Callback, true).contains("may_be_from_library"));
    assert!(!of(plain, Direction::Callin, false).contains("Location::caller(), ::std::file!()"));
    // Nobody knows who calls these.
    for text in [
        "async fn f() {}",
        "fn f() -> impl A { 1 }",
        "impl Drop for f { fn f(&mut self) {} }",
        "extern \"C\" fn f() {}",
    ] {
        let said = of(text, Direction::Callback, true);
        let is_unknown = !said.contains("may_be_from") && !said.contains("track_caller") && !said.is_empty();
        assert!(is_unknown || text.contains("Drop"), "{text}: {said}");
    }
    // Who asks for the caller already goes on to do so.
    let tracked = of("#[track_caller] fn f() {}", Direction::Callin, true);
    assert!(tracked.contains("may_be_from_program") && !tracked.contains("once(move"), "{tracked}");
}

#[test]
fn what_a_function_without_a_result_records_at_its_end_is_inside_of_what_is_around_it() {
    let message = message(Direction::Callback, Moment::Return, &["result"]);
    let mut edits = with("fn f() { a(); }", std::slice::from_ref(&message), true);
    edits.sort_by_key(|it| (it.offset, rank(&it.insert)));
    let [.., done, end] = &*edits else { panic!("{edits:?}") };
    assert!(done.insert.contains("done(&[])") && end.insert.ends_with("})"), "{edits:?}");
    // An empty body begins where it ends, and nothing has to be around it.
    let mut edits = with("fn f() {}", &[message], true);
    edits.sort_by_key(|it| (it.offset, rank(&it.insert)));
    assert!(edits.iter().any(|it| it.insert.contains("track_caller")));
    assert!(edits.iter().all(|it| !it.insert.contains("once(")), "{edits:?}");
    assert!(edits.last().is_some_and(|it| it.insert.contains("done(&[])")), "{edits:?}");
}

#[test]
fn a_parameter_that_nobody_looks_at_needs_no_name_and_no_value() {
    let mut observation = observation("f", Moment::Entry, &["_1 = $$1", "_2 = $$2"]);
    for argument in &mut observation.arguments {
        argument.is_asked = false;
    }
    let found = found("fn f(_: u8, b: u8) {}", &observation, &BTreeMap::new());
    assert_eq!(found.observed[0].unmonitored, None);
    let [edit] = &*found.edits else { panic!("{:?}", found.edits) };
    for part in ["Value::Absent, (&&&", "Unasked(&(b))"] {
        assert!(edit.insert.contains(part), "{part} in {}", edit.insert);
    }
    // But it has to be there.
    let found = found_in("fn f(a: u8) {}", &observation, &BTreeMap::new(), None);
    let reason = found.observed[0].unmonitored.as_deref();
    assert!(reason.is_some_and(|it| it.contains("it has no parameter 2")), "{reason:?}");
}

#[test]
fn the_compiler_calls_a_destructor() {
    let text = "impl Drop for A { fn drop(&mut self) {} }";
    let crossing = Some(Crossing { direction: Direction::Callback, of_event: false });
    let drop = Observation { crossing, ..observation("Drop::drop", Moment::Entry, &["self"]) };
    let edits = with(text, &[drop], true);
    // Nothing may stop the program in it.
    let [dropping, edit] = &*edits else { panic!("{edits:?}") };
    assert!(dropping.insert.contains("::dropping()"), "{}", dropping.insert);
    assert!(edit.insert.contains("record(") && !edit.insert.contains("may_be_from"), "{}", edit.insert);
}

#[test]
fn a_call_that_is_refused_says_so_behind_what_begins_it() {
    let mut refusing = message(Direction::Callin, Moment::Refusal, &["result", "self"]);
    refusing.event = "dis ciret f".to_owned();
    let call = message(Direction::Callin, Moment::Call, &["self"]);
    let refused = observation("f", Moment::Return, &["refused = matches!(result, Err(_))"]);
    let text = "impl A { fn f(&self) -> Result<u8, ()> { g()?; Ok(1) } }";
    let edits = with(text, &[refusing, call, refused], false);
    let inserted: Vec<&str> = edits.iter().map(|it| &*it.insert).collect();
    let at = |part: &str| {
        inserted.iter().position(|it| it.contains(part)).unwrap_or_else(|| panic!("{part} in {inserted:#?}"))
    };
    assert!(at("__RV.record(") < at("__RV.refusing("), "{inserted:#?}");
    for part in
        ["&[\"Err\"]", "if matches!(result, Err(_)) { __rv_returning_1.refused(&[(0, ", "&__rv_returning_1"]
    {
        at(part);
    }
    // A function that nobody says to refuse does so only by a panic, and has nothing where it returns.
    let mut refusing = message(Direction::Callin, Moment::Refusal, &["result"]);
    refusing.event = "dis ciret f".to_owned();
    let edits = with("fn f() -> u8 { if a { return 1; } b? }", &[refusing], false);
    let [edit] = &*edits else { panic!("{edits:#?}") };
    assert!(edit.insert.contains("__RV.refusing("), "{}", edit.insert);
}
