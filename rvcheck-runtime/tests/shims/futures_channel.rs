//! The shim of futures-channel, compiled as the tool compiles it, in front of real programs.

use std::sync::OnceLock;

use crate::shim_kit::Crates;

fn newest() -> &'static Crates {
    static NEWEST: OnceLock<Crates> = OnceLock::new();
    NEWEST.get_or_init(|| of("0.3.34", &["std", "sink"]))
}

fn oldest() -> &'static Crates {
    static OLDEST: OnceLock<Crates> = OnceLock::new();
    OLDEST.get_or_init(|| of("0.3.21", &["std", "sink"]))
}

fn of(version: &str, features: &[&str]) -> Crates {
    let dependencies = format!(
        "futures-channel = {{ version = \"={version}\", default-features = false, features = {features:?} }}\n\
         futures-core = \"0.3\"\nfutures-sink = \"0.3\""
    );
    let name = format!("futures-channel-{version}-{}", features.join("-"));
    let lock = match version {
        "0.3.21" => include_str!("futures_channel/old.lock"),
        _ => include_str!("futures_channel/new.lock"),
    };
    Crates::of(&name, &dependencies, lock)
}

#[test]
fn controlled_threads_come_to_their_end() {
    newest().ends_controlled("futures_channel/controlled.rs");
}

#[test]
fn channels_behave_like_the_real_ones() {
    newest().prints_the_same("futures_channel/behaviour.rs");
}

#[test]
fn channels_of_the_oldest_version_behave_like_the_real_ones() {
    oldest().prints_the_same("futures_channel/behaviour.rs");
    oldest().prints_the_same("futures_channel/traits.rs");
}

#[test]
fn types_have_the_traits_of_the_real_ones() {
    newest().prints_the_same("futures_channel/traits.rs");
}

#[test]
fn every_line_records_the_events_behind_it() {
    let (text, trace) = newest().recorded("futures_channel/recorded.rs");
    crate::annotated::compare(&text, &trace);
}

#[test]
fn with_few_features_there_is_as_much_as_there_is() {
    for features in [&[][..], &["alloc"], &["std"]] {
        of("0.3.34", features).runs("futures_channel/few_features.rs");
    }
}

#[test]
fn each_group_can_be_left_out() {
    newest().leaves_out("futures_channel", &["mpsc", "oneshot"], "futures_channel/left_out.rs");
}
