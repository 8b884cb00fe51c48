//! What may be behind a trait object or a type parameter that is called: the functions that are turned into one somewhere, and those
//! that callers give.

use crate::body::{Function, FunctionId, Kind, Slot};
use crate::mir::{Operand, Rvalue};
use crate::program::Program;
use crate::ty::Ty;
use crate::ty::scan::find_outside;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What may be behind trait objects and type parameters.
pub(super) struct Behind<'p> {
    /// By a trait object in a form of its own: the types that become one, each with the body in which they do.
    objects: BTreeMap<String, BTreeSet<(FunctionId, Ty)>>,
    /// By function: what it is called with: the body that calls, and the types of the arguments.
    callers: BTreeMap<FunctionId, Vec<(FunctionId, Vec<Ty>)>>,
    /// By the name of a body.
    named: BTreeMap<&'p str, FunctionId>,
    known: RefCell<BTreeMap<(FunctionId, Ty), Types>>,
    /// By function and parameter: what callers give for it, each with its body.
    given: RefCell<BTreeMap<(FunctionId, Ty), Given>>,
    /// By generic type of the workspace: the types of the workspace with which it is written somewhere.
    instances: OnceCell<BTreeMap<String, BTreeSet<Ty>>>,
    wakes: OnceCell<BTreeSet<FunctionId>>,
}

/// The types behind a type, each with a body that has it so, and whether there may be others.
type Types = (BTreeSet<(FunctionId, Ty)>, bool);

/// What callers give for a parameter, each with its body.
type Given = Rc<[(FunctionId, Ty)]>;

/// Through how many type parameters a function is followed.
const DEEPEST: usize = 6;

impl<'p> Behind<'p> {
    /// Looks at the casts and calls of a program.
    pub(super) fn of(program: &'p Program) -> Behind<'p> {
        let mut behind = Behind {
            objects: BTreeMap::new(),
            callers: BTreeMap::new(),
            named: BTreeMap::new(),
            known: RefCell::default(),
            given: RefCell::default(),
            instances: OnceCell::new(),
            wakes: OnceCell::new(),
        };
        for (id, function) in program.functions() {
            behind.named.insert(&function.body.name, id);
            for (block, it) in function.blocks().filter(|(_, it)| !it.cleanup) {
                for (_, value) in it.assignments() {
                    let Rvalue::Cast(from, ty) = value else { continue };
                    let Some(object) = object_in(*ty).or_else(|| pointer_in(*ty)) else { continue };
                    let from = match from {
                        Operand::Place(place) => function.type_of(place),
                        Operand::Constant(text) => Some(Ty::read(text)),
                    };
                    let Some(from) = from.map(Ty::pointed).filter(|it| !it.is_object()) else {
                        continue;
                    };
                    behind.objects.entry(plain(program, object)).or_default().insert((id, from));
                }
                if let Some(called) = program.called(function, block)
                    && let Some((call, _)) = function.call(block)
                {
                    let types = call.arguments.iter().map(|it| type_of(function, it));
                    behind.callers.entry(called).or_default().push((id, types.collect()));
                }
            }
        }
        behind
    }

    /// The functions of the workspace that a value of a type may be, as a body has it, and whether it may be another one.
    pub(super) fn functions(
        &self,
        program: &Program,
        id: FunctionId,
        ty: Ty,
    ) -> (BTreeSet<FunctionId>, bool) {
        let (types, mut is_open) = self.types(program, id, ty);
        let mut found = BTreeSet::new();
        for (_, ty) in types {
            // The type of a function says its path: `fn(u8) -> u8 {path}`.
            let text = ty.text();
            let path = text.strip_suffix('}').and_then(|it| it.rsplit_once('{')).map_or(text, |it| it.1);
            let body = program.body_written(text.trim_start_matches("ZeroSized: "));
            match body.or_else(|| program.function_named(path)) {
                Some(body) => {
                    found.insert(body);
                }
                None => is_open = true,
            }
        }
        (found, is_open)
    }

    /// The types that a value of a type may have, each with a body that has it so, and whether it may be another one.
    pub(super) fn types(&self, program: &Program, id: FunctionId, ty: Ty) -> Types {
        if let Some(known) = self.known.borrow().get(&(id, ty)) {
            return known.clone();
        }
        let mut found = (BTreeSet::new(), false);
        self.collect(program, id, ty, &mut found, DEEPEST);
        self.known.borrow_mut().insert((id, ty), found.clone());
        found
    }

    /// The types of the workspace with which a generic one of one parameter is written somewhere, as in a field or a local.
    pub(super) fn instances(&self, program: &Program, of: &str) -> &BTreeSet<Ty> {
        static NONE: BTreeSet<Ty> = BTreeSet::new();
        let known = self.instances.get_or_init(|| {
            let mut found: BTreeMap<String, BTreeSet<Ty>> = BTreeMap::new();
            let locals = program.functions().flat_map(|(_, it)| &it.body.locals);
            let mut seen = BTreeSet::new();
            for ty in locals.copied() {
                if seen.insert(ty) {
                    instances_in(program, ty, &mut found);
                }
            }
            found
        });
        known.get(of).unwrap_or(&NONE)
    }

    /// The functions of the workspace that a waker may run: of traits for that, and of tables for wakers that are made by hand.
    pub(super) fn wakes(&self, program: &Program) -> &BTreeSet<FunctionId> {
        self.wakes.get_or_init(|| {
            let bodies = program.functions().filter(|(_, it)| it.kind == Kind::Function);
            let of_traits = bodies
                .filter(|(id, _)| {
                    program.trait_of(*id).is_some_and(|it| {
                        ["Wake", "ArcWake"].iter().any(|name| it == *name || program.is_alias_of(it, name))
                    })
                })
                .filter(|(id, _)| matches!(program.name_of(*id), "wake" | "wake_by_ref"))
                .map(|(id, _)| id);
            of_traits.chain(by_tables(program)).collect()
        })
    }

    /// The types of the workspace that a waker may own.
    pub(super) fn woken_types(&self, program: &Program) -> BTreeSet<Ty> {
        let wakes = self.wakes(program).iter();
        wakes.filter_map(|it| program.type_of(*it)).map(Ty::read).collect()
    }

    fn collect(&self, program: &Program, id: FunctionId, ty: Ty, found: &mut Types, depth: usize) {
        let ty = ty.pointed();
        if !program.is_open_type(ty) && pointer_in(ty).is_none() {
            found.0.insert((id, ty));
            return;
        }
        let Some(depth) = depth.checked_sub(1) else {
            found.1 = true;
            return;
        };
        if let Some(object) = object_in(ty).or_else(|| pointer_in(ty)) {
            match self.objects.get(&plain(program, object)) {
                Some(types) => {
                    for (id, ty) in types {
                        self.collect(program, *id, *ty, found, depth);
                    }
                }
                None => found.1 = true,
            }
            return;
        }
        // A parameter of the function around the body, or of its type.
        let id = self.around(program, id);
        let function = program.function(id);
        let declared = &function.body.locals[1..=function.body.arguments.min(function.body.locals.len() - 1)];
        if program.is_open(id) {
            found.1 = true;
        }
        let known = self.given.borrow().get(&(id, ty)).cloned();
        let given = known.unwrap_or_else(|| {
            let callers = self.callers.get(&id).into_iter().flatten();
            let given = callers.flat_map(|(caller, types)| {
                let given = declared.iter().zip(types).flat_map(|(declared, it)| bound(*declared, *it, ty));
                given.filter(|it| *it != ty || *caller != id).map(|it| (*caller, it))
            });
            let given: Given = given.collect();
            self.given.borrow_mut().insert((id, ty), Rc::clone(&given));
            given
        });
        for (caller, given) in given.iter() {
            self.collect(program, *caller, *given, found, depth);
        }
    }

    /// The function that a closure or state machine stands in, or the body itself.
    fn around(&self, program: &Program, id: FunctionId) -> FunctionId {
        let function = program.function(id);
        if function.kind == Kind::Function {
            return id;
        }
        let name = function.body.name.split("::{closure#").next().unwrap_or_default();
        self.named.get(name).copied().unwrap_or(id)
    }
}

/// The functions of the workspace that wake in a `RawWakerVTable`: the second and third one of it.
fn by_tables(program: &Program) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    for (_, function) in program.functions() {
        let tables = function.calls().filter(|(_, _, callee)| {
            callee.name() == "new" && callee.path().rsplit("::").nth(1) == Some("RawWakerVTable")
        });
        for operand in tables.flat_map(|(_, call, _)| call.arguments.iter().skip(1).take(2)) {
            let path = constant(function, operand).map(|it| it.trim_start_matches("ZeroSized: "));
            found.extend(path.and_then(|it| program.function_named(it).or_else(|| program.body_written(it))));
        }
    }
    found
}

/// The constant that an operand is, or is a cast of.
fn constant<'a>(function: &'a Function, operand: &'a Operand) -> Option<&'a str> {
    let place = match operand {
        Operand::Constant(text) => return Some(text),
        Operand::Place(place) => place,
    };
    match function.assigned(function.definition(&Slot::at(place))?)? {
        Rvalue::Cast(Operand::Constant(text), _) | Rvalue::Use(Operand::Constant(text)) => Some(text),
        _ => None,
    }
}

fn type_of(function: &Function, operand: &Operand) -> Ty {
    match operand {
        Operand::Place(place) => function.type_of(place).unwrap_or_default(),
        Operand::Constant(text) => Ty::read(text),
    }
}

/// What is given where a declaration has that parameter.
fn bound(declared: Ty, given: Ty, parameter: Ty) -> Vec<Ty> {
    if declared == parameter {
        return vec![given];
    }
    if let (Some(declared), Some(given)) = (declared.referent(), given.referent()) {
        return bound(declared, given, parameter);
    }
    if declared.name() != given.name() {
        return Vec::new();
    }
    let parts = declared.arguments().iter().zip(given.arguments());
    parts.flat_map(|(declared, given)| bound(*declared, *given, parameter)).collect()
}

/// Takes the generic types of the workspace in a type, each with the type of the workspace that it is of.
fn instances_in(program: &Program, ty: Ty, found: &mut BTreeMap<String, BTreeSet<Ty>>) {
    let ty = ty.pointee();
    if let [one] = ty.arguments()
        && program.knows_type(ty.name())
        && program.knows_type(one.name())
    {
        found.entry(ty.name().to_owned()).or_default().insert(*one);
    }
    for part in ty.arguments() {
        instances_in(program, *part, found);
    }
}

/// The trait object that a type is behind its pointers.
fn object_in(ty: Ty) -> Option<Ty> {
    Some(ty.pointed()).filter(|it| it.is_object())
}

/// The pointer to a function that a type is.
pub(super) fn pointer_in(ty: Ty) -> Option<Ty> {
    let ty = ty.pointed().text();
    let bare = ty.strip_prefix("for<").and_then(|it| it.split_once("> ")).map_or(ty, |it| it.1);
    (bare.starts_with("fn(") && !bare.ends_with('}')).then(|| Ty::read(bare))
}

/// A trait object in a form of its own: [plain](Program::plain), and without what is only marked by `Send` and its like.
fn plain(program: &Program, object: Ty) -> String {
    let bounds = object.text().trim_start_matches("dyn ");
    let end = find_outside(bounds, |it| it.starts_with('+')).unwrap_or(bounds.len());
    program.plain(&bounds[..end]).replace("for<", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trait_object_has_one_form_however_it_is_written() {
        let cases = [
            ("dyn rvstd::ops::Fn(&a::Event) + Send + Sync", "dyn Fn(&'a Event) + 'static"),
            (
                "dyn for<'a> Fn(&'a u8) -> rvstd::option::Option<u8>",
                "dyn std::ops::Fn(&u8) -> Option<u8> + Send",
            ),
            ("dyn a::b::Handler<M> + rvstd::marker::Send", "dyn Handler<M>"),
        ];
        let program = Program::default();
        for (one, other) in cases {
            assert_eq!(plain(&program, Ty::read(one)), plain(&program, Ty::read(other)));
        }
        assert_ne!(plain(&program, Ty::read("dyn Fn(u8)")), plain(&program, Ty::read("dyn Fn(u16)")));
    }

    #[test]
    fn a_parameter_is_what_stands_in_its_place() {
        let bound = |declared, given| bound(Ty::read(declared), Ty::read(given), Ty::read("F"));
        let closure = Ty::read("{closure@a.rs:1:1: 1:2}");
        assert_eq!(bound("&S<F>", "&'a m::S<{closure@a.rs:1:1: 1:2}>"), [closure]);
        assert_eq!(bound("Option<F>", "Vec<u8>"), []);
        let object = Ty::read("&rvstd::sync::Arc<rvstd::boxed::Box<dyn Fn()>>").pointed();
        assert_eq!(object, Ty::read("dyn Fn()"));
    }
}
