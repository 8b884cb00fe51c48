//! A share of a whole, as people write it.

use std::fmt;
use std::str::FromStr;

/// A share in hundredths of a percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(u32);

impl Share {
    /// That many of the whole, rounded up, so that a share above a limit never looks like the limit; nothing of nothing is 0.
    pub fn of(part: u64, whole: u64) -> Share {
        if whole == 0 {
            return Share(0);
        }
        let hundredths = (u128::from(part) * 10_000).div_ceil(u128::from(whole));
        Share(u32::try_from(hundredths).unwrap_or(u32::MAX))
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let refused = || format!("`{text}` is no share; write a percentage from 0% to 100%, such as 2.5%");
        let number = text.trim().strip_suffix('%').ok_or_else(refused)?.trim_end();
        let (whole, rest) = number.split_once('.').unwrap_or((number, "0"));
        let digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
        if !digits(whole) || !digits(rest) || rest.len() > 2 {
            return Err(refused());
        }
        let hundredths: u32 = format!("{rest:0<2}").parse().map_err(|_| refused())?;
        let whole: u32 = whole.parse().map_err(|_| refused())?;
        match whole.checked_mul(100).and_then(|it| it.checked_add(hundredths)) {
            Some(share) if share <= 10_000 => Ok(Share(share)),
            _ => Err(refused()),
        }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 100, self.0 % 100);
        match (rest, rest % 10) {
            (0, _) => write!(f, "{whole}%"),
            (_, 0) => write!(f, "{whole}.{}%", rest / 10),
            _ => write!(f, "{whole}.{rest:02}%"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_percentage() {
        for (text, expected) in [
            ("5%", Some(500)),
            ("0%", Some(0)),
            ("2.5%", Some(250)),
            ("100%", Some(10_000)),
            ("0.05%", Some(5)),
        ] {
            let share = text.parse::<Share>().ok();
            assert_eq!(share, expected.map(Share), "{text}");
            assert_eq!(share.map(|it| it.to_string()).as_deref(), Some(text));
        }
        for text in ["5", "", "%", "101%", "-1%", "1.234%", "1.%", "0,5%", "99999999999%"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_share_above_a_limit_is_above_it() {
        assert_eq!(Share::of(1, 20), Share(500));
        assert!(Share::of(501, 10_000) > Share(500));
        assert!(Share::of(5_000_001, 100_000_000) > Share(500));
        assert_eq!(Share::of(0, 0), Share(0));
    }
}
