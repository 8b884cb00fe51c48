//! A task that races with others in a `select!`, loses, and goes on: dropping its handle does not end it, and neither the winner nor the
//! code that started the race can end what it waits for.

use crate::body::FunctionId;
use crate::facts::Facts;
use crate::facts::objects::CallSite;
use crate::facts::termination::{Left, Race, has_owner, left};
use crate::program::code_ref::{await_ref, call_or_await, call_ref};
use crate::rules::{Certainty, Hit};
use std::collections::{BTreeMap, BTreeSet};

/// Finds such tasks that were not reported before.
pub(super) fn check(
    facts: &Facts<'_>,
    filling: &BTreeSet<FunctionId>,
    races: &[Race],
    reported: &BTreeSet<CallSite>,
) -> Vec<Hit> {
    let program = facts.program;
    let mut hits: BTreeMap<CallSite, Hit> = BTreeMap::new();
    for race in races {
        // One that races with a limit of time or an order to stop is given up on purpose.
        if race.rivals.is_empty()
            || reported.contains(&race.task)
            || !has_owner(program, filling, race.task.function)
        {
            continue;
        }
        let is_lost = matches!(left(facts, races, race.task), Some(Left::Raced(_)));
        let Some((body, wait)) = is_lost.then(|| race.goes_on(facts)).flatten() else { continue };
        let places = vec![
            (call_ref(program, race.task.function, race.task.block), "spawned here".to_owned()),
            (call_or_await(program, body, wait), "waits here again and again".to_owned()),
        ];
        if let Some(known) = hits.get_mut(&race.at) {
            known.related.extend(places);
            continue;
        }
        let hit = Hit {
            certainty: Certainty::Usually,
            message: "the task that loses this race goes on forever: its handle is dropped, and nothing ends what it waits for"
                .to_owned(),
            primary: (await_ref(program, race.at.function, race.at.block), "drops the handle of the other task".to_owned()),
            related: places,
            advice: "poll the handles by reference and abort the other task, or spawn both on a `JoinSet`".to_owned(),
        };
        hits.insert(race.at, hit);
    }
    hits.into_values().collect()
}
