//! Formulas over letters, each kept once: what a formula is made of when its names, patterns and derived operators are gone.

use std::collections::HashMap;

/// The place of a form in its [`Arena`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct FormId(pub(super) u32);

/// A formula over the atoms of a letter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Form {
    /// `true` or `false`.
    Constant(bool),
    /// A condition without variables. It differs from a constant on the empty trace, where it is false.
    Known(bool),
    /// This atom is in the letter.
    Atom(usize),
    /// This condition holds under the binding.
    Condition(usize),
    Not(FormId),
    And(FormId, FormId),
    Or(FormId, FormId),
    Iff(FormId, FormId),
    /// There is a next position, and the formula holds there; if `weak`, it holds there if there is one.
    Next {
        inner: FormId,
        weak: bool,
    },
    Until(FormId, FormId),
    Release(FormId, FormId),
    Previous(FormId),
    Since(FormId, FormId),
}

impl Form {
    /// The forms that it is made of.
    pub(super) fn parts(self) -> impl Iterator<Item = FormId> {
        let (first, second) = match self {
            Form::Constant(_) | Form::Known(_) | Form::Atom(_) | Form::Condition(_) => (None, None),
            Form::Not(inner) | Form::Next { inner, .. } | Form::Previous(inner) => (Some(inner), None),
            Form::And(left, right)
            | Form::Or(left, right)
            | Form::Iff(left, right)
            | Form::Until(left, right)
            | Form::Release(left, right)
            | Form::Since(left, right) => (Some(left), Some(right)),
        };
        first.into_iter().chain(second)
    }

    /// Whether its truth depends on the position before the present one.
    pub(super) fn is_past(self) -> bool {
        matches!(self, Form::Previous(_) | Form::Since(..))
    }
}

/// Forms, each of which is there once. The parts of a form stand before it.
#[derive(Clone, Default, Debug)]
pub(super) struct Arena {
    forms: Vec<Form>,
    places: HashMap<Form, FormId>,
}

impl Arena {
    /// The place of a form.
    pub(super) fn add(&mut self, form: Form) -> FormId {
        *self.places.entry(form).or_insert_with(|| {
            self.forms.push(form);
            FormId(self.forms.len() as u32 - 1)
        })
    }

    /// The form at a place.
    pub(super) fn get(&self, id: FormId) -> Form {
        self.forms[id.0 as usize]
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.forms.len()
    }

    /// Whether the formula holds on the empty trace, section 4.2.
    pub(super) fn holds_on_nothing(&self, id: FormId) -> bool {
        match self.get(id) {
            Form::Constant(truth) => truth,
            Form::Not(inner) => !self.holds_on_nothing(inner),
            Form::And(left, right) => self.holds_on_nothing(left) && self.holds_on_nothing(right),
            Form::Or(left, right) => self.holds_on_nothing(left) || self.holds_on_nothing(right),
            Form::Iff(left, right) => self.holds_on_nothing(left) == self.holds_on_nothing(right),
            Form::Next { weak, .. } => weak,
            Form::Release(..) => true,
            // Atoms, conditions, and what needs a position at which something holds.
            _ => false,
        }
    }
}
