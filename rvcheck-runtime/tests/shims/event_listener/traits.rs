//! Which traits the types have, with contents that have more and fewer of them.

#[macro_use]
#[path = "../program_kit/traits.rs"]
mod traits;

macro_rules! with {
    ($($content:ty)*) => {$(
        traits! { event_listener::Event<$content>; event_listener::EventListener<$content>; => }
    )*};
}

fn main() {
    contents! { with }
}
