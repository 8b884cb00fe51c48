//! Schedules: where tasks are delayed, so that what was predicted comes about.
//!
//! A schedule is a text of lines, made by the tool and read by the recorder:
//!
//! ```text
//! rvcheck-schedule 1
//! wait 300
//! before src/shop.rs:13:20 having src/shop.rs:11:36 until held src/shop.rs:17:34
//! before src/shop.rs:18:20 having src/shop.rs:17:34 until held src/shop.rs:11:36
//! ```
//!
//! Each line but the first two delays a task that is about to ask for something at the first place, for `wait` milliseconds at
//! most; with `having`, only a task that has what was acquired there. The word after `until` is what the task waits for:
//!
//! * `held`: another task has what is asked for, and acquired it there;
//! * `waiting`: another task waits for something there;
//! * `done`: another task has done something there since.
//!
//! With `from` and a number behind the first places, a task is delayed only from that time on that it comes there.
//!
//! With `times` and a number behind the last place, it has to have done something there so often.
//!
//! With `by`, behind either of these places, only a task counts that was spawned in the place after that: several tasks may do the same
//! thing in the same function.
//!
//! Instead of the first place, `start` and the place of a spawn delay the beginning of a task that was spawned there. A task that
//! can give its thread back is polled again and again meanwhile; else the thread waits. Lines that begin with `#` are remarks for
//! people. Positions are those of the program as it was built.

use std::fmt;

use crate::position::ProgramPoint;

/// The first line.
const HEAD: &str = "rvcheck-schedule 1";

/// Where a task is delayed, and until when.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Delay {
    /// What the task is about to do.
    pub before: Before,
    /// Where the task was spawned, if that matters.
    pub by: Option<ProgramPoint>,
    /// The first of the times that a task comes there at which it is delayed; never less than one.
    pub from: u32,
    /// What the others have to do first.
    pub until: Until,
    /// How often that one has to have done it, where it is to have done something; never less than once.
    pub times: u32,
    /// Where the one of them was spawned that does, if that matters.
    pub until_by: Option<ProgramPoint>,
}

impl Delay {
    /// Of any task, until any other one is there.
    pub const fn of(before: Before, until: Until) -> Delay {
        Delay { before, by: None, from: 1, until, times: 1, until_by: None }
    }
}

/// What a task is about to do when it is delayed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Before {
    /// It asks for something.
    Asking {
        /// Where it asks.
        at: ProgramPoint,
        /// Only who has what was acquired there.
        having: Option<ProgramPoint>,
    },
    /// It begins.
    Start {
        /// Where it was spawned.
        spawned: ProgramPoint,
    },
}

/// What ends a delay.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Until {
    /// Another task holds what is asked for, which it acquired there. At the beginning of a task, where nothing is asked for,
    /// anything that was acquired there.
    Held(ProgramPoint),
    /// Another task waits there.
    Waiting(ProgramPoint),
    /// Another task has done something there since.
    Done(ProgramPoint),
}

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// How long each task is delayed at most, in ms.
    pub wait: u32,
    /// The delays.
    pub delays: Vec<Delay>,
    /// What it says to people.
    pub remarks: Vec<String>,
}

impl Schedule {
    /// Reads a schedule.
    ///
    /// # Errors
    ///
    /// What is wrong with the first line that is none, with its number.
    pub fn read(text: &str) -> Result<Schedule, String> {
        let mut schedule = Schedule { wait: 0, delays: Vec::new(), remarks: Vec::new() };
        let mut is_headed = false;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if !is_headed {
                if line != HEAD {
                    return Err(format!("it does not begin with `{HEAD}`"));
                }
                is_headed = true;
            } else if let Some(remark) = line.strip_prefix('#') {
                schedule.remarks.push(remark.trim().to_owned());
            } else if !line.is_empty() {
                schedule
                    .line(line)
                    .ok_or_else(|| format!("line {}: `{line}` is no line of a schedule", number + 1))?;
            }
        }
        if !is_headed {
            return Err(format!("it does not begin with `{HEAD}`"));
        }
        Ok(schedule)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (word, rest) = line.split_once(' ')?;
        if word == "wait" {
            self.wait = rest.parse().ok()?;
            return Some(());
        }
        let (place, until) = rest.split_once(" until ")?;
        let (place, by) = without_by(place)?;
        let (until, until_by) = without_by(until)?;
        let (place, from) = without_number(place, " from ")?;
        let (until, times) = without_number(until, " times ")?;
        let before = match word {
            "start" => Before::Start { spawned: ProgramPoint::read(place)? },
            "before" => match place.split_once(" having ") {
                Some((at, having)) => {
                    Before::Asking { at: ProgramPoint::read(at)?, having: Some(ProgramPoint::read(having)?) }
                }
                None => Before::Asking { at: ProgramPoint::read(place)?, having: None },
            },
            _ => return None,
        };
        let (word, spot) = until.split_once(' ')?;
        let spot = ProgramPoint::read(spot)?;
        let until = match word {
            "held" => Until::Held(spot),
            "waiting" => Until::Waiting(spot),
            "done" => Until::Done(spot),
            _ => return None,
        };
        self.delays.push(Delay { before, by, from, until, times, until_by });
        Some(())
    }
}

/// What stands before ` by`, and the place behind it. `None` if that is no place.
fn without_by(text: &str) -> Option<(&str, Option<ProgramPoint>)> {
    match text.rsplit_once(" by ") {
        Some((before, by)) => Some((before, Some(ProgramPoint::read(by)?))),
        None => Some((text, None)),
    }
}

/// What stands before this word, and the number behind it; 1 if it is not there. `None` if that is no number, or 0.
fn without_number<'t>(text: &'t str, word: &str) -> Option<(&'t str, u32)> {
    match text.rsplit_once(word) {
        Some((before, number)) => Some((before, number.parse().ok().filter(|it| *it > 0)?)),
        None => Some((text, 1)),
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.before {
            Before::Asking { at, having: Some(having) } => write!(f, "before {at} having {having}")?,
            Before::Asking { at, having: None } => write!(f, "before {at}")?,
            Before::Start { spawned } => write!(f, "start {spawned}")?,
        }
        if self.from > 1 {
            write!(f, " from {}", self.from)?;
        }
        write_by(self.by.as_ref(), f)?;
        f.write_str(" until ")?;
        match &self.until {
            Until::Held(spot) => write!(f, "held {spot}")?,
            Until::Waiting(spot) => write!(f, "waiting {spot}")?,
            Until::Done(spot) => write!(f, "done {spot}")?,
        }
        if self.times > 1 {
            write!(f, " times {}", self.times)?;
        }
        write_by(self.until_by.as_ref(), f)
    }
}

fn write_by(by: Option<&ProgramPoint>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    by.map_or(Ok(()), |by| write!(f, " by {by}"))
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}")?;
        for remark in &self.remarks {
            writeln!(f, "# {remark}")?;
        }
        writeln!(f, "wait {}", self.wait)?;
        self.delays.iter().try_for_each(|it| writeln!(f, "{it}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::CompiledPosition;

    fn spot(file: &str, line: u32) -> ProgramPoint {
        ProgramPoint { file: file.to_owned(), position: CompiledPosition::new(line, 9) }
    }

    #[test]
    fn a_schedule_survives_being_written() {
        let asking = |at, having| Before::Asking { at, having };
        let schedule = Schedule {
            wait: 300,
            delays: vec![
                Delay {
                    before: asking(spot("src/a b.rs", 3), Some(spot("C:/x.rs", 4))),
                    by: Some(spot("src/a b.rs", 1)),
                    from: 4,
                    until: Until::Held(spot("src/lib.rs", 5)),
                    times: 1,
                    until_by: None,
                },
                Delay {
                    before: asking(spot("src/lib.rs", 5), None),
                    by: None,
                    from: 1,
                    until: Until::Waiting(spot("src/a b.rs", 3)),
                    times: 1,
                    until_by: Some(spot("C:/x.rs", 2)),
                },
                Delay {
                    before: Before::Start { spawned: spot("src/lib.rs", 7) },
                    by: None,
                    from: 1,
                    until: Until::Done(spot("C:/x.rs", 8)),
                    times: 3,
                    until_by: Some(spot("src/lib.rs", 9)),
                },
            ],
            remarks: vec!["of `it::sells`".to_owned()],
        };
        assert_eq!(Schedule::read(&schedule.to_string()), Ok(schedule));
    }

    #[test]
    fn what_is_no_schedule_is_refused() {
        let head = "it does not begin with `rvcheck-schedule 1`";
        let line = |line: &str| format!("line 2: `{line}` is no line of a schedule");
        let cases = [
            ("", head.to_owned()),
            ("wait 3", head.to_owned()),
            ("rvcheck-schedule 1\nwait long", line("wait long")),
            (
                "rvcheck-schedule 1\nstart src/lib.rs:5 until held a:1:2",
                line("start src/lib.rs:5 until held a:1:2"),
            ),
            ("rvcheck-schedule 1\nbefore a:1:2", line("before a:1:2")),
            ("rvcheck-schedule 1\nbefore a:1:2 until gone a:1:3", line("before a:1:2 until gone a:1:3")),
            ("rvcheck-schedule 1\nnever a:1:2", line("never a:1:2")),
        ];
        for (text, message) in cases {
            assert_eq!(Schedule::read(text), Err(message), "{text}");
        }
    }
}
