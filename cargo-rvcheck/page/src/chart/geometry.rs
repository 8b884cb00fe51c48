//! Where rows and columns of a chart lie, in pixels.

use crate::bars::{bars, rows};
use crate::picture::Picture;

/// The height of the row with the numbers of the steps.
pub(crate) const RULER: i32 = 34;
/// The height of a row without held locks.
const LANE: i32 = 46;
/// The height of the bar of a held lock, with the gap above it.
pub(crate) const HOLD: i32 = 19;
/// How far below the top of a row its line is.
const LINE: i32 = 23;

/// The columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Columns {
    /// How wide a step is.
    pub(crate) step: i32,
    /// How wide all is.
    pub(crate) width: i32,
    /// Every which step has its number.
    numbered: usize,
}

impl Columns {
    pub(crate) fn of(steps: usize, stuck: bool) -> Columns {
        let (step, numbered) = match steps {
            0..=16 => (56, 1),
            17..=40 => (40, 1),
            41..=100 => (26, 2),
            _ => (18, 5),
        };
        let count = i32::try_from(steps).unwrap_or(i32::MAX / 64);
        Columns { step, width: 16 + step * count + if stuck { 120 } else { 40 }, numbered }
    }

    /// The middle of a step.
    pub(crate) fn x(self, step: usize) -> i32 {
        8 + self.step * i32::try_from(step).unwrap_or(0) + self.step / 2
    }

    pub(crate) fn has_number(self, step: usize) -> bool {
        (step + 1).is_multiple_of(self.numbered) || step == 0
    }
}

/// The rows of a picture.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) top: i32,
    pub(crate) lanes: Vec<Row>,
    pub(crate) bottom: i32,
}

/// The row of a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) top: i32,
    pub(crate) height: i32,
}

impl Rows {
    pub(crate) fn of(picture: &Picture, top: i32) -> Rows {
        let lasting = bars(picture);
        let mut bottom = top + RULER;
        let lanes = (0..picture.lanes.len())
            .map(|lane| {
                let held = rows(&lasting.holds, lane).into_iter().map(|it| it.0 + 1).max().unwrap_or(0);
                let height = LANE + HOLD * i32::try_from(held).unwrap_or(0);
                let row = Row { top: bottom, height };
                bottom += height;
                row
            })
            .collect();
        Rows { top, lanes, bottom: bottom + 6 }
    }
}

impl Row {
    /// Where the line of the lane is.
    pub(crate) fn line(self) -> i32 {
        self.top + LINE
    }

    /// Where the bar of a held lock begins.
    pub(crate) fn hold(self, row: usize) -> i32 {
        self.top + LINE + 18 + HOLD * i32::try_from(row).unwrap_or(0)
    }
}
