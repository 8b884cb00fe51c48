//! A message is sent after the one on which its receiver stops: it is never received.
//!
//! Which variants stop a receiver is known from its loop: a variant's arm leads out of the loop, while others lead back into it.

use super::super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::body::{Callee, Function, FunctionId, Slot};
use crate::mir::{BlockId, Call, Made, Operand, Rvalue, Terminator};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths};
use crate::program::code_ref::call_ref;
use crate::program::runs::{Run, runs};
use crate::program::summaries::{Domain, FactSet, calls, solve};
use crate::ty::{Ty, last};
use rvcheck_primitives::{Action, Is};
use std::collections::{BTreeMap, BTreeSet};

/// Finds such messages.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let stops = stops(program);
    let mut hits = Vec::new();
    if stops.is_empty() {
        return hits;
    }
    for ((id, function), FactSet(sends)) in
        program.functions().zip(solve(&Sends(program), program.functions().count()))
    {
        let is_stop = |it: &Send| {
            let of = stops.get(&it.of);
            it.variant.as_ref().is_some_and(|name| of.is_some_and(|it| it.contains(name)))
        };
        let paths = Paths::of(function);
        for stop in sends.iter().filter(|it| is_stop(it)) {
            let after = paths.after(stop.block);
            let late = sends.iter().find(|it| {
                it.channel == stop.channel
                    && it.of == stop.of
                    && it.variant.is_some()
                    && !is_stop(it)
                    && after.contains(&it.block)
                    && !paths.leads(it.block, stop.block)
            });
            hits.extend(late.map(|it| hit(program, id, stop, it)));
        }
    }
    hits
}

fn hit(program: &Program, id: FunctionId, stop: &Send, late: &Send) -> Hit {
    let name = |it: &Send| format!("{}::{}", it.of, it.variant.as_deref().unwrap_or_default());
    let (inner, block) = late.made;
    let mut related = vec![(call_ref(program, id, stop.block), format!("`{}` is sent here", name(stop)))];
    if inner != id {
        related.push((call_ref(program, id, late.block), "called here, after that".to_owned()));
    }
    Hit {
        certainty: Certainty::Usually,
        message: format!(
            "this message is sent after `{}`, on which its receiver stops: it is never received",
            name(stop)
        ),
        primary: (call_ref(program, inner, block), "sent too late".to_owned()),
        related,
        advice: "send the message that stops the receiver last".to_owned(),
    }
}

/// A message that is put into a channel.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Send {
    /// The block that sends, or calls what sends.
    block: BlockId,
    /// The body and block that send.
    made: (FunctionId, BlockId),
    /// The access path to the sender.
    channel: AccessPath,
    /// The type of the messages, by its name.
    of: String,
    /// The variant.
    variant: Option<String>,
}

/// The type of the end of a channel that a call is a method of: a sender's or a receiver's.
fn end_of_channel(function: &Function, call: &Call, is_sender: bool) -> Option<Ty> {
    let ty = function.type_given(call, 0)?.referent()?;
    ty.is_of(|it| matches!(it, Is::End(end) if end.sends == is_sender)).then_some(ty)
}

/// Whether a call sends a message itself.
fn sends_itself(function: &Function, call: &Call, callee: Callee) -> bool {
    callee.may(|it| it.action == Action::Send) && end_of_channel(function, call, true).is_some()
}

/// The messages that bodies send, themselves or through what they run before that comes back.
struct Sends<'a>(&'a Program);

impl Domain for Sends<'_> {
    type Summary = FactSet<Send>;
    type Call = (BlockId, Run);

    fn own(&self, body: FunctionId) -> FactSet<Send> {
        let function = self.0.function(body);
        let access_paths = AccessPaths::of(self.0, function);
        let sending = function.calls().filter(|(_, call, callee)| sends_itself(function, call, *callee));
        let send = |(block, call, _): (BlockId, &Call, Callee)| {
            let channel = access_paths.operand(call.arguments.first()?).filter(AccessPath::is_one)?;
            let of = end_of_channel(function, call, true)?.argument(0)?.name().to_owned();
            let variant = call.arguments.get(1).and_then(|it| variant(function, it));
            Some(Send { block, made: (body, block), channel, of, variant })
        };
        sending.filter_map(send).collect()
    }

    fn calls(&self, body: FunctionId) -> Vec<(FunctionId, Self::Call)> {
        let function = self.0.function(body);
        let is_looked_into = |block| {
            let call = function.call(block);
            call.is_some_and(|(call, callee)| !callee.is_poll() && !sends_itself(function, call, callee))
        };
        let mut found = calls(self.0, function, runs);
        found.retain(|(_, (block, _))| is_looked_into(*block));
        found
    }

    fn at_call(&self, _: FunctionId, (block, run): &Self::Call, callee: &FactSet<Send>) -> FactSet<Send> {
        let seen = |it: &Send| {
            let channel = it.channel.seen_from(&run.arguments, &run.captured)?;
            Some(Send { block: *block, channel, ..it.clone() })
        };
        callee.0.iter().filter_map(seen).collect()
    }
}

/// The variant that a value is made as.
fn variant(function: &Function, operand: &Operand) -> Option<String> {
    let name = match operand {
        Operand::Constant(text) => text.clone(),
        Operand::Place(place) => match function.assigned(function.definition(&Slot::at(place))?)? {
            Rvalue::Made(Made::Value(by), _) => return Some(by.name().to_owned()),
            Rvalue::Use(Operand::Constant(name)) => name.clone(),
            _ => return None,
        },
    };
    Some(last(&crate::ty::canonical(&name)).to_owned())
}

/// By the name of an enum: the variants on which all who receive it stop.
fn stops(program: &Program) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, function) in program.functions() {
        let paths = Paths::of(function);
        for (taken, call, callee) in function.calls() {
            let Some(ty) = end_of_channel(function, call, false) else { continue };
            if !callee.receives() && !callee.is_next() {
                continue;
            }
            let Some(of) = ty.argument(0).map(|it| it.name().to_owned()) else { continue };
            let Some(names) = program.variants(&of) else { continue };
            let here = stopping(function, paths, taken, &of)
                .into_iter()
                .filter_map(|it| names.get(it).cloned())
                .collect();
            found
                .entry(of)
                .and_modify(|it| it.retain(|name| BTreeSet::contains(&here, name)))
                .or_insert(here);
        }
    }
    found.retain(|_, variants| !variants.is_empty());
    found
}

/// The numbers of the variants whose arms do not lead back to the receive, where others do.
fn stopping(function: &Function, paths: &Paths, taken: BlockId, of: &str) -> Vec<usize> {
    for (_, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let Terminator::Switch { cases, .. } = &block.terminator else { continue };
        let looks = block.assignments().any(|(_, value)| {
            let Rvalue::Discriminant(place) = value else { return false };
            function.type_of(place).is_some_and(|it| it.name() == of)
                && source(function, &Slot::at(place)) == Some(taken)
        });
        if !looks {
            continue;
        }
        let (back, out): (Vec<_>, Vec<_>) =
            cases.iter().partition(|(_, to)| paths.from(&[*to], &|_| false).contains(&taken));
        if !back.is_empty() {
            return out.into_iter().filter_map(|(number, _)| usize::try_from(number).ok()).collect();
        }
    }
    Vec::new()
}
