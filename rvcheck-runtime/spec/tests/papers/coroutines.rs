//! Furian, Azzopardi, Falcone, Schneider: *Runtime Verification of Kotlin Coroutines*: the examples of sections 4 and 5, the seven
//! properties of section 3 and the two of section 6, as they read for Rust.
//!
//! Fluents that the program declares stand for the predicates that only it can know. Where the paper has `X`, there is `WX`,
//! unless the difference is the point.

use crate::examples::{Declarations, Example, check};

const DECLARATIONS: Declarations = Declarations {
    events: &[
        ("update_ui", &["t: task"]),
        ("handle_job", &["t: task"]),
        ("create", &["t: task", "v: int"]),
        ("touch", &["t: task", "v: int"]),
        ("lookup_begin", &["t: task"]),
        ("lookup_end", &["t: task"]),
        ("malformed", &["t: task"]),
    ],
    fluents: &[
        ("has_active_scope", &["t: task"], "", ""),
        ("has_handler", &["t: task"], "", ""),
        ("looks_up", &["t: task"], "lookup_begin(t)", "lookup_end(t)"),
        ("holds_resource", &["t: task"], "acquire(t, _)", "release(t, _)"),
    ],
};

#[test]
fn the_examples_of_corltl_mean_for_tasks_what_they_mean_for_coroutines() {
    let examples = [
        Example {
            name: "example 1: a coroutine is active only while its scope is",
            formula: "forall t: task . G (active(t) -> has_active_scope(t))",
            has_network: true,
            held: &[
                "",
                "set has_active_scope(a); start(a); finish(a); clear has_active_scope(a)",
                "set has_active_scope(a); clear has_active_scope(a)",
            ],
            violated: &[
                "start(a)",
                "set has_active_scope(a); start(a); clear has_active_scope(a); finish(a)",
                "set has_active_scope(a); start(a); start(b)",
            ],
        },
        Example {
            name: "example 2: what does file input or output is not on the main thread",
            formula: "forall t: task . G (block(t, what = ::fs) -> !on_main(t))",
            has_network: true,
            held: &[
                "poll(a); block(a, what = fs); unblock(a)",
                "block(m, what = block_on); poll(a); suspend(a); unblock(m, what = block_on); poll(a); block(a, what = fs)",
            ],
            violated: &[
                "block(m, what = block_on); poll(a); block(a, what = fs)",
                "block(m, what = block_on); poll(b); suspend(b); poll(a); block(a, what = fs)",
            ],
        },
        Example {
            name: "example 3: what updates the screen is on the main thread",
            formula: "forall t: task . G (update_ui(t) -> on_main(t))",
            has_network: true,
            held: &["block(m, what = block_on); poll(a); update_ui(a); suspend(a)", "poll(a)"],
            violated: &[
                "poll(a); update_ui(a)",
                "block(m, what = block_on); poll(a); suspend(a); update_ui(a)",
            ],
        },
        Example {
            name: "example 4: a job is handled only once",
            formula: "forall t: task . G (handle_job(t) -> WX G !handle_job(t))",
            has_network: true,
            held: &["handle_job(a); handle_job(b)", "handle_job(a); poll(a)"],
            violated: &[
                "handle_job(a); handle_job(a)",
                "handle_job(b); handle_job(a); poll(a); handle_job(b)",
            ],
        },
        Example {
            name: "example 4 with the strong next: a trace must not end with a job",
            formula: "forall t: task . G (handle_job(t) -> X G !handle_job(t))",
            has_network: false,
            held: &["handle_job(a); poll(a)"],
            violated: &["handle_job(a)", "handle_job(a); handle_job(b)"],
        },
        // The paper has neither the `G` nor `u != t`, without which it would be false whenever somebody holds something.
        Example {
            name: "example 5: no two coroutines hold a resource, with the quantifier inside",
            formula: "forall t: task . G (holds_resource(t) -> !exists u: task where u != t . holds_resource(u))",
            has_network: false,
            held: &["acquire(a, l); release(a, l); acquire(b, l)", "start(a); acquire(b, l)"],
            violated: &[
                "acquire(a, l); acquire(b, l)",
                "acquire(a, l); start(c); acquire(b, l); release(b, l)",
            ],
        },
        Example {
            name: "example 5 with both quantifiers in front",
            formula: "forall t: task, u: task where t != u . G !(holds_resource(t) && holds_resource(u))",
            has_network: true,
            held: &["acquire(a, l); release(a, l); acquire(b, l)", "start(a); acquire(b, l)"],
            violated: &[
                "acquire(a, l); acquire(b, l)",
                "acquire(a, l); start(c); acquire(b, l); release(b, l)",
            ],
        },
    ];
    assert_eq!(check(&DECLARATIONS, &examples), 29 * 3 + 21);
}

#[test]
fn the_seven_properties_of_coroutines_can_be_said_of_tasks() {
    let examples = [
        Example {
            name: "DestroyedWithOwner: a task is over when the one that spawned it is",
            formula: "forall t: task, u: task . \
                G (spawn(t, u) -> G (finish(t) || panic(t) || cancel(t) -> !active(u)))",
            has_network: true,
            held: &["spawn(a, b); start(b); finish(b); finish(a)", "start(b); finish(a)"],
            violated: &["spawn(a, b); start(b); finish(a); finish(b)", "spawn(a, b); start(b); panic(a)"],
        },
        Example {
            name: "NormalAsync: panics are not results",
            formula: "forall t: task . G !panic(t, caught = true)",
            has_network: true,
            held: &["start(a); finish(a, outcome = ok)", "panic(a, caught = false)"],
            violated: &["start(a); panic(a, caught = true); finish(a)"],
        },
        Example {
            name: "ExceptionalAsync: the error of a task is read",
            formula: "forall u: task . G (finish(u, outcome = ::err) -> F (join(_, u) || abort(_, u)))",
            has_network: false,
            held: &["finish(b, outcome = err); join(a, b)", "finish(b, outcome = ok)"],
            violated: &["finish(b, outcome = err)", "join(a, b); finish(b, outcome = err); join(a, c)"],
        },
        Example {
            name: "NeedHandler: a task that nobody awaits has a handler when it panics",
            formula: "forall u: task . G (detach(_, u) -> G (panic(u, caught = false) -> has_handler(u)))",
            has_network: true,
            held: &[
                "detach(a, b); set has_handler(b); panic(b, caught = false)",
                "panic(b, caught = false); join(a, b)",
            ],
            violated: &[
                "detach(a, b); panic(b, caught = false)",
                "set has_handler(c); detach(a, b); panic(b)",
            ],
        },
        Example {
            name: "NoBlockUI: an async task does not block its thread",
            formula: "forall t: task . G (block(t) -> !in_async(t))",
            has_network: true,
            held: &["spawn(a, b, kind = blocking); poll(b); block(b, what = sleep)", "poll(a); block(a)"],
            violated: &["spawn(a, b, kind = async); poll(b); block(b, what = sleep)"],
        },
        Example {
            name: "UpdateUI: a value is used by the task that made it",
            formula: "forall v: int, t: task, u: task where t != u . G (create(t, v) -> G !touch(u, v))",
            has_network: true,
            held: &["create(a, 1); touch(a, 1); create(b, 2); touch(b, 2)", "touch(b, 1); create(a, 1)"],
            violated: &["create(a, 1); touch(b, 1)", "create(a, 1); create(b, 2); touch(b, 2); touch(a, 2)"],
        },
        Example {
            name: "ResumeIfNeeded: a task that is told to stop notices it soon",
            formula: "forall u: task . \
                G (abort(_, u) -> F[0ms,100ms] (suspend(u) || finish(u) || cancel(u)))",
            has_network: false,
            held: &["abort(a, b)@0; suspend(b)@100000000", "suspend(b); poll(b)"],
            violated: &["abort(a, b)@0; suspend(b)@100000001", "abort(a, b); poll(b); suspend(c)"],
        },
    ];
    assert_eq!(check(&DECLARATIONS, &examples), 26 * 3 + 18);
}

#[test]
fn the_properties_of_the_paper_s_own_program_use_events_of_the_program() {
    let examples = [
        Example {
            name: "AlwaysOneJob: one lookup at a time",
            formula: "forall t: task, u: task where t != u . G !(looks_up(t) && looks_up(u))",
            has_network: true,
            held: &["lookup_begin(a); lookup_end(a); lookup_begin(b)", "lookup_begin(a); lookup_end(b)"],
            violated: &[
                "lookup_begin(a); lookup_begin(b)",
                "lookup_begin(b); poll(c); lookup_begin(a); lookup_end(b)",
            ],
        },
        Example {
            name: "SuccessWithJSON: what is malformed is survived",
            formula: "forall t: task . G (malformed(t) -> !panic(t) U finish(t, outcome = ::ok))",
            has_network: false,
            held: &["malformed(a); poll(a); finish(a, outcome = ok)", "panic(a)"],
            violated: &[
                "malformed(a); panic(a)",
                "malformed(a); finish(a, outcome = err)",
                "malformed(a); finish(b, outcome = ok)",
            ],
        },
        Example {
            name: "SuccessWithJSON, its safe half",
            formula: "forall t: task . G (malformed(t) -> finish(t) R !panic(t))",
            has_network: true,
            held: &["malformed(a); poll(a); finish(a); panic(a)", "malformed(a)"],
            violated: &["malformed(a); panic(a)"],
        },
    ];
    assert_eq!(check(&DECLARATIONS, &examples), 12 * 3 + 7);
}
