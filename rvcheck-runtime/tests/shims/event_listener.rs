//! The shim of event-listener, compiled as the tool compiles it, in front of real programs.

use std::sync::OnceLock;

use crate::shim_kit::Crates;

fn newest() -> &'static Crates {
    static NEWEST: OnceLock<Crates> = OnceLock::new();
    NEWEST.get_or_init(|| of("5.4.2", true))
}

fn of(version: &str, default_features: bool) -> Crates {
    let dependencies =
        format!("event-listener = {{ version = \"={version}\", default-features = {default_features} }}");
    let name = format!("event-listener-{version}-{default_features}");
    Crates::of(&name, &dependencies, include_str!("event_listener/both.lock"))
}

#[test]
fn events_behave_like_the_real_ones() {
    newest().prints_the_same("event_listener/behaviour.rs");
}

#[test]
fn events_of_the_oldest_version_behave_like_the_real_ones() {
    let oldest = of("5.0.0", true);
    oldest.prints_the_same("event_listener/behaviour.rs");
    oldest.prints_the_same("event_listener/traits.rs");
}

#[test]
fn events_without_std_behave_like_the_real_ones() {
    of("5.4.2", false).prints_the_same("event_listener/behaviour.rs");
}

#[test]
fn controlled_threads_come_to_their_end_and_hangs_are_noticed() {
    newest().ends_controlled("event_listener/controlled.rs");
    newest().hangs_controlled("event_listener/hangs.rs");
}

#[test]
fn types_have_the_traits_of_the_real_ones() {
    newest().prints_the_same("event_listener/traits.rs");
}

#[test]
fn every_line_records_the_events_behind_it() {
    let (text, trace) = newest().recorded("event_listener/recorded.rs");
    crate::annotated::compare(&text, &trace);
}

#[test]
fn without_its_group_all_is_the_real_crates() {
    newest().leaves_out("event_listener", &["event"], "event_listener/left_out.rs");
}
