//! What other orders of the callbacks of a trace could do.

use rvcheck_spec::evaluation::lifestate::blocks::{Blocks, Cutter};
use rvcheck_spec::evaluation::lifestate::history::Reason;
use rvcheck_spec::evaluation::lifestate::predict::{Prediction, STATES, predict};
use rvcheck_spec::{Property, Vocabulary};

use super::{compiled, fed, lifestate, lines};

fn cut(property: &Property, vocabulary: &Vocabulary, lines: &str) -> Blocks {
    let mut cutter = Cutter::new(property.lifestate().expect("it is one"));
    fed(vocabulary, lines, |event, world| cutter.step(event, world));
    cutter.finish().pop().map(|it| it.1).unwrap_or_default()
}

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
    assert_eq!(predict(lifestate, &blocks, 2).0, Prediction::Unknown);
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
fn a_model_that_contradicts_itself_from_the_beginning_allows_no_callback() {
    let rules = ["true; true |- ci g(x)", "true |+ ci g(1)", "_*; ci h() |- ci h()"];
    let (property, vocabulary) = compiled(&lifestate(&rules));
    let trace = lines("cb other(); ci h(); ci h(); cbret other()");
    assert_eq!(predicted(&property, &vocabulary, &trace), Prediction::Absence);
}
