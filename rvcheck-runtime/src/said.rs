//! What the program says of itself, recorded: a record for each argument and one for the whole.
//!
//! The dev-dependency calls these functions, possibly in another version than the recorder's; see [`crate::words`].

use rvcheck_event::kind::{EventKind, ObjectKind, Sort};
use rvcheck_event::record::{Record, argument, code, flag};

use crate::memory::Text;
use crate::task::Handle;
use crate::words::{Family, Value, Word};
use crate::{Head, Loc, at_work, enforcement, output, site, start, thread};

/// Whether what is said is recorded.
#[inline(always)]
pub fn listens() -> bool {
    start::on()
}

/// Records what is said at a place of the program's.
#[inline(never)]
pub fn say(word: Word, name: &str, values: &[Value<'_>], location: Loc) {
    if !start::on() {
        return;
    }
    let site = site::of(location).id;
    let name = site::said(word, name);
    let mut records = [Record::default(); argument::MOST + 2];
    let mut count = 0;
    let mut push = |value: Value<'_>| {
        records[count] = record_of(value, count as u32);
        count += 1;
    };
    values.iter().take(argument::MOST).copied().for_each(&mut push);
    let control = match word {
        Word::Event | Word::Set | Word::Clear => 0,
        Word::Remove => flag::CONTROL,
        Word::Check | Word::CheckTail => {
            // A long text is cut, and half a formula is none.
            if let Some(Value::Text(formula)) = values.first() {
                push(Value::Int(i64::try_from(formula.len()).unwrap_or(i64::MAX)));
            }
            flag::CONTROL
        }
    };
    records[count] = Record::event(EventKind::User, control, site, name, count as u32);
    thread::push_all(&records[..=count]);
    enforcement::point();
    enforcement::point();
}

/// The record of an argument.
fn record_of(value: Value<'_>, index: u32) -> Record {
    let (tag, sort, value) = match value {
        Value::Absent | Value::Object(_, 0) => (argument::ABSENT, 0, 0),
        Value::Int(number) => (argument::INT, 0, number as u64),
        Value::Bool(truth) => (argument::BOOL, 0, u64::from(truth)),
        Value::Text(text) => match site::text(text) {
            Some(id) => (argument::TEXT, 0, u64::from(id)),
            None => (argument::ABSENT, 0, 0),
        },
        Value::Object(family, id) => (argument::OBJECT, argument::bits_of(sort(family)), u64::from(id)),
    };
    Record { order16: sort, ..Record::wide(code::ARGUMENT, tag, index, value) }
}

const fn sort(family: Family) -> Sort {
    match family {
        Family::Task => Sort::Task,
        Family::Lock => Sort::Lock,
        Family::Chan => Sort::Chan,
        Family::Sem => Sort::Sem,
        Family::Signal => Sort::Signal,
    }
}

/// The number of the task that runs now, or of the thread; 0 where nothing is recorded.
pub fn task() -> u32 {
    if !start::on() {
        return 0;
    }
    thread::with(|state| {
        state.register(thread::Origin::Foreign);
        state.acting()
    })
}

impl Handle {
    /// The task, as an argument of what the program says.
    pub fn value(&self) -> Value<'static> {
        Value::Object(Family::Task, self.id().0)
    }
}

/// An object was named that has no identity here.
#[cold]
pub fn unknown(type_name: &'static str) {
    if start::on() && site::is_new(type_name) {
        let parts = ["`object!` cannot tell one `", type_name, "` from another, so it is absent"];
        if let Some(_at_work) = at_work::enter() {
            output::note(&Text::of(&parts));
        }
    }
}

/// Says how objects of a type are told apart: the bounds of its parameters, the type, and the value of one.
#[macro_export]
macro_rules! identified {
    ([$($bounds:tt)*] $type:ty, $object:ident => $value:expr) => {
        impl<$($bounds)*> $crate::words::Identified for $type {
            #[inline]
            fn value(&self) -> $crate::words::Value<'static> {
                let $object = self;
                $value
            }
        }
    };
}

identified!([] Head, it => Head::value(it));

impl Head {
    /// The object, as an argument of what the program says.
    pub fn value(&self) -> Value<'static> {
        if !start::on() {
            return Value::Absent;
        }
        let family = match self.kind().map(ObjectKind::sort) {
            Some(Sort::Chan) => Family::Chan,
            Some(Sort::Sem) => Family::Sem,
            Some(Sort::Signal) => Family::Signal,
            _ => Family::Lock,
        };
        Value::Object(family, self.id())
    }
}
