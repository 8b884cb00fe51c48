//! A count, a flag or an entry that stands for a permit, and is not given back if the function fails: others are turned away, or wait for
//! it forever.

use super::super::{Certainty, Hit};
use crate::facts::partial_updates::effect::{Change, Effects};
use crate::facts::partial_updates::refusal::{How, Refusal, refusal};
use crate::facts::partial_updates::restored::Restorers;
use crate::facts::partial_updates::state::Reach;
use crate::facts::partial_updates::{PartialUpdate, failed_at, left_by_failing};
use crate::program::Program;
use crate::program::code_ref::{call_or_await, call_ref};
use std::collections::BTreeSet;

/// Finds such permits.
pub(super) fn check(effects: &Effects<'_>) -> Vec<Hit> {
    let program = effects.program;
    let restorers = Restorers::default();
    let mut known = BTreeSet::new();
    let mut hits = Vec::new();
    for (id, _) in program.functions() {
        for update in left_by_failing(effects, &restorers, id) {
            // What a future has of its own matters to nothing once it is ready.
            let is_its_own = update.effect.state.whose() < Reach::Shared;
            if is_its_own && program.trait_of(id) == Some("Future") {
                continue;
            }
            let Some(refusal) = refusal(effects, &update) else { continue };
            // Permits of a semaphore are another rule's, and of entries it matters how many there are.
            let stands_for_one = match update.effect.change {
                Change::Up(_) | Change::Down(_) | Change::Set(_) => true,
                Change::Put => {
                    update.effect.key.is_some() && matches!(refusal.how, How::TurnedAway | How::Fails)
                }
                _ => false,
            };
            if !stands_for_one {
                continue;
            }
            let hit = hit(program, &update, &refusal);
            hits.extend(known.insert(hit.primary.0.clone()).then_some(hit));
        }
    }
    hits
}

fn hit(program: &Program, update: &PartialUpdate, refusal: &Refusal) -> Hit {
    let effect = &update.effect;
    let consequence = match refusal.how {
        How::Waits => "others wait for it forever",
        How::TurnedAway => "later callers are turned away",
        How::Fails => "later callers get an error",
        How::Panics => "later callers panic",
        How::Starves => "later callers rely on a wrong count",
    };
    let block = if effect.at.0 == update.body { effect.shown } else { effect.block };
    let fails = failed_at(program.function(update.body), update.between);
    let mut related = vec![(call_or_await(program, update.body, fails), "may fail here".to_owned())];
    if effect.at.0 != update.body {
        related.push((call_ref(program, effect.at.0, effect.shown), "taken here".to_owned()));
    }
    related
        .push((call_or_await(program, update.body, update.undone), "given back here on success".to_owned()));
    if (refusal.body, refusal.at) != (update.body, effect.block) {
        related.push((
            call_ref(program, refusal.body, refusal.at),
            "what is left behind is checked here".to_owned(),
        ));
    }
    Hit {
        certainty: Certainty::Usually,
        message: format!("what is taken here is not given back if the function fails: {consequence}"),
        primary: (call_or_await(program, update.body, block), "taken here".to_owned()),
        related,
        advice: "give it back in the `Drop` of a guard, or before the error is returned".to_owned(),
    }
}
