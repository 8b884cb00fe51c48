//! A moment of a trace, as people write it.

use std::str::FromStr;

/// A time since recording began, in ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub u64);

/// The units with their ns.
const UNITS: [(&str, u64); 5] =
    [("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000)];

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Moment, String> {
        let refused =
            || format!("`{text}` is no time; write a number with ns, us, ms, s or m, such as 1.5ms");
        let (number, unit) =
            text.split_at(text.find(|it: char| it.is_ascii_alphabetic()).unwrap_or(text.len()));
        let factor = match UNITS.iter().find(|it| it.0 == unit) {
            Some((_, factor)) => *factor,
            None if unit.is_empty() && number == "0" => 1,
            None => return Err(refused()),
        };
        let (whole, rest) = number.split_once('.').unwrap_or((number, "0"));
        let digits = |it: &str| (1..=18).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_digit());
        if !digits(whole) || !digits(rest) {
            return Err(refused());
        }
        let whole: u128 = whole.parse().map_err(|_| refused())?;
        let parts: u128 = rest.parse().map_err(|_| refused())?;
        let factor = u128::from(factor);
        let nanos = whole * factor + parts * factor / 10_u128.pow(rest.len() as u32);
        u64::try_from(nanos).map(Moment).map_err(|_| refused())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_a_unit_and_perhaps_a_fraction() {
        for (text, expected) in [
            ("1.5ms", Some(1_500_000)),
            ("20us", Some(20_000)),
            ("7ns", Some(7)),
            ("0.000000001s", Some(1)),
            ("2m", Some(120_000_000_000)),
            ("0", Some(0)),
            ("5", None),
            ("ms", None),
            ("1.ms", None),
            ("-1s", None),
            ("1h", None),
            ("999999999999999999m", None),
        ] {
            assert_eq!(text.parse::<Moment>().ok(), expected.map(Moment), "{text}");
        }
    }
}
