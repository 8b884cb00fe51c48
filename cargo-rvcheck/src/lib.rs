//! The shell of rvcheck: the only part with files, processes, a terminal, a clock and an environment.
//!
//! A [command] loads the [project], [injects](inject) the recorder and the rewritten sources, and has the [harness] call
//! cargo, which calls this program again as its compiler [wrapper] and as its runner. What the run leaves behind is
//! [recorded], and so is what the [analysis] of the compiler's MIR has found; the [check] makes a [report] of both. Whoever wants to know sooner follows its [messages].

pub mod again;
pub mod analysis;
pub mod anchor;
pub mod check;
pub mod cli;
pub mod command;
pub mod config;
pub mod console;
pub mod dep_info;
pub mod digest;
pub mod error;
pub mod escape;
pub mod examined;
pub mod exit_code;
pub mod explore;
pub mod finding;
pub mod fixing;
pub mod harness;
pub mod inject;
pub mod interruption;
pub mod layout;
pub mod learnt;
pub mod levels;
pub mod lock_dependencies;
pub mod messages;
pub mod policy;
pub mod project;
pub mod recorded;
pub mod relative;
pub mod report;
pub mod request;
pub mod rollback;
pub mod shim;
pub mod snapshot;
pub mod specs;
pub mod system;
pub mod timeline;
pub mod unobserved;
pub mod waits;
pub mod watch;
pub mod wrapper;
