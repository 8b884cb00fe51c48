//! What the shim of tokio reports, read back from the trace of a program whose comments say what to expect.

use crate::shim_kit::Crates;
use crate::tokio_kit::{old, with_features};

#[test]
fn every_line_records_the_events_behind_it() {
    compare("tokio/recorded.rs", &with_features(&["full", "test-util"]));
}

#[test]
fn so_it_is_with_an_old_tokio() {
    compare("tokio/recorded_old.rs", old());
}

/// Compares what the program says behind its lines with what it records.
fn compare(name: &str, tokio: &Crates) {
    let (text, bytes) = tokio.recorded(name);
    crate::annotated::compare(&text, &bytes);
}
