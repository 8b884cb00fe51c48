//! One track: its line, what it holds, what it waits for, and a mark for each step.

use super::colour;
use super::geometry::{Columns, HOLD, Row};
use crate::bars::{Bar, Bars, rows};
use crate::html::{Text, plain, put, shortened};
use crate::picture::{Act, Picture, Target};
use crate::wording;

/// About how wide a letter of the pictures is, in tenths of a pixel.
const LETTER: i32 = 70;

/// What a track is drawn from.
pub(super) struct Drawn<'a> {
    pub(super) id: &'a str,
    pub(super) picture: &'a Picture,
    pub(super) bars: &'a Bars,
    pub(super) columns: Columns,
    pub(super) track: usize,
    pub(super) row: &'a Row,
}

pub(super) fn draw(drawn: &Drawn<'_>, out: &mut String) {
    drawn.life(out);
    drawn.runs(out);
    for bar in drawn.bars.waits.iter().filter(|it| it.track == drawn.track) {
        drawn.wait(bar, out);
    }
    for bar in drawn.bars.blocks.iter().filter(|it| it.track == drawn.track) {
        let label = format!("blocks its thread ({})", bar.what);
        drawn.hatched(bar.from, bar.to, "cb", "block", &label, out);
    }
    for (row, bar) in rows(&drawn.bars.holds, drawn.track) {
        drawn.hold(row, bar, out);
    }
    for (at, step) in drawn.picture.steps.iter().enumerate().filter(|(_, it)| it.track == drawn.track) {
        drawn.mark(at, &step.act, out);
    }
}

impl Drawn<'_> {
    fn right(&self) -> i32 {
        self.columns.width - 12
    }

    /// From where to where a bar goes.
    fn span(&self, from: Option<usize>, to: Option<usize>) -> (i32, i32) {
        (from.map_or(0, |it| self.columns.x(it)), to.map_or(self.right(), |it| self.columns.x(it)))
    }

    fn life(&self, out: &mut String) {
        let mut its = self.picture.steps.iter().enumerate().filter(|(_, it)| it.track == self.track);
        let spawned = self
            .picture
            .steps
            .iter()
            .position(|it| matches!(it.act, Act::Spawn(track) if track == self.track));
        let Some(first) = spawned.or_else(|| its.clone().next().map(|it| it.0)) else { return };
        let begins = spawned.is_some() || matches!(self.picture.steps[first].act, Act::Begin);
        let end = its.find(|(_, it)| matches!(it.act, Act::End(_))).map(|it| it.0);
        let (from, to) = self.span(begins.then_some(first), end);
        let y = self.row.line();
        put!(out, "<line class=\"life\" x1=\"{from}\" x2=\"{to}\" y1=\"{y}\" y2=\"{y}\"/>\n");
    }

    fn runs(&self, out: &mut String) {
        for run in self.picture.runs.iter().filter(|it| it.track == self.track) {
            let (from, to) = self.span(Some(run.from), Some(run.to));
            put!(
                out,
                "<rect class=\"run\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"6\" rx=\"3\"/>\n",
                from - 6,
                self.row.line() - 3,
                (to - from).max(0) + 12
            );
        }
    }

    fn wait(&self, bar: &Bar<Target>, out: &mut String) {
        let colour = match bar.what {
            Target::Object(object) => colour(object),
            Target::Track(_) | Target::Other(_) => "cx".to_owned(),
        };
        let label = self.picture.waits(&bar.what);
        let forever = if bar.to.is_none() && self.picture.stuck { "wait forever" } else { "wait" };
        self.hatched(bar.from, bar.to, &colour, forever, &label, out);
    }

    fn hatched(
        &self,
        from: Option<usize>,
        to: Option<usize>,
        colour: &str,
        class: &str,
        label: &str,
        out: &mut String,
    ) {
        let (from, to) = self.span(from, to);
        let (y, width) = (self.row.line() - 10, (to - from).max(4));
        put!(
            out,
            "<g class=\"{class} {colour}\"><title>{}</title>\
             <rect x=\"{from}\" y=\"{y}\" width=\"{width}\" height=\"20\" rx=\"4\" fill=\"url(#{}-{colour})\"/>",
            Text(&plain(label)),
            self.id
        );
        if let Some(shown) = fitting(label, width - 22) {
            put!(out, "<text x=\"{}\" y=\"{}\">{}</text>", from + 14, y + 14, Text(&shown));
        }
        out.push_str("</g>\n");
    }

    fn hold(&self, row: usize, bar: &Bar<usize>, out: &mut String) {
        let (from, to) = self.span(bar.from, bar.to);
        let (y, width) = (self.row.hold(row), (to - from).max(4));
        let name = self.picture.object(bar.what);
        put!(
            out,
            "<g class=\"hold {}\"><title>holds {}</title>\
             <rect x=\"{from}\" y=\"{y}\" width=\"{width}\" height=\"{}\" rx=\"3\"/>",
            colour(bar.what),
            Text(&plain(name)),
            HOLD - 3
        );
        if let Some(shown) = fitting(name, width - 10) {
            put!(out, "<text x=\"{}\" y=\"{}\">{}</text>", from + 6, y + 12, Text(&shown));
        }
        out.push_str("</g>\n");
    }

    /// The mark of a step. Its form says what it is, and its colour about which object.
    fn mark(&self, at: usize, act: &Act, out: &mut String) {
        let (x, y) = (self.columns.x(at), self.row.line());
        let colour = match act {
            Act::Take(it)
            | Act::Release(it)
            | Act::Send(it, _)
            | Act::Receive(it, _)
            | Act::Signal(it)
            | Act::Signalled(it)
            | Act::Wait(Target::Object(it))
            | Act::Leave(Target::Object(it)) => colour(*it),
            _ => "cx".to_owned(),
        };
        put!(
            out,
            "<g class=\"mark {colour}\" data-step=\"{at}\"><title>{}: {}</title>",
            at + 1,
            Text(&plain(&wording::act(act, self.picture)))
        );
        match act {
            Act::Take(_) | Act::Receive(..) | Act::Signalled(_) | Act::Join(_) => {
                put!(out, "<ellipse class=\"full\" cx=\"{x}\" cy=\"{y}\" rx=\"6\" ry=\"6\"/>");
            }
            Act::Release(_) | Act::Leave(_) | Act::Unblock(_) => {
                put!(out, "<ellipse class=\"hollow\" cx=\"{x}\" cy=\"{y}\" rx=\"5\" ry=\"5\"/>");
            }
            Act::Wait(_) | Act::Block(_) => {
                put!(out, "<path class=\"full\" d=\"M{x} {} l7 7 l-7 7 l-7 -7 z\"/>", y - 7);
            }
            Act::Spawn(_) | Act::Send(..) | Act::Signal(_) => {
                put!(out, "<path class=\"full\" d=\"M{} {} l11 6 l-11 6 z\"/>", x - 4, y - 6);
            }
            Act::Begin => put!(out, "<path class=\"bar\" d=\"M{x} {} v16\"/>", y - 8),
            Act::End(_) => {
                put!(out, "<path class=\"bar\" d=\"M{} {} l12 12 m-12 0 l12 -12\"/>", x - 6, y - 6);
            }
            Act::Other(..) => {
                put!(out, "<ellipse class=\"full\" cx=\"{x}\" cy=\"{y}\" rx=\"3.5\" ry=\"3.5\"/>");
            }
        }
        out.push_str("</g>\n");
    }
}

/// As much of a label as has room, if that says anything. Of a path its last field says most.
fn fitting(label: &str, width: i32) -> Option<String> {
    let most = usize::try_from(width * 10 / LETTER).unwrap_or(0);
    let label = plain(label);
    let has_room = |it: &str| it.chars().count() <= most;
    let last = label.rsplit_once('.').map_or(label.as_str(), |it| it.1);
    if !has_room(&label) && !label.contains(' ') && has_room(last) {
        return Some(last.to_owned());
    }
    (most >= 4 || has_room(&label)).then(|| shortened(&label, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_cut_to_its_bar_and_left_out_where_nothing_would_be_left() {
        assert_eq!(fitting("`self.balances`", 100).as_deref(), Some("self.balances"));
        assert_eq!(fitting("`self.balances`", 57).as_deref(), Some("balances"));
        assert_eq!(fitting("waits for `self.balances`", 57).as_deref(), Some("waits f…"));
        assert_eq!(fitting("`self.balances`", 20), None);
    }
}
