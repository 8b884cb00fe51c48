//! Building and running the user's instrumented program, up to the value that is checked.

pub mod build_messages;
pub mod cargo;
pub mod children;
pub mod collect;
pub mod documentation;
pub mod enforcing;
pub mod explore;
pub mod forecast;
mod generated;
pub mod instrumented;
pub mod launch;
pub mod left_out;
pub mod libtest;
pub mod nextest;
pub mod online;
pub mod plain;
pub mod process;
pub mod progress;
pub mod reporter;
pub mod run_file;
pub mod runner;
pub mod session;
pub mod standstill;
pub mod steered;
mod writer;
