//! Patterns of paths, such as `shop::Worker::accept_items`, in which `*` stands for one segment, and `{closure}` for any closure.

use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// A pattern: it is the end of a path. Where it begins with the name of a crate, modules behind that may be left out, since users know a
/// function by the path under which its crate exports it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PathPattern {
    segments: Vec<String>,
}

/// Stands for any segment.
const ANY: &str = "*";

/// Stands for any closure.
const CLOSURE: &str = "{closure}";

impl PathPattern {
    /// The pattern that is written so; an error in words, with the byte at which it stands, where it is none.
    pub fn parse(text: &str) -> Result<PathPattern, (usize, String)> {
        let mut at = 0;
        let mut segments = Vec::new();
        for segment in text.split("::") {
            // Closures are in braces.
            let inner = segment.strip_prefix('{').and_then(|it| it.strip_suffix('}')).unwrap_or(segment);
            let is_name = inner.chars().next().is_some_and(|it| it == '_' || it.is_alphabetic())
                && inner.chars().all(|it| it == '_' || it.is_alphanumeric());
            if !is_name && segment != ANY {
                let message = if segment.is_empty() {
                    "a name is missing here".to_owned()
                } else {
                    format!("`{segment}` is no name of a path")
                };
                return Err((at, message));
            }
            segments.push(segment.to_owned());
            at += segment.len() + "::".len();
        }
        Ok(PathPattern { segments })
    }

    /// Whether it names the function with this path, which begins with its crate.
    pub fn matches(&self, path: &[&str]) -> bool {
        let Some((krate, inside)) = path.split_first() else { return false };
        let Some((first, rest)) = self.segments.split_first() else { return false };
        ends_with(path, &self.segments) || (fits(first, krate) && !rest.is_empty() && ends_with(inside, rest))
    }

    /// Whether it begins with the name of this crate.
    pub fn names_crate(&self, krate: &str) -> bool {
        self.segments.len() > 1 && self.segments.first().is_some_and(|it| it == krate)
    }

    /// The segments.
    pub fn segments(&self) -> &[String] {
        &self.segments
    }

    /// The name of the function; `None` for any name.
    pub fn name(&self) -> Option<&str> {
        self.segments.last().map(String::as_str).filter(|it| *it != ANY)
    }

    /// What stands before the name: a type, a trait or a module; `None` where there is nothing, or it can be anything.
    pub fn owner(&self) -> Option<&str> {
        let owner = self.segments.len().checked_sub(2).and_then(|it| self.segments.get(it));
        owner.map(String::as_str).filter(|it| *it != ANY)
    }
}

fn fits(pattern: &str, segment: &str) -> bool {
    // A closure is never meant by chance.
    let any = if segment.starts_with('{') { CLOSURE } else { ANY };
    pattern == any || pattern == segment
}

fn ends_with(path: &[&str], pattern: &[String]) -> bool {
    let Some(begin) = path.len().checked_sub(pattern.len()) else { return false };
    path.iter().skip(begin).zip(pattern).all(|(segment, pattern)| fits(pattern, segment))
}

impl Display for PathPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.segments.join("::"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_the_end_of_a_path_or_begins_with_the_crate() {
        let path = ["shop", "pool", "Worker", "accept"];
        let cases = [
            ("shop::pool::Worker::accept", true),
            ("shop::Worker::accept", true),
            ("Worker::accept", true),
            ("accept", true),
            ("*::accept", true),
            ("Worker::*", true),
            ("shop::*", true),
            ("shop::Worker", false),
            ("other::Worker::accept", false),
            ("shop::pool::accept", false),
            ("a::shop::pool::Worker::accept", false),
            ("shop", false),
        ];
        for (pattern, expected) in cases {
            let pattern = PathPattern::parse(pattern).expect("it is a pattern");
            assert_eq!(pattern.matches(&path), expected, "{pattern}");
        }
        let path = ["shop", "pool", "start", "{subscribe}"];
        let cases = [
            ("start::{subscribe}", true),
            ("shop::start::{closure}", true),
            ("{closure}", true),
            ("*::{subscribe}", true),
            ("start::*", false),
            ("start::subscribe", false),
            ("start::{other}", false),
        ];
        for (pattern, expected) in cases {
            let pattern = PathPattern::parse(pattern).expect("it is a pattern");
            assert_eq!(pattern.matches(&path), expected, "{pattern}");
        }
    }

    #[test]
    fn what_is_no_path_is_refused_at_its_place() {
        let cases = [
            ("", 0),
            ("a::", 3),
            ("a::b-c", 3),
            ("a::b::<T>", 6),
            ("a::**", 3),
            ("::a", 0),
            ("1a", 0),
            ("a::{b", 3),
            ("a::{}", 3),
        ];
        for (text, place) in cases {
            assert_eq!(PathPattern::parse(text).map_err(|it| it.0), Err(place), "{text}");
        }
    }
}
