//! What a function is for the rules of a lifestate that name an event instead of a path, and how it refuses calls.

use super::{Argument, Observation};
use std::borrow::Cow;

/// What is observed of one function.
#[derive(Clone, Debug)]
pub(super) struct Meant<'a> {
    /// The number of the observation, in the order in which they were given; `None` for that of an attribute.
    pub(super) number: Option<usize>,
    /// What is recorded.
    pub(super) observation: Cow<'a, Observation>,
}

/// What the observations that name events mean for a function of which these are observed.
///
/// The arguments of the event come behind those that every such message has. Where a function is the event on one side only, it
/// is a message of either direction: a `send` is a callin, and a `receive` a callback, if there are both.
pub(super) fn of_events<'a>(found: &[Meant<'a>], all: &'a [Observation]) -> Vec<Meant<'a>> {
    let mut messages = Vec::new();
    for (number, message) in all.iter().enumerate().filter(|it| it.1.is_of_event()) {
        let is_it = |it: &&Meant<'_>| Some(it.observation.event.as_str()) == message.path.name();
        for event in found.iter().filter(is_it) {
            let mut observation = message.clone();
            observation.arguments.extend(event.observation.arguments.iter().cloned());
            let observation = Cow::Owned(observation);
            if !messages.iter().any(|it: &Meant<'_>| it.observation == observation) {
                messages.push(Meant { number: Some(number), observation });
            }
        }
    }
    messages
}

/// What is recorded once, where several observations say it.
pub(super) fn once<'a>(found: Vec<Meant<'a>>) -> Vec<Meant<'a>> {
    let mut different: Vec<Meant<'a>> = Vec::new();
    for it in found {
        let is_known = |other: &&mut Meant<'_>| other.observation.records_the_same(&it.observation);
        // Two events of a formula are two, whatever their names.
        match different.iter_mut().find(is_known).filter(|_| it.observation.crossing.is_some()) {
            Some(known) => {
                let asked = it.observation.arguments.iter().map(|it| it.is_asked);
                for (argument, is_asked) in known.observation.to_mut().arguments.iter_mut().zip(asked) {
                    argument.is_asked |= is_asked;
                }
            }
            None => different.push(it),
        }
    }
    different
}

/// How a function refuses calls: Rust conditions on the `result`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Refusals {
    /// The conditions, each once.
    pub(super) conditions: Vec<String>,
    /// The variants of which every value is a refusal. At a `?`, nothing more than the variant is known.
    pub(super) variants: Vec<String>,
}

impl Refusals {
    /// Those that observations of the function name.
    pub(super) fn of(found: &[Meant<'_>]) -> Refusals {
        let mut refusals = Refusals::default();
        let arguments = found.iter().flat_map(|it| &it.observation.arguments);
        for Argument { expression, .. } in arguments.filter(|it| it.is_refusal()) {
            if !refusals.conditions.contains(expression) {
                refusals.conditions.push(expression.clone());
                refusals.variants.extend(whole_variants(expression));
            }
        }
        refusals
    }

    /// The condition under which a result is a refusal.
    pub(super) fn condition(&self) -> String {
        self.conditions.join(" || ")
    }
}

/// The variants of which a pattern in `matches!(result, …)` takes every value: `Err` of `Err(_)`.
fn whole_variants(condition: &str) -> Vec<String> {
    let pattern = condition.split_once(',').and_then(|it| it.1.trim().strip_suffix(')')).unwrap_or_default();
    let variant = |it: &str| {
        let it = it.trim();
        let name = it.strip_suffix("(_)").or_else(|| it.strip_suffix("(..)")).unwrap_or(it).trim();
        let name = name.rsplit("::").next().unwrap_or(name);
        let is_name = name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphanumeric);
        is_name.then(|| name.to_owned())
    };
    pattern.split('|').filter_map(variant).collect()
}

/// What begins a body comes before what waits for its end: a call that is stopped is not refused.
pub(super) fn in_order(found: Vec<Meant<'_>>) -> Vec<Meant<'_>> {
    let (ends, begins) = found.into_iter().partition::<Vec<_>, _>(|it| it.observation.moment.is_end());
    begins.into_iter().chain(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::super::pattern::PathPattern;
    use super::super::{Crossing, Direction, Moment, REFUSED, RESULT};
    use super::*;

    fn argument(name: &str, expression: &str) -> Argument {
        Argument::new(name, expression)
    }

    fn meant(event: &str, moment: Moment, arguments: Vec<Argument>) -> Meant<'static> {
        let path = PathPattern::parse("Worker::accept").expect("it is a pattern");
        let observation = Observation::plain(event.to_owned(), path, moment, arguments);
        Meant { number: Some(0), observation: Cow::Owned(observation) }
    }

    fn message(event: &str, name: &str, moment: Moment) -> Observation {
        let path = PathPattern::parse(name).expect("it is a pattern");
        let result = moment.is_end().then(|| argument(RESULT, RESULT));
        let crossing = Some(Crossing { direction: Direction::Callin, of_event: true });
        Observation {
            event: event.to_owned(),
            path,
            moment,
            arguments: result.into_iter().collect(),
            crossing,
        }
    }

    #[test]
    fn a_message_of_an_event_has_what_that_records() {
        let found = [meant("items", Moment::Entry, vec![argument("len", "items.len()")])];
        let all = [
            message("ci items", "items", Moment::Call),
            message("ciret items", "items", Moment::Return),
            message("ci others", "others", Moment::Call),
        ];
        let messages = of_events(&found, &all);
        let shown: Vec<(Option<usize>, &str, Vec<&str>)> = messages
            .iter()
            .map(|it| {
                let arguments = it.observation.arguments.iter().map(|it| it.expression.as_str());
                (it.number, it.observation.event.as_str(), arguments.collect())
            })
            .collect();
        assert_eq!(
            shown,
            [
                (Some(0), "ci items", vec!["items.len()"]),
                (Some(1), "ciret items", vec!["result", "items.len()"])
            ]
        );
    }

    #[test]
    fn what_several_rules_name_is_recorded_once_and_what_stops_comes_first() {
        let all = [message("ciret f", "f", Moment::Return), message("ci f", "f", Moment::Call)];
        let of = |it: &Observation| Meant { number: None, observation: Cow::Owned(it.clone()) };
        let found: Vec<Meant<'_>> = all.iter().chain(&all).map(of).collect();
        let found = in_order(once(found));
        let events: Vec<&str> = found.iter().map(|it| it.observation.event.as_str()).collect();
        assert_eq!(events, ["ci f", "ciret f"]);
        // What one of them looks at is looked at.
        let mut unasked = all[0].clone();
        unasked.arguments[0].is_asked = false;
        for pair in [[&unasked, &all[0]], [&all[0], &unasked]] {
            let found = once(pair.into_iter().map(of).collect());
            let [both] = &*found else { panic!("{found:?}") };
            assert!(both.observation.arguments[0].is_asked);
        }
    }

    #[test]
    fn a_refusal_is_known_by_its_pattern_and_at_a_question_mark_by_its_variant() {
        let cases = [
            ("Err(_)", &["Err"][..]),
            ("Err(..) | None", &["Err", "None"]),
            ("Answer::Full(_)", &["Full"]),
            ("Err(Error::Busy)", &[]),
            ("Err(Error::Busy { .. })", &[]),
            ("false", &[]),
        ];
        for (pattern, variants) in cases {
            let refused = argument(REFUSED, &format!("matches!({RESULT}, {pattern})"));
            let found = [meant("press", Moment::Return, vec![argument("self", "self"), refused])];
            let refusals = Refusals::of(&found);
            assert_eq!(refusals.condition(), format!("matches!(result, {pattern})"));
            assert_eq!(refusals.variants, variants, "{pattern}");
        }
        assert_eq!(Refusals::of(&[]), Refusals::default());
    }
}
