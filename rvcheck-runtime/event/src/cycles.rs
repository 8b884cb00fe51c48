//! Cycles in a graph of what waits for what: the short ones first, and no more than a bounded amount of work allows.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// A graph: for each node those that it leads to, in ascending order.
pub type Graph = [Vec<u32>];

/// Which cycles are looked for, and how long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Only what reaches each other is searched.
    pub connected: bool,
    /// The longest cycle that is looked for.
    pub longest: usize,
    /// How many edges are followed at most.
    pub work: u64,
}

/// The strongly connected component of each node; nodes of equal number reach each other.
pub fn components(graph: &Graph) -> Vec<u32> {
    let mut search = Tarjan {
        graph,
        index: vec![0; graph.len()],
        low: vec![0; graph.len()],
        component: vec![u32::MAX; graph.len()],
        stack: Vec::new(),
        next: 1,
        found: 0,
    };
    for node in 0..graph.len() {
        if search.index[node] == 0 {
            search.from(node as u32);
        }
    }
    search.component
}

/// Tarjan's algorithm, with its recursion on a stack of its own.
struct Tarjan<'g> {
    graph: &'g Graph,
    index: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    stack: Vec<u32>,
    next: u32,
    found: u32,
}

impl Tarjan<'_> {
    fn enter(&mut self, node: u32) {
        self.index[node as usize] = self.next;
        self.low[node as usize] = self.next;
        self.next += 1;
        self.stack.push(node);
    }

    fn from(&mut self, root: u32) {
        self.enter(root);
        let mut path: Vec<(u32, usize)> = vec![(root, 0)];
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if let Some(next) = self.graph[node as usize].get(*edge).copied() {
                *edge += 1;
                if self.index[next as usize] == 0 {
                    self.enter(next);
                    path.push((next, 0));
                } else if self.component[next as usize] == u32::MAX {
                    self.low[node as usize] = self.low[node as usize].min(self.index[next as usize]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                self.low[*parent as usize] = self.low[*parent as usize].min(self.low[node as usize]);
            }
            if self.low[node as usize] == self.index[node as usize] {
                while let Some(member) = self.stack.pop() {
                    self.component[member as usize] = self.found;
                    if member == node {
                        break;
                    }
                }
                self.found += 1;
            }
        }
    }
}

/// The components that matter, or all in one where that is not `asked`.
fn components_if(asked: bool, graph: &Graph) -> Vec<u32> {
    if asked { components(graph) } else { vec![0; graph.len()] }
}

/// Calls `visit` with each simple cycle all of whose nodes `fits` with each other, until that says stop. Whether these were all
/// cycles that are looked for.
///
/// Cycles of two come first, because that is what most deadlocks are.
pub fn each(
    graph: &Graph,
    limits: Limits,
    fits: impl Fn(u32, u32) -> bool,
    mut visit: impl FnMut(&[u32]) -> bool,
) -> bool {
    let Limits { connected, longest, mut work } = limits;
    let component = components_if(connected, graph);
    for (node, nexts) in graph.iter().enumerate() {
        let node = node as u32;
        for next in nexts.iter().copied().filter(|next| *next > node) {
            if work == 0 {
                return false;
            }
            work -= 1;
            let back = graph[next as usize].binary_search(&node).is_ok();
            if back && fits(node, next) && !visit(&[node, next]) {
                return false;
            }
        }
    }
    let mut size: Vec<u32> = vec![0; graph.len()];
    for it in &component {
        size[*it as usize] += 1;
    }
    for root in 0..graph.len() as u32 {
        if size[component[root as usize] as usize] < 3 {
            continue;
        }
        if !from(graph, &component, root, (longest, &mut work), &fits, &mut visit) {
            return false;
        }
    }
    true
}

/// The shortest cycle through a node, from it on. The nodes of this graph may lead to others in any order.
pub fn shortest(graph: &Graph, first: u32) -> Option<Vec<u32>> {
    // From which node each one was reached, breadth first.
    let mut reached: BTreeMap<u32, u32> = BTreeMap::new();
    let mut level = vec![first];
    while !level.is_empty() {
        let mut next = Vec::new();
        for node in level {
            for to in graph.get(node as usize).into_iter().flatten().copied() {
                if to == first {
                    return Some(path_to(node, first, &reached));
                }
                if let Entry::Vacant(entry) = reached.entry(to) {
                    entry.insert(node);
                    next.push(to);
                }
            }
        }
        level = next;
    }
    None
}

/// The nodes from `first` to the last one.
fn path_to(last: u32, first: u32, reached: &BTreeMap<u32, u32>) -> Vec<u32> {
    let mut path = vec![last];
    while let Some(before) = path.last().filter(|it| **it != first).and_then(|it| reached.get(it)) {
        path.push(*before);
    }
    path.reverse();
    path
}

/// The cycles of three and more through `root` and greater nodes.
fn from(
    graph: &Graph,
    component: &[u32],
    root: u32,
    (longest, work): (usize, &mut u64),
    fits: &impl Fn(u32, u32) -> bool,
    visit: &mut impl FnMut(&[u32]) -> bool,
) -> bool {
    let mut path: Vec<u32> = vec![root];
    let mut edges: Vec<usize> = vec![0];
    while let (Some(node), Some(edge)) = (path.last().copied(), edges.last_mut()) {
        let Some(next) = graph[node as usize].get(*edge).copied() else {
            path.pop();
            edges.pop();
            continue;
        };
        *edge += 1;
        if *work == 0 {
            return false;
        }
        *work -= 1;
        if next == root && path.len() > 2 {
            if !visit(&path) {
                return false;
            }
            continue;
        }
        let inside = next > root && component[next as usize] == component[root as usize];
        if inside && path.len() < longest && path.iter().all(|it| *it != next && fits(*it, next)) {
            path.push(next);
            edges.push(0);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const ALL: Limits = Limits { connected: true, longest: usize::MAX, work: 1000 };

    fn cycles(graph: &Graph, work: u64) -> (BTreeSet<Vec<u32>>, bool) {
        let mut found = BTreeSet::new();
        let all = each(graph, Limits { work, ..ALL }, |_, _| true, |cycle| found.insert(cycle.to_vec()));
        (found, all)
    }

    #[test]
    fn every_simple_cycle_is_found_once() {
        let graph = [vec![1, 2], vec![0, 2], vec![0, 1], vec![0]];
        let expected = [vec![0, 1], vec![0, 2], vec![1, 2], vec![0, 1, 2], vec![0, 2, 1]];
        assert_eq!(cycles(&graph, 1000), (BTreeSet::from(expected), true));
    }

    #[test]
    fn the_shortest_cycle_through_a_node_begins_with_it() {
        let graph = [vec![1, 3], vec![2], vec![0], vec![4, 0], vec![4]];
        let found = [0, 1, 4].map(|node| shortest(&graph, node));
        assert_eq!(found, [Some(vec![0, 3]), Some(vec![1, 2, 0]), Some(vec![4])]);
        assert_eq!(shortest(&[vec![1], vec![]], 0), None);
    }

    #[test]
    fn a_cycle_that_is_too_long_is_not_looked_for() {
        let graph = [vec![1, 2], vec![0, 2], vec![0, 1]];
        let mut found = 0;
        each(
            &graph,
            Limits { longest: 2, ..ALL },
            |_, _| true,
            |_| {
                found += 1;
                true
            },
        );
        assert_eq!(found, 3);
    }

    #[test]
    fn a_bounded_search_says_so() {
        let all: Vec<Vec<u32>> = (0..12).map(|node| (0..12).filter(|it| *it != node).collect()).collect();
        assert!(!cycles(&all, 1000).1);
    }

    #[test]
    fn nodes_that_do_not_fit_are_in_no_cycle_together() {
        let graph = [vec![1], vec![2], vec![0, 1]];
        let mut found = Vec::new();
        assert!(each(
            &graph,
            ALL,
            |a, b| (a, b) != (0, 2) && (a, b) != (2, 0),
            |it| {
                found.push(it.to_vec());
                true
            }
        ));
        assert_eq!(found, [vec![1, 2]]);
    }

    #[test]
    fn components_are_what_reaches_each_other() {
        let graph = [vec![1], vec![2], vec![0], vec![0, 4], vec![]];
        let component = components(&graph);
        assert!(component[0] == component[1] && component[1] == component[2]);
        assert!(component[3] != component[0] && component[4] != component[3]);
    }
}
