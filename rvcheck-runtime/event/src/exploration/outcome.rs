//! Outcomes: what a controlled run says of itself at its end.
//!
//! ```text
//! rvcheck-explored 1
//! end done
//! decisions 532
//! points 812
//! outside 3
//! participant t0.1 task src/lib.rs:10:5
//! diverged t0.1 12 "t0.2 cannot go on"
//! switch t0.1 12 to t0.2 at src/a.rs:9:3
//! signal t0.2 7 to t0.3 at src/a.rs:4:9
//! spurious wakeup t0.3 9 at src/a.rs:5:9
//! choice t0.1 12 src/a.rs:9:3 lock 7 : t0.2 t0.3
//! polled t0.1 11
//! pair src/a.rs:9:3 src/b.rs:4:2
//! await src/a.rs:7:9
//! cancelled src/a.rs:7:9
//! limit src/a.rs:7:9
//! free t0.2 7 src/a.rs:4:9 signal : t0.1 t0.3
//! beyond t0.4 src/net.rs:3:1 net
//! ```
//!
//! The first six sorts of lines are told by their types below. A `switch` line is a deviation that was really made; those of a run, with its
//! seed, repeat it. So does a `signal` or a `spurious` line of what was made of a [freedom](Freedom). A `choice` is a point at which others could have gone on. Points of operations on an object are listed also where nobody
//! could, then without candidates: who comes last is often alone, and what it does there may be what should have come first. At a `polled` point a
//! task began to be polled, so that its thread could do nothing else until it was suspended. A `pair` is an operation and the next one on the same object, by somebody else. An `await` is one at which a task was
//! suspended, and `cancelled` one at which a task was dropped. A `limit` is a time limit that somebody came by, and
//! `free` one that was there. An outcome may be cut short where the process died, so its order matters:
//! `end` comes first.

use std::fmt;

use super::freedom::Freedom;
use super::name::Name;
use super::plan::{Signal, Spurious, Switch};
use super::word::{Cause, End, Kind, Operation};
use super::{Point, read_lines, words};
use crate::position::ProgramPoint;

/// The first line.
pub const HEAD: &str = "rvcheck-explored 1";

/// The exit code of a process that ended itself, because nobody could go on, or because it would not have come to an end.
pub const ENDED_ITSELF: i32 = 87;

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// How often there was a choice.
    pub decisions: u64,
    /// How many points there were.
    pub points: u64,
    /// How many of them were outside of control.
    pub outside: u64,
    /// Who took part, in the order in which they were spawned.
    pub participants: Vec<Participant>,
    /// Where the plan could not be followed.
    pub diverged: Vec<Divergence>,
    /// The deviations from the default order that were made, in their order.
    pub switches: Vec<Switch>,
    /// The signals that went to another waiter than by default.
    pub signals: Vec<Signal>,
    /// What happened without a reason.
    pub spurious: Vec<Spurious>,
    /// The points at which others could have gone on, and those of operations on an object, in their order, if the plan asks for them.
    pub choices: Vec<Choice>,
    /// Where tasks began to be polled, in their order, if the plan asks for the choices.
    pub polls: Vec<Point>,
    /// Operations on the same object by different participants, the one right after the other.
    pub pairs: Vec<(ProgramPoint, ProgramPoint)>,
    /// Where tasks were suspended.
    pub awaits: Vec<ProgramPoint>,
    /// Where tasks were dropped.
    pub cancelled: Vec<ProgramPoint>,
    /// The time limits that somebody came by, where they are made.
    pub limits: Vec<ProgramPoint>,
    /// What else could have been done at a point, if the plan asks for the choices.
    pub freedoms: Vec<Freedom>,
    /// What could not be controlled.
    pub beyond: Vec<Beyond>,
}

/// Who took part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participant {
    /// Who.
    pub name: Name,
    /// What it is.
    pub kind: Kind,
    /// Where it was spawned.
    pub spawned: Option<ProgramPoint>,
}

/// A point at which the plan could not be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The point.
    pub at: Point,
    /// Why.
    pub reason: String,
}

/// A point, and who else could have gone on there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The point.
    pub from: Point,
    /// Where it is in the program.
    pub at: ProgramPoint,
    /// What its participant was about to do.
    pub operation: Operation,
    /// With which object; 0 if with none.
    pub object: u64,
    /// The others; none where nobody else could.
    pub candidates: Vec<Name>,
}

/// What could not be controlled.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Beyond {
    /// Whose it was.
    pub of: Name,
    /// Where.
    pub at: ProgramPoint,
    /// What it was.
    pub what: Cause,
}

impl Outcome {
    /// One that ended like this, and of which nothing else is known.
    pub const fn new(end: End) -> Outcome {
        Outcome {
            end,
            decisions: 0,
            points: 0,
            outside: 0,
            participants: Vec::new(),
            diverged: Vec::new(),
            switches: Vec::new(),
            signals: Vec::new(),
            spurious: Vec::new(),
            choices: Vec::new(),
            polls: Vec::new(),
            pairs: Vec::new(),
            awaits: Vec::new(),
            cancelled: Vec::new(),
            limits: Vec::new(),
            freedoms: Vec::new(),
            beyond: Vec::new(),
        }
    }

    /// Reads an outcome.
    ///
    /// # Errors
    ///
    /// What is wrong with the first line that is none, with its number; or that it does not say how the run ended.
    pub fn read(text: &str) -> Result<Outcome, String> {
        let mut outcome = Outcome::new(End::Done);
        let mut has_end = false;
        read_lines(text, HEAD, "an outcome", |line| {
            has_end |= line.starts_with("end ");
            outcome.line(line)
        })?;
        if has_end { Ok(outcome) } else { Err("it does not say how the run ended".to_owned()) }
    }

    /// The error is what the line should look like; empty if its first word is none.
    fn line(&mut self, line: &str) -> Result<(), &'static str> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "end" => self.end = End::read(rest).ok_or("end done|hang|livelock|lost")?,
            "decisions" => self.decisions = rest.parse().map_err(|_| "decisions N")?,
            "points" => self.points = rest.parse().map_err(|_| "points N")?,
            "outside" => self.outside = rest.parse().map_err(|_| "outside N")?,
            "participant" => {
                self.participants.push(Participant::read(rest).ok_or("participant P KIND PLACE")?);
            }
            "diverged" => self.diverged.push(Divergence::read(rest).ok_or("diverged P N \"REASON\"")?),
            "switch" => self.switches.push(Switch::read(rest).ok_or("switch P N to Q at PLACE")?),
            "signal" => self.signals.push(Signal::read(rest).ok_or("signal P N to Q at PLACE")?),
            "spurious" => {
                self.spurious.push(Spurious::read(rest).ok_or("spurious wakeup|failure|poll P N at PLACE")?);
            }
            "choice" => {
                self.choices
                    .push(Choice::read(rest).ok_or("choice P N PLACE OPERATION OBJECT : CANDIDATES")?);
            }
            "polled" => self.polls.push(Point::read(rest).ok_or("polled P N")?),
            "pair" => self.pairs.push(two_places(rest).ok_or("pair PLACE PLACE")?),
            "await" => self.awaits.push(ProgramPoint::read(rest).ok_or("await PLACE")?),
            "cancelled" => self.cancelled.push(ProgramPoint::read(rest).ok_or("cancelled PLACE")?),
            "limit" => self.limits.push(ProgramPoint::read(rest).ok_or("limit PLACE")?),
            "free" => {
                self.freedoms.push(
                    Freedom::read(rest).ok_or("free P N PLACE signal|abort|wakeup|failure|poll : OTHERS")?,
                );
            }
            "beyond" => {
                self.beyond.push(Beyond::read(rest).ok_or("beyond P PLACE net|fs|process|foreign")?);
            }
            _ => return Err(""),
        }
        Ok(())
    }
}

/// Names of files may have spaces in them, so the first place ends at the first space before which there is one.
fn two_places(text: &str) -> Option<(ProgramPoint, ProgramPoint)> {
    text.match_indices(' ').find_map(|(at, _)| {
        let (first, second) = text.split_at(at);
        Some((ProgramPoint::read(first)?, ProgramPoint::read(second)?))
    })
}

impl Participant {
    fn read(text: &str) -> Option<Participant> {
        let ([name, kind], place) = words(text)?;
        let spawned = if place.is_empty() { None } else { Some(ProgramPoint::read(place)?) };
        Some(Participant { name: Name::read(name)?, kind: Kind::read(kind)?, spawned })
    }
}

impl Divergence {
    fn read(text: &str) -> Option<Divergence> {
        let (at, reason) = text.split_once(" \"")?;
        Some(Divergence { at: Point::read(at)?, reason: reason.strip_suffix('"')?.to_owned() })
    }
}

impl Choice {
    fn read(text: &str) -> Option<Choice> {
        let (of, candidates) = text.rsplit_once(" :")?;
        let candidates: Option<Vec<Name>> = candidates.split_whitespace().map(Name::read).collect();
        let (of, object) = of.rsplit_once(' ')?;
        let (of, operation) = of.rsplit_once(' ')?;
        let ([name, number], at) = words(of)?;
        Some(Choice {
            from: Point { of: Name::read(name)?, number: number.parse().ok().filter(|it| *it > 0)? },
            at: ProgramPoint::read(at)?,
            operation: Operation::read(operation)?,
            object: object.parse().ok()?,
            candidates: candidates?,
        })
    }
}

impl Beyond {
    fn read(text: &str) -> Option<Beyond> {
        let ([name], rest) = words(text)?;
        let (at, what) = rest.rsplit_once(' ')?;
        Some(Beyond { of: Name::read(name)?, at: ProgramPoint::read(at)?, what: Cause::read(what)? })
    }
}

/// The whole line.
impl fmt::Display for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "participant {} {}", self.name, self.kind)?;
        self.spawned.as_ref().map_or(Ok(()), |at| write!(f, " {at}"))
    }
}

/// The whole line.
impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "diverged {} \"{}\"", self.at, self.reason.replace(['\n', '\r'], " "))
    }
}

/// The whole line.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "choice {} {} {} {} :", self.from, self.at, self.operation, self.object)?;
        self.candidates.iter().try_for_each(|it| write!(f, " {it}"))
    }
}

/// The whole line.
impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "beyond {} {} {}", self.of, self.at, self.what)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}\nend {}", self.end)?;
        writeln!(f, "decisions {}\npoints {}\noutside {}", self.decisions, self.points, self.outside)?;
        self.participants.iter().try_for_each(|it| writeln!(f, "{it}"))?;
        self.diverged.iter().try_for_each(|it| writeln!(f, "{it}"))?;
        self.switches.iter().try_for_each(|it| writeln!(f, "{it}"))?;
        self.signals.iter().try_for_each(|it| writeln!(f, "{it}"))?;
        self.spurious.iter().try_for_each(|it| writeln!(f, "{it}"))?;
        self.choices.iter().try_for_each(|it| writeln!(f, "{it}"))?;
        self.polls.iter().try_for_each(|it| writeln!(f, "polled {it}"))?;
        self.pairs.iter().try_for_each(|(one, other)| writeln!(f, "pair {one} {other}"))?;
        self.awaits.iter().try_for_each(|it| writeln!(f, "await {it}"))?;
        self.cancelled.iter().try_for_each(|it| writeln!(f, "cancelled {it}"))?;
        self.limits.iter().try_for_each(|it| writeln!(f, "limit {it}"))?;
        self.freedoms.iter().try_for_each(|it| writeln!(f, "{it}"))?;
        self.beyond.iter().try_for_each(|it| writeln!(f, "{it}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exploration::freedom::FreedomKind;
    use crate::exploration::word::SpuriousKind;
    use crate::position::CompiledPosition;

    fn place(file: &str, line: u32) -> ProgramPoint {
        ProgramPoint { file: file.to_owned(), position: CompiledPosition::new(line, 9) }
    }

    fn point(name: &str, number: u32) -> Point {
        Point { of: Name::read(name).unwrap(), number }
    }

    #[test]
    fn an_outcome_survives_being_written() {
        for end in End::ALL.iter().copied() {
            let choice = |operation: Operation| Choice {
                from: point("t0.1", 12),
                at: place("src/a : b.rs", 3),
                operation,
                object: 7,
                candidates: vec![Name::test(), Name::CLOCK],
            };
            let participant = |kind: Kind| Participant {
                name: Name::test().child(3),
                kind,
                spawned: (kind != Kind::Test).then(|| place("C:/a b.rs", 4)),
            };
            let beyond = |what: Cause| Beyond { of: Name::root(2), at: place("src/net work.rs", 1), what };
            let free = |kind: FreedomKind| Freedom {
                from: point("t0.1", 4),
                at: place("src/a : b.rs", 5),
                kind,
                others: if matches!(kind, FreedomKind::Spurious(_)) {
                    Vec::new()
                } else {
                    vec![Name::test()]
                },
            };
            let outcome = Outcome {
                end,
                decisions: 532,
                points: u64::MAX,
                outside: 3,
                participants: Kind::ALL.iter().copied().map(participant).collect(),
                diverged: vec![Divergence { at: point("t0", 2), reason: "\"x\" cannot go on".to_owned() }],
                switches: vec![Switch {
                    from: point("clock", 2),
                    to: Name::test(),
                    at: Some(place("src/a.rs", 9)),
                }],
                signals: vec![Signal { from: point("t0", 3), to: Name::root(1), at: None }],
                spurious: vec![Spurious {
                    kind: SpuriousKind::Failure,
                    from: point("t0", 4),
                    at: Some(place("src/a.rs", 6)),
                }],
                choices: Operation::ALL.iter().copied().map(choice).collect(),
                polls: vec![point("t0.1", 11)],
                pairs: vec![(place("src/a b.rs", 3), place("src/c d.rs", 3))],
                awaits: vec![place("src/a.rs", 7)],
                cancelled: vec![place("src/a.rs", 8)],
                limits: vec![place("src/a.rs", 9)],
                freedoms: [FreedomKind::Signal, FreedomKind::Abort]
                    .into_iter()
                    .chain(SpuriousKind::ALL.iter().copied().map(FreedomKind::Spurious))
                    .map(free)
                    .collect(),
                beyond: Cause::ALL.iter().copied().map(beyond).collect(),
            };
            assert_eq!(Outcome::read(&outcome.to_string()), Ok(outcome));
        }
    }

    #[test]
    fn nothing_but_the_end_has_to_be_there() {
        assert_eq!(Outcome::read("rvcheck-explored 1\nend hang\n"), Ok(Outcome::new(End::Hang)));
        let alone = "rvcheck-explored 1\nend done\nchoice t0 1 a.rs:1:2 start 0 :";
        assert_eq!(Outcome::read(alone).unwrap().choices[0].candidates, []);
    }

    #[test]
    fn what_is_no_outcome_is_refused_with_the_line() {
        assert_eq!(Outcome::read("").unwrap_err(), "it does not begin with `rvcheck-explored 1`");
        assert_eq!(Outcome::read(HEAD).unwrap_err(), "it does not say how the run ended");
        let lines = [
            "end well",
            "decisions many",
            "points",
            "outside -1",
            "participant t0",
            "participant t0 god",
            "participant t0 task a.rs",
            "diverged t0 \"x\"",
            "diverged t0 1 x",
            "switch t0",
            "choice t0 1 a.rs:1:2 lock : t1",
            "choice t0 1 a.rs:1:2 fly 3 : t1",
            "choice t0 1 a.rs:1:2 lock 3 : x",
            "pair a.rs:1:2",
            "await a.rs",
            "cancelled",
            "free t0 1 a.rs:1:2 : t1",
            "free t0 1 a.rs:1:2 hope : t1",
            "beyond t0 a.rs:1:2 magic",
            "nothing",
        ];
        for line in lines {
            let message = Outcome::read(&format!("{HEAD}\nend done\n{line}\n")).unwrap_err();
            assert!(message.starts_with(&format!("line 3: `{line}` is ")), "{message}");
        }
    }
}
