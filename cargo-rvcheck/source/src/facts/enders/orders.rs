//! Orders to stop: flags and tokens, with who looks at them and who gives them.

use crate::facts::objects::{CallSite, Node, Objects, Thing};
use crate::flow::provenance::flag;
use crate::flow::text::last;
use crate::flow::{Function, FunctionId, Kind, Program, Slot};
use crate::mir::{BlockId, Local, Operand, Place, Terminator};
use std::collections::{BTreeMap, BTreeSet};

/// What is done with a flag or token.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    /// Where it is set or cancelled.
    pub(crate) given: BTreeSet<CallSite>,
    /// Others than the program may set it.
    pub(crate) escapes: bool,
}

/// Calls that only look at a flag or token, or hand it on.
const LOOKS: [&str; 24] = [
    "load",
    "is_cancelled",
    "cancelled",
    "cancelled_owned",
    "clone",
    "deref",
    "new",
    "as_ref",
    "unwrap",
    "expect",
    "drop",
    "child_token",
    "downgrade",
    "upgrade",
    "default",
    "from",
    "into",
    "pin",
    "poll",
    "lock",
    "read",
    "borrow",
    "fmt",
    "run_until_cancelled",
];
/// Calls that set a flag or cancel a token.
const GIVES: [&str; 12] = [
    "store",
    "swap",
    "fetch_or",
    "fetch_and",
    "fetch_xor",
    "fetch_nand",
    "fetch_not",
    "compare_exchange",
    "compare_exchange_weak",
    "fetch_update",
    "cancel",
    "drop_guard",
];

/// All flags and tokens with their uses.
pub(crate) fn orders(program: &Program, objects: &Objects) -> BTreeMap<CallSite, Uses> {
    let mut found: BTreeMap<CallSite, Uses> = BTreeMap::new();
    for (id, function) in program.functions() {
        let is_open = function.kind == Kind::Function
            && (program.is_public(last(&function.body.name)) || program.implements_foreign(id));
        if is_open {
            for site in things(objects.in_node(&Node::Slot(id, Slot::of(Local(0))))) {
                found.entry(site).or_default().escapes = true;
            }
        }
        for (block, call, callee) in function.calls() {
            if program.called(function, block).is_some() || callee.hands_on() {
                continue;
            }
            for (at, argument) in call.arguments.iter().filter_map(Operand::place).enumerate() {
                for site in things(&objects.at(program, id, argument)) {
                    let uses = found.entry(site).or_default();
                    if at == 0 && GIVES.contains(&callee.name()) {
                        uses.given.insert(CallSite { function: id, block });
                    } else if !LOOKS.contains(&callee.name()) && !callee.name().starts_with("spawn") {
                        uses.escapes = true;
                    }
                }
            }
        }
    }
    // Whoever can name a static can set it.
    for (site, uses) in &mut found {
        uses.escapes |= program.function(site.function).kind == Kind::Constant;
    }
    found
}

fn things(all: &BTreeSet<Thing>) -> impl Iterator<Item = CallSite> {
    all.iter().filter_map(|it| match it {
        Thing::Flag(site) | Thing::Token(site) => Some(*site),
        _ => None,
    })
}

/// The flag or token that the branch at the end of a block goes by, if it is one for sure.
pub(crate) fn order_at(
    program: &Program,
    objects: &Objects,
    id: FunctionId,
    block: BlockId,
) -> Option<CallSite> {
    let function = program.function(id);
    let Some(Terminator::Switch { on: Operand::Place(on), .. }) =
        function.body.block(block).map(|it| &it.terminator)
    else {
        return None;
    };
    let asked = flag(function, &Slot::at(on))?;
    order_asked(program, objects, function, id, asked)
}

/// The flag or token that a call asks.
fn order_asked(
    program: &Program,
    objects: &Objects,
    function: &Function,
    id: FunctionId,
    asked: BlockId,
) -> Option<CallSite> {
    let (call, callee) = function.call(asked)?;
    if let Some(inner) = program.called(function, asked) {
        // A function that gives the answer.
        let inside = program.function(inner);
        let asked = flag(inside, &Slot::of(Local(0))).filter(|_| inside.body.type_of(Local(0)) == "bool")?;
        let (call, callee) = inside.call(asked)?;
        let on =
            call.arguments.first()?.place().filter(|_| matches!(callee.name(), "load" | "is_cancelled"))?;
        return one(objects, program, inner, on);
    }
    let on = call.arguments.first()?.place().filter(|_| matches!(callee.name(), "load" | "is_cancelled"))?;
    one(objects, program, id, on)
}

fn one(objects: &Objects, program: &Program, id: FunctionId, on: &Place) -> Option<CallSite> {
    let all = objects.at(program, id, on);
    let mut it = all.iter();
    match (it.next()?, it.next()) {
        (Thing::Flag(site) | Thing::Token(site), None) => Some(*site),
        _ => None,
    }
}
