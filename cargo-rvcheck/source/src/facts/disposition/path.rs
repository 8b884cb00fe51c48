//! Paths to a part of a value: which place has it, and the way to it from there.
//!
//! References, boxes, pins and locks are seen through, so that a value and what points to it have the same path. The output of a
//! future and what a task gave are parts like any other.

use crate::body::Function;
use crate::mir::{Local, Place, Projection};
use crate::ty::Ty;

/// A step from a value to a part of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Step {
    /// What is in `Ok`.
    Ok,
    /// What is in `Err`.
    Err,
    /// What is in `Some`.
    Some,
    /// What is in `Ready`.
    Ready,
    /// What is in `Continue`, of a `?`.
    Continue,
    /// What is in `Break`, of a `?`.
    Break,
    /// A field, also of a tuple.
    Field(u32),
    /// A variant of another enum.
    Variant(Box<str>),
    /// The part of a state machine that is kept for this suspension and perhaps others.
    State(u32),
    /// An element of a collection, an item of an iterator or stream.
    Element,
    /// What a future gives, or a task when it is joined.
    Output,
}

/// A local, and the steps from it to a part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Path {
    /// The local.
    pub(crate) local: Local,
    /// The steps.
    pub(crate) steps: Vec<Step>,
}

/// How a place lies to the part that is followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Relation<'a> {
    /// It has the part, at the end of these steps.
    Has(&'a [Step]),
    /// It is inside the part.
    Inside,
    /// It is another part of the same value.
    Apart,
    /// It is not known.
    Unknown,
}

impl Path {
    /// The path to a place.
    pub(crate) fn to(function: &Function, place: &Place) -> Path {
        let mut steps = Vec::new();
        let mut ty = function.body.type_of(place.local);
        let mut projections = place.projections.iter().peekable();
        while let Some(projection) = projections.next() {
            match projection {
                Projection::Deref => {
                    ty = ty.pointee();
                }
                Projection::Field(number, of) => {
                    if !is_pointer(ty) {
                        steps.push(Step::Field(*number));
                    }
                    ty = *of;
                }
                Projection::Variant(name) => {
                    let state = name.strip_prefix("variant#").and_then(|it| it.parse().ok());
                    match (state, variant(name)) {
                        (Some(state), _) => steps.push(Step::State(state)),
                        (None, Some(step)) if of_std(ty, &step) => {
                            steps.push(step);
                            if let Some(Projection::Field(0, of)) = projections.peek() {
                                ty = *of;
                                projections.next();
                            }
                        }
                        _ => steps.push(Step::Variant(name.as_str().into())),
                    }
                }
                Projection::Element => {
                    steps.push(Step::Element);
                    ty = ty.argument(0).unwrap_or_default();
                }
            }
        }
        Path { local: place.local, steps }
    }

    /// This path and some steps more.
    pub(crate) fn with(&self, steps: &[Step]) -> Path {
        Path { local: self.local, steps: self.steps.iter().chain(steps).cloned().collect() }
    }

    /// How the place at the end of another path lies to the part at the end of this one.
    pub(crate) fn relation(&self, other: &Path) -> Relation<'_> {
        if self.local != other.local {
            return Relation::Apart;
        }
        let common = self.steps.iter().zip(&other.steps).take_while(|(a, b)| a == b).count();
        match (self.steps.get(common), other.steps.get(common)) {
            (_, None) => Relation::Has(&self.steps[common..]),
            (None, Some(_)) => Relation::Inside,
            (Some(one), Some(other)) if are_siblings(one, other) => Relation::Apart,
            _ => Relation::Unknown,
        }
    }
}

/// Whether two different steps lead to parts that have nothing in common.
fn are_siblings(one: &Step, other: &Step) -> bool {
    use Step::{Break, Continue, Err, Field, Ok, Ready, State, Variant};
    matches!(
        (one, other),
        (Ok | Err, Ok | Err)
            | (Continue | Break, Continue | Break)
            | (Field(_) | State(_), Field(_) | State(_))
            | (Variant(_), Variant(_))
            | (Ready, Ready)
    )
}

/// The step into a variant of std's enums.
pub(crate) fn variant(name: &str) -> Option<Step> {
    Some(match name {
        "Ok" => Step::Ok,
        "Err" => Step::Err,
        "Some" => Step::Some,
        "Ready" => Step::Ready,
        "Continue" => Step::Continue,
        "Break" => Step::Break,
        _ => return None,
    })
}

/// Whether a type can have that variant as one of std's: an enum of the workspace may have one of the same name.
fn of_std(ty: Ty, step: &Step) -> bool {
    let of = match step {
        Step::Ok | Step::Err => "Result",
        Step::Some => "Option",
        Step::Ready => "Poll",
        _ => "ControlFlow",
    };
    let bare = ty.bare_name();
    bare == of || bare.is_empty()
}

/// Whether a type is one of those that a pointer to a value is made of.
fn is_pointer(ty: Ty) -> bool {
    matches!(
        ty.bare_name(),
        "Pin" | "Unique" | "NonNull" | "Box" | "ManuallyDrop" | "MaybeDangling" | "AssertUnwindSafe"
    )
}
