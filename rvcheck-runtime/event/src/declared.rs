//! Events that are not built in but declared, such as those that a program reports of itself.

use crate::kind::Sort;

/// A declared event: its name and its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The name.
    pub name: String,
    /// The parameters with their sorts, in the order in which patterns and traces give their values.
    pub params: Vec<(String, Sort)>,
}

/// What a message of a lifestate calls the value that is returned, which comes before the parameters.
pub const RESULT: &str = "result";

impl Declared {
    /// The place of the parameter of that name. Messages, whose names have a space, also know their parameters by their numbers: `1` is
    /// the first one, behind the result.
    pub fn place(&self, name: &str) -> Option<usize> {
        let named = self.params.iter().position(|(it, _)| it == name);
        let number = || {
            let number: usize = name.parse().ok().filter(|it| *it > 0)?;
            let results = usize::from(self.params.first().is_some_and(|(it, _)| it == RESULT));
            let place = number - 1 + results;
            (self.name.contains(' ') && place < self.params.len()).then_some(place)
        };
        named.or_else(number)
    }

    /// What happens when the program says that the proposition `name` holds. A name in a spec has no space, so that nothing else is
    /// called so.
    pub fn set(name: &str, params: Vec<(String, Sort)>) -> Declared {
        Declared { name: format!("set {name}"), params }
    }

    /// What happens when the program says that the proposition `name` holds no longer.
    pub fn clear(name: &str, params: Vec<(String, Sort)>) -> Declared {
        Declared { name: format!("clear {name}"), params }
    }
}
