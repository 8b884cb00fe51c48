//! `tokio::time`.
//!
//! Timers record nothing of their own. They tell the recorder that they run, and where one is awaited, the await says so.

pub use real::time::*;

mod interval;
mod sleep;
mod timeout;

pub use interval::{interval, interval_at, Interval};
pub use sleep::{sleep, sleep_until, Sleep};
pub use timeout::{timeout, timeout_at, Timeout};
