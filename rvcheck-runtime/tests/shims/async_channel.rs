//! The shim of async-channel, compiled as the tool compiles it, in front of real programs.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rvcheck_event::id::ObjectId;
use rvcheck_event::kind::EventKind;
use rvcheck_event::trace::{merge, read};

use crate::shim_kit::Crates;

fn newest() -> &'static Crates {
    static NEWEST: OnceLock<Crates> = OnceLock::new();
    NEWEST.get_or_init(|| of("2.5", true))
}

fn oldest() -> &'static Crates {
    static OLDEST: OnceLock<Crates> = OnceLock::new();
    OLDEST.get_or_init(|| of("1.9", true))
}

fn of(version: &str, default_features: bool) -> Crates {
    let dependencies = format!(
        "async-channel = {{ version = \"={version}.0\", default-features = {default_features} }}\n\
         futures-core = \"0.3\""
    );
    let name = format!("async-channel-{version}-{default_features}");
    Crates::of(&name, &dependencies, include_str!("async_channel/both.lock"))
}

#[test]
fn controlled_threads_come_to_their_end_and_hangs_are_noticed() {
    newest().ends_controlled("async_channel/controlled.rs");
    newest().hangs_controlled("async_channel/hangs.rs");
}

#[test]
fn channels_behave_like_the_real_ones() {
    newest().prints_the_same("async_channel/behaviour.rs");
}

#[test]
fn channels_of_the_oldest_version_behave_like_the_real_ones() {
    oldest().prints_the_same("async_channel/behaviour.rs");
    oldest().prints_the_same("async_channel/traits.rs");
}

#[test]
fn channels_without_std_behave_like_the_real_ones() {
    of("2.5", false).prints_the_same("async_channel/behaviour.rs");
}

#[test]
fn types_have_the_traits_of_the_real_ones() {
    newest().prints_the_same("async_channel/traits.rs");
}

#[test]
fn every_line_records_the_events_behind_it_and_each_channel_its_capacity() {
    let (text, trace) = newest().recorded("async_channel/recorded.rs");
    crate::annotated::compare(&text, &trace);
    let trace = read::read(&trace).unwrap();
    let mut events = merge::events(&trace);
    let mut capacities = BTreeMap::new();
    while let Some(event) = events.next() {
        if [EventKind::Send, EventKind::Closed].contains(&event.kind) {
            let channel = events.world().object(ObjectId(event.object)).unwrap();
            capacities.insert(event.object, channel.capacity);
        }
    }
    let capacities: Vec<u32> = capacities.into_values().collect();
    assert_eq!(capacities, [1, 0, 1, 1, 1, 1], "one is unbounded");
}

#[test]
fn without_its_group_all_is_the_real_crates() {
    newest().leaves_out("async_channel", &["channel"], "async_channel/left_out.rs");
}
