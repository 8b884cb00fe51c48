//! What the first instrumented build takes, reported before it begins.

use crate::console::Console;
use crate::project::{Project, TargetKind};
use camino::Utf8Path;
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::thread::available_parallelism;

/// Megabytes below the target folder for each package, in a debug build. Measured on published crates and their dependencies.
const MEGABYTES_A_PACKAGE: f64 = 6.0;

/// Megabytes of an executable for each package that is linked into it. Measured as above.
const MEGABYTES_LINKED: f64 = 0.2;

/// How much an instrumented build takes of what a plain one does. Measured on workspaces with up to 250 packages: 0.8 to 1.1.
const SHARE_OF_PLAIN: f64 = 0.9;

/// Megabytes from which on a plain build is one of the whole workspace, and not of a part of it, for each package.
const LEAST_OF_PLAIN: f64 = 2.0;

/// Seconds of one core for each package, in a debug build. Measured as above.
const SECONDS_A_PACKAGE: f64 = 1.5;

/// What a build will take, roughly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Forecast {
    packages: usize,
    megabytes: u64,
    seconds: u64,
}

/// Says what the first build in this target folder will take with a copy of the tool of so many bytes, and warns where the disk has no room for it.
pub fn tell(project: &Project, target: &Utf8Path, copied: u64, console: Console) {
    // Cargo writes this file with the first build.
    if target.join(".rustc_info.json").exists() {
        return;
    }
    let cores = available_parallelism().map_or(1, usize::from);
    let size = Size { packages: project.needed, executables: executables(project), plain: plain(project) };
    let forecast = Forecast::of(size, copied, cores);
    console.status("Building", forecast);
    let free = fs4::available_space(target).unwrap_or(u64::MAX) >> 20;
    if free < forecast.megabytes {
        console.warn(format_args!(
            "only {free} MB are free at {target}\nfree some space there, or choose another folder with --target-dir"
        ));
    }
}

/// How large a build is.
#[derive(Clone, Copy, Debug)]
struct Size {
    packages: usize,
    executables: usize,
    /// Megabytes of the plain debug build; 0 where there is none.
    plain: f64,
}

/// How many executables cargo links for the tests: each library and program is linked with its tests, and programs without, too.
fn executables(project: &Project) -> usize {
    let selected = project.members().filter(|(_, it)| project.selected.contains(&it.name));
    let targets = selected.flat_map(|(_, it)| &it.targets);
    let linked = targets.map(|it| match it.kind {
        TargetKind::Bin => 2,
        TargetKind::Lib | TargetKind::Test | TargetKind::Example => 1,
        TargetKind::Bench => 0,
    });
    linked.sum()
}

/// The megabytes of the plain debug build, if there is one. What incremental compilation keeps does not count, and neither do further names of a file.
fn plain(project: &Project) -> f64 {
    let profile = project.target_directory.join("debug");
    let mut seen = BTreeSet::new();
    let size: u64 = ["deps", "build", "examples"].iter().map(|it| size(&profile.join(it), &mut seen)).sum();
    size as f64 / f64::from(1 << 20)
}

fn size(folder: &Utf8Path, seen: &mut BTreeSet<u64>) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.filter_map(|entry| {
        let metadata = entry.metadata().ok()?;
        if metadata.is_dir() {
            return Utf8Path::from_path(&entry.path()).map(|it| size(it, seen));
        }
        Some(if seen.insert(metadata.ino()) { metadata.blocks() * 512 } else { 0 })
    });
    sizes.sum()
}

impl Forecast {
    fn of(size: Size, copied: u64, cores: usize) -> Forecast {
        let packages = size.packages as f64;
        let built = if size.plain > packages * LEAST_OF_PLAIN {
            size.plain * SHARE_OF_PLAIN
        } else {
            packages * MEGABYTES_A_PACKAGE + size.executables as f64 * packages * MEGABYTES_LINKED
        };
        Forecast {
            packages: size.packages,
            megabytes: built.round() as u64 + (copied >> 20),
            seconds: (packages * SECONDS_A_PACKAGE / cores as f64).ceil() as u64,
        }
    }
}

impl fmt::Display for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Forecast { packages, megabytes, seconds } = self;
        let packages = if *packages == 1 { "1 package".to_owned() } else { format!("{packages} packages") };
        let time =
            if *seconds < 90 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) };
        write!(f, "{packages} instrumented for the first time: about {megabytes} MB and {time}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_words(packages: usize, executables: usize, plain: f64, copied: u64) -> String {
        Forecast::of(Size { packages, executables, plain }, copied, 2).to_string()
    }

    #[test]
    fn the_forecast_is_given_in_seconds_or_minutes() {
        assert_eq!(in_words(1, 0, 0.0, 0), "1 package instrumented for the first time: about 6 MB and 1 s");
        assert_eq!(
            in_words(40, 5, 0.0, 0),
            "40 packages instrumented for the first time: about 280 MB and 30 s"
        );
        assert_eq!(
            in_words(200, 0, 0.0, 0),
            "200 packages instrumented for the first time: about 1200 MB and 3 min"
        );
        assert_eq!(
            in_words(1, 0, 0.0, 30 << 20),
            "1 package instrumented for the first time: about 36 MB and 1 s"
        );
    }

    #[test]
    fn a_plain_build_tells_how_large_the_instrumented_one_will_be_unless_it_is_one_of_a_part() {
        assert!(in_words(163, 90, 4600.0, 0).contains("about 4140 MB"));
        assert!(in_words(100, 0, 100.0, 0).contains("about 600 MB"));
    }
}
