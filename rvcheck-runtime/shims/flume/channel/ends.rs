//! What senders and receivers have in common.

macro_rules! both_ends {
    ($end:ident, $made:ident, $dropped:ident) => {
        impl<T> $end<T> {
            pub(super) fn around(real: real::$end<Message<T>>, channel: Arc<Channel>) -> $end<T> {
                channel.$made();
                $end { real, channel }
            }
        }

        impl<T> Drop for $end<T> {
            #[inline]
            fn drop(&mut self) {
                self.channel.$dropped();
            }
        }

        rt::forwards! {
            [T] $end<T> {
                pub fn is_disconnected(&self) -> bool;
                pub fn is_empty(&self) -> bool;
                pub fn is_full(&self) -> bool;
                pub fn len(&self) -> usize;
                pub fn capacity(&self) -> Option<usize>;
                #[cfg(rv_flume_0_11)] pub fn sender_count(&self) -> usize;
                #[cfg(rv_flume_0_11)] pub fn receiver_count(&self) -> usize;
                #[cfg(rv_flume_0_11)] pub fn same_channel(&self, other: &Self) -> bool;
            }
            [T] $end<T>: Clone = around(real, channel);
            [T] $end<T>: Debug;
        }
    };
}

pub(super) use both_ends;
