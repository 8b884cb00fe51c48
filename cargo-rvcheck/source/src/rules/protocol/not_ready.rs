//! A service or sink that reports ready without polling the inner one, and forwards what it is given.
//!
//! Reported if the inner one is of any type: then it may be one that has to be polled first.

use super::super::{Certainty, Hit};
use crate::body::polling::{context, made, uses};
use crate::body::{Function, FunctionId};
use crate::program::Program;
use crate::program::code_ref::{CodeRef, call_or_await};

/// The traits whose `poll_ready` comes before a method, with that.
const TRAITS: [(&str, &str); 2] = [("Service", "call"), ("Sink", "start_send")];

/// Finds such services and sinks.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (of_trait, method) in TRAITS {
        for (id, function) in methods(program, of_trait, method) {
            let Some(ty) = program.type_of(id) else { continue };
            let mut asked =
                methods(program, of_trait, "poll_ready").filter(|(it, _)| program.type_of(*it) == Some(ty));
            let Some((ready, asks)) = asked.next().filter(|_| asked.next().is_none()) else { continue };
            if !says_so_at_once(asks) {
                continue;
            }
            let handed_on = function.calls().find(|(_, _, callee)| {
                callee.is_trait(of_trait, method)
                    && callee.self_type().is_some_and(|it| program.is_parameter(it.head()))
            });
            let asks_here = function.calls().any(|(.., callee)| callee.name().contains("ready"));
            if let Some((block, ..)) = handed_on.filter(|_| !asks_here) {
                hits.push(Hit {
                    certainty: Certainty::Usually,
                    message: format!(
                        "`{method}` is forwarded to the inner {}, which was never polled ready",
                        of_trait.to_lowercase()
                    ),
                    primary: (call_or_await(program, id, block), "forwarded here".to_owned()),
                    related: vec![(
                        CodeRef::of_body(program, ready),
                        "reports ready without polling the inner one".to_owned(),
                    )],
                    advice: "return what the inner `poll_ready` returns from `poll_ready`".to_owned(),
                });
            }
        }
    }
    hits
}

fn methods<'a>(
    program: &'a Program,
    of_trait: &'a str,
    name: &'a str,
) -> impl Iterator<Item = (FunctionId, &'a Function)> {
    program.functions().filter(move |(id, function)| {
        let ends = function.body.name.rsplit("::").next() == Some(name);
        ends && program.trait_of(*id) == Some(of_trait)
    })
}

/// Whether a body gives `Poll::Ready` whatever it is given.
fn says_so_at_once(function: &Function) -> bool {
    let looks = context(function).is_none_or(|it| uses(function, it));
    !looks && made(function, "Ready").next().is_some() && made(function, "Pending").next().is_none()
}
