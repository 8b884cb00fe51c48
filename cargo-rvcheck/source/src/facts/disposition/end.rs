//! Dispositions: what becomes of an error, on all paths.

use super::adapters::Loss;
use crate::body::FunctionId;
use crate::mir::BlockId;
use std::collections::BTreeSet;

/// A block of a body.
pub(crate) type At = (FunctionId, BlockId);

/// What becomes of an error somewhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum End {
    /// It is read, shown, or given to something that is not known.
    Read(At),
    /// It is returned as an error.
    Returned(At),
    /// What is done depends on whether there was one.
    Checked(At),
    /// Its task is ended on purpose.
    Aborted(At),
    /// It is not known.
    Open(At),
}

/// What becomes of a part: all of it, on all paths.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Disposition {
    /// What is done with it.
    pub(crate) ends: BTreeSet<End>,
    /// Where it is lost otherwise than by being dropped.
    pub(crate) losses: BTreeSet<(At, Loss)>,
    /// Where the task or future that gives it is waited for.
    pub(crate) joined: BTreeSet<At>,
    /// It is put into a field of a struct.
    pub(crate) is_stored: bool,
}

impl Disposition {
    /// Whether nobody can know that there was an error.
    pub(crate) fn is_lost(&self) -> bool {
        self.ends.iter().all(|it| matches!(it, End::Returned(_)))
    }

    /// Whether nobody can know that there was an error, though its task may be ended on purpose.
    pub(crate) fn is_lost_unless_aborted(&self) -> bool {
        self.ends.iter().all(|it| matches!(it, End::Returned(_) | End::Aborted(_)))
    }

    /// Whether somebody can read it, or it is not known.
    pub(crate) fn is_read(&self) -> bool {
        self.ends.iter().any(|it| matches!(it, End::Read(_) | End::Open(_)))
    }

    /// Whether its task is ended on purpose.
    pub(crate) fn is_aborted(&self) -> bool {
        self.ends.iter().any(|it| matches!(it, End::Aborted(_)))
    }
}
