//! The top-level callbacks of a trace, each with all messages between its beginning and its end.

use std::collections::{BTreeMap, HashMap};

use rvcheck_event::event::Event;
use rvcheck_event::id::{StringId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::EventKind;
use rvcheck_event::value::Value;

use crate::evaluation::lifestate::message::{Message, values};
use crate::evaluation::lifestate::overlap::{Overlap, Span, overlap, overlapping};
use crate::evaluation::lifestate::reader::Reader;
use crate::evaluation::lifestate::values::{ABSENT, Number};
use crate::language::lifestate::Kind;
use crate::model::automaton::Scope;
use crate::model::crossing::crossing;
use crate::model::lifestate::Lifestate;
use crate::semantics::facts::Facts;

/// A message, the same for all events that have the same name and values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ground {
    kind: Kind,
    refused: bool,
    head: Option<usize>,
    /// What tells messages of which no rule speaks apart.
    name: StringId,
    values: Box<[Number]>,
}

impl Ground {
    /// The message.
    pub fn message(&self) -> Message<'_> {
        Message { kind: self.kind, refused: self.refused, head: self.head, values: &self.values }
    }
}

/// A message of a callback, as it was recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The place of what it is.
    pub ground: usize,
    /// The event.
    pub event: Event,
    /// Its values.
    pub arguments: Vec<Value>,
}

/// A top-level callback.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its messages, the call of the callback first. The last one is its return, where that was recorded.
    pub messages: Vec<Recorded>,
    /// The task whose poll it is: its polls come once each, in their order.
    pub task: Option<Number>,
}

/// The callbacks of one unit, by when they began.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Blocks {
    /// The different messages.
    pub grounds: Vec<Ground>,
    /// The callbacks.
    pub blocks: Vec<Block>,
    /// How many messages are outside of them.
    pub outside: u64,
    /// Two polls that overlap and could matter to each other, where there are such: what one does in the midst of the other one is in no order of whole
    /// polls.
    pub overlap: Option<Overlap>,
    /// The polls during which another task was polled, where there is such an overlap.
    pub(crate) overlapping: Vec<usize>,
}

impl Blocks {
    /// The same with each message of the polls that overlap as a poll of its own: what another task does can come in between.
    pub fn in_pieces(&self) -> Blocks {
        let mut is_cut = vec![false; self.blocks.len()];
        self.overlapping.iter().for_each(|it| is_cut[*it] = true);
        let pieces = |(block, is_cut): (&Block, bool)| -> Vec<Block> {
            if !is_cut {
                return vec![block.clone()];
            }
            let messages = block.messages.iter().cloned();
            messages.map(|it| Block { messages: vec![it], task: block.task }).collect()
        };
        Blocks {
            grounds: self.grounds.clone(),
            blocks: self.blocks.iter().zip(is_cut).flat_map(pieces).collect(),
            outside: self.outside,
            overlap: None,
            overlapping: Vec::new(),
        }
    }
}

/// Who runs: a thread, or a task where that is known.
type Runner = (ThreadId, TaskId);

/// Marks the numbers of those who send the messages of steps among those of values.
const SENDERS: Number = 1 << 30;

/// What runs in the library's or the program's code, the innermost last.
#[derive(Clone, Debug, Default)]
struct Stack {
    callbacks: Vec<StringId>,
    block: usize,
}

/// Cuts a trace into callbacks, event by event.
#[derive(Clone, Debug)]
pub struct Cutter<'a> {
    lifestate: &'a Lifestate,
    reader: Reader,
    units: BTreeMap<UnitId, Cut>,
    /// By number of a name: that of the path in it.
    paths: HashMap<String, u32>,
    /// Each message is a block of its own.
    into_steps: bool,
}

#[derive(Clone, Debug, Default)]
struct Cut {
    blocks: Blocks,
    places: HashMap<Ground, usize>,
    stacks: HashMap<Runner, Stack>,
    /// How many messages there were.
    length: u64,
    /// By callback: from which message to which.
    spans: Vec<Span>,
}

impl Cut {
    /// The library has refused this call, which was made in the callback that runs there.
    fn refuse(&mut self, runner: Runner, call: &Message<'_>) {
        let Cut { blocks: Blocks { grounds, blocks, .. }, places, stacks, .. } = self;
        let Some(stack) = stacks.get(&runner).filter(|it| !it.callbacks.is_empty()) else { return };
        let made = blocks[stack.block].messages.iter_mut().rev().find(|it| {
            let message = grounds[it.ground].message();
            let is_it = (message.kind, message.head, message.values) == (call.kind, call.head, call.values);
            is_it && !message.refused
        });
        if let Some(made) = made {
            let ground = Ground { refused: true, ..grounds[made.ground].clone() };
            let fresh = grounds.len();
            made.ground = *places.entry(ground.clone()).or_insert(fresh);
            if made.ground == fresh {
                grounds.push(ground);
            }
        }
    }
}

impl<'a> Cutter<'a> {
    /// Before any event.
    pub fn new(lifestate: &'a Lifestate) -> Cutter<'a> {
        let reader = Reader::new(lifestate);
        Cutter { lifestate, reader, units: BTreeMap::new(), paths: HashMap::new(), into_steps: false }
    }

    /// Before any event of a trace that is cut into its messages, as if each were a poll of whoever has sent it: what can only be done
    /// once, and behind what the same task or thread has done before.
    pub fn into_steps(lifestate: &'a Lifestate) -> Cutter<'a> {
        Cutter { into_steps: true, ..Cutter::new(lifestate) }
    }

    /// Takes an event. The unit, where it is a message of a block.
    pub fn step<F: Facts>(&mut self, event: &Event, facts: &F) -> Option<UnitId> {
        let Cutter { lifestate, reader, units, paths, into_steps } = self;
        let is_message = reader.read(lifestate, event, facts);
        if !is_message && !reader.read_refusal(lifestate, event, facts) {
            return None;
        }
        let unit = if lifestate.scope == Scope::Process { UnitId::PROCESS } else { event.unit };
        let cut = units.entry(unit).or_default();
        let message = reader.message();
        if !is_message {
            cut.refuse((event.thread, event.task), &message);
            return None;
        }
        cut.length += 1;
        // Names of built-in messages are told apart by their heads.
        let is_own = event.kind == EventKind::User;
        let name = if is_own { StringId(event.object) } else { StringId(0) };
        let path = match crossing(event.kind) {
            Some(crossing) => crossing.path,
            None => facts.text(name).and_then(Kind::of_event).map_or("", |it| it.1),
        };
        let next = paths.len() as u32;
        let path = match paths.get(path) {
            Some(path) => StringId(*path),
            None => StringId(*paths.entry(path.to_owned()).or_insert(next)),
        };
        let stack = cut.stacks.entry((event.thread, event.task)).or_default();
        if *into_steps {
            stack.block = cut.blocks.blocks.len();
            let task = Some(SENDERS | if event.task.is_some() { event.task.0 } else { event.thread.0 });
            cut.blocks.blocks.push(Block { messages: Vec::new(), task });
            cut.spans.push(Span { begin: cut.length, end: cut.length });
        } else if message.kind == Kind::Callback {
            if stack.callbacks.is_empty() {
                stack.block = cut.blocks.blocks.len();
                let task = message
                    .values
                    .first()
                    .copied()
                    .filter(|it| event.kind == EventKind::Poll && *it != ABSENT);
                cut.blocks.blocks.push(Block { messages: Vec::new(), task });
                cut.spans.push(Span { begin: cut.length, end: u64::MAX });
            }
            stack.callbacks.push(path);
        }
        // The return of a callback that nobody has called is none of any callback.
        let returns = message.kind == Kind::CallbackReturn;
        let called = stack.callbacks.iter().rposition(|it| *it == path);
        if !*into_steps && (stack.callbacks.is_empty() || returns && called.is_none()) {
            cut.blocks.outside += 1;
            return None;
        }
        let ground = Ground {
            kind: message.kind,
            refused: message.refused,
            head: message.head,
            name,
            values: message.values.into(),
        };
        let fresh = cut.blocks.grounds.len();
        let place = match cut.places.get(&ground) {
            Some(place) => *place,
            None => {
                cut.blocks.grounds.push(ground.clone());
                *cut.places.entry(ground).or_insert(fresh)
            }
        };
        let recorded = Recorded { ground: place, event: *event, arguments: values(event, facts) };
        cut.blocks.blocks[stack.block].messages.push(recorded);
        if returns && let Some(called) = called {
            // What it has called has returned before it, though nobody has seen that.
            stack.callbacks.truncate(called);
            if stack.callbacks.is_empty() {
                cut.spans[stack.block].end = cut.length;
            }
        }
        Some(unit)
    }

    /// The callbacks of each unit.
    pub fn finish(self) -> Vec<(UnitId, Blocks)> {
        let lifestate = self.lifestate;
        let finished = |mut it: Cut| {
            it.blocks.overlap = overlap(lifestate, &it.blocks, &it.spans);
            if it.blocks.overlap.is_some() {
                it.blocks.overlapping = overlapping(&it.blocks, &it.spans);
            }
            it.blocks
        };
        self.units.into_iter().map(|(unit, it)| (unit, finished(it))).collect()
    }
}
