//! The arguments of events of the program's own, out of the records before them.

use crate::id::StringId;
use crate::record::{Record, argument};
use crate::value::Value;

/// The arguments that a thread has recorded for its next event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments(Vec<(u32, Record)>);

impl Arguments {
    /// Takes in the record of an argument.
    pub(crate) fn add(&mut self, record: Record) {
        let index = record.site;
        if index == 0 {
            // What came before belongs to an event that was lost.
            self.0.clear();
        }
        if self.0.len() < argument::MOST {
            self.0.push((index, record));
        }
    }

    /// The arguments of an event that has so many. Those that were lost are absent.
    pub(crate) fn take<'a>(
        &'a mut self,
        count: u32,
        text: impl Fn(u32) -> StringId + 'a,
    ) -> impl Iterator<Item = Value> + 'a {
        let count = count.min(argument::MOST as u32);
        let mut records = self.0.drain(..).peekable();
        (0..count).map(move |index| {
            let record = records.next_if(|it| it.0 == index);
            record.map_or(Value::Absent, |(_, record)| value(record, &text))
        })
    }
}

fn value(record: Record, text: impl Fn(u32) -> StringId) -> Value {
    match record.flags {
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
}
