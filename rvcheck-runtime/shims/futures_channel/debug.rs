//! How the ends of channels show themselves.

/// `Debug` as that of the real ones. Older ones need it of the messages too.
macro_rules! shows {
    ($name:ident) => {
        rt::forwards! {
            #[cfg(rv_futures_channel_0_3_26)] [T] $name<T>: Debug;
            #[cfg(not(rv_futures_channel_0_3_26))] [T: std::fmt::Debug] $name<T>: Debug;
        }
    };
}

#[cfg(feature = "alloc")]
pub(crate) use shows;
