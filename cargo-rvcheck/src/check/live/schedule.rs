//! Which formulas a program has had checked, from where to where: from its calls to the stretches of each unit's trace.

use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::observer::Observer;
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::merge;
use rvcheck_event::trace::read::Trace;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use std::collections::{BTreeSet, HashMap};

/// What a call asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// To check a formula, here or also over what was recorded before.
    Check { formula: Formula, tail: bool },
    /// Not to check it any more.
    Remove,
}

/// The text of a formula, as far as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Formula {
    /// All of it.
    Whole(String),
    /// It was too long.
    Cut,
    /// It was lost, with other records.
    Lost,
}

/// A call of `check` or `remove`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) request: Request,
    pub(super) name: String,
    pub(super) unit: UnitId,
    pub(super) site: SiteId,
    /// How many events the unit had before it.
    pub(super) at: u64,
}

/// A stretch of a unit's trace over which a formula is checked. Places are counts of the unit's events before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) name: String,
    pub(super) formula: Formula,
    /// It begins with the unit, before it was asked for.
    pub(super) tail: bool,
    pub(super) unit: UnitId,
    pub(super) site: SiteId,
    pub(super) from: u64,
    /// Where it was removed, if it was.
    pub(super) to: Option<u64>,
}

/// A call that asks for what cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) name: String,
    pub(super) unit: UnitId,
    pub(super) site: SiteId,
    pub(super) reason: &'static str,
}

/// The calls of a trace, in its order.
pub(super) fn calls(trace: &Trace<'_>) -> Vec<Call> {
    // Most programs make none, and need not be gone through twice.
    if !trace.names().texts().any(|it| split(it).is_some()) {
        return Vec::new();
    }
    let mut calls = Calls::default();
    merge::events(trace).feed(&mut calls);
    calls.all
}

/// The calls so far.
#[derive(Default)]
struct Calls {
    all: Vec<Call>,
    /// How many events each unit has had.
    counts: HashMap<UnitId, u64>,
}

impl Observer for Calls {
    fn observe(&mut self, event: &Event, _: &World) {
        *self.counts.entry(event.unit).or_default() += 1;
    }

    fn control(&mut self, event: &Event, world: &World) {
        let at = self.counts.get(&event.unit).copied().unwrap_or(0);
        self.all.extend(call(event, world, at));
    }
}

/// The word and the name of a call.
fn split(text: &str) -> Option<(&str, &str)> {
    text.split_once(' ').filter(|(word, _)| ["check", "check-tail", "remove"].contains(word))
}

fn call(event: &Event, world: &World, at: u64) -> Option<Call> {
    let (word, name) = split(world.names().text(rvcheck_event::id::StringId(event.object)))?;
    let formula = || match *world.arguments() {
        [Value::Str(text), Value::Int(length)] => {
            let text = world.names().text(text);
            if usize::try_from(length) == Ok(text.len()) {
                Formula::Whole(text.to_owned())
            } else {
                Formula::Cut
            }
        }
        _ => Formula::Lost,
    };
    let request = match word {
        "remove" => Request::Remove,
        word => Request::Check { formula: formula(), tail: word == "check-tail" },
    };
    Some(Call { request, name: name.to_owned(), unit: event.unit, site: event.site, at })
}

/// What these calls come to. `taken` are the names of other properties.
pub(super) fn schedule(calls: &[Call], taken: &BTreeSet<&str>) -> (Vec<Stretch>, Vec<Refused>) {
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut refused = Vec::new();
    let mut open: HashMap<(UnitId, &str), usize> = HashMap::new();
    for call in calls {
        let key = (call.unit, call.name.as_str());
        match &call.request {
            Request::Remove => {
                if let Some(index) = open.remove(&key) {
                    stretches[index].to = Some(call.at);
                }
            }
            Request::Check { formula, tail } => {
                let refuse =
                    |reason| Refused { name: call.name.clone(), unit: call.unit, site: call.site, reason };
                if taken.contains(call.name.as_str()) {
                    refused.push(refuse("a property of this name is in a property file"));
                } else if let Some(known) = open.get(&key).map(|index| &stretches[*index]) {
                    // The same once more is one and the same.
                    if (&known.formula, known.tail) != (formula, *tail) {
                        refused.push(refuse("another one of this name is being checked"));
                    }
                } else {
                    open.insert(key, stretches.len());
                    stretches.push(Stretch {
                        name: call.name.clone(),
                        formula: formula.clone(),
                        tail: *tail,
                        unit: call.unit,
                        site: call.site,
                        from: if *tail { 0 } else { call.at },
                        to: None,
                    });
                }
            }
        }
    }
    (stretches, refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls from lines such as `1@5 check p: G a()` and `1@7 remove p`.
    fn of_lines(text: &str) -> Vec<Call> {
        let call = |line: &str| {
            let (place, rest) = line.split_once(' ').expect("a place comes first");
            let (unit, at) = place.split_once('@').expect("a place is unit@count");
            let (word, rest) = rest.split_once(' ').expect("a word is followed by a name");
            let (name, formula) = rest.split_once(": ").unwrap_or((rest, ""));
            let whole = Formula::Whole(formula.to_owned());
            let request = match word {
                "remove" => Request::Remove,
                word => Request::Check { formula: whole, tail: word == "check-tail" },
            };
            let number = |text: &str| text.parse().expect("it is a number");
            Call {
                request,
                name: name.to_owned(),
                unit: UnitId(number(unit)),
                site: SiteId::NONE,
                at: u64::from(number(at)),
            }
        };
        text.lines().map(str::trim).filter(|it| !it.is_empty()).map(call).collect()
    }

    /// `unit name from..to` for each stretch, and `! reason` for each call that was refused.
    fn scheduled(text: &str) -> Vec<String> {
        let (stretches, refused) = schedule(&of_lines(text), &BTreeSet::from(["task-leak"]));
        let shown = stretches.iter().map(|it| {
            let to = it.to.map_or_else(String::new, |it| it.to_string());
            format!("{} {} {}..{to}", it.unit.0, it.name, it.from)
        });
        shown.chain(refused.iter().map(|it| format!("! {}", it.reason))).collect()
    }

    #[test]
    fn a_formula_is_checked_from_its_call_to_its_removal_or_the_end() {
        let calls = "
            1@5 check p: G a()
            2@1 check p: G b()
            1@6 check-tail q: F a()
            1@7 remove p
            1@7 remove p
            1@9 check p: G c()
        ";
        assert_eq!(scheduled(calls), ["1 p 5..7", "2 p 1..", "1 q 0..", "1 p 9.."]);
    }

    #[test]
    fn the_same_once_more_is_one_and_another_formula_needs_another_name() {
        let calls = "
            1@5 check p: G a()
            1@6 check p: G a()
            1@7 check p: G b()
            1@8 check-tail p: G a()
            1@9 check task-leak: G a()
        ";
        let another = "! another one of this name is being checked";
        let file = "! a property of this name is in a property file";
        assert_eq!(scheduled(calls), ["1 p 5..", another, another, file]);
    }
}
