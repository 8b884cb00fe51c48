//! Freedoms: what documentation leaves open at a point, besides who goes on there.
//!
//! A run by the default order makes one use of each: a signal goes to the one that has waited for longest, nothing is spurious, and a
//! task is cancelled at once. The outcome lists where another use could be made. A [plan](super::plan) makes it.

use std::fmt;

use super::name::Name;
use super::word::SpuriousKind;
use super::{Point, words};
use crate::position::ProgramPoint;

/// What can be left open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FreedomKind {
    /// Who gets a signal that one waiter gets: the others wait for it, too. The documentation of `Condvar::notify_one` promises no order.
    Signal,
    /// How far the other one comes before it is cancelled: `abort` may be called later.
    Abort,
    /// Whether something happens without a reason.
    Spurious(SpuriousKind),
}

/// See the module.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Freedom {
    /// The point.
    pub from: Point,
    /// Where it is in the program.
    pub at: ProgramPoint,
    /// What is left open there.
    pub kind: FreedomKind,
    /// The others that it is about, if any.
    pub others: Vec<Name>,
}

impl Freedom {
    /// Reads what stands after `free`: `t0.1 12 src/a.rs:9:3 signal : t0.2 t0.3`.
    pub(super) fn read(text: &str) -> Option<Freedom> {
        let (of, others) = text.rsplit_once(" :")?;
        let others: Option<Vec<Name>> = others.split_whitespace().map(Name::read).collect();
        let (of, kind) = of.rsplit_once(' ')?;
        let ([name, number], at) = words(of)?;
        Some(Freedom {
            from: Point { of: Name::read(name)?, number: number.parse().ok().filter(|it| *it > 0)? },
            at: ProgramPoint::read(at)?,
            kind: FreedomKind::read(kind)?,
            others: others?,
        })
    }
}

impl FreedomKind {
    fn read(word: &str) -> Option<FreedomKind> {
        match word {
            "signal" => Some(FreedomKind::Signal),
            "abort" => Some(FreedomKind::Abort),
            _ => SpuriousKind::read(word).map(FreedomKind::Spurious),
        }
    }
}

impl fmt::Display for FreedomKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FreedomKind::Signal => f.write_str("signal"),
            FreedomKind::Abort => f.write_str("abort"),
            FreedomKind::Spurious(it) => it.fmt(f),
        }
    }
}

/// The whole line.
impl fmt::Display for Freedom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "free {} {} {} :", self.from, self.at, self.kind)?;
        self.others.iter().try_for_each(|it| write!(f, " {it}"))
    }
}
