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

/// What the names of the messages between a program and a library begin with.
const LIBRARY_MESSAGES: [&str; 6] = ["cb ", "cbret ", "ci ", "ciret ", "dis ci ", "dis ciret "];

impl Declared {
    /// The place of the parameter of that name, which is the `given`th one of a trace. Messages between a program and a library also know
    /// their parameters by their numbers: `1` is the first one, behind the result. A name that such a message does not know stands for
    /// the place at which it is given, because rules call a parameter as they like.
    pub fn place(&self, name: &str, given: usize) -> Option<usize> {
        let named = self.params.iter().position(|(it, _)| it == name);
        if named.is_some() || !LIBRARY_MESSAGES.iter().any(|it| self.name.starts_with(it)) {
            return named;
        }
        let results = usize::from(self.params.first().is_some_and(|(it, _)| it == RESULT));
        let number = name.parse::<usize>().ok().filter(|it| *it > 0);
        let place = number.map_or(given, |it| it - 1 + results);
        (place < self.params.len()).then_some(place)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_a_library_know_parameters_by_name_by_number_and_by_place() {
        let of = |name: &str, params: &[&str]| Declared {
            name: name.to_owned(),
            params: params.iter().map(|it| ((*it).to_owned(), Sort::Any)).collect(),
        };
        let call = of("ciret A::f", &["result", "s", "_2"]);
        let cases =
            [("result", 2, Some(0)), ("s", 0, Some(1)), ("2", 0, Some(2)), ("t", 1, Some(1)), ("t", 3, None)];
        for (name, given, place) in cases {
            assert_eq!(call.place(name, given), place, "{name}");
        }
        for other in [of("send A::f", &["s"]), of("items", &["s"])] {
            assert_eq!(
                (other.place("s", 3), other.place("t", 0), other.place("1", 0)),
                (Some(0), None, None)
            );
        }
    }
}
