//! `cargo rvcheck clean`.

use crate::cli::CleanArgs;

use crate::console::Console;
use crate::error::{Result, writing};
use crate::exit_code::ExitCode;
use crate::inject::compiler::Compiler;
use crate::layout::Layout;
use crate::project::Project;
use crate::request::Scope;

/// Removes the tool's folder.
pub(super) fn clean(args: &CleanArgs, console: Console) -> Result<ExitCode> {
    let project = Project::load(&args.build, Scope::Graph, &Compiler::find(&args.build)?.host)?;
    let layout = Layout::below(&project.target_directory);
    match std::fs::remove_dir_all(layout.root()) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(writing(layout.root())(error));
        }
        _ => console.status("Removed", layout.root()),
    }
    Ok(ExitCode::Clean)
}
