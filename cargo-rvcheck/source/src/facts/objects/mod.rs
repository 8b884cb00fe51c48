//! Objects: channels, flags, tokens, handles, and code that is a value, each by where it is made; and which of them each place can have.
//!
//! Inclusions between places, as in Andersen's analysis of 1994, over all bodies at once: moves, references, fields of structs and variants
//! by their types, captures, arguments, results, payloads of channels, closures that are called and futures that are polled. What calls of
//! closures call is found on the way. A place with one thing has that in all runs, as far as instances are not distinguished.

mod build;
mod calls;
mod inside;
mod kinds;
pub(crate) mod outside;

pub(crate) use self::calls::limited_by_constants;
pub(crate) use self::inside::inside;
pub(crate) use self::kinds::{Capacity, Kinds, is_receiver, is_sender, kinds, peeled};
use crate::body::walk;
use crate::body::{FunctionId, Slot};
use crate::mir::{BlockId, Place};
use crate::program::Program;
use crate::ty::Ty;
use std::collections::{BTreeMap, BTreeSet};

/// A call, by the body and the block that it ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct CallSite {
    /// The body.
    pub(crate) function: FunctionId,
    /// The block.
    pub(crate) block: BlockId,
}

/// A thing that is followed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Thing {
    /// The sending end of the channel that is made there.
    Sender(CallSite),
    /// The receiving end.
    Receiver(CallSite),
    /// The flag that is made there.
    Flag(CallSite),
    /// The atomic number that is made there.
    Number(CallSite),
    /// The `bool` behind a lock that is made there.
    Locked(CallSite),
    /// The token that is made there.
    Token(CallSite),
    /// Permits that are made there.
    Permits(CallSite),
    /// The task or thread that is spawned there.
    Task(CallSite),
    /// A closure, state machine or function of the workspace.
    Code(FunctionId),
    /// A function that makes a struct or variant of its arguments.
    Constructor(String),
    /// Something of these kinds that callers from outside give.
    Foreign(FunctionId, u32, Kinds),
}

impl Thing {
    /// Its kind.
    pub(crate) const fn kind(&self) -> Kinds {
        match self {
            Thing::Sender(_) => Kinds::SENDER,
            Thing::Receiver(_) => Kinds::RECEIVER,
            Thing::Flag(_) => Kinds::FLAG,
            Thing::Number(_) => Kinds::NUMBER,
            Thing::Locked(_) => Kinds::LOCKED,
            Thing::Token(_) => Kinds::TOKEN,
            Thing::Permits(_) => Kinds::PERMITS,
            Thing::Task(_) => Kinds::TASK,
            Thing::Code(_) | Thing::Constructor(_) => Kinds::CODE,
            Thing::Foreign(_, _, kinds) => *kinds,
        }
    }
}

/// Where things can be.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Node {
    /// A local, or what a state machine keeps.
    Slot(FunctionId, Slot),
    /// What a closure or state machine has captured under that number.
    Captured(FunctionId, u32),
    /// A field of a struct or variant, of whichever instance.
    Field(String, u32),
    /// What is sent through the channel that is made there.
    Payload(CallSite),
    /// What the thing that is spawned there gives in the end.
    Result(CallSite),
    /// A static.
    Static(String),
}

/// A task or thread that is spawned.
#[derive(Clone, Debug)]
pub(crate) struct Spawn {
    /// The bodies that it may run.
    pub(crate) roots: BTreeSet<FunctionId>,
    /// What runs it.
    pub(crate) kind: SpawnKind,
}

/// What runs what is spawned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SpawnKind {
    /// An executor polls it.
    Task,
    /// A thread of its own, or of a pool for what blocks.
    Thread,
}

/// The objects of a program.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    nodes: BTreeMap<Node, usize>,
    contents: Vec<BTreeSet<Thing>>,
    /// By node: where its things come from.
    sources: Vec<Vec<usize>>,
    names: Vec<Node>,
    /// How much fits into each channel.
    pub(crate) channels: BTreeMap<CallSite, Capacity>,
    /// The tasks and threads.
    pub(crate) spawns: BTreeMap<CallSite, Spawn>,
    /// By call of a closure or function value, or of a method of a trait: what it may call. Polls of state machines likewise.
    pub(crate) calls: BTreeMap<CallSite, BTreeSet<FunctionId>>,
    /// The types of the fields of structs and variants.
    pub(crate) fields: BTreeMap<String, BTreeMap<u32, Ty>>,
    /// By field of a struct: the bodies that fill it.
    pub(crate) filled: BTreeMap<(String, u32), BTreeSet<FunctionId>>,
}

impl Objects {
    /// Of this program.
    pub(crate) fn of(program: &Program) -> Objects {
        build::build(program)
    }

    /// What a place of a body can have, of the kinds that its type allows.
    pub(crate) fn at(&self, program: &Program, id: FunctionId, place: &Place) -> BTreeSet<Thing> {
        let allowed = program
            .function(id)
            .type_of(place)
            .map_or(Kinds::ALL, |it| kinds(it, &|it| program.is_parameter(it)));
        let node = build::node_of(program, id, place);
        self.in_node(&node).iter().filter(|it| it.kind().meets(allowed)).cloned().collect()
    }

    /// The node of a place.
    #[expect(clippy::unused_self, reason = "nodes belong to the objects")]
    pub(crate) fn node_of(&self, program: &Program, id: FunctionId, place: &Place) -> Node {
        build::node_of(program, id, place)
    }

    /// What is in a node.
    pub(crate) fn in_node(&self, node: &Node) -> &BTreeSet<Thing> {
        static NOTHING: BTreeSet<Thing> = BTreeSet::new();
        self.nodes.get(node).map_or(&NOTHING, |it| &self.contents[*it])
    }

    /// The nodes outside of a body, and its arguments, from which a node of that body has its things.
    pub(crate) fn origins(&self, program: &Program, id: FunctionId, node: &Node) -> BTreeSet<Node> {
        let function = program.function(id);
        let mut found = BTreeSet::new();
        walk::reached(self.nodes.get(node).copied(), |at| {
            let sources = self.sources[at].iter().copied();
            match &self.names[at] {
                Node::Slot(of, slot) if *of == id && !function.is_argument(slot) && sources.len() > 0 => {
                    Some(sources)
                }
                other => {
                    found.insert(other.clone());
                    None
                }
            }
            .into_iter()
            .flatten()
        });
        found
    }
}
