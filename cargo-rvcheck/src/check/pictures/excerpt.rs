//! The excerpt of a trace that belongs to one finding, while it is collected.

use super::super::scene::Scene;
use super::Places;
use super::acts::{RawAct, RawTarget, act};
use crate::finding::Touched;
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, TaskId};
use rvcheck_event::kind::{EventKind, Sort, TaskKind};
use rvcheck_event::record::has_time;
use rvcheck_event::value::Value;
use rvcheck_page::{Act, Object, ObjectKind, Picture, Run, Step, Target, Track, TrackKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many steps a picture has at most, beside those that later ones need.
pub(super) const MOST: usize = 240;
/// How many tracks a picture has at most.
const MAX_TRACKS: usize = 12;
/// How many steps are shown that come after the property was violated.
const AFTER: u32 = 10;

/// See the module.
pub(super) struct Collecting<'a> {
    pub(super) touched: &'a Touched,
    steps: Vec<RawStep>,
    /// When tasks had a thread, by the numbers of events.
    runs: Vec<RawRun>,
    /// Who runs at the moment, and since which event.
    running: HashMap<TaskId, u64>,
    tracks: HashMap<TaskId, Track>,
    objects: HashMap<ObjectId, Object>,
    /// What each task waits for that is recorded as something else than an await.
    waits: HashMap<TaskId, BTreeSet<RawTarget>>,
    omitted: u64,
    /// The event at which the property was violated, once there are later ones.
    fault: Option<u64>,
    /// How many steps after that are kept.
    after: u32,
}

/// A step, as the trace has it.
struct RawStep {
    event: u64,
    task: TaskId,
    /// Only where it was measured.
    time: Option<u64>,
    site: SiteId,
    act: RawAct,
}

struct RawRun {
    task: TaskId,
    from: u64,
    to: u64,
}

/// What was collected, with the tasks and objects that its tracks and objects are.
pub(super) struct Collected {
    pub(super) picture: Picture,
    pub(super) tasks: BTreeMap<TaskId, usize>,
    pub(super) objects: BTreeMap<ObjectId, usize>,
}

impl<'a> Collecting<'a> {
    pub(super) fn new(touched: &'a Touched) -> Collecting<'a> {
        Collecting {
            touched,
            steps: Vec::new(),
            runs: Vec::new(),
            running: HashMap::new(),
            tracks: HashMap::new(),
            objects: HashMap::new(),
            waits: HashMap::new(),
            omitted: 0,
            fault: None,
            after: 0,
        }
    }

    /// The sites of what is kept.
    pub(super) fn sites(&self) -> impl Iterator<Item = SiteId> + '_ {
        let asking = self.touched.order.iter().flat_map(|it| &it.asking).map(|it| it.site);
        self.steps.iter().map(|it| it.site).chain(asking)
    }

    /// Takes in an event of a task or object that the finding is about.
    pub(super) fn take(&mut self, number: u64, event: &Event, scene: &Scene<'_>) {
        if self.touched.until.is_some_and(|it| event.time > it) {
            if self.after == AFTER {
                return;
            }
            self.fault.get_or_insert_with(|| self.steps.last().map_or(0, |it| it.event));
        }
        match event.kind {
            EventKind::Poll => {
                self.running.insert(event.task, number);
            }
            EventKind::Suspend | EventKind::Finish | EventKind::Cancel | EventKind::Panic => {
                if let Some(from) = self.running.remove(&event.task) {
                    self.runs.push(RawRun { task: event.task, from, to: number });
                }
            }
            _ => {}
        }
        let Some(act) = act(event, scene) else { return };
        if !event.task.is_some() || !self.is_news(event.task, &act) {
            return;
        }
        self.meet(event, &act, scene);
        self.after += u32::from(self.fault.is_some());
        let time = has_time(event.kind).then_some(event.time);
        self.steps.push(RawStep { event: number, task: event.task, time, site: event.site, act });
        if self.steps.len() >= 2 * MOST {
            self.compact();
        }
    }

    /// An await of what is waited for anyhow says nothing new.
    fn is_news(&mut self, task: TaskId, act: &RawAct) -> bool {
        let waits = self.waits.entry(task).or_default();
        match act {
            RawAct::Wait(target @ RawTarget::Other(_)) => {
                let is_alone = waits.is_empty();
                if is_alone {
                    waits.insert(target.clone());
                }
                is_alone
            }
            RawAct::Wait(target) => waits.insert(target.clone()),
            RawAct::Leave(target) => waits.remove(target),
            RawAct::Join(task) => {
                waits.remove(&RawTarget::Task(*task));
                true
            }
            act => {
                if let Some(object) = act.object() {
                    waits.remove(&RawTarget::Object(object));
                }
                true
            }
        }
    }

    /// Learns what those are called who take part.
    fn meet(&mut self, event: &Event, act: &RawAct, scene: &Scene<'_>) {
        let touched = self.touched;
        let mut task = |task: TaskId| {
            let known = || touched.tasks.iter().find(|it| it.0 == task).map(|it| it.1.clone());
            let name = || known().unwrap_or_else(|| scene.task(task));
            self.tracks.entry(task).or_insert_with(|| Track { name: name(), kind: kind_of(task, scene) });
        };
        task(event.task);
        match act {
            RawAct::Spawn(other)
                if touched.all
                    || touched.thread.is_some()
                    || touched.tasks.iter().any(|it| it.0 == *other) =>
            {
                task(*other);
            }
            RawAct::Join(other) | RawAct::Wait(RawTarget::Task(other)) => task(*other),
            _ => {}
        }
        let Some(object) = act.object() else { return };
        let known = || touched.objects.iter().find(|it| it.0 == object).map(|it| it.1.clone());
        let Value::Object(sort, _) = event.argument(usize::from(event.argument(1) != Value::Absent)) else {
            return;
        };
        self.objects.entry(object).or_insert_with(|| Object {
            name: known().unwrap_or_else(|| scene.name(Value::Object(sort, object.0))),
            kind: kind(sort),
        });
    }

    /// Forgets the oldest steps, but for what is still held or waited for, and where tasks come from.
    fn compact(&mut self) {
        let old = self.steps.len() - MOST;
        let mut open: Vec<bool> = Vec::with_capacity(old);
        for at in 0..old {
            let step = &self.steps[at];
            let is_over = |over: &dyn Fn(&RawStep) -> bool| self.steps[at + 1..old].iter().any(over);
            open.push(match &step.act {
                RawAct::Spawn(task) => self.tracks.contains_key(task),
                RawAct::Begin => self.touched.tasks.iter().any(|it| it.0 == step.task),
                RawAct::Take(object) => !is_over(&|it| it.act == RawAct::Release(*object)),
                RawAct::Wait(RawTarget::Object(object)) => {
                    !is_over(&|it| it.task == step.task && it.act.object() == Some(*object))
                }
                RawAct::Wait(RawTarget::Task(task)) => {
                    !is_over(&|it| it.task == step.task && it.act == RawAct::Join(*task))
                }
                _ => false,
            });
        }
        // Where very many are open, the oldest ones go as well.
        let too_many = open.iter().filter(|it| **it).count().saturating_sub(MOST / 2);
        open.iter_mut().filter(|it| **it).take(too_many).for_each(|it| *it = false);
        let mut at = 0;
        self.steps.retain(|_| {
            at += 1;
            at > old || open[at - 1]
        });
        self.omitted += open.iter().filter(|it| !**it).count() as u64;
        let first = self.steps.get(self.steps.len().saturating_sub(MOST)).map_or(0, |it| it.event);
        self.runs.retain(|it| it.to >= first);
        let used: BTreeSet<TaskId> =
            self.steps.iter().map(|it| it.task).chain(self.touched.tasks.iter().map(|it| it.0)).collect();
        self.tracks.retain(|task, _| used.contains(task));
        let used: BTreeSet<ObjectId> = self.steps.iter().filter_map(|it| it.act.object()).collect();
        self.objects.retain(|object, _| used.contains(object));
        self.waits.retain(|task, waits| used_or_waiting(&self.tracks, *task, waits));
    }

    /// The picture.
    pub(super) fn finish(mut self, places: &Places) -> Collected {
        let running = std::mem::take(&mut self.running);
        self.runs.extend(running.into_iter().map(|(task, from)| RawRun { task, from, to: u64::MAX }));
        self.runs.sort_unstable_by_key(|it| (it.from, it.task));
        self.keep_few_tracks();
        if self.steps.len() > MOST + MOST / 2 {
            self.compact();
        }
        let mut tasks: BTreeMap<TaskId, usize> = BTreeMap::new();
        let mut objects: BTreeMap<ObjectId, usize> = BTreeMap::new();
        let mut picture = Picture { omitted: self.omitted, ..Picture::default() };
        // Tracks come in the order in which they begin.
        for step in &self.steps {
            let spawned = if let RawAct::Spawn(task) = step.act { Some(task) } else { None };
            for task in std::iter::once(step.task).chain(spawned) {
                if let (false, Some(track)) = (tasks.contains_key(&task), self.tracks.get(&task)) {
                    tasks.insert(task, picture.tracks.len());
                    picture.tracks.push(track.clone());
                }
            }
            if let Some(id) = step.act.object()
                && let (false, Some(object)) = (objects.contains_key(&id), self.objects.get(&id))
            {
                objects.insert(id, picture.objects.len());
                picture.objects.push(object.clone());
            }
        }
        let resolve = Resolve { tasks: &tasks, objects: &objects };
        let steps = self.steps.iter().filter_map(|it| {
            Some(Step {
                event: Some(it.event),
                track: *tasks.get(&it.task)?,
                time: it.time,
                act: resolve.act(&it.act),
                place: places.get(&it.site).cloned(),
            })
        });
        picture.steps = steps.collect();
        picture.runs = runs(&self.runs, &picture.steps, &tasks);
        let fault =
            self.fault.or_else(|| self.touched.until.and_then(|_| self.steps.last().map(|it| it.event)));
        picture.fault = fault.and_then(|fault| {
            let before = |it: &Step| it.event.is_some_and(|it| it <= fault);
            picture.steps.iter().rposition(before)
        });
        Collected { picture, tasks, objects }
    }

    /// Leaves those out who take part least recently, where there are many.
    fn keep_few_tracks(&mut self) {
        let mut recent: Vec<TaskId> = self.touched.tasks.iter().map(|it| it.0).collect();
        for step in self.steps.iter().rev() {
            if !recent.contains(&step.task) {
                recent.push(step.task);
            }
        }
        if recent.len() > MAX_TRACKS {
            let kept = &recent[..MAX_TRACKS.max(self.touched.tasks.len().min(2 * MAX_TRACKS))];
            let before = self.steps.len();
            self.steps.retain(|it| kept.contains(&it.task));
            self.omitted += (before - self.steps.len()) as u64;
            self.tracks.retain(|task, _| kept.contains(task));
        }
    }
}

fn used_or_waiting(tracks: &HashMap<TaskId, Track>, task: TaskId, waits: &BTreeSet<RawTarget>) -> bool {
    tracks.contains_key(&task) && !waits.is_empty()
}

fn runs(runs: &[RawRun], steps: &[Step], tasks: &BTreeMap<TaskId, usize>) -> Vec<Run> {
    let run = |run: &RawRun| {
        let track = *tasks.get(&run.task)?;
        let is_its =
            |it: &Step| it.track == track && it.event.is_some_and(|it| run.from <= it && it <= run.to);
        let (from, to) = (steps.iter().position(is_its)?, steps.iter().rposition(is_its)?);
        Some(Run { track, from, to })
    };
    runs.iter().filter_map(run).collect()
}

/// From what a trace has to what a picture has.
pub(super) struct Resolve<'a> {
    pub(super) tasks: &'a BTreeMap<TaskId, usize>,
    pub(super) objects: &'a BTreeMap<ObjectId, usize>,
}

impl Resolve<'_> {
    fn act(&self, act: &RawAct) -> Act {
        // What was left out has no place in the picture; the page then says that it is unknown.
        let object = |it: &ObjectId| self.objects.get(it).copied().unwrap_or(usize::MAX);
        let task = |it: &TaskId| self.tasks.get(it).copied();
        match act {
            RawAct::Spawn(it) => {
                task(it).map_or_else(|| Act::Other("spawns a task".to_owned(), None), Act::Spawn)
            }
            RawAct::Begin => Act::Begin,
            RawAct::End(ending) => Act::End(*ending),
            RawAct::Join(it) => task(it)
                .map_or_else(|| Act::Other("goes on after the end of a task".to_owned(), None), Act::Join),
            RawAct::Wait(target) => Act::Wait(self.target(target)),
            RawAct::Leave(target) => Act::Leave(self.target(target)),
            RawAct::Take(it) => Act::Take(object(it)),
            RawAct::Release(it) => Act::Release(object(it)),
            RawAct::Send(it, number) => Act::Send(object(it), *number),
            RawAct::Receive(it, number) => Act::Receive(object(it), *number),
            RawAct::Signal(it) => Act::Signal(object(it)),
            RawAct::Signalled(it) => Act::Signalled(object(it)),
            RawAct::Block(by) => Act::Block(by.clone()),
            RawAct::Unblock(by) => Act::Unblock(by.clone()),
            RawAct::Other(words, it) => Act::Other((*words).to_owned(), it.as_ref().map(object)),
            RawAct::OtherTask(words, task) => Act::Other(format!("{words} {task}"), None),
        }
    }

    pub(super) fn target(&self, target: &RawTarget) -> Target {
        match target {
            RawTarget::Object(it) => self.objects.get(it).map_or_else(unknown, |it| Target::Object(*it)),
            RawTarget::Task(it) => self.tasks.get(it).map_or_else(unknown, |it| Target::Track(*it)),
            RawTarget::Other(words) => Target::Other(words.clone()),
        }
    }
}

fn unknown() -> Target {
    Target::Other("for something that is left out".to_owned())
}

fn kind_of(task: TaskId, scene: &Scene<'_>) -> TrackKind {
    match scene.world.task(task).map(|it| it.kind) {
        Some(TaskKind::Thread | TaskKind::Blocking) => TrackKind::Thread,
        _ => TrackKind::Task,
    }
}

const fn kind(sort: Sort) -> ObjectKind {
    match sort {
        Sort::Chan => ObjectKind::Channel,
        Sort::Sem => ObjectKind::Semaphore,
        Sort::Signal => ObjectKind::Signal,
        _ => ObjectKind::Lock,
    }
}
