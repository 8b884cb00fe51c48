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

impl Declared {
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
