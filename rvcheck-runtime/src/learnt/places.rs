//! What earlier runs have learnt: a line for each of it in a file of the tool's, `remedy`, the id of the property, and one or two places
//! as `FILE:LINE:COLUMNS`, with tabs between them. What is compiled may have several columns that stand for one of the source; commas
//! separate them.
//!
//! A place becomes one of this process when it is first reached. So the trace names no place that was not.

use std::sync::{Mutex, PoisonError};

use rvcheck_event::remedy::Remedy;

use super::{MOST, Number, learn, learn_other};
use crate::memory::{List, keep_text};

/// What was learnt.
#[derive(Clone, Copy)]
struct Awaited {
    remedy: Remedy,
    property: &'static str,
    places: [Option<Place>; 2],
    /// Its gate, where it is one. Those with a place in common have one gate from the beginning, since who is inside keeps it.
    gate: u16,
    /// What it is in this process, once one of its places was reached.
    number: Option<Number>,
}

/// A place.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    file: &'static str,
    line: u32,
    columns: &'static str,
}

static AWAITED: Mutex<List<Awaited>> = Mutex::new(List::new());

/// Reads the file at this path. An error in words if that fails.
pub(super) fn load(path: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut awaited = AWAITED.lock().unwrap_or_else(PoisonError::into_inner);
    for line in text.lines() {
        let new = read(line).ok_or_else(|| format!("{path} has a line that cannot be read: {line}"))?;
        add(&mut awaited, new);
    }
    Ok(())
}

/// Adds what was learnt, with a gate of its own or that of those with which it has a place in common.
fn add(awaited: &mut List<Awaited>, new: Awaited) {
    // The numbers below that are those of what this process learns.
    let gate = u16::try_from(MOST + awaited.len()).unwrap_or(u16::MAX);
    let shares = |it: &Awaited| it.places.iter().flatten().any(|place| new.places.contains(&Some(*place)));
    let mut joined = List::new();
    awaited.iter().filter(|it| shares(it)).for_each(|it| joined.push(it.gate));
    awaited.iter_mut().filter(|it| joined.contains(&it.gate)).for_each(|it| it.gate = gate);
    awaited.push(Awaited { gate, ..new });
}

fn read(line: &str) -> Option<Awaited> {
    let mut parts = line.split('\t');
    let remedy = Remedy::of_name(parts.next()?)?;
    let property = keep_text(&[parts.next()?]);
    let first = place(parts.next()?)?;
    let second = parts.next().map(|it| place(it).ok_or(())).transpose().ok()?;
    Some(Awaited { remedy, property, places: [Some(first), second], gate: 0, number: None })
}

fn place(text: &str) -> Option<Place> {
    let (rest, columns) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    let are_numbers = columns.split(',').all(|it| it.parse::<u32>().is_ok());
    let line = line.parse().ok().filter(|_| are_numbers)?;
    Some(Place { file: keep_text(&[file]), line, columns: keep_text(&[columns]) })
}

impl Place {
    fn is_at(&self, file: &str, line: u32, column: u32) -> bool {
        let is_it = |it: &str| it.parse() == Ok(column);
        self.line == line && self.file == file && self.columns.split(',').any(is_it)
    }
}

/// A position has got a site. The caller is at work, and holds no lock but that of the sites.
pub(crate) fn placed(site: u32, file: &str, line: u32, column: u32) {
    let mut awaited = AWAITED.lock().unwrap_or_else(PoisonError::into_inner);
    for lesson in awaited.iter_mut() {
        if !lesson.places.iter().flatten().any(|it| it.is_at(file, line, column)) {
            continue;
        }
        match lesson.number {
            None => lesson.number = learn(lesson.remedy, lesson.property, [site, 0], Some(lesson.gate)),
            Some(number) => learn_other(number, site),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_with_a_place_in_common_are_one() {
        let mut all = List::new();
        for places in ["a:1:1\tb:1:1", "c:1:1\td:1:1", "e:1:1", "b:1:1\tc:1:1"] {
            add(&mut all, read(&format!("gate\tcalm\t{places}")).expect("it is one"));
        }
        let gates: Vec<u16> = all.iter().map(|it| it.gate).collect();
        assert_eq!(gates, [131, 131, 130, 131]);
    }

    #[test]
    fn a_line_has_a_remedy_a_property_and_one_or_two_places() {
        let shown = |line: &str| {
            let Awaited { remedy, property, places, .. } = read(line)?;
            let places =
                places.into_iter().flatten().map(|it| format!("{}|{}|{}", it.file, it.line, it.columns));
            Some(format!("{} {property} {}", remedy.name(), places.collect::<Vec<_>>().join(" ")))
        };
        let cases = [
            ("offload\tcalm\tsrc/a.rs:3:5", Some("offload calm src/a.rs|3|5")),
            ("gate\tcalm\ta:b.rs:3:5\tc.rs:1:1", Some("gate calm a:b.rs|3|5 c.rs|1|1")),
            ("mend\tcalm\tsrc/a.rs:3:5", None),
            ("offload\tcalm\tsrc/a.rs:3:5,17", Some("offload calm src/a.rs|3|5,17")),
            ("offload\tcalm\tsrc/a.rs:3:5,x", None),
            ("offload\tcalm\tsrc/a.rs:3", None),
            ("offload\tcalm", None),
            ("gate\tcalm\ta.rs:3:5\tb.rs", None),
            ("", None),
        ];
        for (line, expected) in cases {
            assert_eq!(shown(line).as_deref(), expected, "{line}");
        }
    }
}
