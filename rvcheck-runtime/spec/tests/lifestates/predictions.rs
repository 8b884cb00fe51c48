//! What other orders of the callbacks of a trace could do.

use rvcheck_event::value::Value;
use rvcheck_spec::evaluation::lifestate::history::Reason;
use rvcheck_spec::evaluation::lifestate::predict::{Gap, Prediction, STATES, predict};
use rvcheck_spec::evaluation::lifestate::reach::{Kept, Unreached};
use rvcheck_spec::{Property, Vocabulary};

use super::kit::{NAMES_POLLS, cut};
use super::{compiled, lifestate, lines};

/// What is predicted of the one unit of a trace.
pub(crate) fn predicted(property: &Property, vocabulary: &Vocabulary, lines: &str) -> Prediction {
    let blocks = cut(property, vocabulary, lines);
    predict(property.lifestate().expect("it is one"), &blocks, STATES).0
}

/// The example of the paper: a button starts a task, which must not be started twice.
const TASK: [&str; 6] = [
    "_*; ci Task::execute(t) |- ci Task::execute(t)",
    "true | _*; cb Task::done(t) |- cb Task::done(t)",
    "_*; ci Task::execute(t) |+ cb Task::done(t)",
    "_*; cb App::create(_) |- cb App::create(_)",
    "true |- cb Listener::on_click(b)",
    "_*; ci Button::set_listener(b) |+ cb Listener::on_click(b)",
];

/// What the mend needs to know of buttons.
const DISABLE: &str = "_*; ci Button::disable(b) |- cb Listener::on_click(b)";

const CREATE: &str = "cb App::create(1); ci Button::set_listener(7); cbret App::create(1); ";
const CLICK: &str = "cb Listener::on_click(7); ci Task::execute(5); cbret Listener::on_click(7); ";
const MENDED: &str =
    "cb Listener::on_click(7); ci Button::disable(7); ci Task::execute(5); cbret Listener::on_click(7); ";
const DONE: &str = "cb Task::done(5); ci App::finish(1); cbret Task::done(5); ";

#[test]
fn a_second_click_is_predicted_and_with_the_button_disabled_there_is_none() {
    let good = format!("{CREATE}{CLICK}{DONE}");
    let (property, vocabulary) = compiled(&lifestate(&TASK));
    let Prediction::Violation(word) = predicted(&property, &vocabulary, &lines(&good)) else {
        panic!("the task can be started twice")
    };
    assert_eq!((&word.blocks[..], word.message, word.may_be_longer), (&[0, 1, 1][..], 1, false));
    assert_eq!(word.reason, Some(Reason::Rule(0, Some((1, 1)))));
    // The model does not know of buttons that are disabled, and so the mend is none.
    let mended = lines(&format!("{CREATE}{MENDED}{DONE}"));
    assert!(matches!(predicted(&property, &vocabulary, &mended), Prediction::Violation(_)));
    let stronger = [&TASK[..], &[DISABLE]].concat();
    let (property, vocabulary) = compiled(&lifestate(&stronger));
    assert_eq!(predicted(&property, &vocabulary, &mended), Prediction::Absence);
    assert!(matches!(predicted(&property, &vocabulary, &lines(&good)), Prediction::Violation(_)));
}

#[test]
fn a_callback_is_cut_with_all_that_it_calls_and_what_is_outside_is_left_out() {
    // A trace, what is in its callbacks, and how many messages are in none.
    let cases = [
        ("ci m(); cb a(); ci x(); cbret a(); ciret m(); cb b(); cbret b()", "3 2", 2),
        // Callbacks that a callback's calls cause are a part of it.
        ("cb a(); ci x(); cb b(); cbret b(); ciret x(); cbret a()", "6", 0),
        // One that calls itself.
        ("cb a(); cb a(); cbret a(); ci x(); cbret a(); ci y()", "5", 1),
        // What has not returned, or returns without having begun.
        ("cbret a(); cb a(); cb b(); cbret a(); cb c(); ci x()", "3 2", 1),
    ];
    for (trace, wanted, outside) in cases {
        let (property, vocabulary) = compiled(&lifestate(&["true |- ci nothing()"]));
        let blocks = cut(&property, &vocabulary, &lines(trace));
        let sizes: Vec<String> = blocks.blocks.iter().map(|it| it.messages.len().to_string()).collect();
        assert_eq!((sizes.join(" ").as_str(), blocks.outside), (wanted, outside), "{trace}");
    }
}

#[test]
fn callbacks_of_several_threads_are_cut_apart() {
    let line = |thread: u32, name: &str| format!("{{\"e\":\"{name}\",\"thread\":{thread}}}\n");
    let trace: String = [(1, "cb a"), (2, "cb b"), (1, "ci x"), (2, "cbret b"), (1, "cbret a"), (2, "ci x")]
        .map(|it| line(it.0, it.1))
        .concat();
    let (property, vocabulary) = compiled(&lifestate(&["true |- ci nothing()"]));
    let blocks = cut(&property, &vocabulary, &trace);
    let sizes: Vec<usize> = blocks.blocks.iter().map(|it| it.messages.len()).collect();
    assert_eq!((&sizes[..], blocks.outside), (&[3, 2][..], 1));
}

#[test]
fn where_too_many_states_would_be_searched_nothing_is_claimed() {
    let (property, vocabulary) = compiled(&lifestate(&TASK));
    let blocks = cut(&property, &vocabulary, &lines(&format!("{CREATE}{CLICK}{DONE}")));
    let lifestate = property.lifestate().expect("it is one");
    assert_eq!(predict(lifestate, &blocks, 2).0, Prediction::Unknown(Gap::States));
}

#[test]
fn objects_that_are_alike_are_searched_once() {
    let (property, vocabulary) = compiled(&lifestate(&[
        "true |- ci Service::call(s)",
        "_*; ciret ::Ready = Service::poll_ready(s) |+ ci Service::call(s)",
        "_*; ci Service::call(s) |- ci Service::call(s)",
    ]));
    let handled = |it: u32| {
        format!(
            "cb handle({it}); ciret Ready = Service::poll_ready({it}); ci Service::call({it}); cbret handle({it}); "
        )
    };
    let trace: String = (1..50).map(handled).collect();
    let blocks = cut(&property, &vocabulary, &lines(&trace));
    let (prediction, effort) = predict(property.lifestate().expect("it is one"), &blocks, STATES);
    assert_eq!(prediction, Prediction::Absence);
    assert_eq!((effort.targets, effort.cones), (49, 1));
    assert!(effort.states < 10, "{effort:?}");
}

#[test]
fn a_model_that_contradicts_itself_from_the_beginning_allows_no_callback_and_proves_nothing() {
    let rules = ["true; true |- ci g(x)", "true |+ ci g(1)", "_*; ci h() |- ci h()"];
    let (property, vocabulary) = compiled(&lifestate(&rules));
    let trace = lines("cb other(); ci h(); ci h(); cbret other()");
    let kept_by = Some(Kept { message: (0, 0), reason: Reason::Inconsistent(1, 0) });
    let unreached = Unreached { calls: 3, of: 3, first: (0, 1), kept_by };
    assert_eq!(predicted(&property, &vocabulary, &trace), Prediction::Unreached(unreached));
}

/// One task is polled twice, and something else is handled.
const POLLS: &str = "cb poll(1); ci open(7); cbret suspend = poll(1); cb poll(1); ci close(7); cbret finish = poll(1); \
    cb handle(7); ci read(7); cbret handle(7); ";

#[test]
fn polls_of_a_task_come_once_each_in_their_order_and_handlers_as_often_as_one_likes() {
    // Rules, and the shortest word with a violation.
    let cases: [(&[&str], Option<&[usize]>); 6] = [
        // Behind the second poll, which comes behind the first one.
        (&["_*; ci close(f) |- ci read(f)", NAMES_POLLS], Some(&[0, 1, 2])),
        // Nothing can be closed that was not opened.
        (&["true |- ci close(f)", "_*; ci open(f) |+ ci close(f)", NAMES_POLLS], None),
        // Nothing is opened twice, nor behind the close.
        (&["_*; ci open(f) |- ci open(f)", NAMES_POLLS], None),
        (&["_*; ci close(f) |- ci open(f)", NAMES_POLLS], None),
        (&["_*; ci read(f) |- ci read(f)", NAMES_POLLS], Some(&[2, 2])),
        // A task can end early.
        (&["_*; ci open(f) |- ci read(f)", NAMES_POLLS], Some(&[0, 2])),
    ];
    for (rules, wanted) in cases {
        let (property, vocabulary) = compiled(&lifestate(rules));
        let found = predicted(&property, &vocabulary, &lines(POLLS));
        match (&found, wanted) {
            (Prediction::Violation(word), Some(wanted)) => assert_eq!(word.blocks, wanted, "{rules:?}"),
            (Prediction::Absence, None) => {}
            _ => panic!("{rules:?} {found:?}"),
        }
    }
}

#[test]
fn a_poll_that_the_model_does_not_permit_keeps_all_later_ones_from_coming() {
    let rules = ["true |- ci close(f)", "true |- cb poll(t)", "_*; cb handle(_) |+ cb poll(t)"];
    let (property, vocabulary) = compiled(&lifestate(&rules));
    let found = predicted(&property, &vocabulary, &lines(POLLS));
    let Prediction::Violation(word) = found else { panic!("{found:?}") };
    assert_eq!(word.blocks, [2, 0, 1]);
    // Without what permits it, nothing comes to the call: that it is not violated proves nothing.
    let (property, vocabulary) = compiled(&lifestate(&rules[..2]));
    let kept_by = Some(Kept { message: (0, 0), reason: Reason::Rule(1, None) });
    let unreached = Unreached { calls: 1, of: 1, first: (1, 1), kept_by };
    assert_eq!(predicted(&property, &vocabulary, &lines(POLLS)), Prediction::Unreached(unreached));
}

#[test]
fn a_call_is_proved_only_where_some_order_comes_to_it() {
    const HANDLED: &str = "cb handle(7); ciret ok = take(7); ci read(7); cbret handle(7); ";
    let rules = [
        "true |- ciret ok = take(f)",
        "_*; ci put(f) |+ ciret ok = take(f)",
        "_*; ci close(f) |- ci read(f)",
    ];
    let (property, vocabulary) = compiled(&lifestate(&rules));
    let answer = |trace: &str| predicted(&property, &vocabulary, &lines(trace));
    // In a callback, in an order of its own, and outside of all.
    let put = "cb give(1); ci put(7); cbret give(1); ";
    assert_eq!(answer(&format!("{put}{HANDLED}")), Prediction::Absence);
    assert_eq!(answer(&format!("{HANDLED}{put}")), Prediction::Absence);
    let Prediction::Unreached(unreached) = answer(&format!("ci put(7); {HANDLED}")) else { panic!() };
    assert_eq!((unreached.calls, unreached.of, unreached.first), (1, 1, (0, 2)));
    assert_eq!(unreached.kept_by.map(|it| it.message), Some((0, 1)));
    // Another callback with such a call does not help.
    let other = HANDLED.replace('7', "8");
    let Prediction::Unreached(unreached) = answer(&format!("{put}{HANDLED}{other}")) else { panic!() };
    assert_eq!((unreached.calls, unreached.of, unreached.first), (1, 2, (2, 2)));
    // Where it is not known whether any does, nothing is proved, either.
    let blocks = cut(&property, &vocabulary, &lines(&format!("{HANDLED}{put}")));
    let lifestate = property.lifestate().expect("it is one");
    assert_eq!(predict(lifestate, &blocks, 2).0, Prediction::Unknown(Gap::Reach));
}

#[test]
fn where_polls_of_two_tasks_overlap_only_what_holds_in_their_midst_is_proved() {
    let line = |(task, name, value): &(u32, &str, u32)| match *name {
        "poll" | "suspend" => {
            format!("{{\"e\":\"{name}\",\"a\":{{\"t\":\"task:{task}\"}},\"thread\":{value}}}\n")
        }
        _ => format!(
            "{{\"e\":\"{name}\",\"a\":{{\"1\":{value}}},\"thread\":{task},\"task\":\"task:{task}\"}}\n"
        ),
    };
    let trace = |messages: &[(u32, &str, u32)]| -> String { messages.iter().map(line).collect() };
    let rules = ["_*; ci open(f) |- ci read(f)", NAMES_POLLS];
    let (property, vocabulary) = compiled(&lifestate(&rules));
    let of = |task, object| [(task, "poll", task), (task, "ci open", object), (task, "suspend", task)];
    let [first, second, third] = [of(1, 7), of(2, 7), of(2, 8)];
    let interleaved = |a: [(u32, &'static str, u32); 3], b: [(u32, &'static str, u32); 3]| {
        trace(&[a[0], b[0], a[1], b[1], a[2], b[2], (3, "cb f", 3), (3, "ci read", 9)])
    };
    // One behind the other; each with an object of its own; and both with the same one.
    let apart = trace(&[&first[..], &second, &[(3, "cb f", 3), (3, "ci read", 9)]].concat());
    assert_eq!(predicted(&property, &vocabulary, &apart), Prediction::Absence);
    assert_eq!(predicted(&property, &vocabulary, &interleaved(first, third)), Prediction::Absence);
    assert_eq!(predicted(&property, &vocabulary, &interleaved(first, second)), Prediction::Absence);
    // In the midst of the one, the other one reads what is open.
    let rules = ["_*; ci open(f) |- ci read(f)", "_*; ci close(f) |+ ci read(f)", NAMES_POLLS];
    let (property, vocabulary) = compiled(&lifestate(&rules));
    let polls = [
        (1, "poll", 1),
        (2, "poll", 2),
        (1, "ci open", 7),
        (1, "ci close", 7),
        (2, "ci read", 7),
        (1, "suspend", 1),
        (2, "suspend", 2),
    ];
    let found = predicted(&property, &vocabulary, &trace(&polls));
    let Prediction::Unknown(Gap::Overlap(overlap)) = found else { panic!("{found:?}") };
    assert_eq!((overlap.blocks, overlap.object), ((0, 1), Value::Int(7)));
    // What can be violated is said all the same.
    let read = interleaved(first, second).replace("\"1\":9", "\"1\":7");
    assert!(matches!(predicted(&property, &vocabulary, &read), Prediction::Violation(_)));
}
