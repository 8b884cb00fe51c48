//! What a crate's root file says about the crate.

use crate::token::Tokens;

/// Attributes of a crate that decide what can be inserted into its files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent facts")]
pub struct CrateFacts {
    /// `#![no_std]`: the prelude is that of `core`.
    pub no_std: bool,
    /// `#![cfg_attr(…, no_std)]`: the same under some condition.
    pub may_be_no_std: bool,
    /// It brings what a program needs that has no `std` at all: `#![no_main]`, or a `#[panic_handler]` in the root file.
    pub bare: bool,
    /// `#![no_implicit_prelude]`: there is no prelude. In a file that is not a root it holds for that file's module.
    pub no_implicit_prelude: bool,
}

impl CrateFacts {
    /// Why awaits cannot be marked in this crate, if they cannot. The marker is a method that a prelude brings in.
    pub fn reason_against_awaits(self) -> Option<&'static str> {
        if self.no_implicit_prelude {
            Some("`#![no_implicit_prelude]` leaves no way to bring the marker's trait into scope")
        } else if !self.can_be_linked_with_std() {
            Some("a program without `std` cannot be linked with what records")
        } else {
            None
        }
    }

    /// Whether what is compiled from the crate can be linked with `std`, be that for its tests.
    pub fn can_be_linked_with_std(self) -> bool {
        !(self.no_std && self.bare)
    }

    /// Whether the prelude may be that of `core`.
    pub fn may_have_core_prelude(self) -> bool {
        self.no_std || self.may_be_no_std
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
            facts.bare |= tokens.is_word(at + 3, "no_main");
        } else if tokens.is_word(at + 3, "cfg_attr") {
            facts.may_be_no_std |= (at + 4..close).any(|index| tokens.is_word(index, "no_std"));
        }
        at = close + 1;
    }
    let handles = |index| tokens.is(index, b'[') && tokens.is_word(index + 1, "panic_handler");
    facts.bare |= facts.no_std && (at..tokens.len()).any(handles);
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unconditional_inner_attributes_count() {
        const NONE: CrateFacts =
            CrateFacts { no_std: false, may_be_no_std: false, bare: false, no_implicit_prelude: false };
        let no_std = CrateFacts { no_std: true, ..NONE };
        let may_be_no_std = CrateFacts { may_be_no_std: true, ..NONE };
        let no_implicit_prelude = CrateFacts { no_implicit_prelude: true, ..NONE };
        let bare = CrateFacts { no_std: true, bare: true, ..NONE };
        let cases = [
            ("//! doc\n#![allow(x)]\n#![no_std]\nfn a() {}", no_std),
            ("#![ no_implicit_prelude ]", no_implicit_prelude),
            ("#![cfg_attr(not(test), no_std)]", may_be_no_std),
            ("#![cfg_attr(not(test), no_std, no_main)]", may_be_no_std),
            ("#![no_std]\n#![no_main]", bare),
            ("#![no_std]\nfn a() {}\n#[panic_handler] fn b() {}", bare),
            ("#[panic_handler] fn b() {}", NONE),
            ("#[no_std] fn a() {}", NONE),
            ("// #![no_std]\nmod a { #![no_std] }", NONE),
            ("", NONE),
        ];
        for (text, facts) in cases {
            assert_eq!(crate_facts(text), facts, "{text:?}");
        }
    }

    #[test]
    fn awaits_can_be_marked_unless_there_is_no_prelude_or_no_std_at_all() {
        let cases = [
            ("#![no_std]", true),
            ("#![cfg_attr(test, no_std)]", true),
            ("#![no_std]\n#![no_main]", false),
            ("#![no_implicit_prelude]", false),
            ("#![no_main]", true),
        ];
        for (text, can) in cases {
            assert_eq!(crate_facts(text).reason_against_awaits().is_none(), can, "{text}");
        }
    }
}
