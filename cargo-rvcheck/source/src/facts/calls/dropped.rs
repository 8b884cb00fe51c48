//! What dropping a value of a type runs.

use crate::flow::text::{arguments, head, last, referent};
use crate::flow::{FunctionId, Program};
use std::collections::BTreeSet;

/// What runs when a value goes.
#[derive(Clone, Debug, Default)]
pub(super) struct Glue {
    /// The implementations of `Drop` of the workspace that may run.
    pub(super) targets: BTreeSet<FunctionId>,
    /// Whether one of another crate may run that is not known.
    pub(super) is_open: bool,
}

/// Types of other crates that drop what they are made with.
const OWNERS: [&str; 24] = [
    "Option",
    "Result",
    "Box",
    "Arc",
    "Rc",
    "Vec",
    "VecDeque",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "LinkedList",
    "RefCell",
    "Cell",
    "Mutex",
    "RwLock",
    "IndexMap",
    "Slab",
    "SmallVec",
    "OnceCell",
    "OnceLock",
    "LruCache",
    "Poll",
];

/// How deep types are looked into.
const DEEPEST: usize = 6;

/// Whether a type owns values of those that it is made with.
pub(super) fn owns(ty: &str) -> bool {
    ty.starts_with(['(', '[']) || OWNERS.contains(&last(&head(ty)))
}

/// What dropping a value of that type runs, as a body has it.
pub(super) fn glue(program: &Program, ty: &str) -> Glue {
    let mut found = Glue::default();
    collect(program, ty, &mut found, &mut BTreeSet::new(), DEEPEST);
    found
}

fn collect(program: &Program, ty: &str, found: &mut Glue, seen: &mut BTreeSet<String>, depth: usize) {
    let ty = ty.trim();
    let Some(depth) = depth.checked_sub(1).filter(|_| referent(ty).is_none()) else { return };
    if program.is_open_type(ty) {
        found.is_open = true;
        return;
    }
    if ty.starts_with('{') || !seen.insert(ty.to_owned()) {
        return;
    }
    if let Some(body) = program.drop_of(ty) {
        found.targets.insert(body);
    }
    // A handle is seldom the last one.
    if matches!(last(&head(ty)), "Arc" | "Rc") {
        let is_open = found.is_open;
        for it in arguments(ty) {
            collect(program, it, found, seen, depth);
        }
        found.is_open = is_open;
        return;
    }
    if owns(ty) {
        for inner in arguments(ty) {
            collect(program, inner, found, seen, depth);
        }
        return;
    }
    let name = head(ty);
    let name = last(&name);
    if program.knows_type(name) {
        let fields: Vec<String> = program.fields(name).map(|it| it.text.clone()).collect();
        for field in fields {
            // A parameter of the type stands for one of its arguments, which is not known here.
            if !program.is_parameter(&field) {
                collect(program, &field, found, seen, depth);
            }
        }
    }
}
