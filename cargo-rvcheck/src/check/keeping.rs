//! What the source says that tasks and threads keep where they wait.

use super::sources::{CompiledSite, Sources};
use crate::analysis::is_body_of;
use crate::analysis::keeping::{KeptAt, Line};
use crate::recorded::Recorded;
use crate::waits::{Ends, Frames};
use rvcheck_event::id::SiteId;
use rvcheck_event::world::World;
use rvcheck_source::facts::keeping::Class;
use std::collections::BTreeSet;

/// What the source of a run says of ends.
pub fn ends(recorded: &Recorded) -> Box<dyn Ends + Send + Sync> {
    Box::new(Sources::read(recorded))
}

impl Sources {
    fn line_of(&self, site: SiteId, world: &World) -> Option<Line> {
        let place = world.names().site(site).filter(|it| it.position.is_known())?;
        let location = self.place(CompiledSite::of(place), "").location;
        Some(Line { file: location.file, line: location.line })
    }

    /// What is kept at places of one line, if they are all in one function, and that function.
    fn kept_at(&self, at: &Line, blocks: bool) -> Option<(&str, Vec<&KeptAt>)> {
        let all = self.keeping.kept.iter().filter(|it| it.blocks == blocks && it.at == *at);
        let all: Vec<&KeptAt> = all.collect();
        let item = all.first()?.item.as_str();
        all.iter().all(|it| it.item == item).then_some((item, all))
    }

    /// What the function keeps that a macro makes of `async fn main` and that has no place of its own.
    fn kept_by_main(&self) -> Option<BTreeSet<Class>> {
        let mut all = self.keeping.kept.iter().filter(|it| it.blocks && it.item == "main");
        all.next().filter(|_| all.next().is_none())?.keeps.clone()
    }

    fn kept_by_task(&self, sites: &[SiteId], runs: &str, world: &World) -> Option<BTreeSet<Class>> {
        let mut found = BTreeSet::new();
        let mut inner: Option<&str> = None;
        for site in sites {
            let (item, all) = self.kept_at(&self.line_of(*site, world)?, false)?;
            // A target in which nobody spawns it says no more than the others.
            if site == sites.last()? && !all.iter().any(|it| it.is_root) {
                return None;
            }
            for it in all {
                let keeps = match (inner, &it.beside) {
                    (None, _) => it.keeps.clone()?,
                    (Some(inner), Some((of, beside))) if of == inner => beside.clone()?,
                    _ => return None,
                };
                found.extend(keeps);
            }
            inner = Some(item);
        }
        inner.is_some_and(|it| is_body_of(runs, it)).then_some(found)
    }
}

impl Ends for Sources {
    fn kept(&self, frames: Frames<'_>, world: &World) -> Option<BTreeSet<Class>> {
        match frames {
            Frames::Task { sites, runs } => self.kept_by_task(&sites, runs, world),
            Frames::Thread { at, drives } => {
                match self.line_of(at, world).and_then(|it| self.kept_at(&it, true)) {
                    Some((_, all)) => {
                        let each: Option<Vec<_>> = all.into_iter().map(|it| it.keeps.clone()).collect();
                        Some(each?.into_iter().flatten().collect())
                    }
                    None if drives => self.kept_by_main(),
                    None => None,
                }
            }
        }
    }

    fn statics(&self, takes_locks: bool) -> Option<BTreeSet<Class>> {
        let keeping = &self.keeping;
        if keeping.crates > 0 {
            keeping.hidden.of_statics(takes_locks)
        } else {
            (!takes_locks).then(BTreeSet::new)
        }
    }

    fn hidden(&self) -> Option<BTreeSet<Class>> {
        let keeping = &self.keeping;
        if keeping.crates > 0 { keeping.hidden.all() } else { None }
    }

    fn made(&self, born: SiteId, world: &World) -> Option<BTreeSet<Class>> {
        let line = self.line_of(born, world)?;
        let mut all = self.keeping.made.iter().filter(|it| it.at == line).peekable();
        all.peek()?;
        Some(all.flat_map(|it| it.classes.iter().cloned()).collect())
    }
}
