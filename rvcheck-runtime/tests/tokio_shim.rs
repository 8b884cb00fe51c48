//! The shim of tokio, compiled as the tool compiles it, in front of real programs.
//!
//! Each program in `tests/tokio` is compiled twice, once against the real tokio and once against the shim, and has to
//! print the same, also while it is recorded. `shims/tokio/api.txt` holds the signatures of everything that is replaced.

#[expect(dead_code, reason = "the tests of the shim of std use the rest")]
mod shim;
mod tokio_kit;

use std::sync::OnceLock;

use shim::run;
use tokio_kit::{Tokio, program};

/// Everything that tokio has.
fn full() -> &'static Tokio {
    static FULL: OnceLock<Tokio> = OnceLock::new();
    FULL.get_or_init(|| Tokio::with_features(&["full", "test-util"]))
}

#[test]
fn locks_behave_like_the_real_ones() {
    full().prints_the_same("locks.rs");
}

#[test]
fn signals_behave_like_the_real_ones() {
    full().prints_the_same("signals.rs");
}

#[test]
fn channels_behave_like_the_real_ones() {
    full().prints_the_same("channels.rs");
}

#[test]
fn tasks_and_runtimes_behave_like_the_real_ones() {
    full().prints_the_same("tasks.rs");
}

#[test]
fn wrapped_types_are_in_force_by_every_path() {
    run(&full().shimmed(&program("in_force.rs"), &[]).unwrap(), None);
    let refused = full().plain(&program("in_force.rs"), &[]).unwrap_err();
    assert!(refused.contains("__rv_shim"), "{refused}");
}

#[test]
fn the_shim_compiles_with_any_features() {
    for features in [
        &[][..],
        &["sync"],
        &["rt"],
        &["rt", "macros", "time"],
        &["rt-multi-thread", "net"],
        &["rt", "sync", "test-util"],
        &["fs", "process", "signal"],
    ] {
        let tokio = Tokio::with_features(features);
        run(&tokio.shimmed(&program("few_features.rs"), &[]).unwrap(), None);
    }
}
