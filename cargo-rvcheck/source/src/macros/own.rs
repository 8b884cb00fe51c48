//! The macros that a workspace defines itself: whether they pass their input on as code, and do nothing else with it.
//!
//! A marker is inserted before a dot, or behind the parenthesis of a call. No arm of a macro is chosen by that, and no other
//! one than before, if the fragments in front of it are whole expressions, blocks or items, or the rest of a group as it is. What
//! is captured must then be used as code only: not in an attribute, not in a macro that makes text of it or is not known.

use super::hidden::{Use, invocation, of_name, shown_part};
use crate::call::path;
use crate::imports::Imports;
use crate::role::{Definition, Role, Roles};
use crate::token::Tokens;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The macros of a workspace.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OwnMacros {
    /// The names of the members' crates, in code.
    crates: BTreeSet<String>,
    /// Whether the macros of each name pass their input on as code.
    passing: BTreeMap<String, bool>,
}

/// What a definition asks of others, so that it passes its input on as code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defined {
    name: String,
    /// The macros that get what it captures; `None` if it does not pass its input on as code in any case.
    needs: Option<BTreeSet<Need>>,
}

/// A macro that is to pass its input on as code.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Need {
    /// The crate that its path begins with, or one of the words that stand for the own one; `None` without a path.
    krate: Option<String>,
    name: String,
    /// It does so unless it is one of the workspace.
    known: bool,
}

impl OwnMacros {
    /// Those of a workspace that has none.
    pub const NONE: &'static OwnMacros = &OwnMacros { crates: BTreeSet::new(), passing: BTreeMap::new() };

    /// The macros with these definitions in a workspace with these crates. A macro that is defined more than once has to pass its input
    /// on wherever it is.
    pub fn new(crates: BTreeSet<String>, definitions: impl IntoIterator<Item = Defined>) -> OwnMacros {
        let definitions: Vec<Defined> = definitions.into_iter().collect();
        let passing = definitions.iter().map(|it| (it.name.clone(), true)).collect();
        let mut macros = OwnMacros { crates, passing };
        // A macro that passes its input on to itself does so as code, unless there is something else against it.
        loop {
            let is_met =
                |it: &Defined| it.needs.as_ref().is_some_and(|it| it.iter().all(|it| macros.meets(it)));
            let fails = |it: &&Defined| macros.passes_on(&it.name) && !is_met(it);
            let failed: Vec<String> = definitions.iter().filter(fails).map(|it| it.name.clone()).collect();
            if failed.is_empty() {
                return macros;
            }
            macros.passing.extend(failed.into_iter().map(|it| (it, false)));
        }
    }

    fn meets(&self, need: &Need) -> bool {
        let may_be_own = need.krate.as_ref().is_none_or(|it| self.is_own_crate(it));
        match self.passing.get(&need.name) {
            Some(passes) if may_be_own => *passes,
            _ => need.known,
        }
    }

    /// Whether a path that begins with this leads into the workspace.
    pub(super) fn is_own_crate(&self, first: &str) -> bool {
        ["crate", "self", "super"].contains(&first) || self.crates.contains(first)
    }

    /// Whether the workspace defines none.
    pub fn is_empty(&self) -> bool {
        self.passing.is_empty()
    }

    /// The macros whose names a text invokes, and whether these pass their input on as code.
    pub fn used_in<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (&'a str, bool)> {
        let names = text.match_indices('!').filter_map(|(end, _)| {
            let before = text.get(..end)?;
            before.rsplit(|it: char| it != '_' && !it.is_alphanumeric()).next()
        });
        names.filter_map(|it| self.passing.get_key_value(it)).map(|(name, passes)| (name.as_str(), *passes))
    }

    /// Whether the workspace defines a macro of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.passing.contains_key(name)
    }

    /// Whether the macros of this name pass their input on as code.
    pub(super) fn passes_on(&self, name: &str) -> bool {
        self.passing.get(name) == Some(&true)
    }
}

/// The macros that a file defines.
pub fn definitions(text: &str) -> Vec<Defined> {
    if !text.contains("macro_rules") {
        return Vec::new();
    }
    let tokens = Tokens::of(text);
    let roles = Roles::of(&tokens);
    let imports = Imports::of(&tokens);
    let defined = |it: &Definition| {
        let mut reading =
            Reading { tokens: &tokens, roles: &roles, imports: &imports, needs: BTreeSet::new() };
        let arms = it.bodies.iter().map(|&(open, close)| reading.arm(open, close));
        let all: Option<()> = arms.collect();
        let whole = !it.bodies.is_empty() && all.is_some();
        Defined { name: tokens.text(it.name).to_owned(), needs: whole.then_some(reading.needs) }
    };
    roles.definitions.iter().map(defined).collect()
}

/// Fragments in which a place can lie, and that are whole.
const WHOLE: [&str; 6] = ["block", "expr", "expr_2021", "item", "pat", "stmt"];

/// Fragments in which no place lies, or none that is marked.
const PLAIN: [&str; 8] = ["ident", "lifetime", "literal", "meta", "pat_param", "path", "ty", "vis"];

/// What is captured by the variables of an arm.
#[derive(Default)]
struct Captured<'a> {
    /// Whole fragments.
    whole: BTreeSet<&'a str>,
    /// The rest of a group, token by token.
    rests: BTreeSet<&'a str>,
}

/// Reads the definitions of a file.
struct Reading<'a, 't> {
    tokens: &'a Tokens<'t>,
    roles: &'a Roles,
    imports: &'a Imports<'t>,
    needs: BTreeSet<Need>,
}

impl<'t> Reading<'_, 't> {
    /// Reads the arm with the body between these delimiters; `None` if it does more with its input than to pass it on.
    fn arm(&mut self, open: usize, close: usize) -> Option<()> {
        let matcher_close = open.checked_sub(3)?;
        let matcher = self.tokens.opening(matcher_close)? + 1..matcher_close;
        let captured = self.matcher(matcher)?;
        self.body(open + 1..close, &captured)
    }

    fn matcher(&self, range: Range<usize>) -> Option<Captured<'t>> {
        let tokens = self.tokens;
        let mut captured = Captured::default();
        let mut at = range.start;
        while at < range.end {
            let variable = tokens.is(at, b'$') && tokens.is_any_word(at + 1) && tokens.is(at + 2, b':');
            if variable {
                let (name, fragment) = (tokens.text(at + 1), tokens.text(at + 3));
                if WHOLE.contains(&fragment) {
                    captured.whole.insert(name);
                } else if fragment == "tt" && self.is_rest(at) {
                    captured.rests.insert(name);
                } else if !PLAIN.contains(&fragment) {
                    return None;
                }
                at += 4;
                continue;
            }
            // What would be matched by the place itself.
            let called = tokens.is(at, b'(') && at > range.start && self.is_callee(at - 1);
            if tokens.is(at, b'.') || tokens.is_word(at, "await") || called {
                return None;
            }
            at += 1;
        }
        Some(captured)
    }

    /// Whether the variable at this index is all of a repetition behind which its group ends.
    fn is_rest(&self, at: usize) -> bool {
        let tokens = self.tokens;
        let opens = at >= 2 && tokens.is(at - 1, b'(') && tokens.is(at - 2, b'$');
        let repeats = tokens.is(at + 5, b'*') || tokens.is(at + 5, b'+');
        opens && tokens.is(at + 4, b')') && repeats && tokens.opening(at + 6).is_some()
    }

    /// Whether the token at this index of a matcher can be the end of what is called.
    fn is_callee(&self, at: usize) -> bool {
        let tokens = self.tokens;
        let is_fragment = at >= 3 && tokens.is(at - 1, b':') && tokens.is(at - 3, b'$');
        let declares =
            if is_fragment { at >= 4 && tokens.is_word(at - 4, "fn") } else { tokens.is_word(at - 1, "fn") };
        tokens.is_any_word(at) && !declares
    }

    fn body(&mut self, range: Range<usize>, captured: &Captured<'t>) -> Option<()> {
        let tokens = self.tokens;
        let mut at = range.start;
        while at < range.end {
            if tokens.is_word(at, "macro_rules") {
                return None;
            }
            if let Some((open, close)) = invocation(tokens, at) {
                self.invoked(at, open + 1..close, captured)?;
            }
            if tokens.is(at, b'$') && tokens.is_any_word(at + 1) {
                let name = tokens.text(at + 1);
                let is_rest = captured.rests.contains(name);
                if is_rest && !self.is_whole_rest(at) {
                    return None;
                }
                let captures = is_rest || captured.whole.contains(name);
                if captures && matches!(self.roles.get(at), Role::Attribute | Role::Quoted) {
                    return None;
                }
            }
            at += 1;
        }
        Some(())
    }

    /// Whether the rest of a group is put down as it is by the variable at this index.
    fn is_whole_rest(&self, at: usize) -> bool {
        let tokens = self.tokens;
        let opens = at >= 2 && tokens.is(at - 1, b'(') && tokens.is(at - 2, b'$');
        let repeats = tokens.is(at + 3, b'*') || tokens.is(at + 3, b'+');
        opens && tokens.is(at + 2, b')') && repeats
    }

    /// The macro at this index, with this input, in the body of an arm.
    fn invoked(&mut self, index: usize, input: Range<usize>, captured: &Captured<'t>) -> Option<()> {
        let tokens = self.tokens;
        let gets = |range: Range<usize>| {
            range.clone().any(|at| {
                let name = tokens.text(at + 1);
                let is_captured = captured.whole.contains(name) || captured.rests.contains(name);
                at + 1 < range.end && tokens.is(at, b'$') && is_captured
            })
        };
        if !gets(input.clone()) {
            return Some(());
        }
        let is_quoted = self.roles.get(input.start) == Role::Quoted;
        let path = self.imports.resolve(&path(tokens, index).1);
        let (name, before) = path.split_last()?;
        let known = match of_name(tokens, index, self.imports, OwnMacros::NONE) {
            Use::Known(known) => Some(!gets(shown_part(tokens, &input, known))),
            Use::Own(_) | Use::Unknown => None,
        };
        if is_quoted || known == Some(false) {
            return None;
        }
        let krate = before.first().map(|it| (*it).to_owned());
        self.needs.insert(Need { krate, name: (*name).to_owned(), known: known.is_some() });
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether `m!` passes its input on in a workspace of this text alone.
    fn passes(text: &str) -> bool {
        OwnMacros::new(BTreeSet::new(), definitions(text)).passes_on("m")
    }

    #[test]
    fn macros_that_pass_their_input_on_are_recognised() {
        for text in [
            "macro_rules! m { ($a:expr) => { f($a) }; ($a:expr, $b:block) => { { $a; $b } } }",
            "macro_rules! m { ($($a:item)*) => { $(#[cfg(x)] $a)* } }",
            "macro_rules! m { ($($t:tt)*) => { async { $($t)* } } }",
            "macro_rules! m { (fn $n:ident() $b:block) => { async fn $n() $b } }",
            "macro_rules! m { (all: $($t:tt)*) => { n!($($t)*) } } macro_rules! n { ($a:expr) => { vec![$a] } }",
            "macro_rules! m { ($a:expr, $($r:tt)*) => { m!($($r)*); $a }; () => {} }",
            "macro_rules! m { ($a:expr) => { assert!($a, \"it is not\"); assert_eq!($a, 1, \"{}\", $a) } }",
            "macro_rules! m { ($n:ident, $a:expr) => { let $n = $a; println!(\"{}\", stringify!($n)) } }",
            "macro_rules! m { ($a:expr) => { $crate::n!($a) } } macro_rules! n { ($a:expr) => { $a } }",
        ] {
            assert!(passes(text), "{text}");
        }
    }

    #[test]
    fn the_workspace_macros_that_a_text_invokes_are_found() {
        let defined = definitions(
            "macro_rules! m { ($a:expr) => { $a } } macro_rules! n { ($a:tt) => { stringify!($a) } }",
        );
        let macros = OwnMacros::new(BTreeSet::new(), defined);
        let used: Vec<_> = macros.used_in("a != m; crate::m!(1); é!(2); n!{} m! [] other!()").collect();
        assert_eq!(used, [("m", true), ("n", false), ("m", true)]);
    }

    #[test]
    fn macros_that_inspect_their_input_are_recognised() {
        for text in [
            "macro_rules! m { ($a:ident . await) => { 1 }; ($a:expr) => { 2 } }",
            "macro_rules! m { ($a:expr) => { (stringify!($a), $a) } }",
            "macro_rules! m { ($($t:tt)*) => { 0 $(+ one!($t))* } }",
            "macro_rules! m { ($a:tt $b:tt $c:tt) => { $a $b $c }; ($($t:tt)*) => { $($t)* } }",
            "macro_rules! m { ($h:tt $($t:tt)*) => { m!($($t)*) }; () => {} }",
            "macro_rules! m { ($a:expr) => { assert!($a) } }",
            "macro_rules! m { ($a:expr) => { dbg!($a) } }",
            "macro_rules! m { ($a:expr) => { info!($a) } }",
            "macro_rules! m { ($a:expr) => { elsewhere::n!($a) } } macro_rules! n { ($a:expr) => { $a } }",
            "macro_rules! m { ($a:expr) => { vec![$a] } } macro_rules! vec { ($a:expr) => { stringify!($a) } }",
            "macro_rules! m { ($a:expr) => { #[doc = $a] struct B; } }",
            "macro_rules! m { ($a:expr) => { n!($a) } } macro_rules! n { ($a:expr) => { stringify!($a) } }",
            "macro_rules! m { ($a:expr) => { macro_rules! n { () => { stringify!($a) } } } }",
            "macro_rules! m { ($f:ident ($($a:expr),*)) => { $f }; ($a:expr) => { $a } }",
            "macro_rules! m { ($a:expr) => { $a } } mod b { macro_rules! m { ($a:expr) => { stringify!($a) } } }",
            "macro_rules! m { ($($t:tt)* ; $a:expr) => { $a } }",
            "macro_rules! m {}",
            "",
        ] {
            assert!(!passes(text), "{text}");
        }
    }
}
