//! The shim of crossbeam-channel, compiled as the tool compiles it, in front of real programs.
//!
//! Each program in `tests/shims/crossbeam_channel` is compiled twice, against the real crate and against the shim, and has to print
//! the same, also while it is recorded; and one says behind its lines what it records.

use std::sync::OnceLock;

use crate::shim_kit::{Crates, own_lock};

/// The newest version.
fn newest() -> &'static Crates {
    static NEWEST: OnceLock<Crates> = OnceLock::new();
    NEWEST.get_or_init(|| Crates::of("crossbeam-channel", "crossbeam-channel = \"0.5\"", &own_lock()))
}

/// The oldest version that the shim fits.
fn oldest() -> Crates {
    let lock = include_str!("crossbeam_channel/old.lock");
    Crates::of("crossbeam-channel-old", "crossbeam-channel = \"=0.5.0\"", lock)
}

#[test]
fn channels_behave_like_the_real_ones() {
    newest().prints_the_same("crossbeam_channel/channels.rs");
}

#[test]
fn selections_behave_like_the_real_ones() {
    newest().prints_the_same("crossbeam_channel/select.rs");
    newest().prints_the_same("crossbeam_channel/biased.rs");
}

#[test]
fn controlled_threads_come_to_their_end_and_hangs_are_noticed() {
    for crates in [newest(), &oldest()] {
        crates.ends_controlled("crossbeam_channel/controlled.rs");
    }
    newest().hangs_controlled("crossbeam_channel/hangs.rs");
}

#[test]
fn an_old_crate_behaves_like_the_real_one() {
    let oldest = oldest();
    oldest.prints_the_same("crossbeam_channel/channels.rs");
    oldest.prints_the_same("crossbeam_channel/select.rs");
}

#[test]
fn the_channels_of_crossbeam_are_the_same() {
    let lock = include_str!("crossbeam_channel/facade.lock");
    let crates = Crates::of("crossbeam", "crossbeam = \"0.8\"\ncrossbeam-channel = \"0.5\"", lock);
    crates.prints_the_same("crossbeam_channel/facade.rs");
    // The real facade is compiled against the shim for the channels, so that its are the same without the facade's own.
    let without = crates.without("crossbeam", &["rv_no_channel"]);
    without.shimmed("crossbeam_channel/facade.rs", &["--emit=metadata"]).unwrap();
}

#[test]
fn every_line_records_the_events_behind_it() {
    for crates in [newest(), &oldest()] {
        let (text, bytes) = crates.recorded("crossbeam_channel/recorded.rs");
        crate::annotated::compare(&text, &bytes);
    }
}

#[test]
fn the_shim_compiles_with_few_features_and_without_its_wrappers() {
    let few = "crossbeam-channel = { version = \"0.5\", default-features = false }";
    let few = Crates::of("crossbeam-channel-few", few, &own_lock());
    few.runs("crossbeam_channel/in_force.rs");
    newest().leaves_out("crossbeam_channel", &["channel"], "crossbeam_channel/in_force.rs");
}
