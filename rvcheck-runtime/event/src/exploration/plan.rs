//! Plans: who goes on at which point. The tool writes them, the recorder reads them, and people keep those that show something.
//!
//! ```text
//! rvcheck-schedule 2
//! # of `it::sells`
//! seed 42
//! by random
//! from t0.1 9
//! switch t0.1 12 to t0.2 at src/shop.rs:9:3
//! hold t0.1 14 until t0.2 30
//! signal t0.2 7 to t0.3 at src/shop.rs:30:5
//! spurious wakeup t0.3 9 at src/shop.rs:41:17
//! before src/shop.rs:13:20 until held src/shop.rs:17:34
//! weight t0.1 240
//! focus src/shop.rs:9:3
//! early src/shop.rs:40:9
//! limit 100000
//! pace 1000000
//! free
//! narrow
//! list choices
//! ```
//!
//! * `seed`: of everything that is random, hash order and the choices of the strategy among them;
//! * `by`: who chooses where no other line does; see [`Strategy`];
//! * `from`: until this participant has come to this point, nobody but these lines and the default order choose;
//! * `switch`: when a participant comes to this point, another one goes on. With `at`, the point has to be at that place;
//! * `hold`: a participant does not go on at this point, or begin where it is the first, until another has come to that one, or nobody else can
//!   go on;
//! * `signal`: the signal that a participant gives to one waiter at this point goes to that one;
//! * `spurious`: at this point a wait ends without a signal (`wakeup`), an exchange fails without a reason (`failure`), or a task is polled that
//!   nobody has woken (`poll`);
//! * `weight`: how many points a participant is expected to have;
//! * `focus`: only points there are choices of a strategy that has a focus;
//! * `before` and `start`: tasks are delayed as by a schedule of [version 1](crate::schedule);
//! * `early`: the time limit there may be over before others go on who could;
//! * `limit`: after so many points the run is ended;
//! * `pace`: so many ns go by with each decision;
//! * `free`: chance decides of each signal who gets it, and of some waits that they end without one;
//! * `narrow`: a runtime on one thread stays on it; else its tasks are polled by several threads, as in a runtime that has them;
//! * `list choices`: the outcome lists who else could have gone on, point by point.
//!
//! Lines that begin with `#` are remarks for people.

use std::fmt;

use super::name::Name;
use super::word::SpuriousKind;
use super::{Point, read_lines, words};
use crate::position::ProgramPoint;
use crate::schedule::{Delay, Schedule};

/// The first line.
pub const HEAD: &str = "rvcheck-schedule 2";

/// The form of a line.
const SPURIOUS: &str = "spurious wakeup|failure|poll P N at FILE:LINE:COLUMN";

/// After how many points a run is ended, unless its plan says something else.
pub const LIMIT: u64 = 10_000_000;

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Of all randomness.
    pub seed: u64,
    /// Who chooses where no line does.
    pub by: Strategy,
    /// Where that begins; at once if nothing is said.
    pub from: Option<Point>,
    /// Who goes on where the default order would choose somebody else.
    pub switches: Vec<Switch>,
    /// Who does not go on before others have.
    pub holds: Vec<Hold>,
    /// Who gets a signal that goes to one waiter.
    pub signals: Vec<Signal>,
    /// What happens without a reason.
    pub spurious: Vec<Spurious>,
    /// Where tasks are delayed, and until when.
    pub delays: Vec<Delay>,
    /// How many points participants are expected to have.
    pub weights: Vec<(Name, u64)>,
    /// The places that a strategy with a focus chooses at; everywhere if there are none.
    pub focus: Vec<ProgramPoint>,
    /// The time limits that may be over before others go on who could. Those who only sleep may always be late or early.
    pub early: Vec<ProgramPoint>,
    /// After so many points the run is ended.
    pub limit: u64,
    /// How many ns go by with each decision, besides those that it takes.
    pub pace: u64,
    /// Whether chance makes use of [freedoms](super::freedom).
    pub is_free: bool,
    /// Whether runtimes on one thread stay there.
    pub is_narrow: bool,
    /// Whether the outcome lists the choices.
    pub lists_choices: bool,
    /// What it says to people.
    pub remarks: Vec<String>,
}

/// Who is chosen where no line of the plan says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// The current participant goes on; if it cannot, the one that has been ready longest; the clock when nobody is ready.
    Default,
    /// Any that can.
    Random,
    /// The one with the highest priority, which falls at `depth - 1` points: probabilistic concurrency testing, Burckhardt et al. 2010.
    Pct {
        /// How many orders a fault may need.
        depth: u32,
        /// Among how many points the priorities fall.
        points: u64,
    },
    /// Any that can, by how much each still has to do: selectively uniform random walk, Zhao et al. 2025.
    Surw,
    /// Random priorities, drawn anew for whoever races with the one chosen: partial order sampling, Yuan et al. 2018.
    Pos,
}

/// A deviation from the default order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Switch {
    /// Who stops, and where.
    pub from: Point,
    /// Who goes on.
    pub to: Name,
    /// Where the point is in the program, if that is to be checked.
    pub at: Option<ProgramPoint>,
}

/// A signal that goes to one waiter, and not to the one that has waited for longest.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Signal {
    /// Who gives it, and where.
    pub from: Point,
    /// Who gets it.
    pub to: Name,
    /// Where that is in the program, for people.
    pub at: Option<ProgramPoint>,
}

/// Something that happens without a reason in the program, as the documentation of what it does allows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spurious {
    /// What it is.
    pub kind: SpuriousKind,
    /// Whose point it is, and which.
    pub from: Point,
    /// Where that is in the program, for people.
    pub at: Option<ProgramPoint>,
}

/// A participant that does not go on before another one is somewhere.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hold {
    /// Who is held, and where.
    pub from: Point,
    /// Who has to come to which point.
    pub until: Point,
}

impl Plan {
    /// The default order, with this seed.
    pub const fn new(seed: u64) -> Plan {
        Plan {
            seed,
            by: Strategy::Default,
            from: None,
            switches: Vec::new(),
            holds: Vec::new(),
            signals: Vec::new(),
            spurious: Vec::new(),
            delays: Vec::new(),
            weights: Vec::new(),
            focus: Vec::new(),
            early: Vec::new(),
            limit: LIMIT,
            pace: 0,
            is_free: false,
            is_narrow: false,
            lists_choices: false,
            remarks: Vec::new(),
        }
    }

    /// Whether this text says that it is a plan, by its first line.
    pub fn is_one(text: &str) -> bool {
        text.lines().next().is_some_and(|it| it.trim() == HEAD)
    }

    /// Reads a plan.
    ///
    /// # Errors
    ///
    /// What is wrong with the first line that is none, with its number.
    pub fn read(text: &str) -> Result<Plan, String> {
        let mut plan = Plan::new(0);
        read_lines(text, HEAD, "a schedule", |line| plan.line(line))?;
        Ok(plan)
    }

    /// The error is what the line should look like; empty if its first word is none.
    fn line(&mut self, line: &str) -> Result<(), &'static str> {
        if let Some(remark) = line.strip_prefix('#') {
            self.remarks.push(remark.trim().to_owned());
            return Ok(());
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "seed" => self.seed = rest.parse().map_err(|_| "seed N")?,
            "by" => self.by = Strategy::read(rest).ok_or("by default|random|pct D K|surw|pos")?,
            "from" => self.from = Some(Point::read(rest).ok_or("from P N")?),
            "switch" => self.switches.push(Switch::read(rest).ok_or("switch P N to Q at FILE:LINE:COLUMN")?),
            "hold" => self.holds.push(Hold::read(rest).ok_or("hold P N until Q M")?),
            "signal" => self.signals.push(Signal::read(rest).ok_or("signal P N to Q at FILE:LINE:COLUMN")?),
            "spurious" => self.spurious.push(Spurious::read(rest).ok_or(SPURIOUS)?),
            "before" => self.delays.push(delay(line).ok_or("before PLACE until held|waiting|done PLACE")?),
            "start" => self.delays.push(delay(line).ok_or("start PLACE until held|waiting|done PLACE")?),
            "weight" => self.weights.push(weight(rest).ok_or("weight P N")?),
            "focus" => self.focus.push(ProgramPoint::read(rest).ok_or("focus FILE:LINE:COLUMN")?),
            "early" => self.early.push(ProgramPoint::read(rest).ok_or("early FILE:LINE:COLUMN")?),
            "limit" => self.limit = rest.parse().ok().filter(|it| *it > 0).ok_or("limit N")?,
            "pace" => self.pace = rest.parse().map_err(|_| "pace N")?,
            "free" if rest.is_empty() => self.is_free = true,
            "narrow" if rest.is_empty() => self.is_narrow = true,
            "list" if rest == "choices" => self.lists_choices = true,
            "list" => return Err("list choices"),
            _ => return Err(""),
        }
        Ok(())
    }
}

/// A line of a schedule of version 1.
fn delay(line: &str) -> Option<Delay> {
    let schedule = Schedule::read(&format!("rvcheck-schedule 1\n{line}")).ok()?;
    schedule.delays.into_iter().next()
}

fn weight(text: &str) -> Option<(Name, u64)> {
    let (name, weight) = text.split_once(' ')?;
    Some((Name::read(name)?, weight.parse().ok()?))
}

impl Strategy {
    /// Reads what stands after `by`.
    pub fn read(text: &str) -> Option<Strategy> {
        Some(match text {
            "default" => Strategy::Default,
            "random" => Strategy::Random,
            "surw" => Strategy::Surw,
            "pos" => Strategy::Pos,
            _ => {
                let (depth, points) = text.strip_prefix("pct ")?.split_once(' ')?;
                Strategy::Pct {
                    depth: depth.parse().ok().filter(|it| *it > 0)?,
                    points: points.parse().ok()?,
                }
            }
        })
    }
}

impl Switch {
    /// Reads what stands after `switch`: `t0.1 12 to t0.2 at src/a.rs:9:3`.
    pub fn read(text: &str) -> Option<Switch> {
        let (from, rest) = point(text)?;
        let ([to, name], rest) = words(rest)?;
        (to == "to").then_some(())?;
        Some(Switch { from, to: Name::read(name)?, at: place(rest)? })
    }
}

/// The point at the beginning of a text, and the rest.
fn point(text: &str) -> Option<(Point, &str)> {
    let ([of, number], rest) = words(text)?;
    Some((Point { of: Name::read(of)?, number: number.parse().ok().filter(|it| *it > 0)? }, rest))
}

/// The place that may stand at the end: `at src/a.rs:9:3`.
#[expect(clippy::option_option, reason = "there may be none, or something else")]
fn place(text: &str) -> Option<Option<ProgramPoint>> {
    match text.strip_prefix("at ") {
        Some(place) => Some(Some(ProgramPoint::read(place)?)),
        None => text.is_empty().then_some(None),
    }
}

impl Signal {
    pub(super) fn read(text: &str) -> Option<Signal> {
        let Switch { from, to, at } = Switch::read(text)?;
        Some(Signal { from, to, at })
    }
}

impl Spurious {
    pub(super) fn read(text: &str) -> Option<Spurious> {
        let (kind, text) = text.split_once(' ')?;
        let (from, rest) = point(text)?;
        Some(Spurious { kind: SpuriousKind::read(kind)?, from, at: place(rest)? })
    }
}

impl Hold {
    fn read(text: &str) -> Option<Hold> {
        let (from, until) = text.split_once(" until ")?;
        Some(Hold { from: Point::read(from)?, until: Point::read(until)? })
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Default => f.write_str("default"),
            Strategy::Random => f.write_str("random"),
            Strategy::Pct { depth, points } => write!(f, "pct {depth} {points}"),
            Strategy::Surw => f.write_str("surw"),
            Strategy::Pos => f.write_str("pos"),
        }
    }
}

/// The whole line.
impl fmt::Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "switch {} to {}", self.from, self.to)?;
        at(f, self.at.as_ref())
    }
}

/// The place at the end of a line.
fn at(f: &mut fmt::Formatter<'_>, place: Option<&ProgramPoint>) -> fmt::Result {
    place.map_or(Ok(()), |at| write!(f, " at {at}"))
}

/// The whole line.
impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "signal {} to {}", self.from, self.to)?;
        at(f, self.at.as_ref())
    }
}

/// The whole line.
impl fmt::Display for Spurious {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "spurious {} {}", self.kind, self.from)?;
        at(f, self.at.as_ref())
    }
}

/// The whole line.
impl fmt::Display for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hold {} until {}", self.from, self.until)
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}")?;
        for remark in &self.remarks {
            writeln!(f, "# {}", remark.replace(['\n', '\r'], " "))?;
        }
        writeln!(f, "seed {}", self.seed)?;
        if self.by != Strategy::Default {
            writeln!(f, "by {}", self.by)?;
        }
        if let Some(from) = &self.from {
            writeln!(f, "from {from}")?;
        }
        self.switches.iter().try_for_each(|it| writeln!(f, "{it}"))?;
        self.holds.iter().try_for_each(|it| writeln!(f, "{it}"))?;
        self.signals.iter().try_for_each(|it| writeln!(f, "{it}"))?;
        self.spurious.iter().try_for_each(|it| writeln!(f, "{it}"))?;
        self.delays.iter().try_for_each(|it| writeln!(f, "{it}"))?;
        self.weights.iter().try_for_each(|(name, weight)| writeln!(f, "weight {name} {weight}"))?;
        self.focus.iter().try_for_each(|it| writeln!(f, "focus {it}"))?;
        self.early.iter().try_for_each(|it| writeln!(f, "early {it}"))?;
        if self.limit != LIMIT {
            writeln!(f, "limit {}", self.limit)?;
        }
        if self.pace != 0 {
            writeln!(f, "pace {}", self.pace)?;
        }
        if self.is_free {
            writeln!(f, "free")?;
        }
        if self.is_narrow {
            writeln!(f, "narrow")?;
        }
        if self.lists_choices {
            writeln!(f, "list choices")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::CompiledPosition;
    use crate::schedule::{Before, Until};

    fn place(file: &str, line: u32) -> ProgramPoint {
        ProgramPoint { file: file.to_owned(), position: CompiledPosition::new(line, 9) }
    }

    fn point(name: &str, number: u32) -> Point {
        Point { of: Name::read(name).unwrap(), number }
    }

    #[test]
    fn a_plan_survives_being_written() {
        let by = [
            Strategy::Default,
            Strategy::Random,
            Strategy::Pct { depth: 3, points: 50 },
            Strategy::Surw,
            Strategy::Pos,
        ];
        for by in by {
            let plan = Plan {
                seed: u64::MAX,
                by,
                from: Some(point("t0.1", 9)),
                switches: vec![
                    Switch {
                        from: point("t0.1", 12),
                        to: Name::read("t0.2").unwrap(),
                        at: Some(place("src/a b.rs", 3)),
                    },
                    Switch { from: point("t0", 1), to: Name::CLOCK, at: None },
                    Switch { from: point("clock", 2), to: Name::test(), at: Some(place("C:/x.rs", 4)) },
                ],
                holds: vec![Hold { from: point("t0.1", 14), until: point("t0.2.7", 30) }],
                signals: vec![Signal {
                    from: point("t0", 3),
                    to: Name::root(2),
                    at: Some(place("src/d.rs", 6)),
                }],
                spurious: vec![
                    Spurious { kind: SpuriousKind::Wakeup, from: point("t0.2", 8), at: None },
                    Spurious {
                        kind: SpuriousKind::Poll,
                        from: point("t0", 9),
                        at: Some(place("src/d.rs", 7)),
                    },
                ],
                delays: vec![
                    Delay::of(
                        Before::Asking { at: place("src/a.rs", 3), having: Some(place("src/b.rs", 4)) },
                        Until::Held(place("src/a b.rs", 5)),
                    ),
                    Delay::of(
                        Before::Start { spawned: place("src/a.rs", 1) },
                        Until::Done(place("src/a.rs", 2)),
                    ),
                ],
                weights: vec![(Name::test(), 240)],
                focus: vec![place("src/a to b.rs", 3), place("src/at x.rs", 3)],
                early: vec![place("src/c.rs", 5)],
                limit: 7,
                pace: 9,
                is_free: true,
                is_narrow: true,
                lists_choices: true,
                remarks: vec!["of `it::sells`".to_owned()],
            };
            assert!(Plan::is_one(&plan.to_string()));
            assert_eq!(Plan::read(&plan.to_string()), Ok(plan));
        }
        assert_eq!(Plan::read(HEAD), Ok(Plan::new(0)));
    }

    #[test]
    fn what_is_no_plan_is_refused_with_the_line_and_what_it_should_be() {
        let head = "it does not begin with `rvcheck-schedule 2`";
        let line = |line: &str, form: &str| (line.to_owned(), format!("line 3: `{line}` is not `{form}`"));
        assert_eq!(Plan::read("").unwrap_err(), head);
        assert_eq!(Plan::read("rvcheck-schedule 1\nseed 1").unwrap_err(), head);
        let switch = "switch P N to Q at FILE:LINE:COLUMN";
        let cases = [
            line("seed -1", "seed N"),
            line("by chance", "by default|random|pct D K|surw|pos"),
            line("by pct 0 4", "by default|random|pct D K|surw|pos"),
            line("from t0", "from P N"),
            line("switch t0 to t1", switch),
            line("switch t0 0 to t1", switch),
            line("switch t0 1 to t1 in a:1:2", switch),
            line("switch t0 1 to t1 at a:1", switch),
            line("hold t0 1 until t2", "hold P N until Q M"),
            line("signal t0 1 to", "signal P N to Q at FILE:LINE:COLUMN"),
            line("spurious t0", SPURIOUS),
            line("spurious t0 1", SPURIOUS),
            line("pace slow", "pace N"),
            line("before a.rs:1:2", "before PLACE until held|waiting|done PLACE"),
            line("weight t0", "weight P N"),
            line("focus a.rs", "focus FILE:LINE:COLUMN"),
            line("limit 0", "limit N"),
            line("list", "list choices"),
        ];
        for (text, message) in cases {
            assert_eq!(Plan::read(&format!("{HEAD}\n\n{text}")), Err(message), "{text}");
        }
        let unknown = Plan::read(&format!("{HEAD}\nwait 300")).unwrap_err();
        assert_eq!(unknown, "line 2: `wait 300` is no line of a schedule");
    }
}
