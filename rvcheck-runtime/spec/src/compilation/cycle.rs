//! Emitted events that would cause themselves to be emitted again.

use crate::language::problem::{Part, Problem};
use crate::language::source::PropertySource;
use crate::language::syntax::parse_transition;
use crate::language::syntax::tree::{Action, Name};

/// A transition takes an event and emits another one.
struct Emits {
    property: usize,
    part: Part,
    takes: String,
    event: Name,
}

/// What is wrong with the emissions of the properties of one file, and in which of them: one problem for each cycle, at the
/// emission in it that stands first.
pub fn cycles<'a>(properties: impl IntoIterator<Item = &'a PropertySource>) -> Vec<(usize, Problem)> {
    let emits: Vec<Emits> = properties
        .into_iter()
        .enumerate()
        .flat_map(|(property, source)| emissions(property, source))
        .collect();
    let (mut problems, mut reported) = (Vec::new(), Vec::<&str>::new());
    for it in &emits {
        let Some(way) = way(&emits, &it.event.text, &it.takes) else { continue };
        if way.iter().all(|event| reported.contains(event)) {
            continue;
        }
        let names: Vec<String> = [it.takes.as_str()].iter().chain(&way).map(|it| format!("`{it}`")).collect();
        let message = format!("emitted events go round in a cycle: {}", names.join(" → "));
        let help = "an event that is emitted must not cause itself to be emitted again";
        problems.push((it.property, Problem::new(it.part, it.event.span, message).help(help)));
        reported.extend(way);
    }
    problems
}

fn emissions(property: usize, source: &PropertySource) -> Vec<Emits> {
    let mut found = Vec::new();
    for (index, text) in source.transitions.iter().enumerate() {
        let part = Part::Transition(index);
        let Some(tree) = parse_transition(text, part).0 else { continue };
        let takes = tree.pattern.event.text;
        found.extend(tree.actions.into_iter().filter_map(|action| match action {
            Action::Emit(event, _) => Some(Emits { property, part, takes: takes.clone(), event }),
            Action::Assign(..) => None,
        }));
    }
    found
}

/// The events on a way of emissions from one event to another, both included.
fn way<'a>(emits: &'a [Emits], from: &'a str, to: &str) -> Option<Vec<&'a str>> {
    let mut ways = vec![vec![from]];
    let mut seen = vec![from];
    while let Some(way) = ways.pop() {
        let last = *way.last()?;
        if last == to {
            return Some(way);
        }
        for it in emits.iter().filter(|it| it.takes == last) {
            let next = it.event.text.as_str();
            if !seen.contains(&next) {
                seen.push(next);
                ways.push([way.as_slice(), &[next]].concat());
            }
        }
    }
    None
}
