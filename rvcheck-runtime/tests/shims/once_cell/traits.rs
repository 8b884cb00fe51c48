//! Which traits the types have, with contents that have more and fewer of them.

#[macro_use]
#[path = "../program_kit/traits.rs"]
mod traits;

use once_cell::sync::{Lazy, OnceCell};

macro_rules! with {
    ($($content:ty)*) => {$(
        traits! { OnceCell<$content>; Lazy<$content>; Lazy<u8, fn($content)>; Lazy<$content, $content>; }
    )*};
}

fn main() {
    contents! { with }
}
