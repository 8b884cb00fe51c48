//! What a task waits for, and whether it is known why it went on.
//!
//! The code of a task runs on only when its innermost await is over. So while one still goes on, what runs is another of the
//! task's futures: one that a `join!` or a `select!` polls beside it.

use crate::calls::yields;
use rvcheck_event::event::Event;
use rvcheck_event::id::SiteId;
use rvcheck_event::kind::{EventKind, Timer};
use rvcheck_event::record::flag;
use rvcheck_event::world::World;

/// How many waits of one task are remembered.
const MOST: usize = 16;

/// A wait that goes on: the innermost await of a future.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    /// Its number among the waits of the task, from 1.
    number: u64,
    /// What is waited for, if that is an object.
    object: u32,
    /// Where it is awaited.
    site: SiteId,
    /// Nothing but time lets it go on.
    timer: bool,
    /// It was seen why it goes on.
    explained: bool,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Awaits {
    leaves: Vec<Leaf>,
    begun: u64,
    /// The last event of the task was the beginning of a wait or an await.
    fresh: bool,
}

impl Awaits {
    /// The task waits for this object.
    pub(super) fn wait(&mut self, object: u32) {
        self.leaves.retain(|it| it.object != object);
        self.push(Leaf { number: 0, object, site: SiteId::NONE, timer: false, explained: false });
    }

    /// An await is suspended. It is an innermost one unless another has just begun inside it.
    pub(super) fn begin(&mut self, event: &Event, world: &World) {
        let timer = Timer::of_bits(event.flags & flag::ENUM);
        let timer = yields(event.site, world) || matches!(timer, Some(Timer::Sleep | Timer::Interval));
        if !self.fresh {
            self.push(Leaf { number: 0, object: 0, site: event.site, timer, explained: false });
        } else if let Some(leaf) = self.leaves.last_mut()
            && !leaf.site.is_some()
        {
            leaf.site = event.site;
        }
    }

    fn push(&mut self, leaf: Leaf) {
        self.begun += 1;
        if self.leaves.len() == MOST {
            self.leaves.remove(0);
        }
        self.leaves.push(Leaf { number: self.begun, ..leaf });
    }

    /// An await goes on or was given up. Whether it goes on for a reason that was not seen.
    pub(super) fn end(&mut self, event: &Event) -> bool {
        let Some(at) = self.leaves.iter().rposition(|it| it.site == event.site) else { return false };
        let leaf = self.leaves.remove(at);
        !leaf.timer && !leaf.explained && leaf.object == 0
    }

    /// It was seen why a wait for this object goes on, and whatever other await that lets go on.
    pub(super) fn explained(&mut self, object: u32) {
        self.leaves.retain(|it| it.object == 0 || it.object != object);
        for leaf in &mut self.leaves {
            leaf.explained = true;
        }
    }

    /// How many waits there have been.
    pub(super) fn begun(&self) -> u64 {
        self.begun
    }

    /// The number of the last wait that still goes on.
    pub(super) fn unresolved(&self) -> Option<u64> {
        self.leaves.last().map(|it| it.number)
    }

    /// The task did something.
    pub(super) fn did(&mut self, kind: EventKind) {
        use EventKind as K;
        self.fresh =
            matches!(kind, K::Await | K::SendWait | K::RecvWait | K::SignalWait | K::PermitWait | K::Request);
    }
}
