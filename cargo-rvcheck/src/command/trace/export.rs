//! `cargo rvcheck trace export`.

use super::{opened, table, to_standard_output};
use crate::check::opened::listed;
use crate::check::timeline::{MOST_EVENTS, play};
use crate::check::{Labels, OpenTrace, Traces};
use crate::cli::{TraceExportArgs, TraceFormat};
use crate::console::Console;
use crate::error::{Expected, Result, writing};
use crate::escape::escaped;
use crate::exit_code::ExitCode;
use crate::report::{ChromeTrace, Otlp};
use camino::Utf8Path;
use rvcheck_event::event::Event;
use rvcheck_event::world::World;
use rvcheck_event::{csv, jsonl};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

/// Writes the events of a trace in another form.
pub(in super::super) fn export(args: &TraceExportArgs, console: Console) -> Result<ExitCode> {
    let (traces, declared) = opened(&args.trace)?;
    check(args, &traces)?;
    let mut unwritten = 0;
    let mut write = |out: &mut (dyn Write + Send)| -> Result<io::Result<()>> {
        match args.format {
            TraceFormat::Jsonl => events(&traces, args.limit, out, &mut |event, world| {
                Some(escaped(&jsonl::line(event, world, &declared)).into_owned())
            }),
            TraceFormat::Csv => events(&traces, args.limit, out, &mut |event, world| {
                let row = csv::row(event, world, &declared);
                unwritten += u64::from(row.is_none());
                row
            }),
            TraceFormat::ChromeTrace => Ok(chrome_trace(&traces, args.limit, out)),
            TraceFormat::Otlp => Ok(otlp(&traces, args.limit, out)),
            TraceFormat::Parquet => table::write(&traces, &declared, args.limit, out),
        }
    };
    match &args.out {
        None => to_standard_output(&mut write)?,
        Some(path) => {
            let file = File::create(path).map_err(writing(path))?;
            let mut out = BufWriter::new(file);
            let done = write(&mut out)?;
            done.and_then(|()| out.flush()).map_err(writing(path))?;
        }
    }
    if unwritten > 0 {
        console.warn(format_args!(
            "{unwritten} events are left out: one of their arguments is not known, which no row can say; `--format jsonl` has them"
        ));
    }
    Ok(ExitCode::Clean)
}

/// Refuses what cannot be written, before anything is.
fn check(args: &TraceExportArgs, traces: &Traces) -> Result<()> {
    if matches!(args.format, TraceFormat::Jsonl | TraceFormat::Csv) && traces.count() > 1 {
        let known = listed(&traces.titles());
        let message = format!(
            "this format has the events of one process, and the run has several\nchoose one with --process: {known}"
        );
        return Err(Expected::Configuration(message));
    }
    if args.format == TraceFormat::Parquet {
        table::check()?;
    }
    for index in 0..traces.count() {
        let path = traces.look(index, |it| it.path())?;
        let is_same = |out: &Utf8Path| {
            out.canonicalize_utf8().is_ok_and(|out| path.canonicalize_utf8().is_ok_and(|it| it == out))
        };
        if args.out.as_deref().is_some_and(is_same) {
            let message = format!("{path} is the trace itself\nwrite to another file");
            return Err(Expected::Configuration(message));
        }
    }
    Ok(())
}

/// Writes a line for each event, as far as it has one.
fn events(
    traces: &Traces,
    limit: Option<u64>,
    out: &mut dyn Write,
    line: &mut dyn FnMut(&Event, &World) -> Option<String>,
) -> Result<io::Result<()>> {
    let mut left = limit.unwrap_or(u64::MAX);
    for index in 0..traces.count() {
        let done = traces.look(index, |mut trace: OpenTrace<'_>| {
            trace.place_in_source();
            let mut done = Ok(());
            trace.each(&mut |event: &Event, world: &World, _: &Labels<'_>| {
                if left == 0 {
                    return ControlFlow::Break(());
                }
                left -= 1;
                done = line(event, world).map_or(Ok(()), |it| writeln!(out, "{it}"));
                if done.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            done
        })?;
        if done.is_err() {
            return Ok(done);
        }
    }
    Ok(Ok(()))
}

fn chrome_trace(traces: &Traces, limit: Option<u64>, out: &mut dyn Write) -> io::Result<()> {
    let mut viewer = ChromeTrace::new(out)?;
    play(traces, limit.unwrap_or(MOST_EVENTS), &mut viewer)?;
    viewer.finish()
}

fn otlp(traces: &Traces, limit: Option<u64>, out: &mut dyn Write) -> io::Result<()> {
    let mut viewer = Otlp::new(out);
    play(traces, limit.unwrap_or(MOST_EVENTS), &mut viewer)?;
    viewer.finish()
}
