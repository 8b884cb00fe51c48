//! The limits from which on something is reported.

use super::{Share, Span};
use crate::error::{Expected, Result};
use clap::Args;
use std::str::FromStr;
use std::time::Duration;

/// The options that set thresholds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args)]
#[command(next_help_heading = "Thresholds")]
pub struct ThresholdArgs {
    /// Report a task that computes for longer than this between two awaits (blocking-in-async, warning)
    #[arg(long, default_value = "100ms", value_name = "TIME")]
    pub long_poll: Limit,
    /// Take a poll for computing if it was on a core for at least this share of its time
    #[arg(long, default_value = "80%", value_name = "SHARE")]
    pub busy_share: Percentage,
    /// Report a task that blocks its thread on a lock for longer than this (blocking-in-async, note)
    #[arg(long, default_value = "100ms", value_name = "TIME")]
    pub lock_wait: Limit,
    /// The same, as an error
    #[arg(long, default_value = "1s", value_name = "TIME")]
    pub long_lock_wait: Limit,
    /// Report a task that blocks its thread on a lock whose holder blocks for this long meanwhile (blocking-in-async, warning)
    #[arg(long, default_value = "5ms", value_name = "TIME")]
    pub held_wait: Limit,
    /// The same, as an error
    #[arg(long, default_value = "100ms", value_name = "TIME")]
    pub long_held_wait: Limit,
    /// Report a task that goes on for longer than this after it was aborted (cancel-unresponsive)
    #[arg(long, default_value = "100ms", value_name = "TIME")]
    pub abort_delay: Limit,
    /// Wait this many times the stall timeout for a socket, a child process or something else unmonitored
    #[arg(long = "outside-patience", default_value_t = OUTSIDE, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub outside_factor: u32,
    /// Wait this many times the stall timeout for a timer
    #[arg(long = "timer-patience", default_value_t = TIMER, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub timer_factor: u32,
}

/// How many times the stall timeout something outside may take.
const OUTSIDE: u32 = 10;
/// How many times the stall timeout a timer may take.
const TIMER: u32 = 30;

/// A time from which on something is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limit(u64);

impl Limit {
    /// So many milliseconds.
    pub const fn of_millis(millis: u64) -> Limit {
        Limit(millis * 1_000_000)
    }

    /// It in ns.
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// It as people read it: `100 ms`, `2 s`.
    pub fn shown(self) -> String {
        let millis = self.0 / 1_000_000;
        if millis.is_multiple_of(1_000) { format!("{} s", millis / 1_000) } else { format!("{millis} ms") }
    }
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Limit, String> {
        let Span(time) = text.parse()?;
        if time == Duration::ZERO {
            return Err("a threshold is at least 1ms; `--allow PROPERTY` switches a property off".to_owned());
        }
        // What is computed with it has to fit into the integers of properties.
        let nanos =
            i64::try_from(time.as_nanos()).map_err(|_| "that is more than any clock shows".to_owned())?;
        Ok(Limit(nanos.unsigned_abs()))
    }
}

/// A whole percentage from 1 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percentage(u32);

impl Percentage {
    /// It as a number.
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl FromStr for Percentage {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Percentage, String> {
        let share: Share = text.parse()?;
        let refused = || format!("`{text}` is no whole percentage from 1% to 100%");
        let number =
            share.to_string().strip_suffix('%').and_then(|it| it.parse().ok()).ok_or_else(refused)?;
        if number == 0 { Err(refused()) } else { Ok(Percentage(number)) }
    }
}

impl ThresholdArgs {
    /// Those that hold where nobody says otherwise.
    pub const DEFAULT: ThresholdArgs = ThresholdArgs {
        long_poll: Limit::of_millis(100),
        busy_share: Percentage(80),
        lock_wait: Limit::of_millis(100),
        long_lock_wait: Limit::of_millis(1_000),
        held_wait: Limit::of_millis(5),
        long_held_wait: Limit::of_millis(100),
        abort_delay: Limit::of_millis(100),
        outside_factor: OUTSIDE,
        timer_factor: TIMER,
    };

    /// An error where two of them contradict each other.
    pub fn check(&self) -> Result<()> {
        let pairs = [
            ("lock-wait", self.lock_wait, "long-lock-wait", self.long_lock_wait),
            ("held-wait", self.held_wait, "long-held-wait", self.long_held_wait),
        ];
        for (short, a, long, b) in pairs {
            if a > b {
                let (a, b) = (a.shown(), b.shown());
                let message = format!(
                    "`{short}` is {a}, which is longer than `{long}` with {b}\nlower `{short}`, or raise `{long}` to at least {a}"
                );
                return Err(Expected::Configuration(message));
            }
        }
        if self.outside_factor > self.timer_factor {
            let (outside, timer) = (self.outside_factor, self.timer_factor);
            let message = format!(
                "`outside-patience` is {outside}, which is more than `timer-patience` with {timer}\n\
                 raise `timer-patience` to at least {outside}"
            );
            return Err(Expected::Configuration(message));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Probe {
        #[command(flatten)]
        thresholds: ThresholdArgs,
    }

    #[test]
    fn the_defaults_of_the_options_are_those_of_the_tool() {
        assert_eq!(Probe::parse_from(["probe"]).thresholds, ThresholdArgs::DEFAULT);
    }

    #[test]
    fn what_is_no_threshold_is_refused() {
        for option in [
            "--long-poll=0",
            "--long-poll=5",
            "--long-poll=99999999999999999s",
            "--busy-share=0%",
            "--busy-share=80",
            "--busy-share=50.5%",
            "--timer-patience=0",
        ] {
            assert!(Probe::try_parse_from(["probe", option]).is_err(), "{option}");
        }
    }

    #[test]
    fn thresholds_that_contradict_each_other_are_refused() {
        let check = |options: &[&str]| {
            Probe::parse_from([&["probe"], options].concat()).thresholds.check().map_err(|it| it.to_string())
        };
        assert_eq!(check(&["--lock-wait=2s", "--long-lock-wait=2s"]), Ok(()));
        let error = check(&["--lock-wait=2s"]).expect_err("it is longer");
        assert!(
            error.contains("`lock-wait` is 2 s, which is longer than `long-lock-wait` with 1 s"),
            "{error}"
        );
        assert!(check(&["--held-wait=101ms"]).is_err());
        assert!(check(&["--outside-patience=31"]).is_err());
    }
}
