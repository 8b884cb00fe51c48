//! Stolz, Huch: *Runtime Verification of Concurrent Haskell Programs*: the client and the server of section 2, the lock reversal of
//! section 5 and its template of section 6, with and without a gate lock.

use crate::examples::{Declarations, Example, check};

const DECLARATIONS: Declarations = Declarations {
    events: &[
        ("ask", &["c: task", "r: int"]),
        ("serve", &["r: int", "counter: int"]),
        ("answer", &["c: task", "r: int", "counter: int"]),
    ],
    fluents: &[("held", &["p: task", "l: str"], "", "")],
};

/// Whoever asks is answered, and what comes next is the answer to its own request, with the state of the counter in which it was served.
const CLIENT: &str = "forall c: task, r: int . G (ask(c, r) -> !answer(c, _, _) U (exists n: int . answer(c, r, n) && O serve(r, n)))";

/// The half of it that no further event can mend: no other answer comes first.
const NEVER_ANOTHER: &str =
    "forall c: task, r: int . G (ask(c, r) -> !(!answer(c, r) U (answer(c, _) && !answer(c, r))))";

const RIGHT: &str = "ask(a, 1); serve(1, 0); answer(a, 1, 0); ask(b, 2); serve(2, 1); answer(b, 2, 1)";
const INTERLEAVED: &str = "ask(a, 1); ask(b, 2); serve(1, 0); serve(2, 1); answer(b, 2, 1); answer(a, 1, 0)";
/// Both wait on the one variable for answers, and the scheduler lets the other one take it.
const RACE: &str = "ask(a, 1); ask(b, 2); serve(1, 0); answer(b, 1, 0); serve(2, 1); answer(a, 2, 1)";

#[test]
fn a_client_can_take_the_answer_to_the_request_of_another_one() {
    let examples = [
        Example {
            name: "what a client reads is the answer to what it asked",
            formula: CLIENT,
            has_network: false,
            held: &[RIGHT, INTERLEAVED, ""],
            violated: &[RACE, "ask(a, 1)", "ask(a, 1); serve(1, 0); answer(a, 1, 5)"],
        },
        Example {
            name: "no answer to another request comes first",
            formula: NEVER_ANOTHER,
            has_network: true,
            held: &[RIGHT, INTERLEAVED, "ask(a, 1)"],
            violated: &[RACE],
        },
    ];
    assert_eq!(check(&DECLARATIONS, &examples), 10 * 3 + 4);
}

#[test]
fn a_reversal_of_two_known_locks_is_found_in_propositions_that_the_program_sets() {
    let takes_in_order = |p: &str, first: &str, second: &str| {
        let (one, both) =
            (format!("held({p}, \"{first}\")"), format!("held({p}, \"{first}\") && held({p}, \"{second}\")"));
        format!("F ({one} && !held({p}, \"{second}\") && ({one} U ({both})))")
    };
    let (one, other) = (takes_in_order("p", "la", "lb"), takes_in_order("q", "lb", "la"));
    let formula = format!("forall p: task, q: task where p != q . !({one} && {other})");
    let examples = [Example {
        name: "the formula for two locks",
        formula: &formula,
        has_network: true,
        held: &[
            "set held(p, la); set held(p, lb); clear held(p, lb); clear held(p, la); set held(q, la); set held(q, lb)",
            "set held(p, la); clear held(p, la); set held(p, lb); set held(q, lb); clear held(q, lb); set held(q, la)",
        ],
        violated: &[
            "set held(p, la); set held(p, lb); clear held(p, lb); clear held(p, la); set held(q, lb); set held(q, la)",
            "set held(q, lb); set held(q, la); clear held(q, la); clear held(q, lb); start(r); set held(p, la); set held(p, lb)",
        ],
    }];
    assert_eq!(check(&DECLARATIONS, &examples), 4 * 4);
}

/// Two locks taken in both orders, one inside the other, by different processes; whichever came first.
const TEMPLATE: &str = "forall p: task, q: task, a: lock, b: lock where p != q && a != b . \
    G (acquire(p, b) && holds(p, a) -> G !(acquire(q, a) && holds(q, b)))";

/// The same, but for what happens under a common third lock.
const WITH_GATE: &str = "forall p: task, q: task, a: lock, b: lock where p != q && a != b . \
    (exists g: lock where g != a && g != b . \
        G (acquire(p, b) && holds(p, a) -> holds(p, g)) && G (acquire(q, a) && holds(q, b) -> holds(q, g))) \
    || G (acquire(p, b) && holds(p, a) -> G !(acquire(q, a) && holds(q, b)))";

const IN_ORDER: &str = "acquire(p, x); acquire(p, y); release(p, y); release(p, x); \
    acquire(q, x); acquire(q, y); release(q, y); release(q, x)";
const REVERSED: &str = "acquire(p, x); acquire(p, y); release(p, y); release(p, x); \
    acquire(q, y); acquire(q, x); release(q, x); release(q, y)";
const GATED: &str = "acquire(p, g); acquire(p, x); acquire(p, y); release(p, y); release(p, x); release(p, g); \
    acquire(q, g); acquire(q, y); acquire(q, x); release(q, x); release(q, y); release(q, g)";
const HALF_GATED: &str = "acquire(p, g); acquire(p, x); acquire(p, y); release(p, y); release(p, x); release(p, g); \
    acquire(q, y); acquire(q, x); release(q, x); release(q, y)";
const ONE_AFTER_THE_OTHER: &str = "acquire(p, x); release(p, x); acquire(p, y); release(p, y); \
    acquire(q, y); release(q, y); acquire(q, x); release(q, x)";
const ALONE: &str = "acquire(p, x); acquire(p, y); release(p, y); release(p, x); \
    acquire(p, y); acquire(p, x); release(p, x); release(p, y)";
const RING: &str = "acquire(p, x); acquire(p, y); release(p, y); release(p, x); \
    acquire(q, y); acquire(q, z); release(q, z); release(q, y); acquire(r, z); acquire(r, x)";

#[test]
fn a_reversal_of_any_two_locks_is_found_by_a_template_with_or_without_a_gate_lock() {
    let examples = [
        Example {
            name: "the template, which warns of what a gate lock makes harmless",
            formula: TEMPLATE,
            has_network: true,
            held: &[IN_ORDER, ONE_AFTER_THE_OTHER, ALONE, RING],
            violated: &[REVERSED, GATED, HALF_GATED],
        },
        Example {
            name: "the template that looks for a gate lock",
            formula: WITH_GATE,
            has_network: false,
            held: &[IN_ORDER, ONE_AFTER_THE_OTHER, ALONE, RING, GATED],
            violated: &[REVERSED, HALF_GATED],
        },
    ];
    assert_eq!(check(&DECLARATIONS, &examples), 14 * 3 + 7);
}
