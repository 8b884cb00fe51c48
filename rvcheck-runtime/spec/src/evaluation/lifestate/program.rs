//! A cone as what a search runs: callbacks as steps that move machines. What belongs to values that can be exchanged for each other is
//! said once, and how many of these values there are.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::evaluation::lifestate::cone::{Cone, Goal, Grounding};
use crate::evaluation::lifestate::ground::{Encoded, Ground, with_any};
use crate::evaluation::lifestate::values::Number;
use crate::language::lifestate::Sign;

/// Where an instance or a message is: in what all share, or in what belongs to one value of a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Place {
    Shared(usize),
    /// The number of the class, and the place in what belongs to each of its values.
    Own(usize, usize),
}

/// An instance of a machine.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Instance {
    pub(crate) machine: usize,
    pub(crate) applies_to: Vec<(Place, Sign)>,
}

/// What one message of a callback does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Step {
    /// What is asked before it.
    pub(crate) asks: Option<Ask>,
    /// The instances that it moves, and by which letters. All others that are not inert take the letter of matching nothing.
    pub(crate) moves: Vec<(Place, u16)>,
}

/// What is asked before a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Ask {
    /// Whether this message from the library is permitted: else the word is none of the model's.
    Permitted(Place),
    /// Whether the message that everything is about is prohibited.
    Target,
    /// Nothing: this is what is searched for, whatever the rules say. The library refuses the message, or it has only to be reached.
    Goal,
}

/// A callback.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Callback {
    pub(crate) steps: Vec<Step>,
    /// How many recorded callbacks it is: a poll comes behind those of its task that do nothing.
    pub(crate) count: u32,
    /// The task whose poll it is, and its place among the polls of that; 0 is the only task where the callback belongs to a value.
    pub(crate) poll: Option<(usize, u32)>,
}

/// What belongs to each value of a class.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Class {
    /// How many values there are.
    pub(crate) size: usize,
    pub(crate) instances: Vec<Instance>,
    pub(crate) messages: usize,
    pub(crate) blocks: Vec<Callback>,
}

/// See the module. Programs of messages that are the same but for their values are equal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Program {
    pub(crate) instances: Vec<Instance>,
    /// How many messages have a state: the one that has to be prohibited is the first one, if there is one.
    pub(crate) messages: usize,
    pub(crate) blocks: Vec<Callback>,
    /// How many tasks have polls that come in their order.
    pub(crate) tasks: usize,
    pub(crate) classes: Vec<Class>,
}

/// Which callbacks of the ground the blocks of a program are: those that all share, and by class, value and block those of the values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Who {
    pub(crate) shared: Vec<Vec<usize>>,
    pub(crate) own: Vec<Vec<Vec<Vec<usize>>>>,
}

/// What belongs to one value: by what tells these things apart, their places in the cone.
#[derive(Default)]
struct Module {
    instances: BTreeMap<(usize, Vec<Number>), usize>,
    messages: BTreeMap<(usize, Vec<Number>), usize>,
    /// The polls in their order, and before them the others.
    blocks: BTreeMap<Encoded, usize>,
}

/// The program of a cone.
pub(crate) fn program(grounding: &Grounding<'_>, cone: &Cone) -> (Program, Who) {
    modules(grounding, cone)
        .and_then(|modules| written(grounding, cone, &modules))
        .or_else(|| plain(grounding, cone))
        .unwrap_or_else(|| {
            (
                Program {
                    instances: Vec::new(),
                    messages: 0,
                    blocks: Vec::new(),
                    tasks: 0,
                    classes: Vec::new(),
                },
                Who::default(),
            )
        })
}

/// The program of a cone in which no values are exchanged.
pub(crate) fn plain(grounding: &Grounding<'_>, cone: &Cone) -> Option<(Program, Who)> {
    written(grounding, cone, &[])
}

/// By class: what belongs to each of its values. `None` where something belongs to two of them, or moves by itself.
fn modules(grounding: &Grounding<'_>, cone: &Cone) -> Option<Vec<Vec<Module>>> {
    let ground = &grounding.ground;
    let can_be_exchanged =
        cone.instances.iter().all(|it| grounding.is_inert(it.machine) && !grounding.is_conflict(it.machine));
    if !can_be_exchanged || ground.classes.is_empty() {
        return None;
    }
    // The value that everything is about is exchanged for none.
    let apart = match cone.goal {
        Goal::Prohibited(message) => ground.member(&ground.messages[message].values),
        Goal::Reached { block, .. } => ground.member(&ground.values(block)),
    };
    let apart = apart.map(|it| it.1);
    let member = |values: &[Number]| -> Result<Option<(usize, Number)>, ()> {
        let mut found = None;
        for value in values.iter().filter(|it| Some(**it) != apart) {
            if let Some(class) = ground.classes.get(value) {
                match found {
                    None => found = Some((*class, *value)),
                    Some((_, known)) if known == *value => {}
                    Some(_) => return Err(()),
                }
            }
        }
        Ok(found)
    };
    let mut modules: BTreeMap<usize, BTreeMap<Number, Module>> = BTreeMap::new();
    for (place, instance) in cone.instances.iter().enumerate() {
        if let Some((class, value)) = member(&instance.binding).ok()? {
            let module = modules.entry(class).or_default().entry(value).or_default();
            module.instances.insert((instance.machine, with_any(&instance.binding, value)), place);
        }
    }
    let shape = |message: usize| {
        let sent = &ground.messages[message];
        // The head tells messages apart, and the others have no values.
        sent.head.map_or(0, |it| it + 1) * 8 + (sent.kind as usize) * 2 + usize::from(sent.refused)
    };
    for (place, message) in cone.messages.iter().enumerate() {
        let values = &ground.messages[*message].values;
        if let Some((class, value)) = member(values).ok()? {
            let module = modules.entry(class).or_default().entry(value).or_default();
            module.messages.insert((shape(*message), with_any(values, value)), place);
        }
    }
    for block in &cone.blocks {
        let messages = &ground.blocks[*block];
        if let Some((class, value)) = member(&ground.values(*block)).ok()? {
            let link = ground.links[*block];
            if link.is_some_and(|it| it.task != value) {
                return None;
            }
            let encoded =
                messages.iter().map(|it| (shape(*it), with_any(&ground.messages[*it].values, value)));
            let module = modules.entry(class).or_default().entry(value).or_default();
            module.blocks.insert((link.map(|it| it.with_any(value)), encoded.collect()), *block);
        }
    }
    let modules: Vec<Vec<Module>> = modules.into_values().map(|it| it.into_values().collect()).collect();
    // What is said of one value holds for the others.
    let is_like = |a: &Module, b: &Module| {
        a.instances.keys().eq(b.instances.keys())
            && a.messages.keys().eq(b.messages.keys())
            && a.blocks.keys().eq(b.blocks.keys())
    };
    let alike = modules.iter().all(|it| it.iter().all(|module| is_like(module, &it[0])));
    (alike && !modules.is_empty()).then_some(modules)
}

/// The program where these things belong to values. `None` where the first value of a class would not tell what the others do.
fn written(grounding: &Grounding<'_>, cone: &Cone, modules: &[Vec<Module>]) -> Option<(Program, Who)> {
    let ground = &grounding.ground;
    let first = || modules.iter().enumerate().filter_map(|(class, it)| Some((class, it.first()?)));
    let mut instances: HashMap<usize, Place> = HashMap::new();
    let mut messages: HashMap<usize, Place> = HashMap::new();
    let (mut of_others, mut own_blocks) = (HashSet::new(), HashSet::new());
    let (mut owners, mut owners_of_messages) = (HashMap::new(), HashMap::new());
    for (class, all) in modules.iter().enumerate() {
        for (number, module) in all.iter().enumerate() {
            for (at, place) in module.instances.values().enumerate() {
                instances.insert(*place, Place::Own(class, at));
                owners.insert(*place, (class, number));
                if number > 0 {
                    of_others.insert(*place);
                }
            }
            for (at, place) in module.messages.values().enumerate() {
                messages.insert(*place, Place::Own(class, at));
                owners_of_messages.insert(*place, (class, number));
            }
            own_blocks.extend(module.blocks.values().copied());
        }
    }
    // What belongs to a value says nothing of what belongs to another one.
    let says_of_others = |(place, owner): (&usize, &(usize, usize))| {
        let mut said = cone.instances[*place].applies_to.iter().map(|it| owners_of_messages.get(&it.0));
        said.any(|it| it.is_some_and(|it| it != owner))
    };
    if owners.iter().any(says_of_others) {
        return None;
    }
    let mut shared = Vec::new();
    for place in 0..cone.instances.len() {
        instances.entry(place).or_insert_with(|| {
            shared.push(place);
            Place::Shared(shared.len() - 1)
        });
    }
    let mut count = 0;
    for place in 0..cone.messages.len() {
        messages.entry(place).or_insert_with(|| {
            count += 1;
            Place::Shared(count - 1)
        });
    }
    let instance = |place: usize| {
        let instance = &cone.instances[place];
        let mut applies_to: Vec<(Place, Sign)> = Vec::new();
        for (message, sign) in &instance.applies_to {
            let to = (messages[message], *sign);
            if !applies_to.contains(&to) {
                applies_to.push(to);
            }
        }
        Instance { machine: instance.machine, applies_to }
    };
    let is_said: HashSet<usize> =
        cone.instances.iter().flat_map(|it| &it.applies_to).map(|it| it.0).collect();
    let has_conflicts = cone.instances.iter().any(|it| grounding.is_conflict(it.machine));
    let is_busy = cone.instances.iter().any(|it| !grounding.is_inert(it.machine));
    let steps = |block: usize| -> Vec<Step> {
        let mut steps = Vec::new();
        for (at, message) in ground.blocks[block].iter().enumerate() {
            let sent = &ground.messages[*message];
            let asks = if cone.goal == (Goal::Reached { block, at }) {
                Some(Ask::Goal)
            } else if cone.goal == Goal::Prohibited(*message) {
                Some(if sent.refused { Ask::Goal } else { Ask::Target })
            } else if sent.kind.is_back() {
                let place = cone.message_places[message];
                // What nothing can take away or give back needs no question.
                (has_conflicts || is_said.contains(&place)).then(|| Ask::Permitted(messages[&place]))
            } else {
                None
            };
            let moves: Vec<(Place, u16)> =
                cone.moves[message].iter().map(|(instance, letter)| (instances[instance], *letter)).collect();
            if is_busy || asks.is_some() || !moves.is_empty() {
                steps.push(Step { asks, moves });
            }
        }
        steps
    };
    // A callback that all share moves no value's own things, and that of a value only its own.
    let moves_others = |block: &usize| {
        ground.blocks[*block].iter().flat_map(|it| &cone.moves[it]).any(|(it, _)| of_others.contains(it))
    };
    let is_own = |block: &usize| own_blocks.contains(block);
    let shared_moves_own = cone.blocks.iter().filter(|it| !is_own(it)).any(|block| {
        steps(*block).iter().flat_map(|it| &it.moves).any(|(it, _)| matches!(it, Place::Own(..)))
    });
    if shared_moves_own || first().any(|(_, it)| it.blocks.values().any(moves_others)) {
        return None;
    }
    let mut who = Who::default();
    let shared_blocks = cone.blocks.iter().copied().filter(|it| !is_own(it));
    let Listed { callbacks: blocks, tasks, which } = listed(ground, shared_blocks, steps);
    who.shared = which.iter().map(|it| it.iter().map(|(_, block)| *block).collect()).collect();
    let mut classes = Vec::new();
    for (class, module) in first() {
        let all = &modules[class];
        let Listed { callbacks: blocks, which, .. } = listed(ground, module.blocks.values().copied(), steps);
        let of_module = |it: &Module| {
            let recorded: Vec<usize> = it.blocks.values().copied().collect();
            which.iter().map(|it| it.iter().map(|(at, _)| recorded[*at]).collect()).collect()
        };
        who.own.push(all.iter().map(of_module).collect());
        classes.push(Class {
            size: all.len(),
            instances: module.instances.values().map(|it| instance(*it)).collect(),
            messages: module.messages.len(),
            blocks,
        });
    }
    let instances = shared.iter().map(|it| instance(*it)).collect();
    Some((Program { instances, messages: count, blocks, tasks, classes }, who))
}

/// Where a callback is: its place in a list, and in the ground.
type Origin = (usize, usize);

/// The different callbacks of a list that do something.
struct Listed {
    callbacks: Vec<Callback>,
    /// Of how many tasks they are polls.
    tasks: usize,
    /// Which recorded ones each is: polls that do nothing come with the next one of their task that does.
    which: Vec<Vec<Origin>>,
}

/// A task whose polls are listed.
struct Task {
    number: usize,
    /// How many of its polls do something.
    polls: u32,
    /// Those that do nothing, since the last one that did.
    idle: Vec<Origin>,
}

fn listed(ground: &Ground, of: impl Iterator<Item = usize>, steps: impl Fn(usize) -> Vec<Step>) -> Listed {
    let (mut callbacks, mut which) = (Vec::new(), Vec::new());
    let mut seen: HashSet<Vec<Step>> = HashSet::new();
    let mut tasks: HashMap<Number, Task> = HashMap::new();
    for (at, block) in of.enumerate() {
        let steps = steps(block);
        let Some(link) = ground.links[block] else {
            if !steps.is_empty() && seen.insert(steps.clone()) {
                callbacks.push(Callback { steps, count: 1, poll: None });
                which.push(vec![(at, block)]);
            }
            continue;
        };
        let number = tasks.len();
        let task = tasks.entry(link.task).or_insert(Task { number, polls: 0, idle: Vec::new() });
        task.idle.push((at, block));
        if !steps.is_empty() {
            let all = std::mem::take(&mut task.idle);
            callbacks.push(Callback {
                steps,
                count: all.len() as u32,
                poll: Some((task.number, task.polls)),
            });
            which.push(all);
            task.polls += 1;
        }
    }
    Listed { callbacks, tasks: tasks.len(), which }
}
