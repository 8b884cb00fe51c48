//! How the ends of channels show themselves.

/// `Debug` as that of the real ones. Older ones need it of the messages too.
macro_rules! shows {
    ($name:ident) => {
        #[cfg(rv_futures_channel_0_3_26)]
        impl<T> std::fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.real.fmt(f)
            }
        }

        #[cfg(not(rv_futures_channel_0_3_26))]
        impl<T: std::fmt::Debug> std::fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.real.fmt(f)
            }
        }
    };
}

#[cfg(feature = "alloc")]
pub(crate) use shows;
