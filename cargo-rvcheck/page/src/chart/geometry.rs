//! Where rows and columns of a chart lie, in pixels.

use crate::bars::{bars, rows};
use crate::html::plain;
use crate::picture::Picture;

/// The height of the row with the numbers of the steps.
pub(crate) const RULER: i32 = 34;
/// The height of a row without held locks.
const TRACK: i32 = 46;
/// How much room a page has for a chart.
const PAGE: i32 = 988;
/// How many letters of a name have room in a line, and how high a line is.
const NAME: (usize, i32) = (27, 17);
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
        let count = i32::try_from(steps).unwrap_or(i32::MAX / 128).max(1);
        let right = if stuck { 110 } else { 40 };
        // As wide as a page, or as narrow as can still be told apart.
        let step = ((PAGE - 16 - right) / count).clamp(20, 76);
        let numbered = match step {
            0..26 => 5,
            26..34 => 2,
            _ => 1,
        };
        Columns { step, width: (16 + step * count + right).max(PAGE), numbered }
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
    pub(crate) tracks: Vec<Row>,
    pub(crate) bottom: i32,
}

/// The row of a track.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) top: i32,
    pub(crate) height: i32,
}

impl Rows {
    pub(crate) fn of(picture: &Picture, top: i32) -> Rows {
        let lasting = bars(picture);
        let mut bottom = top + RULER;
        let tracks = (0..picture.tracks.len())
            .map(|track| {
                let held = rows(&lasting.holds, track).into_iter().map(|it| it.0 + 1).max().unwrap_or(0);
                let name = plain(&picture.track_name(track)).chars().count().div_ceil(NAME.0);
                let named = 12 + NAME.1 * i32::try_from(name.min(4)).unwrap_or(0);
                let height = (TRACK + HOLD * i32::try_from(held).unwrap_or(0)).max(named);
                let row = Row { top: bottom, height };
                bottom += height;
                row
            })
            .collect();
        Rows { top, tracks, bottom: bottom + 6 }
    }
}

impl Row {
    /// Where the line of the track is.
    pub(crate) fn line(self) -> i32 {
        self.top + LINE
    }

    /// Where the bar of a held lock begins.
    pub(crate) fn hold(self, row: usize) -> i32 {
        self.top + LINE + 18 + HOLD * i32::try_from(row).unwrap_or(0)
    }
}
