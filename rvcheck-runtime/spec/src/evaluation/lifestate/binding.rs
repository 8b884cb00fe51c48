//! Bindings of the variables of a rule: a number for each value, and 0 for whatever no message has told apart yet.

use crate::evaluation::lifestate::values::{ABSENT, Number};
use crate::model::lifestate::{Pattern, Wanted};

/// How many variables a rule can have.
pub(crate) const WIDTH: usize = 8;

/// A binding. A variable that is 0 stands for every value that no greater known binding has there.
pub(crate) type Binding = [Number; WIDTH];

/// Nothing is bound.
pub(crate) const FRESH: Binding = [ABSENT; WIDTH];

/// The smallest binding under which the pattern matches these values, if there is one. Variables from `width` on are only compared.
#[inline]
pub(crate) fn unifier(pattern: &Pattern, values: &[Number]) -> Option<Binding> {
    let mut binding = FRESH;
    for (place, wanted) in pattern.values.iter().enumerate() {
        let value = values.get(place).copied().unwrap_or(ABSENT);
        match wanted {
            Wanted::Any => {}
            Wanted::Constant(constant) if value as usize == constant + 1 => {}
            Wanted::Constant(_) => return None,
            Wanted::Variable(variable) => {
                let bound = &mut binding[*variable];
                if value == ABSENT || *bound != ABSENT && *bound != value {
                    return None;
                }
                *bound = value;
            }
        }
    }
    Some(binding)
}

/// The binding without the variables from `width` on.
#[inline]
pub(crate) fn cut(mut binding: Binding, width: usize) -> Binding {
    binding[width..].fill(ABSENT);
    binding
}

/// Whether everything that `small` binds is the same in `large`.
#[inline]
pub(crate) fn is_part(small: &Binding, large: &Binding) -> bool {
    small.iter().zip(large).all(|(small, large)| *small == ABSENT || small == large)
}

/// What both bind together, if they agree.
#[inline]
pub(crate) fn joined(left: &Binding, right: &Binding) -> Option<Binding> {
    let mut both = *left;
    for (both, right) in both.iter_mut().zip(right) {
        if *both == ABSENT {
            *both = *right;
        } else if *right != ABSENT && *right != *both {
            return None;
        }
    }
    Some(both)
}

/// Which variables are bound, a bit for each.
#[inline]
pub(crate) fn mask(binding: &Binding) -> u8 {
    binding.iter().enumerate().fold(0, |mask, (at, it)| mask | u8::from(*it != ABSENT) << at)
}

/// The binding with these variables alone.
#[inline]
pub(crate) fn restricted(binding: &Binding, to: u8) -> Binding {
    let mut binding = *binding;
    for (at, it) in binding.iter_mut().enumerate() {
        if to >> at & 1 == 0 {
            *it = ABSENT;
        }
    }
    binding
}

/// The subsets of a set of variables, the set itself first and the empty one last.
pub(crate) fn subsets(of: u8) -> impl Iterator<Item = u8> {
    let mut next = Some(of);
    std::iter::from_fn(move || {
        let now = next?;
        next = if now == 0 { None } else { Some((now - 1) & of) };
        Some(now)
    })
}
