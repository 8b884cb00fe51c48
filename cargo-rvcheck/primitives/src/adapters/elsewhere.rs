//! Collections of other crates.

use crate::adapter::{Part, Rows, empties, finds, iterates, keeps, of, stores, takes};

/// See the module.
pub(super) const ROWS: &[Rows] = &[
    of(
        &["ArrayQueue", "SegQueue", "ConcurrentQueue"],
        &[
            stores("push", 1),
            takes("pop", Part::Element),
            keeps("len", Part::Variant),
            keeps("is_empty", Part::Variant),
        ],
    ),
    of(
        &["ArrayQueue", "ConcurrentQueue"],
        &[takes("force_push", Part::Element).storing(1), keeps("is_full", Part::Variant)],
    ),
    of(
        &["Slab"],
        &[
            stores("insert", 1),
            takes("remove", Part::Element),
            takes("try_remove", Part::Element),
            takes("drain", Part::Elements).as_is(),
            finds("get"),
            finds("get_mut"),
            iterates("iter"),
            iterates("iter_mut"),
            keeps("contains", Part::Variant),
            keeps("len", Part::Variant),
            keeps("is_empty", Part::Variant),
            empties("clear"),
            empties("retain").calling(1),
        ],
    ),
    of(
        &["SmallVec"],
        &[
            stores("push", 1),
            stores("insert", 2),
            stores("extend", 1),
            takes("pop", Part::Element),
            takes("remove", Part::Element),
            takes("swap_remove", Part::Element),
            takes("drain", Part::Elements).as_is(),
            empties("clear"),
            empties("truncate"),
            empties("retain").calling(1),
        ],
    ),
    of(
        &["LruCache"],
        &[
            takes("put", Part::Element).storing(2),
            takes("push", Part::Element).storing(2),
            takes("pop", Part::Element),
            takes("pop_lru", Part::Element),
            finds("get"),
            finds("get_mut"),
            finds("peek"),
            empties("clear"),
        ],
    ),
    of(&["IndexMap"], &[takes("swap_remove", Part::Element), takes("shift_remove", Part::Element)]),
];
