//! What senders and receivers have in common.

macro_rules! both_ends {
    ($end:ident) => {
        impl<T> $end<T> {
            /// No more messages are let in; those that are there can be received. Whether it was open.
            pub fn close(&self) -> bool {
                self.real.close()
            }

            /// Whether nothing more is let in.
            pub fn is_closed(&self) -> bool {
                self.real.is_closed()
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

            /// How many receivers there are.
            pub fn receiver_count(&self) -> usize {
                self.real.receiver_count()
            }

            /// How many senders there are.
            pub fn sender_count(&self) -> usize {
                self.real.sender_count()
            }

            /// Whether both belong to one channel.
            #[cfg(rv_async_channel_2_4)]
            pub fn same_channel(&self, other: &$end<T>) -> bool {
                self.real.same_channel(&other.real)
            }
        }

        impl<T> Clone for $end<T> {
            #[inline]
            fn clone(&self) -> $end<T> {
                $end::around(self.real.clone(), Arc::clone(&self.channel))
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
