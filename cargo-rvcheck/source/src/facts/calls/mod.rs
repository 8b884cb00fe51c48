//! Calls of code that a body does not choose by itself: closures and functions that it was given or that are stored, methods of trait
//! objects and type parameters, wakers, and the `Drop` of what it lets go of.
//!
//! Each has the bodies of the workspace that it may run, and whether somebody else's code may run there, too.

mod behind;
mod dropped;
mod reach;
mod uses;

use self::behind::Behind;
use self::dropped::{Glue, Glues};
pub(crate) use self::reach::{LockClass, Reach, Reached};
pub(crate) use self::uses::{HeldOver, Uses, lifted};
use crate::body::{Callee, Definition, Function, FunctionId, Kind, Slot};
use crate::mir::{BlockId, Call, Local, Made, Operand, Rvalue, Terminator};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths};
use crate::program::drops::drops_nothing;
use crate::program::runs::tupled;
use crate::ty::{Ty, is_of_std};
use rvcheck_primitives::{Action, Is, Row, Waits};
use std::collections::BTreeSet;

/// What is said of the type of a pointer to a function.
pub(crate) const POINTER: &str = "fn";

/// What kind of foreign code it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ForeignKind {
    /// A function: a closure, or a pointer to one.
    Callback,
    /// A method of a trait, as `Trait::method`.
    Method(String),
    /// What is dropped.
    Drop,
    /// A waker, which may poll at once.
    Waker,
    /// A function of another crate that is given a trait object, to call it.
    Elsewhere,
}

/// A call of foreign code.
#[derive(Clone, Debug)]
pub(crate) struct Foreign {
    /// The body that makes it.
    pub(crate) body: FunctionId,
    /// The block that ends in it.
    pub(crate) block: BlockId,
    /// What kind it is.
    pub(crate) kind: ForeignKind,
    /// The type of what is called or dropped.
    pub(crate) ty: Ty,
    /// What is given, by the numbers of the arguments of what runs.
    pub(crate) given: Vec<Option<AccessPath>>,
    /// What a closure or state machine that runs has captured, where that is known.
    pub(crate) captured: Vec<Option<AccessPath>>,
    /// The objects to which what is given leads.
    pub(crate) handed: Vec<AccessPath>,
    /// The bodies of the workspace that may run.
    pub(crate) targets: BTreeSet<FunctionId>,
    /// Whether code outside of the workspace may run.
    pub(crate) is_open: bool,
}

/// The foreign code that each body calls itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForeignCalls {
    by_body: Vec<Vec<Foreign>>,
}

impl ForeignCalls {
    /// Of a program.
    pub(crate) fn of(program: &Program) -> ForeignCalls {
        let behind = Behind::of(program);
        let glues = Glues::new(program, &behind);
        let of_body = |(id, function): (FunctionId, &Function)| {
            let mut found = Vec::new();
            for (block, it) in function.blocks().filter(|(_, it)| !it.cleanup) {
                match &it.terminator {
                    Terminator::Call(call) => {
                        let callee = function.call(block).map(|(_, callee)| callee);
                        let Some(callee) = callee else { continue };
                        found.extend(called(program, &glues, (id, function), block, call, callee));
                        found.extend(polled(program, &behind, (id, function), block, callee));
                        found.extend(by_pointer(program, &behind, (id, function), block, call, callee));
                        found.extend(once(program, (id, function), block, call));
                    }
                    Terminator::Drop { place, .. } => {
                        let ty = function.type_of(place).unwrap_or_default();
                        if dropped::is_one_of_several(function, place, ty)
                            || drops_nothing(function, place, block)
                        {
                            continue;
                        }
                        found.extend(dropped(&glues, id, block, ty));
                    }
                    _ => {}
                }
            }
            found
        };
        ForeignCalls { by_body: program.functions().map(of_body).collect() }
    }

    /// Those of a body.
    pub(crate) fn in_body(&self, id: FunctionId) -> &[Foreign] {
        self.by_body.get(id.0 as usize).map_or(&[], Vec::as_slice)
    }
}

/// The foreign code that a call runs.
fn called(
    program: &Program,
    glues: &Glues<'_, '_>,
    (id, function): (FunctionId, &Function),
    block: BlockId,
    call: &Call,
    callee: Callee,
) -> Option<Foreign> {
    let access_paths = AccessPaths::of(program, function);
    let ty = callee.self_type().unwrap_or_default();
    let foreign = |kind, ty: Ty, given: Vec<Option<AccessPath>>, targets, is_open| {
        let handed = handed(program, function, call);
        let captured = Vec::new();
        Some(Foreign { body: id, block, kind, ty, given, captured, handed, targets, is_open })
    };
    if callee.invokes() {
        let ty = Ty::pointed(ty);
        if !program.is_open_type(ty) {
            return None;
        }
        let (targets, is_open) = glues.behind.functions(program, id, ty);
        let given = tupled(&access_paths, function, call);
        return foreign(ForeignKind::Callback, ty, given, targets, is_open);
    }
    if is_pointer(call, callee) {
        return None;
    }
    let path = callee.path();
    if wakes(callee) {
        return foreign(
            ForeignKind::Waker,
            Ty::read(path),
            Vec::new(),
            glues.behind.wakes(program).clone(),
            true,
        );
    }
    // `clear` and its like drop what they take out.
    if callee.empties() && callee.of_trait().is_none() {
        let container = function.type_given(call, 0);
        let container = container.map(Ty::pointed).unwrap_or_default();
        if dropped::owns(container) {
            return foreign_drop(id, block, container, glues.glue_of_content(id, container));
        }
        return None;
    }
    if callee.is_drop() {
        let given = call.place(0)?;
        let ty = function.type_of(given)?;
        let is_one_of_several = dropped::is_one_of_several(function, given, ty);
        return dropped(glues, id, block, ty).filter(|_| !is_one_of_several);
    }
    // `drop` is given to what calls it with each value.
    let given = call.arguments.iter().skip(1).filter_map(|it| match it {
        Operand::Constant(text) => Some(Callee::read(text.trim_start_matches("ZeroSized: "))),
        Operand::Place(_) => None,
    });
    if let Some(drop) = given.into_iter().find(|it| it.is_drop()) {
        return dropped(glues, id, block, *drop.generics().first()?);
    }
    // What is formatted is shown by a method of its type.
    let shows = SHOWS.iter().find(|(name, _)| callee.of_trait().is_none() && *name == callee.name());
    if let Some((_, of_trait)) = shows {
        let ty = callee.generics().iter().find(|it| !it.text().starts_with('\''))?;
        let target = program.method_for(Ty::pointed(*ty), of_trait, "fmt")?;
        let kind = ForeignKind::Method(format!("{of_trait}::fmt"));
        return foreign(kind, *ty, access_paths.arguments(call), BTreeSet::from([target]), false);
    }
    let ty = Ty::pointed(ty);
    let trait_path = callee.trait_path().filter(|it| program.knows_trait(it));
    let of_trait = callee.of_trait().filter(|_| trait_path.is_some() && program.is_open_type(ty));
    let Some(of_trait) = of_trait else {
        let is_known = program.called(function, block).is_some() || is_of_std(path);
        if is_known || !gives_an_object(function, call) {
            return None;
        }
        return foreign(ForeignKind::Elsewhere, Ty::read(path), Vec::new(), BTreeSet::new(), true);
    };
    let targets: BTreeSet<FunctionId> = program.implementations(function, block).iter().copied().collect();
    let is_open = program.is_public_trait(of_trait) || targets.is_empty();
    let kind = ForeignKind::Method(format!("{of_trait}::{}", callee.name()));
    foreign(kind, ty, access_paths.arguments(call), targets, is_open)
}

/// The state machines that are polled and that foreign code made: a callback, or a method of a trait object or type parameter. Where it is
/// any future, those of the workspace.
fn polled(
    program: &Program,
    behind: &Behind<'_>,
    (id, function): (FunctionId, &Function),
    block: BlockId,
    callee: Callee,
) -> Vec<Foreign> {
    if !callee.is_poll() {
        return Vec::new();
    }
    let access_paths = AccessPaths::of(program, function);
    let made = function.polled(block).and_then(|it| function.producer(&it));
    let maker = match made {
        Some(Definition::Called(made)) => function.call(made).map(|it| (made, it)),
        _ => None,
    };
    let own = |kind, ty: Ty, given, captured, target| Foreign {
        body: id,
        block,
        kind,
        ty,
        given,
        captured,
        handed: Vec::new(),
        targets: BTreeSet::from([target]),
        is_open: false,
    };
    if let Some((made, (call, callee))) = maker {
        let ty = Ty::pointed(callee.self_type().unwrap_or_default());
        let is_callback = callee.invokes();
        let (makers, given, kind) = if is_callback && program.is_open_type(ty) {
            let given = tupled(&access_paths, function, call);
            (behind.functions(program, id, ty).0, given, ForeignKind::Callback)
        } else {
            let of_trait = callee.of_trait().unwrap_or_default();
            let kind = ForeignKind::Method(format!("{of_trait}::{}", callee.name()));
            let makers = program.implementations(function, made).iter().copied().collect();
            (makers, access_paths.arguments(call), kind)
        };
        let machines = makers.into_iter().filter_map(|maker| {
            let (machine, operands) = program.machine_made_by(maker)?;
            let inside = AccessPaths::of(program, program.function(maker));
            let captured = operands.iter().map(|it| inside.operand(it)?.seen_from(&given, &[])).collect();
            Some(own(kind.clone(), ty, Vec::new(), captured, machine))
        });
        let machines: Vec<Foreign> = machines.collect();
        if !machines.is_empty() {
            return machines;
        }
    }
    let ty = Ty::pointed(callee.self_type().unwrap_or_default());
    if !program.is_open_type(ty) {
        return Vec::new();
    }
    let (types, is_open) = behind.types(program, id, ty);
    let mut targets: BTreeSet<FunctionId> = types
        .iter()
        .filter_map(|(_, ty)| program.body_of(*ty).or_else(|| program.method_for(*ty, "Future", "poll")))
        .collect();
    if is_open {
        let polls = program.functions().filter(|(id, it)| {
            it.kind == Kind::Function
                && program.trait_of(*id) == Some("Future")
                && program.name_of(*id) == "poll"
        });
        targets.extend(polls.map(|it| it.0));
    }
    let kind = || ForeignKind::Method("Future::poll".to_owned());
    targets.into_iter().map(|it| own(kind(), ty, Vec::new(), Vec::new(), it)).collect()
}

/// The closures that a call initialises something with that is initialised once.
fn once(
    program: &Program,
    (id, function): (FunctionId, &Function),
    block: BlockId,
    call: &Call,
) -> Vec<Foreign> {
    if !reach::is_once(function.callee(block)) {
        return Vec::new();
    }
    let access_paths = AccessPaths::of(program, function);
    let closures = call.arguments.iter().filter_map(|it| access_paths.closure_in(it));
    closures
        .map(|(body, captured)| Foreign {
            body: id,
            block,
            kind: ForeignKind::Callback,
            ty: Ty::read("closure"),
            given: Vec::new(),
            captured,
            handed: Vec::new(),
            targets: BTreeSet::from([body]),
            is_open: false,
        })
        .collect()
}

/// Whether a call is by a pointer to a function.
fn is_pointer(call: &Call, callee: Callee) -> bool {
    callee.path().is_empty() && call.callee.text().starts_with(['m', 'c'])
}

/// What a call by a pointer runs: functions, which have its arguments, and closures, which have themselves before them.
fn by_pointer(
    program: &Program,
    behind: &Behind<'_>,
    (id, function): (FunctionId, &Function),
    block: BlockId,
    call: &Call,
    callee: Callee,
) -> Vec<Foreign> {
    if !is_pointer(call, callee) {
        return Vec::new();
    }
    let number =
        call.callee.text().rsplit(['_', ' ']).next().and_then(|it| it.trim_end_matches(')').parse().ok());
    let ty = number.and_then(|it| behind::pointer_in(function.body.type_of(Local(it))));
    let targets = ty.map(|it| behind.functions(program, id, it).0).unwrap_or_default();
    let (functions, closures): (BTreeSet<_>, BTreeSet<_>) =
        targets.into_iter().partition(|it| program.function(*it).kind == Kind::Function);
    let given = AccessPaths::of(program, function).arguments(call);
    let of_closures: Vec<Option<AccessPath>> = std::iter::once(None).chain(given.clone()).collect();
    let both = [(functions, given, true), (closures, of_closures, false)];
    let found = both.into_iter().map(|(targets, given, is_open)| Foreign {
        body: id,
        block,
        kind: ForeignKind::Callback,
        ty: Ty::read(POINTER),
        given,
        captured: Vec::new(),
        handed: handed(program, function, call),
        targets,
        is_open,
    });
    found.filter(|it| it.is_open || !it.targets.is_empty()).collect()
}

/// Whether a function wakes tasks, which may be polled at once.
fn wakes(callee: Callee) -> bool {
    callee.likely_row().is_some_and(|Row { owner, operation }| {
        let is_it = callee.path().rsplit_once("::").is_some_and(|it| it.0 == owner.path);
        let of_tasks = owner.operations.iter().any(|it| it.action == Action::Wait && it.waits == Waits::Task);
        let wakes = owner.is == Is::WakerCell || owner.is == Is::Signal && is_it && of_tasks;
        wakes && matches!(operation.action, Action::Notify { .. })
    })
}

/// Whether a call gives a reference to a trait object.
fn gives_an_object(function: &Function, call: &Call) -> bool {
    let types = call.places().filter_map(|it| function.type_of(it));
    types.map(Ty::pointed).any(super::super::ty::Ty::is_object)
}

/// The functions that macros of std call to show a value, each with the trait by which it is shown.
const SHOWS: [(&str, &str); 2] = [("new_display", "Display"), ("new_debug", "Debug")];

/// What dropping a value of a type runs.
fn dropped(glues: &Glues<'_, '_>, id: FunctionId, block: BlockId, ty: Ty) -> Option<Foreign> {
    foreign_drop(id, block, ty, glues.glue(id, ty))
}

/// The foreign code that a call or the end of a scope runs where this is what dropping runs.
fn foreign_drop(id: FunctionId, block: BlockId, ty: Ty, glue: Glue) -> Option<Foreign> {
    (!glue.targets.is_empty() || glue.is_open).then(|| Foreign {
        body: id,
        block,
        kind: ForeignKind::Drop,
        ty,
        given: Vec::new(),
        captured: Vec::new(),
        handed: Vec::new(),
        targets: glue.targets,
        is_open: glue.is_open,
    })
}

/// How many values are taken apart to find what they lead to.
const MOST: usize = 32;

/// The objects to which the arguments of a call lead: what they are, what is in the tuples and variants that they are, and what those
/// are clones of.
fn handed(program: &Program, function: &Function, call: &Call) -> Vec<AccessPath> {
    let access_paths = AccessPaths::of(program, function);
    let mut open: Vec<&Operand> = call.arguments.iter().collect();
    let mut found = Vec::new();
    let mut count = 0;
    while let Some(operand) = open.pop() {
        count += 1;
        let Some(place) = operand.place().filter(|_| count < MOST) else { continue };
        let slot = Slot::at(place);
        // What is put into a variant in one branch and something else in another one.
        let definitions = function.definitions(&slot);
        let mut is_made = false;
        for &definition in definitions {
            match function.assigned(definition) {
                Some(Rvalue::Made(made, parts)) if !matches!(made, Made::Body(_)) => {
                    is_made = true;
                    open.extend(parts);
                }
                Some(Rvalue::Use(inner)) if definitions.len() > 1 => open.push(inner),
                _ => {}
            }
        }
        for &definition in definitions {
            let Definition::Called(block) = definition else { continue };
            let Some((inner, callee)) = function.call(block) else { continue };
            if callee.clones() || callee.hands_on() {
                is_made = true;
                open.extend(inner.arguments.first());
            }
        }
        if let Some(path) = access_paths.operand(operand).filter(|it| !is_made || !it.root.is_made()) {
            let ty = function.type_of(place).unwrap_or_default();
            // A number leads to nothing.
            let is_plain = !ty.has(Ty::is_reference) && !ty.name().starts_with(char::is_uppercase);
            found.extend((!is_plain).then_some(path));
        }
    }
    found
}
