//! The versions of tokio that its shim is tested with.

use std::sync::OnceLock;

use super::shim_kit::{Crates, own_lock};

/// The newest tokio, with these features, and those that they need.
pub(crate) fn with_features(features: &[&str]) -> Crates {
    of("1", &own_lock(), features)
}

/// An old tokio, of which published lock files are full. It is built in a few seconds.
pub(crate) fn old() -> &'static Crates {
    static OLD: OnceLock<Crates> = OnceLock::new();
    OLD.get_or_init(|| of("=1.8.1", include_str!("old.lock"), &["rt", "sync", "time"]))
}

fn of(version: &str, lock: &str, features: &[&str]) -> Crates {
    let dependency =
        format!("tokio = {{ version = {version:?}, default-features = false, features = {features:?} }}");
    Crates::of(&format!("tokio{version}-{}", features.join("-")), &dependency, lock)
}
