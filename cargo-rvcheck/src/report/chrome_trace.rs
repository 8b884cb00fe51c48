//! The traces of a run as trace events, a form of Chrome's that Perfetto reads, with the findings as instant events.
//!
//! Processes, threads and tasks are tracks. A number is given to each as if it were a process or thread of the system, whose own numbers
//! may come twice.

use super::{Report, Style};
use crate::escape::write_line;
use crate::finding::Finding;
use crate::timeline::{Category, Detail, Flow, Id, Mark, Point, Process, Slice, Track, TrackRef, Viewer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes the timeline and the findings of a report.
pub(super) fn render_chrome_trace(report: &Report, out: &mut dyn Write, _: Style) -> io::Result<()> {
    let mut trace = ChromeTrace::new(out)?;
    report.timeline.play(&mut trace)?;
    for finding in report.open() {
        trace.finding(finding)?;
    }
    trace.finish()
}

/// Writes a timeline as trace events.
pub struct ChromeTrace<'o> {
    out: &'o mut dyn Write,
    /// How long after the first process the present one began, in ns.
    since_first: u64,
    tests: BTreeMap<String, Place>,
    notes: Vec<String>,
    is_empty: bool,
}

/// Where a test is on the timeline.
#[derive(Clone, Copy)]
struct Place {
    track: TrackRef,
    /// In ns since the first process began.
    from: u64,
    to: u64,
    since_first: u64,
}

impl<'o> ChromeTrace<'o> {
    /// Begins. Errors are those of `out`.
    pub fn new(out: &'o mut dyn Write) -> io::Result<ChromeTrace<'o>> {
        out.write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n")?;
        Ok(ChromeTrace { out, since_first: 0, tests: BTreeMap::new(), notes: Vec::new(), is_empty: true })
    }

    /// Ends. Errors are those of `out`.
    pub fn finish(self) -> io::Result<()> {
        let other =
            json!({ "tool": concat!("rvcheck ", env!("CARGO_PKG_VERSION")), "notes": self.notes.join("\n") });
        self.out.write_all(b"],\"otherData\":")?;
        write_line(&other, self.out)?;
        self.out.write_all(b"}\n")
    }

    fn event(&mut self, event: &Value) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_empty, false) {
            self.out.write_all(b",")?;
        }
        write_line(event, self.out)
    }

    fn named(&mut self, what: &str, pid: Id, tid: Id, name: &str) -> io::Result<()> {
        self.event(&json!({ "ph": "M", "pid": pid.0, "tid": tid.0, "name": what, "args": { "name": name } }))
    }

    fn at(&self, point: &Point) -> (u64, u64, f64) {
        (point.track.process.0, point.track.id.0, microseconds(self.since_first + point.time))
    }

    /// Puts a finding where its test was when it was certain; one of no test stands at the beginning of all.
    fn finding(&mut self, finding: &Finding) -> io::Result<()> {
        let primary = &finding.primary;
        let mut event = json!({
            "ph": "i",
            "cat": "finding",
            "name": format!("{}[{}]: {}", finding.level, finding.property, finding.message),
            "args": {
                "level": finding.level.name(),
                "property": finding.property,
                "message": finding.message,
                "at": format!("{}:{}:{}", primary.file, primary.line, primary.column),
                "test": finding.test,
            },
        });
        let place = match self.tests.get(&finding.test) {
            Some(place) => {
                let time = finding.witness.events.last().map_or(place.to, |it| place.since_first + it.time);
                let time = time.clamp(place.from, place.to);
                json!({ "s": "t", "pid": place.track.process.0, "tid": place.track.id.0, "ts": microseconds(time) })
            }
            None => json!({ "s": "g", "pid": 0, "tid": 0, "ts": 0.0 }),
        };
        if let (Value::Object(event), Value::Object(place)) = (&mut event, place) {
            event.extend(place);
        }
        self.event(&event)
    }
}

impl Viewer for ChromeTrace<'_> {
    fn process(&mut self, process: &Process<'_>) -> io::Result<()> {
        self.since_first = process.since_first;
        let name = match process.pid {
            0 => process.name.to_owned(),
            pid => format!("{} (pid {pid})", process.name),
        };
        self.named("process_name", process.id, process.id, &name)
    }

    fn track(&mut self, track: &Track<'_>) -> io::Result<()> {
        let Track { id, process, name, .. } = *track;
        self.named("thread_name", process, id, name)?;
        self.event(&json!({
            "ph": "M", "pid": process.0, "tid": id.0, "name": "thread_sort_index", "args": { "sort_index": id.0 },
        }))
    }

    fn slice(&mut self, slice: &Slice<'_>) -> io::Result<()> {
        let (from, to) = (self.since_first + slice.from, self.since_first + slice.to);
        if slice.category == Category::Test {
            let place = Place { track: *slice.track, from, to, since_first: self.since_first };
            self.tests.insert(slice.unit.to_owned(), place);
        }
        let mut details = as_json(slice.details);
        if !slice.unit.is_empty() {
            details.insert("test".to_owned(), slice.unit.into());
        }
        match slice.end {
            crate::timeline::End::Normal => {}
            crate::timeline::End::Failed => drop(details.insert("failed".to_owned(), true.into())),
            crate::timeline::End::Open => drop(details.insert("unfinished".to_owned(), true.into())),
        }
        self.event(&json!({
            "ph": "X",
            "pid": slice.track.process.0,
            "tid": slice.track.id.0,
            "ts": microseconds(from),
            "dur": microseconds(to - from),
            "cat": slice.category.name(),
            "name": slice.name,
            "args": details,
        }))
    }

    fn flow(&mut self, flow: &Flow<'_>) -> io::Result<()> {
        for (phase, point) in [("s", flow.from), ("f", flow.to)] {
            let (pid, tid, ts) = self.at(point);
            let name = flow.kind.name();
            let mut event = json!({ "ph": phase, "id": flow.id.0, "pid": pid, "tid": tid, "ts": ts, "cat": name, "name": name });
            if phase == "f" {
                // It ends in the slice around it, and not in the next one.
                event["bp"] = "e".into();
            }
            self.event(&event)?;
        }
        Ok(())
    }

    fn mark(&mut self, mark: &Mark<'_>) -> io::Result<()> {
        let (pid, tid, ts) = self.at(mark.at);
        self.event(&json!({
            "ph": "i", "s": "t", "pid": pid, "tid": tid, "ts": ts, "cat": "event", "name": mark.name,
            "args": as_json(mark.details),
        }))
    }

    fn note(&mut self, note: &str) -> io::Result<()> {
        self.notes.push(note.to_owned());
        Ok(())
    }
}

/// Times have the unit µs. Readers cut off what is less than a ns, so half of one keeps what is lost in the conversion.
fn microseconds(nanos: u64) -> f64 {
    (nanos as f64 + 0.5) / 1000.0
}

/// Details as the members of an object.
fn as_json(details: &[(&'static str, Detail)]) -> Map<String, Value> {
    let value = |it: &Detail| match it {
        Detail::Text(text) => Value::from(text.as_str()),
        Detail::Number(number) => Value::from(*number),
        Detail::Mark(mark) => Value::from(*mark),
    };
    details.iter().map(|(name, detail)| ((*name).to_owned(), value(detail))).collect()
}
