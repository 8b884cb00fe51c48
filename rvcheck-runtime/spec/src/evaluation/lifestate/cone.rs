//! The part of a model that matters to one question: the bindings and messages that decide whether a message is prohibited, the callbacks
//! that change these, and what has to be permitted for those callbacks.

use std::collections::{HashMap, HashSet};

use crate::evaluation::lifestate::binding::{Binding, FRESH, cut, is_part, joined, mask, unifier};
use crate::evaluation::lifestate::blocks::Blocks;
use crate::evaluation::lifestate::ground::{Ground, Order, machines};
use crate::evaluation::lifestate::values::Number;
use crate::language::lifestate::Sign;
use crate::model::lifestate::{Histories, Lifestate, Machine, Mask, Move, Pattern};

/// How many bindings are told apart by messages that a rule does not say, in one cone.
const MOST_BINDINGS: usize = 1 << 12;

/// How many instances a cone can have.
const MOST_INSTANCES: usize = 1 << 18;

/// A machine under one binding. A variable that is not bound is like a value that no message has.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// The place of the machine: those of the rules come first, then those of the conflicts.
    pub(crate) machine: usize,
    pub(crate) binding: Binding,
    /// Which messages it applies to, as places in the cone, and whether it permits or prohibits them.
    pub(crate) applies_to: Vec<(usize, Sign)>,
}

/// What words are searched for, by places in the ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// Those in which this message is prohibited.
    Prohibited(usize),
    /// Those in which a callback comes, at least as far as to this message of it.
    Reached { block: usize, at: usize },
}

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Cone {
    pub(crate) goal: Goal,
    pub(crate) instances: Vec<Instance>,
    /// The messages that have a state: the one that has to be prohibited is the first one, if there is one.
    pub(crate) messages: Vec<usize>,
    pub(crate) message_places: HashMap<usize, usize>,
    /// The callbacks that matter.
    pub(crate) blocks: Vec<usize>,
    /// By message: the instances that it moves, and by which letters.
    pub(crate) moves: HashMap<usize, Vec<(usize, u16)>>,
}

/// Why there is no cone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLarge;

/// A model over the messages of some callbacks.
pub(crate) struct Grounding<'a> {
    pub(crate) lifestate: &'a Lifestate,
    pub(crate) ground: Ground,
    machines: Vec<&'a Histories>,
    /// By machine and atom: the messages that match it, by the binding.
    matching: Vec<Vec<HashMap<Binding, Vec<usize>>>>,
    /// By machine: messages that match nothing do nothing.
    inert: Vec<bool>,
    /// By message: the callbacks in which it occurs.
    within: Vec<Vec<usize>>,
    /// By task whose polls come in their order: these.
    polls: HashMap<Number, Vec<usize>>,
}

impl<'a> Grounding<'a> {
    pub(crate) fn new(lifestate: &'a Lifestate, recorded: &Blocks, order: Order) -> Grounding<'a> {
        let machines: Vec<&Histories> = machines(lifestate).collect();
        let consistent = lifestate.conflicts.is_empty();
        let inert: Vec<bool> = machines.iter().map(|it| is_inert(&it.machine, consistent)).collect();
        // Where rules contradict each other, nothing is permitted, also what no rule speaks of.
        let only_mentioned = consistent && inert.iter().all(|it| *it);
        let ground = Ground::new(lifestate, recorded, only_mentioned, order);
        let of_atom = |atom: &Pattern| {
            let mut found: HashMap<Binding, Vec<usize>> = HashMap::new();
            for (place, sent) in ground.messages.iter().enumerate() {
                if sent.head == Some(atom.head)
                    && let Some(binding) = unifier(atom, &sent.values)
                {
                    found.entry(binding).or_default().push(place);
                }
            }
            found
        };
        let matching = machines.iter().map(|it| it.atoms.iter().map(of_atom).collect()).collect();
        let mut within: Vec<Vec<usize>> = vec![Vec::new(); ground.messages.len()];
        for (place, block) in ground.blocks.iter().enumerate() {
            for message in block {
                if within[*message].last() != Some(&place) {
                    within[*message].push(place);
                }
            }
        }
        let mut polls: HashMap<Number, Vec<usize>> = HashMap::new();
        for (place, link) in ground.links.iter().enumerate() {
            if let Some(link) = link {
                polls.entry(link.task).or_default().push(place);
            }
        }
        Grounding { lifestate, ground, machines, matching, inert, within, polls }
    }

    pub(crate) fn machine(&self, machine: usize) -> &'a Machine {
        &self.machines[machine].machine
    }

    pub(crate) fn is_inert(&self, machine: usize) -> bool {
        self.inert[machine]
    }

    pub(crate) fn is_conflict(&self, machine: usize) -> bool {
        machine >= self.lifestate.rules.len()
    }

    /// What matters to a goal.
    pub(crate) fn cone(&self, goal: Goal) -> Result<Cone, TooLarge> {
        let cone = Cone {
            goal,
            instances: Vec::new(),
            messages: Vec::new(),
            message_places: HashMap::new(),
            blocks: Vec::new(),
            moves: HashMap::new(),
        };
        let mut build = Build {
            grounding: self,
            cone,
            places: HashMap::new(),
            open_messages: Vec::new(),
            is_in: vec![false; self.ground.blocks.len()],
        };
        if let Goal::Prohibited(message) = goal {
            build.message(message);
        }
        let first = self.lifestate.rules.len();
        for conflict in first..self.machines.len() {
            for binding in self.bindings(conflict, &FRESH)? {
                build.instance(conflict, binding)?;
            }
        }
        match goal {
            Goal::Prohibited(message) => self.within[message].iter().for_each(|it| build.block(*it)),
            Goal::Reached { block, .. } => build.block(block),
        }
        let mut seen = 0;
        loop {
            while let Some(message) = build.open_messages.pop() {
                build.rules_of(message)?;
            }
            if seen == build.cone.instances.len() {
                return Ok(build.finish());
            }
            build.blocks_that_move(seen);
            seen += 1;
        }
    }

    /// The bindings that messages tell apart and that agree with this one, itself included.
    fn bindings(&self, machine: usize, with: &Binding) -> Result<Vec<Binding>, TooLarge> {
        if mask(with).count_ones() as usize == self.machines[machine].variables {
            return Ok(vec![*with]);
        }
        let atoms = self.matching[machine].iter().flat_map(|it| it.keys().copied());
        let mut parts: Vec<Binding> = atoms.filter(|it| mask(it) != 0).collect();
        parts.sort_unstable();
        parts.dedup();
        let mut known: HashSet<Binding> = HashSet::from([*with]);
        let mut all = vec![*with];
        let mut at = 0;
        while let Some(binding) = all.get(at).copied() {
            at += 1;
            for part in &parts {
                if let Some(both) = joined(&binding, part)
                    && known.insert(both)
                {
                    all.push(both);
                }
            }
            if all.len() > MOST_BINDINGS {
                return Err(TooLarge);
            }
        }
        Ok(all)
    }

    /// The messages that match atoms of a machine under a binding.
    fn moving(&self, machine: usize, binding: &Binding) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        for (atom, matching) in self.machines[machine].atoms.iter().zip(&self.matching[machine]) {
            let mut key = FRESH;
            for variable in atom.variables() {
                key[variable] = binding[variable];
            }
            found.extend(matching.get(&key).into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The letter of a message for a machine under a binding.
    fn letter(&self, machine: usize, binding: &Binding, message: usize) -> usize {
        let histories = self.machines[machine];
        let sent = &self.ground.messages[message];
        let mut mask: Mask = 0;
        for (place, atom) in histories.atoms.iter().enumerate().filter(|(_, it)| Some(it.head) == sent.head) {
            if unifier(atom, &sent.values).is_some_and(|it| is_part(&it, binding)) {
                mask |= 1 << place;
            }
        }
        histories.machine.letter(mask)
    }
}

/// Whether messages that match no atom change nothing: no state, and nothing that the state has said before. `consistent` is whether rules
/// never contradict each other, so that what one says holds until another one says something else.
pub(crate) fn is_inert(machine: &Machine, consistent: bool) -> bool {
    (0..machine.states() as u32).all(|state| {
        let idle = machine.next(state, 0);
        let enters = |it: &&Move| it.to == state;
        let repeats = consistent
            && machine.moves.iter().filter(enters).all(|it| it.accepts)
            && (state != Machine::INITIAL || machine.accepts_empty);
        idle.to == state && (!idle.accepts || repeats)
    })
}

struct Build<'a, 'g> {
    grounding: &'g Grounding<'a>,
    cone: Cone,
    places: HashMap<(usize, Binding), usize>,
    open_messages: Vec<usize>,
    is_in: Vec<bool>,
}

impl Build<'_, '_> {
    /// The state of a message matters.
    fn message(&mut self, message: usize) {
        let next = self.cone.messages.len();
        if *self.cone.message_places.entry(message).or_insert(next) == next {
            self.cone.messages.push(message);
            self.open_messages.push(message);
        }
    }

    fn instance(&mut self, machine: usize, binding: Binding) -> Result<usize, TooLarge> {
        let next = self.cone.instances.len();
        let place = *self.places.entry((machine, binding)).or_insert(next);
        if place == next {
            if next >= MOST_INSTANCES {
                return Err(TooLarge);
            }
            self.cone.instances.push(Instance { machine, binding, applies_to: Vec::new() });
        }
        Ok(place)
    }

    /// The rules that apply to a message matter.
    fn rules_of(&mut self, message: usize) -> Result<(), TooLarge> {
        let grounding = self.grounding;
        let sent = &grounding.ground.messages[message];
        for (machine, rule) in grounding.lifestate.rules.iter().enumerate() {
            if Some(rule.message.head) != sent.head {
                continue;
            }
            let Some(binding) = unifier(&rule.message, &sent.values) else { continue };
            let place = self.cone.message_places[&message];
            for binding in grounding.bindings(machine, &cut(binding, rule.histories.variables))? {
                let instance = self.instance(machine, binding)?;
                self.cone.instances[instance].applies_to.push((place, rule.sign));
            }
        }
        Ok(())
    }

    /// The callbacks matter that do something to an instance.
    fn blocks_that_move(&mut self, place: usize) {
        let grounding = self.grounding;
        let Instance { machine, binding, .. } = self.cone.instances[place];
        if !grounding.is_inert(machine) {
            for block in 0..grounding.ground.blocks.len() {
                self.block(block);
            }
            return;
        }
        for message in grounding.moving(machine, &binding) {
            for block in &grounding.within[message] {
                self.block(*block);
            }
        }
    }

    /// A callback matters, and that it can come: all earlier polls of its task have to.
    fn block(&mut self, block: usize) {
        let grounding = self.grounding;
        if !self.add(block) {
            return;
        }
        if let Some(link) = grounding.ground.links[block] {
            for earlier in grounding.polls[&link.task][..link.index].iter().rev() {
                if !self.add(*earlier) {
                    return;
                }
            }
        }
    }

    /// Adds a callback with its messages from the library. False where it was there.
    fn add(&mut self, block: usize) -> bool {
        if std::mem::replace(&mut self.is_in[block], true) {
            return false;
        }
        self.cone.blocks.push(block);
        let grounding = self.grounding;
        for message in &grounding.ground.blocks[block] {
            if grounding.ground.messages[*message].kind.is_back() {
                self.message(*message);
            }
        }
        true
    }

    fn finish(self) -> Cone {
        let (grounding, mut cone) = (self.grounding, self.cone);
        for message in cone.blocks.iter().flat_map(|it| &grounding.ground.blocks[*it]) {
            cone.moves.entry(*message).or_default();
        }
        for (place, instance) in cone.instances.iter().enumerate() {
            for message in grounding.moving(instance.machine, &instance.binding) {
                let letter = grounding.letter(instance.machine, &instance.binding, message);
                if letter != 0
                    && let Some(moves) = cone.moves.get_mut(&message)
                {
                    moves.push((place, letter as u16));
                }
            }
        }
        cone.blocks.sort_unstable();
        cone
    }
}
