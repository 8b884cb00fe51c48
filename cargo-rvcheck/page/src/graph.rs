//! The wait-for graph of a picture: who waits for what, and who has that, and at which steps.

use crate::bars::{Bars, bars};
use crate::chart::colour;
use crate::html::{Prose, Text, plain, put, shortened};
use crate::picture::{Picture, Target};
use std::collections::BTreeSet;

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Node {
    Track(usize),
    Object(usize),
}

/// An edge, with the steps during which it is there: from the first until before the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) from: Node,
    pub(crate) to: Node,
    /// It is a wait, and not that something is held.
    pub(crate) waits: bool,
    pub(crate) spans: Vec<(usize, usize)>,
}

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WaitGraph {
    /// Those of a cycle first, in its order.
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    /// How many of the nodes form a cycle at the last step; 0 if none do.
    pub(crate) cycle: usize,
    last: usize,
}

impl Edge {
    fn is_there(&self, step: usize) -> bool {
        self.spans.iter().any(|(from, to)| *from <= step && step < *to)
    }
}

/// The graph around those who wait after the last step. It is empty where nobody does.
pub(crate) fn wait_graph(picture: &Picture) -> WaitGraph {
    let Some(last) = picture.steps.len().checked_sub(1) else { return WaitGraph::default() };
    let all = edges(&bars(picture), last);
    let mut nodes: BTreeSet<Node> =
        all.iter().filter(|it| it.waits && it.is_there(last)).flat_map(|it| [it.from, it.to]).collect();
    // Who has what is waited for belongs to it.
    loop {
        let held = all.iter().filter(|it| it.is_there(last) && nodes.contains(&it.from)).map(|it| it.to);
        let more: Vec<Node> = held.filter(|it| !nodes.contains(it)).collect();
        if more.is_empty() {
            break;
        }
        nodes.extend(more);
    }
    let edges: Vec<Edge> =
        all.into_iter().filter(|it| nodes.contains(&it.from) && nodes.contains(&it.to)).collect();
    let cycle = cycle(&nodes, &edges, last);
    let rest = nodes.into_iter().filter(|it| !cycle.contains(it));
    let count = cycle.len();
    WaitGraph { nodes: cycle.iter().copied().chain(rest).collect(), edges, cycle: count, last }
}

fn edges(bars: &Bars, last: usize) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    let mut add = |from, to, waits, span| match edges.iter_mut().find(|it| (it.from, it.to) == (from, to)) {
        Some(known) => known.spans.push(span),
        None => edges.push(Edge { from, to, waits, spans: vec![span] }),
    };
    let span = |from: Option<usize>, to: Option<usize>| (from.unwrap_or(0), to.unwrap_or(last + 1));
    for wait in &bars.waits {
        let to = match wait.what {
            Target::Object(object) => Node::Object(object),
            Target::Track(track) => Node::Track(track),
            Target::Other(_) => continue,
        };
        add(Node::Track(wait.track), to, true, span(wait.from, wait.to));
    }
    for hold in &bars.holds {
        add(Node::Object(hold.what), Node::Track(hold.track), false, span(hold.from, hold.to));
    }
    edges
}

/// The shortest cycle at this step, if there is one.
fn cycle(nodes: &BTreeSet<Node>, edges: &[Edge], step: usize) -> Vec<Node> {
    let there: Vec<&Edge> = edges.iter().filter(|it| it.is_there(step)).collect();
    let of = |start: Node| {
        let mut paths = vec![vec![start]];
        for _ in 0..nodes.len() {
            let mut longer = Vec::new();
            for path in &paths {
                for edge in there.iter().filter(|it| Some(&it.from) == path.last()) {
                    if edge.to == start {
                        return Some(path.clone());
                    }
                    if !path.contains(&edge.to) {
                        longer.push([path.as_slice(), &[edge.to]].concat());
                    }
                }
            }
            // Many ways lead to the same; a few of them are enough to come round.
            longer.truncate(256);
            paths = longer;
        }
        None
    };
    let tracks = nodes.iter().filter(|it| matches!(it, Node::Track(_)));
    tracks.filter_map(|it| of(*it)).min_by_key(Vec::len).unwrap_or_default()
}

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 330.0;

/// Draws it as it is at the last step, with what a script needs to show earlier ones, and says the same as a list.
pub(crate) fn draw(id: &str, graph: &WaitGraph, picture: &Picture, out: &mut String) {
    let count = graph.nodes.len();
    let place = |at: usize| {
        let angle = std::f64::consts::TAU * at as f64 / count.max(1) as f64 - std::f64::consts::PI;
        (WIDTH / 2.0 + angle.cos() * 158.0, HEIGHT / 2.0 + angle.sin() * 128.0)
    };
    let at = |node: Node| place(graph.nodes.iter().position(|it| *it == node).unwrap_or(0));
    put!(
        out,
        "<svg class=\"waits\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-labelledby=\"{id}-wait-title\">\n\
         <title id=\"{id}-wait-title\">The wait-for graph at the last step. The list below says the same.</title>\n\
         <defs><marker id=\"{id}-to\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"12\" markerHeight=\"12\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"tip\" d=\"M0 0 L10 5 L0 10 z\"/></marker></defs>\n"
    );
    for edge in &graph.edges {
        let ((x, y), (to_x, to_y)) = (at(edge.from), at(edge.to));
        let (from, to) = (clipped(edge.from, (x, y), (to_x, to_y)), clipped(edge.to, (to_x, to_y), (x, y)));
        let gone = if edge.is_there(graph.last) { "" } else { " gone" };
        let closes = if graph.is_in_cycle(edge) { " cycle closed" } else { "" };
        let spans: Vec<String> = edge.spans.iter().map(|(from, to)| format!("{from}-{to}")).collect();
        put!(
            out,
            "<g class=\"edge{gone}{closes}\" data-spans=\"{}\"><line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" \
             marker-end=\"url(#{id}-to)\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>\n",
            spans.join(" "),
            from.0,
            from.1,
            to.0,
            to.1,
            f64::midpoint(from.0, to.0),
            f64::midpoint(from.1, to.1) + 4.0,
            if edge.waits { "waits for" } else { "held by" }
        );
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        draw_node(*node, place(index), picture, out);
    }
    out.push_str("</svg>\n<ul class=\"edges\">\n");
    for edge in &graph.edges {
        let name = |node: Node| match node {
            Node::Track(track) => picture.track_name(track),
            Node::Object(object) => picture.object(object).to_owned(),
        };
        let does = if edge.waits { "waits for" } else { "is held by" };
        let end = if edge.is_there(graph.last) { "" } else { ", and no longer at the last one" };
        let since = edge.spans.last().map_or(0, |it| it.0) + 1;
        put!(
            out,
            "<li>{} {does} {}: since step {since}{end}</li>\n",
            Prose(&name(edge.from)),
            Prose(&name(edge.to))
        );
    }
    out.push_str("</ul>\n");
}

impl WaitGraph {
    fn is_in_cycle(&self, edge: &Edge) -> bool {
        let cycle = &self.nodes[..self.cycle];
        let place = |node: Node| cycle.iter().position(|it| *it == node);
        place(edge.from).zip(place(edge.to)).is_some_and(|(from, to)| (from + 1) % self.cycle == to)
    }
}

/// Half of the width and height of a node.
const fn extent(node: Node) -> (f64, f64) {
    match node {
        Node::Track(_) => (92.0, 28.0),
        Node::Object(_) => (72.0, 20.0),
    }
}

/// Where the line from the middle of a node to another one leaves it.
fn clipped(node: Node, (x, y): (f64, f64), (to_x, to_y): (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (to_x - x, to_y - y);
    let (width, height) = extent(node);
    let (width, height) = (width + 4.0, height + 4.0);
    let across = if dx.abs() < 0.001 { f64::INFINITY } else { width / dx.abs() };
    let down = if dy.abs() < 0.001 { f64::INFINITY } else { height / dy.abs() };
    let part = across.min(down).min(1.0);
    (x + dx * part, y + dy * part)
}

fn draw_node(node: Node, (x, y): (f64, f64), picture: &Picture, out: &mut String) {
    let (width, height) = extent(node);
    let (class, name, radius) = match node {
        Node::Track(track) => ("lane".to_owned(), picture.track_name(track), 8.0),
        Node::Object(object) => {
            (format!("object {}", colour(object)), picture.object(object).to_owned(), height)
        }
    };
    put!(
        out,
        "<g class=\"node {class}\"><title>{}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{radius}\"/>",
        Text(&plain(&name)),
        x - width,
        y - height,
        width * 2.0,
        height * 2.0
    );
    let lines = lines(&plain(&name), 27);
    let first = y - (lines.len() as f64 - 1.0) * 7.0 + 4.0;
    for (at, line) in lines.iter().enumerate() {
        put!(out, "<text x=\"{x:.1}\" y=\"{:.1}\">{}</text>", first + at as f64 * 14.0, Text(line));
    }
    out.push_str("</g>\n");
}

/// The words in at most three lines.
fn lines(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in broken(text, most) {
        let last = lines
            .last_mut()
            .filter(|it| it.is_empty() || it.chars().count() + word.trim_end().chars().count() <= most);
        match last {
            Some(last) => last.push_str(word),
            None => lines.push(word.to_owned()),
        }
    }
    if lines.len() > 3 {
        let rest = lines.split_off(2).concat();
        lines.push(rest);
    }
    lines.into_iter().map(|it| shortened(it.trim_end(), most)).collect()
}

/// Pieces of a text between which a line may end: words, and where these are too long, what ends in an underscore or a colon.
fn broken(text: &str, most: usize) -> Vec<&str> {
    let break_long = |word: &'_ str| word.chars().count() > most;
    text.split_inclusive(' ')
        .flat_map(|word| {
            let is_long = break_long(word);
            word.split_inclusive(move |it| is_long && matches!(it, '_' | ':'))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Act, Object, ObjectKind, Step, Track, TrackKind};

    fn deadlock() -> Picture {
        let track = |name: &str| Track { name: name.to_owned(), kind: TrackKind::Task };
        let object = |name: &str| Object { name: name.to_owned(), kind: ObjectKind::Lock };
        let step = |(track, act)| Step { event: None, track, time: None, act, place: None };
        let acts = [
            (0, Act::Take(0)),
            (1, Act::Take(1)),
            (0, Act::Wait(Target::Object(1))),
            (1, Act::Wait(Target::Object(0))),
        ];
        Picture {
            tracks: vec![track("a"), track("b")],
            objects: vec![object("x"), object("y")],
            steps: acts.map(step).into(),
            ..Picture::default()
        }
    }

    #[test]
    fn the_cycle_closes_at_the_last_step() {
        let graph = wait_graph(&deadlock());
        let expected = [Node::Track(0), Node::Object(1), Node::Track(1), Node::Object(0)];
        assert_eq!((graph.nodes.as_slice(), graph.cycle), (expected.as_slice(), 4));
        assert!(cycle(&graph.nodes.iter().copied().collect(), &graph.edges, 2).is_empty());
    }

    #[test]
    fn a_wait_that_is_over_is_not_in_it() {
        let mut picture = deadlock();
        picture.steps.truncate(2);
        assert_eq!(wait_graph(&picture).nodes, []);
    }

    #[test]
    fn long_names_take_three_lines_at_most() {
        let name = "the blocking task spawned in audits_are_welcome_at_any_time and then some more";
        let lines = lines(name, 26);
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|it| it.chars().count() <= 26), "{lines:?}");
    }
}
