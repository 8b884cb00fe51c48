//! Properties in two forms: an automaton and a formula that say the same agree on every case of the library.
//!
//! They hold the two engines against each other, and show what a property of the library would be in the other form.

mod cases;
#[expect(dead_code, reason = "the other test uses the rest")]
mod support;

use cases::CASES;
use rvcheck_spec::{UnitEnd, Verdict};
use support::{check, of_file, property};

/// The id of a property of the library, and what it would be in the other form.
const TWINS: &[(&str, &str)] = &[
    (
        "lost-error",
        r#"
logic = "ltl"
formula = """
forall u: task .
  G (detach(_, u) && O finish(u, outcome = ::err)
     || detach(_, u) && O panic(u, caught = false, dropped = false) && !O spawn(_, u, kind = ::thread)
     || detach(_, u, by_owner = false) && O panic(u, caught = false) && O spawn(_, u, kind = ::thread)
     || finish(u, outcome = ::err) && O detach(_, u)
     || panic(u, caught = false) && O detach(_, u) && !O spawn(_, u, kind = ::thread)
     || panic(u, caught = false) && O detach(_, u, by_owner = false) && O spawn(_, u, kind = ::thread)
     -> O (join(_, u) || abort(_, u)))"""
"#,
    ),
    (
        "task-leak",
        r#"
logic = "ltl"
formula = """
forall t: task, u: task .
  F (spawn(t, u, kind = ::async) || spawn(t, u, kind = ::local))
  && F (poll(u) && O detach(_, u) && O (finish(t) || cancel(t) || panic(t, caught = false)) && F suspend(u))
  -> F (join(_, u) || abort(_, u) || finish(u) || cancel(u) || panic(u, caught = false))"""
"#,
    ),
    (
        "panic-as-result",
        r#"
logic = "automaton"
params = ["t: task"]
initial = "running"
good = ["exempt", "ended"]
end_bad = ["caught"]
transitions = [
  "running -- spawn(_, t, kind = ::blocking) --> exempt",
  "running -- spawn(_, t, kind = ::root) --> exempt",
  "running -- panic(t, caught = true) --> caught",
  "running -- panic(t, caught = false) --> ended",
  "caught -- panic(t, caught = false) --> ended",
]
"#,
    ),
];

#[test]
fn an_automaton_and_a_formula_that_say_the_same_agree_on_every_case() {
    for (id, twin) in TWINS {
        let (own, twin) =
            (property(id), of_file(&format!("schema = 1\n[[property]]\nid = \"twin\"\n{twin}")));
        let mut broken = 0;
        for (_, name, _, script) in CASES {
            for end in [UnitEnd::Complete, UnitEnd::Cut] {
                let violated = |property| {
                    check(property, end, *script).1.properties[0].units[1].verdict == Verdict::Violated
                };
                assert_eq!(violated(&own), violated(&twin), "{id}: {name}, {end:?}");
                broken += u32::from(violated(&own));
            }
        }
        assert!(broken > 0, "{id} is broken by no case");
    }
}
