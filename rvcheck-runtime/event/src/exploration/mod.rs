//! Exploration: what the tool asks of a run that is controlled, and what came of it.
//!
//! In such a run one *participant* at a time goes on. At each of its *points* somebody is chosen who does, among those who can. The tool
//! writes a [plan](plan::Plan), which says who is chosen. The process writes an [outcome](outcome::Outcome): who was, and what else could
//! have been.
//!
//! Places are those of the program as it was built. Where one is not known, it is `?:0:0`.

pub mod freedom;
pub mod name;
pub mod outcome;
pub mod plan;
pub mod word;

use std::fmt;

use self::name::Name;

/// A place in the life of a participant at which it can be made to wait, or has to: `t0.1 12`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// Whose.
    pub of: Name,
    /// Which of its points, from 1.
    pub number: u32,
}

impl Point {
    /// Reads `t0.1 12`.
    pub fn read(text: &str) -> Option<Point> {
        let (of, number) = text.trim().split_once(' ')?;
        Some(Point { of: Name::read(of)?, number: number.parse().ok().filter(|it| *it > 0)? })
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.of, self.number)
    }
}

/// The first words of a line, as many as these, and what is behind them.
fn words<const N: usize>(line: &str) -> Option<([&str; N], &str)> {
    let mut rest = line;
    let mut words = [""; N];
    for word in &mut words {
        let (first, behind) = rest.split_once(' ').unwrap_or((rest, ""));
        if first.is_empty() {
            return None;
        }
        (*word, rest) = (first, behind);
    }
    Some((words, rest))
}

/// Reads a text whose first line is this, and every other one by `line`, which says what form one should have that has not. Empty lines
/// are skipped.
fn read_lines(
    text: &str,
    head: &str,
    what: &str,
    mut line: impl FnMut(&str) -> Result<(), &'static str>,
) -> Result<(), String> {
    let mut lines = text.lines().zip(1..);
    if lines.next().is_none_or(|it| it.0.trim() != head) {
        return Err(format!("it does not begin with `{head}`"));
    }
    for (text, number) in lines {
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        line(text).map_err(|form| match form {
            "" => format!("line {number}: `{text}` is no line of {what}"),
            form => format!("line {number}: `{text}` is not `{form}`"),
        })?;
    }
    Ok(())
}
