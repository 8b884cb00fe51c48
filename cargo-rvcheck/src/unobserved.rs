//! Functions and messages that should be events and are not recorded, and what that leaves open.
//!
//! What is not recorded may have happened. So nothing that speaks of it is decided by what was recorded: it was neither violated nor
//! kept, and it stops nothing.

use crate::inject::member_file::MemberFile;
use rvcheck_source::observe::Observation;
use rvcheck_spec::Property;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A function or a message that should be an event, and is not recorded, or not always.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unobserved {
    /// The name of the event.
    pub event: String,
    /// The path of the function, or of the variant.
    pub function: String,
    /// Why, as a clause.
    pub reason: String,
}

impl Unobserved {
    /// The functions that are not recorded in this file; `as_it_is` tells why nothing is recorded in all of it, if that is so.
    pub fn in_file(file: &MemberFile, as_it_is: Option<&str>) -> Vec<Unobserved> {
        let observed = file.rewritten.observed.iter();
        let found = observed.filter_map(|it| {
            let reason = it.unmonitored.as_deref().or(as_it_is)?.to_owned();
            Some(Unobserved { event: it.event.clone(), function: it.function.clone(), reason })
        });
        found.collect()
    }

    /// The functions that are to be events now, and were none when a run was recorded.
    pub fn since(recorded: &[Observation], now: &[Observation]) -> Vec<Unobserved> {
        let missing = now.iter().filter(|it| !recorded.contains(it));
        let found = missing.map(|it| Unobserved {
            event: it.event.clone(),
            function: it.path.to_string(),
            reason: "the run was recorded without it".to_owned(),
        });
        found.collect()
    }

    /// The messages of this file's enums, where those through some channels are not seen.
    pub fn messages_in(file: &MemberFile, reason: &str) -> Vec<Unobserved> {
        let messages = file.rewritten.observed.iter().filter(|it| it.is_message);
        let found = messages.map(|it| Unobserved {
            event: it.event.clone(),
            function: it.function.clone(),
            reason: reason.to_owned(),
        });
        found.collect()
    }
}

/// The properties that are not decided by what is recorded, by their ids, each with a function that is missing. One that takes what
/// such a property emits is not decided either.
pub fn in_doubt<'a>(
    properties: &'a [Property],
    unobserved: &'a [Unobserved],
) -> BTreeMap<&'a str, &'a Unobserved> {
    let mut missing: BTreeMap<&str, &Unobserved> = BTreeMap::new();
    for it in unobserved {
        missing.entry(&it.event).or_insert(it);
    }
    let read: Vec<(&Property, BTreeSet<&str>)> = properties.iter().map(|it| (it, it.own_events())).collect();
    let mut found = BTreeMap::new();
    loop {
        let known = found.len();
        for (property, events) in &read {
            let Some(function) = events.iter().find_map(|it| missing.get(it).copied()) else { continue };
            found.entry(property.id()).or_insert(function);
            for event in property.emitted() {
                missing.entry(event).or_insert(function);
            }
        }
        if found.len() == known {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specs::read;

    const FILE: &str = r#"
        schema = 1
        [events]
        opened = ["n: int"]
        settled = ["n: int"]
        late = ["n: int"]
        other = []
        [[property]]
        id = "formula"
        logic = "ltl"
        formula = "forall n: int . G (opened(n) -> F settled(n))"
        [[property]]
        id = "emits"
        logic = "automaton"
        params = ["n: int"]
        initial = "a"
        bad = ["b"]
        transitions = ["a -- opened(n) / emit late(n) --> b"]
        [[property]]
        id = "takes"
        logic = "automaton"
        params = ["n: int"]
        initial = "a"
        bad = ["b"]
        transitions = ["a -- late(n) --> b"]
        [[property]]
        id = "elsewhere"
        logic = "ltl"
        formula = "G !other()"
    "#;

    #[test]
    fn what_speaks_of_a_missing_function_is_in_doubt_and_so_is_what_takes_its_events() {
        let specs = read(&[("own.toml".to_owned(), FILE.to_owned())]);
        assert!(specs.problems.is_empty(), "{:?}", specs.problems);
        let properties: Vec<Property> = specs.properties.into_iter().map(|it| it.compiled).collect();
        let missing = |event: &str| Unobserved {
            event: event.to_owned(),
            function: format!("shop::{event}"),
            reason: "the compiler may evaluate a `const fn`".to_owned(),
        };
        let cases: [(&str, &[&str]); 4] = [
            ("opened", &["emits", "formula", "takes"]),
            ("settled", &["formula"]),
            ("other", &["elsewhere"]),
            ("unknown", &[]),
        ];
        for (event, expected) in cases {
            let unobserved = [missing(event)];
            let found: Vec<&str> = in_doubt(&properties, &unobserved).into_keys().collect();
            assert_eq!(found, expected, "{event}");
        }
    }
}
