//! Lifestates over a whole trace: whether it fits them, and what other orders of its callbacks could do.

pub(super) mod orders;
mod predicted;
pub(super) mod text;
mod validated;

use super::LifestateUse;
use super::context::FindingContext;
use super::process::Checked;
use rvcheck_event::event::Event;
use rvcheck_event::observer::Observer;
use rvcheck_event::stream::EventStream;
use rvcheck_event::world::World;

/// Adds what is wanted of the lifestates among the properties. `events` gives the events of the process once more; `whole` is whether none
/// were lost.
pub(super) fn add<S: EventStream>(
    wanted: LifestateUse,
    context: &FindingContext<'_>,
    (events, whole): (impl Fn() -> S, bool),
    checked: &mut Checked,
) {
    for (index, property) in context.properties.iter().enumerate() {
        let Some(lifestate) = property.lifestate() else { continue };
        match wanted {
            LifestateUse::Monitor => {}
            LifestateUse::Validate => {
                validated::add((index, lifestate), context, (events(), whole), checked);
            }
            LifestateUse::Predict(states) => {
                predicted::add((index, lifestate), states, context, (events(), whole), checked);
            }
        }
    }
}

/// Hands over each event, with the world right after it.
fn feed(events: &mut impl EventStream, step: impl FnMut(&Event, &World)) {
    struct Feed<F>(F);

    impl<F: FnMut(&Event, &World)> Observer for Feed<F> {
        fn observe(&mut self, event: &Event, world: &World) {
            self.0(event, world);
        }
    }

    events.feed(&mut Feed(step));
}
