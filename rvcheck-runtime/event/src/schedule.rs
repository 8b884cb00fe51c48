//! Schedules: where tasks are held back, so that what was predicted comes about.
//!
//! A schedule is a text of lines, made by the tool and read by the recorder:
//!
//! ```text
//! rvcheck-schedule 1
//! wait 300
//! before src/shop.rs:13:20 having src/shop.rs:11:36
//! after src/shop.rs:18:34
//! ```
//!
//! Each line but the first two is a participant: whoever comes to its place is held back until all of them have come, or `wait`
//! milliseconds have passed. `before` holds a task back that is about to ask for a lock at that place, and has what was acquired at
//! the other one; the task is polled again and again meanwhile. `after` holds a thread back that has acquired a lock at that
//! place. Lines that begin with `#` say something to people. Places are those of the program as it was built.

use std::fmt;

/// The first line.
const HEAD: &str = "rvcheck-schedule 1";

/// A place in the program as it was built: what `Location` says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Spot {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// Where one participant is held back.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Hold {
    /// Before it asks for a lock at `at`, having what it acquired at `having`.
    Before {
        /// Where it asks.
        at: Spot,
        /// Where it acquired what it has.
        having: Spot,
    },
    /// After it has acquired a lock there.
    After(Spot),
}

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// How long each is held back at most, in ms.
    pub wait: u32,
    /// The participants.
    pub holds: Vec<Hold>,
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
        let mut schedule = Schedule { wait: 0, holds: Vec::new(), remarks: Vec::new() };
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
        match word {
            "wait" => self.wait = rest.parse().ok()?,
            "after" => self.holds.push(Hold::After(Spot::read(rest)?)),
            "before" => {
                let (at, having) = rest.split_once(" having ")?;
                self.holds.push(Hold::Before { at: Spot::read(at)?, having: Spot::read(having)? });
            }
            _ => return None,
        }
        Some(())
    }
}

impl Spot {
    fn read(text: &str) -> Option<Spot> {
        let mut parts = text.trim().rsplitn(3, ':');
        let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(Spot { file: parts.next().filter(|it| !it.is_empty())?.to_owned(), line, column })
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl fmt::Display for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hold::Before { at, having } => write!(f, "before {at} having {having}"),
            Hold::After(at) => write!(f, "after {at}"),
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}")?;
        for remark in &self.remarks {
            writeln!(f, "# {remark}")?;
        }
        writeln!(f, "wait {}", self.wait)?;
        self.holds.iter().try_for_each(|it| writeln!(f, "{it}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(file: &str, line: u32) -> Spot {
        Spot { file: file.to_owned(), line, column: 9 }
    }

    #[test]
    fn a_schedule_survives_being_written() {
        let schedule = Schedule {
            wait: 300,
            holds: vec![
                Hold::Before { at: spot("src/a b.rs", 3), having: spot("C:/x.rs", 4) },
                Hold::After(spot("src/lib.rs", 5)),
            ],
            remarks: vec!["of `it::sells`".to_owned()],
        };
        assert_eq!(Schedule::read(&schedule.to_string()), Ok(schedule));
    }

    #[test]
    fn what_is_no_schedule_is_said() {
        let head = "it does not begin with `rvcheck-schedule 1`";
        let line = |line: &str| format!("line 2: `{line}` is no line of a schedule");
        let cases = [
            ("", head.to_owned()),
            ("wait 3", head.to_owned()),
            ("rvcheck-schedule 1\nwait long", line("wait long")),
            ("rvcheck-schedule 1\nafter src/lib.rs:5", line("after src/lib.rs:5")),
            ("rvcheck-schedule 1\nbefore a:1:2", line("before a:1:2")),
            ("rvcheck-schedule 1\nnever a:1:2", line("never a:1:2")),
        ];
        for (text, message) in cases {
            assert_eq!(Schedule::read(text), Err(message), "{text}");
        }
    }
}
