//! Slots: places without the types that their text repeats, so that they can be compared.

use crate::mir::{Local, Place, Projection};

/// A step from a value to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Selector {
    /// What it points to.
    Deref,
    /// A field. Which variant it is a field of is not distinguished.
    Field(u32),
    /// The part of a state machine that is kept for this suspension and perhaps others.
    State(u32),
    /// Some element of an array or slice.
    Element,
}

/// A local and the steps to a part of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot {
    /// The local.
    pub local: Local,
    /// The steps.
    pub steps: Vec<Selector>,
}

impl Slot {
    /// A whole local.
    pub const fn of(local: Local) -> Slot {
        Slot { local, steps: Vec::new() }
    }

    /// The slot of a place.
    pub fn at(place: &Place) -> Slot {
        let steps = place.projections.iter().filter_map(|it| match it {
            Projection::Deref => Some(Selector::Deref),
            Projection::Field(number, _) => Some(Selector::Field(*number)),
            Projection::Variant(name) => name.strip_prefix("variant#")?.parse().ok().map(Selector::State),
            Projection::Element => Some(Selector::Element),
        });
        Slot { local: place.local, steps: steps.collect() }
    }

    /// This slot and some steps more.
    #[must_use]
    pub fn with(&self, steps: &[Selector]) -> Slot {
        Slot { local: self.local, steps: self.steps.iter().chain(steps).copied().collect() }
    }

    /// The steps from the other slot to this one, if it is a part of that.
    pub fn within(&self, other: &Slot) -> Option<&[Selector]> {
        if self.local != other.local {
            return None;
        }
        self.steps.strip_prefix(other.steps.as_slice())
    }
}
