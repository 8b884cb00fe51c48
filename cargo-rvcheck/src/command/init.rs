//! `cargo rvcheck init`.

mod ci;

use crate::cli::InitArgs;
use crate::config::{self, Config, Options};
use crate::console::Console;
use crate::error::{Expected, Result, writing};
use crate::exit_code::ExitCode;
use crate::layout::create_folder;
use crate::project;
use camino::{Utf8Path, Utf8PathBuf};
use ci::{Job, Profile};
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};

const CONFIG: &str = include_str!("init/config.toml");
const PROPERTY: &str = include_str!("init/spec.toml");

/// Writes a configuration, a first property, and a job for CI. What is there already is left as it is.
pub(super) fn init(args: &InitArgs, console: Console) -> Result<ExitCode> {
    let message = "there is no workspace here\n`cargo init` makes one";
    let root = project::root(&args.build)?.ok_or_else(|| Expected::Configuration(message.to_owned()))?;
    write_new(&root.join(config::PATH), CONFIG, console)?;
    write_new(&root.join("specs/rvcheck.toml"), PROPERTY, console)?;

    let place = project::place_in_repository(&root);
    let repository = repository(&root, &place);
    let mut next = Vec::new();
    let job = Job { place: place.trim_end_matches('/'), profile: profile(&root) };
    for file in ci::files(args.ci.unwrap_or_else(|| ci::service_of(&repository)), &job) {
        let is_new = write_new(&repository.join(file.path), &file.text, console)?;
        next.extend(file.unless_new.filter(|_| !is_new));
    }
    for step in next {
        console.status("Next", step);
    }
    console.status("Next", "`cargo rvcheck test` runs the instrumented tests");
    Ok(ExitCode::Clean)
}

/// The root of the repository in which a workspace has this place.
fn repository(root: &Utf8Path, place: &str) -> Utf8PathBuf {
    let depth = place.split_terminator('/').count();
    root.ancestors().nth(depth).unwrap_or(root).to_owned()
}

/// Where the job for CI has its options from: a configuration that was there before need not have the profile `ci`.
fn profile(root: &Utf8Path) -> Profile {
    let text = fs::read_to_string(root.join(config::PATH)).unwrap_or_default();
    let (config, _) = Config::read(config::PATH, &text, &Options::all());
    if config.profiles.contains_key("ci") { Profile::Configured } else { Profile::Missing }
}

/// Writes a file that is not there yet. This never follows a link, and never writes over anything. Returns whether it was written.
fn write_new(path: &Utf8Path, text: &str, console: Console) -> Result<bool> {
    if let Some(folder) = path.parent() {
        create_folder(folder)?;
    }
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => {
            file.write_all(text.as_bytes()).map_err(writing(path))?;
            console.status("Wrote", path);
            Ok(true)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            console.status("Kept", format_args!("{path}, which is there already"));
            Ok(false)
        }
        Err(error) => Err(writing(path)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specs::read;

    #[test]
    fn what_is_written_can_be_read() {
        let options = Options::all();
        // The lines that are comments now are keys for whoever takes the `#` away.
        let all: Vec<&str> = CONFIG
            .lines()
            .map(|it| it.strip_prefix("# ").filter(|it| it.contains(" = ")).unwrap_or(it))
            .collect();
        for text in [CONFIG.to_owned(), all.join("\n")] {
            let (config, problems) = Config::read("rvcheck.toml", &text, &options);
            assert_eq!(problems, []);
            assert!(config.profiles.contains_key("ci"));
        }
        let specs = read(&[("specs/rvcheck.toml".into(), PROPERTY.into())]);
        assert_eq!(specs.problems, []);
        assert_eq!(specs.properties.len(), 1);
    }

    #[test]
    fn the_root_of_the_repository_is_above_the_workspace_by_its_place() {
        let root = Utf8Path::new("/home/me/shop/server/core");
        assert_eq!(repository(root, ""), root);
        assert_eq!(repository(root, "server/core/"), "/home/me/shop");
    }
}
