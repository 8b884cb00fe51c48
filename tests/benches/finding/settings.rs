//! How long the benchmark takes.

/// See the module.
pub(crate) struct Settings {
    /// How many runs of each test there are for each seed.
    pub(crate) schedules: u64,
    /// How many seeds.
    pub(crate) seeds: u64,
}

impl Settings {
    /// Those that variables name; else such that it takes two minutes.
    pub(crate) fn read() -> Settings {
        Settings {
            schedules: number("RVCHECK_BENCH_SCHEDULES", 25),
            seeds: number("RVCHECK_BENCH_SEEDS", 20),
        }
    }
}

fn number(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is {text:?}, which is no number")),
        Err(_) => default,
    }
}
