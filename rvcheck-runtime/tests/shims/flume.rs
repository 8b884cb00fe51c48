//! The shim of flume, compiled as the tool compiles it, in front of real programs.
//!
//! Each program in `tests/shims/flume` is compiled twice, against the real crate and against the shim, and has to print the same,
//! also while it is recorded; and one says behind its lines what it records.

use std::sync::OnceLock;

use crate::shim_kit::Crates;

/// The newest version.
fn newest() -> &'static Crates {
    static NEWEST: OnceLock<Crates> = OnceLock::new();
    NEWEST.get_or_init(|| of("0.12.0", &["async", "select"]))
}

/// The one before, which panics where the time to wait for is too long.
fn older() -> Crates {
    of("0.11.1", &["async", "select"])
}

/// The oldest version that the shim fits.
fn oldest() -> &'static Crates {
    static OLDEST: OnceLock<Crates> = OnceLock::new();
    OLDEST.get_or_init(|| of("0.10.10", &["async", "select"]))
}

fn of(version: &str, features: &[&str]) -> Crates {
    let dependencies = format!(
        "flume = {{ version = \"={version}\", default-features = false, features = {features:?} }}\n\
         futures-core = \"0.3\"\nfutures-sink = \"0.3\""
    );
    Crates::of(
        &format!("flume-{version}-{}", features.concat()),
        &dependencies,
        include_str!("flume/flume.lock"),
    )
}

#[test]
fn controlled_threads_come_to_their_end_and_hangs_are_noticed() {
    newest().ends_controlled("flume/controlled.rs");
    newest().hangs_controlled("flume/hangs.rs");
    oldest().ends_controlled("flume/controlled.rs");
}

#[test]
fn channels_behave_like_the_real_ones() {
    newest().prints_the_same("flume/channels.rs");
    newest().prints_the_same("flume/newer.rs");
}

#[test]
fn futures_behave_like_the_real_ones() {
    newest().prints_the_same("flume/async.rs");
}

#[test]
fn selections_behave_like_the_real_ones() {
    newest().prints_the_same("flume/select.rs");
}

#[test]
fn old_crates_behave_like_the_real_ones() {
    older().prints_the_same("flume/channels.rs");
    older().prints_the_same("flume/newer.rs");
    oldest().prints_the_same("flume/channels.rs");
    oldest().prints_the_same("flume/async.rs");
    oldest().prints_the_same("flume/select.rs");
}

#[test]
fn every_line_records_the_events_behind_it() {
    for crates in [newest(), oldest()] {
        let (text, bytes) = crates.recorded("flume/recorded.rs");
        crate::annotated::compare(&text, &bytes);
    }
}

#[test]
fn the_shim_compiles_with_any_features_and_without_its_wrappers() {
    for features in [&[][..], &["spin"], &["select"]] {
        of("0.12.0", features).runs("flume/in_force.rs");
    }
    newest().leaves_out("flume", &["channel"], "flume/in_force.rs");
}
