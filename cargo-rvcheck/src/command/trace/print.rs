//! `cargo rvcheck trace print`.

use super::filter::Filter;
use super::line::Writer;
use super::{opened, to_standard_output};
use crate::check::{Labels, OpenTrace};
use crate::cli::TracePrintArgs;
use crate::error::Result;
use crate::escape::legible;
use crate::exit_code::ExitCode;
use rvcheck_event::declared::Declared;
use rvcheck_event::event::Event;
use rvcheck_event::world::World;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// Prints the events of a trace that are asked for.
pub(in super::super) fn print(args: &TracePrintArgs) -> Result<ExitCode> {
    let (traces, declared) = opened(&args.trace)?;
    let filter = Filter::of(&args.filter);
    filter.check(&traces)?;
    let mut left = args.limit.unwrap_or(u64::MAX);
    to_standard_output(|out| {
        for index in 0..traces.count() {
            let heading = traces.count() > 1;
            let done = traces.look(index, |trace| {
                if heading {
                    let title = format!("== {} {}: {}", index + 1, trace.title(), trace.path());
                    writeln!(out, "{}", legible(&title))?;
                }
                events(&trace, &filter, &declared, &mut left, out)
            })?;
            if done.is_err() || left == 0 {
                return Ok(done);
            }
        }
        Ok(Ok(()))
    })?;
    Ok(ExitCode::Clean)
}

fn events(
    trace: &OpenTrace<'_>,
    filter: &Filter<'_>,
    declared: &[Declared],
    left: &mut u64,
    out: &mut dyn Write,
) -> io::Result<()> {
    if *left == 0 {
        return Ok(());
    }
    let mut done = Ok(());
    trace.each(&mut |event: &Event, world: &World, labels: &Labels<'_>| {
        if filter.admits(event, world, trace, labels) {
            done = writeln!(out, "{}", Writer { trace, labels, declared }.line(event, world));
            *left -= 1;
        }
        if done.is_err() || *left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    done
}
