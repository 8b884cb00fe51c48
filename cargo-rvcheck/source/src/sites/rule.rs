//! How the calls of one kind of site are distinguished from other calls.
//!
//! Types are not known here, so a site is found by its name and its shape. Where that is not enough the name is left
//! out: a place that is missed only lacks a name in reports, while one too many is counted as unmonitored.

use crate::call::{Call, Shape};

/// Calls with these names and this form.
pub(super) struct Rule {
    pub(super) names: &'static [&'static str],
    pub(super) form: Form,
}

/// The form of a call.
pub(super) enum Form {
    /// `receiver.name(..)`, or `Type::name(receiver, ..)` with one of these types.
    Method { arguments: Arguments, types: &'static [&'static str] },
    /// `owner::name(..)`, where the path is taken as imported.
    Function {
        /// The segment before the name is one of these.
        owners: &'static [&'static str],
        /// The first segment is none of these.
        foreign: &'static [&'static str],
    },
}

/// The arguments of a method besides its receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arguments {
    None,
    Some,
}

impl Rule {
    pub(super) const fn method(names: &'static [&'static str], arguments: Arguments) -> Rule {
        Rule { names, form: Form::Method { arguments, types: &[] } }
    }

    pub(super) const fn method_of(
        types: &'static [&'static str],
        names: &'static [&'static str],
        arguments: Arguments,
    ) -> Rule {
        Rule { names, form: Form::Method { arguments, types } }
    }

    pub(super) const fn function(owners: &'static [&'static str], names: &'static [&'static str]) -> Rule {
        Rule { names, form: Form::Function { owners, foreign: &[] } }
    }

    /// Whether a call, whose name is known to be one of the rule's, has its form. The path is the resolved one.
    pub(super) fn accepts(&self, call: &Call<'_>, path: &[&str]) -> bool {
        let owner = path.len().checked_sub(2).and_then(|index| path.get(index));
        match (&self.form, &call.shape) {
            (Form::Method { arguments, .. }, Shape::Method { .. }) => {
                call.has_arguments == (*arguments == Arguments::Some)
            }
            (Form::Method { types, .. }, Shape::Function { .. }) => {
                call.has_arguments && owner.is_some_and(|owner| types.contains(owner))
            }
            (Form::Function { owners, foreign }, Shape::Function { .. }) => {
                owner.is_some_and(|owner| owners.contains(owner))
                    && path.first().is_some_and(|root| !foreign.contains(root))
            }
            (Form::Function { .. }, Shape::Method { .. }) => false,
        }
    }
}
