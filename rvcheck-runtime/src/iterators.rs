//! Iterators over the messages of a blocking channel.

/// `Iter`, `TryIter` and `IntoIter` of a receiver with methods `recv_at` and `take`, and what makes them.
///
/// Their receives are recorded where the iterator was made: `next` is often called by an adapter, which is not a place in the
/// program.
#[macro_export]
macro_rules! iterators {
    ($receiver:ident) => {
        /// Messages until there will be no more; waits for each.
        pub struct Iter<'a, T: 'a> {
            receiver: &'a $receiver<T>,
            location: $crate::Loc,
        }

        /// Messages that are there.
        pub struct TryIter<'a, T: 'a> {
            receiver: &'a $receiver<T>,
            location: $crate::Loc,
        }

        /// Messages until there will be no more, by an owner of the channel.
        pub struct IntoIter<T> {
            receiver: $receiver<T>,
            location: $crate::Loc,
        }

        impl<T> $receiver<T> {
            /// The messages until there will be no more.
            #[track_caller]
            #[inline]
            pub fn iter(&self) -> Iter<'_, T> {
                Iter { receiver: self, location: ::core::panic::Location::caller() }
            }

            /// The messages that are there.
            #[track_caller]
            #[inline]
            pub fn try_iter(&self) -> TryIter<'_, T> {
                TryIter { receiver: self, location: ::core::panic::Location::caller() }
            }
        }

        impl<T> Iterator for Iter<'_, T> {
            type Item = T;

            fn next(&mut self) -> Option<T> {
                self.receiver.recv_at(self.location).ok()
            }
        }

        impl<T> Iterator for TryIter<'_, T> {
            type Item = T;

            fn next(&mut self) -> Option<T> {
                self.receiver.take(self.location).ok()
            }
        }

        impl<T> Iterator for IntoIter<T> {
            type Item = T;

            fn next(&mut self) -> Option<T> {
                self.receiver.recv_at(self.location).ok()
            }
        }

        impl<'a, T> IntoIterator for &'a $receiver<T> {
            type Item = T;
            type IntoIter = Iter<'a, T>;

            #[track_caller]
            fn into_iter(self) -> Iter<'a, T> {
                self.iter()
            }
        }

        impl<T> IntoIterator for $receiver<T> {
            type Item = T;
            type IntoIter = IntoIter<T>;

            #[track_caller]
            fn into_iter(self) -> IntoIter<T> {
                IntoIter { receiver: self, location: ::core::panic::Location::caller() }
            }
        }
    };
}
