//! The arguments of events of the program's own, out of the records before them.

use crate::id::StringId;
use crate::record::{Record, argument};
use crate::value::Value;

/// The arguments that a thread has recorded for its next event, and the callee.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments {
    records: Vec<(u32, Record)>,
    callee: Option<Record>,
}

impl Arguments {
    /// Takes in the record of an argument.
    pub(crate) fn add(&mut self, record: Record) {
        if record.flags & argument::CALLEE != 0 {
            self.callee = Some(record);
            return;
        }
        let index = record.site;
        if index == 0 {
            // What came before belongs to an event that was lost.
            self.records.clear();
            self.callee = None;
        }
        if self.records.len() < argument::MOST {
            self.records.push((index, record));
        }
    }

    /// The callee of an event with a name of this number. That of another event is dropped, and none is absent.
    pub(crate) fn take_callee(&mut self, name: u32, text: impl Fn(u32) -> StringId) -> Value {
        let callee = self.callee.take().filter(|it| it.site == name);
        callee.map_or(Value::Absent, |it| value(it, text))
    }

    /// The arguments of an event that has so many. Those that were lost are absent.
    pub(crate) fn take<'a>(
        &'a mut self,
        count: u32,
        text: impl Fn(u32) -> StringId + 'a,
    ) -> impl Iterator<Item = Value> + 'a {
        let count = count.min(argument::MOST as u32);
        let mut records = self.records.drain(..).peekable();
        (0..count).map(move |index| {
            let record = records.next_if(|it| it.0 == index);
            record.map_or(Value::Absent, |(_, record)| value(record, &text))
        })
    }
}

fn value(record: Record, text: impl Fn(u32) -> StringId) -> Value {
    match record.flags & argument::TAG {
        argument::INT => Value::Int(record.value() as i64),
        argument::BOOL => Value::Bool(record.value() != 0),
        argument::TEXT => {
            let text = text(record.object);
            if text.is_some() { Value::Str(text) } else { Value::Absent }
        }
        argument::OBJECT => {
            argument::sort_of(record.order16).map_or(Value::Absent, |sort| Value::object(sort, record.object))
        }
        _ => Value::Absent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Sort;
    use crate::record::code;

    fn record(index: u32, tag: u8, value: u64) -> Record {
        Record::wide(code::ARGUMENT, tag, index, value)
    }

    fn taken(records: &[Record], count: u32) -> Vec<Value> {
        let mut arguments = Arguments::default();
        for record in records {
            arguments.add(*record);
        }
        arguments.take(count, StringId).collect()
    }

    #[test]
    fn arguments_of_every_sort_are_read() {
        let lock = Record { order16: argument::bits_of(Sort::Lock), ..record(4, argument::OBJECT, 9) };
        let records = [
            record(0, argument::INT, (-3_i64) as u64),
            record(1, argument::BOOL, 1),
            record(2, argument::TEXT, 5),
            record(3, argument::ABSENT, 0),
            lock,
        ];
        let expected = [
            Value::Int(-3),
            Value::Bool(true),
            Value::Str(StringId(5)),
            Value::Absent,
            Value::Object(Sort::Lock, 9),
        ];
        assert_eq!(taken(&records, 5), expected);
    }

    #[test]
    fn what_was_lost_is_absent_and_never_taken_from_another_event() {
        let (one, two) = (record(0, argument::INT, 1), record(1, argument::INT, 2));
        assert_eq!(taken(&[two], 2), [Value::Absent, Value::Int(2)]);
        assert_eq!(taken(&[one], 2), [Value::Int(1), Value::Absent]);
        assert_eq!(taken(&[record(0, argument::INT, 7), one, two], 2), [Value::Int(1), Value::Int(2)]);
        assert_eq!(taken(&[one, two], 0), []);
        assert_eq!(taken(&[record(0, 99, 1)], 1), [Value::Absent]);
        assert_eq!(taken(&[], u32::MAX).len(), argument::MOST);
    }

    #[test]
    fn a_callee_is_no_argument_and_belongs_to_the_next_event_of_its_name() {
        let callee = |name: u32| record(name, argument::CALLEE | argument::INT, 9);
        let one = record(0, argument::INT, 1);
        let read = |records: &[Record], name: u32| {
            let mut arguments = Arguments::default();
            for record in records {
                arguments.add(*record);
            }
            let callee = arguments.take_callee(name, StringId);
            let values: Vec<_> = arguments.take(2, StringId).collect();
            assert_eq!(arguments.take_callee(name, StringId), Value::Absent, "it is taken once");
            (callee, values)
        };
        assert_eq!(read(&[one, callee(5)], 5), (Value::Int(9), vec![Value::Int(1), Value::Absent]));
        assert_eq!(read(&[callee(5)], 5), (Value::Int(9), vec![Value::Absent; 2]));
        // Whatever was recorded for an event that was lost.
        assert_eq!(read(&[callee(5)], 6).0, Value::Absent);
        assert_eq!(read(&[callee(5), one], 5).0, Value::Absent);
        let mut arguments = Arguments::default();
        arguments.add(callee(0));
        assert_eq!(arguments.take(1, StringId).collect::<Vec<_>>(), [Value::Absent]);
    }
}
