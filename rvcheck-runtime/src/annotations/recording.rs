//! Annotations, recorded: a record for each argument and one for the whole.
//!
//! The dev-dependency calls these functions, possibly in another version than the recorder's; see [`super::protocol`].

use rvcheck_event::kind::{EventKind, ObjectKind, Sort};
use rvcheck_event::record::{Record, argument, code, flag};

use super::protocol::{Annotation, ObjectSort, Value};
use crate::memory::{Short, Text};
use crate::task::Handle;
use crate::{Head, Loc, at_work, output, site, steer, stop, stream, strings, switch, thread};

/// Whether annotations are recorded.
#[inline(always)]
pub fn is_recording() -> bool {
    switch::on()
}

/// Records an annotation at a place of the program's.
#[inline(never)]
pub fn record(annotation: Annotation, name: &str, values: &[Value<'_>], location: Loc) {
    if !switch::on() {
        return;
    }
    let site = site::of(location).id;
    steer::delay_call(site);
    let name = strings::joined(&[verb(annotation), name]);
    let mut records = [Record::default(); argument::MOST + 2];
    let mut count = 0;
    let mut push = |value: Value<'_>| {
        records[count] = record_of(value, 0, count as u32);
        count += 1;
    };
    values.iter().take(argument::MOST).copied().for_each(&mut push);
    let control = match annotation {
        Annotation::Event | Annotation::Set | Annotation::Clear => 0,
        Annotation::Remove => flag::CONTROL,
        Annotation::Check | Annotation::CheckTail => {
            // A long text is cut, and half a formula is none.
            if let Some(Value::Text(formula)) = values.first() {
                push(Value::Int(i64::try_from(formula.len()).unwrap_or(i64::MAX)));
            }
            flag::CONTROL
        }
    };
    records[count] = Record::event(EventKind::User, control, site, name, count as u32);
    stream::push_all(&records[..=count]);
    stop::point();
}

/// What stands before the name in a trace. The name of an event has no blank in it, so that nothing else is called so.
const fn verb(annotation: Annotation) -> &'static str {
    match annotation {
        Annotation::Event => "",
        Annotation::Set => "set ",
        Annotation::Clear => "clear ",
        Annotation::Check => "check ",
        Annotation::CheckTail => "check-tail ",
        Annotation::Remove => "remove ",
    }
}

/// The record of an argument. For that of a callee, `mark` is [`argument::CALLEE`].
pub(super) fn record_of(value: Value<'_>, mark: u8, index: u32) -> Record {
    let text = |number: Option<u32>| match number {
        Some(number) => (argument::TEXT, 0, u64::from(number)),
        None => (argument::ABSENT, 0, 0),
    };
    let (tag, sort, value) = match value {
        Value::Absent | Value::Object(_, 0) | Value::Interned(0) => (argument::ABSENT, 0, 0),
        Value::Int(number) => (argument::INT, 0, number as u64),
        Value::Bool(truth) => (argument::BOOL, 0, u64::from(truth)),
        Value::Text(it) => text(strings::text(it)),
        Value::Interned(number) => text(Some(number)),
        Value::Char(it) => text(strings::text(it.encode_utf8(&mut [0; 4]))),
        Value::Float(it) => text(strings::text(&Short::of(format_args!("{it:?}")))),
        Value::Object(sort, id) => (argument::OBJECT, argument::bits_of(sort_of(sort)), u64::from(id)),
    };
    Record { order16: sort, ..Record::wide(code::ARGUMENT, tag | mark, index, value) }
}

const fn sort_of(sort: ObjectSort) -> Sort {
    match sort {
        ObjectSort::Task => Sort::Task,
        ObjectSort::Lock => Sort::Lock,
        ObjectSort::Chan => Sort::Chan,
        ObjectSort::Sem => Sort::Sem,
        ObjectSort::Signal => Sort::Signal,
    }
}

/// The number of the task that runs now, or of the thread; 0 where nothing is recorded.
pub fn task() -> u32 {
    if !switch::on() {
        return 0;
    }
    thread::with(|state| {
        state.register(stream::Origin::Foreign);
        state.acting()
    })
}

impl Handle {
    /// The task, as an argument of an annotation.
    pub fn value(&self) -> Value<'static> {
        Value::Object(ObjectSort::Task, self.id().0)
    }
}

/// An object was named that has no identity here.
#[cold]
pub fn unidentified(type_name: &'static str) {
    if switch::on() {
        note_once(&["`object!` cannot tell one `", type_name, "` from another, so it is absent"], &[]);
    }
}

/// Notes something once in this process, together with where it was seen first.
#[cold]
pub(super) fn note_once(parts: &[&str], place: &[&str]) {
    if strings::is_new(parts)
        && let Some(_at_work) = at_work::enter()
    {
        output::note(&Text::of(&[&*Text::of(parts), &*Text::of(place)]));
    }
}

/// Says how objects of a type are told apart: the bounds of its parameters, the type, and the value of one.
#[macro_export]
macro_rules! identified {
    ([$($bounds:tt)*] $type:ty, $object:ident => $value:expr) => {
        impl<$($bounds)*> $crate::protocol::Identified for $type {
            #[inline]
            fn value(&self) -> $crate::protocol::Value<'static> {
                let $object = self;
                $value
            }
        }
    };
}

identified!([] Head, it => Head::value(it));

impl Head {
    /// The object, as an argument of an annotation.
    pub fn value(&self) -> Value<'static> {
        if !switch::on() {
            return Value::Absent;
        }
        let sort = match self.kind().map(ObjectKind::sort) {
            Some(Sort::Chan) => ObjectSort::Chan,
            Some(Sort::Sem) => ObjectSort::Sem,
            Some(Sort::Signal) => ObjectSort::Signal,
            _ => ObjectSort::Lock,
        };
        Value::Object(sort, self.id())
    }
}
