//! Holders of receivers: values that keep a channel from being closed, and messages in it, while their body waits.

use super::holders::was_there;
use crate::body::paths::Paths;
use crate::body::{FunctionId, Slot};
use crate::facts::objects::{CallSite, Kinds, Node, Objects, Thing, is_receiver};
use crate::mir::{BlockId, Local};
use crate::program::Program;
use crate::ty::Ty;
use std::collections::BTreeSet;

/// How deep structs are looked into.
const DEEPEST: usize = 4;

/// The value of a body that has the receiver of a channel at the end of a block, for sure.
pub(crate) fn receiver_at(
    program: &Program,
    objects: &Objects,
    id: FunctionId,
    wait: BlockId,
    channel: CallSite,
) -> Option<Slot> {
    let function = program.function(id);
    let paths = Paths::of(function);
    let around = paths.loop_around(wait);
    function.body.variables.iter().map(|(_, place)| place).find_map(|place| {
        let ty = function.type_of(place)?;
        let has_it = if is_whole_receiver(program, ty) {
            objects.at(program, id, place).iter().eq([&Thing::Receiver(channel)])
        } else {
            has_field(program, objects, ty, channel, DEEPEST)
        };
        (has_it && was_there(function, paths, place, wait, &around)).then(|| Slot::at(place))
    })
}

/// Whether what a body is given first is a struct that has the receiver of a channel, and nobody else has that meanwhile: it is its own, or is
/// borrowed to be changed.
pub(crate) fn is_given_alone(
    program: &Program,
    objects: &Objects,
    id: FunctionId,
    channel: CallSite,
) -> bool {
    let function = program.function(id);
    let ty = function.body.type_of(Local(1));
    let is_its_own = !ty.is_reference() || ty.is_exclusive();
    function.body.arguments > 0 && is_its_own && has_field(program, objects, ty.pointee(), channel, DEEPEST)
}

fn is_whole_receiver(program: &Program, ty: Ty) -> bool {
    is_receiver(ty)
        && !is_made_of_others(ty)
        && !matches!(ty.name(), "Option" | "Arc" | "Rc")
        && !program.knows_type(ty.name())
}

/// Whether a type leads to values of others, or has them, without a name of its own.
fn is_made_of_others(ty: Ty) -> bool {
    ty.is_pointer() || ty.is_tuple() || ty.is_body()
}

/// Whether each value of a struct of the workspace has the receiver of a channel.
fn has_field(program: &Program, objects: &Objects, ty: Ty, channel: CallSite, depth: usize) -> bool {
    let name = ty.name();
    if depth == 0 || is_made_of_others(ty) || !program.knows_type(name) {
        return false;
    }
    objects.fields.get(name).into_iter().flatten().any(|(number, &ty)| {
        if !is_whole_receiver(program, ty) {
            return has_field(program, objects, ty, channel, depth - 1);
        }
        let things = objects.in_node(&Node::Field(name.to_owned(), *number)).iter();
        let receivers: BTreeSet<&Thing> = things.filter(|it| it.kind().meets(Kinds::RECEIVER)).collect();
        receivers == BTreeSet::from([&Thing::Receiver(channel)])
    })
}
