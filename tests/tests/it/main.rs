//! The end-to-end tests, a module for each concern: `cargo test -p rvcheck-tests --test it building::` runs those of one.
//!
//! They are one executable, so that it is linked once and two of them run at a time up to the last.

mod additions;
mod annotations;
mod apps;
mod arrows;
mod building;
mod check;
mod crash;
mod documentation;
mod editors;
mod enforcement;
mod enforcing;
mod examples;
mod exit_codes;
mod exploring;
mod first_property;
mod first_run;
mod fix;
mod hangs;
mod harnesses;
mod html;
mod incremental;
mod lifestates;
mod list_and_instrument;
mod lock_order_inversions;
mod loud;
mod map;
mod messages;
mod newest_versions;
mod observing;
mod partitions;
mod proofs;
mod properties;
mod protocols;
mod reversal;
mod rollback;
mod rooms;
mod selection;
mod spec;
mod steering;
mod target_lock;
mod torture;
mod unrecorded_order;
mod untouched;
mod verdicts_by_test;
