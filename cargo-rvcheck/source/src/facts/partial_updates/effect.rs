//! Effects: what a body does to state that outlives it, in single steps, itself or through what it runs.

pub(crate) use super::change::Change;
use super::change::{constant, count, counts, delta, is_collection, text_of};
use super::entry::{assigned, key, key_of, value_of};
use super::machine::machine_in;
use super::made_of;
use super::outcome::{outcome, results};
use super::refusal::gate;
use super::state::{Given, Reach, Root, State, of_operand, of_place};
use crate::body::paths::Paths;
use crate::body::provenance::{decided_by, source};
use crate::body::{Callee, Definition, Function, FunctionId, Kind, Slot};
use crate::mir::{BlockId, Local, Operand, Place, Projection, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::library::mentions_permits;
use crate::program::runs::runs;
use crate::program::suspending::suspends_at;
use crate::ty::Ty;
use rvcheck_primitives::{Action, Is, Leaves, Row};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// An effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Effect {
    /// The block of the body that does it, or runs what does.
    pub(crate) block: BlockId,
    /// The body that does it itself, and the block there.
    pub(crate) at: (FunctionId, BlockId),
    /// The block of that body whose call stands where it is done, or next to it.
    pub(crate) shown: BlockId,
    /// What it is done to.
    pub(crate) state: State,
    /// What is done.
    pub(crate) change: Change,
    /// With which key, if that is known.
    pub(crate) key: Option<State>,
    /// Which value is there then, if that is a variant or constant.
    pub(crate) value: Option<String>,
    /// What the block runs may suspend before it does it.
    pub(crate) is_late: bool,
    /// What is taken out may be in what the block gives.
    pub(crate) is_given: bool,
    /// Which constant or variant the call gives whenever it does this.
    pub(crate) outcome: Option<String>,
}

impl Effect {
    /// Whether this undoes the other one, in the terms of one body.
    pub(crate) fn undoes(&self, other: &Effect) -> bool {
        let keys = match (&self.key, &other.key) {
            (Some(one), Some(other)) => one.field == other.field && one.root == other.root,
            _ => true,
        };
        let undoes = self.change.undoes(&other.change) || self.replaces(other);
        keys && undoes && self.state.is_same(&other.state)
    }

    /// Whether another value is put in the place of what the other one has put in.
    pub(crate) fn replaces(&self, other: &Effect) -> bool {
        let in_its_place = match self.change {
            Change::Put => self.key.is_some() && other.key.is_some(),
            Change::Set(_) => true,
            _ => false,
        };
        let is_another = self.value.is_some() && other.value.is_some() && self.value != other.value;
        other.change == Change::Put && in_its_place && is_another
    }
}

/// The effects of the bodies of a program, each found when it is first asked for.
#[derive(Debug)]
pub(crate) struct Effects<'p> {
    /// The program.
    pub(crate) program: &'p Program,
    known: RefCell<BTreeMap<FunctionId, Rc<[Effect]>>>,
    /// By body and field: whether the body has to do with it.
    touched: RefCell<BTreeMap<(FunctionId, String, u32), bool>>,
    open: RefCell<BTreeSet<FunctionId>>,
}

/// How deep calls are followed.
const DEEPEST: usize = 8;
/// The most effects that are kept for a body.
const MOST: usize = 400;

impl<'p> Effects<'p> {
    /// Of this program.
    pub(crate) const fn of(program: &'p Program) -> Effects<'p> {
        Effects {
            program,
            known: RefCell::new(BTreeMap::new()),
            touched: RefCell::new(BTreeMap::new()),
            open: RefCell::new(BTreeSet::new()),
        }
    }

    /// Whether a body has to do with a field, as `find` says when it is first asked.
    pub(super) fn touched(
        &self,
        id: FunctionId,
        (of, number): &(String, u32),
        find: &dyn Fn() -> bool,
    ) -> bool {
        let key = (id, of.clone(), *number);
        if let Some(known) = self.touched.borrow().get(&key) {
            return *known;
        }
        // For calls in a cycle.
        self.touched.borrow_mut().insert(key.clone(), false);
        let found = find();
        self.touched.borrow_mut().insert(key, found);
        found
    }

    /// What a body does, in the order of its blocks.
    pub(crate) fn in_body(&self, id: FunctionId) -> Rc<[Effect]> {
        if let Some(known) = self.known.borrow().get(&id) {
            return Rc::clone(known);
        }
        let is_open = self.open.borrow().len() > DEEPEST || !self.open.borrow_mut().insert(id);
        if is_open {
            return Rc::from([]);
        }
        let function = self.program.function(id);
        let mut found: Vec<Effect> = Vec::new();
        for (block, body) in function.blocks().filter(|(_, it)| !it.cleanup) {
            found.extend(body.statements.iter().filter_map(|it| self.by_statement(id, block, it)));
            if matches!(body.terminator, Terminator::Call(_)) {
                let own = self.by_call(id, block);
                if own.is_empty() {
                    found.extend(self.by_what_runs(id, block));
                } else {
                    found.extend(own);
                }
            }
        }
        // Of a body that does so much at once, nothing is known.
        if found.len() > MOST {
            found.clear();
        }
        self.open.borrow_mut().remove(&id);
        let found: Rc<[Effect]> = found.into();
        self.known.borrow_mut().insert(id, Rc::clone(&found));
        found
    }

    /// What a body does to what it was given, or to what everybody has, and does not undo itself.
    pub(crate) fn seen_outside(&self, id: FunctionId) -> Vec<Effect> {
        let all = self.in_body(id);
        let function = self.program.function(id);
        let lasts =
            |it: &&Effect| !matches!(it.state.root, Root::Made(_)) && !undone_always(function, it, &all);
        all.iter().filter(lasts).cloned().collect()
    }

    fn by_statement(&self, id: FunctionId, block: BlockId, statement: &Statement) -> Option<Effect> {
        let function = self.program.function(id);
        let Statement::Assign(into, value) = statement else { return None };
        if !into.projections.contains(&Projection::Deref)
            || function.root(&Slot::at(into)) == Slot::at(into).steps.len()
        {
            return None;
        }
        let state = of_place(self.program, function, into)
            .filter(|it| it.whose() > Reach::Owned || !matches!(it.root, Root::Made(_)))?;
        let change = match delta(self.program, function, value, &state, 0) {
            Some(change) => change,
            None => Change::Set(constant(function, value)),
        };
        let shown = beside(function, into, block);
        let value = assigned(function, value);
        Some(Effect {
            block,
            at: (id, block),
            shown,
            state,
            change,
            key: None,
            value,
            is_late: false,
            is_given: true,
            outcome: None,
        })
    }

    /// What a call of another crate does.
    fn by_call(&self, id: FunctionId, block: BlockId) -> Vec<Effect> {
        let function = self.program.function(id);
        let Some((call, callee)) = function.call(block) else { return Vec::new() };
        if self.program.called(function, block).is_some() {
            return Vec::new();
        }
        let on = call.arguments.first();
        let state = || of_operand(self.program, function, on?);
        let given = |at: usize| call.arguments.get(at).and_then(|it| text_of(function, it));
        let known = callee.likely_row();
        let of_flag = known.filter(|it| matches!(it.owner.is, Is::Flag(_)));
        let is = |is: Is| known.is_some_and(|it| it.owner.is == is);
        let changes: Vec<Change> = if let Some(Row { operation, .. }) = of_flag {
            match operation.leaves {
                Some(Leaves::Argument(1)) => vec![Change::Set(given(1))],
                Some(Leaves::Argument(at)) => {
                    // Whatever it is, it is not what it was.
                    let other = || Some(format!("not {}", given(1)?));
                    vec![Change::Set(given(usize::from(at)).or_else(other))]
                }
                Some(Leaves::More) => vec![Change::Up(given(1))],
                Some(Leaves::Less) => vec![Change::Down(given(1))],
                Some(Leaves::Either) => vec![Change::Set(Some("true".to_owned()))],
                Some(Leaves::Both) => vec![Change::Set(Some("false".to_owned()))],
                Some(Leaves::Made) => {
                    self.counted_by_closure(function, call.arguments.last()).into_iter().collect()
                }
                Some(Leaves::Extreme | Leaves::Other) | None => Vec::new(),
            }
        } else {
            match callee.name() {
                "forget" if is_permit(function, on) => vec![Change::Forget],
                _ if known.is_some_and(|it| matches!(it.operation.action, Action::Add(_))) => {
                    vec![Change::Release]
                }
                "take" if callee.owner() == "mem" => vec![Change::Clear],
                "replace" if callee.owner() == "mem" => vec![Change::Set(given(1)), Change::Clear],
                "take" if callee.owner() == "Option" => {
                    vec![Change::Clear, Change::Set(Some("None".to_owned()))]
                }
                "replace" | "insert" if callee.owner() == "Option" => {
                    vec![Change::Set(Some("Some".to_owned()))]
                }
                "set" if is(Is::Slot) => vec![Change::Set(given(1))],
                "replace" | "take" if is(Is::Slot) || is(Is::Cell) => {
                    vec![Change::Set(given(1)), Change::Clear]
                }
                _ if !is_collection(function, on) => Vec::new(),
                _ if callee.grows() || fills(callee) => vec![Change::Put],
                "drain" | "extract_if" => vec![Change::Clear],
                _ if callee.empties() => vec![Change::Clear],
                name if callee.shrinks() || name == "remove_if" => vec![Change::Remove],
                _ => Vec::new(),
            }
        };
        if changes.is_empty() {
            return Vec::new();
        }
        let Some(state) = state() else { return Vec::new() };
        let key = key_of(self.program, function, call);
        let value = value_of(function, call);
        let effect = |change| Effect {
            key: key.clone().filter(|_| matches!(change, Change::Put | Change::Remove)),
            value: value.clone().filter(|_| change == Change::Put),
            block,
            at: (id, block),
            shown: block,
            state: state.clone(),
            change,
            is_late: false,
            is_given: true,
            outcome: None,
        };
        changes.into_iter().map(effect).collect()
    }

    /// What the closure of a `fetch_update` does to the number that it is given.
    fn counted_by_closure(&self, function: &Function, closure: Option<&Operand>) -> Option<Change> {
        let body = self.program.function(self.program.closure_of(function, closure?)?);
        let by_call = body.calls().find_map(|(_, call, callee)| {
            counts(callee.name()).map(|up| count(up, call.arguments.get(1).and_then(|it| text_of(body, it))))
        });
        by_call.or_else(|| {
            let statements = body.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements);
            statements.into_iter().find_map(|it| match it {
                Statement::Assign(_, value) => {
                    let (operator, parts) = value.operated()?;
                    operator.counts().map(|up| count(up, parts.get(1).and_then(|it| text_of(body, it))))
                }
                _ => None,
            })
        })
    }

    /// What the bodies do that the call at the end of a block runs.
    fn by_what_runs(&self, id: FunctionId, block: BlockId) -> Vec<Effect> {
        let function = self.program.function(id);
        let mut found = Vec::new();
        for (body, given) in self.run_at(function, block) {
            let may_wait = self.program.function(body).kind == Kind::Coroutine;
            let keys = Given {
                arguments: function.call(block).map_or_else(Vec::new, |(call, _)| {
                    call.arguments.iter().map(|it| key(self.program, function, it)).collect()
                }),
                captured: given.captured.clone(),
            };
            for inner in self.seen_outside(body) {
                let Some(state) = given.seen(&inner.state) else { continue };
                if !self.is_meant(body, &inner) {
                    continue;
                }
                let is_late = inner.is_late || may_wait && self.waits_before(body, inner.block);
                let key =
                    inner.key.as_ref().and_then(|it| if may_wait { given.seen(it) } else { keys.seen(it) });
                // One that a future has a copy of may be any.
                let key = key.filter(|it| !may_wait || !matches!(it.root, Root::Made(_)));
                let is_given = inner.is_given
                    && (!inner.change.takes() || gives(self.program.function(body), inner.block));
                let outcome = outcome(self.program.function(body), &inner);
                let effect = Effect { block, state, key, is_late, is_given, outcome, ..inner };
                let alike = |it: &&mut Effect| {
                    (&it.state, &it.change, &it.key, it.is_late, it.is_given)
                        == (&effect.state, &effect.change, &effect.key, effect.is_late, effect.is_given)
                };
                match found.iter_mut().find(alike) {
                    // Either of them may have been done.
                    Some(known) if known.outcome != effect.outcome => known.outcome = None,
                    Some(_) => {}
                    None => found.push(effect),
                }
            }
        }
        found
    }

    /// Whether a body does it whenever it is run, or goes by what it finds there: it does not keep account of something else.
    fn is_meant(&self, id: FunctionId, effect: &Effect) -> bool {
        if !matches!(effect.change, Change::Up(_) | Change::Down(_) | Change::Set(_)) {
            return true;
        }
        let function = self.program.function(id);
        let paths = Paths::of(function);
        // Where the state is looked up and not there, there is nothing to do it to.
        let looks = |it: BlockId| looks_up(function, it) && paths.leads(it, effect.block);
        let without = paths.from(&[BlockId(0)], &|it| it == effect.block || looks(it));
        let always = !without.iter().any(|it| function.returns_at(*it));
        always
            || says_whether(function, paths, effect.block)
            || gate(self, id, effect.block, &effect.state, &effect.change, &BTreeSet::new()).is_some()
    }

    /// The bodies that the call at the end of a block runs, with what they are given.
    pub(crate) fn run_at(&self, function: &Function, block: BlockId) -> Vec<(FunctionId, Given)> {
        let Some((call, callee)) = function.call(block) else { return Vec::new() };
        if callee.is_poll() {
            let machine = function.polled(block).and_then(|it| machine_in(self.program, function, &it));
            return machine.into_iter().collect();
        }
        let arguments: Vec<Option<State>> =
            call.arguments.iter().map(|it| of_operand(self.program, function, it)).collect();
        let bodies = runs(self.program, function, block);
        let each =
            bodies.into_iter().filter(|it| self.program.machine_made_by(it.body).is_none()).map(|it| {
                let is_function = self.program.function(it.body).kind == Kind::Function;
                let captured = if is_function {
                    Vec::new()
                } else {
                    self.captured_by(function, call.arguments.iter(), it.body)
                };
                let arguments = match it.body {
                    _ if is_function => arguments.clone(),
                    closure if self.changes_its_argument(function, block, closure) => {
                        vec![None, arguments.first().cloned().flatten()]
                    }
                    _ => Vec::new(),
                };
                (it.body, Given { arguments, captured })
            });
        each.collect()
    }

    /// Whether a function of another crate gives a closure a view through which it can change what the function is called on, as `send_modify` and
    /// `and_modify` do.
    fn changes_its_argument(&self, function: &Function, block: BlockId, closure: FunctionId) -> bool {
        let body = &self.program.function(closure).body;
        body.arguments == 2
            && body.type_of(Local(2)).is_exclusive()
            && self.program.called(function, block).is_none()
    }

    fn captured_by<'a>(
        &self,
        function: &Function,
        arguments: impl Iterator<Item = &'a Operand>,
        body: FunctionId,
    ) -> Vec<Option<State>> {
        for argument in arguments.filter_map(Operand::place) {
            let Some(made @ Definition::Assigned(..)) = function.producer(&Slot::at(argument)) else {
                continue;
            };
            if let Some((ty, parts)) = function.assigned(made).and_then(Rvalue::body)
                && self.program.body_of(ty) == Some(body)
            {
                return parts.iter().map(|it| of_operand(self.program, function, it)).collect();
            }
        }
        Vec::new()
    }

    /// Whether a body may suspend before a block.
    fn waits_before(&self, id: FunctionId, block: BlockId) -> bool {
        let function = self.program.function(id);
        let paths = Paths::of(function);
        let before = paths.to(&[block], &|_| false);
        function.suspensions.iter().filter_map(|it| it.poll).any(|it| {
            before.contains(&it)
                && (it != block || paths.repeats(it))
                && suspends_at(self.program, function, it)
        })
    }
}

fn is_permit(function: &Function, operand: Option<&Operand>) -> bool {
    let ty = operand.and_then(Operand::place).and_then(|it| function.type_of(it));
    ty.is_some_and(mentions_permits)
}

/// Whether a method puts something into the place of a map that it is called on, unless there is something.
fn fills(callee: Callee) -> bool {
    callee.reaches() && callee.name().starts_with("or_") || callee.name() == "insert_entry"
}

/// The call next to an assignment: of what gave the guard or reference that it goes through, or the next one.
fn beside(function: &Function, into: &Place, block: BlockId) -> BlockId {
    let mut slot = Slot { local: into.local, steps: Vec::new() };
    for _ in 0..12 {
        let Some(from) = source(function, &slot) else { break };
        let Some((call, callee)) = function.call(from) else { break };
        let name = callee.name();
        let locks = callee.requests() || callee.reaches() || matches!(name, "borrow_mut" | "get_mut");
        if locks || function.site(from).is_some() {
            return from;
        }
        let Some(Operand::Place(first)) = call.arguments.first() else { break };
        slot = Slot::at(first);
    }
    let mut at = block;
    for _ in 0..8 {
        if function.call(at).is_some_and(|(_, it)| !it.hands_on()) {
            return at;
        }
        match function.successors(at).as_slice() {
            [one] => at = *one,
            _ => break,
        }
    }
    block
}

/// Whether each path from an effect to the end of the body undoes it.
fn undone_always(function: &Function, effect: &Effect, all: &[Effect]) -> bool {
    let undoing: BTreeSet<BlockId> =
        all.iter().filter(|it| it.undoes(effect) && it.block != effect.block).map(|it| it.block).collect();
    if undoing.is_empty() {
        return false;
    }
    let paths = Paths::of(function);
    paths.pass(function, paths.next(effect.block), &|it| undoing.contains(&it))
}

/// Whether what a call gives is in what its body gives, or something that is made of it.
fn gives(function: &Function, block: BlockId) -> bool {
    !made_of(function, block).is_disjoint(&results(function))
}

/// Whether the branch at the end of a block goes by whether something was found that can be changed.
fn looks_up(function: &Function, block: BlockId) -> bool {
    let found = decided_by(function, block).and_then(|it| function.call(it));
    found
        .and_then(|(call, _)| function.type_of(&call.into))
        .is_some_and(|it| it.has(|it| it.is_option() && it.argument(0).is_some_and(Ty::is_exclusive)))
}

/// Whether what a body gives tells if it did what a block does: it gives other variants where it did than where it did not.
fn says_whether(function: &Function, paths: &Paths, block: BlockId) -> bool {
    let without = paths.from(&[BlockId(0)], &|it| it == block);
    let with = paths.after(block);
    let (mut where_done, mut where_not) = (BTreeSet::new(), BTreeSet::new());
    let results = results(function);
    for (at, body) in function.blocks().filter(|(_, it)| !it.cleanup) {
        let given = body.assignments().filter(|(into, _)| results.contains(&Slot::at(into)));
        for variant in given.filter_map(|(_, value)| constant(function, value)) {
            // Made before or behind it, on a way that comes there.
            let done = at == block || with.contains(&at) || paths.leads(at, block);
            if done {
                where_done.insert(variant.clone());
            }
            if without.contains(&at) && !paths.leads(at, block) {
                where_not.insert(variant);
            }
        }
    }
    !where_done.is_empty() && !where_not.is_empty() && where_done.is_disjoint(&where_not)
}
