//! What senders and receivers have in common.

macro_rules! both_ends {
    ($end:ident, $dropped:path) => {
        impl<T> $end<T> {
            /// Whether nobody is at the other end.
            pub fn is_disconnected(&self) -> bool {
                self.real.is_disconnected()
            }

            /// Whether there is no message.
            pub fn is_empty(&self) -> bool {
                self.real.is_empty()
            }

            /// Whether there is no room.
            pub fn is_full(&self) -> bool {
                self.real.is_full()
            }

            /// How many messages there are.
            pub fn len(&self) -> usize {
                self.real.len()
            }

            /// For how many messages there is room in the empty channel, if there is a limit.
            pub fn capacity(&self) -> Option<usize> {
                self.real.capacity()
            }

            /// How many senders there are.
            #[cfg(rv_flume_0_11)]
            pub fn sender_count(&self) -> usize {
                self.real.sender_count()
            }

            /// How many receivers there are.
            #[cfg(rv_flume_0_11)]
            pub fn receiver_count(&self) -> usize {
                self.real.receiver_count()
            }

            /// Whether both belong to one channel.
            #[cfg(rv_flume_0_11)]
            pub fn same_channel(&self, other: &$end<T>) -> bool {
                self.real.same_channel(&other.real)
            }
        }

        impl<T> Drop for $end<T> {
            #[inline]
            fn drop(&mut self) {
                $dropped(self.channel.head());
            }
        }

        impl<T> Clone for $end<T> {
            #[inline]
            fn clone(&self) -> $end<T> {
                $end { real: self.real.clone(), channel: Arc::clone(&self.channel) }
            }
        }

        impl<T> fmt::Debug for $end<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.real.fmt(f)
            }
        }
    };
}

pub(super) use both_ends;
