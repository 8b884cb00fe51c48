//! The shims for `lock_api` and `parking_lot`, compiled as the tool compiles them, in front of real programs.

use std::sync::OnceLock;

use crate::shim_kit::{Crates, own_lock};
use rvcheck_event::id::ObjectId;
use rvcheck_event::kind::{EventKind, ObjectKind};
use rvcheck_event::trace::{merge, read};

/// Everything that the newest versions have.
fn newest() -> &'static Crates {
    static NEWEST: OnceLock<Crates> = OnceLock::new();
    NEWEST.get_or_init(|| full("0.13", "0.5", include_str!("parking_lot/newest.lock")))
}

/// Everything that the newest versions have of those whose raw locks give no state.
fn with_lock_api_0_4() -> &'static Crates {
    static MARKED: OnceLock<Crates> = OnceLock::new();
    MARKED.get_or_init(|| full("0.12", "0.4", include_str!("parking_lot/with_lock_api_0.4.lock")))
}

fn full(parking_lot: &str, lock_api: &str, lock: &str) -> Crates {
    let dependencies = format!(
        "parking_lot = {{ version = {parking_lot:?}, features = [\"arc_lock\", \"owning_ref\", \"serde\"] }}\n\
         lock_api = {lock_api:?}\nowning_ref = \"0.4\"\n\
         serde = {{ version = \"1\", default-features = false }}\nserde_json = \"1\""
    );
    Crates::of(&format!("parking-lot-{parking_lot}-full"), &dependencies, lock)
}

/// The oldest versions, whose raw locks have other traits.
fn with_lock_api_0_3() -> Crates {
    Crates::of(
        "parking-lot-0.10",
        "parking_lot = \"=0.10.2\"\nlock_api = \"=0.3.4\"",
        include_str!("parking_lot/with_lock_api_0.3.lock"),
    )
}

/// The oldest versions with the traits of 0.4.
fn oldest() -> &'static Crates {
    static OLDEST: OnceLock<Crates> = OnceLock::new();
    OLDEST.get_or_init(|| {
        Crates::of(
            "parking-lot-oldest",
            "parking_lot = \"=0.11.0\"\nlock_api = \"=0.4.0\"",
            include_str!("parking_lot/oldest.lock"),
        )
    })
}

/// The first version of which guards keep their locks alive, and which records who writes.
fn older() -> Crates {
    Crates::of(
        "parking-lot-older",
        "parking_lot = { version = \"=0.12.0\", features = [\"arc_lock\"] }\nlock_api = \"=0.4.6\"",
        include_str!("parking_lot/older.lock"),
    )
}

#[test]
fn locks_behave_like_the_real_ones() {
    newest().prints_the_same("parking_lot/locks.rs");
}

#[test]
fn reentrant_locks_behave_like_the_real_ones() {
    newest().prints_the_same("parking_lot/reentrant.rs");
}

#[test]
fn signals_behave_like_the_real_ones() {
    newest().prints_the_same("parking_lot/signals.rs");
}

#[test]
fn locks_over_raw_ones_of_the_program_behave_like_the_real_ones() {
    newest().prints_the_same("parking_lot/stateful.rs");
    with_lock_api_0_4().prints_the_same("parking_lot/raw.rs");
}

#[test]
fn types_have_the_traits_of_the_real_ones() {
    newest().prints_the_same("parking_lot/traits.rs");
    with_lock_api_0_4().prints_the_same("parking_lot/traits.rs");
}

#[test]
fn old_versions_behave_like_the_real_ones() {
    for crates in [oldest(), &older(), with_lock_api_0_4()] {
        for name in ["parking_lot/locks.rs", "parking_lot/signals.rs", "parking_lot/raw.rs"] {
            crates.prints_the_same(name);
        }
    }
    older().prints_the_same("parking_lot/reentrant.rs");
    with_lock_api_0_4().prints_the_same("parking_lot/reentrant.rs");
}

#[test]
fn locks_over_lock_api_0_3_behave_like_the_real_ones() {
    with_lock_api_0_3().prints_the_same("parking_lot/old.rs");
    with_lock_api_0_4().prints_the_same("parking_lot/old.rs");
}

#[test]
fn controlled_threads_come_to_their_end_and_hangs_are_noticed() {
    for crates in [newest(), with_lock_api_0_4()] {
        crates.ends_controlled("parking_lot/controlled.rs");
        crates.hangs_controlled("parking_lot/hangs.rs");
    }
}

#[test]
fn wrapped_types_are_in_force_by_every_path() {
    newest().runs("parking_lot/in_force.rs");
    with_lock_api_0_4().runs("parking_lot/in_force.rs");
    let refused = newest().plain("parking_lot/in_force.rs", &[]).unwrap_err();
    assert!(refused.contains("__rv_shim"), "{refused}");
}

#[test]
fn every_line_records_the_events_behind_it() {
    for crates in [newest(), with_lock_api_0_4()] {
        let (text, trace) = crates.recorded("parking_lot/recorded.rs");
        crate::annotated::compare(&text, &trace);
    }
}

#[test]
fn it_is_known_of_a_lock_whether_its_guards_may_be_sent_and_its_readers_queue() {
    use ObjectKind as K;
    let usual =
        [K::LockApiMutex, K::LockApiRwLock, K::LockApiReentrant, K::LockApiSendMutex, K::LockApiSendRwLock];
    let (_, trace) = with_lock_api_0_4().recorded("parking_lot/kinds.rs");
    assert_eq!(taken(&trace), usual);
    let (_, trace) = newest().recorded("parking_lot/kinds.rs");
    assert_eq!(taken(&trace), [&usual[..], &[K::RecursiveRwLock]].concat());
}

/// What the locks are that were taken, in order.
fn taken(trace: &[u8]) -> Vec<ObjectKind> {
    let trace = read::read(trace).unwrap();
    let mut merge = merge::events(&trace);
    let mut taken = Vec::new();
    while let Some(event) = merge.next() {
        if event.kind == EventKind::Acquire {
            taken.push(merge.world().object(ObjectId(event.object)).unwrap().kind);
        }
    }
    taken
}

#[test]
fn the_shims_compile_with_any_features() {
    for (version, lock_api, features) in [
        ("0.12", "0.4", &[][..]),
        ("0.12", "0.4", &["send_guard"]),
        ("0.12", "0.4", &["deadlock_detection", "hardware-lock-elision"]),
        ("0.13", "0.5", &[]),
        ("0.13", "0.5", &["send_guard"]),
        ("0.13", "0.5", &["deadlock_detection"]),
    ] {
        let lock = match lock_api {
            "0.4" => own_lock(),
            _ => include_str!("parking_lot/newest.lock").to_owned(),
        };
        let dependencies = format!(
            "parking_lot = {{ version = {version:?}, features = {features:?} }}\nlock_api = {lock_api:?}"
        );
        let crates =
            Crates::selected(&format!("parking-lot-{version}-{}", features.concat()), &dependencies, &lock);
        crates.runs("parking_lot/in_force.rs");
    }
    for (version, lock) in [("0.4", own_lock()), ("0.5", include_str!("parking_lot/newest.lock").to_owned())]
    {
        let bare = format!("lock_api = {{ version = {version:?}, default-features = false }}");
        Crates::selected(&format!("lock-api-{version}-bare"), &bare, &lock);
    }
}

#[test]
fn each_group_of_types_can_be_left_out() {
    for (krate, group, generics, item) in [
        ("lock_api", "rv_no_mutex", "R: lock_api::RawMutex", "MutexGuard<'static, R, u8>"),
        ("lock_api", "rv_no_mutex", "C: lock_api::RawCondvar", "Condvar<C>"),
        ("lock_api", "rv_no_rwlock", "R: lock_api::RawRwLock", "RwLockWriteGuard<'static, R, u8>"),
        (
            "lock_api",
            "rv_no_remutex",
            "R: lock_api::RawMutex, G: lock_api::GetThreadId",
            "ReentrantMutex<R, G, u8>",
        ),
        ("parking_lot", "rv_no_lock", "", "RwLock<u8>"),
        ("parking_lot", "rv_no_lock", "", "Condvar"),
        ("parking_lot", "rv_no_lock", "", "RecursiveRwLock<u8>"),
        ("parking_lot", "rv_no_once", "", "Once"),
    ] {
        let source = newest().folder().join("left_out.rs");
        let check = format!("pub fn same<{generics}>(it: {krate}::{item}) -> real::{item} {{ it }}\n");
        std::fs::write(&source, check).unwrap();
        let real = format!("--extern=real={}", newest().real(krate).display());
        let arguments = ["--crate-type=lib", "--emit=metadata", &real];
        newest().without(krate, &[group]).shimmed(&source, &arguments).unwrap();
        let refused = newest().shimmed(&source, &arguments).unwrap_err();
        assert!(refused.contains("mismatched types"), "{refused}");
    }
    newest().without("lock_api", &["rv_no_mutex", "rv_no_rwlock", "rv_no_remutex"]);
}
