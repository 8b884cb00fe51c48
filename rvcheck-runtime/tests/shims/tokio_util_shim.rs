//! The shim of `tokio_util`, compiled as the tool compiles it, in front of real programs.

use std::sync::OnceLock;

use crate::shim_kit::Crates;

const LOCK: &str = include_str!("tokio_util/new.lock");

fn newest() -> &'static Crates {
    static NEWEST: OnceLock<Crates> = OnceLock::new();
    NEWEST.get_or_init(|| {
        let dependencies = "tokio-util = { version = \"0.7\", features = [\"rt\", \"time\", \"join-map\"] }\n\
                            tokio = { version = \"1\", features = [\"rt-multi-thread\"] }";
        Crates::of("tokio-util-0.7", dependencies, LOCK)
    })
}

fn old() -> &'static Crates {
    static OLD: OnceLock<Crates> = OnceLock::new();
    OLD.get_or_init(|| {
        Crates::of("tokio-util-0.7.0", "tokio-util = \"=0.7.0\"", include_str!("tokio_util/old.lock"))
    })
}

#[test]
fn tokens_behave_like_the_real_ones() {
    newest().prints_the_same("tokio_util/tokens.rs");
    old().prints_the_same("tokio_util/tokens.rs");
}

#[test]
fn trackers_behave_like_the_real_ones() {
    newest().prints_the_same("tokio_util/trackers.rs");
}

#[test]
fn controlled_tasks_come_to_their_end_and_hangs_are_noticed() {
    newest().ends_controlled("tokio_util/controlled.rs");
    newest().hangs_controlled("tokio_util/hangs.rs");
}

#[test]
fn polled_senders_and_semaphores_behave_like_the_real_ones() {
    newest().prints_the_same("tokio_util/polled.rs");
    old().prints_the_same("tokio_util/polled.rs");
}

#[test]
fn every_line_records_the_events_behind_it() {
    let (text, trace) = newest().recorded("tokio_util/recorded.rs");
    crate::annotated::compare(&text, &trace);
}

#[test]
fn with_no_features_there_is_as_much_as_there_is() {
    let crates = Crates::of("tokio-util-bare", "tokio-util = \"0.7\"", LOCK);
    crates.runs("tokio_util/few_features.rs");
}

#[test]
fn each_group_can_be_left_out() {
    newest().leaves_out("tokio_util", &["cancellation", "poll", "tracker"], "tokio_util/left_out.rs");
}
