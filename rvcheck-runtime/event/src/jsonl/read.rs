//! From lines to events.

use crate::declared::Declared;
use crate::event::Event;
use crate::id::{TaskId, ThreadId};
use crate::json::Json;
use crate::kind::{ObjectKind, Sort};
use crate::log::Log;
use crate::log::collect::{Collector, Details, Named, Wrong, mark, number, text};
use crate::record::flag;
use crate::value::Value;

/// Reads a trace; `declared` are the events that it may have besides the built-in ones. Empty lines are skipped; lines that make
/// no sense are left out and reported in [`Log::problems`].
pub fn read(text: &[u8], declared: &[Declared]) -> Log {
    let mut collector = Collector::new(declared);
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    for (index, line) in text.split(|it| *it == b'\n').enumerate() {
        let number = index + 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let line = match str::from_utf8(line) {
            Ok(line) => line.trim_end_matches('\r'),
            Err(error) => {
                let column = String::from_utf8_lossy(&line[..error.valid_up_to()]).chars().count() + 1;
                collector.problem(number, column, "this byte is not UTF-8".to_owned());
                continue;
            }
        };
        let column = |at: usize| line[..at].chars().count() + 1;
        match Json::parse(line) {
            Ok(json) => {
                if let Err(wrong) = take(&mut collector, &json, number) {
                    let at = wrong.key.and_then(|key| line.find(&Json::Text(key).to_string()));
                    collector.problem(number, column(at.unwrap_or(0)), wrong.message);
                }
            }
            Err(error) => {
                let message = format!("no JSON: expected {}", error.expected);
                collector.problem(number, column(error.at.min(line.len())), message);
            }
        }
    }
    collector.finish()
}

/// Takes the event of a line.
fn take(collector: &mut Collector<'_>, line: &Json, number: usize) -> Result<(), Wrong> {
    let unnamed = |message: &str| Wrong { key: None, message: message.to_owned() };
    let Json::Map(entries) = line else { return Err(unnamed("a line is a JSON object")) };
    let name = line.get("e").ok_or_else(|| unnamed("`e`, the name of the event, is missing"))?;
    let name = name.as_text().ok_or_else(|| Wrong::at("e", format!("`e` is a string, not `{name}`")))?;
    let named = collector.named(name);
    let mut event = collector.begin(named, name, number);
    let (mut details, mut arguments) = (Details::default(), Vec::new());
    if let Some(given) = line.get("a") {
        let Json::Map(given) = given else { return Err(Wrong::at("a", "`a` is not a JSON object")) };
        arguments = take_arguments(collector, named, given, &mut event, &mut details)?;
    }
    for (key, value) in entries {
        context(collector, &mut event, &mut details, key, value)
            .map_err(|message| Wrong::at(key, message))?;
    }
    if line.get("time").is_none() {
        collector.without_time(number);
    }
    // The test comes last, since a `test_begin` tells its number.
    if let Some(test) = line.get("test") {
        let unit = text("test", test).and_then(|test| collector.unit(test, event));
        event.unit = unit.map_err(|message| Wrong::at("test", message))?;
    }
    collector.context(details.context());
    collector.learn(&event, details);
    collector.push(named, name, event, &arguments);
    Ok(())
}

/// Takes what `a` says: into the event itself, or as the values of its parameters where it is a declared one.
fn take_arguments(
    collector: &mut Collector<'_>,
    named: Named<'_>,
    given: &[(String, Json)],
    event: &mut Event,
    details: &mut Details,
) -> Result<Vec<Value>, Wrong> {
    let mut values = Vec::new();
    for (index, (key, value)) in given.iter().enumerate() {
        if matches!(named, Named::Unknown) {
            break;
        }
        if given[..index].iter().any(|(it, _)| it == key) {
            return Err(Wrong::at(key, format!("`{key}` is given twice")));
        }
        let taken = match named {
            Named::Unknown => Ok(()),
            Named::BuiltIn(_) => collector.argument(event, details, key, value),
            Named::Declared(declared) => match declared.place(key, index) {
                Some(place) => collector.value(key, declared.params[place].1, value).map(|value| {
                    values.resize(declared.params.len(), Value::Absent);
                    values[place] = value;
                }),
                None => Err(format!("`{}` has no argument `{key}`", declared.name)),
            },
        };
        taken.map_err(|message| Wrong::at(key, message))?;
    }
    Ok(values)
}

/// Takes what a line says beside the event and its arguments.
fn context(
    collector: &mut Collector<'_>,
    event: &mut Event,
    details: &mut Details,
    key: &str,
    value: &Json,
) -> Result<(), String> {
    match key {
        "thread" => event.thread = ThreadId(number(key, value)?),
        "time" => event.time = number(key, value)?,
        "site" => event.site = collector.site(text(key, value)?),
        "task" => event.task = TaskId(collector.object(Sort::Task, key, value)?),
        "caught_at" => event.number = collector.site(text(key, value)?).0.into(),
        "by_owner" => event.flags |= mark(key, value, flag::BY_OWNER)?,
        "object" => {
            let name = text(key, value)?;
            let kind = ObjectKind::ALL.iter().find(|it| it.name() == name);
            details.object = Some(*kind.ok_or_else(|| format!("`{name}` is no kind of object"))?);
        }
        "group" => details.group = Some(collector.group_value(text(key, value)?)),
        "callee" => details.callee = Some(collector.value(key, Sort::Any, value)?),
        // Others add nothing to an event.
        _ => {}
    }
    Ok(())
}
