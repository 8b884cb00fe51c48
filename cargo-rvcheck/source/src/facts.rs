//! What a crate's root file says about the crate.

use crate::token::Tokens;

/// Attributes of a crate that decide what can be inserted into its files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CrateFacts {
    /// `#![no_std]`: the prelude is that of `core`. A conditional `#![cfg_attr(.., no_std)]` does not count.
    pub no_std: bool,
    /// `#![no_implicit_prelude]`: there is no prelude. In a file that is not a root it holds for that file's module.
    pub no_implicit_prelude: bool,
}

impl CrateFacts {
    /// Why awaits cannot be marked in this crate, if they cannot. The marker is a method that a prelude brings in.
    pub fn reason_against_awaits(self) -> Option<&'static str> {
        if self.no_implicit_prelude {
            Some("`#![no_implicit_prelude]` leaves no way to bring the marker's trait into scope")
        } else if self.no_std {
            Some("the prelude of a `#![no_std]` crate does not have the marker's trait")
        } else {
            None
        }
    }
}

/// Reads the facts from the inner attributes at the beginning of a root file.
pub fn crate_facts(root_text: &str) -> CrateFacts {
    facts(&Tokens::of(root_text))
}

/// The same for text that is already split.
pub(crate) fn facts(tokens: &Tokens<'_>) -> CrateFacts {
    let mut facts = CrateFacts::default();
    let mut at = 0;
    while tokens.is(at, b'#')
        && tokens.is(at + 1, b'!')
        && tokens.is(at + 2, b'[')
        && let Some(close) = tokens.closing(at + 2)
    {
        if close == at + 4 {
            facts.no_std |= tokens.is_word(at + 3, "no_std");
            facts.no_implicit_prelude |= tokens.is_word(at + 3, "no_implicit_prelude");
        }
        at = close + 1;
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unconditional_inner_attributes_count() {
        let cases = [
            ("//! doc\n#![allow(x)]\n#![no_std]\nfn a() {}", (true, false)),
            ("#![ no_implicit_prelude ]", (false, true)),
            ("#![cfg_attr(not(test), no_std)]", (false, false)),
            ("#[no_std] fn a() {}", (false, false)),
            ("// #![no_std]\nmod a { #![no_std] }", (false, false)),
            ("", (false, false)),
        ];
        for (text, (no_std, no_implicit_prelude)) in cases {
            assert_eq!(crate_facts(text), CrateFacts { no_std, no_implicit_prelude }, "{text:?}");
        }
    }
}
