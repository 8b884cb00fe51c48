//! The versions of tokio that its shim is tested with.

use std::sync::OnceLock;

use super::shim_kit::{Crates, own_lock};

/// The newest tokio, with these features, and those that they need.
pub(crate) fn with_features(features: &[&str]) -> Crates {
    of(Crates::of, "1", &own_lock(), features)
}

/// The same for programs that are there to compile.
pub(crate) fn selected(features: &[&str]) -> Crates {
    of(Crates::selected, "1", &own_lock(), features)
}

/// An old tokio, of which published lock files are full. It is built in a few seconds.
pub(crate) fn old() -> &'static Crates {
    static OLD: OnceLock<Crates> = OnceLock::new();
    OLD.get_or_init(|| of(Crates::of, "=1.8.1", include_str!("old.lock"), &["rt", "sync", "time"]))
}

fn of(crates: fn(&str, &str, &str) -> Crates, version: &str, lock: &str, features: &[&str]) -> Crates {
    let dependency =
        format!("tokio = {{ version = {version:?}, default-features = false, features = {features:?} }}");
    crates(&format!("tokio{version}-{}", features.join("-")), &dependency, lock)
}
