//! What senders and receivers have in common.

macro_rules! both_ends {
    ($end:ident) => {
        impl<T> $end<T> {
            /// Lets nobody send any more. Whether that was possible before.
            #[track_caller]
            pub fn close(&self) -> bool {
                let location = std::panic::Location::caller();
                rt::control::asks(self.channel.head(), location);
                if !self.real.is_closed() {
                    rt::chan::closes(self.channel.head(), location);
                }
                self.real.close()
            }
        }

        rt::forwards! {
            [T] $end<T> {
                pub fn is_closed(&self) -> bool;
                pub fn is_empty(&self) -> bool;
                pub fn is_full(&self) -> bool;
                pub fn len(&self) -> usize;
                pub fn capacity(&self) -> Option<usize>;
                pub fn receiver_count(&self) -> usize;
                pub fn sender_count(&self) -> usize;
                #[cfg(rv_async_channel_2_4)] pub fn same_channel(&self, other: &Self) -> bool;
            }
            [T] $end<T>: Clone = around(real, channel);
            [T] $end<T>: Debug;
        }
    };
}

pub(super) use both_ends;
