//! What is read and computed.

use super::{Made, Place};
use crate::ty::Ty;
use crate::ty::scan::{closing, find_outside, parts, split_last_bracket};

/// Something that is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// The value of a place. The text says `copy` of values that are moved, too, once copies were propagated: whether it is a copy
    /// depends on the type.
    Place(Place),
    /// A constant, as it is written.
    Constant(String),
}

/// Something that is computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rvalue {
    /// The operand itself.
    Use(Operand),
    /// A reference or pointer to a place; `true` for one through which it can be changed.
    Reference(Place, bool),
    /// The number of the variant that is there.
    Discriminant(Place),
    /// A struct, variant, tuple, array, closure, or the result of an operator, made of operands.
    Made(Made, Vec<Operand>),
    /// The operand as another type.
    Cast(Operand, Ty),
}

impl Rvalue {
    /// The operands that it is made of.
    pub fn operands(&self) -> &[Operand] {
        match self {
            Rvalue::Use(it) | Rvalue::Cast(it, _) => std::slice::from_ref(it),
            Rvalue::Made(_, parts) => parts,
            Rvalue::Reference(..) | Rvalue::Discriminant(_) => &[],
        }
    }

    /// The places that it is made of, or refers to.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        let of = if let Rvalue::Reference(it, _) | Rvalue::Discriminant(it) = self { Some(it) } else { None };
        self.operands().iter().filter_map(Operand::place).chain(of)
    }
}

impl Operand {
    /// The operand that is the whole text.
    pub(super) fn read(text: &str) -> Option<Operand> {
        let text = text.trim();
        for prefix in ["move ", "copy ", "deref_copy "] {
            if let Some(place) = text.strip_prefix(prefix) {
                return Place::read(place).map(Operand::Place);
            }
        }
        text.strip_prefix("const ").map(|it| Operand::Constant(it.to_owned()))
    }

    /// Operands between commas, each perhaps with the name of a field before it.
    pub(super) fn list(text: &str) -> Option<Vec<Operand>> {
        parts(text).into_iter().map(Operand::read_named).collect()
    }

    fn read_named(text: &str) -> Option<Operand> {
        // The name of a function that is passed on is written without `const`.
        let function = || is_path(text).then(|| Operand::Constant(text.to_owned()));
        let named = || {
            let (name, value) = text.split_once(": ")?;
            let is_name =
                !name.is_empty() && name.chars().all(|it| it.is_alphanumeric() || "_#".contains(it));
            if is_name { Operand::read(value) } else { None }
        };
        Operand::read(text).or_else(named).or_else(function)
    }

    /// Which of `true` and `false` it is, if it is one of them.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Operand::Constant(text) => text.parse().ok(),
            Operand::Place(_) => None,
        }
    }

    /// Whether it is the number 0.
    pub fn is_nought(&self) -> bool {
        matches!(self, Operand::Constant(text) if text.starts_with("0_"))
    }

    /// Whether it is the number 1.
    pub fn is_one(&self) -> bool {
        matches!(self, Operand::Constant(text) if text.starts_with("1_"))
    }

    /// The place that is read.
    pub const fn place(&self) -> Option<&Place> {
        match self {
            Operand::Place(place) => Some(place),
            Operand::Constant(_) => None,
        }
    }
}

impl Rvalue {
    /// The value that is the whole text.
    pub(super) fn read(text: &str) -> Option<Rvalue> {
        if let Some(thread_local) = text.strip_prefix("&/*tls*/ ") {
            return Some(Rvalue::Use(Operand::Constant(thread_local.to_owned())));
        }
        if let Some(reference) = text.strip_prefix('&') {
            return Rvalue::reference(reference);
        }
        if let Some(cast) = Rvalue::cast(text) {
            return Some(cast);
        }
        if let Some(operand) = Operand::read(text) {
            return Some(Rvalue::Use(operand));
        }
        if let Some(inner) = text.strip_prefix("discriminant(").and_then(|it| it.strip_suffix(')')) {
            return Place::read(inner).map(Rvalue::Discriminant);
        }
        Rvalue::made(text)
    }

    fn reference(text: &str) -> Option<Rvalue> {
        let forms = [
            ("raw const ", false),
            ("raw mut ", true),
            ("mut ", true),
            ("fake shallow ", false),
            ("fake ", false),
        ];
        for (prefix, mutable) in forms {
            if let Some(place) = text.strip_prefix(prefix) {
                // A pointer may be marked as one that only its metadata is read of.
                let place = place.strip_prefix("(fake) ").unwrap_or(place);
                return Place::read(place).map(|it| Rvalue::Reference(it, mutable));
            }
        }
        Place::read(text).map(|it| Rvalue::Reference(it, false))
    }

    /// `OPERAND as TYPE (KIND)`.
    fn cast(text: &str) -> Option<Rvalue> {
        let (before, kind) = split_last_bracket(text)?;
        let known = [
            "IntToInt",
            "PointerCoercion",
            "PtrToPtr",
            "FnPtrToPtr",
            "Transmute",
            "IntToFloat",
            "FloatToInt",
        ];
        let others = ["FloatToFloat", "PointerExposeProvenance", "PointerWithExposedProvenance", "Subtype"];
        if !known.iter().chain(&others).any(|it| kind.starts_with(it)) {
            return None;
        }
        let at = find_outside(before, |it| it.starts_with(" as "))?;
        let operand = &before[..at];
        let value = Operand::read(operand).or_else(|| {
            // The name of a function needs no `const` before it.
            (!operand.starts_with(['&', '('])).then(|| Operand::Constant(operand.to_owned()))
        })?;
        Some(Rvalue::Cast(value, Ty::read(&before[at + 4..])))
    }

    fn made(text: &str) -> Option<Rvalue> {
        if let Some(inner) = text.strip_prefix('[').filter(|_| text.ends_with(']')) {
            let (inner, after) = closing(text).filter(|(_, it)| *it == text.len()).unwrap_or((inner, 0));
            if after == 0 {
                return None;
            }
            let element = find_outside(inner, |it| it.starts_with("; ")).map_or(inner, |at| &inner[..at]);
            return Operand::list(element).map(|it| Rvalue::Made(Made::Parts, it));
        }
        // The type of a closure or coroutine ends in a bracket, and may have nothing behind it.
        let written = split_last_bracket(text).and_then(|(name, inner)| Some((name, Operand::list(inner)?)));
        let alone = || is_path(text).then(|| (text, Vec::new()));
        let (name, operands) = written.or_else(alone)?;
        Some(Rvalue::Made(Made::read(name, &operands), operands))
    }
}

/// Whether a text can be the name of a struct or variant without fields, or of a closure that captures nothing.
fn is_path(text: &str) -> bool {
    text.starts_with(['{', '<'])
        || text.starts_with(|it: char| it.is_alphabetic() || it == '_')
            && find_outside(text, |it| it.starts_with(' ')).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::Local;

    fn local(number: u32) -> Operand {
        Operand::Place(Place::of(Local(number)))
    }

    #[test]
    fn each_form_of_a_value_is_read() {
        let made = |name: &str, operands: Vec<Operand>| Rvalue::Made(Made::read(name, &operands), operands);
        let constant = |text: &str| Operand::Constant(text.to_owned());
        let cases = [
            ("move _3", Rvalue::Use(local(3))),
            ("const \"a) -> b\"", Rvalue::Use(constant("\"a) -> b\""))),
            ("&mut _3", Rvalue::Reference(Place::of(Local(3)), true)),
            ("&raw const (fake) _3", Rvalue::Reference(Place::of(Local(3)), false)),
            ("discriminant(_3)", Rvalue::Discriminant(Place::of(Local(3)))),
            ("RangeFull", made("RangeFull", vec![])),
            ("Option::<A<'_, B>>::Some(copy _30)", made("Option::<A<'_, B>>::Some", vec![local(30)])),
            ("(move _1, const 2_u32)", made("", vec![local(1), constant("2_u32")])),
            ("[move _1; 4]", made("", vec![local(1)])),
            ("S(f::<A>, const 1_u8)", made("S", vec![constant("f::<A>"), constant("1_u8")])),
            ("Add(copy _1, copy _2)", made("Add", vec![local(1), local(2)])),
            (
                "{coroutine@src/lib.rs:21:40: 30:6 (#0)} { self: copy _1 }",
                made("{coroutine@src/lib.rs:21:40: 30:6 (#0)}", vec![local(1)]),
            ),
            ("{closure@src/lib.rs:1:2: 3:4}", made("{closure@src/lib.rs:1:2: 3:4}", vec![])),
            (
                "move _4 as Pin<Box<dyn Fn(A) -> B>> (PointerCoercion(Unsize, Implicit))",
                Rvalue::Cast(local(4), Ty::read("Pin<Box<dyn Fn(A) -> B>>")),
            ),
            (
                "f::<u8> as fn(u8) -> u8 (PointerCoercion(ReifyFnPointer, AsCast))",
                Rvalue::Cast(constant("f::<u8>"), Ty::read("fn(u8) -> u8")),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(Rvalue::read(text), Some(expected), "{text}");
        }
        for text in ["", "&3", "move 3", "frobnicate _3"] {
            assert_eq!(Rvalue::read(text), None, "{text}");
        }
    }
}
