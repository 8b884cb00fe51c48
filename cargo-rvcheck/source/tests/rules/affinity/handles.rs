//! Statics with the handle of a runtime.

use std::sync::OnceLock;
use tokio::runtime::Handle;

static FIRST: OnceLock<Handle> = OnceLock::new();
static SECOND: OnceLock<Handle> = OnceLock::new();
static GIVEN: OnceLock<Handle> = OnceLock::new();

pub fn keeps_the_current_one() -> &'static Handle {
    FIRST.get_or_init(Handle::current) //~ affinity
}

pub fn keeps_the_current_one_by_a_closure() -> &'static Handle {
    SECOND.get_or_init(|| Handle::current()) //~ affinity
}

pub fn keeps_what_it_is_given(handle: &Handle) -> &'static Handle {
    GIVEN.get_or_init(|| handle.clone())
}

pub fn asks_each_time() -> Handle {
    Handle::current()
}
