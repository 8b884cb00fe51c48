//! What the shim of tokio reports, read back from the trace of a program whose comments say what to expect.

mod annotated;
#[expect(dead_code, reason = "the tests of the shim of std use the rest")]
mod shim;
#[expect(dead_code, reason = "the tests of behaviour use the rest")]
mod tokio_kit;

use std::fs;

use rvcheck_event::event::Event;
use rvcheck_event::kind::EventKind;
use rvcheck_event::record::flag;

use shim::run;
use tokio_kit::{Tokio, program};

#[test]
fn every_line_records_the_events_behind_it() {
    compare("recorded.rs", &Tokio::with_features(&["full", "test-util"]));
}

#[test]
fn so_it_is_with_an_old_tokio() {
    compare("recorded_old.rs", Tokio::old());
}

/// Compares what the program says behind its lines with what it records.
fn compare(name: &str, tokio: &Tokio) {
    let source = program(name);
    let text = fs::read_to_string(&source).unwrap();
    // Files with relative paths are the program's own; those of the real crate stay absolute.
    let own = format!("--remap-path-prefix={}={name}", source.display());
    let binary = tokio.shimmed(&source, &[&own]).unwrap();
    let path = binary.with_extension("rvt");
    run(&binary, Some(&path));
    let bytes = fs::read(&path).unwrap();
    annotated::compare(&text, &bytes, label);
}

/// The name of the event, with what its flags say, and the number of a message or the count of permits.
fn label(event: &Event) -> String {
    let name = event.kind.signature().name;
    match event.kind {
        EventKind::Send
        | EventKind::Recv
        | EventKind::Undelivered
        | EventKind::PermitWait
        | EventKind::Permit
        | EventKind::PermitForget => format!("{name}({})", event.number),
        EventKind::PermitRelease => {
            let mark = if event.flags & flag::ADDED == 0 { "" } else { ", added" };
            format!("{name}({}{mark})", event.number)
        }
        EventKind::Detach if event.flags & flag::BY_OWNER != 0 => format!("{name}(by owner)"),
        _ => annotated::label(event),
    }
}
