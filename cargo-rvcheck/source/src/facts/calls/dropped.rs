//! What dropping a value of a type runs.

use super::behind::Behind;
use crate::body::{Callee, Definition, Function, FunctionId, Slot};
use crate::mir::{Operand, Place, Rvalue};
use crate::program::library::is_waker_type;
use crate::program::{Meaning, Program};
use crate::ty::{Ty, is_of_std, last};
use rvcheck_primitives::Holds;
use rvcheck_primitives::code::types::is_container;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// What runs when a value goes.
#[derive(Clone, Debug, Default)]
pub(super) struct Glue {
    /// The implementations of `Drop` of the workspace that may run.
    pub(super) targets: BTreeSet<FunctionId>,
    /// Whether one of another crate may run that is not known: of an object that has a trait which is made for others to implement. What a
    /// type parameter stands for may have one as well, but seldom one that comes back to whom it was given to.
    pub(super) is_open: bool,
}

/// How deep types are looked into.
const DEEPEST: usize = 12;

/// How many more types are looked into from here.
#[derive(Clone, Copy)]
struct Left {
    depth: usize,
    /// How many shared handles more. One is seldom the last of its kind; hardly ever are two in a row.
    handles: usize,
}

/// Whether a type owns values of those that it is made with.
pub(super) fn owns(ty: Ty) -> bool {
    let by = ty.holds();
    ty.is_composite() || is_container(ty.name()) || matches!(by, Some(Holds::Items | Holds::Counted))
}

/// The types of the values in what has that type. A hasher or an allocator is none.
fn owned(ty: Ty) -> &'static [Ty] {
    let all = ty.arguments();
    let count = match ty.holds() {
        Some(Holds::Map) => 2,
        Some(Holds::Set | Holds::Sequence | Holds::Queue | Holds::Alone | Holds::Counted) => 1,
        _ => all.len(),
    };
    &all[..count.min(all.len())]
}

/// Whether a type is that of objects with a trait of the workspace that other crates can implement.
fn is_made_for_others(program: &Program, ty: Ty) -> bool {
    let Some(bounds) = ty.text().strip_prefix("dyn ") else { return false };
    let of_trait = bounds.split([' ', '+', '<']).next().unwrap_or_default();
    program.knows_trait(of_trait) && program.is_public_trait(last(of_trait))
}

/// Whether a value is a handle that was cloned from another one, so that dropping it drops nothing else.
pub(super) fn is_one_of_several(function: &Function, place: &Place, ty: Ty) -> bool {
    // A conversion of a handle is of the same thing.
    let passes = |it: Callee| it.opens() || it.of_trait().is_some() && it.wraps();
    let inner = ty.if_some();
    if !inner.is_counted() {
        return false;
    }
    let mut at = place.local;
    for _ in 0..DEEPEST {
        let from = match function.definition(&Slot::of(at)) {
            Some(Definition::Called(block)) => {
                let Some((call, callee)) = function.call(block) else { return false };
                if matches!(callee.name(), "clone" | "cloned") {
                    return true;
                }
                call.arguments.first().filter(|_| passes(callee))
            }
            Some(it @ Definition::Assigned(..)) => match function.assigned(it) {
                Some(Rvalue::Use(from)) => Some(from),
                _ => None,
            },
            None => None,
        };
        match from.and_then(Operand::place) {
            Some(from) => at = from.local,
            None => return false,
        }
    }
    false
}

/// What dropping values runs, by the body that has them and by their types.
pub(super) struct Glues<'a, 'p> {
    program: &'p Program,
    pub(super) behind: &'a Behind<'p>,
    known: RefCell<BTreeMap<(FunctionId, Ty), Glue>>,
}

impl<'a, 'p> Glues<'a, 'p> {
    /// Nothing is known yet.
    pub(super) fn new(program: &'p Program, behind: &'a Behind<'p>) -> Glues<'a, 'p> {
        Glues { program, behind, known: RefCell::default() }
    }

    /// What dropping a value of that type runs, as a body has it.
    pub(super) fn glue(&self, id: FunctionId, ty: Ty) -> Glue {
        let key = (id, ty);
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let mut found = Glue::default();
        let left = Left { depth: DEEPEST, handles: 1 };
        collect((self.program, self.behind, id), ty, &mut found, &mut BTreeSet::new(), left);
        self.known.borrow_mut().insert(key, found.clone());
        found
    }

    /// What dropping all that is in a value of that type runs, but not the value itself.
    pub(super) fn glue_of_content(&self, id: FunctionId, ty: Ty) -> Glue {
        let mut found = Glue::default();
        for it in owned(ty) {
            let Glue { targets, is_open } = self.glue(id, *it);
            found.targets.extend(targets);
            found.is_open |= is_open;
        }
        found
    }
}

fn collect(
    within: (&Program, &Behind<'_>, FunctionId),
    ty: Ty,
    found: &mut Glue,
    seen: &mut BTreeSet<(usize, Ty)>,
    left: Left,
) {
    let (program, behind, id) = within;
    let Some(depth) = left.depth.checked_sub(1).filter(|_| ty.referent().is_none()) else { return };
    let left = Left { depth, ..left };
    let behind_handle = left.handles.checked_sub(1).map(|handles| Left { handles, ..left });
    if program.is_open_type(ty) {
        found.is_open |= is_made_for_others(program, ty);
        for (id, ty) in behind.types(program, id, ty).0 {
            collect((program, behind, id), ty, found, seen, left);
        }
        // A parameter of the type that a method is of stands for what that is written with.
        if let Some(own) = program.type_of(id).filter(|_| program.is_parameter(ty.head())) {
            for ty in behind.instances(program, own) {
                collect(within, *ty, found, seen, left);
            }
        }
        return;
    }
    // A waker owns what it wakes.
    if is_waker_type(ty) && !program.knows_type(ty.name()) {
        if let Some(left) = behind_handle {
            for ty in behind.woken_types(program) {
                collect(within, ty, found, seen, left);
            }
        }
        return;
    }
    if !seen.insert((left.handles, ty)) {
        return;
    }
    // A closure or state machine owns what it has captured.
    if ty.is_body() {
        if let Some(body) = program.body_of(ty) {
            for captured in program.function(body).captured_types() {
                collect((program, behind, body), captured, found, seen, left);
            }
        }
        return;
    }
    if let Some(body) = program.drop_of(ty) {
        found.targets.insert(body);
    }
    // A handle is seldom the last one.
    if ty.is_counted() {
        let is_open = found.is_open;
        if let Some(left) = behind_handle {
            for it in ty.arguments() {
                collect(within, *it, found, seen, left);
            }
        }
        found.is_open = is_open;
        return;
    }
    // A type of the workspace may be called as one of a library.
    if owns(ty) {
        for inner in owned(ty) {
            collect(within, *inner, found, seen, left);
        }
    }
    if is_of_std(ty.head()) {
        return;
    }
    let name = ty.name();
    for meaning in program.meanings(name) {
        if let Meaning::Alias(of) = meaning {
            collect(within, of.ty, found, seen, left);
        }
    }
    if program.knows_type(name) {
        // A parameter of the type stands for one of its arguments, which is not known here.
        for field in program.fields(name).filter(|it| !program.is_parameter(it.ty.head())) {
            collect(within, field.ty, found, seen, left);
        }
    }
}
