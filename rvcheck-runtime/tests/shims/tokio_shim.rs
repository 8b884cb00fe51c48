//! The shim of tokio, compiled as the tool compiles it, in front of real programs.
//!
//! Each program in `tests/shims/tokio` is compiled twice, once against the real tokio and once against the shim, and has to
//! print the same, also while it is recorded. The test `api` compares their signatures.

use std::fs;
use std::sync::OnceLock;

use crate::shim_kit::Crates;
use crate::tokio_kit::{old, selected, with_features};

/// Everything that tokio has.
fn full() -> &'static Crates {
    static FULL: OnceLock<Crates> = OnceLock::new();
    FULL.get_or_init(|| with_features(&["full", "test-util"]))
}

#[test]
fn locks_behave_like_the_real_ones() {
    full().prints_the_same_by_default("tokio/locks.rs");
}

#[test]
fn signals_behave_like_the_real_ones() {
    full().prints_the_same_by_default("tokio/signals.rs");
}

#[test]
fn channels_behave_like_the_real_ones() {
    full().prints_the_same("tokio/channels.rs");
}

#[test]
fn tasks_and_runtimes_behave_like_the_real_ones() {
    full().prints_the_same("tokio/tasks.rs");
}

#[test]
fn a_plan_decides_which_branch_is_polled_first_whatever_worker_polls() {
    full().repeats_controlled("tokio/branches.rs");
}

#[test]
fn controlled_tasks_come_to_their_end_and_hangs_are_noticed() {
    full().ends_controlled("tokio/controlled.rs");
    full().hangs_controlled("tokio/hangs.rs");
}

#[test]
fn timers_behave_like_the_real_ones() {
    full().prints_the_same("tokio/timers.rs");
    old().prints_the_same("tokio/timers.rs");
}

#[test]
fn types_have_the_traits_of_the_real_ones() {
    full().prints_the_same("tokio/traits.rs");
}

#[test]
fn an_old_tokio_behaves_like_the_real_one() {
    old().prints_the_same("tokio/old.rs");
}

#[test]
fn wrapped_types_are_in_force_by_every_path() {
    full().runs("tokio/in_force.rs");
    let refused = full().plain("tokio/in_force.rs", &[]).unwrap_err();
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
        selected(features).runs("tokio/few_features.rs");
    }
}

#[test]
fn each_group_of_types_can_be_left_out() {
    let groups = [
        ("rv_no_barrier", "sync::Barrier"),
        ("rv_no_broadcast", "sync::broadcast::Sender<u8>"),
        ("rv_no_mpsc", "sync::mpsc::Sender<u8>"),
        ("rv_no_mutex", "sync::MutexGuard<'static, u8>"),
        ("rv_no_notify", "sync::futures::Notified<'static>"),
        ("rv_no_once", "sync::SetOnce<u8>"),
        ("rv_no_oneshot", "sync::oneshot::Receiver<u8>"),
        ("rv_no_rwlock", "sync::RwLock<u8>"),
        ("rv_no_semaphore", "sync::Semaphore"),
        ("rv_no_task", "runtime::Runtime"),
        ("rv_no_time", "time::Timeout<std::future::Ready<u8>>"),
        ("rv_no_watch", "sync::watch::Ref<'static, u8>"),
    ];
    let is_same = |item| format!("const _: fn(tokio::{item}) -> real_tokio::{item} = |it| it;\n");
    let macros = ("rv_no_select", SELECTS_BY_BOTH.to_owned());
    let groups: Vec<_> =
        groups.map(|(group, item)| (group, is_same(item))).into_iter().chain([macros]).collect();
    for (group, check) in &groups {
        is_real(&full().without("tokio", &[group]), check).unwrap();
        is_real(full(), check).unwrap_err();
    }
    let (all, checks): (Vec<&str>, Vec<String>) = groups.into_iter().unzip();
    is_real(&full().without("tokio", &all), &checks.concat()).unwrap();
}

/// Two different macros of one name would be ambiguous.
const SELECTS_BY_BOTH: &str = "#[deny(ambiguous_glob_imports)]
    pub mod select {
        use real_tokio::*;
        use tokio::*;
        pub async fn first() {
            select! { () = async {} => {} }
        }
    }";

/// Whether what compiles only with the real items compiles.
fn is_real(tokio: &Crates, checks: &str) -> Result<(), String> {
    let source = tokio.folder().join("left_out.rs");
    fs::write(&source, checks).unwrap();
    let real = format!("--extern=real_tokio={}", tokio.real("tokio").display());
    tokio.shimmed(&source, &["--crate-type=lib", "--emit=metadata", &real]).map(drop)
}
