//! The inclusions between places, and their solution.

use super::kinds::{Kinds, is_end, kinds, peeled};
use super::{CallSite, Node, Objects, Thing};
use crate::body::{FunctionId, Kind, Slot};
use crate::mir::{Local, Operand, Place, Projection, Rvalue};
use crate::program::Program;
use crate::ty::{Ty, canonical, last};
use std::collections::{BTreeMap, BTreeSet};

/// How often calls that were found on the way are looked at again.
const MAX_ITERATIONS: usize = 24;

/// A call whose effect depends on what its arguments can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// Of a closure or function value, with the arguments in a tuple.
    Invocation,
    /// Of `Future::poll`.
    Poll,
    /// A message goes into a channel.
    Send,
    /// Something is spawned.
    Spawn,
    /// Another one of another crate.
    Foreign,
}

/// A call that is looked at again where its arguments can have more.
pub(super) struct Dynamic {
    pub(super) site: CallSite,
    pub(super) sort: Sort,
}

/// What is being built.
pub(super) struct Builder<'a> {
    pub(super) program: &'a Program,
    pub(super) objects: Objects,
    /// By node: where its things go, and of which kinds.
    pub(super) targets: Vec<Vec<(usize, Kinds)>>,
    pub(super) edges: BTreeSet<(usize, usize, Kinds)>,
    pub(super) open: BTreeSet<usize>,
    pub(super) dynamic: Vec<Dynamic>,
    /// By trait and method: the implementations.
    pub(super) implementations: BTreeMap<(String, String), BTreeSet<FunctionId>>,
    pub(super) called: BTreeSet<FunctionId>,
}

/// Solves the inclusions of a program.
pub(super) fn build(program: &Program) -> Objects {
    let mut builder = Builder {
        program,
        objects: Objects::default(),
        targets: Vec::new(),
        edges: BTreeSet::new(),
        open: BTreeSet::new(),
        dynamic: Vec::new(),
        implementations: implementations(program),
        called: BTreeSet::new(),
    };
    for (id, function) in program.functions() {
        for (block, it) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for (into, value) in it.assignments() {
                builder.assigned(id, into, value);
            }
            if let Some((call, callee)) = function.call(block) {
                builder.call(CallSite { function: id, block }, function, call, callee);
            }
        }
    }
    builder.given_from_outside();
    for _ in 0..MAX_ITERATIONS {
        builder.propagate();
        let before = builder.edges.len() + builder.objects.calls.values().map(BTreeSet::len).sum::<usize>();
        let dynamic = std::mem::take(&mut builder.dynamic);
        for it in &dynamic {
            builder.resolve(it);
        }
        builder.dynamic = dynamic;
        let after = builder.edges.len() + builder.objects.calls.values().map(BTreeSet::len).sum::<usize>();
        if before == after && builder.open.is_empty() {
            break;
        }
    }
    builder.objects
}

/// The bodies of the methods of traits, by trait and name.
fn implementations(program: &Program) -> BTreeMap<(String, String), BTreeSet<FunctionId>> {
    let mut found: BTreeMap<_, BTreeSet<FunctionId>> = BTreeMap::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind == Kind::Function) {
        if let Some(of_trait) = program.trait_of(id) {
            let name = last(&function.body.name).to_owned();
            found.entry((of_trait.to_owned(), name)).or_default().insert(id);
        }
    }
    found
}

/// The node of a place.
pub(super) fn node_of(program: &Program, id: FunctionId, place: &Place) -> Node {
    let function = program.function(id);
    for at in (0..place.projections.len()).rev() {
        let Projection::Field(number, _) = place.projections[at] else { continue };
        let front = Place { local: place.local, projections: place.projections[..at].to_vec() };
        let Some(ty) = function.type_of(&front) else { continue };
        let name = ty.name().to_owned();
        if !program.knows_type(&name) {
            continue;
        }
        return match front.projections.last() {
            Some(Projection::Variant(variant)) if !variant.starts_with("variant#") => {
                Node::Field(format!("{name}::{variant}"), number)
            }
            _ => Node::Field(name, number),
        };
    }
    let mut slot = Slot::at(place);
    if let Some((number, _)) = function.captured(&slot) {
        return Node::Captured(id, number);
    }
    slot.steps.truncate(function.root(&slot));
    Node::Slot(id, slot)
}

impl Builder<'_> {
    pub(super) fn node(&mut self, node: Node) -> usize {
        if let Some(it) = self.objects.nodes.get(&node) {
            return *it;
        }
        let number = self.objects.names.len();
        self.objects.names.push(node.clone());
        self.objects.contents.push(BTreeSet::new());
        self.objects.sources.push(Vec::new());
        self.targets.push(Vec::new());
        self.objects.nodes.insert(node, number);
        number
    }

    pub(super) fn kinds_of(&self, ty: Option<Ty>) -> Kinds {
        ty.map_or(Kinds::ALL, |it| kinds(it, &|it| self.program.is_parameter(it)))
    }

    pub(super) fn edge(&mut self, from: &Node, to: &Node, kinds: Kinds) {
        if kinds.is_none() || from == to {
            return;
        }
        let (from, to) = (self.node(from.clone()), self.node(to.clone()));
        if self.edges.insert((from, to, kinds)) {
            self.targets[from].push((to, kinds));
            self.objects.sources[to].push(from);
            self.open.insert(from);
        }
    }

    pub(super) fn add(&mut self, node: &Node, thing: Thing) {
        let number = self.node(node.clone());
        if self.objects.contents[number].insert(thing) {
            self.open.insert(number);
        }
    }

    pub(super) fn propagate(&mut self) {
        while let Some(from) = self.open.pop_first() {
            for (to, kinds) in self.targets[from].clone() {
                let new: Vec<Thing> = self.objects.contents[from]
                    .iter()
                    .filter(|it| it.kind().meets(kinds) && !self.objects.contents[to].contains(*it))
                    .cloned()
                    .collect();
                if !new.is_empty() {
                    self.objects.contents[to].extend(new);
                    self.open.insert(to);
                }
            }
        }
    }

    /// An operand goes into a node whose type allows these kinds.
    pub(super) fn flows(&mut self, id: FunctionId, from: &Operand, into: &Node, kinds: Kinds) {
        let function = self.program.function(id);
        match from {
            Operand::Place(place) => {
                let ty = function.type_of(place);
                let kinds = self.kinds_of(ty).and(kinds);
                let node = node_of(self.program, id, place);
                self.edge(&node, into, kinds);
                // What is put there comes back.
                if ty.is_some_and(|it| it.is_exclusive() && !it.referent().is_some_and(is_end)) {
                    self.edge(into, &node, kinds);
                }
            }
            Operand::Constant(text) => {
                if let Some(name) = self.program.static_of(from) {
                    self.edge(&Node::Static(name.to_owned()), into, kinds);
                } else if kinds.meets(Kinds::CODE) {
                    self.constant(text, into);
                }
            }
        }
    }

    pub(super) fn constant(&mut self, text: &str, into: &Node) {
        let text = text.strip_prefix("ZeroSized: ").unwrap_or(text);
        if text.starts_with(['"', '{']) || text.starts_with(|it: char| it.is_ascii_digit()) {
            if let Some(body) = self.program.body_written(text) {
                self.add(into, Thing::Code(body));
            }
            return;
        }
        if let Some(body) = self.program.function_named(text) {
            self.add(into, Thing::Code(body));
        } else {
            let path = canonical(text);
            if last(&path).starts_with(|it: char| it.is_uppercase()) && path.contains("::") {
                let mut names: Vec<&str> = path.rsplit("::").take(2).collect();
                names.reverse();
                self.add(into, Thing::Constructor(names.join("::")));
            }
        }
    }

    pub(super) fn assigned(&mut self, id: FunctionId, into: &Place, value: &Rvalue) {
        let function = self.program.function(id);
        let to = node_of(self.program, id, into);
        let kinds = self.kinds_of(function.type_of(into));
        match value {
            Rvalue::Use(from) => self.flows(id, from, &to, kinds),
            Rvalue::Cast(from, ty) => {
                let kinds = kinds.or(self.kinds_of(Some(*ty)));
                self.flows(id, from, &to, kinds);
            }
            Rvalue::Reference(of, mutable) => {
                let from = node_of(self.program, id, of);
                let ty = function.type_of(of);
                let kinds = kinds.and(self.kinds_of(ty));
                self.edge(&from, &to, kinds);
                if *mutable && !ty.is_some_and(is_end) {
                    self.edge(&to, &from, kinds);
                }
            }
            Rvalue::Discriminant(_) => {}
            Rvalue::Made(_, parts) => self.made(id, into, &to, kinds, value, parts),
        }
    }

    pub(super) fn made(
        &mut self,
        id: FunctionId,
        into: &Place,
        to: &Node,
        kinds: Kinds,
        value: &Rvalue,
        parts: &[Operand],
    ) {
        let function = self.program.function(id);
        let ty = function.type_of(into).unwrap_or_default();
        if value.body().is_some() {
            if let Some((body, _)) = self.program.body_made(function, into, value) {
                self.add(to, Thing::Code(body));
                for (number, part) in (0..).zip(parts) {
                    self.flows(id, part, &Node::Captured(body, number), Kinds::ALL);
                }
            }
            return;
        }
        let of = ty.name().to_owned();
        if value.elements().is_some() || !self.program.knows_type(&of) {
            for part in parts {
                self.flows(id, part, to, kinds);
            }
            return;
        }
        let variant = value.constructed().map(|it| it.0.name()).filter(|it| *it != of);
        let made = variant.map_or_else(|| of.clone(), |it| format!("{of}::{it}"));
        for (number, part) in (0..).zip(parts) {
            if let Some(ty) = part.place().and_then(|it| function.type_of(it)) {
                self.objects.fields.entry(made.clone()).or_default().entry(number).or_insert(ty);
            }
            self.objects.filled.entry((made.clone(), number)).or_default().insert(id);
            self.flows(id, part, &Node::Field(made.clone(), number), Kinds::ALL);
        }
    }

    /// What callers that are not known may give.
    pub(super) fn given_from_outside(&mut self) {
        for (id, function) in self.program.functions().filter(|(_, it)| it.kind == Kind::Function) {
            let name = last(&function.body.name).to_owned();
            // What makes a variant of its arguments has a body, too.
            let makes = name.starts_with(|it: char| it.is_uppercase());
            let is_open = self.program.is_public(&name) && self.program.is_open(id);
            if makes || self.called.contains(&id) && !is_open {
                continue;
            }
            for number in 1..=function.body.arguments as u32 {
                let ty = function.body.type_of(Local(number));
                let kinds = kinds(ty, &|_| false);
                if kinds.is_none() || kinds == Kinds::ALL || kinds == Kinds::CODE {
                    continue;
                }
                let is_own = self.program.knows_type(peeled(ty).name());
                if !is_own {
                    self.add(&Node::Slot(id, Slot::of(Local(number))), Thing::Foreign(id, number, kinds));
                }
            }
        }
    }

    pub(super) fn things(&self, node: &Node) -> Vec<Thing> {
        self.objects.in_node(node).iter().cloned().collect()
    }
}
