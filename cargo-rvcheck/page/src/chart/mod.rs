//! The chart: a row for each track, a column for each step; two of them below each other where there are two orders.

mod band;
mod geometry;
mod row;

use crate::arrow::{Arrow, arrows};
use crate::bars::bars;
use crate::html::{Prose, Text, put};
use crate::joined::joined;
use crate::picture::{Picture, TrackKind};
use crate::wording::duration;
use geometry::{Columns, RULER, Rows};

/// A picture with what is written over it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Titled<'a> {
    pub(crate) title: &'a str,
    /// The title in few words.
    pub(crate) label: &'a str,
    pub(crate) picture: &'a Picture,
}

/// The chart as HTML: names of tracks at the left, which stay where they are when the drawing beside them is scrolled. `id` is unique
/// in the page.
pub(crate) fn chart(id: &str, first: Titled<'_>, second: Option<Titled<'_>>, out: &mut String) {
    let longest = first.picture.steps.len().max(second.map_or(0, |it| it.picture.steps.len()));
    let columns = Columns::of(longest, first.picture.stuck || second.is_some_and(|it| it.picture.stuck));
    let upper = Rows::of(first.picture, 0);
    let pairs = second.map(|it| joined(first.picture, it.picture));
    let lower = second.map(|it| Rows::of(it.picture, upper.bottom + band::HEIGHT));
    let height = lower.as_ref().unwrap_or(&upper).bottom;
    put!(
        out,
        "<div class=\"chart\" style=\"--height:{height}px\">\n<div class=\"names\" aria-hidden=\"true\">\n"
    );
    names(first, &upper, out);
    if let (Some(second), Some(lower)) = (second, &lower) {
        put!(
            out,
            "<p class=\"between\" style=\"top:{}px;height:{}px\">the same events, in another order</p>\n",
            upper.bottom,
            band::HEIGHT
        );
        names(second, lower, out);
    }
    let said = second.map_or_else(String::new, |it| format!(" Below: {}.", it.title));
    put!(
        out,
        "</div>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Chart of the steps\">\n\
         <svg width=\"{w}\" height=\"{height}\" viewBox=\"0 0 {w} {height}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n\
         <title id=\"{id}-title\">{}.{}</title>\n\
         <desc id=\"{id}-desc\">A row for each task and thread, a column for each step. The table of steps says the same.</desc>\n",
        Text(first.title),
        Text(&said),
        w = columns.width,
    );
    patterns(id, out);
    let now = if second.is_some() { "first" } else { "driven" };
    draw(id, first.picture, &upper, columns, now, out);
    if let (Some(second), Some(lower), Some(pairs)) = (second, &lower, &pairs) {
        band::draw(pairs, upper.bottom, columns, out);
        draw(id, second.picture, lower, columns, "driven", out);
    }
    out.push_str("</svg>\n</div>\n</div>\n");
}

/// The names of the tracks.
fn names(titled: Titled<'_>, rows: &Rows, out: &mut String) {
    put!(out, "<p class=\"over\" style=\"top:{}px\">{}</p>\n", rows.top, Text(titled.label));
    for (at, (track, row)) in titled.picture.tracks.iter().zip(&rows.tracks).enumerate() {
        let kind = match track.kind {
            TrackKind::Task => "task",
            TrackKind::Thread => "thread",
        };
        put!(
            out,
            "<p class=\"name {kind}\" style=\"top:{}px;height:{}px\"><span>{}</span></p>\n",
            row.top,
            row.height,
            Prose(&titled.picture.track_name(at))
        );
    }
}

/// The hatchings, one a colour. `id` keeps those of several charts of a page apart.
fn patterns(id: &str, out: &mut String) {
    out.push_str("<defs>\n");
    for colour in (0..COLOURS).map(|it| format!("c{it}")).chain(["cx".to_owned(), "cb".to_owned()]) {
        put!(
            out,
            "<pattern id=\"{id}-{colour}\" class=\"{colour}\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" \
             patternTransform=\"rotate(45)\"><rect class=\"ground\" width=\"7\" height=\"7\"/>\
             <rect class=\"stripe\" width=\"2.5\" height=\"7\"/></pattern>\n"
        );
    }
    put!(
        out,
        "<marker id=\"{id}-tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto-start-reverse\"><path class=\"tip\" d=\"M0 0 L8 4 L0 8 z\"/></marker>\n</defs>\n"
    );
}

/// How many colours there are for objects. More of them share one; their names stand beside it.
const COLOURS: usize = 6;

/// The class of the colour of an object.
pub(crate) fn colour(object: usize) -> String {
    format!("c{}", object % COLOURS)
}

/// One of the two orders.
fn draw(id: &str, picture: &Picture, rows: &Rows, columns: Columns, now: &str, out: &mut String) {
    put!(out, "<g class=\"order {now}\">\n");
    for (at, row) in rows.tracks.iter().enumerate() {
        let odd = if at % 2 == 1 { " odd" } else { "" };
        put!(
            out,
            "<rect class=\"lane{odd}\" x=\"0\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
            row.top,
            columns.width,
            row.height
        );
    }
    for at in 0..picture.steps.len() {
        let x = columns.x(at);
        put!(
            out,
            "<line class=\"grid\" x1=\"{x}\" x2=\"{x}\" y1=\"{}\" y2=\"{}\"/>",
            rows.top + RULER,
            rows.bottom
        );
        if columns.has_number(at) {
            put!(out, "<text class=\"number\" x=\"{x}\" y=\"{}\">{}</text>", rows.top + RULER - 8, at + 1);
        }
    }
    out.push('\n');
    put!(
        out,
        "<rect class=\"now\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>\n",
        columns.x(picture.decisive()) - columns.step / 2,
        rows.top + 4,
        columns.step,
        rows.bottom - rows.top - 6
    );
    draw_gaps(picture, rows, columns, out);
    let lasting = bars(picture);
    for (track, row) in rows.tracks.iter().enumerate() {
        row::draw(&row::Drawn { id, picture, bars: &lasting, columns, track, row }, out);
    }
    for arrow in arrows(picture) {
        draw_arrow(id, arrow, picture, rows, columns, out);
    }
    put!(
        out,
        "<rect class=\"veil\" x=\"{}\" y=\"{}\" width=\"0\" height=\"{}\"/>\n",
        columns.width,
        rows.top + RULER,
        rows.bottom - rows.top - RULER
    );
    let violated = || match gaps(picture).find(|it| Some(it.0) == picture.fault) {
        Some((_, passed)) => format!("violated; then {} pass", duration(passed)),
        None => "violated".to_owned(),
    };
    let end = picture.stuck.then(|| "nothing goes on".to_owned());
    if let (Some(said), false) = (end.or(picture.fault.map(|_| violated())), picture.steps.is_empty()) {
        let x = columns.x(picture.decisive()) + columns.step / 2 + if picture.stuck { 4 } else { 0 };
        put!(
            out,
            "<line class=\"end\" x1=\"{x}\" x2=\"{x}\" y1=\"{}\" y2=\"{}\"/>\
             <text class=\"end\" x=\"{}\" y=\"{}\">{said}</text>\n",
            rows.top + RULER - 4,
            rows.bottom - 4,
            x + 6,
            rows.top + 14
        );
    }
    out.push_str("</g>\n");
}

/// After which steps much time has passed, and how much: columns do not show it.
fn gaps(picture: &Picture) -> impl Iterator<Item = (usize, u64)> {
    let mut times = picture.steps.iter().filter_map(|it| it.time);
    let first = times.next();
    let all = first.zip(times.next_back()).map_or(0, |(first, last)| last.saturating_sub(first));
    let pairs = picture.steps.iter().zip(picture.steps.iter().skip(1)).enumerate();
    let passed = pairs.filter_map(|(at, (this, next))| Some((at, next.time?.saturating_sub(this.time?))));
    passed.filter(move |it| it.1 >= 1_000_000 && it.1 >= all / 8)
}

fn draw_gaps(picture: &Picture, rows: &Rows, columns: Columns, out: &mut String) {
    // What is said of the violation stands at the same place.
    for (at, passed) in gaps(picture).filter(|it| Some(it.0) != picture.fault) {
        let (x, said) = (columns.x(at) + columns.step / 2, duration(passed));
        let width = 7 * i32::try_from(said.chars().count()).unwrap_or(0);
        put!(
            out,
            "<line class=\"gap\" x1=\"{x}\" x2=\"{x}\" y1=\"{}\" y2=\"{}\"/><text class=\"gap\" x=\"{x}\" y=\"{}\">{}</text>\n",
            rows.top + RULER - 4,
            rows.bottom - 4,
            // Between two numbers, where there is room.
            rows.top + if columns.step >= width + 18 { RULER - 8 } else { 14 },
            said
        );
    }
}

fn draw_arrow(id: &str, arrow: Arrow, picture: &Picture, rows: &Rows, columns: Columns, out: &mut String) {
    let line = |at: usize| Some(rows.tracks.get(picture.steps.get(at)?.track)?.line());
    let (Some(y), Some(to_y)) = (line(arrow.from), line(arrow.to)) else { return };
    let (x, to_x) = (columns.x(arrow.from), columns.x(arrow.to));
    // The ends stay off the marks.
    let down = (to_y - y).signum();
    let (y, to_y) = (y + 7 * down, to_y - 8 * down);
    let bend = (to_y - y).abs().max(24) / 2;
    let sag = if down == 0 { -22 } else { bend * down };
    put!(
        out,
        "<path class=\"arrow\" marker-end=\"url(#{id}-tip)\" d=\"M{x} {y} C{x} {}, {to_x} {}, {to_x} {to_y}\">\
         <title>{}</title></path>\n",
        y + sag,
        if down == 0 { to_y + sag } else { to_y - sag },
        arrow.kind.name()
    );
}
