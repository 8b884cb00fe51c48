//! Conditions: what a flag or a comparison says of state.

use super::Signals;
use super::decision::DEEPEST;
use super::state::{How, Value, of_atomic, state_of, state_of_pointer};
use crate::body::provenance::carried;
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::mir::{BlockId, Local, Made, Operand, Operator, Place, Rvalue};
use crate::program::abstract_object::AbstractObject;
use crate::ty::Ty;
use std::collections::BTreeSet;

/// What a condition says about one piece of state when it is true.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) state: AbstractObject,
    pub(super) when_true: Value,
    pub(super) when_false: Value,
}

impl Condition {
    fn negated(self) -> Condition {
        Condition { state: self.state, when_true: self.when_false, when_false: self.when_true }
    }
}

impl Signals<'_> {
    pub(super) fn condition(&self, id: FunctionId, slot: &Slot, depth: usize) -> Option<Condition> {
        let function = self.program.function(id);
        let mut slot = slot.clone();
        let mut straight = true;
        let seen = |it: Condition, straight| if straight { it } else { it.negated() };
        for _ in 0..16 {
            slot.steps.truncate(function.root(&slot));
            let definition = function.definition(&slot)?;
            let next = match definition {
                Definition::Called(block) => {
                    let (call, callee) = function.call(block)?;
                    if callee.hands_on() {
                        call.place(0)?.clone()
                    } else {
                        let it = self.asked(id, function, block, depth)?;
                        return Some(seen(it, straight));
                    }
                }
                definition @ Definition::Assigned(..) => {
                    let value = function.assigned(definition)?;
                    if let Some(from) = carried(value, &mut straight) {
                        if let Some((state, _)) = state_of(self.program, &self.objects, id, from) {
                            let state = self.same(state);
                            let (when_true, when_false) = (Value::Flag(true), Value::Flag(false));
                            return Some(seen(Condition { state, when_true, when_false }, straight));
                        }
                        from.clone()
                    } else {
                        let (operator, parts) = value.operated()?;
                        return Some(seen(self.compared(id, operator, parts)?, straight));
                    }
                }
            };
            slot = Slot::at(&next);
        }
        None
    }

    /// What a call at the end of a block asks.
    pub(super) fn asked_at(&self, id: FunctionId, block: BlockId) -> Option<Condition> {
        self.asked(id, self.program.function(id), block, DEEPEST)
    }

    /// What a value that is computed as a flag says.
    pub(super) fn condition_of(&self, id: FunctionId, value: &Rvalue) -> Option<Condition> {
        let of_place = |from: &Place| match state_of(self.program, &self.objects, id, from) {
            Some((state, _)) => Some(Condition {
                state: self.same(state),
                when_true: Value::Flag(true),
                when_false: Value::Flag(false),
            }),
            None => self.condition(id, &Slot::at(from), DEEPEST),
        };
        match value {
            Rvalue::Use(Operand::Place(from)) => of_place(from),
            Rvalue::Made(Made::By(Operator::Not), parts) => {
                of_place(parts.first()?.place()?).map(Condition::negated)
            }
            Rvalue::Made(Made::By(operator), parts) => self.compared(id, *operator, parts),
            _ => None,
        }
    }

    /// What a call that gives a flag asks.
    fn asked(&self, id: FunctionId, function: &Function, block: BlockId, depth: usize) -> Option<Condition> {
        let (call, callee) = function.call(block)?;
        if let Some(state) = of_atomic(self.program, &self.objects, id, block) {
            let of_flag = function.type_of(&call.into).is_some_and(Ty::is_bool);
            return of_flag.then(|| Condition {
                state: self.same(state),
                when_true: Value::Flag(true),
                when_false: Value::Flag(false),
            });
        }
        if let Some(called) = self.program.one_called(function, block) {
            let inner = (depth > 0).then(|| self.condition(called, &Slot::of(Local(0)), depth - 1))??;
            let state = self.same(self.seen_from(inner.state, called, id, block)?);
            return Some(Condition { state, ..inner });
        }
        let on = call.place(0)?;
        let (state, taken) = match state_of_pointer(self.program, &self.objects, id, on) {
            Some((state, _)) => (self.same(state), false),
            None => self.origin(id, on)?,
        };
        let (when_true, when_false) = match callee.name() {
            "is_some" if taken => (Value::Filled(true), Value::Filled(false)),
            "is_none" if taken => (Value::Filled(false), Value::Filled(true)),
            "is_some" => (Value::Present(true), Value::Present(false)),
            "is_none" => (Value::Present(false), Value::Present(true)),
            "is_empty" => (Value::Filled(false), Value::Filled(true)),
            "contains" | "contains_key" | "is_full" => (Value::Filled(true), Value::Filled(false)),
            "is_closed" => (Value::Flag(true), Value::Flag(false)),
            _ => return None,
        };
        Some(Condition { state, when_true, when_false })
    }

    /// What a comparison of a number asks: with nought, or with a bound.
    fn compared(&self, id: FunctionId, operator: Operator, parts: &[Operand]) -> Option<Condition> {
        let [left, right] = parts else { return None };
        let nought = |it: &Operand| it.is_nought();
        let number =
            |it: &Operand| it.place().and_then(|it| self.number(id, it).or_else(|| self.only_read(id, it)));
        let (of, swapped, other) = match (number(left), number(right)) {
            (Some(of), _) => (of, false, right),
            (None, Some(of)) => (of, true, left),
            (None, None) => return None,
        };
        let (state, of_collection) = of;
        // Whether it is greater where the condition is true.
        let greater = match (operator, other) {
            (Operator::Eq | Operator::Ne, it) if nought(it) => operator == Operator::Ne,
            // It grows up to a bound.
            (Operator::Eq | Operator::Ne, Operand::Place(_)) => operator == Operator::Eq,
            (it, _) if it.orders() => matches!(it, Operator::Gt | Operator::Ge) != swapped,
            _ => return None,
        };
        let value = |more: bool| if of_collection { Value::Filled(more) } else { Value::Greater(more) };
        Some(Condition { state, when_true: value(greater), when_false: value(!greater) })
    }

    /// The one piece of state that a number was read from, wherever it was.
    fn only_read(&self, id: FunctionId, place: &Place) -> Option<(AbstractObject, bool)> {
        // Some bits of a word say nothing of how great it is.
        if is_part_of_word(self.program.function(id), place) {
            return None;
        }
        let reads = self.slice(id, place);
        let mut states: BTreeSet<AbstractObject> =
            reads.into_iter().filter(|it| it.how == How::Atomic).map(|it| it.state).collect();
        let only = states.pop_first()?;
        states.is_empty().then_some((only, false))
    }

    /// The state that a number is, or the collection whose length it is.
    pub(super) fn number(&self, id: FunctionId, place: &Place) -> Option<(AbstractObject, bool)> {
        if let Some((state, false)) = self.origin(id, place) {
            return Some((state, false));
        }
        let function = self.program.function(id);
        let mut slot = Slot::at(place);
        for _ in 0..6 {
            slot.steps.truncate(function.root(&slot));
            let definition = function.definition(&slot)?;
            let Definition::Called(block) = definition else {
                let Rvalue::Use(Operand::Place(from)) = function.assigned(definition)? else { return None };
                slot = Slot::at(from);
                continue;
            };
            let (call, callee) = function.call(block)?;
            let on = call.place(0)?;
            if let Some(state) = of_atomic(self.program, &self.objects, id, block) {
                return Some((self.same(state), false));
            }
            if callee.name() == "len" {
                let (state, _) = state_of_pointer(self.program, &self.objects, id, on)?;
                return Some((self.same(state), true));
            }
            if !callee.hands_on() {
                return None;
            }
            slot = Slot::at(on);
        }
        None
    }
}

/// Whether a number is made of some bits of another one.
fn is_part_of_word(function: &Function, place: &Place) -> bool {
    let mut slot = Slot::at(place);
    slot.steps.truncate(function.root(&slot));
    let made = function.definition(&slot).and_then(|it| function.assigned(it));
    made.and_then(Rvalue::operated)
        .is_some_and(|(it, _)| matches!(it, Operator::BitAnd | Operator::Shr | Operator::Div | Operator::Rem))
}
