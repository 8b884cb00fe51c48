//! The MIR of several crates of a workspace as that of one: what a crate calls of another one is called as if it were its own, and what
//! several of them call alike is spelled in another way in each.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How a crate spells what another one calls alike.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Spellings {
    /// Of its types and traits, by their names.
    pub(crate) types: BTreeMap<String, String>,
    /// Of the last segments of its functions and statics, by their paths.
    pub(crate) paths: BTreeMap<String, String>,
    /// What a path of its own may begin with: its modules.
    pub(crate) modules: BTreeSet<String>,
}

/// A type or trait of another crate that is named without saying of which.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unclear(pub(crate) String);

/// The MIR of a crate as it is read.
struct Reading<'a> {
    text: &'a str,
    number: usize,
    crates: &'a [&'a str],
    spellings: &'a [Spellings],
    /// What was found of names that do not say their crates.
    bare: BTreeMap<&'a str, Owner>,
}

/// Whose a type is that is named alone.
#[derive(Clone, Copy)]
enum Owner {
    Crate(usize),
    /// It cannot be told.
    Unclear,
    /// None of these crates.
    Other,
}

/// A path as far as it was read.
#[derive(Default)]
struct Path<'a> {
    /// The crate that it says, by number.
    of: Option<usize>,
    /// Its segments behind the crate.
    segments: Vec<&'a str>,
    /// Where its last word ends.
    end: usize,
    /// It goes on behind something else than words.
    is_inner: bool,
}

/// Rewrites the MIR of the crate of that number: paths that begin with one of these crates begin behind it. Allocations have names that
/// no other crate has. What several crates call alike is spelled as it is in its own. Fails where a name does not say whose it is, and
/// that `matters`.
pub(crate) fn as_own(
    text: &str,
    number: usize,
    crates: &[&str],
    spellings: &[Spellings],
    matters: &BTreeSet<String>,
) -> Result<String, Unclear> {
    let mut of = Reading { text, number, crates, spellings, bare: BTreeMap::new() };
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut kept, mut at) = (0, 0);
    let mut path = Path::default();
    while at < bytes.len() {
        if !is_part(bytes[at]) {
            at += 1;
            continue;
        }
        let begin = at;
        while at < bytes.len() && is_part(bytes[at]) {
            at += 1;
        }
        let word = &text[begin..at];
        let goes_on = text[..begin].ends_with("::");
        if !goes_on {
            path = Path::default();
        } else if path.end + 2 != begin {
            path = Path { is_inner: true, ..Path::default() };
        }
        path.end = at;
        let known = crates.iter().position(|it| !goes_on && text[at..].starts_with("::") && *it == word);
        if known.is_some() {
            at += 2;
            out.push_str(&text[kept..begin]);
            (kept, path.of, path.end) = (at, known, at - 2);
            continue;
        }
        let spelling = of.spelling(&path, word, begin, at);
        path.segments.push(word);
        if let Some(it) = spelling {
            match it {
                Ok(it) => {
                    out.push_str(&text[kept..begin]);
                    out.push_str(it);
                    kept = at;
                }
                Err(it) if matters.contains(&it.0) => return Err(it),
                Err(_) => {}
            }
        } else if word
            .strip_prefix("alloc")
            .is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
        {
            out.push_str(&text[kept..at]);
            let _ = write!(out, "_{number}");
            kept = at;
        }
    }
    out.push_str(&text[kept..]);
    Ok(out)
}

const fn is_part(it: u8) -> bool {
    it.is_ascii_alphanumeric() || it == b'_' || it >= 0x80
}

/// Whether a segment is a type rather than a module.
pub(crate) fn is_type(segment: &str) -> bool {
    segment.starts_with(char::is_uppercase)
}

impl<'a> Reading<'a> {
    /// How a word behind a path is spelled, if in another way.
    fn spelling(
        &mut self,
        path: &Path<'a>,
        word: &'a str,
        begin: usize,
        end: usize,
    ) -> Option<Result<&'a str, Unclear>> {
        // What stands behind a type is a variant, or what is associated with it.
        if path.is_inner || path.segments.iter().any(|it| is_type(it)) {
            return None;
        }
        let own = &self.spellings[self.number];
        let of = match path.of {
            Some(of) => &self.spellings[of],
            None => own,
        };
        let (before, after) = (&self.text[..begin], &self.text[end..]);
        if !of.paths.is_empty() && !is_more(after) && !is_no_path(path, before, after) {
            let mut all = path.segments.clone();
            all.push(word);
            if let Some(it) = of.paths.get(&all.join("::")) {
                return Some(Ok(it));
            }
        }
        let is_variant = before.ends_with(" as ") && after.starts_with(')');
        let is_foreign =
            path.of.is_none() && path.segments.first().is_some_and(|it| !own.modules.contains(*it));
        if is_variant || is_foreign {
            return None;
        }
        if let Some(it) = of.types.get(word) {
            return Some(Ok(it));
        }
        if path.of.is_some()
            || !path.segments.is_empty()
            || !self.spellings.iter().any(|it| it.types.contains_key(word))
        {
            return None;
        }
        let of = self.bare.get(word).copied().unwrap_or_else(|| {
            let found = self.owner_of(word);
            self.bare.insert(word, found);
            found
        });
        let unclear = || Unclear(word.to_owned());
        match of {
            Owner::Crate(of) => {
                Some(self.spellings[of].types.get(word).map(String::as_str).ok_or_else(unclear))
            }
            Owner::Unclear => Some(Err(unclear())),
            Owner::Other => None,
        }
    }

    /// The crate of a type that the compiler names without it, because it sees no other of that name. It is the one that the same type
    /// is named with elsewhere, or the only one of those before it that has one.
    fn owner_of(&self, word: &str) -> Owner {
        let is_its = |number: usize| self.spellings[number].types.contains_key(word);
        let mut heads = BTreeSet::new();
        for (at, _) in self.text.match_indices(word) {
            let ends = self.text.as_bytes().get(at + word.len()).is_none_or(|it| !is_part(*it));
            if ends && self.text[..at].ends_with("::") {
                let path = self.text[..at].bytes().rev().take_while(|it| is_part(*it) || *it == b':').count();
                heads.insert(self.text[at - path..at].split("::").next().unwrap_or_default());
            }
        }
        heads.remove("");
        let its: Vec<usize> =
            heads.iter().filter_map(|head| self.crates.iter().position(|it| it == head)).collect();
        match (its.as_slice(), heads.len()) {
            ([one], 1) if is_its(*one) => Owner::Crate(*one),
            ([], 0) => {
                let mut before = (0..self.number).filter(|it| is_its(*it));
                match (before.next(), before.next()) {
                    (Some(only), None) => Owner::Crate(only),
                    _ => Owner::Unclear,
                }
            }
            ([], _) => Owner::Other,
            _ => Owner::Unclear,
        }
    }
}

/// Whether a path goes on with another word.
fn is_more(after: &str) -> bool {
    after.strip_prefix("::").is_some_and(|it| it.bytes().next().is_some_and(is_part))
}

/// Whether a word alone is the name of a field or of a variable, or part of a file's.
fn is_no_path(path: &Path<'_>, before: &str, after: &str) -> bool {
    let is_alone = path.of.is_none() && path.segments.is_empty();
    let declares = before.ends_with("static ") || before.ends_with("static mut ");
    is_alone
        && (before.ends_with(['/', '.', '@', '-', '\'', '"', '#'])
            || before.ends_with("debug ")
            || before.ends_with("impl at ")
            || after.starts_with(['.', '/', '-', '"'])
            || after.starts_with(": ") && !declares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_linked_crates_begin_behind_their_names() {
        let cases = [
            ("_3 = shop::Cart::add(move _1) -> bb1", "_3 = Cart::add(move _1) -> bb1"),
            ("<shop::a::Cart<shop::Item> as Drop>::drop", "<a::Cart<Item> as Drop>::drop"),
            ("other::shop::f, workshop::f, shop_front::f", "other::shop::f, workshop::f, shop_front::f"),
            ("const {alloc7: &Mutex<u8>}, alloc, allocate", "const {alloc7_2: &Mutex<u8>}, alloc, allocate"),
            ("alloc7 (static: shop::POOL, size: 8)", "alloc7_2 (static: POOL, size: 8)"),
            ("é::shop::f", "é::shop::f"),
        ];
        let none = [const {
            Spellings { types: BTreeMap::new(), paths: BTreeMap::new(), modules: BTreeSet::new() }
        }; 3];
        for (text, expected) in cases {
            assert_eq!(as_own(text, 2, &["shop"], &none, &BTreeSet::new()), Ok(expected.to_owned()));
        }
    }

    fn spellings(types: &[&str], paths: &[&str], letter: char) -> Spellings {
        let of = |it: &str| format!("{}{letter}", it.rsplit("::").next().unwrap_or_default());
        let both = |all: &[&str]| all.iter().map(|it| ((*it).to_owned(), of(it))).collect();
        Spellings { types: both(types), paths: both(paths), modules: BTreeSet::from(["m".to_owned()]) }
    }

    #[test]
    fn what_two_crates_call_alike_is_spelled_as_in_its_own() {
        let all = [
            spellings(&["Cart", "Hook"], &["run", "m::POOL"], '0'),
            spellings(&["Cart", "Hook"], &["run", "m::POOL"], '1'),
            spellings(&[], &["run"], '2'),
        ];
        let own = |text: &str, number| as_own(text, number, &["shop", "mall", "top"], &all, &BTreeSet::new());
        let cases = [
            ("_3 = shop::m::Cart::add(_1: &Cart)", "_3 = m::Cart0::add(_1: &Cart1)"),
            (
                "<dyn shop::Hook as shop::Hook>::run(x::Cart, m::Cart)",
                "<dyn Hook0 as Hook0>::run(x::Cart, m::Cart1)",
            ),
            (
                "fn run() { shop::run(); run::<u8>(); map(run) }",
                "fn run1() { run0(); run1::<u8>(); map(run1) }",
            ),
            (
                "debug run => _1; S { run: _2 }; run.rs; {closure@run.rs:1}",
                "debug run => _1; S { run: _2 }; run.rs; {closure@run.rs:1}",
            ),
            ("static m::POOL: M; (static: shop::m::POOL, 8)", "static m::POOL1: M; (static: m::POOL0, 8)"),
            (
                "((_3 as Cart).0: u8); Event::Cart; _3 as Cart (X)",
                "((_3 as Cart).0: u8); Event::Cart; _3 as Cart1 (X)",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(own(text, 1), Ok(expected.to_owned()));
        }
        // One that declares no such type means the one that it names in full elsewhere.
        assert_eq!(own("x: shop::Cart; Cart::add()", 2), Ok("x: Cart0; Cart0::add()".to_owned()));
        assert_eq!(own("x: std::Cart; Cart::add()", 2), Ok("x: std::Cart; Cart::add()".to_owned()));
        let matters = BTreeSet::from(["Cart".to_owned()]);
        let unclear = as_own("Cart::add()", 2, &["shop", "mall", "top"], &all, &matters);
        assert_eq!(unclear, Err(Unclear("Cart".to_owned())));
    }
}
