//! Compiles only if what was left out is the real crate's.

#[cfg(left_out_event)]
const _: fn(event_listener::EventListener) -> real_event_listener::EventListener = |it| it;
