//! Pointers, cells, conversions and references.

use crate::adapter::{Part, Rows, drops, forgets, keeps, looks, of, passes, shares, takes, views, wraps};

/// See the module.
pub(super) const ROWS: &[Rows] = &[
    of(
        &["Box", "Arc", "Rc"],
        &[
            wraps("new").as_is().moving(),
            wraps("pin").as_is().moving(),
            wraps("new_unchecked").as_is().moving(),
            passes("into_raw").moving(),
            passes("from_raw"),
            wraps("into_pin").as_is().moving(),
            passes("leak").moving(),
            views("as_ref").moving(),
            views("as_mut").moving(),
            wraps("from").as_is(),
            keeps("into_inner", Part::Inside).as_is(),
            keeps("unwrap_or_clone", Part::Inside),
        ],
    ),
    of(
        &["Arc", "Rc", "Weak"],
        &[
            shares("clone").as_is().moving(),
            looks("strong_count").moving(),
            looks("weak_count").moving(),
            looks("ptr_eq").moving(),
        ],
    ),
    of(
        &["Arc", "Rc"],
        &[shares("downgrade").moving(), passes("try_unwrap"), views("get_mut").moving(), views("make_mut")],
    ),
    of(&["Weak"], &[shares("upgrade").moving()]),
    of(
        &["Pin"],
        &[
            wraps("new").as_is().moving(),
            wraps("new_unchecked").as_is().moving(),
            views("as_ref").moving(),
            views("as_mut").moving(),
            views("get_ref").moving(),
            views("get_mut").moving(),
            views("get_unchecked_mut").moving(),
            passes("into_inner").as_is(),
            passes("into_ref"),
            passes("map_unchecked"),
            passes("map_unchecked_mut"),
            passes("set"),
        ],
    ),
    of(&["Deref"], &[views("deref")]),
    of(&["DerefMut"], &[views("deref_mut")]),
    of(&["AsRef"], &[views("as_ref")]),
    of(&["AsMut"], &[views("as_mut")]),
    of(&["Borrow"], &[views("borrow")]),
    of(&["BorrowMut"], &[views("borrow_mut")]),
    of(&["Into"], &[wraps("into").as_is()]),
    of(&["From"], &[wraps("from").as_is()]),
    of(&["TryInto"], &[wraps("try_into")]),
    of(&["TryFrom"], &[wraps("try_from")]),
    of(&["IntoFuture"], &[passes("into_future").as_is()]),
    of(&["Clone"], &[shares("clone").as_is()]),
    of(&["ToOwned"], &[wraps("to_owned").as_is()]),
    of(
        &[
            "Cell",
            "RefCell",
            "Mutex",
            "RwLock",
            "OnceCell",
            "OnceLock",
            "ManuallyDrop",
            "MaybeUninit",
            "AssertUnwindSafe",
        ],
        &[
            wraps("new").as_is().moving(),
            wraps("from").as_is(),
            keeps("into_inner", Part::Inside).as_is().moving(),
            views("get_mut").moving(),
        ],
    ),
    of(
        &["mem"],
        &[
            drops("drop"),
            forgets("forget").moving(),
            takes("take", Part::Inside).as_is(),
            takes("replace", Part::Inside).storing(1).as_is().moving(),
            passes("swap").moving(),
        ],
    ),
    of(
        &["PoisonError"],
        &[
            passes("into_inner").as_is().moving(),
            views("get_ref").moving(),
            views("get_mut").moving(),
            passes("new").as_is().moving(),
        ],
    ),
    of(&["hint"], &[passes("black_box").moving()]),
    of(&["convert"], &[passes("identity").moving()]),
];
