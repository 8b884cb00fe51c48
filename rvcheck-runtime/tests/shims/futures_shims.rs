//! The shims of `futures_util` and `futures_executor`, compiled as the tool compiles them, in front of real programs.

use std::sync::OnceLock;

use crate::shim_kit::Crates;

const ALL: &str = "futures-util = { version = \"VERSION\", features = [\"channel\", \"sink\", \"io\"] }\n\
                   futures-executor = { version = \"VERSION\", features = [\"thread-pool\"] }";

fn newest() -> &'static Crates {
    static NEWEST: OnceLock<Crates> = OnceLock::new();
    NEWEST.get_or_init(|| {
        Crates::of("futures-0.3", &ALL.replace("VERSION", "0.3"), include_str!("futures/new.lock"))
    })
}

/// An old version. It cannot be chosen any more except by a lock file, of which there are many.
fn old() -> &'static Crates {
    static OLD: OnceLock<Crates> = OnceLock::new();
    OLD.get_or_init(|| {
        Crates::of("futures-0.3.21", &ALL.replace("VERSION", "=0.3.21"), include_str!("futures/old.lock"))
    })
}

#[test]
fn locks_behave_like_the_real_ones() {
    newest().prints_the_same("futures/locks.rs");
    old().prints_the_same("futures/locks.rs");
}

#[test]
fn controlled_tasks_come_to_their_end_and_hangs_are_noticed() {
    for crates in [newest(), old()] {
        crates.ends_controlled("futures/controlled.rs");
    }
    newest().hangs_controlled("futures/hangs.rs");
}

#[test]
fn a_plan_decides_the_order_of_branches_whatever_worker_polls() {
    newest().repeats_controlled("futures/branches.rs");
    old().repeats_controlled("futures/branches.rs");
}

#[test]
fn executors_behave_like_the_real_ones() {
    newest().prints_the_same("futures/executors.rs");
    old().prints_the_same("futures/executors.rs");
}

#[test]
fn every_line_records_the_events_behind_it() {
    let (text, trace) = newest().recorded("futures/recorded.rs");
    crate::annotated::compare(&text, &trace);
}

#[test]
fn with_few_features_there_is_as_much_as_there_is() {
    for features in ["", "\"alloc\"", "\"std\"", "\"channel\""] {
        let dependency = format!(
            "futures-util = {{ version = \"0.3\", default-features = false, features = [{features}] }}"
        );
        let name = format!("futures-util-{}", features.trim_matches('"'));
        let crates = Crates::selected(&name, &dependency, include_str!("futures/new.lock"));
        crates.runs("futures/few_features.rs");
    }
}

#[test]
fn each_group_can_be_left_out() {
    newest().leaves_out("futures_util", &["lock", "select", "task"], "futures/left_out.rs");
    newest().leaves_out("futures_executor", &["local", "pool"], "futures/left_out.rs");
}
