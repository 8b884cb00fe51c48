//! A body with what can be known of it alone: its callees, its marks, where it suspends, what is assigned where.

use crate::body::changes::Changes;
use crate::body::paths::Paths;
use crate::body::{Callee, Selector, Slot};
use crate::marker::Number;
use crate::mir::{
    Block, BlockId, Body, BodyKind, Call, Local, Operand, Place, Projection, Rvalue, Statement, Terminator,
};
use crate::ty::{Ty, TyKind, segments};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The number of a body in its program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionId(pub u32);

/// What a body is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A function or method.
    Function,
    /// A closure.
    Closure,
    /// The state machine of an `async fn`, block or closure.
    Coroutine,
    /// A constant or static.
    Constant,
}

/// Where a slot gets its value as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    /// The statement of that number in the block.
    Assigned(BlockId, usize),
    /// The call at the end of the block.
    Called(BlockId),
}

/// A place where a state machine suspends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspension {
    /// The block that ends in the suspension.
    pub block: BlockId,
    /// The block where it goes on.
    pub resume: BlockId,
    /// The block that ends in the call of `poll` that came back pending.
    pub poll: Option<BlockId>,
    /// Where the awaited future is kept.
    pub awaited: Option<Slot>,
    /// The number of the await, if it is marked. An await that a macro wrote is not.
    pub mark: Option<Number>,
}

/// A body and what can be known of it alone.
#[derive(Clone, Debug)]
pub struct Function {
    /// The body.
    pub body: Body,
    /// Its number in its program.
    pub(crate) number: FunctionId,
    /// What it is of.
    pub kind: Kind,
    /// The type of the closure or state machine.
    pub ty: Option<Ty>,
    /// Where it suspends, in the order of the blocks.
    pub suspensions: Vec<Suspension>,
    /// By block: the number of the site that the call at its end is.
    sites: Vec<Option<Number>>,
    definitions: BTreeMap<Slot, Vec<Definition>>,
    /// The local that points to the state machine itself.
    machine: Option<Local>,
    /// By state: where a state machine goes on.
    resumes: BTreeMap<u32, BlockId>,
    pub(super) paths: OnceLock<Paths>,
    changes: OnceLock<Changes>,
}

impl Function {
    /// Looks at the body of that number.
    pub(crate) fn new(number: FunctionId, body: Body) -> Function {
        let (kind, ty) = kind(&body);
        let mut function = Function {
            number,
            kind,
            ty,
            suspensions: Vec::new(),
            sites: vec![None; body.blocks.len()],
            definitions: BTreeMap::new(),
            machine: None,
            resumes: BTreeMap::new(),
            paths: OnceLock::new(),
            changes: OnceLock::new(),
            body,
        };
        function.find_machine();
        function.define();
        function.find_marks();
        function.find_suspensions();
        function
    }

    /// What distinguishes the closure or state machine.
    pub(crate) fn identity(&self) -> Option<String> {
        identity(self.ty?.text())
    }

    /// The blocks with their numbers.
    pub fn blocks(&self) -> impl Iterator<Item = (BlockId, &Block)> {
        self.body.blocks.iter().enumerate().map(|(at, block)| (BlockId(at as u32), block))
    }

    /// The calls with the blocks that they end, but for those of clean-up and of marks.
    pub fn calls(&self) -> impl Iterator<Item = (BlockId, &Call, Callee)> {
        self.blocks().filter(|(_, block)| !block.cleanup).filter_map(|(id, _)| {
            let (call, callee) = self.call(id)?;
            callee.mark().is_none().then_some((id, call, callee))
        })
    }

    /// The call at the end of a block.
    pub fn call(&self, id: BlockId) -> Option<(&Call, Callee)> {
        let Terminator::Call(call) = &self.body.block(id)?.terminator else { return None };
        Some((call, call.callee))
    }

    /// What is called at the end of a block; a callee without a path where that is no call.
    pub fn callee(&self, id: BlockId) -> Callee {
        self.call(id).map(|it| it.1).unwrap_or_default()
    }

    /// The number of the site that the call at the end of a block is, if it is marked.
    pub fn site(&self, id: BlockId) -> Option<Number> {
        self.sites.get(id.0 as usize).copied().flatten()
    }

    /// The number of steps that lead to the value of its own that a slot is a part of: a local, or what a state machine keeps.
    pub fn root(&self, slot: &Slot) -> usize {
        if Some(slot.local) != self.machine || slot.steps.first() != Some(&Selector::Deref) {
            return 0;
        }
        let length = if matches!(slot.steps.get(1), Some(Selector::State(_))) { 3 } else { 2 };
        length.min(slot.steps.len())
    }

    /// The value of its own that a slot is or is a part of.
    pub(crate) fn whole(&self, slot: &Slot) -> Slot {
        Slot { local: slot.local, steps: slot.steps[..self.root(slot)].to_vec() }
    }

    /// Whether a slot is the local that points to the state machine itself.
    pub fn is_machine(&self, slot: &Slot) -> bool {
        self.machine == Some(slot.local) && slot.steps.is_empty()
    }

    /// Whether a slot is kept while the state machine is suspended.
    pub fn is_kept(&self, slot: &Slot) -> bool {
        self.root(slot) > 0 || (self.machine.is_none() && slot.local == Local(1))
    }

    /// The number of the captured value that a slot is or is a part of, for closures and state machines, and the steps behind it.
    pub fn captured<'a>(&self, slot: &'a Slot) -> Option<(u32, &'a [Selector])> {
        let rest = match self.kind {
            Kind::Coroutine if self.root(slot) == 2 => &slot.steps[1..],
            Kind::Closure if slot.local == Local(1) => {
                let by_reference = self.body.type_of(Local(1)).referent().is_some();
                if by_reference { slot.steps.strip_prefix(&[Selector::Deref])? } else { &slot.steps[..] }
            }
            _ => return None,
        };
        let (Selector::Field(number), rest) = rest.split_first()? else { return None };
        Some((*number, rest))
    }

    /// The type of the captured value of that number, where it has a name.
    pub fn captured_type(&self, number: u32) -> Option<Ty> {
        self.captures().find(|it| it.0 == number).map(|it| it.1)
    }

    /// The types of all that the closure or state machine has captured, as far as it uses that.
    pub fn captured_types(&self) -> impl Iterator<Item = Ty> {
        self.captures().map(|it| it.1)
    }

    /// Where a closure or state machine has what it has captured, as far as it uses that, and the types of it.
    pub(crate) fn captured_slots(&self) -> impl Iterator<Item = (Slot, Ty)> {
        self.captures().map(|(_, ty, slot)| (slot, ty))
    }

    /// What has a name of what is captured: the number and type of it, and where it is. A variable that is captured by reference is what that
    /// points to.
    fn captures(&self) -> impl Iterator<Item = (u32, Ty, Slot)> {
        self.body.variables.iter().filter_map(|(_, place)| {
            let length = match place.projections.split_last()? {
                (Projection::Deref, before) => before.len(),
                _ => place.projections.len(),
            };
            let Projection::Field(_, ty) = place.projections.get(length.checked_sub(1)?)? else {
                return None;
            };
            let whole = Place { local: place.local, projections: place.projections[..length].to_vec() };
            let slot = Slot::at(&whole);
            let (number, rest) = self.captured(&slot)?;
            rest.is_empty().then(|| (number, *ty, slot.clone()))
        })
    }

    /// Where a slot, which is a value of its own, is given a value as a whole.
    pub fn definitions(&self, slot: &Slot) -> &[Definition] {
        self.definitions.get(slot).map_or(&[], Vec::as_slice)
    }

    /// The one place where a slot is given its value; `None` for arguments and for what is assigned more than once.
    pub fn definition(&self, slot: &Slot) -> Option<Definition> {
        match self.definitions(slot) {
            [one] if !self.is_argument(slot) => Some(*one),
            _ => None,
        }
    }

    /// Whether a slot is a whole argument.
    pub fn is_argument(&self, slot: &Slot) -> bool {
        slot.steps.is_empty() && (1..=self.body.arguments).contains(&(slot.local.0 as usize))
    }

    /// The assignment that a definition is.
    pub fn assigned(&self, definition: Definition) -> Option<&Rvalue> {
        let Definition::Assigned(block, at) = definition else { return None };
        match self.body.block(block)?.statements.get(at)? {
            Statement::Assign(_, value) => Some(value),
            _ => None,
        }
    }

    /// What it does to fields of structs.
    pub(crate) fn changes(&self) -> &Changes {
        self.changes.get_or_init(|| Changes::of(self))
    }

    /// The places that a value is made of by a definition.
    pub(crate) fn places_of(&self, definition: Definition) -> impl Iterator<Item = &Place> {
        let (called, assigned) = match definition {
            Definition::Called(block) => (self.call(block), None),
            Definition::Assigned(..) => (None, self.assigned(definition)),
        };
        let arguments = called.into_iter().flat_map(|(call, _)| call.arguments.iter());
        arguments.filter_map(Operand::place).chain(assigned.into_iter().flat_map(Rvalue::places))
    }

    /// The type of a place.
    pub fn type_of(&self, place: &Place) -> Option<Ty> {
        let whole = Some(self.body.type_of(place.local)).filter(|it| !it.is_unknown());
        place.projections.iter().fold(whole, |ty, step| match step {
            Projection::Field(_, of) => Some(*of),
            Projection::Deref => ty?.referent(),
            Projection::Variant(_) => ty,
            Projection::Element => ty?.argument(0),
        })
    }

    /// The type of the argument of that number of a call, if that is a place.
    pub(crate) fn type_given(&self, call: &Call, number: usize) -> Option<Ty> {
        self.type_of(call.place(number)?)
    }

    /// The blocks that come next without a panic. A suspension leads to where the state machine goes on.
    pub fn successors(&self, id: BlockId) -> Vec<BlockId> {
        if let Some(at) = self.suspensions.iter().find(|it| it.block == id) {
            return vec![at.resume];
        }
        let Some(block) = self.body.block(id) else { return Vec::new() };
        match &block.terminator {
            Terminator::Switch { cases, .. } if id == BlockId(0) && self.machine.is_some() => {
                cases.iter().filter(|(state, _)| *state == 0).map(|(_, to)| *to).collect()
            }
            Terminator::Goto(to) | Terminator::Assert { target: to, .. } => vec![*to],
            Terminator::Switch { cases, otherwise, .. } => {
                cases.iter().map(|(_, to)| *to).chain(*otherwise).collect()
            }
            Terminator::Call(Call { target, .. }) | Terminator::Drop { target, .. } => {
                target.iter().copied().collect()
            }
            Terminator::Return | Terminator::Resume | Terminator::Nowhere => Vec::new(),
        }
    }

    /// Whether the body is over at the end of a block, and not only suspended.
    pub(crate) fn returns_at(&self, id: BlockId) -> bool {
        let returns = self.body.block(id).is_some_and(|it| it.terminator == Terminator::Return);
        returns && self.successors(id).is_empty()
    }

    /// The call, or the making of a struct or state machine, that a value comes from, when it is followed back through moves,
    /// marks and pinning.
    pub fn producer(&self, slot: &Slot) -> Option<Definition> {
        self.produced(slot, &mut None)
    }

    fn produced(&self, slot: &Slot, mark: &mut Option<Number>) -> Option<Definition> {
        let mut slot = slot.clone();
        for _ in 0..64 {
            if let Some(part) = self.part_of_tuple(&slot) {
                slot = part;
                continue;
            }
            let definition = self.definition(&slot)?;
            match definition {
                Definition::Called(block) => {
                    let (call, callee) = self.call(block)?;
                    *mark = mark.or(callee.mark());
                    let through = callee.hands_on()
                        || matches!(callee.name(), "new" | "new_unchecked" | "pin" | "into_pin")
                            && matches!(callee.owner(), "Pin" | "Box");
                    if !through {
                        return Some(definition);
                    }
                    slot = Slot::at(call.place(0)?);
                }
                Definition::Assigned(..) => match self.assigned(definition)? {
                    Rvalue::Use(Operand::Place(from)) | Rvalue::Cast(Operand::Place(from), _) => {
                        slot = Slot::at(from);
                    }
                    Rvalue::Reference(of, _) => slot = Slot::at(of),
                    _ => return Some(definition),
                },
            }
            // Through a pointer to a value of its own.
            if self.root(&slot) == 0
                && let Some((Selector::Deref, [])) = slot.steps.split_last()
            {
                slot.steps.pop();
            }
        }
        None
    }

    /// Where an element of a tuple was before it was put into that.
    fn part_of_tuple(&self, slot: &Slot) -> Option<Slot> {
        let (before, rest) = slot.steps.split_at_checked(self.root(slot))?;
        let [Selector::Field(at)] = rest else { return None };
        let tuple = Slot { local: slot.local, steps: before.to_vec() };
        self.assigned(self.definition(&tuple)?)?.element(*at).map(Slot::at)
    }

    fn find_machine(&mut self) {
        if self.kind != Kind::Coroutine {
            return;
        }
        let Some(first) = self.body.blocks.first() else { return };
        for statement in &first.statements {
            if let Statement::Assign(into, Rvalue::Use(Operand::Place(from))) = statement
                && into.projections.is_empty()
                && from.local == Local(1)
            {
                self.machine = Some(into.local);
            }
        }
        if let Terminator::Switch { cases, .. } = &first.terminator {
            self.resumes = cases
                .iter()
                .filter_map(|(state, to)| Some((u32::try_from(*state).ok()?, *to)))
                .filter(|(state, _)| *state >= 3)
                .collect();
        }
    }

    fn define(&mut self) {
        let mut found: BTreeMap<Slot, Vec<Definition>> = BTreeMap::new();
        for (id, block) in self.blocks().filter(|(_, it)| !it.cleanup) {
            let assigned = block.statements.iter().enumerate().filter_map(|(at, it)| match it {
                Statement::Assign(place, _) => Some((place, Definition::Assigned(id, at))),
                _ => None,
            });
            let called = match &block.terminator {
                Terminator::Call(call) => Some((&call.into, Definition::Called(id))),
                _ => None,
            };
            for (place, definition) in assigned.chain(called) {
                let slot = Slot::at(place);
                if slot.steps.len() == self.root(&slot) {
                    found.entry(slot).or_default().push(definition);
                }
            }
        }
        self.definitions = found;
    }

    fn find_marks(&mut self) {
        let mut marked = Vec::new();
        for (id, block) in self.blocks() {
            let Terminator::Call(call) = &block.terminator else { continue };
            let Some(target) = call.target else { continue };
            // What comes from the call goes to the mark at once; where it is nothing, a constant stands for it.
            if let Some((mark, callee)) = self.call(target)
                && let Some(number) = callee.mark()
                && match mark.arguments.first() {
                    Some(Operand::Place(given)) => *given == call.into,
                    Some(Operand::Constant(_)) => true,
                    None => false,
                }
            {
                marked.push((id, number));
            }
        }
        for (id, number) in marked {
            self.sites[id.0 as usize] = Some(number);
        }
    }

    fn find_suspensions(&mut self) {
        let mut before: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
        for (id, block) in self.blocks() {
            for next in block.terminator.successors() {
                before.entry(next).or_default().push(id);
            }
        }
        let mut found = Vec::new();
        for (id, block) in self.blocks() {
            let state = block.statements.iter().find_map(|it| match it {
                Statement::State(_, state) if *state >= 3 => Some(*state),
                _ => None,
            });
            let Some(resume) = state.and_then(|it| self.resumes.get(&it).copied()) else { continue };
            let poll = self.poll_before(id, &before);
            let awaited = poll.and_then(|it| self.polled(it));
            let mut mark = None;
            if let Some(slot) = &awaited {
                self.produced(slot, &mut mark);
            }
            found.push(Suspension { block: id, resume, poll, awaited, mark });
        }
        self.suspensions = found;
    }

    /// The call of `poll` that comes before a suspension.
    fn poll_before(&self, id: BlockId, before: &BTreeMap<BlockId, Vec<BlockId>>) -> Option<BlockId> {
        let mut at = id;
        for _ in 0..8 {
            if self.callee(at).is_poll() {
                return Some(at);
            }
            at = *before.get(&at)?.first()?;
        }
        None
    }

    /// What the `poll` at the end of a block polls.
    pub fn polled(&self, id: BlockId) -> Option<Slot> {
        let (call, _) = self.call(id)?;
        let mut slot = Slot::at(call.place(0)?);
        for _ in 0..8 {
            let definition = self.definition(&slot)?;
            match definition {
                Definition::Called(block) => {
                    let (call, callee) = self.call(block)?;
                    if !matches!(callee.owner(), "Pin") && !callee.hands_on() {
                        return None;
                    }
                    slot = Slot::at(call.place(0)?);
                }
                Definition::Assigned(..) => match self.assigned(definition)? {
                    Rvalue::Use(Operand::Place(from)) => slot = Slot::at(from),
                    Rvalue::Reference(of, _) => return Some(Slot::at(of)),
                    _ => return None,
                },
            }
        }
        None
    }
}

/// The segment before the last one.
pub fn owner(path: &str) -> &str {
    path.rsplit("::").nth(1).unwrap_or_default()
}

/// What a body is of, and the type of the closure or state machine.
fn kind(body: &Body) -> (Kind, Option<Ty>) {
    if body.kind == BodyKind::Constant {
        return (Kind::Constant, None);
    }
    let is_inner = segments(&body.name).last().is_some_and(|it| it.starts_with("{closure#"));
    let own = body.type_of(Local(1));
    if !is_inner || own.is_unknown() {
        return (Kind::Function, None);
    }
    let pinned = own.made_by("Pin");
    let itself = pinned.unwrap_or(own).pointee();
    let is_machine = pinned.is_some() && itself.kind() == TyKind::Coroutine;
    (if is_machine { Kind::Coroutine } else { Kind::Closure }, Some(itself))
}

/// What distinguishes a closure or state machine, whichever way its type is written: where it stands, or for the body of an
/// `async fn` the path of that.
pub fn identity(text: &str) -> Option<String> {
    let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    if let Some((_, at)) = inner.split_once('@') {
        return Some(at.split(" (#").next().unwrap_or(at).to_owned());
    }
    let path = inner.split_once(" of ")?.1.strip_suffix("()")?;
    let callee = Callee::read(path);
    let names: Vec<&str> = callee.path().rsplit("::").take(2).collect();
    let of = callee.self_type().map(Ty::name).unwrap_or_default();
    Some(format!("{of}|{}", names.join("|")))
}
