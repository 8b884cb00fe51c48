//! Polls that overlap in a trace and share an object, or could matter to each other otherwise. A word of callbacks has each of them as a whole, so it says nothing of what one does
//! in the midst of the other one.

use std::collections::{BTreeMap, BTreeSet};

use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;

use crate::evaluation::lifestate::blocks::{Blocks, Recorded};
use crate::evaluation::lifestate::cone::is_inert;
use crate::evaluation::lifestate::message::Message;
use crate::evaluation::lifestate::values::Number;
use crate::model::lifestate::{Lifestate, Pattern, Rule, Wanted};

/// From which message of a unit to which.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Span {
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

/// Two polls of different tasks, one of which began before the other one was over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overlap {
    /// The places of the polls, the earlier one first.
    pub blocks: (usize, usize),
    /// What messages of both have; absent where rules relate messages that share nothing.
    pub object: Value,
}

/// The first such polls of a unit. `spans` are those of its callbacks. Where rules are not local, polls need to share nothing.
pub(crate) fn overlap(lifestate: &Lifestate, blocks: &Blocks, spans: &[Span]) -> Option<Overlap> {
    let polls = || blocks.blocks.iter().enumerate().filter(|(_, it)| it.task.is_some());
    // By object: the polls that have it, in the order in which they began.
    let mut by_object: BTreeMap<Number, (Value, Vec<usize>)> = BTreeMap::new();
    for (place, block) in polls() {
        for recorded in &block.messages {
            for (number, object) in objects(recorded, blocks.grounds[recorded.ground].message()) {
                let of_object = &mut by_object.entry(number).or_insert_with(|| (object, Vec::new())).1;
                if of_object.last() != Some(&place) {
                    of_object.push(place);
                }
            }
        }
    }
    first(blocks, spans, by_object.into_values()).or_else(|| {
        let all = || (Value::Absent, polls().map(|it| it.0).collect());
        if is_local(lifestate) { None } else { first(blocks, spans, std::iter::once_with(all)) }
    })
}

/// The first polls of different tasks that overlap, both among those of one object. These are in the order in which they began.
fn first(
    blocks: &Blocks,
    spans: &[Span],
    by_object: impl Iterator<Item = (Value, Vec<usize>)>,
) -> Option<Overlap> {
    let mut first: Option<Overlap> = None;
    for (object, polls) in by_object {
        // Of the polls so far, the one that ends last, and the one that ends last of the other tasks.
        let (mut last, mut other): (Option<usize>, Option<usize>) = (None, None);
        for poll in polls {
            let task = blocks.blocks[poll].task;
            let differs = |it: &usize| blocks.blocks[*it].task != task;
            let before = last.filter(differs).or(other.filter(differs));
            if let Some(before) = before.filter(|it| spans[*it].end > spans[poll].begin) {
                let found = Overlap { blocks: (before, poll), object };
                if first.is_none_or(|it| spans[poll] < spans[it.blocks.1]) {
                    first = Some(found);
                }
                break;
            }
            let ends = |it: Option<usize>| it.map_or(0, |it| spans[it].end);
            if ends(last) <= spans[poll].end {
                if last.is_some_and(|it| differs(&it)) {
                    other = last;
                }
                last = Some(poll);
            } else if last.is_some_and(|it| differs(&it)) && ends(other) <= spans[poll].end {
                other = Some(poll);
            }
        }
    }
    first
}

/// Whether messages without a common object have nothing to do with each other: what a rule says of a message rests only on messages with
/// one of its objects. Then it makes no difference in which order they come.
fn is_local(lifestate: &Lifestate) -> bool {
    let is_object = |pattern: &Pattern, variable: usize| {
        let head = &lifestate.heads[pattern.head];
        let results = usize::from(head.kind.is_return());
        let params = EventKind::of_name(&head.path).filter(|_| head.is_built_in);
        let params = params.map_or(&[][..], |it| it.signature().params);
        let is_number = |place: usize| params.get(place).is_some_and(|it| it.1 == Sort::Int);
        let mut values = pattern.values.iter().skip(results).enumerate();
        values.any(|(place, it)| *it == Wanted::Variable(variable) && !is_number(place))
    };
    let has_common = |rule: &Rule| {
        let all = || rule.histories.atoms.iter().chain([&rule.message]);
        let is_common = |variable: &usize| all().all(|it| is_object(it, *variable));
        rule.histories.atoms.is_empty() || rule.message.variables().iter().any(is_common)
    };
    lifestate.conflicts.is_empty()
        && lifestate.rules.iter().all(|it| is_inert(&it.histories.machine, true) && has_common(it))
}

/// The polls of a unit during which another task was polled.
pub(crate) fn overlapping(blocks: &Blocks, spans: &[Span]) -> Vec<usize> {
    let polls = blocks.blocks.iter().enumerate().filter(|(_, it)| it.task.is_some()).map(|it| it.0);
    let mut found = BTreeSet::new();
    // Those that are not over, in the order in which they began.
    let mut open: Vec<usize> = Vec::new();
    for poll in polls {
        open.retain(|it| spans[*it].end > spans[poll].begin);
        for other in open.iter().filter(|it| blocks.blocks[**it].task != blocks.blocks[poll].task) {
            found.extend([*other, poll]);
        }
        open.push(poll);
    }
    found.into_iter().collect()
}

/// The objects of a message. Numbers, texts and the like are such in traces whose functions are the program's own; results are names of variants there.
fn objects<'a>(
    recorded: &'a Recorded,
    message: Message<'a>,
) -> impl Iterator<Item = (Number, Value)> + use<'a> {
    let is_own = recorded.event.kind == EventKind::User;
    let result = usize::from(message.kind.is_return());
    // What no rule speaks of is the same to the model whatever values it has.
    let values = message.values.iter().zip(&recorded.arguments).filter(move |_| message.head.is_some());
    values.enumerate().filter_map(move |(place, (number, value))| match value {
        Value::Object(..) | Value::Group(_) => Some((*number, *value)),
        Value::Int(_) | Value::Bool(_) | Value::Symbol(_) | Value::Str(_) if is_own && place >= result => {
            Some((*number, *value))
        }
        _ => None,
    })
}
