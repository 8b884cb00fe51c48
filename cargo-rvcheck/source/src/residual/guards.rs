//! `guard-across-await`: guards that are gone before their task can suspend.
//!
//! The guard is followed from its site through the body in which it is acquired. It must not be held at a suspension, not be returned,
//! not be put behind a reference, and be given only to functions that are known to give it back or drop it. Then it is nowhere else.

use super::{Reason, Verdict};
use crate::flow::text::last;
use crate::flow::{Function, FunctionId, GuardId, GuardKind, Origin, Program, Slot, Step, owner};
use crate::marker::Number;
use crate::mir::{BlockId, Local, Operand, Terminator};

const PROPERTY: &str = "guard-across-await";

/// The verdicts of the sites that give a guard that blocks others.
pub(super) fn verdicts(programs: &[&Program]) -> Vec<(&'static str, Number, Verdict)> {
    let mut found = Vec::new();
    for program in programs {
        for (id, function) in program.functions() {
            let holding = program.holding(id);
            for guard in holding.ids() {
                let Some(of) = holding.guard(guard) else { continue };
                let Origin::Call(block) = of.origin else { continue };
                if of.kinds.contains(&GuardKind::Blocking)
                    && let Some(site) = function.site(block)
                {
                    let verdict =
                        escape(program, id, guard).map_or(Verdict::Proved(Reason::Orphan), Verdict::Watched);
                    found.push((PROPERTY, site, verdict));
                }
            }
            // What was not followed, because there was too much of it or the guard is of a type that is not known.
            for (block, ..) in function.calls() {
                let path = program.callee_path(function, block);
                let asks = crate::flow::locks::request_of(&path)
                    .is_some_and(|(_, it)| it == crate::flow::locks::Waits::Thread);
                let is_followed = holding
                    .ids()
                    .any(|it| holding.guard(it).is_some_and(|it| it.origin == Origin::Call(block)));
                if asks
                    && !is_followed
                    && let Some(site) = function.site(block)
                {
                    found.push((
                        PROPERTY,
                        site,
                        Verdict::Watched("its guard could not be followed".to_owned()),
                    ));
                }
            }
        }
    }
    found
}

/// How a guard can get to where it is not followed; `None` if it cannot.
pub(super) fn escape(program: &Program, id: FunctionId, guard: GuardId) -> Option<String> {
    let function = program.function(id);
    let holding = program.holding(id);
    for (block, of) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let Some(held) = holding.at(block) else { continue };
        if !held.guards().contains_key(&guard) {
            continue;
        }
        if function.suspensions.iter().any(|it| it.block == block) {
            return Some("its guard may be held at an await".to_owned());
        }
        for (slot, guards) in held.slots().filter(|(_, guards)| guards.contains(&guard)) {
            debug_assert!(guards.contains(&guard));
            let steps = &slot.steps[function.root(slot)..];
            if steps.contains(&Step::Deref) || steps.contains(&Step::Element) {
                return Some("its guard is put behind a reference".to_owned());
            }
        }
        if of.terminator == Terminator::Return && held.within(&Slot::of(Local(0))).contains(&guard) {
            return Some("its guard is returned".to_owned());
        }
        if let Some(callee) = given_away(
            program,
            function,
            block,
            held.slots().filter(|it| it.1.contains(&guard)).map(|it| it.0),
        ) {
            return Some(format!("its guard is given to `{callee}`"));
        }
    }
    None
}

/// What a guard in one of these slots is given to at the end of a block, unless that is known to give it back or drop it.
fn given_away<'a>(
    program: &Program,
    function: &Function,
    block: BlockId,
    slots: impl Iterator<Item = &'a Slot>,
) -> Option<String> {
    let (call, callee) = function.call(block)?;
    let slots: Vec<&Slot> = slots.collect();
    let is_given = call.arguments.iter().filter_map(Operand::place).any(|it| {
        let given = Slot::at(it);
        slots.iter().any(|slot| slot.within(&given).is_some() || given.within(slot).is_some())
    });
    if !is_given {
        return None;
    }
    let path = program.callee_path(function, block);
    let of = callee
        .self_type
        .as_deref()
        .map_or_else(|| owner(&path).to_owned(), |it| last(&program.head(it)).to_owned());
    let known = callee.hands_on()
        || matches!(path.as_str(), "std::mem::drop" | "drop" | "mem::drop")
        || matches!(
            of.as_str(),
            "Result" | "Option" | "Poll" | "PoisonError" | "TryLockError" | "Condvar" | "ControlFlow"
        )
        || callee.is_trait("Try", "branch")
        || callee.is_trait("FromResidual", "from_residual")
        || of.ends_with("Guard")
            && matches!(
                last(&path),
                "map" | "try_map" | "filter_map" | "downgrade" | "upgrade" | "unlock_fair"
            );
    (!known).then_some(path)
}
