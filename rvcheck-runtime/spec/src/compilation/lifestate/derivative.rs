//! Regexes as trees of which equal ones are the same number, and what is left of them behind a letter: derivatives (Brzozowski 1964).

use std::collections::HashMap;

use crate::model::lifestate::Mask;

/// A number of a regex in an [`Arena`].
pub(super) type Id = u32;

/// A regex. Operands of `Or` and `And` are in ascending order, each once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Node {
    /// No history.
    Never,
    /// The empty history.
    Empty,
    /// Any one message.
    Any,
    /// A message that matches this atom.
    Atom(u32),
    Sequence(Id, Id),
    Or(Vec<Id>),
    And(Vec<Id>),
    Not(Id),
    Star(Id),
}

/// All regexes that were made.
pub(super) struct Arena {
    nodes: Vec<Node>,
    ids: HashMap<Node, Id>,
    nullable: Vec<bool>,
    derivatives: HashMap<(Id, Mask), Id>,
}

impl Arena {
    pub(super) const NEVER: Id = 0;
    pub(super) const EMPTY: Id = 1;
    /// Every history.
    const ALL: Id = 2;

    pub(super) fn new() -> Arena {
        let mut arena = Arena {
            nodes: Vec::new(),
            ids: HashMap::new(),
            nullable: Vec::new(),
            derivatives: HashMap::new(),
        };
        arena.add(Node::Never);
        arena.add(Node::Empty);
        arena.add(Node::Not(Arena::NEVER));
        arena
    }

    fn add(&mut self, node: Node) -> Id {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let of = |id: &Id| self.nullable[*id as usize];
        let nullable = match &node {
            Node::Never | Node::Any | Node::Atom(_) => false,
            Node::Empty | Node::Star(_) => true,
            Node::Sequence(left, right) => of(left) && of(right),
            Node::Or(all) => all.iter().any(of),
            Node::And(all) => all.iter().all(of),
            Node::Not(inner) => !of(inner),
        };
        let id = self.nodes.len() as Id;
        self.nullable.push(nullable);
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the empty history is one of these.
    pub(super) fn is_nullable(&self, id: Id) -> bool {
        self.nullable[id as usize]
    }

    pub(super) fn any(&mut self) -> Id {
        self.add(Node::Any)
    }

    pub(super) fn atom(&mut self, atom: usize) -> Id {
        self.add(Node::Atom(atom as u32))
    }

    pub(super) fn sequence(&mut self, left: Id, right: Id) -> Id {
        match (left, right) {
            (Arena::NEVER, _) | (_, Arena::NEVER) => Arena::NEVER,
            (Arena::EMPTY, it) | (it, Arena::EMPTY) => it,
            (Arena::ALL, Arena::ALL) => Arena::ALL,
            _ => match self.nodes[left as usize] {
                Node::Sequence(first, second) => {
                    let rest = self.sequence(second, right);
                    self.sequence(first, rest)
                }
                _ => self.add(Node::Sequence(left, right)),
            },
        }
    }

    pub(super) fn or(&mut self, all: impl IntoIterator<Item = Id>) -> Id {
        let inner = |it: &Node| if let Node::Or(all) = it { Some(all.clone()) } else { None };
        self.combined(all, inner, (Arena::NEVER, Arena::ALL), Node::Or)
    }

    pub(super) fn and(&mut self, all: impl IntoIterator<Item = Id>) -> Id {
        let inner = |it: &Node| if let Node::And(all) = it { Some(all.clone()) } else { None };
        self.combined(all, inner, (Arena::ALL, Arena::NEVER), Node::And)
    }

    /// What a connective makes of these, without what adds nothing to it. `inner` are those of one that is such a connective itself.
    fn combined(
        &mut self,
        all: impl IntoIterator<Item = Id>,
        inner: impl Fn(&Node) -> Option<Vec<Id>>,
        (neutral, absorbing): (Id, Id),
        node: fn(Vec<Id>) -> Node,
    ) -> Id {
        let mut flat: Vec<Id> = all
            .into_iter()
            .flat_map(|it| inner(&self.nodes[it as usize]).unwrap_or_else(|| vec![it]))
            .collect();
        flat.retain(|it| *it != neutral);
        flat.sort_unstable();
        flat.dedup();
        match flat[..] {
            _ if flat.contains(&absorbing) => absorbing,
            [] => neutral,
            [only] => only,
            _ => self.add(node(flat)),
        }
    }

    pub(super) fn not(&mut self, inner: Id) -> Id {
        match self.nodes[inner as usize] {
            Node::Not(it) => it,
            _ => self.add(Node::Not(inner)),
        }
    }

    pub(super) fn star(&mut self, inner: Id) -> Id {
        match self.nodes[inner as usize] {
            Node::Never | Node::Empty => Arena::EMPTY,
            Node::Any => Arena::ALL,
            Node::Star(_) => inner,
            _ if inner == Arena::ALL => inner,
            _ => self.add(Node::Star(inner)),
        }
    }

    /// What may come behind this letter.
    pub(super) fn derivative(&mut self, id: Id, letter: Mask) -> Id {
        if let Some(known) = self.derivatives.get(&(id, letter)) {
            return *known;
        }
        let found = match self.nodes[id as usize].clone() {
            Node::Any => Arena::EMPTY,
            Node::Atom(atom) if letter >> atom & 1 == 1 => Arena::EMPTY,
            Node::Never | Node::Empty | Node::Atom(_) => Arena::NEVER,
            Node::Sequence(left, right) => {
                let first = self.derivative(left, letter);
                let first = self.sequence(first, right);
                if self.is_nullable(left) {
                    let second = self.derivative(right, letter);
                    self.or([first, second])
                } else {
                    first
                }
            }
            Node::Or(all) => {
                let all: Vec<Id> = all.into_iter().map(|it| self.derivative(it, letter)).collect();
                self.or(all)
            }
            Node::And(all) => {
                let all: Vec<Id> = all.into_iter().map(|it| self.derivative(it, letter)).collect();
                self.and(all)
            }
            Node::Not(inner) => {
                let inner = self.derivative(inner, letter);
                self.not(inner)
            }
            Node::Star(inner) => {
                let first = self.derivative(inner, letter);
                self.sequence(first, id)
            }
        };
        self.derivatives.insert((id, letter), found);
        found
    }
}
