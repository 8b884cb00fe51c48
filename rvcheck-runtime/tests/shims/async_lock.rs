//! The shim of async-lock, compiled as the tool compiles it, in front of real programs.

use std::sync::OnceLock;

use crate::shim_kit::Crates;

fn newest() -> &'static Crates {
    static NEWEST: OnceLock<Crates> = OnceLock::new();
    NEWEST.get_or_init(|| of("3.5", true))
}

fn oldest() -> &'static Crates {
    static OLDEST: OnceLock<Crates> = OnceLock::new();
    OLDEST.get_or_init(|| of("2.8", true))
}

fn of(version: &str, default_features: bool) -> Crates {
    let dependency =
        format!("async-lock = {{ version = \"={version}.0\", default-features = {default_features} }}");
    let name = format!("async-lock-{version}-{default_features}");
    Crates::of(&name, &dependency, include_str!("async_lock/both.lock"))
}

#[test]
fn locks_behave_like_the_real_ones() {
    newest().prints_the_same("async_lock/behaviour.rs");
}

#[test]
fn locks_of_the_oldest_version_behave_like_the_real_ones() {
    oldest().prints_the_same("async_lock/behaviour.rs");
    oldest().prints_the_same("async_lock/traits.rs");
}

#[test]
fn locks_without_std_behave_like_the_real_ones() {
    of("3.5", false).prints_the_same("async_lock/behaviour.rs");
}

#[test]
fn controlled_threads_come_to_their_end_and_hangs_are_noticed() {
    newest().ends_controlled("async_lock/controlled.rs");
    newest().hangs_controlled("async_lock/hangs.rs");
}

#[test]
fn types_have_the_traits_of_the_real_ones() {
    newest().prints_the_same("async_lock/traits.rs");
}

#[test]
fn every_line_records_the_events_behind_it() {
    let (text, trace) = newest().recorded("async_lock/recorded.rs");
    crate::annotated::compare(&text, &trace);
}

#[test]
fn each_group_can_be_left_out() {
    newest().leaves_out(
        "async_lock",
        &["barrier", "mutex", "once", "rwlock", "semaphore"],
        "async_lock/left_out.rs",
    );
}
