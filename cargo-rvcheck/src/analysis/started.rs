//! Starts of tasks and threads, placed in the user's files, and which of them a run has seen.

use super::HitLocation;
use super::target::Placing;
use crate::finding::Location;
use rvcheck_source::facts::started::Started;
use serde::{Deserialize, Serialize};

/// The start of a task or thread of which the call that spawns does not tell enough.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StartedTask {
    /// The call that spawns it.
    at: Location,
    /// The call that gives what is spawned to a function that spawns it, if that is another one.
    pub by: Option<HitLocation>,
    /// The function in which what is spawned is written.
    item: String,
    /// The first and the last line of that, where it is a block or a closure.
    lines: Option<(u32, u32)>,
    /// Only callers outside of the product have its handle.
    pub is_given_out: bool,
    /// It looks at its own error before it returns it.
    #[serde(default)]
    pub speaks: bool,
}

impl StartedTask {
    pub(super) fn of(place: &Placing<'_>, it: Started) -> Option<StartedTask> {
        let by = it.by.map(|it| place.located(&it, ""));
        if matches!(by, Some(None)) {
            return None;
        }
        Some(StartedTask {
            at: place.located(&it.at, "")?.location,
            by: by.flatten(),
            item: it.item,
            lines: it.lines,
            is_given_out: it.is_given_out,
            speaks: it.speaks,
        })
    }
}

/// The start of a task that was spawned at `at`, runs what is of the type `runs`, and was seen in these places.
pub fn started<'a>(
    all: &'a [StartedTask],
    at: &Location,
    runs: &str,
    seen: &[Location],
) -> Option<&'a StartedTask> {
    let of_call = all.iter().filter(|it| (&it.at.file, it.at.line) == (&at.file, at.line));
    let bodies = bodies(runs);
    let fitting = of_call.filter(|it| !it.item.is_empty() && bodies.iter().any(|body| is_in(body, &it.item)));
    let fitting: Vec<&StartedTask> = fitting.collect();
    // Several blocks of one function have the same name.
    let is_around = |it: &&&StartedTask| {
        it.lines.is_some_and(|(first, last)| seen.iter().any(|at| (first..=last).contains(&at.line)))
    };
    match fitting.as_slice() {
        [one] => Some(one),
        several => several.iter().find(is_around).or(several.first()).copied(),
    }
}

/// Whether a task that runs what is of the type `runs` is the body of that function of the workspace, with nothing around it.
pub fn is_body_of(runs: &str, item: &str) -> bool {
    runs.ends_with("::{{closure}}") && bodies(runs).last().is_some_and(|it| is_in(it, item))
}

/// A function by its name, and that of its type where it is a method.
type Named<'a> = (Option<&'a str>, &'a str);

/// The functions with the closures and futures that the name of a type names: of `a::wrap<a::m::B::work::{{closure}}>::{{closure}}` these are
/// `wrap` and `B::work`.
fn bodies(runs: &str) -> Vec<Named<'_>> {
    const CLOSURE: &str = "::{{closure}}";
    let mut found: Vec<Named<'_>> =
        runs.match_indices(CLOSURE).filter_map(|(at, _)| named(&runs[..at])).collect();
    if found.is_empty() {
        found.extend(named(runs));
    }
    found
}

/// What is named at the end of a text.
fn named(text: &str) -> Option<Named<'_>> {
    let (before, name) = word_at_end(without_arguments(text))?;
    let of = before.strip_suffix("::").and_then(|it| {
        let plain = without_arguments(it);
        // `<a::B<T> as Trait>` and `<impl a::B<T>>` stand for a type.
        if plain.is_empty() || plain.ends_with("::") || plain.ends_with(['<', ' ', ',', '(']) {
            let inside = it[plain.len()..].strip_prefix('<')?.strip_suffix('>')?;
            let inside = inside.strip_prefix("impl ").unwrap_or(inside);
            let ty = inside.split(" as ").next().unwrap_or(inside);
            return word_at_end(without_arguments(ty)).map(|it| it.1);
        }
        word_at_end(plain).map(|it| it.1)
    });
    Some((of, name))
}

/// A text without the generic arguments at its end.
fn without_arguments(text: &str) -> &str {
    if !text.ends_with('>') {
        return text;
    }
    let mut depth = 0u32;
    let begin = text.char_indices().rev().find(|(at, letter)| {
        match letter {
            '>' if !text[..*at].ends_with('-') => depth += 1,
            '<' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    begin.map_or(text, |(at, _)| &text[..at])
}

fn word_at_end(text: &str) -> Option<(&str, &str)> {
    let begin = text.rfind(|it: char| !it.is_alphanumeric() && it != '_').map_or(0, |at| at + 1);
    let (before, word) = text.split_at_checked(begin)?;
    (!word.is_empty()).then_some((before, word))
}

/// Whether a function is the one with that path in its crate.
fn is_in((of, name): &Named<'_>, item: &str) -> bool {
    let mut segments = item.rsplit("::");
    let is_it = segments.next() == Some(name);
    // Of a method, the source names the type.
    let own = segments.next().filter(|it| it.starts_with(char::is_uppercase));
    is_it && own.is_none_or(|own| *of == Some(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_type_names_the_functions_that_it_was_written_in() {
        for (runs, expected) in [
            ("a::m::work<i32>::{{closure}}", vec![(Some("m"), "work")]),
            (
                "a::wrap<a::m::work<i32>::{{closure}}>::{{closure}}",
                vec![(Some("m"), "work"), (Some("a"), "wrap")],
            ),
            ("a::m::A::new::{{closure}}", vec![(Some("A"), "new")]),
            ("a::S<i32>::meth::{{closure}}::{{closure}}", vec![(Some("S"), "meth")]),
            ("<a::S<i32> as a::Tr>::go::{{closure}}", vec![(Some("S"), "go")]),
            ("a::b::<impl a::S<i32>>::go::{{closure}}", vec![(Some("S"), "go")]),
            (
                "a::wrap<fn(u8) -> u8, <a::S as a::Tr>::go::{{closure}}>::{{closure}}",
                vec![(Some("S"), "go"), (Some("a"), "wrap")],
            ),
            ("a::main", vec![(Some("a"), "main")]),
        ] {
            assert_eq!(bodies(runs), expected, "{runs}");
        }
    }

    #[test]
    fn a_function_is_known_by_its_name_and_a_method_by_its_type_too() {
        assert!(is_in(&(Some("m"), "work"), "m::work"));
        assert!(is_in(&(Some("m"), "work"), "work"));
        assert!(is_in(&(Some("A"), "new"), "m::A::new"));
        assert!(!is_in(&(Some("B"), "new"), "m::A::new"));
        assert!(!is_in(&(Some("A"), "new"), "m::A::old"));
    }

    fn at(line: u32) -> Location {
        Location {
            file: "src/lib.rs".into(),
            line,
            column: 5,
            end_line: line,
            end_column: 9,
            label: String::new(),
        }
    }

    fn task(by: u32, item: &str, lines: (u32, u32)) -> StartedTask {
        let by = Some(HitLocation { location: at(by), in_test: false });
        StartedTask {
            at: at(3),
            by,
            item: item.into(),
            lines: Some(lines),
            is_given_out: false,
            speaks: false,
        }
    }

    #[test]
    fn callers_of_a_function_that_spawns_are_distinguished() {
        let all = [task(10, "one", (10, 12)), task(20, "two", (20, 22)), task(30, "two", (30, 32))];
        let by = |runs: &str, seen: &[Location]| {
            let found = started(&all, &at(3), runs, seen)?;
            found.by.as_ref().map(|it| it.location.line)
        };
        assert_eq!(by("a::one::{{closure}}", &[]), Some(10));
        assert_eq!(by("a::two::{{closure}}", &[at(21)]), Some(20));
        assert_eq!(by("a::two::{{closure}}", &[at(31)]), Some(30));
        assert_eq!(by("a::three::{{closure}}", &[]), None);
        assert_eq!(by("", &[]), None);
        assert_eq!(started(&all, &at(4), "a::one::{{closure}}", &[]), None);
    }
}
