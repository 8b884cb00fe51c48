//! The states of one machine for all bindings that messages have told apart, as in parametric monitoring (Chen and Roşu 2009).
//!
//! Bindings that no message has touched since are brought up to date when somebody asks: what they missed are messages that match none
//! of their atoms, and messages that match only atoms without variables, which are kept for a while.

mod rejoin;

use std::collections::HashMap;

use crate::evaluation::lifestate::binding::{
    Binding, FRESH, cut, is_part, joined, mask, restricted, subsets, unifier,
};
use crate::evaluation::lifestate::instance::{Accepted, Instance, idle};
use crate::evaluation::lifestate::message::Message;
use crate::evaluation::lifestate::values::{ABSENT, Number};
use crate::model::lifestate::{Histories, Machine, Mask, Pattern};

/// How many messages that concern all bindings are kept before these are brought up to date, beside as many as there are bindings.
const KEPT: usize = 1 << 10;

/// See the module. `M` is what is noted of a message.
#[derive(Clone, Debug)]
pub(crate) struct Track<M> {
    instances: Vec<Instance<M>>,
    places: HashMap<Binding, u32>,
    /// By set of variables of which one is asked for, and what is bound of them: the instances, in ascending order.
    by_part: HashMap<(u8, Binding), Vec<u32>>,
    /// The sets of variables that are asked for.
    parts: Vec<u8>,
    /// The variables by which histories are asked for.
    asked: u8,
    /// Messages that match only atoms without variables: when, which letter, and what was noted.
    common: Vec<(u64, u16, M)>,
    /// Which variables the histories have.
    width: usize,
    /// Room for the work of one message.
    touched: Vec<u32>,
    /// The instances that may accept some history though no message touches them.
    restless: Vec<u32>,
    /// By state: such an instance never accepts.
    quiet: Vec<bool>,
    /// How much bindings are visited before it is looked whether they can rejoin others, and how much of that is left.
    rejoin_interval: usize,
    visits_left: usize,
    /// Restless instances are stepped with every message.
    eager: bool,
    /// The last history that any instance accepted, where it is eager.
    pub(crate) last: Option<u64>,
}

impl<M: Copy> Track<M> {
    /// The machine before any message. `asked` is the pattern by whose variables the states are asked for. An eager track knows at once
    /// what is accepted. The more `rejoin_interval`, the later bindings rejoin others; none does so with the most.
    pub(crate) fn new(
        histories: &Histories,
        asked: Option<&Pattern>,
        eager: bool,
        rejoin_interval: usize,
    ) -> Track<M> {
        let machine = &histories.machine;
        let width = histories.variables;
        let of = |pattern: &Pattern| {
            pattern.variables().into_iter().filter(|it| *it < width).fold(0, |mask, it| mask | 1 << it)
        };
        let mut parts: Vec<u8> = histories.atoms.iter().chain(asked).map(of).filter(|it| *it != 0).collect();
        parts.sort_unstable();
        parts.dedup();
        if width <= 1 {
            parts.clear();
        }
        let mut track = Track {
            instances: Vec::new(),
            places: HashMap::new(),
            by_part: HashMap::new(),
            parts,
            asked: asked.map_or(0, of),
            common: Vec::new(),
            width,
            touched: Vec::new(),
            restless: Vec::new(),
            quiet: quiet(histories),
            rejoin_interval,
            visits_left: rejoin_interval,
            eager,
            last: machine.accepts_empty.then_some(0),
        };
        let accepted = machine.accepts_empty.then_some(Accepted { at: 0, mark: None });
        let first = Instance {
            binding: FRESH,
            state: Machine::INITIAL,
            known: 0,
            taken: 0,
            accepted,
            rejoined: None,
            mark: None,
        };
        track.add(first);
        track
    }

    /// How many bindings are told apart.
    pub(crate) fn len(&self) -> usize {
        self.instances.len()
    }

    /// Forgets the bindings in which some variable has a value that is gone: no message will match an atom with it, nor be asked for by it.
    pub(crate) fn forget(&mut self, is_gone: impl Fn(usize, Number) -> bool) {
        let binds_gone = |binding: &Binding| {
            (0..self.width)
                .any(|variable| binding[variable] != ABSENT && is_gone(variable, binding[variable]))
        };
        if !self.instances.iter().any(|it| binds_gone(&it.binding)) {
            return;
        }
        let kept: Vec<Instance<M>> =
            self.instances.iter().filter(|it| !binds_gone(&it.binding)).cloned().collect();
        (self.places, self.by_part) = (HashMap::new(), HashMap::new());
        self.instances = Vec::with_capacity(kept.len());
        self.restless.clear();
        for instance in kept {
            self.add(instance);
        }
    }

    fn add(&mut self, instance: Instance<M>) -> u32 {
        let place = self.instances.len() as u32;
        self.places.insert(instance.binding, place);
        for part in &self.parts {
            self.by_part.entry((*part, restricted(&instance.binding, *part))).or_default().push(place);
        }
        if self.eager && !self.quiet[instance.state as usize] {
            self.restless.push(place);
        }
        self.instances.push(instance);
        place
    }

    /// Brings an instance up to date with a history of this length.
    #[inline]
    fn catch_up(&mut self, machine: &Machine, place: u32, length: u64) {
        let instance = &mut self.instances[place as usize];
        if instance.known == length {
            return;
        }
        for (at, letter, mark) in &self.common[instance.taken..] {
            if *at <= instance.known {
                continue;
            }
            idle(machine, instance, at - 1);
            instance.take(machine, usize::from(*letter), *at, *mark);
        }
        instance.taken = self.common.len();
        idle(machine, instance, length);
    }

    /// The instance that stands for a binding: the greatest one that is known and a part of it.
    fn representative(&self, binding: &Binding) -> u32 {
        if self.width == 0 {
            return 0;
        }
        if let Some(place) = self.places.get(binding) {
            return *place;
        }
        if self.width == 1 {
            return 0;
        }
        let bound = mask(binding);
        let mut best = (0, 0);
        for subset in subsets(bound) {
            let size = subset.count_ones();
            if size > best.0
                && let Some(place) = self.places.get(&restricted(binding, subset))
            {
                best = (size, *place);
            }
        }
        best.1
    }

    /// The instances whose bindings agree with this one.
    fn agreeing(&self, binding: &Binding) -> Vec<u32> {
        let bound = mask(binding);
        if bound == 0 || self.width <= 1 {
            return if bound == 0 {
                (0..self.instances.len() as u32).collect()
            } else {
                self.places.get(binding).into_iter().copied().chain([0]).collect()
            };
        }
        let mut found = Vec::new();
        for subset in subsets(bound) {
            found.extend(self.by_part.get(&(bound, restricted(binding, subset))).into_iter().flatten());
        }
        found
    }

    /// Takes the message that makes the history so long.
    #[inline]
    pub(crate) fn step(&mut self, histories: &Histories, message: &Message<'_>, length: u64, mark: M) {
        let machine = &histories.machine;
        let mut common: Mask = 0;
        let mut unifiers: [(Mask, Binding); 8] = [(0, FRESH); 8];
        let mut count = 0;
        let mut more: Vec<(Mask, Binding)> = Vec::new();
        if let Some(head) = message.head {
            for (place, atom) in histories.atoms.iter().enumerate().filter(|(_, it)| it.head == head) {
                match unifier(atom, message.values) {
                    None => {}
                    Some(FRESH) => common |= 1 << place,
                    Some(binding) if count < unifiers.len() => {
                        unifiers[count] = (1 << place, binding);
                        count += 1;
                    }
                    Some(binding) => more.push((1 << place, binding)),
                }
            }
        }
        let few = &unifiers[..count];
        self.touched.clear();
        if count == 0 {
            self.take_common(machine, common, length, mark);
        } else if self.width == 1 {
            let binding = few[0].1;
            let is_one = more.is_empty() && few.iter().all(|it| it.1 == binding);
            if is_one {
                let letter = machine.letter(few.iter().fold(common, |all, it| all | it.0));
                self.touch_one(machine, binding, letter, machine.letter(common), (length, mark));
                self.take_common(machine, common, length, mark);
            } else {
                more.extend(few);
                self.touch_all(machine, &more, common, length, mark);
            }
        } else {
            more.extend(few);
            self.touch_all(machine, &more, common, length, mark);
        }
        if self.eager {
            self.step_restless(machine, length);
        }
        if !self.touched.is_empty() {
            let touched = std::mem::take(&mut self.touched);
            self.rejoin_now_and_then(machine, &touched, length);
            self.touched = touched;
        }
    }

    /// A message that, beside atoms without variables, concerns one binding of the only variable.
    #[inline]
    fn touch_one(
        &mut self,
        machine: &Machine,
        binding: Binding,
        letter: usize,
        common: usize,
        (length, mark): (u64, M),
    ) {
        let place = match self.places.get(&binding) {
            Some(place) => *place,
            None => {
                self.catch_up(machine, 0, length - 1);
                let fresh = &self.instances[0];
                if machine.next(fresh.state, letter) == machine.next(fresh.state, common) {
                    return;
                }
                let instance = Instance { binding, ..fresh.clone() };
                self.add(instance)
            }
        };
        self.touch(machine, place, letter, length, mark);
    }

    /// A message that concerns several bindings.
    fn touch_all(
        &mut self,
        machine: &Machine,
        unifiers: &[(Mask, Binding)],
        common: Mask,
        length: u64,
        mark: M,
    ) {
        let letter_of = |binding: &Binding| {
            let matched = unifiers.iter().filter(|(_, it)| is_part(it, binding));
            machine.letter(matched.fold(common, |all, it| all | it.0))
        };
        // What the message tells apart: each known binding together with each set of unifiers that agrees with it.
        let mut fresh: Vec<Binding> = Vec::new();
        let mut open: Vec<Binding> = Vec::new();
        for (_, unifier) in unifiers {
            for place in self.agreeing(unifier) {
                open.extend(joined(&self.instances[place as usize].binding, unifier));
            }
        }
        while let Some(binding) = open.pop() {
            if self.places.contains_key(&binding) || fresh.contains(&binding) {
                continue;
            }
            fresh.push(binding);
            open.extend(unifiers.iter().filter_map(|(_, it)| joined(&binding, it)));
        }
        // What is told apart stands for what the greatest known part of it has gone through. Where that goes on all the same, nothing
        // needs to be told apart: then none of these is, because with any two bindings that agree their union has to be known.
        let mut differs = false;
        let mut instances: Vec<Instance<M>> = Vec::with_capacity(fresh.len());
        for binding in fresh {
            let parent = self.representative(&binding);
            self.catch_up(machine, parent, length - 1);
            let parent = &self.instances[parent as usize];
            let (own, other) = (letter_of(&binding), letter_of(&parent.binding));
            differs |= machine.next(parent.state, own) != machine.next(parent.state, other);
            instances.push(Instance { binding, ..parent.clone() });
        }
        if differs {
            for instance in instances {
                self.add(instance);
            }
        }
        let mut touched = std::mem::take(&mut self.touched);
        for (_, unifier) in unifiers {
            touched.extend(
                self.agreeing(unifier)
                    .into_iter()
                    .filter(|it| is_part(unifier, &self.instances[*it as usize].binding)),
            );
        }
        touched.sort_unstable();
        touched.dedup();
        for place in &touched {
            let letter = letter_of(&self.instances[*place as usize].binding);
            self.touch(machine, *place, letter, length, mark);
        }
        self.touched = touched;
        self.take_common(machine, common, length, mark);
    }

    /// Moves an instance by a letter.
    #[inline]
    fn touch(&mut self, machine: &Machine, place: u32, letter: usize, length: u64, mark: M) {
        self.catch_up(machine, place, length - 1);
        let instance = &mut self.instances[place as usize];
        let was_quiet = self.eager && self.quiet[instance.state as usize];
        instance.take(machine, letter, length, mark);
        if self.eager {
            if instance.accepted.is_some_and(|it| it.at == length) {
                self.last = Some(length);
            }
            if was_quiet && !self.quiet[instance.state as usize] {
                self.restless.push(place);
            }
        }
    }

    /// Keeps a message that matches only atoms without variables, for all instances that it has not touched.
    #[inline]
    fn take_common(&mut self, machine: &Machine, common: Mask, length: u64, mark: M) {
        let letter = machine.letter(common);
        if letter == 0 {
            return;
        }
        if self.width == 0 {
            self.touch(machine, 0, letter, length, mark);
            return;
        }
        // Letters are as many as states at most, and fewer than the bits allow.
        self.common.push((length, letter as u16, mark));
        if self.common.len() > KEPT + self.instances.len() {
            for place in 0..self.instances.len() as u32 {
                self.catch_up(machine, place, length);
                self.instances[place as usize].taken = 0;
            }
            self.common.clear();
        }
    }

    fn step_restless(&mut self, machine: &Machine, length: u64) {
        let mut restless = std::mem::take(&mut self.restless);
        restless.retain(|place| {
            self.catch_up(machine, *place, length);
            let instance = &self.instances[*place as usize];
            if instance.accepted.is_some_and(|it| it.at == length) {
                self.last = Some(length);
            }
            !self.quiet[instance.state as usize]
        });
        self.restless.extend(restless);
    }

    /// The last history of at most this length that was accepted for some binding under which the pattern matches these values.
    #[inline]
    pub(crate) fn accepted(
        &mut self,
        histories: &Histories,
        pattern: &Pattern,
        values: &[Number],
        length: u64,
    ) -> Option<Accepted<M>> {
        let machine = &histories.machine;
        let binding = cut(unifier(pattern, values)?, self.width);
        if mask(&binding).count_ones() as usize == self.width {
            let place = self.representative(&binding);
            self.catch_up(machine, place, length);
            return self.instances[place as usize].latest();
        }
        let mut best: Option<Accepted<M>> = None;
        let mut places: Vec<u32> = Vec::new();
        for place in self.agreeing(&binding) {
            if let Some(both) = joined(&self.instances[place as usize].binding, &binding) {
                places.push(self.representative(&both));
            }
        }
        places.sort_unstable();
        places.dedup();
        for place in places {
            self.catch_up(machine, place, length);
            if let Some(found) = self.instances[place as usize].latest()
                && best.is_none_or(|it| it.rank() < found.rank())
            {
                best = Some(found);
            }
        }
        best
    }
}

/// By state: whether nothing is accepted from there on as long as only messages come that match no atom with a variable.
fn quiet(histories: &Histories) -> Vec<bool> {
    let machine = &histories.machine;
    let is_common = |mask: Mask| {
        let atoms = histories.atoms.iter().enumerate();
        atoms.filter(|(at, _)| mask >> at & 1 == 1).all(|(_, it)| it.variables().is_empty())
    };
    let letters: Vec<usize> =
        (0..machine.letters.len()).filter(|it| is_common(machine.letters[*it])).collect();
    let mut quiet = vec![true; machine.states()];
    loop {
        let before = quiet.clone();
        for (state, quiet) in quiet.iter_mut().enumerate() {
            *quiet &= letters.iter().all(|letter| {
                let next = machine.next(state as u32, *letter);
                !next.accepts && before[next.to as usize]
            });
        }
        if quiet == before {
            return quiet;
        }
    }
}
