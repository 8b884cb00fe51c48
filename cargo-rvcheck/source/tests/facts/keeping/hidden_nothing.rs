//! Numbers in statics, and names for them, let nobody go on.
//~ hidden = nothing

use std::sync::atomic::{AtomicU64, Ordering};

static SOLD: AtomicU64 = AtomicU64::new(0);
const NAMES: [&str; 2] = ["sold", "returned"];

pub fn sell() -> &'static str {
    SOLD.fetch_add(1, Ordering::Relaxed);
    NAMES[0]
}
