//! Types that hold values of others: pointers, cells, variants, collections.

/// How a type has the values that it is made with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holds {
    /// Behind a pointer that nobody else has.
    Alone,
    /// Behind one of several pointers, which are counted.
    Counted,
    /// Behind a counted pointer that does not keep it.
    Weakly,
    /// Behind a pointer that it does not move away from.
    Pinned,
    /// Behind a pointer that says nothing of who owns it.
    Raw,
    /// In one of its variants.
    Variant,
    /// In an error that gives it back.
    Error,
    /// In a cell, from which it can be taken.
    Cell,
    /// In a cell that makes it when it is asked first.
    Lazy,
    /// Behind a lock.
    Lock,
    /// Without dropping it.
    Undropped,
    /// As it is: only a mark is put on it.
    Marked,
    /// Not at all: the type only says that it might.
    Phantom,
    /// Many, in an order.
    Sequence,
    /// Many, each once.
    Set,
    /// Many, by keys.
    Map,
    /// Many, for several threads at once.
    Queue,
    /// It is the place of one in a map.
    Entry,
    /// It goes over them, and owns them.
    Items,
    /// It goes over views of them.
    Views,
    /// Behind a buffer, to which is written or from which is read.
    Buffered,
}

impl Holds {
    /// Whether it holds many.
    pub const fn is_collection(self) -> bool {
        matches!(self, Holds::Sequence | Holds::Set | Holds::Map | Holds::Queue)
    }

    /// Whether it holds at most one, for whoever has it.
    pub const fn is_one(self) -> bool {
        self.is_pointer()
            || matches!(
                self,
                Holds::Variant | Holds::Cell | Holds::Lazy | Holds::Lock | Holds::Undropped | Holds::Marked
            )
    }

    /// Whether it is a pointer that keeps what it points to.
    pub const fn is_pointer(self) -> bool {
        matches!(self, Holds::Alone | Holds::Counted | Holds::Pinned)
    }
}

/// How the type of that name holds what it is made with; `None` if it is none of these.
pub fn holds(name: &str) -> Option<Holds> {
    let found = HOLDERS.iter().find(|(_, names)| names.contains(&name));
    found.map(|(holds, _)| *holds)
}

/// All, by how they hold.
pub const HOLDERS: &[(Holds, &[&str])] = &[
    (Holds::Alone, &["Box"]),
    (Holds::Counted, &["Arc", "Rc"]),
    (Holds::Weakly, &["Weak"]),
    (Holds::Pinned, &["Pin"]),
    (Holds::Raw, &["NonNull", "Unique"]),
    (Holds::Variant, &["Option", "Result", "Poll", "ControlFlow"]),
    (Holds::Error, &["PoisonError", "TryLockError"]),
    (Holds::Cell, &["Cell", "RefCell", "OnceCell", "OnceLock", "UnsafeCell", "SyncUnsafeCell"]),
    (Holds::Lazy, &["LazyCell", "LazyLock", "Lazy"]),
    (Holds::Lock, &["Mutex", "RwLock"]),
    (Holds::Undropped, &["ManuallyDrop", "MaybeUninit", "MaybeDangling"]),
    (Holds::Marked, &["AssertUnwindSafe", "Reverse", "Saturating", "Wrapping"]),
    (Holds::Phantom, &["PhantomData"]),
    (Holds::Sequence, &["Vec", "VecDeque", "LinkedList", "BinaryHeap", "SmallVec", "ArrayVec"]),
    (Holds::Set, &["HashSet", "BTreeSet", "IndexSet", "DashSet"]),
    (Holds::Map, &["HashMap", "BTreeMap", "IndexMap", "DashMap", "LruCache", "Slab"]),
    (Holds::Queue, &["ArrayQueue", "ConcurrentQueue", "SegQueue"]),
    (Holds::Entry, &["Entry", "OccupiedEntry", "VacantEntry"]),
    (Holds::Items, &["Drain", "IntoIter", "IntoKeys", "IntoValues"]),
    (Holds::Views, &["Iter", "IterMut", "Keys", "Values", "ValuesMut"]),
    (Holds::Buffered, &["BufReader", "BufWriter", "LineWriter"]),
];
