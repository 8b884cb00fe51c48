//! States that no trace tells apart become one (Moore, "Gedanken-Experiments on Sequential Machines", 1956).

use std::collections::HashMap;

/// The class of each state: two states have the same class exactly if they look the same now, and after every word.
/// `next` has the successors of each state, one for each letter.
pub(super) fn classes(looks: &[usize], next: &[Vec<u32>]) -> Vec<u32> {
    let mut classes: Vec<u32> = looks.iter().map(|look| *look as u32).collect();
    let mut count = 0;
    loop {
        let mut found: HashMap<(u32, Vec<u32>), u32> = HashMap::new();
        let finer: Vec<u32> = next
            .iter()
            .zip(&classes)
            .map(|(next, own)| {
                let behind = next.iter().map(|it| classes[*it as usize]).collect();
                let fresh = found.len() as u32;
                *found.entry((*own, behind)).or_insert(fresh)
            })
            .collect();
        // Classes are only ever split, so that as many as before are the same as before.
        if found.len() == count {
            return finer;
        }
        count = found.len();
        classes = finer;
    }
}
