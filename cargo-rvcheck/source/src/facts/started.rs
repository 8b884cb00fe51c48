//! Who starts a task or thread through a function that spawns what it is given, and who is given its handle.
//!
//! A run knows the call that spawns, which is the same for all that go through such a function, and the type of what is spawned. Together with
//! what is found here, that tells them apart.

use super::Facts;
use crate::body::{Function, FunctionId, Kind};
use crate::facts::disposition::{body_of, looks_at_its_result, only_body_in};
use crate::mir::{BlockId, Local, Operand};
use crate::program::Program;
use crate::program::access::{AccessPaths, Root};
use crate::program::code_ref::{CodeRef, call_ref};
use crate::program::runs::{Run, may_run};
use crate::program::summaries::{Domain, FactSet, calls, solve};
use crate::ty::Ty;
use rvcheck_primitives::Action;
use std::collections::BTreeSet;

/// The start of a task or thread.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Started {
    /// The call that spawns it.
    pub at: CodeRef,
    /// The call that gives what is spawned, where that is another one: of a function that spawns what it is given.
    pub by: Option<CodeRef>,
    /// The function in which what is spawned is written: `Ledger::transfer`. Empty where it is not known.
    pub item: String,
    /// The first and the last line of that, where it is a block or a closure.
    pub lines: Option<(u32, u32)>,
    /// Only callers outside of the product have its handle: it is what functions of its interface return.
    pub is_given_out: bool,
    /// It looks at its own error before it returns it.
    pub speaks: bool,
}

/// All starts of which a run cannot tell the same.
pub fn started(facts: &Facts<'_>) -> Vec<Started> {
    let spawners = solve(&Spawners(facts.program), facts.program.functions().count());
    let mut found = BTreeSet::new();
    for (id, function) in facts.program.functions() {
        for (block, call, _) in function.calls() {
            if spawns(function, block) {
                for operand in &call.arguments {
                    let given = given(facts.program, (id, function), operand);
                    let Some(given) = given.filter(|it| it.arguments.is_empty()) else { continue };
                    let started =
                        given.started(facts.program, (id, block), None, is_given_out(facts, id, block));
                    if started.is_given_out || started.speaks {
                        found.insert(started);
                    }
                }
                continue;
            }
            for run in may_run(facts.program, function, block) {
                for (number, site) in &spawners[run.body.0 as usize].0 {
                    let operand = call.arguments.get(*number as usize - 1);
                    let given = operand.and_then(|it| given(facts.program, (id, function), it));
                    let Some(given) = given.filter(|it| it.arguments.is_empty()) else { continue };
                    let is_given_out = is_given_out(facts, id, block);
                    let by = Some((id, block));
                    found.insert(given.started(facts.program, *site, by, is_given_out));
                }
            }
        }
    }
    found.into_iter().collect()
}

type At = (FunctionId, BlockId);

/// Whether the call at the end of a block spawns.
fn spawns(function: &Function, block: BlockId) -> bool {
    function.callee(block).row().is_some_and(|it| matches!(it.operation.action, Action::Spawn(_)))
}

/// Which arguments bodies spawn, with the calls that do.
struct Spawners<'a>(&'a Program);

impl Spawners<'_> {
    /// Which arguments of a body it gives with an operand.
    fn arguments(&self, id: FunctionId, operand: Option<&Operand>) -> BTreeSet<u32> {
        let given = operand.and_then(|it| given(self.0, (id, self.0.function(id)), it));
        given.map(|it| it.arguments).unwrap_or_default()
    }
}

impl Domain for Spawners<'_> {
    type Summary = FactSet<(u32, At)>;
    type Call = (BlockId, Run);

    fn own(&self, body: FunctionId) -> Self::Summary {
        let function = self.0.function(body);
        let spawning = function.calls().filter(|it| spawns(function, it.0));
        let operands = spawning.flat_map(|(at, call, _)| call.arguments.iter().map(move |it| (at, it)));
        let given = operands
            .flat_map(|(at, it)| self.arguments(body, Some(it)).into_iter().map(move |it| (it, (body, at))));
        given.collect()
    }

    fn calls(&self, body: FunctionId) -> Vec<(FunctionId, Self::Call)> {
        calls(self.0, self.0.function(body), may_run)
    }

    fn at_call(&self, body: FunctionId, (block, _): &Self::Call, callee: &Self::Summary) -> Self::Summary {
        let Some((call, _)) = self.0.function(body).call(*block) else { return FactSet(Vec::new()) };
        let given = callee.0.iter().flat_map(|(number, site)| {
            let operand = call.arguments.get(*number as usize - 1);
            self.arguments(body, operand).into_iter().map(|it| (it, *site))
        });
        given.collect()
    }
}

/// What is given to a call that may spawn it.
struct Given {
    /// The body that runs then, if that is known.
    body: Option<FunctionId>,
    /// The arguments of the caller that it is, or that run in it.
    arguments: BTreeSet<u32>,
}

impl Given {
    fn started(&self, program: &Program, at: At, by: Option<At>, is_given_out: bool) -> Started {
        Started {
            at: call_ref(program, at.0, at.1),
            by: by.map(|(id, block)| call_ref(program, id, block)),
            item: self.body.map(|it| program.item(it)).unwrap_or_default(),
            lines: self.body.and_then(|it| program.lines_of(it)),
            is_given_out,
            speaks: self.body.is_some_and(|it| looks_at_its_result(program, it)),
        }
    }
}

/// `None` for what is nothing that can be spawned.
fn given(program: &Program, (id, function): (FunctionId, &Function), operand: &Operand) -> Option<Given> {
    let access_paths = AccessPaths::of(program, function);
    let argument = |it: &Operand| {
        let path = access_paths.operand(it).filter(|it| it.hops.is_empty())?;
        let Root::Argument(number) = path.root else { return None };
        (program.function(id).kind == Kind::Function).then_some(number)
    };
    let ty = operand.place().and_then(|it| function.type_of(it)).unwrap_or_default();
    if let Some(number) = argument(operand) {
        return is_code(program, ty).then(|| Given { body: None, arguments: BTreeSet::from([number]) });
    }
    let body = body_of(program, function, operand)
        .or_else(|| program.closure_of(function, operand))
        .or_else(|| only_body_in(program, ty))?;
    // A block that runs what the function was given, as one that catches its error.
    let captured = captured(program, function, body);
    let is_run = |it: &&Operand| {
        let ty = it.place().and_then(|it| function.type_of(it)).unwrap_or_default();
        runs_value_of(program.function(body), ty)
    };
    let arguments = captured.iter().filter(is_run).filter_map(argument).collect();
    Some(Given { body: Some(body), arguments })
}

/// What a body makes a closure or state machine of.
fn captured(program: &Program, function: &Function, made: FunctionId) -> Vec<Operand> {
    let assignments = function.blocks().flat_map(|(_, it)| it.assignments());
    let mut parts = assignments.filter_map(|(into, value)| {
        let (body, parts) = program.body_made(function, into, value)?;
        (body == made).then(|| parts.to_vec())
    });
    parts.next().unwrap_or_default()
}

/// Whether values of that type may be code that is run later: futures, closures, and what a parameter stands for.
fn is_code(program: &Program, ty: Ty) -> bool {
    program.is_open_type(ty) || program.is_parameter(ty.head()) || ty.has_object() || ty.is_function()
}

/// Whether a body awaits or calls a value of that type.
fn runs_value_of(body: &Function, ty: Ty) -> bool {
    body.calls().any(|(_, _, callee)| {
        callee.self_type() == Some(ty) && (callee.is_poll() || callee.hands_on() || callee.invokes())
    })
}

/// Whether a call's handle is only had by those who call functions of the interface, and none of them is in the product.
fn is_given_out(facts: &Facts<'_>, id: FunctionId, block: BlockId) -> bool {
    let program = facts.program;
    let Some((call, _)) = program.function(id).call(block) else { return false };
    let Some(handle) = program.function(id).type_of(&call.into).map(|it| it.name().to_owned()) else {
        return false;
    };
    let returns = |id: FunctionId| {
        let function = program.function(id);
        function.kind == Kind::Function && function.body.type_of(Local(0)).names(&handle)
    };
    let (mut todo, mut seen, mut is_open) = (vec![id], BTreeSet::from([id]), false);
    while let Some(id) = todo.pop() {
        if !returns(id) {
            // Whoever calls it and does not hand it on keeps or drops it.
            if program.is_test(id) {
                continue;
            }
            return false;
        }
        is_open |= program.is_open(id);
        let callers = facts.callers().get(&id).into_iter().flatten();
        todo.extend(callers.filter(|it| seen.insert(**it)));
    }
    is_open
}
