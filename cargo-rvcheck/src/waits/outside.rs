//! Who is outside of a set of those who wait for each other, and what these could do for it.

use super::follow::{Doing, Phase};
use super::{Standing, Waits};
use rvcheck_event::id::{ObjectId, SiteId, TaskId};
use rvcheck_event::kind::What;
use rvcheck_event::world::World;
use rvcheck_source::facts::keeping::Class;
use std::collections::BTreeSet;
use std::fmt;

/// Where a task or thread is that waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Frames<'w> {
    /// A thread that is blocked.
    Thread {
        /// Where.
        at: SiteId,
        /// It is the main thread, and drives a future.
        drives: bool,
    },
    /// A task.
    Task {
        /// The awaits that it is at, the innermost first.
        sites: Vec<SiteId>,
        /// The type of its future.
        runs: &'w str,
    },
}

/// What is known of ends by the source.
pub trait Ends {
    /// The classes of what is kept by whoever is there; `None` where that is not known.
    fn kept(&self, frames: Frames<'_>, world: &World) -> Option<BTreeSet<Class>>;
    /// The classes of what statics keep for code that may take their locks or does not, as far as that is known; `None` where it may be
    /// anything.
    fn statics(&self, takes_locks: bool) -> Option<BTreeSet<Class>>;
    /// The classes of what statics and code of others keep; `None` where that is not known.
    fn hidden(&self) -> Option<BTreeSet<Class>>;
    /// The classes of the channels that are made there; `None` where that is not known.
    fn made(&self, born: SiteId, world: &World) -> Option<BTreeSet<Class>>;
}

/// What is known of ends, if anything.
#[derive(Clone, Copy, Default)]
pub(super) struct Known<'a>(pub(super) Option<&'a dyn Ends>);

impl fmt::Debug for Known<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Known").field(&self.0.is_some()).finish()
    }
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Outside<'a> {
    known: Known<'a>,
    /// Somebody may have anything.
    anything: bool,
    kept: BTreeSet<Class>,
}

impl<'a> Outside<'a> {
    /// Nobody but whoever may use statics, which is any code of the process, such as the next test. What is behind the lock of a static got
    /// there only where that was taken.
    pub(super) fn knowing(known: Known<'a>, locks_static: bool) -> Outside<'a> {
        let kept = match known.0 {
            Some(ends) => ends.statics(locks_static),
            None => (!locks_static).then(BTreeSet::new),
        };
        Outside { known, anything: kept.is_none(), kept: kept.unwrap_or_default() }
    }

    /// Somebody of whom nothing is known.
    pub(super) fn add_unknown(&mut self) {
        self.anything = true;
    }

    /// Whoever may use what statics and code of others keep.
    pub(super) fn add_hidden(&mut self) {
        match self.known.0.and_then(Ends::hidden) {
            Some(hidden) => self.kept.extend(hidden),
            None => self.anything = true,
        }
    }

    /// This one.
    pub(super) fn add(&mut self, task: TaskId, standing: Option<&Standing>, waits: &Waits, world: &World) {
        let Some(ends) = self.known.0.filter(|_| !self.anything) else {
            self.anything = true;
            return;
        };
        self.add_hidden();
        let doing = waits.tasks.get(&task);
        let frames = doing.and_then(|it| frames(task, it, standing, world));
        match frames.and_then(|it| ends.kept(it, world)) {
            Some(kept) => self.kept.extend(kept),
            None => self.anything = true,
        }
    }

    /// Whether somebody may have something of that class.
    pub(super) fn has(&self, class: &Class) -> bool {
        self.anything || self.kept.contains(class)
    }

    /// Whether somebody may have an end of the channel.
    pub(super) fn has_end(&self, id: ObjectId, world: &World) -> bool {
        if self.anything {
            return true;
        }
        let born = world.object(id).map(|it| it.born_at);
        let made = born.and_then(|it| self.known.0?.made(it, world));
        let any = BTreeSet::from([Class::Channel(None)]);
        let made = made.unwrap_or(any);
        self.kept.iter().any(|kept| made.iter().any(|it| it.may_be(kept)))
    }
}

/// Where it is, if that is known.
fn frames<'w>(
    task: TaskId,
    doing: &Doing,
    standing: Option<&Standing>,
    world: &'w World,
) -> Option<Frames<'w>> {
    match (doing.phase, doing.blocks.last()) {
        (_, Some(block)) => match standing? {
            Standing::Runs(_) | Standing::Unbegun => None,
            _ if doing.awaits.is_empty() => {
                let mut main = world.names().threads().filter(|it| it.1.name == "main");
                let drives = block.what == What::BlockOn && main.any(|it| it.1.task == task);
                Some(Frames::Thread { at: block.site, drives })
            }
            _ => None,
        },
        (Phase::Suspended { .. }, None) => {
            let sites: Vec<SiteId> = doing.awaits.iter().map(|it| it.0).collect();
            let runs = world.names().text(world.task(task)?.runs);
            (!sites.is_empty()).then_some(Frames::Task { sites, runs })
        }
        _ => None,
    }
}
