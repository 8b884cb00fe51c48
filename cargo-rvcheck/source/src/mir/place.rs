//! Places: a local, and the path from it to a part of what it holds.

use crate::ty::Ty;
use crate::ty::scan::{closing, find_outside};

/// The number of a local; `_0` is what is returned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Local(pub u32);

/// A step of the path to a part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Projection {
    /// What the reference or box points to.
    Deref,
    /// The field of that number, and its type.
    Field(u32, Ty),
    /// The value as that variant; `variant#3` for the third suspension of a state machine and on.
    Variant(String),
    /// Some element of an array or slice.
    Element,
}

/// A place in memory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Where the path begins.
    pub local: Local,
    /// The steps.
    pub projections: Vec<Projection>,
}

impl Place {
    /// Whether it is in a variant of that name.
    pub fn is_of_variant(&self, variant: &str) -> bool {
        self.projections.iter().any(|it| matches!(it, Projection::Variant(name) if name == variant))
    }

    /// A whole local.
    pub const fn of(local: Local) -> Place {
        Place { local, projections: Vec::new() }
    }

    /// The place that a text names. It has to be the whole text.
    pub(super) fn read(text: &str) -> Option<Place> {
        let (place, rest) = Place::read_prefix(text.trim())?;
        rest.trim().is_empty().then_some(place)
    }

    /// The place that a text begins with, and what follows.
    pub(super) fn read_prefix(text: &str) -> Option<(Place, &str)> {
        let (mut place, mut rest) = if text.starts_with('(') {
            let (inner, after) = closing(text)?;
            (Place::in_parentheses(inner)?, &text[after..])
        } else {
            let digits = text.strip_prefix('_')?;
            let end = digits.find(|it: char| !it.is_ascii_digit()).unwrap_or(digits.len());
            (Place::of(Local(digits[..end].parse().ok()?)), &digits[end..])
        };
        while rest.starts_with('[') {
            let (_, after) = closing(rest)?;
            place.projections.push(Projection::Element);
            rest = &rest[after..];
        }
        Some((place, rest))
    }

    /// `*P`, `P.N: TYPE`, `P as VARIANT` or `P as subtype TYPE`, as they stand in parentheses.
    fn in_parentheses(text: &str) -> Option<Place> {
        if let Some(pointer) = text.strip_prefix('*') {
            let mut place = Place::read(pointer)?;
            place.projections.push(Projection::Deref);
            return Some(place);
        }
        let (mut place, rest) = Place::read_prefix(text)?;
        if let Some(field) = rest.strip_prefix('.') {
            let colon = find_outside(field, |it| it.starts_with(": "))?;
            let number = field[..colon].parse().ok()?;
            place.projections.push(Projection::Field(number, Ty::read(&field[colon + 2..])));
        } else {
            let variant = rest.strip_prefix(" as ")?;
            if !variant.starts_with("subtype ") {
                place.projections.push(Projection::Variant(variant.to_owned()));
            }
        }
        Some(place)
    }

    /// The type that the last step says; `None` for a whole local and where the step says none.
    pub fn stated_type(&self) -> Option<Ty> {
        match self.projections.last()? {
            Projection::Field(_, ty) => Some(*ty),
            _ => None,
        }
    }

    /// Whether this place is the other one or a part of it.
    pub fn is_in(&self, other: &Place) -> bool {
        self.local == other.local && self.projections.starts_with(&other.projections)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_of_a_place_is_read() {
        let field = |number, ty: &str| Projection::Field(number, Ty::read(ty));
        let variant = |name: &str| Projection::Variant(name.to_owned());
        let cases = [
            ("_7", 7, vec![]),
            ("(*_30)", 30, vec![Projection::Deref]),
            (
                "((*_5).0: std::sync::Mutex<u32>)",
                5,
                vec![Projection::Deref, field(0, "std::sync::Mutex<u32>")],
            ),
            (
                "(((*_30) as variant#3).1: std::sync::MutexGuard<'_, Vec<(A, B)>>)",
                30,
                vec![
                    Projection::Deref,
                    variant("variant#3"),
                    field(1, "std::sync::MutexGuard<'_, Vec<(A, B)>>"),
                ],
            ),
            ("((_21 as Ready).0: fn(A) -> B)", 21, vec![variant("Ready"), field(0, "fn(A) -> B")]),
            ("_3[_4]", 3, vec![Projection::Element]),
            ("(*_3)[2 of 3]", 3, vec![Projection::Deref, Projection::Element]),
            ("(_3 as subtype S)", 3, vec![]),
        ];
        for (text, local, projections) in cases {
            assert_eq!(Place::read(text), Some(Place { local: Local(local), projections }), "{text}");
        }
        for text in ["", "x", "_", "_1 + 2", "(_1.x: T)", "(*_1", "_1["] {
            assert_eq!(Place::read(text), None, "{text}");
        }
    }
}
