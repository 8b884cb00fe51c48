//! `cargo rvcheck init`.

use crate::cli::InitArgs;
use crate::config;
use crate::console::Console;
use crate::error::{Expected, Result, writing};
use crate::exit_code::ExitCode;
use crate::layout::create_folder;
use crate::project;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};

/// What is written, by its name below the root of the workspace.
const FILES: [(&str, &str); 3] = [
    (config::PATH, include_str!("init/config.toml")),
    ("specs/rvcheck.toml", include_str!("init/spec.toml")),
    (".github/workflows/rvcheck.yml", include_str!("init/workflow.yml")),
];

/// Writes a configuration, a first property, and a workflow for CI. What is there already is left as it is.
pub(super) fn init(args: &InitArgs, console: Console) -> Result<ExitCode> {
    let message = "there is no workspace here\n`cargo init` makes one";
    let root = project::root(&args.build)?.ok_or_else(|| Expected::Configuration(message.to_owned()))?;
    for (name, text) in FILES {
        let path = root.join(name);
        create_folder(path.parent().unwrap_or(&root))?;
        // This never follows a link, and never writes over anything.
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                file.write_all(text.as_bytes()).map_err(writing(&path))?;
                console.status("Wrote", &path);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                console.status("Kept", format_args!("{path}, which is there already"));
            }
            Err(error) => return Err(writing(&path)(error)),
        }
    }
    console.status("Next", "`cargo rvcheck test` runs the instrumented tests");
    Ok(ExitCode::Clean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Options};
    use crate::specs::read;

    #[test]
    fn what_is_written_can_be_read() {
        let options = Options::all();
        let config = FILES[0].1;
        // The lines that are comments now are keys for whoever takes the `#` away.
        let all: Vec<&str> = config
            .lines()
            .map(|it| it.strip_prefix("# ").filter(|it| it.contains(" = ")).unwrap_or(it))
            .collect();
        for text in [config.to_owned(), all.join("\n")] {
            let (config, problems) = Config::read("rvcheck.toml", &text, &options);
            assert_eq!(problems, []);
            assert!(config.profiles.contains_key("ci"));
        }
        let specs = read(&[("specs/rvcheck.toml".into(), FILES[1].1.into())]);
        assert_eq!(specs.problems, []);
        assert_eq!(specs.properties.len(), 1);
    }
}
