//! What both senders have in common.

macro_rules! sender {
    ($sender:ident, $receiver:ident) => {
        impl<T> $sender<T> {
            /// Gives up this sender.
            pub fn disconnect(&mut self) {
                self.end = None;
                self.real.disconnect();
            }

            /// Whether this sends to the receiver.
            pub fn is_connected_to(&self, receiver: &$receiver<T>) -> bool {
                self.real.is_connected_to(&receiver.real)
            }

            /// Hashes which channel this sends into.
            pub fn hash_receiver<H>(&self, hasher: &mut H)
            where
                H: std::hash::Hasher,
            {
                self.real.hash_receiver(hasher);
            }
        }

        rt::forwards! {
            [T] $sender<T> {
                pub fn is_closed(&self) -> bool;
                pub fn same_receiver(&self, other: &Self) -> bool;
            }
        }

        crate::debug::shows!($sender);
    };
}

pub(super) use sender;
