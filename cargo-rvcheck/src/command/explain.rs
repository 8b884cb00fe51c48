//! `cargo rvcheck explain`.

use super::show::print_lines;
use crate::cli::ExplainArgs;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;

/// Prints what a property means.
pub(super) fn explain(args: &ExplainArgs) -> Result<ExitCode> {
    let Some(entry) = rvcheck_specs::find(&args.id) else {
        let known: Vec<&str> = rvcheck_specs::LIBRARY.iter().map(|it| it.id).collect();
        let known = format!("there are {}", known.join(", "));
        return Err(Expected::Unknown { what: "property", name: args.id.clone(), known });
    };
    print_lines(entry.docs.lines().map(str::to_owned))?;
    Ok(ExitCode::Clean)
}
