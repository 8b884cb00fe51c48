//! `cargo rvcheck trace`: recorded traces are printed, counted and written in other forms.

mod export;
mod filter;
mod line;
mod print;
mod stat;
mod table;

pub(super) use export::export;
pub(super) use print::print;
pub(super) use stat::stat;

use crate::check::Traces;
use crate::cli::TraceArgs;
use crate::error::{Expected, Result};
use crate::inject::compiler::Compiler;
use crate::layout::Layout;
use crate::project::Project;
use crate::request::Scope;
use crate::specs::{checked, of_workspace, texts};
use rvcheck_event::declared::Declared;
use std::io::{self, ErrorKind, Write};

/// The traces that are asked for, and the events that are declared beside the built-in ones.
fn opened(args: &TraceArgs) -> Result<(Traces, Vec<Declared>)> {
    let given = if args.spec.is_empty() { None } else { Some(checked(&texts(&args.spec)?)?.declared()?) };
    let (path, declared) = match &args.trace {
        Some(path) => (path.clone(), given.unwrap_or_default()),
        None => {
            let project = Project::load(&args.build, Scope::Graph, &Compiler::find(&args.build)?.host)?;
            let declared = match given {
                Some(given) => given,
                None => of_workspace(&project.root)?.declared()?,
            };
            (Layout::below(&project.target_directory).runs(&project.root).last()?.folder, declared)
        }
    };
    let mut traces = Traces::open(&path, &declared)?;
    if let Some(process) = &args.process {
        traces.keep(process)?;
    }
    if traces.count() == 0 {
        return Err(Expected::Trace(format!(
            "{path} has no trace: nothing was run, or nothing was recorded"
        )));
    }
    Ok((traces, declared))
}

/// What is left of an error of standard output: whoever closes a pipe has seen enough.
fn printed(result: io::Result<()>) -> Result<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => done.map_err(Expected::Print),
    }
}

/// Lets this write to standard output, in large pieces.
fn to_standard_output(act: impl FnOnce(&mut (dyn Write + Send)) -> Result<io::Result<()>>) -> Result<()> {
    let mut out = io::BufWriter::new(io::stdout());
    let done = act(&mut out)?;
    printed(done.and_then(|()| out.flush()))
}
