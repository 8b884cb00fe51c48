//! What is known of a call by its name, which the source has and the trace has not.

use rvcheck_event::id::SiteId;
use rvcheck_event::world::World;
use rvcheck_primitives::{Action, Failure, Mode, Operation, named};

/// Whether the call at this place only tries: it says that it would have had to wait. No where nothing is known of it.
pub fn tries(site: SiteId, world: &World) -> bool {
    all(site, world, |it| !it.may_wait() && it.failures.contains(&Failure::Busy))
}

/// Whether something is called at this place at all, as far as the source was read.
pub(crate) fn is_known(site: SiteId, world: &World) -> bool {
    world.names().call(site).is_some()
}

/// Whether the call at this place reads a lock past the writers that wait for it.
pub(crate) fn passes_writers(site: SiteId, world: &World) -> bool {
    all(site, world, |it| it.may_wait() && it.action == Action::Request(Mode::SharedRecursive))
}

/// Whether the call at this place only waits for its turn.
pub(crate) fn yields(site: SiteId, world: &World) -> bool {
    all(site, world, |it| it.action == Action::Yield)
}

/// Whether that is so of every operation of the name that is called there. No where there is none.
fn all(site: SiteId, world: &World, is_so: impl Fn(&Operation) -> bool) -> bool {
    let Some(call) = world.names().call(site) else { return false };
    let rows = named(world.names().text(call));
    !rows.is_empty() && rows.iter().all(|it| is_so(it.operation))
}
