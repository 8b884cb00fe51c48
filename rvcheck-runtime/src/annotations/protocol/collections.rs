//! Collections as arguments: how many elements they have.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};

use super::{Observe, Value};

/// What has a length.
macro_rules! collections {
    ($([$($parameter:tt)*] $collection:ty;)*) => {$(
        impl<$($parameter)*> Observe for $collection {
            #[inline]
            fn value(&self) -> Value<'_> {
                Value::Int(i64::try_from(self.len()).unwrap_or(i64::MAX))
            }
        }
    )*};
}

collections! {
    [T] [T];
    [T, const N: usize] [T; N];
    [T] Vec<T>;
    [T] VecDeque<T>;
    [T] LinkedList<T>;
    [T] BinaryHeap<T>;
    [K, V, S] HashMap<K, V, S>;
    [T, S] HashSet<T, S>;
    [K, V] BTreeMap<K, V>;
    [T] BTreeSet<T>;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What no property could speak of.
    #[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Clone)]
    struct Thing(u8);

    #[test]
    fn collections_of_anything_are_their_lengths() {
        let things = vec![Thing(1), Thing(2), Thing(3)];
        let pairs = || things.iter().cloned().map(|it| (it, Thing(0)));
        let collections: [&dyn Observe; 12] = [
            &things,
            &things.as_slice(),
            &[Thing(1), Thing(2), Thing(3)],
            &things.iter().collect::<VecDeque<_>>(),
            &things.iter().collect::<LinkedList<_>>(),
            &things.iter().collect::<BinaryHeap<_>>(),
            &things.iter().collect::<HashSet<_>>(),
            &things.iter().collect::<BTreeSet<_>>(),
            &pairs().collect::<HashMap<_, _>>(),
            &pairs().collect::<BTreeMap<_, _>>(),
            &Box::<[Thing]>::from(things.clone()),
            &std::borrow::Cow::Borrowed(things.as_slice()),
        ];
        for (index, collection) in collections.iter().enumerate() {
            assert_eq!(collection.value(), Value::Int(3), "{index}");
        }
        assert_eq!(b"bytes".value(), Value::Int(5));
        assert_eq!([(); usize::MAX].value(), Value::Int(i64::MAX));
    }
}
