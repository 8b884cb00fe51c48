//! The events of the program's own that a formula knows, by their declarations.

use std::collections::HashMap;

use rvcheck_event::declared::Declared;
use rvcheck_event::event::Event;
use rvcheck_event::id::StringId;
use rvcheck_event::value::Value;

use crate::semantics::facts::Facts;

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct OwnEvents {
    declared: Vec<(String, usize)>,
    /// By the name's number in the trace: how many arguments count.
    counts: HashMap<u32, usize>,
    /// The last name, and its count.
    last: (u32, usize),
}

impl OwnEvents {
    /// Events with these declarations.
    pub(super) fn new(declared: &[Declared]) -> OwnEvents {
        OwnEvents {
            declared: declared.iter().map(|it| (it.name.clone(), it.params.len())).collect(),
            counts: HashMap::new(),
            last: (u32::MAX, 0),
        }
    }

    /// Whether none is declared.
    pub(super) fn are_none(&self) -> bool {
        self.declared.is_empty()
    }

    /// The arguments that an event of the program's own has by its declaration.
    #[inline]
    pub(super) fn arguments<'f, F: Facts>(&mut self, event: &Event, facts: &'f F) -> &'f [Value] {
        if self.last.0 != event.object {
            let count = *self.counts.entry(event.object).or_insert_with(|| {
                let name = facts.text(StringId(event.object));
                let found = self.declared.iter().find(|(it, _)| Some(it.as_str()) == name);
                found.map_or(0, |(_, count)| *count)
            });
            self.last = (event.object, count);
        }
        let arguments = facts.arguments(event);
        &arguments[..self.last.1.min(arguments.len())]
    }
}
