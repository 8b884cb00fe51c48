//! What tasks and threads keep where they wait, and which channels are made where, placed in the user's files.

use super::target::Placing;
use rvcheck_source::facts::keeping::{Class, Hidden, Making, Waiting};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A line of a file of the user's.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Line {
    /// The file, as findings name it.
    pub file: String,
    /// Its number, from 1.
    pub line: u32,
}

/// A place where a task or thread may wait, and what it keeps there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KeptAt {
    /// The await, or the call that blocks a thread.
    pub at: Line,
    /// The function that it is in.
    pub item: String,
    /// The classes of what is kept there; none where that is not known.
    pub keeps: Option<BTreeSet<Class>>,
    /// The function of the workspace that is awaited there, and what is kept beside its future.
    pub beside: Option<(String, Option<BTreeSet<Class>>)>,
    /// Nothing is around the body.
    pub is_root: bool,
    /// A thread waits there, and no task.
    pub blocks: bool,
}

/// A line on which channels are made, and of which classes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Made {
    /// The call.
    pub at: Line,
    /// The classes.
    pub classes: BTreeSet<Class>,
}

/// What a crate shows of both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keeping {
    /// Where somebody may wait.
    pub kept: BTreeSet<KeptAt>,
    /// Where channels are made.
    pub made: BTreeSet<Made>,
    /// What is kept where no function has it.
    pub hidden: Hidden,
    /// How many crates were looked at.
    pub crates: u32,
}

impl Keeping {
    /// Takes in what another crate shows.
    pub(super) fn extend(&mut self, other: &Keeping) {
        self.kept.extend(other.kept.iter().cloned());
        self.made.extend(other.made.iter().cloned());
        self.hidden.extend(&other.hidden);
        self.crates += other.crates;
    }

    pub(super) fn of(
        place: &Placing<'_>,
        waitings: Vec<Waiting>,
        makings: Vec<Making>,
        hidden: Hidden,
    ) -> Keeping {
        let line = |at: &_| {
            let found = place.located(at, "")?.location;
            Some(Line { file: found.file, line: found.line })
        };
        let kept = waitings.into_iter().filter_map(|it| {
            let Waiting { at, item, keeps, beside, is_root, blocks } = it;
            Some(KeptAt { at: line(&at)?, item, keeps, beside, is_root, blocks })
        });
        let made = makings.into_iter().filter_map(|it| Some(Made { at: line(&it.at)?, classes: it.classes }));
        Keeping { kept: kept.collect(), made: made.collect(), hidden, crates: 1 }
    }
}
