//! How long the search and the solver take where each callback moves what belongs to all others: tasks of one button in turn.
//!
//! ```text
//! cargo bench -p rvcheck-sat
//! LIFESTATE_TASKS=1000 cargo bench -p rvcheck-sat
//! ```

#[path = "../../../rvcheck-runtime/spec/tests/kit/lifestates/mod.rs"]
mod kit;

use std::fmt::Write as _;
use std::time::Instant;

use kit::{cut, lifestate, lines};
use rvcheck_sat::Sat;
use rvcheck_spec::evaluation::lifestate::blocks::Blocks;
use rvcheck_spec::evaluation::lifestate::predict::{Effort, Prediction, STATES, predict, predict_with};
use rvcheck_spec::{Lifestate, Vocabulary, compile};

/// A button is disabled while a task of its runs, and a task is started once. So no order violates anything.
const IN_TURN: [&str; 6] = [
    "_*; ci Task::execute(t) |- ci Task::execute(t)",
    "_*; ci Button::disable(b) |- cb Listener::on_click(b, t)",
    "_*; ci Task::execute(t) |- cb Listener::on_click(b, t)",
    "!(_*; ci Task::execute(t); _*) & (_*; ci Button::enable(b)) |+ cb Listener::on_click(b, t)",
    "true | _*; cb Task::done(t) |- cb Task::done(t)",
    "_*; ci Task::execute(t) |+ cb Task::done(t)",
];

/// The same where the button is enabled again also for a task that was started.
const TWICE: &str = "_*; ci Button::enable(b) |+ cb Listener::on_click(b, t)";

/// The callbacks of so many tasks.
fn callbacks(tasks: usize) -> String {
    let mut text = String::new();
    for task in 2..tasks + 2 {
        let _ = write!(
            text,
            "cb Listener::on_click(1, {task}); ci Button::disable(1); ci Task::execute({task}); cbret ok = Listener::on_click(1, {task}); \
             cb Task::done({task}); ci Button::enable(1); cbret ok = Task::done({task}); "
        );
    }
    text
}

fn grounded(rules: &[&str], text: &str) -> (Lifestate, Blocks) {
    let source = lifestate(rules);
    let mut vocabulary = Vocabulary::default();
    vocabulary.declare_lifestate(&source);
    let (property, problems) = compile(&source, &vocabulary);
    let property = property.unwrap_or_else(|| panic!("{problems:?}"));
    let blocks = cut(&property, &vocabulary, &lines(text));
    (property.lifestate().cloned().unwrap_or_else(|| unreachable!("it is one")), blocks)
}

/// How long the process has been on a processor, in ns: other programs may be there, too. The time on the clock where nobody tells that.
fn processor(begin: Instant) -> u64 {
    let schedstat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let spent = schedstat.split(' ').next().and_then(|it| it.parse().ok());
    spent.unwrap_or_else(|| u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

fn report(what: &str, run: impl FnOnce() -> (Prediction, Effort)) {
    let begin = Instant::now();
    let before = processor(begin);
    let (prediction, effort) = run();
    let seconds = (processor(begin) - before) as f64 / 1e9;
    let answer = match prediction {
        Prediction::Violation(word) => format!("a violation after {} callbacks", word.blocks.len()),
        Prediction::Absence => "no violation".to_owned(),
        Prediction::Unreached(unreached) => format!("{} calls are never reached", unreached.calls),
        Prediction::Unknown(_) => "unknown".to_owned(),
    };
    println!("  {what:<20} {seconds:8.3} s of processor time: {answer} ({} states)", effort.states);
}

fn main() {
    let asked = std::env::var("LIFESTATE_TASKS").ok().and_then(|it| it.parse().ok());
    let twice = [&IN_TURN[..3], &[TWICE], &IN_TURN[4..]].concat();
    for tasks in asked.map_or_else(|| vec![5, 10, 20, 50, 100, 200], |it| vec![it]) {
        for (rules, what) in [(&IN_TURN[..], "in turn"), (&twice[..], "twice")] {
            let (model, blocks) = grounded(rules, &callbacks(tasks));
            println!("{tasks} tasks of a button, {what}");
            let sat = Sat::default();
            report("search", || predict(&model, &blocks, STATES));
            report("solver", || predict_with(&model, &blocks, 0, Some(&sat)));
            report("search, then solver", || predict_with(&model, &blocks, STATES, Some(&sat)));
        }
    }
}
