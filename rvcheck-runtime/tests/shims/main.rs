//! Shims behave as the real types do, have what these have, and record what is done with them.
//!
//! Each folder has the programs of one library. All are compiled and run against the real types and against the shims.

mod annotated;
mod api;
mod api_list;
mod async_channel;
mod async_lock;
mod crossbeam_channel;
mod event_listener;
mod flume;
mod forwarded;
mod futures_channel;
mod futures_shims;
mod once_cell;
mod parking_lot;
mod primitives;
mod shim;
mod shim_kit;
mod std_events;
mod std_shim;
mod tables;
mod tokio_events;
mod tokio_kit;
mod tokio_shim;
mod tokio_util_shim;
