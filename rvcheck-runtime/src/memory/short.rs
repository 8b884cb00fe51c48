//! A text of a few bytes that needs no memory.

use core::fmt::{self, Write};
use core::ops::Deref;
use core::str;

/// How many bytes it has at most: those of any number, and some more.
const ROOM: usize = 32;

/// A text of at most so many bytes.
pub(crate) struct Short {
    bytes: [u8; ROOM],
    length: usize,
}

impl Short {
    /// What is written there. What is longer is cut behind a whole part.
    pub(crate) fn of(text: fmt::Arguments<'_>) -> Short {
        let mut short = Short { bytes: [0; ROOM], length: 0 };
        let _is_cut = short.write_fmt(text);
        short
    }
}

impl Write for Short {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let end = self.length + part.len();
        let place = self.bytes.get_mut(self.length..end).ok_or(fmt::Error)?;
        place.copy_from_slice(part.as_bytes());
        self.length = end;
        Ok(())
    }
}

impl Deref for Short {
    type Target = str;

    fn deref(&self) -> &str {
        // SAFETY: it was put together from whole texts.
        unsafe { str::from_utf8_unchecked(&self.bytes[..self.length]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_fits_and_what_is_longer_is_cut() {
        assert_eq!(&*Short::of(format_args!("{}-{:?}", u32::MAX, 0.5)), "4294967295-0.5");
        let longest = -1.234_567_890_123_456_7e-308_f64;
        assert_eq!(&*Short::of(format_args!("{longest:?}")), format!("{longest:?}"));
        let letters = "é".repeat(15);
        assert_eq!(*Short::of(format_args!("{letters}{}", "abc")), *letters);
    }
}
