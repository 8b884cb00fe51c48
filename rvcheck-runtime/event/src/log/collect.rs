//! From what a line says of an event to the event: what the readers of all formats have in common.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Context, LINES, LineProblem, Log, is_about_object};
use crate::declared::Declared;
use crate::event::Event;
use crate::id::{ObjectId, SiteId, StringId, TaskId, ThreadId, UnitId};
use crate::json::Json;
use crate::kind::{EventKind, LockKind, Mode, ObjectKind, Outcome, Sort, TaskKind, TestOutcome, Timer, What};
use crate::names::{Names, RecordedSite};
use crate::position::CompiledPosition;
use crate::record::flag;
use crate::value::Value;
use crate::world::Object;

/// Objects with a name instead of a number are numbered from here, until all numbers are known.
const NAMED: u32 = 1 << 31;

/// What the name of an event stands for.
#[derive(Clone, Copy)]
pub(crate) enum Named<'d> {
    BuiltIn(EventKind),
    Declared(&'d Declared),
    /// It is a position and nothing else.
    Unknown,
}

/// What is wrong with an argument or another part of a line.
#[derive(Debug)]
pub(crate) struct Wrong {
    /// What the part is called in the line, if it has a name.
    pub(crate) key: Option<String>,
    pub(crate) message: String,
}

impl Wrong {
    /// Something wrong with the part of that name.
    pub(crate) fn at(key: &str, message: impl Into<String>) -> Wrong {
        Wrong { key: Some(key.to_owned()), message: message.into() }
    }
}

/// Takes the events of a text one after another.
pub(crate) struct Collector<'d> {
    declared: BTreeMap<&'d str, &'d Declared>,
    log: Log,
    names: Names,
    sites: BTreeMap<RecordedSite, SiteId>,
    units: BTreeMap<String, UnitId>,
    /// The names in `units` by number.
    tests: BTreeMap<UnitId, String>,
    /// The greatest number of a unit.
    last_unit: u32,
    /// Objects that have a name instead of a number.
    named: BTreeMap<(Sort, String), u32>,
    /// The greatest number that the text gives an object.
    greatest: u32,
}

/// What the arguments and attributes of an event give beside the event itself.
#[derive(Default)]
pub(crate) struct Details {
    pub(crate) name: Option<String>,
    class: Option<String>,
    capacity: Option<u32>,
    output: Option<String>,
    what: Option<String>,
    lock: Option<LockKind>,
    /// The guards of the lock may be sent.
    send: Option<bool>,
    pub(crate) object: Option<ObjectKind>,
    pub(crate) group: Option<Value>,
    pub(crate) callee: Option<Value>,
}

impl Details {
    /// The group and the callee.
    pub(crate) fn context(&self) -> Context {
        let known = |value: Option<Value>| value.unwrap_or(Value::Absent);
        Context { group: known(self.group), callee: known(self.callee) }
    }
}

impl Details {
    /// The kind of the lock.
    fn lock(&self) -> ObjectKind {
        match (self.lock, self.send) {
            (Some(LockKind::Async), _) => ObjectKind::TokioMutex,
            (Some(LockKind::Blocking), Some(true)) => ObjectKind::LockApiSendMutex,
            (Some(LockKind::Blocking), _) => ObjectKind::StdMutex,
            (None, _) => ObjectKind::OtherLock,
        }
    }
}

impl<'d> Collector<'d> {
    /// Nothing yet. `declared` are the events that are known besides the built-in ones.
    pub(crate) fn new(declared: &'d [Declared]) -> Collector<'d> {
        Collector {
            declared: declared.iter().map(|it| (it.name.as_str(), it)).collect(),
            log: Log::default(),
            names: Names::new(),
            sites: BTreeMap::new(),
            units: BTreeMap::new(),
            tests: BTreeMap::new(),
            last_unit: 0,
            named: BTreeMap::new(),
            greatest: 0,
        }
    }

    /// What this name stands for.
    pub(crate) fn named(&self, name: &str) -> Named<'d> {
        let declared = || self.declared.get(name).map(|it| Named::Declared(it));
        EventKind::of_name(name).map(Named::BuiltIn).or_else(declared).unwrap_or(Named::Unknown)
    }

    /// The event of that name, of which nothing else is known.
    pub(crate) fn begin(&mut self, named: Named<'d>, name: &str, line: usize) -> Event {
        let (kind, object) = match named {
            Named::BuiltIn(kind) => (kind, 0),
            Named::Declared(_) | Named::Unknown => (EventKind::User, self.names.intern(name).0),
        };
        Event {
            kind,
            flags: 0,
            thread: ThreadId::NONE,
            task: TaskId::NONE,
            unit: UnitId::PROCESS,
            site: SiteId(LINES.saturating_add(u32::try_from(line).unwrap_or(u32::MAX))),
            object,
            number: 0,
            time: 0,
            ns: 0,
            cpu: 0,
        }
    }

    /// Takes an event whose arguments are these, where it is not a built-in one.
    pub(crate) fn push(&mut self, named: Named<'d>, name: &str, event: Event, arguments: &[Value]) {
        if matches!(named, Named::Unknown) {
            *self.log.unknown.entry(name.to_owned()).or_default() += 1;
        }
        if event.kind == EventKind::User {
            self.log.arguments.extend(arguments);
            self.log.ends.push(self.log.arguments.len());
        }
        self.log.events.push(event);
    }

    /// Takes note of what is known of the event that is taken next.
    pub(crate) fn context(&mut self, context: Context) {
        if context != Context::NONE {
            self.log.contexts.push((self.log.events.len(), context));
        }
    }

    /// Takes note that a line tells no time.
    pub(crate) fn without_time(&mut self, line: usize) {
        self.log.untimed.get_or_insert(line);
    }

    /// Takes note of what is wrong with a line.
    pub(crate) fn problem(&mut self, line: usize, column: usize, message: String) {
        self.log.problems.push(LineProblem { line, column, message });
    }

    /// What was taken.
    pub(crate) fn finish(mut self) -> Log {
        if self.greatest < NAMED {
            // Numbers without gaps take the least room in whatever is kept of them.
            let shift = NAMED - self.greatest - 1;
            let number = |id: u32| if id >= NAMED { id - shift } else { id };
            self.log.renumber(number);
            self.names.renumber(number);
        }
        self.log.names = Arc::new(self.names);
        self.log
    }

    /// The value of a parameter of a declared event. A text for a parameter of any sort is an object where it is written as a sort and
    /// a number.
    pub(crate) fn value(&mut self, key: &str, sort: Sort, value: &Json) -> Result<Value, String> {
        Ok(match (sort, value) {
            (_, Json::Null) => Value::Absent,
            (Sort::Int | Sort::Any, Json::Int(number)) => Value::Int(*number),
            // Integers beyond 64 bits saturate, as a cast does.
            (Sort::Int | Sort::Any, Json::Float(number)) if number.abs() >= 9.2e18 => {
                Value::Int(*number as i64)
            }
            (Sort::Bool | Sort::Any, Json::Bool(truth)) => Value::Bool(*truth),
            (Sort::Str, Json::Text(text)) => Value::Str(self.names.intern(text)),
            (Sort::Group, Json::Text(text)) => self.group_value(text),
            (Sort::Any, Json::Text(text)) => match object_of(text) {
                Some((sort, number)) => {
                    self.greatest = self.greatest.max(number);
                    Value::object(sort, number)
                }
                None => Value::Str(self.names.intern(text)),
            },
            (Sort::Int, _) => return Err(format!("`{key}` is a whole number, not `{value}`")),
            (Sort::Bool, _) => return Err(format!("`{key}` is true or false, not `{value}`")),
            (Sort::Str | Sort::Group, _) => return Err(format!("`{key}` is a string, not `{value}`")),
            (Sort::Any, _) => {
                return Err(format!("`{key}` is a string, a whole number, true or false, not `{value}`"));
            }
            (sort, _) => Value::object(sort, self.object(sort, key, value)?),
        })
    }

    /// The instance of a group that is called so.
    pub(crate) fn group_value(&mut self, text: &str) -> Value {
        Value::Group(self.names.intern(text))
    }

    /// A text as it is.
    pub(crate) fn text_value(&mut self, text: &str) -> Value {
        Value::Str(self.names.intern(text))
    }

    /// Takes in an argument or attribute.
    pub(crate) fn argument(
        &mut self,
        event: &mut Event,
        details: &mut Details,
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
            "kind" if is_about_object(event.kind) => details.lock = Some(lock_kind(name, value)?),
            "send" => details.send = Some(mark(name, value, 1)? != 0),
            "kind" | "mode" | "outcome" => event.flags |= variant(event.kind, name, value)?,
            "what" if matches!(event.kind, EventKind::Block | EventKind::Unblock) => {
                event.flags |= variant(event.kind, name, value)?;
            }
            "what" => {
                let what = text(name, value)?;
                match Timer::ALL.iter().find(|it| it.name() == what) {
                    Some(timer) => event.flags |= *timer as u8,
                    None => details.what = Some(what.to_owned()),
                }
            }
            "timer" => event.flags |= mark(name, value, flag::TIMER)?,
            "try" => event.flags |= mark(name, value, flag::TRY)?,
            "caught" => event.flags |= mark(name, value, flag::CAUGHT)?,
            "dropped" => event.flags |= mark(name, value, flag::DROPPED)?,
            "added" => event.flags |= mark(name, value, flag::ADDED)?,
            "ns" => event.ns = number(name, value)?,
            "cpu" => event.cpu = number(name, value)?,
            "on" => event.thread = ThreadId(self.object(Sort::Thread, name, value)?),
            "name" => details.name = Some(text(name, value)?.to_owned()),
            "class" => details.class = Some(text(name, value)?.to_owned()),
            "output" => details.output = Some(text(name, value)?.to_owned()),
            "capacity" => details.capacity = Some(number(name, value)?),
            _ => {}
        }
        Ok(())
    }

    /// Keeps what the event tells of its task, test or object.
    pub(crate) fn learn(&mut self, event: &Event, details: Details) {
        let lock = details.lock();
        match (event.kind, details.name) {
            (EventKind::Spawn, Some(name)) => self.names.set_task(TaskId(event.object), &name),
            (EventKind::Start, Some(name)) => self.names.set_task(event.task, &name),
            (EventKind::TestBegin | EventKind::TestEnd, Some(name)) if event.object != 0 => {
                self.names.set_unit(UnitId(event.object), &name);
            }
            _ => {}
        }
        if let Some(output) = details.output {
            let output = self.names.intern(&output);
            self.log.outputs.insert(TaskId(event.object), output);
        }
        if let Some(what) = details.what.filter(|_| event.site.is_some()) {
            self.names.set_call(event.site, &what);
        }
        let id = ObjectId(event.object);
        if id.is_some() && is_about_object(event.kind) && !self.log.objects.contains_key(&id) {
            let sort = event.kind.signature().params.iter().find(|it| it.1 != Sort::Task).map(|it| it.1);
            let amount = u32::try_from(event.number).unwrap_or(u32::MAX);
            // What is reported is the capacity after the event, what is kept the one before it.
            let capacity = match (event.kind, details.capacity.unwrap_or(0)) {
                (EventKind::PermitRelease, it) if event.flags & flag::ADDED != 0 => it.saturating_sub(amount),
                (EventKind::PermitForget, it) => it.saturating_add(amount),
                (_, it) => it,
            };
            let born_at =
                details.class.as_deref().filter(|it| site(it).position.is_known()).map(|it| self.site(it));
            let object = Object {
                kind: details.object.unwrap_or(match sort {
                    Some(Sort::Chan) => ObjectKind::OtherChannel,
                    Some(Sort::Sem) => ObjectKind::TokioSemaphore,
                    Some(Sort::Signal) => ObjectKind::TokioNotify,
                    _ => lock,
                }),
                born_at: born_at.unwrap_or(SiteId::NONE),
                class: details.class.map_or(StringId::NONE, |it| self.names.intern(&it)),
                capacity,
                hands_over: false,
                is_static: false,
            };
            self.log.objects.insert(id, object);
        }
    }

    /// The number of an object that is written `sort:number` or has a name of its own.
    pub(crate) fn object(&mut self, sort: Sort, key: &str, value: &Json) -> Result<u32, String> {
        let text = text(key, value)?;
        if text.is_empty() {
            return Err(format!("`{key}` names no {}", sort.name()));
        }
        let (prefix, name) = text.split_once(':').unwrap_or((sort.name(), text));
        match Sort::of_name(prefix) {
            Some(it) if it == sort => {}
            Some(_) => return Err(format!("`{key}` is a {}, not `{text}`", sort.name())),
            None => return Ok(self.number_of(sort, text)),
        }
        match name.parse::<u32>() {
            Ok(number) if number > 0 && number.to_string() == name => {
                self.greatest = self.greatest.max(number);
                Ok(number)
            }
            _ => Ok(self.number_of(sort, name)),
        }
    }

    /// The number of an object that is known by a name.
    fn number_of(&mut self, sort: Sort, name: &str) -> u32 {
        if sort == Sort::Test {
            return self.test(name).0;
        }
        let next = NAMED + u32::try_from(self.named.len()).unwrap_or(0);
        let number = *self.named.entry((sort, name.to_owned())).or_insert(next);
        if sort == Sort::Task {
            self.names.set_task(TaskId(number), name);
        } else {
            self.names.set_object(ObjectId(number), name);
        }
        number
    }

    /// The unit of the test of that name, which `event` may give a number.
    pub(crate) fn unit(&mut self, name: &str, event: Event) -> Result<UnitId, String> {
        if let Some(unit) = self.units.get(name) {
            return Ok(*unit);
        }
        let tells = matches!(event.kind, EventKind::TestBegin | EventKind::TestEnd) && event.object != 0;
        if !tells {
            return Ok(self.test(name));
        }
        let unit = UnitId(event.object);
        if let Some(other) = self.tests.get(&unit) {
            return Err(format!("the tests `{other}` and `{name}` are both `test:{}`", unit.0));
        }
        self.add(unit, name);
        Ok(unit)
    }

    /// The unit of a test that is known by its name.
    fn test(&mut self, name: &str) -> UnitId {
        if let Some(unit) = self.units.get(name) {
            return *unit;
        }
        let unit = UnitId(self.last_unit.saturating_add(1));
        self.add(unit, name);
        unit
    }

    /// Takes note of a test that is new.
    fn add(&mut self, unit: UnitId, name: &str) {
        self.last_unit = self.last_unit.max(unit.0);
        self.units.insert(name.to_owned(), unit);
        self.tests.insert(unit, name.to_owned());
        self.names.set_unit(unit, name);
    }

    /// The site of this place.
    pub(crate) fn site(&mut self, text: &str) -> SiteId {
        let site = site(text);
        let next = SiteId(u32::try_from(self.sites.len()).unwrap_or(u32::MAX - 1) + 1);
        if let Some(id) = self.sites.get(&site) {
            return *id;
        }
        self.sites.insert(site.clone(), next);
        self.names.set_site(next, site);
        next
    }
}

/// The object that a text is, where it is a sort of objects, a colon and a number.
fn object_of(text: &str) -> Option<(Sort, u32)> {
    let (sort, number) = text.split_once(':')?;
    let is_plain = |it: &Sort| matches!(it, Sort::Int | Sort::Bool | Sort::Str | Sort::Group | Sort::Any);
    let sort = Sort::of_name(sort).filter(|it| !is_plain(it))?;
    let parsed: u32 = number.parse().ok()?;
    (parsed > 0 && parsed.to_string() == number).then_some((sort, parsed))
}

/// `file:line:column`; anything else is the name of a file.
fn site(text: &str) -> RecordedSite {
    let parse = || {
        let (rest, column) = text.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        let position = CompiledPosition::new(line.parse().ok()?, column.parse().ok()?);
        Some(RecordedSite { file: file.to_owned(), position, own: true })
    };
    let unknown = CompiledPosition::new(0, 0);
    parse().unwrap_or_else(|| RecordedSite { file: text.to_owned(), position: unknown, own: true })
}

pub(crate) fn text<'a>(key: &str, value: &'a Json) -> Result<&'a str, String> {
    value.as_text().ok_or_else(|| format!("`{key}` is a string, not `{value}`"))
}

pub(crate) fn number<T: TryFrom<i64>>(key: &str, value: &Json) -> Result<T, String> {
    let number = value.as_int().and_then(|it| T::try_from(it).ok());
    number.ok_or_else(|| format!("`{key}` is a number from 0, not `{value}`"))
}

pub(crate) fn mark(key: &str, value: &Json, bit: u8) -> Result<u8, String> {
    match value {
        Json::Bool(it) => Ok(if *it { bit } else { 0 }),
        _ => Err(format!("`{key}` is true or false, not `{value}`")),
    }
}

/// The name of a variant, which is written with or without `::`.
fn variant_name<'a>(attribute: &str, value: &'a Json) -> Result<&'a str, String> {
    let name = text(attribute, value)?;
    Ok(name.strip_prefix("::").unwrap_or(name))
}

fn lock_kind(attribute: &str, value: &Json) -> Result<LockKind, String> {
    let name = variant_name(attribute, value)?;
    let kind = LockKind::ALL.iter().find(|it| it.name() == name);
    kind.copied().ok_or_else(|| format!("`{name}` is no `{attribute}`"))
}

/// The bits of a variant.
fn variant(kind: EventKind, attribute: &str, value: &Json) -> Result<u8, String> {
    let name = variant_name(attribute, value)?;
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
