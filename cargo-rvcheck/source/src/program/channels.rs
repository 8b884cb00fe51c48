//! The channels of a program: where each is made, and who sends and receives.

use crate::body::provenance::awaited_at;
use crate::body::text::{arguments, head, last};
use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Selector, Slot};
use crate::mir::{BlockId, Operand, Place, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::fills::{Fill, fills};
use crate::program::library::{mentions, receives, sends, sort};
use rvcheck_primitives::{End as EndOf, Is};
use std::collections::{BTreeMap, BTreeSet};

/// The call that makes a channel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ChannelId {
    /// The body.
    pub(crate) function: FunctionId,
    /// The block that ends in the call.
    pub(crate) block: BlockId,
}

/// A send or receive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Operation {
    /// The body.
    pub(crate) function: FunctionId,
    /// The block that ends in the call.
    pub(crate) block: BlockId,
}

/// A channel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Channel {
    /// Sends that wait for room, where it is bounded.
    pub(crate) sends: BTreeSet<Operation>,
    /// Receives that wait for a message, and iterators over messages.
    pub(crate) receives: BTreeSet<Operation>,
    /// The structs that have a sender of it in a field, and those that have the receiver.
    pub(crate) owners: [BTreeSet<String>; 2],
}

/// The end of a channel that a type is.
fn end_of(ty: &str) -> Option<EndOf> {
    match sort(ty)? {
        Is::End(end) => Some(end),
        _ => None,
    }
}

/// Whether a channel ends when its last sender is gone.
const fn ends_with_its_last(sender: EndOf) -> bool {
    sender.sends && sender.is_shared && sender.queues && !sender.is_weak
}

/// The channels of a program.
pub(crate) fn channels(program: &Program, objects: &AbstractObjects<'_>) -> BTreeMap<ChannelId, Channel> {
    let mut found = BTreeMap::new();
    for (id, function) in program.functions() {
        for (block, call, _) in function.calls() {
            let ty = function.type_of(&call.into).unwrap_or_default();
            let both = arguments(ty);
            let is_channel =
                ty.starts_with('(') && both.len() == 2 && end_of(both[0]).is_some_and(ends_with_its_last);
            if !is_channel
                || end_of(both[1]).is_none_or(|it| it.sends)
                || program.called(function, block).is_some()
            {
                continue;
            }
            found.insert(ChannelId { function: id, block }, Channel::default());
        }
    }
    let fields = fields(program, objects, &found);
    for ((of, _), (channel, number)) in &fields {
        if let Some(channel) = channel.and_then(|it| found.get_mut(&it)) {
            channel.owners[*number].insert(of.clone());
        }
    }
    for (id, function) in program.functions() {
        for (block, call, callee) in function.calls() {
            let Some(on) = call.arguments.first().and_then(Operand::place) else { continue };
            let ty = function.type_of(on).unwrap_or_default();
            let puts = mentions(ty, |it| matches!(it, Is::End(end) if end.sends)) && sends(callee.name());
            let takes = mentions(ty, |it| matches!(it, Is::End(end) if !end.sends))
                && (receives(callee.name()) || matches!(callee.name(), "iter" | "into_iter"));
            if !puts && !takes {
                continue;
            }
            let Some(channel) = channel_of(program, objects, &fields, id, on) else { continue };
            let Some(channel) = found.get_mut(&channel) else { continue };
            let operation = Operation { function: id, block };
            let at_once = function.type_of(&call.into).is_some_and(|it| last(&head(it)) == "Result");
            if takes {
                channel.receives.insert(operation);
            } else if at_once || awaited_at(function, block).is_some() {
                channel.sends.insert(operation);
            }
        }
    }
    found
}

/// The fields of structs that one end of one channel is put into.
fn fields(
    program: &Program,
    objects: &AbstractObjects<'_>,
    channels: &BTreeMap<ChannelId, Channel>,
) -> BTreeMap<(String, u32), (Option<ChannelId>, usize)> {
    let mut found = BTreeMap::new();
    for Fill { function: id, of, field, from, .. } in fills(program) {
        let from = in_some(program.function(id), from);
        let end = end_of(program.function(id).type_of(from).unwrap_or_default());
        // A weak one keeps no channel open.
        let Some(end) = end.filter(|it| !it.is_weak) else { continue };
        let object = objects.object(id, from);
        // A clone of the struct has the same end.
        if object.as_ref() == Some(&AbstractObject::Field(of.clone(), field)) {
            continue;
        }
        let made = object.and_then(|it| made_at(program, &it)).filter(|it| channels.contains_key(it));
        found
            .entry((of, field))
            .and_modify(|(it, _)| {
                if *it != made {
                    *it = None;
                }
            })
            .or_insert((made, usize::from(!end.sends)));
    }
    found
}

/// What is in the `Some` that a place is, if it is made as one; else the place itself.
fn in_some<'a>(function: &'a Function, place: &'a Place) -> &'a Place {
    let made = function.definition(&Slot::at(place)).and_then(|it| function.assigned(it));
    match made {
        Some(Rvalue::Made(name, of)) if name.ends_with("::Some") => {
            of.first().and_then(Operand::place).unwrap_or(place)
        }
        _ => place,
    }
}

/// The call whose result lives there.
fn made_at(program: &Program, object: &AbstractObject) -> Option<ChannelId> {
    let AbstractObject::Value(id, slot) = object else { return None };
    match program.function(*id).definition(slot)? {
        Definition::Called(block) => Some(ChannelId { function: *id, block }),
        Definition::Assigned(..) => None,
    }
}

fn channel_of(
    program: &Program,
    objects: &AbstractObjects<'_>,
    fields: &BTreeMap<(String, u32), (Option<ChannelId>, usize)>,
    id: FunctionId,
    place: &Place,
) -> Option<ChannelId> {
    match objects.object(id, place)? {
        AbstractObject::Field(of, at) => fields.get(&(of, at)).and_then(|it| it.0),
        object @ AbstractObject::Value(..) => made_at(program, &object),
    }
}

/// What the body that makes a channel does with one end of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct End {
    /// The blocks that move it away or drop it.
    pub(crate) gone: BTreeSet<BlockId>,
    /// Whether something else holds a reference to it, or it is not known what happens to it.
    pub(crate) is_lent: bool,
}

/// What becomes of one end, `0` for the sender and `1` for the receiver, in the body that makes the channel.
pub(crate) fn end(function: &Function, made: BlockId, number: u32) -> End {
    let mut end = End::default();
    let Some((call, _)) = function.call(made) else { return end };
    let mut whole = BTreeSet::from([Slot::at(&call.into)]);
    let mut slots: BTreeSet<Slot> = BTreeSet::new();
    walk::fixpoint(|| {
        let before = (whole.len(), slots.len());
        slots.extend(whole.iter().map(|it| it.with(&[Selector::Field(number)])));
        for (id, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for statement in &block.statements {
                let Statement::Assign(into, value) = statement else { continue };
                assigned(function, &mut end, &mut whole, &mut slots, id, into, value);
            }
            match &block.terminator {
                Terminator::Drop { place, .. }
                    if slots.iter().any(|it| it.within(&Slot::at(place)).is_some()) =>
                {
                    end.gone.insert(id);
                }
                Terminator::Call(call) => {
                    let hands_on = function.call(id).is_some_and(|(_, it)| it.hands_on());
                    for argument in call.arguments.iter().filter_map(Operand::place).map(Slot::at) {
                        if hands_on && whole.contains(&argument) {
                            whole.insert(Slot::at(&call.into));
                        } else if hands_on && slots.contains(&argument) {
                            slots.insert(Slot::at(&call.into));
                        } else if slots.contains(&argument) || whole.contains(&argument) {
                            end.gone.insert(id);
                        }
                    }
                }
                _ => {}
            }
        }
        (whole.len(), slots.len()) != before
    });
    end
}

fn assigned(
    function: &Function,
    end: &mut End,
    whole: &mut BTreeSet<Slot>,
    slots: &mut BTreeSet<Slot>,
    id: BlockId,
    into: &Place,
    value: &Rvalue,
) {
    let to = Slot::at(into);
    let own = to.steps.len() == function.root(&to) && to.local.0 != 0;
    match value {
        Rvalue::Use(Operand::Place(from)) | Rvalue::Cast(Operand::Place(from), _) => {
            let from = Slot::at(from);
            if whole.contains(&from) && own {
                whole.insert(to);
            } else if slots.contains(&from) && own {
                slots.insert(to);
            } else if slots.contains(&from) || whole.contains(&from) {
                end.gone.insert(id);
            }
        }
        Rvalue::Made(_, parts) => {
            let gone = parts.iter().filter_map(Operand::place).map(Slot::at);
            if gone.into_iter().any(|it| slots.contains(&it) || whole.contains(&it)) {
                end.gone.insert(id);
            }
        }
        Rvalue::Reference(of, _) => end.is_lent |= whole.contains(&Slot::at(of)),
        _ => {}
    }
}
