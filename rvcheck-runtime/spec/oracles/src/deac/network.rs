//! Networks of automata that send each other verdicts: definition 5 and figure 3, and the monitor of a specification: figure 4.

use std::collections::BTreeSet;
use std::ops::Range;

use rvcheck_event::value::Value;

use crate::deac::aut::scheme;
use crate::deac::automaton::{Action, Channel, Deac, Guard, Letter, Message, Transition, act, swapped};
use crate::deac::{Detection, Reached, Specification, Top};
use crate::formulas::holds;
use rvcheck_spec::evaluation::tables::view::View;
use rvcheck_spec::model::formula::Node;
use rvcheck_spec::model::ltl::Ltl;

/// The monitor of a specification for a set of objects. It keeps one state for each automaton instead of building their
/// product; [`Network::product`] builds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// The automata.
    members: Vec<Deac>,
    /// By member: its state.
    states: Vec<usize>,
    known: BTreeSet<Channel>,
    messages: BTreeSet<Message>,
    /// How they belong together.
    shape: Shape,
    instances: Vec<Instance>,
}

/// What figure 4 makes of a formula: members by their numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shape {
    /// The automaton that collects verdicts, and right behind it those for the objects.
    Forall(Range<usize>),
    And(Box<Shape>, Box<Shape>),
    Not(Box<Shape>),
}

/// ψ for one object.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Instance {
    channel: Channel,
    binding: Vec<Value>,
    atoms: Vec<Node>,
}

impl Network {
    /// Figure 4, for the objects of a trace. `None` where an automaton is too large.
    pub fn of(
        specification: &Specification,
        ltl: &Ltl,
        view: &View<'_>,
        detection: Detection,
    ) -> Option<Network> {
        let mut building = Building {
            view,
            variables: ltl.variables.len(),
            detection,
            quantifiers: 0,
            members: Vec::new(),
            instances: Vec::new(),
        };
        let shape = building.shape(&specification.top)?;
        let Building { members, instances, .. } = building;
        let states = members.iter().map(|it| it.initial).collect();
        Some(Network { members, states, known: BTreeSet::new(), messages: BTreeSet::new(), shape, instances })
    }

    /// The program events of a position.
    pub fn letter(&self, view: &View<'_>, at: usize) -> Letter {
        let letter = |instance: &Instance| {
            let mut binding = instance.binding.clone();
            let atoms = instance.atoms.iter().enumerate();
            let bits = atoms
                .filter(|(_, atom)| holds(atom, view, at, &mut binding))
                .fold(0, |bits, (index, _)| bits | 1 << index);
            (instance.channel, bits)
        };
        self.instances.iter().map(letter).collect()
    }

    /// Figure 3: each automaton that can move does, all at once; figure 2 for the whole.
    pub fn step(&mut self, letter: Option<&Letter>) {
        if self.reached() != Reached::Neither {
            return;
        }
        let enabled: Vec<Option<&Transition>> = self
            .members
            .iter()
            .zip(&self.states)
            .map(|(deac, state)| deac.enabled(*state, letter, &self.messages, &self.known))
            .collect();
        if enabled.iter().all(Option::is_none) {
            return;
        }
        let mut sent: BTreeSet<Message> = BTreeSet::new();
        let mut known = self.known.clone();
        let mut states = self.states.clone();
        for (state, taken) in states.iter_mut().zip(&enabled) {
            if let Some(taken) = taken {
                act(&taken.action, &self.messages, &mut known);
                sent.extend(&taken.out);
                *state = taken.to;
            }
        }
        self.messages.retain(|it| !self.members.iter().any(|deac| deac.receives.contains(&it.channel)));
        self.messages.extend(sent);
        self.known = known;
        self.states = states;
    }

    /// Steps without program events, until all messages have arrived and nothing moves.
    pub fn settle(&mut self) {
        loop {
            let before = self.clone();
            self.step(None);
            if *self == before {
                return;
            }
        }
    }

    /// Where the network has come to.
    pub fn reached(&self) -> Reached {
        self.shape_reached(&self.shape)
    }

    fn shape_reached(&self, shape: &Shape) -> Reached {
        match shape {
            Shape::Forall(members) => {
                let each = members.clone().map(|it| self.members[it].states[self.states[it]]);
                each.fold(Reached::Accepting, composed)
            }
            Shape::And(left, right) => composed(self.shape_reached(left), self.shape_reached(right)),
            Shape::Not(inner) => swapped(self.shape_reached(inner)),
        }
    }

    /// The verdict if the trace ends here, which the paper does not define: a quantified formula is false exactly if it was
    /// refuted for some object. It is that of the language with [`Detection::Informative`].
    pub fn at_end(&self) -> bool {
        self.shape_at_end(&self.shape)
    }

    fn shape_at_end(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Forall(_) => self.shape_reached(shape) != Reached::Bad,
            Shape::And(left, right) => self.shape_at_end(left) && self.shape_at_end(right),
            Shape::Not(inner) => !self.shape_at_end(inner),
        }
    }

    /// Definition 5 for the whole network: one automaton. `None` where it would have more states than `limit`.
    pub fn product(&self, limit: usize) -> Option<Deac> {
        self.shape_product(&self.shape, limit)
    }

    fn shape_product(&self, shape: &Shape, limit: usize) -> Option<Deac> {
        match shape {
            Shape::Forall(members) => {
                let mut members = self.members[members.clone()].iter();
                let first = members.next()?.clone();
                members.try_fold(first, |all, one| product(&all, one, limit))
            }
            Shape::And(left, right) => {
                product(&self.shape_product(left, limit)?, &self.shape_product(right, limit)?, limit)
            }
            Shape::Not(inner) => self.shape_product(inner, limit).map(Deac::negated),
        }
    }
}

/// A = A¹ × A², and B = B¹ × Q² ∪ Q¹ × B².
fn composed(left: Reached, right: Reached) -> Reached {
    match (left, right) {
        (Reached::Bad, _) | (_, Reached::Bad) => Reached::Bad,
        (Reached::Accepting, Reached::Accepting) => Reached::Accepting,
        _ => Reached::Neither,
    }
}

/// Definition 5: D¹ ∥ D².
fn product(left: &Deac, right: &Deac, limit: usize) -> Option<Deac> {
    let width = right.states.len();
    if left.states.len() * width > limit {
        return None;
    }
    let (mut states, mut transitions) = (Vec::new(), Vec::new());
    for one in 0..left.states.len() {
        for other in 0..width {
            states.push(composed(left.states[one], right.states[other]));
            let (ones, others) = (&left.transitions[one], &right.transitions[other]);
            let none = |of: &[Transition]| {
                Guard::Not(Box::new(Guard::Any(of.iter().map(|it| it.guard.clone()).collect())))
            };
            let mut leaving = Vec::new();
            for a in ones {
                leaving.extend(others.iter().map(|b| Transition {
                    guard: Guard::All(vec![a.guard.clone(), b.guard.clone()]),
                    out: [a.out.as_slice(), &b.out].concat(),
                    action: Action([a.action.0.as_slice(), &b.action.0].concat()),
                    to: a.to * width + b.to,
                }));
                let guard = Guard::All(vec![a.guard.clone(), none(others)]);
                leaving.push(Transition { guard, to: a.to * width + other, ..a.clone() });
            }
            leaving.extend(others.iter().map(|b| Transition {
                guard: Guard::All(vec![none(ones), b.guard.clone()]),
                to: one * width + b.to,
                ..b.clone()
            }));
            transitions.push(leaving);
        }
    }
    let receives = &left.receives | &right.receives;
    Some(Deac { receives, initial: left.initial * width + right.initial, states, transitions })
}

struct Building<'a> {
    view: &'a View<'a>,
    variables: usize,
    detection: Detection,
    quantifiers: usize,
    members: Vec<Deac>,
    instances: Vec<Instance>,
}

impl Building<'_> {
    fn shape(&mut self, top: &Top) -> Option<Shape> {
        Some(match top {
            Top::And(left, right) => Shape::And(Box::new(self.shape(left)?), Box::new(self.shape(right)?)),
            Top::Not(inner) => Shape::Not(Box::new(self.shape(inner)?)),
            Top::Forall { variables, restrictions, atoms, body } => {
                let mut bindings = vec![vec![Value::Absent; self.variables]];
                for (variable, sort) in variables {
                    let with = |binding: &Vec<Value>, value: &Value| {
                        let mut binding = binding.clone();
                        binding[*variable] = *value;
                        binding
                    };
                    let values = self.view.values(*sort);
                    bindings = bindings
                        .iter()
                        .flat_map(|binding| values.iter().map(move |value| with(binding, value)))
                        .collect();
                }
                bindings.retain(|binding| restrictions.iter().all(|it| self.view.holds(it, binding)));
                let quantifier = self.quantifiers;
                self.quantifiers += 1;
                let channels: Vec<Channel> =
                    (0..bindings.len()).map(|object| Channel { quantifier, object }).collect();
                let scheme = scheme(body, atoms.len(), self.detection)?;
                let start = self.members.len();
                self.members.push(collector(&channels));
                for (channel, binding) in channels.into_iter().zip(bindings) {
                    self.members.push(scheme.aut(channel));
                    self.instances.push(Instance { channel, binding, atoms: atoms.clone() });
                }
                Shape::Forall(start..self.members.len())
            }
        })
    }
}

/// `D_ψ`: it remembers for which objects the formula is true, and accepts when it is for all.
fn collector(channels: &[Channel]) -> Deac {
    const WAITING: usize = 0;
    const ACCEPTING: usize = 1;
    const BAD: usize = 2;
    let received = |verdict: bool| {
        let arrived = |channel: &Channel| Guard::Arrived(Message { verdict, channel: *channel });
        Guard::Any(channels.iter().map(arrived).collect())
    };
    let going = |guard: Guard, action: Vec<Channel>, to: usize| Transition {
        guard,
        out: Vec::new(),
        action: Action(action),
        to,
    };
    let refuted = received(false);
    let on = Guard::All(vec![received(true), Guard::Not(Box::new(refuted.clone()))]);
    let all = Guard::All(channels.iter().map(|channel| Guard::Known(*channel)).collect());
    let leaving = vec![
        going(refuted, Vec::new(), BAD),
        going(on, channels.to_vec(), WAITING),
        going(all, Vec::new(), ACCEPTING),
    ];
    Deac {
        receives: channels.iter().copied().collect(),
        initial: WAITING,
        states: vec![Reached::Neither, Reached::Accepting, Reached::Bad],
        transitions: vec![leaving, Vec::new(), Vec::new()],
    }
}
