//! The stand-in of async-lock, compiled as the tool compiles it, in front of real programs.

mod annotated;
#[expect(dead_code, reason = "the tests of the shim of std use the rest")]
mod shim;
#[expect(dead_code, reason = "the tests of other stand-ins use the rest")]
mod stand_in_kit;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use stand_in_kit::Crates;

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/async_lock").join(name)
}

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
    newest().prints_the_same(&program("behaviour.rs"));
}

#[test]
fn locks_of_the_oldest_version_behave_like_the_real_ones() {
    oldest().prints_the_same(&program("behaviour.rs"));
    oldest().prints_the_same(&program("traits.rs"));
}

#[test]
fn locks_without_std_behave_like_the_real_ones() {
    of("3.5", false).prints_the_same(&program("behaviour.rs"));
}

#[test]
fn types_have_the_traits_of_the_real_ones() {
    newest().prints_the_same(&program("traits.rs"));
}

#[test]
fn every_line_records_the_events_behind_it() {
    let (text, trace) = newest().recorded(&program("recorded.rs"));
    annotated::compare(&text, &trace);
}

#[test]
fn each_group_can_be_left_out() {
    let real = format!("--extern=real_async_lock={}", newest().real("async_lock").display());
    for group in ["barrier", "mutex", "once", "rwlock", "semaphore"] {
        let without = newest().without("async_lock", &[&format!("rv_no_{group}")]);
        let left_out = format!("--cfg=left_out_{group}");
        let arguments = ["--crate-type=lib", "--emit=metadata", &real, &left_out];
        without.shimmed(&program("left_out.rs"), &arguments).unwrap();
        newest().shimmed(&program("left_out.rs"), &arguments).unwrap_err();
    }
}
