//! From lines to events.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::write::is_about_object;
use super::{LineProblem, Log};
use crate::event::Event;
use crate::id::{ObjectId, SiteId, StringId, TaskId, ThreadId, UnitId};
use crate::json::Json;
use crate::kind::{EventKind, Mode, ObjectKind, Outcome, Sort, TaskKind, TestOutcome, Timer, What};
use crate::names::{Names, Place};
use crate::record::flag;
use crate::world::Object;

/// Objects with a name instead of a number are numbered from here.
const NAMED: u32 = 1 << 31;

/// Reads a log. Empty lines are skipped; lines that make no sense are left out and told in [`Log::problems`].
pub fn read(text: &[u8]) -> Log {
    let mut reader = Reader::default();
    for (index, line) in text.split(|it| *it == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let read = str::from_utf8(line)
            .map_err(|_| "no UTF-8".to_owned())
            .and_then(|line| Json::parse(line.trim_end_matches('\r')).map_err(|it| it.to_string()))
            .and_then(|line| reader.event(&line));
        match read {
            Ok(Some(event)) => reader.log.events.push(event),
            Ok(None) => {}
            Err(message) => reader.log.problems.push(LineProblem { line: index + 1, message }),
        }
    }
    reader.log.names = Arc::new(reader.names);
    reader.log
}

#[derive(Default)]
struct Reader {
    log: Log,
    names: Names,
    sites: BTreeMap<Place, SiteId>,
    units: BTreeMap<String, UnitId>,
    /// The greatest number of a unit.
    last_unit: u32,
    /// Objects that have a name instead of a number.
    named: BTreeMap<(Sort, String), u32>,
}

/// What was said of one event by its arguments and attributes.
#[derive(Default)]
struct Said {
    name: Option<String>,
    class: Option<String>,
    capacity: Option<u32>,
    output: Option<String>,
    what: Option<String>,
    object: Option<ObjectKind>,
}

impl Reader {
    /// The event of a line; none if its name is not built in.
    fn event(&mut self, line: &Json) -> Result<Option<Event>, String> {
        let Json::Map(entries) = line else { return Err("a line is a JSON object".into()) };
        let name = line.get("e").and_then(Json::as_text).ok_or("`e`, the name of the event, is missing")?;
        let Some(kind) = EventKind::of_name(name) else {
            *self.log.unknown.entry(name.to_owned()).or_default() += 1;
            return Ok(None);
        };
        let mut event = Event {
            kind,
            flags: 0,
            thread: ThreadId::NONE,
            task: TaskId::NONE,
            unit: UnitId::PROCESS,
            site: SiteId::NONE,
            object: 0,
            number: 0,
            time: 0,
            ns: 0,
            cpu: 0,
        };
        let mut said = Said::default();
        for (key, value) in entries {
            match key.as_str() {
                "a" => {
                    let Json::Map(arguments) = value else { return Err("`a` is not a JSON object".into()) };
                    for (name, value) in arguments {
                        self.argument(&mut event, &mut said, name, value)?;
                    }
                }
                "thread" => event.thread = ThreadId(number(key, value)?),
                "time" => event.time = number(key, value)?,
                "site" => event.site = self.site(text(key, value)?),
                "task" => event.task = TaskId(self.object(Sort::Task, key, value)?),
                "caught_at" => event.number = self.site(text(key, value)?).0.into(),
                "by_owner" => event.flags |= mark(key, value, flag::BY_OWNER)?,
                "object" => {
                    let name = text(key, value)?;
                    let kind = ObjectKind::ALL.iter().find(|it| it.name() == name);
                    said.object = Some(*kind.ok_or_else(|| format!("`{name}` is no kind of object"))?);
                }
                // The test comes last, since a `test_begin` tells its number; the others add nothing to an event.
                _ => {}
            }
        }
        if let Some(test) = line.get("test") {
            event.unit = self.unit(text("test", test)?, event)?;
        }
        self.learn(&event, said);
        Ok(Some(event))
    }

    /// Takes in an argument or attribute.
    fn argument(
        &mut self,
        event: &mut Event,
        said: &mut Said,
        name: &str,
        value: &Json,
    ) -> Result<(), String> {
        let signature = event.kind.signature();
        if let Some(index) = signature.params.iter().position(|it| it.0 == name) {
            match (signature.params[index].1, index) {
                (Sort::Int, _) => event.number = number(name, value)?,
                (Sort::Task, 0) => event.task = TaskId(self.object(Sort::Task, name, value)?),
                (sort, _) => event.object = self.object(sort, name, value)?,
            }
            return Ok(());
        }
        if !signature.attrs.iter().any(|it| it.0 == name) {
            return Err(format!("`{}` has no argument `{name}`", signature.name));
        }
        match name {
            "kind" | "mode" | "outcome" => event.flags |= variant(event.kind, name, value)?,
            "what" if matches!(event.kind, EventKind::Block | EventKind::Unblock) => {
                event.flags |= variant(event.kind, name, value)?;
            }
            "what" => {
                let what = text(name, value)?;
                match Timer::ALL.iter().find(|it| it.name() == what) {
                    Some(timer) => event.flags |= *timer as u8,
                    None => said.what = Some(what.to_owned()),
                }
            }
            "timer" => event.flags |= mark(name, value, flag::TIMER)?,
            "try" => event.flags |= mark(name, value, flag::TRY)?,
            "caught" => event.flags |= mark(name, value, flag::CAUGHT)?,
            "added" => event.flags |= mark(name, value, flag::ADDED)?,
            "ns" => event.ns = number(name, value)?,
            "cpu" => event.cpu = number(name, value)?,
            "on" => event.thread = ThreadId(self.object(Sort::Thread, name, value)?),
            "name" => said.name = Some(text(name, value)?.to_owned()),
            "class" => said.class = Some(text(name, value)?.to_owned()),
            "output" => said.output = Some(text(name, value)?.to_owned()),
            "capacity" => said.capacity = Some(number(name, value)?),
            _ => {}
        }
        Ok(())
    }

    /// Keeps what the event tells of its task, test or object.
    fn learn(&mut self, event: &Event, said: Said) {
        match (event.kind, said.name) {
            (EventKind::Spawn, Some(name)) => self.names.set_task(TaskId(event.object), &name),
            (EventKind::Start, Some(name)) => self.names.set_task(event.task, &name),
            (EventKind::TestBegin | EventKind::TestEnd, Some(name)) if event.object != 0 => {
                self.names.set_unit(UnitId(event.object), &name);
            }
            _ => {}
        }
        if let Some(output) = said.output {
            let output = self.names.intern(&output);
            self.log.outputs.insert(TaskId(event.object), output);
        }
        if let Some(what) = said.what.filter(|_| event.site.is_some()) {
            self.names.set_call(event.site, &what);
        }
        let id = ObjectId(event.object);
        if id.is_some() && is_about_object(event.kind) && !self.log.objects.contains_key(&id) {
            let sort = event.kind.signature().params.iter().find(|it| it.1 != Sort::Task).map(|it| it.1);
            let amount = u32::try_from(event.number).unwrap_or(u32::MAX);
            // What is told is the capacity after the event, what is kept the one before it.
            let capacity = match (event.kind, said.capacity.unwrap_or(0)) {
                (EventKind::PermitRelease, it) if event.flags & flag::ADDED != 0 => it.saturating_sub(amount),
                (EventKind::PermitForget, it) => it.saturating_add(amount),
                (_, it) => it,
            };
            let born_at = said.class.as_deref().filter(|it| place(it).line > 0).map(|it| self.site(it));
            let object = Object {
                kind: said.object.unwrap_or(match sort {
                    Some(Sort::Chan) => ObjectKind::OtherChannel,
                    Some(Sort::Sem) => ObjectKind::TokioSemaphore,
                    Some(Sort::Signal) => ObjectKind::TokioNotify,
                    _ => ObjectKind::OtherLock,
                }),
                born_at: born_at.unwrap_or(SiteId::NONE),
                class: said.class.map_or(StringId::NONE, |it| self.names.intern(&it)),
                capacity,
            };
            self.log.objects.insert(id, object);
        }
    }

    /// The number of an object that is written `sort:number` or has a name of its own.
    fn object(&mut self, sort: Sort, key: &str, value: &Json) -> Result<u32, String> {
        let text = text(key, value)?;
        let (prefix, name) = text.split_once(':').unwrap_or((sort.name(), text));
        match Sort::of_name(prefix) {
            Some(it) if it == sort => {}
            Some(_) => return Err(format!("`{key}` is a {}, not `{text}`", sort.name())),
            None => return Ok(self.named(sort, text)),
        }
        match name.parse::<u32>() {
            Ok(number) if number > 0 && number.to_string() == name => Ok(number),
            _ => Ok(self.named(sort, name)),
        }
    }

    fn named(&mut self, sort: Sort, name: &str) -> u32 {
        let next = NAMED + u32::try_from(self.named.len()).unwrap_or(0);
        let number = *self.named.entry((sort, name.to_owned())).or_insert(next);
        if sort == Sort::Task {
            self.names.set_task(TaskId(number), name);
        }
        number
    }

    fn unit(&mut self, name: &str, event: Event) -> Result<UnitId, String> {
        if let Some(unit) = self.units.get(name) {
            return Ok(*unit);
        }
        let tells = matches!(event.kind, EventKind::TestBegin | EventKind::TestEnd) && event.object != 0;
        let unit = UnitId(if tells { event.object } else { self.last_unit.saturating_add(1) });
        if let Some((other, _)) = self.units.iter().find(|(_, it)| **it == unit) {
            return Err(format!("the tests `{other}` and `{name}` are both `test:{}`", unit.0));
        }
        self.last_unit = self.last_unit.max(unit.0);
        self.units.insert(name.to_owned(), unit);
        self.names.set_unit(unit, name);
        Ok(unit)
    }

    fn site(&mut self, text: &str) -> SiteId {
        let place = place(text);
        let next = SiteId(u32::try_from(self.sites.len()).unwrap_or(u32::MAX - 1) + 1);
        if let Some(id) = self.sites.get(&place) {
            return *id;
        }
        self.sites.insert(place.clone(), next);
        self.names.set_site(next, place);
        next
    }
}

/// `file:line:column`; anything else is the name of a file.
fn place(text: &str) -> Place {
    let parse = || {
        let (rest, column) = text.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some(Place {
            file: file.to_owned(),
            line: line.parse().ok()?,
            column: column.parse().ok()?,
            own: true,
        })
    };
    parse().unwrap_or_else(|| Place { file: text.to_owned(), line: 0, column: 0, own: true })
}

fn text<'a>(key: &str, value: &'a Json) -> Result<&'a str, String> {
    value.as_text().ok_or_else(|| format!("`{key}` is a string, not `{value}`"))
}

fn number<T: TryFrom<i64>>(key: &str, value: &Json) -> Result<T, String> {
    let number = value.as_int().and_then(|it| T::try_from(it).ok());
    number.ok_or_else(|| format!("`{key}` is a number from 0, not `{value}`"))
}

fn mark(key: &str, value: &Json, bit: u8) -> Result<u8, String> {
    match value {
        Json::Bool(it) => Ok(if *it { bit } else { 0 }),
        _ => Err(format!("`{key}` is true or false, not `{value}`")),
    }
}

/// The bits of a variant that is written by its name, with or without `::`.
fn variant(kind: EventKind, attribute: &str, value: &Json) -> Result<u8, String> {
    let name = text(attribute, value)?;
    let name = name.strip_prefix("::").unwrap_or(name);
    let bits = match (attribute, kind) {
        ("kind", _) => TaskKind::ALL.iter().find(|it| it.name() == name).map(|it| *it as u8),
        ("mode", _) => Mode::ALL.iter().find(|it| it.name() == name).map(|it| *it as u8),
        ("outcome", EventKind::TestEnd) => {
            TestOutcome::ALL.iter().find(|it| it.name() == name).map(|it| *it as u8)
        }
        ("outcome", _) => Outcome::ALL.iter().find(|it| it.name() == name).map(|it| *it as u8),
        _ => What::ALL.iter().find(|it| it.name() == name).map(|it| *it as u8),
    };
    bits.ok_or_else(|| format!("`{name}` is no `{attribute}`"))
}
