//! What joins the two orders: a line from each event to the same one below.

use super::geometry::Columns;
use crate::html::put;

/// How high the lines go.
pub(super) const HEIGHT: i32 = 72;

/// Draws them. A line that crosses another one stands for an event that comes in another order: it is drawn in another form, too.
pub(super) fn draw(pairs: &[Option<usize>], top: i32, columns: Columns, out: &mut String) {
    out.push_str("<g class=\"joins\" aria-hidden=\"true\">\n");
    let lines: Vec<(usize, usize)> =
        pairs.iter().enumerate().filter_map(|(below, above)| Some(((*above)?, below))).collect();
    for (above, below) in &lines {
        let crosses = |it: &&(usize, usize)| (it.0 < *above) != (it.1 < *below) && it.0 != *above;
        let moved = if lines.iter().any(|it| crosses(&it)) { " moved" } else { "" };
        let (from, to) = (columns.x(*above), columns.x(*below));
        let (bottom, middle) = (top + HEIGHT, HEIGHT / 2);
        put!(
            out,
            "<path class=\"joined{moved}\" data-step=\"{below}\" d=\"M{from} {} C{from} {}, {to} {}, {to} {}\"/>\n",
            top + 2,
            top + middle,
            top + middle,
            bottom - 2
        );
    }
    out.push_str("</g>\n");
}
