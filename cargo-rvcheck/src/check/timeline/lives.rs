//! The lives of tests and tasks, their polls, and what blocks threads, as slices that lie within each other.

use super::play::{Now, Play};
use super::tracks::{Key, Stack, number, text};
use crate::timeline::{Category, Details, End, Flow, FlowKind, TrackKind};
use rvcheck_event::id::{TaskId, UnitId};
use rvcheck_event::kind::{EventKind, Outcome, TestOutcome, What};
use rvcheck_event::record::flag;
use std::io;
use std::sync::Arc;

impl Play<'_> {
    pub(super) fn spawned(&mut self, now: Now<'_>) -> io::Result<()> {
        let event = now.event;
        let from = self.here(event.time, now)?;
        let parent = match self.tasks.get(&event.task.0) {
            Some(tracks) => Some((tracks.life, Arc::clone(&tracks.unit))),
            None => None,
        };
        let child = TaskId(event.object);
        if !child.is_some() {
            return Ok(());
        }
        let is_new = !self.tasks.contains_key(&child.0);
        let time = from.as_ref().map_or(event.time, |it| event.time.max(it.time + 1));
        let to = self.task(child, parent, now)?.main.point(time);
        if let (true, Some(from), Some(to)) = (is_new, from, to) {
            let id = self.ids.next();
            self.viewer.flow(&Flow { id, kind: FlowKind::Spawn, from: &from, to: &to })?;
        }
        Ok(())
    }

    pub(super) fn test_begins(&mut self, now: Now<'_>) -> io::Result<()> {
        if !now.event.task.is_some() {
            return Ok(());
        }
        let life = self.task(now.event.task, None, now)?.life;
        if self.tasks.get(&now.event.task.0).is_some_and(|it| it.main.has(Key::Test)) {
            return Ok(());
        }
        let unit = self.unit(UnitId(now.event.object));
        let slice = self.slice(Category::Test, unit.to_string(), Some(life), unit, Details::new());
        self.task(now.event.task, None, now)?.main.begin(Key::Test, slice, now.event.time);
        Ok(())
    }

    pub(super) fn test_ends(&mut self, now: Now<'_>) -> io::Result<()> {
        let outcome = TestOutcome::of_bits(now.event.flags & flag::ENUM);
        let failed =
            matches!(outcome, Some(TestOutcome::Failed | TestOutcome::Panicked | TestOutcome::Timeout));
        let (end, details) = (if failed { End::Failed } else { End::Normal }, now.attributes(&["outcome"]));
        let Some(tracks) = self.tasks.get_mut(&now.event.task.0) else { return Ok(()) };
        tracks.main.end(Key::Test, now.event.time, end, details, self.viewer)
    }

    pub(super) fn poll_begins(&mut self, now: Now<'_>) -> io::Result<()> {
        let event = now.event;
        let (life, unit) = self.life(now)?;
        let name = self.task(event.task, None, now)?.name.clone();
        let key = Key::Poll(event.task.0);
        let thread = [("thread", number(event.thread.0.into()))];
        let on_task =
            self.slice(Category::Poll, "poll".to_owned(), Some(life), Arc::clone(&unit), thread.into());
        self.task(event.task, None, now)?.main.begin(key, on_task, event.time);
        if event.thread.is_some() {
            let on_thread = self.slice(Category::Poll, name, None, unit, Details::new());
            self.thread(now)?.begin(key, on_thread, event.time);
        }
        Ok(())
    }

    fn thread(&mut self, now: Now<'_>) -> io::Result<&mut Stack> {
        let thread = now.event.thread;
        if !self.threads.contains_key(&thread.0) {
            let name = now.world.names().thread(thread).map_or("", |it| it.name.as_str());
            let name = if name.is_empty() {
                format!("thread {}", thread.0)
            } else {
                format!("thread {} {name}", thread.0)
            };
            let cursor = self.cursor(TrackKind::Thread, &name)?;
            self.threads.insert(thread.0, Stack::new(cursor));
        }
        self.threads.get_mut(&thread.0).ok_or_else(|| io::Error::other("a thread without track"))
    }

    pub(super) fn poll_ends(&mut self, end: End, now: Now<'_>) -> io::Result<()> {
        let event = now.event;
        let key = Key::Poll(event.task.0);
        let mut details = Details::new();
        if event.cpu > 0 {
            details.push(("cpu_ns", number(event.cpu)));
        }
        if let Some(stack) = self.threads.get_mut(&event.thread.0) {
            stack.end(key, event.time, end, details.clone(), self.viewer)?;
        }
        match self.tasks.get_mut(&event.task.0) {
            Some(tracks) => tracks.main.end(key, event.time, end, details, self.viewer),
            None => Ok(()),
        }
    }

    pub(super) fn task_ends(&mut self, now: Now<'_>) -> io::Result<()> {
        let event = now.event;
        if !event.task.is_some() {
            return Ok(());
        }
        let (outcome, end) = match event.kind {
            EventKind::Panic => ("panicked", End::Failed),
            EventKind::Cancel => ("cancelled", End::Normal),
            _ => match Outcome::of_bits(event.flags & flag::ENUM) {
                Some(Outcome::Err) => ("error", End::Failed),
                _ => ("finished", End::Normal),
            },
        };
        if let Some(point) = self.here(event.time, now)? {
            self.points.end(event.task.0, point);
        }
        self.poll_ends(end, now)?;
        let Some(tracks) = self.tasks.get_mut(&event.task.0) else { return Ok(()) };
        let mut details: Details = vec![("outcome", text(outcome))];
        if event.kind == EventKind::Panic {
            details.extend(now.place().into_iter().map(|(_, it)| ("panicked_at", it)));
        }
        tracks.main.end(Key::Life, event.time, end, details, self.viewer)
    }

    pub(super) fn block_begins(&mut self, now: Now<'_>) -> io::Result<()> {
        let event = now.event;
        let what = What::of_bits(event.flags & flag::ENUM).map_or("blocked", What::name).to_owned();
        let mut unit = self.unit(event.unit);
        if event.task.is_some() {
            unit = self.life(now)?.1;
            let parent = self.task(event.task, None, now)?.main.innermost().map(|it| it.id);
            let slice = self.slice(Category::Block, what.clone(), parent, Arc::clone(&unit), now.place());
            self.task(event.task, None, now)?.main.begin(Key::Block, slice, event.time);
        }
        if event.thread.is_some() {
            let slice = self.slice(Category::Block, what, None, unit, now.place());
            self.thread(now)?.begin(Key::Block, slice, event.time);
        }
        Ok(())
    }

    pub(super) fn block_ends(&mut self, now: Now<'_>) -> io::Result<()> {
        let event = now.event;
        let tracks = self.tasks.get_mut(&event.task.0).map(|it| &mut it.main);
        for stack in tracks.into_iter().chain(self.threads.get_mut(&event.thread.0)) {
            stack.end(Key::Block, event.time, End::Normal, Details::new(), self.viewer)?;
        }
        Ok(())
    }
}
