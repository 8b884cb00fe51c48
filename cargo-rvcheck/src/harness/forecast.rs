//! What the first instrumented build takes, reported before it begins.

use crate::console::Console;
use crate::project::Project;
use camino::Utf8Path;
use std::fmt;
use std::thread::available_parallelism;

/// Megabytes below the target folder for each package, in a debug build. Measured on published crates and their dependencies.
const MEGABYTES_A_PACKAGE: u64 = 6;

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
    let forecast = Forecast::of(project.packages.len(), copied, cores);
    console.status("Building", forecast);
    let free = fs4::available_space(target).unwrap_or(u64::MAX) >> 20;
    if free < forecast.megabytes {
        console.warn(format_args!(
            "only {free} MB are free at {target}\nfree some space there, or choose another folder with --target-dir"
        ));
    }
}

impl Forecast {
    fn of(packages: usize, copied: u64, cores: usize) -> Forecast {
        Forecast {
            packages,
            megabytes: packages as u64 * MEGABYTES_A_PACKAGE + (copied >> 20),
            seconds: (packages as f64 * SECONDS_A_PACKAGE / cores as f64).ceil() as u64,
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

    #[test]
    fn the_forecast_is_told_in_seconds_or_minutes() {
        let told = |packages| Forecast::of(packages, 0, 2).to_string();
        assert_eq!(told(1), "1 package instrumented for the first time: about 6 MB and 1 s");
        assert_eq!(told(40), "40 packages instrumented for the first time: about 240 MB and 30 s");
        assert_eq!(told(200), "200 packages instrumented for the first time: about 1200 MB and 3 min");
        let with_copy = Forecast::of(1, 30 << 20, 2).to_string();
        assert_eq!(with_copy, "1 package instrumented for the first time: about 36 MB and 1 s");
    }
}
