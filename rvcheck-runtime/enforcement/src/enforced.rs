//! The file that tells a program which properties stop it: lines of `key=value`, so that nothing but this crate has to read it.
//!
//! `[property]` begins a property, `[event]` and `[fluent]` an event and a fluent that the file of the last property declares. In values, `\n`, `\t` and
//! `\\` stand for a line feed, a tab and a backslash; a tab separates a name from what it stands for.

use rvcheck_event::remedy::Remedy;
use rvcheck_spec::{EventSource, FluentSource, PropertySource};

/// What happens where a property is violated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Action {
    /// The call panics.
    #[default]
    Panic,
    /// The process is aborted.
    Abort,
    /// It is learnt of the place, and from then on this is done there.
    Enforce(Remedy),
}

impl Action {
    /// The ways to stop a program, with their names.
    pub const STOPS: [(Action, &'static str); 2] = [(Action::Panic, "panic"), (Action::Abort, "abort")];

    /// The way to stop a program of that name.
    pub fn stop_of_name(name: &str) -> Option<Action> {
        Action::STOPS.iter().find(|(_, it)| *it == name).map(|(action, _)| *action)
    }

    /// The action of that name.
    fn of_name(name: &str) -> Option<Action> {
        Action::stop_of_name(name).or_else(|| Remedy::of_name(name).map(Action::Enforce))
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Action::Panic => "panic",
            Action::Abort => "abort",
            Action::Enforce(remedy) => remedy.name(),
        }
    }

    /// The remedy, if that is what it is.
    pub fn remedy(self) -> Option<Remedy> {
        match self {
            Action::Enforce(remedy) => Some(remedy),
            Action::Panic | Action::Abort => None,
        }
    }
}

/// A property that stops the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Enforced {
    /// The property.
    pub source: PropertySource,
    /// The events that it can use beside the built-in ones.
    pub events: Vec<EventSource>,
    /// The fluents that it can use beside the built-in ones.
    pub fluents: Vec<FluentSource>,
    /// How it stops the program, or what is done instead.
    pub action: Action,
    /// Where it was violated in earlier runs, as `FILE:LINE:COLUMN` in what is compiled; for [`Remedy::Refuse`], which is applied here.
    pub known: Vec<String>,
}

/// The properties that stop a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnforcedProperties(pub Vec<Enforced>);

/// Where a value belongs.
enum Slot<'a> {
    One(&'a mut String),
    Maybe(&'a mut Option<String>),
    Many(&'a mut Vec<String>),
    Pairs(&'a mut Vec<(String, String)>),
}

/// The strings of a property with their keys.
fn of_property(it: &mut PropertySource) -> [(&'static str, Slot<'_>); 26] {
    [
        ("id", Slot::One(&mut it.id)),
        ("title", Slot::Maybe(&mut it.title)),
        ("level", Slot::Maybe(&mut it.level)),
        ("logic", Slot::One(&mut it.logic)),
        ("message", Slot::Maybe(&mut it.message)),
        ("scope", Slot::Maybe(&mut it.scope)),
        ("params", Slot::Many(&mut it.params)),
        ("vars", Slot::Pairs(&mut it.vars)),
        ("initial", Slot::Maybe(&mut it.initial)),
        ("bad", Slot::Many(&mut it.bad)),
        ("good", Slot::Many(&mut it.good)),
        ("end_bad", Slot::Many(&mut it.end_bad)),
        ("transitions", Slot::Many(&mut it.transitions)),
        ("rules", Slot::Many(&mut it.rules)),
        ("formula", Slot::Maybe(&mut it.formula)),
        ("steps", Slot::Maybe(&mut it.steps)),
        ("levels", Slot::Pairs(&mut it.levels)),
        ("messages", Slot::Pairs(&mut it.messages)),
        ("primary", Slot::Many(&mut it.primary)),
        ("related", Slot::Many(&mut it.related)),
        ("labels", Slot::Pairs(&mut it.labels)),
        ("next", Slot::Maybe(&mut it.next)),
        ("group", Slot::Maybe(&mut it.group)),
        ("per", Slot::Many(&mut it.per)),
        ("view", Slot::Pairs(&mut it.view)),
        ("grammar", Slot::Pairs(&mut it.grammar)),
    ]
}

/// The strings of a fluent with their keys.
fn of_fluent(it: &mut FluentSource) -> [(&'static str, Slot<'_>); 4] {
    [
        ("name", Slot::One(&mut it.name)),
        ("params", Slot::Many(&mut it.params)),
        ("from", Slot::Maybe(&mut it.from)),
        ("to", Slot::Maybe(&mut it.to)),
    ]
}

/// The strings of an event with their keys.
fn of_event(it: &mut EventSource) -> [(&'static str, Slot<'_>); 2] {
    [("name", Slot::One(&mut it.name)), ("params", Slot::Many(&mut it.params))]
}

/// What the lines are about.
#[derive(Clone, Copy)]
enum Section {
    Property,
    Event,
    Fluent,
}

impl EnforcedProperties {
    /// Whether nothing can stop the program.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for property in &self.0 {
            text.push_str("[property]\n");
            line(&mut text, "action", property.action.name());
            property.known.iter().for_each(|it| line(&mut text, "known", it));
            write(&mut text, of_property(&mut property.source.clone()));
            for event in &property.events {
                text.push_str("[event]\n");
                write(&mut text, of_event(&mut event.clone()));
            }
            for fluent in &property.fluents {
                text.push_str("[fluent]\n");
                write(&mut text, of_fluent(&mut fluent.clone()));
            }
        }
        text
    }

    /// The properties in this text; `None` where it was not written by [`EnforcedProperties::to_text`].
    pub fn read(text: &str) -> Option<EnforcedProperties> {
        let mut properties: Vec<Enforced> = Vec::new();
        let mut section = Section::Property;
        for line in text.lines() {
            match line {
                "[property]" => {
                    properties.push(Enforced::default());
                    section = Section::Property;
                }
                "[event]" => {
                    properties.last_mut()?.events.push(EventSource::default());
                    section = Section::Event;
                }
                "[fluent]" => {
                    properties.last_mut()?.fluents.push(FluentSource::default());
                    section = Section::Fluent;
                }
                _ => {
                    let (key, value) = line.split_once('=')?;
                    let property = properties.last_mut()?;
                    match (section, key) {
                        (Section::Property, "action") => property.action = Action::of_name(value)?,
                        (Section::Property, "known") => property.known.push(unescaped(value)),
                        (Section::Property, _) => read(of_property(&mut property.source), key, value)?,
                        (Section::Event, _) => read(of_event(property.events.last_mut()?), key, value)?,
                        (Section::Fluent, _) => read(of_fluent(property.fluents.last_mut()?), key, value)?,
                    }
                }
            }
        }
        Some(EnforcedProperties(properties))
    }
}

fn write<'a>(text: &mut String, slots: impl IntoIterator<Item = (&'static str, Slot<'a>)>) {
    for (key, slot) in slots {
        match slot {
            Slot::One(value) => line(text, key, value),
            Slot::Maybe(value) => value.iter().for_each(|it| line(text, key, it)),
            Slot::Many(values) => values.iter().for_each(|it| line(text, key, it)),
            Slot::Pairs(pairs) => {
                for (name, value) in pairs {
                    text.push_str(key);
                    text.push('=');
                    escape(text, name);
                    text.push('\t');
                    escape(text, value);
                    text.push('\n');
                }
            }
        }
    }
}

fn line(text: &mut String, key: &str, value: &str) {
    text.push_str(key);
    text.push('=');
    escape(text, value);
    text.push('\n');
}

fn read<'a>(slots: impl IntoIterator<Item = (&'static str, Slot<'a>)>, key: &str, value: &str) -> Option<()> {
    let (_, slot) = slots.into_iter().find(|(it, _)| *it == key)?;
    match slot {
        Slot::One(slot) => *slot = unescaped(value),
        Slot::Maybe(slot) => *slot = Some(unescaped(value)),
        Slot::Many(list) => list.push(unescaped(value)),
        Slot::Pairs(pairs) => {
            let (name, value) = value.split_once('\t')?;
            pairs.push((unescaped(name), unescaped(value)));
        }
    }
    Some(())
}

fn escape(text: &mut String, value: &str) {
    for character in value.chars() {
        match character {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\\' => text.push_str("\\\\"),
            other => text.push(other),
        }
    }
}

fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut rest = value.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match rest.next() {
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('t') => text.push('\t'),
            other => text.extend(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn awkward() -> EnforcedProperties {
        let text = |it: &str| format!("{it} = \\a\n\tb\r\\n\\");
        let mut source = PropertySource::default();
        for (key, slot) in of_property(&mut source) {
            match slot {
                Slot::One(slot) => *slot = text(key),
                Slot::Maybe(slot) => *slot = Some(text(key)),
                Slot::Many(list) => list.extend([text(key), String::new()]),
                Slot::Pairs(pairs) => pairs.extend([(text(key), text("x")), (String::new(), String::new())]),
            }
        }
        let fluent =
            FluentSource { name: text("n"), params: vec![text("p")], from: Some(text("f")), to: None };
        let event = EventSource { name: text("e"), params: vec![text("p")] };
        let (events, fluents) = (vec![event], vec![fluent.clone(), fluent]);
        let known = vec!["src/a\n.rs:1:2".to_owned(), String::new()];
        let property = Enforced { source, events, fluents, action: Action::Abort, known };
        let remedied = Enforced { action: Action::Enforce(Remedy::Gate), ..Enforced::default() };
        EnforcedProperties(vec![property, Enforced::default(), remedied])
    }

    #[test]
    fn what_is_written_is_read_back() {
        for properties in [EnforcedProperties::default(), awkward()] {
            assert_eq!(EnforcedProperties::read(&properties.to_text()), Some(properties));
        }
    }

    #[test]
    fn broken_text_is_refused() {
        for text in
            ["id=x", "[fluent]", "[property]\nid", "[property]\ncolour=red", "[property]\naction=sleep"]
        {
            assert_eq!(EnforcedProperties::read(text), None, "{text}");
        }
    }
}
