//! What the tasks, objects and places of a trace are called, event by event, for those who look at it.

use super::context::Moment;
use super::recent::Recent;
use super::scene::Scene;
use super::sources::Sources;
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, TaskId};
use rvcheck_event::kind::Sort;
use rvcheck_event::observer::Observer;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_spec::Witness;

/// See the module. It has to observe the events before it is asked about them.
pub struct Labels<'a> {
    sources: &'a Sources,
    recent: Recent,
}

impl<'a> Labels<'a> {
    pub(super) fn new(sources: &'a Sources) -> Labels<'a> {
        Labels { sources, recent: Recent::new(0) }
    }

    fn ask<R>(&self, event: &Event, world: &World, question: impl FnOnce(&Scene<'_>) -> R) -> R {
        let witness = Witness { first: vec![*event], ..Witness::default() };
        question(&Scene::of(self.sources, Moment { world, recent: &self.recent }, &witness))
    }

    /// What people call a value at an event, without article and marks: `task spawned in Journal::append`, `self.db.state`.
    pub fn name(&self, value: Value, event: &Event, world: &World) -> String {
        plain(&self.ask(event, world, |scene| scene.name(value)))
    }

    /// The same of a task.
    pub fn task(&self, task: TaskId, event: &Event, world: &World) -> String {
        self.name(Value::object(Sort::Task, task.0), event, world)
    }

    /// `file:line:column` in the source, where it is known.
    pub fn place(&self, site: SiteId, event: &Event, world: &World) -> Option<String> {
        self.ask(event, world, |scene| scene.position(site))
    }

    /// What is called at a site, as the source says.
    pub fn call(&self, event: &Event, world: &World) -> Option<String> {
        self.ask(event, world, |scene| scene.call(event.site).map(str::to_owned))
    }
}

impl Observer for Labels<'_> {
    fn observe(&mut self, event: &Event, world: &World) {
        self.recent.observe(event, world);
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        self.recent.collect(dead);
    }
}

/// The words of a sentence as the name of something.
fn plain(text: &str) -> String {
    let text = ["the ", "an ", "a "].iter().find_map(|it| text.strip_prefix(it)).unwrap_or(text);
    text.replace('`', "")
}
