//! Pictures of findings: excerpts of the trace with what a finding is about.
//!
//! Findings are made while the trace is read, and only then is it known what they are about. So the trace is read once more where something
//! was found, and of each finding only the events of its tasks and objects are kept, up to a limit.

mod acts;
mod excerpt;
mod order;
mod predicted;

use super::context::{FindingContext, Moment};
use super::recent::Recent;
use super::scene::Scene;
use super::sources::CompiledSite;
use crate::finding::{Finding, Touched};
use excerpt::Collecting;
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, SiteId, TaskId, ThreadId};
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::names::Names;
use rvcheck_event::observer::Observer;
use rvcheck_event::stream::EventStream;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_page::{Act, Ending, Picture, Place, Second};
use rvcheck_spec::{Violation, Witness};
use std::collections::{BTreeSet, HashMap};

/// Of how many findings of a process pictures are drawn.
const MOST: usize = 64;

/// What a violation is about.
pub(super) fn touched_by(violation: &Violation, scene: &Scene<'_>) -> Touched {
    let touched = touched(violation.witness.iter(), &violation.binding, scene);
    let last = violation.witness.iter().next_back();
    let thread = last.filter(|it| it.kind == EventKind::Block).map(|it| it.thread);
    Touched { until: last.map(|it| it.time).filter(|_| !violation.at_end), thread, ..touched }
}

/// What these events and values are about.
pub(super) fn touched<'e>(
    events: impl IntoIterator<Item = &'e Event>,
    values: &[Value],
    scene: &Scene<'_>,
) -> Touched {
    let mut touched = Touched::default();
    let mut add = |value: Value| match value {
        Value::Object(Sort::Task, id) => touched.add_task(TaskId(id), || scene.name(value)),
        Value::Object(Sort::Lock | Sort::Chan | Sort::Sem | Sort::Signal, id) => {
            touched.add_object(ObjectId(id), || scene.name(value));
        }
        _ => {}
    };
    values.iter().copied().for_each(&mut add);
    for event in events {
        add(Value::Object(Sort::Task, event.task.0));
        add(event.argument(1));
    }
    touched
}

/// A picture of all that happens, as far as there is room for it; `None` if nothing does.
pub(super) fn whole(context: &FindingContext<'_>, mut events: impl EventStream) -> Option<Box<Picture>> {
    let touched = Touched { all: true, ..Touched::default() };
    let mut pass = Pass::new(*context, std::iter::once(&touched));
    events.feed(&mut pass);
    let places = pass.places(events.world().names());
    let mut picture = pass.collecting.pop()?.finish(&places).picture;
    picture.fault = picture.steps.iter().position(|it| it.act == Act::End(Ending::Panicked));
    (!picture.steps.is_empty()).then(|| Box::new(picture))
}

/// Draws the pictures of these findings. `events` gives the events of the process once more.
pub(super) fn draw<S: EventStream>(
    findings: &mut [Finding],
    context: &FindingContext<'_>,
    events: impl FnOnce() -> S,
) {
    let mut known = BTreeSet::new();
    let mut wanted: Vec<(usize, Touched)> = Vec::new();
    for (index, finding) in findings.iter_mut().enumerate() {
        let Some(touched) = finding.pictures.touched.take() else { continue };
        // What is found again is the same finding later.
        let is_new =
            known.insert((finding.property.clone(), finding.primary.clone(), finding.message.clone()));
        if is_new && wanted.len() < MOST && !(touched.tasks.is_empty() && touched.objects.is_empty()) {
            wanted.push((index, *touched));
        }
    }
    if wanted.is_empty() {
        return;
    }
    let mut pass = Pass::new(*context, wanted.iter().map(|it| &it.1));
    let mut events = events();
    events.feed(&mut pass);
    let places = pass.places(events.world().names());
    for ((index, touched), collecting) in wanted.iter().zip(pass.collecting) {
        let collected = collecting.finish(&places);
        let pictures = &mut findings[*index].pictures;
        let order = touched.order.as_ref().and_then(|it| order::reordered(&collected, it, &places));
        pictures.second = order.map(|it| (Second::Predicted, Box::new(it)));
        pictures.happened = Some(Box::new(Picture { stuck: touched.stuck, ..collected.picture }));
    }
}

/// The places of sites, as far as they are known.
type Places = HashMap<SiteId, Place>;

/// The second look at a trace.
struct Pass<'a> {
    context: FindingContext<'a>,
    recent: Recent,
    collecting: Vec<Collecting<'a>>,
    by_task: HashMap<TaskId, Vec<usize>>,
    by_object: HashMap<ObjectId, Vec<usize>>,
    by_thread: HashMap<ThreadId, Vec<usize>>,
    /// Those that are about everything.
    of_all: Vec<usize>,
    /// How many events there were.
    count: u64,
}

impl<'a> Pass<'a> {
    fn new(context: FindingContext<'a>, touched: impl Iterator<Item = &'a Touched>) -> Pass<'a> {
        let collecting: Vec<Collecting<'a>> = touched.map(Collecting::new).collect();
        let mut by_task: HashMap<TaskId, Vec<usize>> = HashMap::new();
        let mut by_object: HashMap<ObjectId, Vec<usize>> = HashMap::new();
        let mut by_thread: HashMap<ThreadId, Vec<usize>> = HashMap::new();
        for (at, it) in collecting.iter().enumerate() {
            it.touched.tasks.iter().for_each(|it| by_task.entry(it.0).or_default().push(at));
            it.touched.objects.iter().for_each(|it| by_object.entry(it.0).or_default().push(at));
            it.touched.thread.iter().for_each(|it| by_thread.entry(*it).or_default().push(at));
        }
        let of_all = (0..collecting.len()).filter(|at| collecting[*at].touched.all).collect();
        Pass { context, recent: Recent::new(0), collecting, by_task, by_object, by_thread, of_all, count: 0 }
    }

    /// The places of all kept steps.
    fn places(&self, names: &Names) -> Places {
        let sites = self.collecting.iter().flat_map(Collecting::sites).collect::<BTreeSet<SiteId>>();
        let place = |site: SiteId| {
            let at = match names.site(site) {
                Some(place) if place.position.is_known() => CompiledSite::of(place),
                Some(_) => return None,
                None => self.context.sources.line(site)?,
            };
            let at = self.context.sources.place(at, "").location;
            Some((site, Place { file: at.file, line: at.line, column: at.column }))
        };
        sites.into_iter().filter_map(place).collect()
    }
}

impl Observer for Pass<'_> {
    fn observe(&mut self, event: &Event, world: &World) {
        self.recent.observe(event, world);
        let number = self.count;
        self.count += 1;
        let about = match event.argument(1) {
            Value::Object(Sort::Task, id) => self.by_task.get(&TaskId(id)),
            Value::Object(_, id) => self.by_object.get(&ObjectId(id)),
            _ if event.argument(0) != Value::Absent && event.object != 0 => {
                self.by_object.get(&ObjectId(event.object))
            }
            _ => None,
        };
        let by = self.by_task.get(&event.task).or_else(|| self.by_thread.get(&event.thread));
        let (by, about) = (by.map_or(&[][..], Vec::as_slice), about.map_or(&[][..], Vec::as_slice));
        if by.is_empty() && about.is_empty() && self.of_all.is_empty() {
            return;
        }
        let witness = Witness { first: vec![*event], ..Witness::default() };
        let scene = Scene::of(self.context.sources, Moment { world, recent: &self.recent }, &witness);
        for at in by.iter().chain(about.iter().filter(|it| !by.contains(it))).chain(&self.of_all) {
            self.collecting[*at].take(number, event, &scene);
        }
    }

    fn collect(&mut self, dead: &[(Sort, u32)]) {
        self.recent.collect(dead);
    }
}
