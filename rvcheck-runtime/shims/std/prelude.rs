//! The preludes, each with the methods that the rewriter puts before `.await` and behind calls.

pub use ::real::prelude::*;

macro_rules! preludes {
    ($($name:ident)*) => {$(
        /// The prelude of that name.
        pub mod $name {
            pub use ::real::prelude::$name::*;
            pub use ::recorder::{RvAllocator as _, RvAtomic as _, RvAwait as _, RvSite as _};
        }
    )*};
}

preludes! { v1 rust_2015 rust_2018 rust_2021 rust_2024 }
