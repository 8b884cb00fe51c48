//! Bodies seen from outside: who runs each, or makes it for another agent to run, and what its access paths are in the terms of those.
//!
//! What a body is given or has captured belongs to whoever runs it, and what a struct has was put there by whoever made that. So an object that
//! comes to several bodies on different ways has one name in the body that makes it.

use super::{CallSite, Objects};
use crate::body::paths::Paths;
use crate::body::provenance::awaited_at;
use crate::body::{Definition, FunctionId, Slot};
use crate::facts::agents::steps::bodies;
use crate::mir::{BlockId, Local, Made, Operand, Place, Rvalue};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths, Hop, Root};
use crate::program::runs::may_run;
use std::collections::{BTreeMap, BTreeSet};

/// A body that runs another one, or makes it.
#[derive(Clone, Debug)]
struct Outer {
    body: FunctionId,
    block: BlockId,
    spawn: Option<CallSite>,
    one_of_several: bool,
    arguments: Vec<Option<AccessPath>>,
    captured: Vec<Option<AccessPath>>,
}

/// A struct that a body makes of these values.
#[derive(Clone, Copy, Debug)]
struct Parts<'p> {
    body: FunctionId,
    block: BlockId,
    values: &'p [Operand],
}

/// All bodies of a program seen from outside.
#[derive(Debug)]
pub(crate) struct Outside<'p> {
    program: &'p Program,
    outer: BTreeMap<FunctionId, Vec<Outer>>,
    makers: BTreeMap<String, Vec<Parts<'p>>>,
}

/// A way from a body to one outside of it.
#[derive(Clone, Debug)]
pub(crate) struct View<'a> {
    /// The body outside.
    pub(crate) body: FunctionId,
    /// Its block that runs or makes the other one, or the struct that has the object.
    pub(crate) block: BlockId,
    /// Where the body inside is spawned, if an agent of its own runs it.
    pub(crate) spawn: Option<CallSite>,
    /// The struct is made here whose method the body inside is, whoever calls that.
    pub(crate) is_kept: bool,
    /// The body inside is one of several implementations.
    pub(crate) one_of_several: bool,
    program: &'a Program,
    inner: FunctionId,
    way: Way<'a>,
}

#[derive(Clone, Debug)]
enum Way<'a> {
    Ran(&'a Outer),
    Made { of: String, before: AccessPath, parts: Parts<'a> },
}

impl<'p> Outside<'p> {
    /// Of this program.
    pub(crate) fn of(program: &'p Program, objects: &Objects) -> Outside<'p> {
        let mut found = Outside { program, outer: BTreeMap::new(), makers: BTreeMap::new() };
        let reached: BTreeMap<CallSite, BTreeSet<FunctionId>> =
            objects.spawns.iter().map(|(site, it)| (*site, reached(program, objects, &it.roots))).collect();
        for (id, function) in program.functions() {
            let access_paths = AccessPaths::of(program, function);
            for (block, ..) in function.calls() {
                // The state machine of an `async fn` that is awaited at once is seen where it is polled.
                if awaited_at(function, block).is_some() {
                    continue;
                }
                for run in may_run(program, function, block) {
                    found.outer.entry(run.body).or_default().push(Outer {
                        body: id,
                        block,
                        spawn: None,
                        one_of_several: run.one_of_several,
                        arguments: run.arguments,
                        captured: run.captured,
                    });
                }
            }
            for (block, it) in function.blocks().filter(|(_, it)| !it.cleanup) {
                for (into, value) in it.assignments() {
                    let Rvalue::Made(made, parts) = value else { continue };
                    let ty = function.type_of(into).unwrap_or_default();
                    if !matches!(made, Made::Body(_)) {
                        let of = program.head(ty);
                        if *made != Made::Parts && !of.is_empty() {
                            found.makers.entry(of.to_owned()).or_default().push(Parts {
                                body: id,
                                block,
                                values: parts,
                            });
                        }
                        continue;
                    }
                    let Some((made, parts)) = program.body_made(function, into, value) else { continue };
                    let captured = || parts.iter().map(|it| access_paths.operand(it)).collect();
                    let spawned = objects.spawns.iter().filter(|(site, it)| {
                        let within = &reached[*site];
                        it.roots.contains(&made) || within.contains(&made) && !within.contains(&id)
                    });
                    let spawned: Vec<CallSite> = spawned.map(|it| *it.0).collect();
                    // What a function of another crate calls before it comes back, such as `scope`.
                    let called = || {
                        let calls = function.calls().map(|(block, ..)| block);
                        let is_it = |block: &BlockId| {
                            let site = CallSite { function: id, block: *block };
                            objects.calls.get(&site).is_some_and(|it| it.contains(&made))
                        };
                        calls.into_iter().find(is_it)
                    };
                    let outer = |block, spawn| Outer {
                        body: id,
                        block,
                        spawn,
                        one_of_several: false,
                        arguments: Vec::new(),
                        captured: captured(),
                    };
                    let is_run = |it: &Outer| it.body == id && it.spawn.is_none();
                    let is_known = found.outer.get(&made).is_some_and(|it| it.iter().any(is_run));
                    let all = found.outer.entry(made).or_default();
                    if spawned.is_empty() && !is_known {
                        all.extend(called().map(|block| outer(block, None)));
                    }
                    all.extend(spawned.into_iter().map(|it| outer(block, Some(it))));
                }
            }
        }
        found
    }

    /// The ways out of a body for two paths in it: to those that run it, and, where the paths part at the fields of one struct, to those
    /// that make that of handles.
    pub(crate) fn views(&self, inner: FunctionId, one: &AccessPath, other: &AccessPath) -> Vec<View<'_>> {
        let view = |body, block, way| View {
            body,
            block,
            spawn: None,
            is_kept: false,
            one_of_several: false,
            program: self.program,
            inner,
            way,
        };
        let ran = self.outer.get(&inner).into_iter().flatten().map(|it| View {
            spawn: it.spawn,
            one_of_several: it.one_of_several,
            ..view(it.body, it.block, Way::Ran(it))
        });
        let mut found: Vec<View<'_>> = ran.filter(|it| it.body != inner).collect();
        let length = one.hops.iter().zip(&other.hops).take_while(|(it, other)| it == other).count();
        if one.root == other.root
            && let (Some(Hop::Field(of, _)), Some(Hop::Field(others, _))) =
                (one.hops.get(length), other.hops.get(length))
            && of == others
            && [one, other].iter().any(|it| it.hops[length + 1..].contains(&Hop::Deref))
        {
            let before = AccessPath { root: one.root.clone(), hops: one.hops[..length].to_vec() };
            for parts in self.makers.get(of).into_iter().flatten() {
                let way = Way::Made { of: of.clone(), before: before.clone(), parts: *parts };
                found.push(View { is_kept: true, ..view(parts.body, parts.block, way) });
            }
        }
        found
    }
}

impl View<'_> {
    /// A path of the body inside in the terms of the one outside.
    pub(crate) fn seen(&self, path: &AccessPath) -> Option<AccessPath> {
        let function = self.program.function(self.body);
        let access_paths = AccessPaths::of(self.program, function);
        match (&self.way, &path.root) {
            (_, Root::Static(_)) => Some(path.clone()),
            (Way::Ran(outer), Root::Made(_)) => {
                let called = self.program.called(function, outer.block);
                let (call, _) = function.call(outer.block).filter(|_| called == Some(self.inner))?;
                let rest = given_back(self.program, self.inner, &Slot::of(Local(0)), path, 4)?;
                Some(follow(access_paths.place(&call.into)?, &rest))
            }
            (Way::Ran(outer), _) => access_paths.seen(path, &outer.arguments, &outer.captured),
            (Way::Made { of, before, parts }, root) => {
                let rest = path.hops.strip_prefix(before.hops.as_slice()).filter(|_| *root == before.root)?;
                let (Hop::Field(own, number), rest) = rest.split_first()? else { return None };
                let value = parts.values.get(*number as usize).filter(|_| own == of)?;
                let inner = AccessPath { root: Root::Captured(0), hops: rest.to_vec() };
                access_paths.seen(&inner, &[], &[access_paths.operand(value)])
            }
        }
    }
}

fn follow(path: AccessPath, hops: &[Hop]) -> AccessPath {
    hops.iter().cloned().fold(path, AccessPath::then)
}

/// How a function gives back an object that it makes: the steps from what is in the slot to it.
fn given_back(
    program: &Program,
    id: FunctionId,
    slot: &Slot,
    path: &AccessPath,
    depth: usize,
) -> Option<Vec<Hop>> {
    let function = program.function(id);
    let access_paths = AccessPaths::of(program, function);
    let rest_of = |from: &AccessPath| -> Option<Vec<Hop>> {
        let rest = path.hops.strip_prefix(from.hops.as_slice()).filter(|_| path.root == from.root)?;
        Some(rest.to_vec())
    };
    if depth == 0 {
        return None;
    }
    let into = |place: &Place| -> Option<Vec<Hop>> {
        access_paths
            .place(place)
            .and_then(|it| rest_of(&it))
            .or_else(|| given_back(program, id, &Slot::at(place), path, depth - 1))
    };
    match function.definition(slot)? {
        Definition::Called(block) => {
            let (call, callee) = function.call(block)?;
            let points = callee.points();
            let inner = into(call.arguments.first().filter(|_| points)?.place()?)?;
            Some(std::iter::once(Hop::Deref).chain(inner).collect())
        }
        definition @ Definition::Assigned(..) => match function.assigned(definition)? {
            Rvalue::Use(Operand::Place(from)) => into(from),
            Rvalue::Made(made, parts) if !matches!(made, Made::Body(_)) => {
                let of = program.head(function.body.type_of(slot.local));
                let in_variant = IN_VARIANTS.iter().any(|it| of.ends_with(it));
                (0..).zip(parts).find_map(|(number, part)| {
                    let inner = into(part.place()?)?;
                    let field = (!in_variant).then(|| Hop::Field(of.to_owned(), number));
                    Some(field.into_iter().chain(inner).collect())
                })
            }
            _ => None,
        },
    }
}

/// Enums whose content is reached by whoever reaches them.
const IN_VARIANTS: [&str; 2] = ["Option", "Result"];

/// The bodies that these run, themselves or in what they call.
fn reached(program: &Program, objects: &Objects, roots: &BTreeSet<FunctionId>) -> BTreeSet<FunctionId> {
    let (mut seen, mut open) = (BTreeSet::new(), roots.iter().copied().collect::<Vec<_>>());
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let function = program.function(id);
            open.extend(
                function.calls().flat_map(|(block, ..)| bodies(program, objects, id, function, block)),
            );
        }
    }
    seen
}

/// Whether what a body makes in a block may be made several times while it runs.
pub(crate) fn repeats(program: &Program, id: FunctionId, block: BlockId) -> bool {
    Paths::of(program.function(id)).repeats(block)
}
