//! The messages of callbacks without what no rule looks at, and the values among them that can be exchanged for each other.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::evaluation::lifestate::binding::unifier;
use crate::evaluation::lifestate::blocks::Blocks;
use crate::evaluation::lifestate::message::Message;
use crate::evaluation::lifestate::values::{ABSENT, Number};
use crate::language::lifestate::Kind;
use crate::model::lifestate::{Histories, Lifestate, Pattern, Wanted};

/// How many different values a callback can have of which it is asked whether they can be exchanged.
const MOST_VALUES: usize = 32;

/// What stands for a value that is exchanged for others.
pub(crate) const ANY_OF_THESE: Number = Number::MAX;

/// A message, as far as the model looks at it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sent {
    pub(crate) kind: Kind,
    pub(crate) refused: bool,
    pub(crate) head: Option<usize>,
    pub(crate) values: Vec<Number>,
}

/// In which order the callbacks of a word can come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Any: polls are callbacks like all others. There are more such words than the program has.
    Free,
    /// The polls of a task come once each, and each behind the earlier ones of that task.
    ByTask,
}

/// The place of a poll among those of its task.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Link {
    pub(crate) task: Number,
    pub(crate) index: usize,
}

/// See the module.
pub(crate) struct Ground {
    /// The different messages.
    pub(crate) messages: Vec<Sent>,
    /// The different callbacks, as the places of their messages.
    pub(crate) blocks: Vec<Vec<usize>>,
    /// The first recorded callback that is like this one.
    pub(crate) stands_for: Vec<usize>,
    /// By recorded callback: which of these it is. `None` where nothing of it matters.
    pub(crate) of_recorded: Vec<Option<usize>>,
    /// By recorded message: which of the messages it is. `None` where no pattern matches it.
    pub(crate) of_message: Vec<Option<usize>>,
    /// Where the callbacks are polls in an order: which of which task.
    pub(crate) links: Vec<Option<Link>>,
    /// By value: the class of values that it can be exchanged with, all of them at once. A callback has values of one class at most, and
    /// of each class one value at most.
    pub(crate) classes: HashMap<Number, usize>,
}

/// The machines of a model: those of the rules, and behind them those of the conflicts.
pub(crate) fn machines(lifestate: &Lifestate) -> impl Iterator<Item = &Histories> {
    let rules = lifestate.rules.iter().map(|it| &it.histories);
    rules.chain(lifestate.conflicts.iter().map(|it| &it.histories))
}

impl Ground {
    /// The messages of these callbacks, where it is so only those that match some pattern.
    pub(crate) fn new(
        lifestate: &Lifestate,
        recorded: &Blocks,
        only_mentioned: bool,
        order: Order,
    ) -> Ground {
        let patterns = || {
            let of_rules = lifestate.rules.iter().map(|it| &it.message);
            machines(lifestate).flat_map(|it| &it.atoms).chain(of_rules)
        };
        let looks = |head: usize, place: usize| {
            patterns().any(|it| it.head == head && it.values.get(place).is_some_and(|it| *it != Wanted::Any))
        };
        let looked_at: Vec<Vec<bool>> = (0..lifestate.heads.len())
            .map(|head| (0..lifestate.heads[head].values).map(|place| looks(head, place)).collect())
            .collect();
        let mut messages: Vec<Sent> = Vec::new();
        let mut places: HashMap<Sent, usize> = HashMap::new();
        let of_message: Vec<Option<usize>> = recorded
            .grounds
            .iter()
            .map(|ground| {
                let message = ground.message();
                let mut values = message.head.map_or_else(Vec::new, |_| message.values.to_vec());
                for (place, value) in values.iter_mut().enumerate() {
                    if message.head.is_some_and(|head| !looked_at[head][place]) {
                        *value = ABSENT;
                    }
                }
                let Message { kind, refused, head, .. } = message;
                let sent = Sent { kind, refused, head, values };
                let matters = |it: &Pattern| Some(it.head) == head && unifier(it, &sent.values).is_some();
                if only_mentioned && !refused && !patterns().any(matters) {
                    return None;
                }
                let next = messages.len();
                let place = *places.entry(sent.clone()).or_insert(next);
                if place == next {
                    messages.push(sent);
                }
                Some(place)
            })
            .collect();
        let (mut blocks, mut stands_for, mut links) = (Vec::new(), Vec::new(), Vec::new());
        let mut lengths: HashMap<Number, usize> = HashMap::new();
        let mut of_recorded = Vec::with_capacity(recorded.blocks.len());
        let mut seen: HashMap<Vec<usize>, usize> = HashMap::new();
        for (place, block) in recorded.blocks.iter().enumerate() {
            let block: Vec<usize> = block.messages.iter().filter_map(|it| of_message[it.ground]).collect();
            let task = recorded.blocks[place].task.filter(|_| order == Order::ByTask);
            let link = task.map(|task| {
                let length = lengths.entry(task).or_insert(0);
                *length += 1;
                Link { task, index: *length - 1 }
            });
            // A poll counts also where nothing of it matters: it has to come in front of the next one.
            let next = blocks.len();
            let known = match link {
                Some(_) => next,
                None if block.is_empty() => {
                    of_recorded.push(None);
                    continue;
                }
                None => *seen.entry(block.clone()).or_insert(next),
            };
            of_recorded.push(Some(known));
            if known == next {
                blocks.push(block);
                stands_for.push(place);
                links.push(link);
            }
        }
        let classes = classes(&messages, &blocks, &links, lifestate.constants.len() as Number);
        Ground { messages, blocks, stands_for, of_recorded, of_message, links, classes }
    }

    /// The values of a callback, and its task.
    pub(crate) fn values(&self, block: usize) -> Vec<Number> {
        let values = self.blocks[block].iter().flat_map(|it| self.messages[*it].values.iter().copied());
        values.chain(self.links[block].map(|it| it.task)).collect()
    }

    /// The value of a class in these, if there is one.
    pub(crate) fn member(&self, values: &[Number]) -> Option<(usize, Number)> {
        values.iter().find_map(|it| Some((*self.classes.get(it)?, *it)))
    }
}

/// The values with one of them as something that stands for any.
pub(crate) fn with_any(values: &[Number], member: Number) -> Vec<Number> {
    values.iter().map(|it| if *it == member { ANY_OF_THESE } else { *it }).collect()
}

impl Link {
    /// The same with a value as something that stands for any.
    pub(crate) fn with_any(self, value: Number) -> Link {
        Link { task: if self.task == value { ANY_OF_THESE } else { self.task }, ..self }
    }
}

/// A callback with one of its values as something that stands for any: which poll it is, what its messages are, and their values.
pub(crate) type Encoded = (Option<Link>, Vec<(usize, Vec<Number>)>);

/// By value: the class of those that it can be exchanged with.
///
/// Two values can be exchanged where the callbacks with one of them are those with the other one in its place. Then no callback has both.
fn classes(
    messages: &[Sent],
    blocks: &[Vec<usize>],
    links: &[Option<Link>],
    constants: Number,
) -> HashMap<Number, usize> {
    let mut signatures: BTreeMap<Number, Vec<Encoded>> = BTreeMap::new();
    let mut shapes: HashMap<(Kind, bool, Option<usize>), usize> = HashMap::new();
    let mut fixed: BTreeSet<Number> = BTreeSet::new();
    let values_of = |block: &[usize], link: &Option<Link>| -> BTreeSet<Number> {
        let values = block.iter().flat_map(|it| messages[*it].values.iter().copied());
        values.chain(link.map(|it| it.task)).filter(|it| *it > constants).collect()
    };
    for (block, link) in blocks.iter().zip(links) {
        let values = values_of(block, link);
        if values.len() > MOST_VALUES {
            fixed.extend(values);
            continue;
        }
        for value in values {
            let encoded = block.iter().map(|it| {
                let sent = &messages[*it];
                let next = shapes.len();
                let shape = *shapes.entry((sent.kind, sent.refused, sent.head)).or_insert(next);
                (shape, with_any(&sent.values, value))
            });
            let link = link.map(|it| it.with_any(value));
            signatures.entry(value).or_default().push((link, encoded.collect()));
        }
    }
    let mut alike: HashMap<Vec<Encoded>, Vec<Number>> = HashMap::new();
    for (value, mut signature) in signatures {
        if !fixed.contains(&value) {
            signature.sort_unstable();
            alike.entry(signature).or_default().push(value);
        }
    }
    let mut groups: Vec<Vec<Number>> = alike.into_values().filter(|it| it.len() > 1).collect();
    groups.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    // Of classes whose values are in one callback together, the largest counts.
    let mut class_of: HashMap<Number, usize> = HashMap::new();
    for (class, group) in groups.iter().enumerate() {
        class_of.extend(group.iter().map(|it| (*it, class)));
    }
    let mut dropped: BTreeSet<usize> = BTreeSet::new();
    for (block, link) in blocks.iter().zip(links) {
        let mut here: Vec<usize> =
            values_of(block, link).iter().filter_map(|it| class_of.get(it).copied()).collect();
        here.sort_unstable();
        here.dedup();
        let first = here.iter().position(|it| !dropped.contains(it));
        dropped.extend(here.iter().skip(first.map_or(0, |it| it + 1)));
    }
    class_of.retain(|_, class| !dropped.contains(class));
    class_of
}
