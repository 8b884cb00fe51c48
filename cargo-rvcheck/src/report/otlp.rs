//! The traces of a run as spans of OpenTelemetry: OTLP in its JSON encoding, in a file as the specification of the file exporter has it, a
//! batch of spans a line.
//!
//! A test is a trace of its own, and so is what belongs to no test of a process. Its tasks are spans below those that have created
//! them; polls, waits, and what they hold are spans below the task. A link leads from what goes on because of something to where that
//! happened. Numbers are made from those of the process, so the same traces give the same bytes.

use super::{Report, Style};
use crate::digest::digest;
use crate::escape::write_line;
use crate::finding::{Finding, Level};
use crate::timeline::{
    Category, Detail, Details, End, Flow, FlowKind, Id, Mark, Point, Process, Slice, Track, TrackKind, Viewer,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// How many spans a line has at most.
const BATCH: usize = 512;
/// How many links and how many events a span has at most; of the others it has the number.
const ATTACHED: usize = 128;
/// `SPAN_KIND_INTERNAL`.
const INTERNAL: u32 = 1;
/// `STATUS_CODE_ERROR`.
const ERROR: u32 = 2;

/// Writes the timeline of a report, with its findings as events of the tests.
pub(super) fn render_otlp(report: &Report, out: &mut dyn Write, _: Style) -> io::Result<()> {
    let mut otlp = Otlp::new(out);
    for finding in report.open() {
        otlp.findings.entry(finding.test.clone()).or_default().push(finding.clone());
    }
    report.timeline.play(&mut otlp)?;
    otlp.finish()
}

/// Writes a timeline as spans.
pub struct Otlp<'o> {
    out: &'o mut dyn Write,
    findings: BTreeMap<String, Vec<Finding>>,
    resource: Value,
    /// What the numbers of the present process are made from.
    process: String,
    began_at: u64,
    notes: Vec<String>,
    /// Spans that are not written yet.
    spans: Vec<Value>,
    /// For slices that are still open.
    attached: BTreeMap<Id, Attached>,
}

/// What belongs to a span beside its slice.
#[derive(Default)]
struct Attached {
    links: Vec<Value>,
    dropped_links: u64,
    events: Vec<Value>,
    dropped_events: u64,
}

impl<'o> Otlp<'o> {
    /// Nothing yet.
    pub fn new(out: &'o mut dyn Write) -> Otlp<'o> {
        Otlp {
            out,
            findings: BTreeMap::new(),
            resource: Value::Null,
            process: String::new(),
            began_at: 0,
            notes: Vec::new(),
            spans: Vec::new(),
            attached: BTreeMap::new(),
        }
    }

    /// Writes what is left, and the notes as a resource without spans. Errors are those of the file.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        if self.notes.is_empty() {
            return Ok(());
        }
        let text = |it: &str| Detail::Text(it.to_owned());
        let known = [("service.name", text("rvcheck")), ("rvcheck.notes", text(&self.notes.join("\n")))];
        let resource = json!({ "attributes": attributes(&known) });
        write_line(&json!({ "resourceSpans": [{ "resource": resource, "scopeSpans": [] }] }), self.out)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attached.clear();
        self.write()
    }

    fn write(&mut self) -> io::Result<()> {
        let spans = std::mem::take(&mut self.spans);
        if spans.is_empty() {
            return Ok(());
        }
        let scope = json!({ "name": "rvcheck", "version": env!("CARGO_PKG_VERSION") });
        let line = json!({
            "resourceSpans": [{
                "resource": self.resource,
                "scopeSpans": [{ "scope": scope, "spans": spans }],
            }],
        });
        write_line(&line, self.out)
    }

    /// The number of the trace of a test; that of what belongs to none has an empty name. 16 bytes.
    fn trace_id(&self, unit: &str) -> String {
        digest([&self.process, "trace", unit]) + &digest([unit, "trace", &self.process])
    }

    /// The number of a span. 8 bytes.
    fn span_id(&self, slice: Id) -> String {
        digest([&self.process, "span", &slice.0.to_string()])
    }

    /// Nanoseconds since 1970, as a text: JSON has no numbers of 64 bits.
    fn time(&self, time: u64) -> String {
        self.began_at.saturating_add(time).to_string()
    }

    fn link(&mut self, of: Id, to: &Point, kind: FlowKind) {
        let link = json!({
            "traceId": self.trace_id(&to.unit),
            "spanId": self.span_id(to.slice),
            "attributes": attributes(&[("rvcheck.flow", Detail::Text(kind.name().to_owned()))]),
        });
        let attached = self.attached.entry(of).or_default();
        if attached.links.len() < ATTACHED {
            attached.links.push(link);
        } else {
            attached.dropped_links += 1;
        }
    }

    /// The findings of a test, as events of its span.
    fn findings(&mut self, slice: &Slice<'_>) -> (Vec<Value>, bool) {
        let found = self.findings.remove(slice.unit).unwrap_or_default();
        let is_wrong = found.iter().any(|it| it.level == Level::Error);
        let event = |finding: &Finding| {
            let time = finding.witness.events.last().map_or(slice.to, |it| it.time);
            let primary = &finding.primary;
            let text = |it: &str| Detail::Text(it.to_owned());
            let details = [
                ("rvcheck.level", text(finding.level.name())),
                ("rvcheck.property", text(&finding.property)),
                ("rvcheck.message", text(&finding.message)),
                ("code.file.path", text(&primary.file)),
                ("code.line.number", Detail::Number(primary.line.into())),
            ];
            self.event(time.clamp(slice.from, slice.to), "rvcheck.finding", &details)
        };
        (found.iter().map(event).collect(), is_wrong)
    }

    fn event(&self, time: u64, name: &str, details: &[(&'static str, Detail)]) -> Value {
        json!({ "timeUnixNano": self.time(time), "name": name, "attributes": attributes(details) })
    }
}

impl Viewer for Otlp<'_> {
    fn process(&mut self, process: &Process<'_>) -> io::Result<()> {
        self.flush()?;
        let (number, began_at) = (process.pid.to_string(), process.began_at.to_string());
        self.process = digest([process.build, process.name, &number, &began_at, &process.id.0.to_string()]);
        self.began_at = process.began_at;
        let mut known: Details = vec![("service.name", Detail::Text(process.name.to_owned()))];
        if process.pid > 0 {
            known.push(("process.pid", Detail::Number(process.pid.into())));
        }
        if !process.build.is_empty() {
            known.push(("rvcheck.build", Detail::Text(process.build.to_owned())));
        }
        self.resource = json!({ "attributes": attributes(&known) });
        Ok(())
    }

    fn track(&mut self, _: &Track<'_>) -> io::Result<()> {
        Ok(())
    }

    fn slice(&mut self, slice: &Slice<'_>) -> io::Result<()> {
        // What runs on threads are the polls of the tasks once more.
        if slice.track.kind == TrackKind::Thread {
            return Ok(());
        }
        let mut attached = self.attached.remove(&slice.id).unwrap_or_default();
        let mut is_wrong = slice.end == End::Failed;
        if slice.category == Category::Test {
            let (events, wrong) = self.findings(slice);
            attached.events.splice(0..0, events);
            is_wrong |= wrong;
        }
        let mut details: Details = vec![("rvcheck.category", Detail::Text(slice.category.name().to_owned()))];
        if !slice.unit.is_empty() {
            details.push(("test.case.name", Detail::Text(slice.unit.to_owned())));
        }
        if slice.end == End::Open {
            details.push(("rvcheck.unfinished", Detail::Mark(true)));
        }
        let mut all = attributes(&details);
        all.extend(slice.details.iter().map(|(name, it)| attribute(&format!("rvcheck.{name}"), it)));
        let mut span = json!({
            "traceId": self.trace_id(slice.unit),
            "spanId": self.span_id(slice.id),
            "name": slice.name,
            "kind": INTERNAL,
            "startTimeUnixNano": self.time(slice.from),
            "endTimeUnixNano": self.time(slice.to),
            "attributes": all,
            "events": attached.events,
            "droppedEventsCount": attached.dropped_events,
            "links": attached.links,
            "droppedLinksCount": attached.dropped_links,
            "status": if is_wrong { json!({ "code": ERROR }) } else { json!({}) },
        });
        if let Some(parent) = slice.parent {
            span["parentSpanId"] = self.span_id(parent).into();
        }
        self.spans.push(span);
        if self.spans.len() >= BATCH { self.write() } else { Ok(()) }
    }

    fn flow(&mut self, flow: &Flow<'_>) -> io::Result<()> {
        // Who has created a task is its parent.
        if flow.kind != FlowKind::Spawn {
            self.link(flow.to.slice, flow.from, flow.kind);
        }
        Ok(())
    }

    fn mark(&mut self, mark: &Mark<'_>) -> io::Result<()> {
        let event = self.event(mark.at.time, mark.name, mark.details);
        let attached = self.attached.entry(mark.at.slice).or_default();
        if attached.events.len() < ATTACHED {
            attached.events.push(event);
        } else {
            attached.dropped_events += 1;
        }
        Ok(())
    }

    fn note(&mut self, note: &str) -> io::Result<()> {
        self.notes.push(note.to_owned());
        Ok(())
    }
}

fn attributes(details: &[(&'static str, Detail)]) -> Vec<Value> {
    details.iter().map(|(name, it)| attribute(name, it)).collect()
}

/// An attribute. Whole numbers are texts, as those of 64 bits are in this encoding.
fn attribute(name: &str, detail: &Detail) -> Value {
    let value = match detail {
        Detail::Text(text) => json!({ "stringValue": text }),
        Detail::Number(number) => json!({ "intValue": number.to_string() }),
        Detail::Mark(mark) => json!({ "boolValue": mark }),
    };
    json!({ "key": name, "value": value })
}
