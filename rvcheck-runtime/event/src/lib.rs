//! The vocabulary of rvcheck: what can happen in an instrumented program, and where.
//!
//! Everything else speaks in these words. The recorder inside the user's program writes [`record::Record`]s into a
//! [trace](trace::format); the tool [reads](trace::read) them back, [merges](trace::merge) the threads' streams into one
//! canonical order of [`event::Event`]s, and hands these to the monitors. Nothing here does input or output, and nothing
//! panics on any input: bytes come in as slices, and what is wrong with them comes back as a value.
//!
//! The crate has no dependencies, because it is compiled into the program under test.

#[cfg(not(rvcheck_injected))]
pub use attribute::attribute;
#[cfg(not(rvcheck_injected))]
pub use value::Value;

#[cfg(not(rvcheck_injected))]
pub mod attribute;
#[cfg(not(rvcheck_injected))]
pub mod csv;
#[cfg(not(rvcheck_injected))]
pub mod cycles;
#[cfg(not(rvcheck_injected))]
pub mod declared;
pub mod event;
pub mod exploration;
pub mod id;
#[cfg(not(rvcheck_injected))]
pub mod json;
#[cfg(not(rvcheck_injected))]
pub mod jsonl;
pub mod kind;
#[cfg(not(rvcheck_injected))]
pub mod lock_dependency;
#[cfg(not(rvcheck_injected))]
pub mod log;
#[cfg(not(rvcheck_injected))]
pub mod names;
#[cfg(not(rvcheck_injected))]
pub mod observer;
pub mod position;
#[cfg(not(rvcheck_injected))]
pub mod rapid;
pub mod record;
pub mod remedy;
pub mod schedule;
#[cfg(not(rvcheck_injected))]
mod sent;
#[cfg(not(rvcheck_injected))]
pub mod site;
#[cfg(not(rvcheck_injected))]
pub mod stream;
#[cfg(not(rvcheck_injected))]
mod table;
pub mod trace;
#[cfg(not(rvcheck_injected))]
pub mod value;
#[cfg(not(rvcheck_injected))]
pub mod world;

/// All source files of this crate.
#[cfg(feature = "sources")]
pub mod sources {
    include!(concat!(env!("OUT_DIR"), "/sources.rs"));
}

/// The source files of this crate that the recorder needs, as (path below `src/`, text), for the tool that compiles them into a
/// program.
#[cfg(feature = "sources")]
pub const RECORDER_SOURCES: &[(&str, &str)] = &[
    ("lib.rs", include_str!("lib.rs")),
    ("event.rs", include_str!("event.rs")),
    ("exploration/mod.rs", include_str!("exploration/mod.rs")),
    ("exploration/freedom.rs", include_str!("exploration/freedom.rs")),
    ("exploration/name.rs", include_str!("exploration/name.rs")),
    ("exploration/outcome.rs", include_str!("exploration/outcome.rs")),
    ("exploration/plan.rs", include_str!("exploration/plan.rs")),
    ("exploration/word.rs", include_str!("exploration/word.rs")),
    ("id.rs", include_str!("id.rs")),
    ("kind/mod.rs", include_str!("kind/mod.rs")),
    ("kind/object.rs", include_str!("kind/object.rs")),
    ("kind/sort.rs", include_str!("kind/sort.rs")),
    ("kind/variants.rs", include_str!("kind/variants.rs")),
    ("position.rs", include_str!("position.rs")),
    ("record.rs", include_str!("record.rs")),
    ("remedy.rs", include_str!("remedy.rs")),
    ("schedule.rs", include_str!("schedule.rs")),
    ("trace/mod.rs", include_str!("trace/mod.rs")),
    ("trace/format.rs", include_str!("trace/format.rs")),
];
