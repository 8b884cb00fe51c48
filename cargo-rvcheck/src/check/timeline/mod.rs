//! Traces as a [timeline](crate::timeline): who plays them, and how much.

mod lives;
mod play;
mod points;
mod tracks;
mod waits;

use super::opened::Traces;
use crate::error::Result;
use crate::timeline::{Process, Viewer};
use camino::Utf8PathBuf;
use play::{Budget, Play};
use rvcheck_event::trace::read::Trace;
use std::io;
use tracks::Ids;

/// How many events are played where nobody says so: more is too much for most viewers.
pub const MOST_EVENTS: u64 = 1_000_000;

/// Plays these traces, up to so many events in all.
///
/// # Errors
///
/// Those of the viewer.
pub fn play(traces: &Traces, most: u64, viewer: &mut dyn Viewer) -> io::Result<()> {
    let began = traces.began_at();
    let first = began.iter().flatten().copied().filter(|it| *it > 0).min().unwrap_or(0);
    let mut ids = Ids::default();
    let mut budget = Budget::of(most);
    for index in 0..traces.count() {
        let played = traces.look(index, |trace| -> io::Result<()> {
            let id = ids.next();
            let name = trace.title();
            let began_at = trace.began_at();
            viewer.process(&Process {
                id,
                name: &name,
                pid: trace.recorded().map_or(0, Trace::pid),
                began_at,
                since_first: began_at.saturating_sub(first),
                build: traces.build(),
            })?;
            Play::new(id, &trace, &mut ids, &mut budget, viewer).run()
        });
        match played {
            Ok(done) => done?,
            Err(error) => viewer.note(&error.to_string())?,
        }
    }
    if budget.is_exceeded {
        viewer.note(&format!("only the first {most} events are shown"))?;
    }
    Ok(())
}

/// The traces of the run in a folder, or of one file, which are opened when they are played.
#[derive(Clone, Debug)]
pub struct Stored(pub Utf8PathBuf);

impl crate::timeline::Player for Stored {
    fn play(&self, viewer: &mut dyn Viewer) -> io::Result<()> {
        let opened: Result<Traces> = Traces::open(&self.0, &[]);
        match opened {
            Ok(traces) => play(&traces, MOST_EVENTS, viewer),
            Err(error) => viewer.note(&error.to_string()),
        }
    }
}
