//! The lock-dependency graph: which lock is requested while which other one is held.

use crate::html::{Prose, Text, plain, put, shortened};
use crate::layered::layered;
use serde::{Deserialize, Serialize};

/// A lock that is requested while another one is held.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LockEdge {
    /// Where the one that is held was created.
    pub held: String,
    /// What people call it.
    pub held_name: String,
    /// Where the one that is requested was created.
    pub wanted: String,
    /// What people call it.
    pub wanted_name: String,
    /// Where it is requested.
    pub at: String,
    /// A test that shows it.
    pub test: String,
    /// The page of a finding that speaks of it.
    pub finding: Option<String>,
}

/// The most locks that are drawn. The table has all of them.
const MOST: usize = 60;

/// The picture, and a table that says the same.
pub(crate) fn draw(edges: &[LockEdge], out: &mut String) {
    let mut nodes: Vec<&str> = edges.iter().flat_map(|it| [it.held.as_str(), it.wanted.as_str()]).collect();
    nodes.sort_unstable();
    nodes.dedup();
    if nodes.len() <= MOST {
        picture(&nodes, edges, out);
    } else {
        put!(out, "<p>There are {} locks, too many to draw. The table has all of them.</p>\n", nodes.len());
    }
    out.push_str(
        "<details>\n<summary>As a table</summary>\n<table>\n<thead><tr><th scope=\"col\">held</th><th scope=\"col\">requested</th>\
         <th scope=\"col\">where</th><th scope=\"col\">shown by</th><th scope=\"col\">finding</th></tr></thead>\n<tbody>\n",
    );
    for edge in edges {
        let finding = edge
            .finding
            .as_ref()
            .map_or_else(|| "none".to_owned(), |it| format!("<a href=\"{}\">in a cycle</a>", Text(it)));
        put!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{finding}</td></tr>\n",
            Prose(&edge.held_name),
            Prose(&edge.wanted_name),
            Text(&edge.at),
            Prose(&edge.test)
        );
    }
    out.push_str("</tbody>\n</table>\n</details>\n");
}

const NODE: (i32, i32) = (190, 40);
const CELL: (i32, i32) = (290, 78);

fn picture(nodes: &[&str], edges: &[LockEdge], out: &mut String) {
    let number = |node: &str| nodes.iter().position(|it| *it == node).unwrap_or(0);
    let pairs: Vec<(usize, usize)> = edges.iter().map(|it| (number(&it.held), number(&it.wanted))).collect();
    let cells = layered(nodes.len(), &pairs);
    let size = |of: fn(&(usize, usize)) -> usize| {
        i32::try_from(cells.iter().map(of).max().map_or(0, |it| it + 1)).unwrap_or(0)
    };
    let (columns, rows) = (size(|it| it.0), size(|it| it.1));
    let (width, height) = (columns * CELL.0 - (CELL.0 - NODE.0) + 40, rows * CELL.1 + 30);
    let corner = |node: usize| {
        let (column, row) = cells[node];
        let pixels = |at: usize, of: i32| i32::try_from(at).unwrap_or(0) * of;
        (20 + pixels(column, CELL.0), 26 + pixels(row, CELL.1))
    };
    put!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Lock-dependency graph\">\n<svg class=\"locks\" \
         width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"locks-title\">\n\
         <title id=\"locks-title\">Lock-dependency graph: from a held lock to one that is requested meanwhile. The table below says the same.</title>\n\
         <defs><marker id=\"locks-to\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"12\" markerHeight=\"12\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
         <path class=\"tip\" d=\"M0 0 L10 5 L0 10 z\"/></marker></defs>\n"
    );
    for (edge, (from, to)) in edges.iter().zip(&pairs) {
        let ((x, y), (to_x, to_y)) = (corner(*from), corner(*to));
        let class = if edge.finding.is_some() { "edge cycle" } else { "edge" };
        let (half, middle) = (NODE.1 / 2, NODE.0 / 2);
        let path = if from == to {
            format!(
                "M{} {y} C{} {}, {} {}, {} {y}",
                x + middle - 24,
                x + middle - 30,
                y - 34,
                x + middle + 30,
                y - 34,
                x + middle + 24
            )
        } else if to_x > x {
            let bend = (to_x - x - NODE.0) / 2;
            format!(
                "M{} {} C{} {}, {} {}, {} {}",
                x + NODE.0,
                y + half - 6,
                x + NODE.0 + bend,
                y + half - 6,
                to_x - bend,
                to_y + half - 6,
                to_x - 2,
                to_y + half - 6
            )
        } else if to_x == x {
            let out = x + NODE.0 + 60;
            format!(
                "M{} {} C{out} {}, {out} {}, {} {}",
                x + NODE.0,
                y + half,
                y + half,
                to_y + half,
                x + NODE.0 + 2,
                to_y + half
            )
        } else {
            // An edge that goes back goes below.
            let bend = (x - to_x - NODE.0) / 2;
            format!(
                "M{x} {} C{} {}, {} {}, {} {}",
                y + half + 8,
                x - bend,
                y + half + 8,
                to_x + NODE.0 + bend,
                to_y + half + 8,
                to_x + NODE.0 + 2,
                to_y + half + 8
            )
        };
        put!(
            out,
            "<path class=\"{class}\" marker-end=\"url(#locks-to)\" d=\"{path}\"><title>{} is requested while {} is held, at {}</title></path>\n",
            Text(&plain(&edge.wanted_name)),
            Text(&plain(&edge.held_name)),
            Text(&edge.at)
        );
    }
    for (at, node) in nodes.iter().enumerate() {
        let (x, y) = corner(at);
        let name = edges
            .iter()
            .find_map(|it| match (it.held == **node, it.wanted == **node) {
                (true, _) => Some(&it.held_name),
                (_, true) => Some(&it.wanted_name),
                _ => None,
            })
            .map_or_else(String::new, |it| plain(it));
        let bad = |it: &&LockEdge| it.finding.is_some() && (it.held == **node || it.wanted == **node);
        let class = if edges.iter().any(|it| bad(&it)) { "node bad" } else { "node" };
        put!(
            out,
            "<g class=\"{class}\"><title>{}, created at {}</title><rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"20\"/>\
             <text x=\"{}\" y=\"{}\">{}</text><text class=\"small\" x=\"{}\" y=\"{}\">{}</text></g>\n",
            Text(&name),
            Text(node),
            NODE.0,
            NODE.1,
            x + NODE.0 / 2,
            y + 17,
            Text(&shortened(&name, 26)),
            x + NODE.0 / 2,
            y + 31,
            Text(&ending(node, 30))
        );
    }
    out.push_str("</svg>\n</div>\n");
}

/// The end of a place, which says more than its beginning.
fn ending(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().skip(count - most + 1).collect();
    format!("…{kept}")
}
