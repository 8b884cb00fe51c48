//! A layout of directed graphs in layers, as by Sugiyama, Tagawa and Toda: edges go from the left to the right, but for those that close
//! cycles.
//!
//! Lock-dependency graphs are small and have few cycles, so each step is the simplest of its kind: a depth-first search finds the edges that
//! go back, longest paths give the layers, and a few sweeps of barycenters order them.

/// Where a node lies: its layer, and its place in that.
pub(crate) type Cell = (usize, usize);

/// How often the order is improved.
const SWEEPS: usize = 8;

/// The cell of each node of a graph with so many nodes. Edges to nodes that do not exist are ignored.
pub(crate) fn layered(count: usize, edges: &[(usize, usize)]) -> Vec<Cell> {
    let edges: Vec<(usize, usize)> =
        edges.iter().copied().filter(|(from, to)| *from < count && *to < count && from != to).collect();
    let forward = forward(count, &edges);
    let layers = layers(count, &forward);
    order(&layers, &edges)
}

/// The edges that close no cycle.
fn forward(count: usize, edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        No,
        Open,
        Done,
    }
    let mut seen = vec![Seen::No; count];
    let mut kept = Vec::new();
    for start in 0..count {
        if seen[start] != Seen::No {
            continue;
        }
        seen[start] = Seen::Open;
        let mut path = vec![(start, 0)];
        while let Some((node, at)) = path.pop() {
            let Some(next) = edges.iter().filter(|it| it.0 == node).nth(at).map(|it| it.1) else {
                seen[node] = Seen::Done;
                continue;
            };
            path.push((node, at + 1));
            match seen[next] {
                Seen::Open => {}
                Seen::Done => kept.push((node, next)),
                Seen::No => {
                    kept.push((node, next));
                    seen[next] = Seen::Open;
                    path.push((next, 0));
                }
            }
        }
    }
    kept
}

/// How long the longest path to each node is.
fn layers(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut layers = vec![0; count];
    for _ in 0..count {
        let mut changed = false;
        for (from, to) in edges {
            if layers[*to] <= layers[*from] {
                layers[*to] = layers[*from] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    layers
}

fn order(layers: &[usize], edges: &[(usize, usize)]) -> Vec<Cell> {
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); layers.iter().max().map_or(0, |it| it + 1)];
    for (node, layer) in layers.iter().enumerate() {
        columns[*layer].push(node);
    }
    let mut places = vec![0.0_f64; layers.len()];
    let place = |columns: &[Vec<usize>], places: &mut [f64]| {
        for column in columns {
            for (at, node) in column.iter().enumerate() {
                places[*node] = at as f64 - column.len() as f64 / 2.0;
            }
        }
    };
    place(&columns, &mut places);
    for _ in 0..SWEEPS {
        for column in &mut columns {
            let middle = |node: usize| {
                let near: Vec<f64> = edges
                    .iter()
                    .filter_map(|(from, to)| match (*from == node, *to == node) {
                        (true, _) => Some(places[*to]),
                        (_, true) => Some(places[*from]),
                        _ => None,
                    })
                    .collect();
                if near.is_empty() { places[node] } else { near.iter().sum::<f64>() / near.len() as f64 }
            };
            column.sort_by(|a, b| middle(*a).total_cmp(&middle(*b)).then(a.cmp(b)));
        }
        place(&columns, &mut places);
    }
    let mut cells = vec![(0, 0); layers.len()];
    for (layer, column) in columns.iter().enumerate() {
        for (at, node) in column.iter().enumerate() {
            cells[*node] = (layer, at);
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_go_to_later_layers_unless_they_close_a_cycle() {
        let cells = layered(4, &[(0, 1), (1, 2), (2, 0), (0, 3), (3, 2)]);
        assert_eq!(cells.iter().map(|it| it.0).collect::<Vec<_>>(), [0, 1, 2, 1]);
    }

    #[test]
    fn no_two_nodes_share_a_cell() {
        let edges: Vec<(usize, usize)> = (0..40).map(|it| (it * 7 % 20, it * 11 % 23)).collect();
        let mut cells = layered(20, &edges);
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), 20);
    }

    #[test]
    fn a_graph_without_nodes_has_no_cells() {
        assert_eq!(layered(0, &[(0, 1)]), []);
    }
}
