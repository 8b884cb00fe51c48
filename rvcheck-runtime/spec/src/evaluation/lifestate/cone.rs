//! The part of a model that matters to one message: the bindings and messages that decide whether it is prohibited, the callbacks that
//! change these, and what has to be permitted for those callbacks.

use std::collections::{HashMap, HashSet};

use crate::evaluation::lifestate::binding::{Binding, cut, is_part, joined, mask, unifier};
use crate::evaluation::lifestate::blocks::Blocks;
use crate::language::lifestate::Sign;
use crate::model::lifestate::{Histories, Lifestate, Machine, Mask, Pattern};

/// A machine under one binding. A variable that is not bound is like a value that no message has.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Instance {
    /// The place of the machine: those of the rules come first, then those of the conflicts.
    pub(crate) machine: usize,
    /// Which messages it applies to, and whether it permits or prohibits them. Every message, where it is that of a conflict.
    pub(crate) applies_to: Vec<(usize, Sign)>,
    /// It is that of a conflict.
    pub(crate) is_conflict: bool,
    /// Messages that match none of its atoms do nothing to it.
    pub(crate) is_inert: bool,
}

/// What one message of a callback does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Step {
    /// The message whose state matters before it, if that of one does.
    pub(crate) asks: Option<Ask>,
    /// The instances that it moves, and by which letters. All others that are not inert take the letter of matching nothing.
    pub(crate) moves: Vec<(u32, u16)>,
}

/// What is asked before a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Ask {
    /// Whether this message from the library is permitted: else the word is none of the model's.
    Permitted(u32),
    /// Whether the message that everything is about is prohibited.
    Target,
    /// Nothing: the library refuses the message that everything is about, whatever the rules say.
    Refused,
}

/// See the module. Cones of messages that are the same but for their values are equal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cone {
    pub(crate) instances: Vec<Instance>,
    /// How many messages have a state: that which everything is about is the first one.
    pub(crate) messages: usize,
    /// The callbacks that matter, each once.
    pub(crate) blocks: Vec<Vec<Step>>,
}

/// Why there is no cone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLarge;

/// A model over the messages of some callbacks.
pub(crate) struct Grounding<'a> {
    lifestate: &'a Lifestate,
    blocks: &'a Blocks,
    /// By machine and atom: the messages that match it, by the binding.
    matching: Vec<Vec<HashMap<Binding, Vec<usize>>>>,
    /// By machine: messages that match nothing do nothing.
    inert: Vec<bool>,
    /// By message: the callbacks in which it occurs.
    within: Vec<Vec<usize>>,
    /// How many instances a cone can have.
    most: usize,
}

impl<'a> Grounding<'a> {
    pub(crate) fn new(lifestate: &'a Lifestate, blocks: &'a Blocks, most: usize) -> Grounding<'a> {
        let machines = || {
            let rules = lifestate.rules.iter().map(|it| &it.histories);
            rules.chain(lifestate.conflicts.iter().map(|it| &it.histories))
        };
        let of_atom = |atom: &Pattern| {
            let mut found: HashMap<Binding, Vec<usize>> = HashMap::new();
            for (place, ground) in blocks.grounds.iter().enumerate() {
                let message = ground.message();
                if message.head == Some(atom.head)
                    && let Some(binding) = unifier(atom, message.values)
                {
                    found.entry(binding).or_default().push(place);
                }
            }
            found
        };
        let matching = machines().map(|it| it.atoms.iter().map(of_atom).collect()).collect();
        let consistent = lifestate.conflicts.is_empty();
        let inert = machines().map(|it| is_inert(&it.machine, consistent)).collect();
        let mut within = vec![Vec::new(); blocks.grounds.len()];
        for (place, block) in blocks.blocks.iter().enumerate() {
            for message in &block.messages {
                let within: &mut Vec<usize> = &mut within[message.ground];
                if within.last() != Some(&place) {
                    within.push(place);
                }
            }
        }
        Grounding { lifestate, blocks, matching, inert, within, most }
    }

    pub(crate) fn histories(&self, machine: usize) -> &'a Histories {
        let rules = self.lifestate.rules.len();
        match self.lifestate.rules.get(machine) {
            Some(rule) => &rule.histories,
            None => &self.lifestate.conflicts[machine - rules].histories,
        }
    }

    /// The cone of a message, with the callback that each of its blocks stands for.
    pub(crate) fn cone(&self, target: usize) -> Result<(Cone, Vec<usize>), TooLarge> {
        let mut build = Build {
            grounding: self,
            instances: Vec::new(),
            bindings: Vec::new(),
            places: HashMap::new(),
            messages: Vec::new(),
            message_places: HashMap::new(),
            open_messages: Vec::new(),
            is_in: HashSet::new(),
            blocks: Vec::new(),
        };
        build.message(target);
        let first = self.lifestate.rules.len();
        for conflict in 0..self.lifestate.conflicts.len() {
            for binding in self.bindings(first + conflict, &[0; 8])? {
                build.instance(first + conflict, binding)?;
            }
        }
        for block in &self.within[target] {
            build.block(*block);
        }
        let mut seen = 0;
        loop {
            while let Some(message) = build.open_messages.pop() {
                build.rules_of(message)?;
            }
            let Some(place) = (seen < build.instances.len()).then_some(seen) else { break };
            seen += 1;
            build.blocks_that_move(place);
        }
        Ok(build.finish(target))
    }

    /// The bindings that messages tell apart and that agree with this one, itself included.
    fn bindings(&self, machine: usize, with: &Binding) -> Result<Vec<Binding>, TooLarge> {
        let width = self.histories(machine).variables;
        if mask(with).count_ones() as usize == width {
            return Ok(vec![*with]);
        }
        let mut parts: Vec<Binding> = self.matching[machine]
            .iter()
            .flat_map(|it| it.keys().copied())
            .filter(|it| mask(it) != 0)
            .collect();
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
            if all.len() > self.most {
                return Err(TooLarge);
            }
        }
        Ok(all)
    }

    /// The letter of a message for a machine under a binding.
    fn letter(&self, machine: usize, binding: &Binding, message: usize) -> usize {
        let histories = self.histories(machine);
        let message = self.blocks.grounds[message].message();
        let mut mask: Mask = 0;
        for (place, atom) in
            histories.atoms.iter().enumerate().filter(|(_, it)| Some(it.head) == message.head)
        {
            if unifier(atom, message.values).is_some_and(|it| is_part(&it, binding)) {
                mask |= 1 << place;
            }
        }
        histories.machine.letter(mask)
    }
}

/// Whether messages that match no atom change nothing: no state, and nothing that the state has said before. `consistent` is whether rules
/// never contradict each other, so that what one says holds until another one says something else.
fn is_inert(machine: &Machine, consistent: bool) -> bool {
    (0..machine.states() as u32).all(|state| {
        let idle = machine.next(state, 0);
        let enters = |it: &&crate::model::lifestate::Move| it.to == state;
        let repeats = consistent
            && machine.moves.iter().filter(enters).all(|it| it.accepts)
            && (state != Machine::INITIAL || machine.accepts_empty);
        idle.to == state && (!idle.accepts || repeats)
    })
}

struct Build<'a, 'g> {
    grounding: &'g Grounding<'a>,
    instances: Vec<Instance>,
    bindings: Vec<Binding>,
    places: HashMap<(usize, Binding), usize>,
    messages: Vec<usize>,
    message_places: HashMap<usize, usize>,
    open_messages: Vec<usize>,
    is_in: HashSet<usize>,
    blocks: Vec<usize>,
}

impl Build<'_, '_> {
    /// The state of a message matters.
    fn message(&mut self, message: usize) {
        let next = self.messages.len();
        if let std::collections::hash_map::Entry::Vacant(entry) = self.message_places.entry(message) {
            entry.insert(next);
            self.messages.push(message);
            self.open_messages.push(message);
        }
    }

    fn instance(&mut self, machine: usize, binding: Binding) -> Result<usize, TooLarge> {
        if let Some(place) = self.places.get(&(machine, binding)) {
            return Ok(*place);
        }
        if self.instances.len() >= self.grounding.most {
            return Err(TooLarge);
        }
        let place = self.instances.len();
        self.places.insert((machine, binding), place);
        self.bindings.push(binding);
        self.instances.push(Instance {
            machine,
            applies_to: Vec::new(),
            is_conflict: machine >= self.grounding.lifestate.rules.len(),
            is_inert: self.grounding.inert[machine],
        });
        Ok(place)
    }

    /// The rules that apply to a message matter.
    fn rules_of(&mut self, message: usize) -> Result<(), TooLarge> {
        let grounding = self.grounding;
        let sent = grounding.blocks.grounds[message].message();
        for (machine, rule) in grounding.lifestate.rules.iter().enumerate() {
            if Some(rule.message.head) != sent.head {
                continue;
            }
            let Some(binding) = unifier(&rule.message, sent.values) else { continue };
            let place = self.message_places[&message];
            for binding in grounding.bindings(machine, &cut(binding, rule.histories.variables))? {
                let instance = self.instance(machine, binding)?;
                self.instances[instance].applies_to.push((place, rule.sign));
            }
        }
        Ok(())
    }

    /// The callbacks matter that do something to an instance.
    fn blocks_that_move(&mut self, place: usize) {
        let grounding = self.grounding;
        let (machine, binding) = (self.instances[place].machine, self.bindings[place]);
        if !self.instances[place].is_inert {
            for block in 0..grounding.blocks.blocks.len() {
                self.block(block);
            }
            return;
        }
        for (atom, matching) in grounding.histories(machine).atoms.iter().zip(&grounding.matching[machine]) {
            let mut key = [0; 8];
            for variable in atom.variables() {
                key[variable] = binding[variable];
            }
            for message in matching.get(&key).into_iter().flatten() {
                for block in &grounding.within[*message] {
                    self.block(*block);
                }
            }
        }
    }

    /// A callback matters, and that it can come.
    fn block(&mut self, block: usize) {
        if !self.is_in.insert(block) {
            return;
        }
        self.blocks.push(block);
        let grounding = self.grounding;
        for message in &grounding.blocks.blocks[block].messages {
            if grounding.blocks.grounds[message.ground].message().kind.is_back() {
                self.message(message.ground);
            }
        }
    }

    fn finish(mut self, target: usize) -> (Cone, Vec<usize>) {
        let grounding = self.grounding;
        // What nothing can take away or give back needs no state.
        let matters: HashSet<usize> =
            self.instances.iter().flat_map(|it| &it.applies_to).map(|it| it.0).collect();
        let has_conflicts = !grounding.lifestate.conflicts.is_empty();
        let matters = |place: usize| has_conflicts || place == 0 || matters.contains(&place);
        let mut by_message: HashMap<usize, Vec<(u32, u16)>> = HashMap::new();
        for block in &self.blocks {
            for message in &grounding.blocks.blocks[*block].messages {
                by_message.entry(message.ground).or_default();
            }
        }
        for (place, (instance, binding)) in self.instances.iter().zip(&self.bindings).enumerate() {
            let histories = grounding.histories(instance.machine);
            let mut moved: Vec<usize> = Vec::new();
            for (atom, matching) in histories.atoms.iter().zip(&grounding.matching[instance.machine]) {
                let mut key = [0; 8];
                for variable in atom.variables() {
                    key[variable] = binding[variable];
                }
                moved.extend(matching.get(&key).into_iter().flatten());
            }
            moved.sort_unstable();
            moved.dedup();
            for message in moved {
                let letter = grounding.letter(instance.machine, binding, message);
                if letter != 0
                    && let Some(moves) = by_message.get_mut(&message)
                {
                    moves.push((place as u32, letter as u16));
                }
            }
        }
        self.blocks.sort_unstable();
        let is_busy = self.instances.iter().any(|it| !it.is_inert);
        let (mut blocks, mut stand_for) = (Vec::new(), Vec::new());
        let mut seen: HashSet<Vec<Step>> = HashSet::new();
        let is_refused = grounding.blocks.grounds[target].message().refused;
        for block in &self.blocks {
            let mut steps: Vec<Step> = Vec::new();
            for message in &grounding.blocks.blocks[*block].messages {
                let asks = if message.ground == target {
                    Some(if is_refused { Ask::Refused } else { Ask::Target })
                } else if grounding.blocks.grounds[message.ground].message().kind.is_back() {
                    let place = self.message_places[&message.ground];
                    matters(place).then_some(Ask::Permitted(place as u32))
                } else {
                    None
                };
                let moves = by_message[&message.ground].clone();
                if is_busy || asks.is_some() || !moves.is_empty() {
                    steps.push(Step { asks, moves });
                }
            }
            if !steps.is_empty() && seen.insert(steps.clone()) {
                blocks.push(steps);
                stand_for.push(*block);
            }
        }
        (Cone { instances: self.instances, messages: self.messages.len(), blocks }, stand_for)
    }
}
