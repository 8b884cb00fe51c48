//! Marks the awaits and the calls of interest in a file, and lets a root file assert that the shims are in force.
//!
//! `expr.await` becomes `expr.__rv_await::<N>().await`, and `m.lock()` becomes `m.lock().__rv_site::<N>()`; see
//! [`marker`](crate::marker) for the number. The methods come from the prelude of the `std` shim, so no `use` is needed (but
//! see [`with_items`](crate::delivery::with_items)), and because they are postfix nothing has to be known about the expression.
//! Before the dot of an operation on an atomic stands a marker, too: `a.load(order)` becomes `a.__rv_atomic::<N>().load(order)`.
//! All are found as tokens, so those in the input of macros and in `macro_rules!` bodies are marked as well. Where an insertion
//! turns out not to compile, the caller passes its place in [`Options::skip`] and rewrites again. A comment of the same length
//! then stands where the marker was, so that all positions in the rewritten text are the same whatever is skipped.
//!
//! A macro sees the tokens of its input. Nothing is inserted in the input of one that may do more with it than to run it; see
//! [`macros`](crate::macros). Such an await is returned as skipped. Where an assertion shows its condition, the text of the
//! original is inserted as its message.
//!
//! The methods of a global allocator begin with a call that keeps hooks out of its way, see `allocator`.

mod wanted;

use crate::edit::{Edit, apply};
use crate::edition::Edition;
use crate::hoist::{Placed, Placing};
use crate::lines::Lines;
use crate::macros::{Hidden, OwnMacros};
use crate::observe::{Module, Observation, Observed};
use crate::role::Roles;
use crate::token::Tokens;
use rvcheck_event::position::SourcePosition;
use std::borrow::Cow;
use std::collections::BTreeMap;
use wanted::{Wanted, wanted};

/// Changes whenever [`rewrite`] gives other text for the same input, so that what was built from it is not reused.
pub const REWRITE_VERSION: u32 = 11;

/// What to do with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options<'a> {
    /// The file is the root of a crate, so the assertions go at its end.
    pub root: bool,
    /// The names of the crates whose shims the root asserts to be in force, such as `std` and `tokio`.
    pub asserts: &'a [String],
    /// Mark awaits. Pass false where the crate's root has [facts](crate::crate_root::CrateFacts) against it.
    pub awaits: bool,
    /// The number of the file in the numbers of its places; see [`file_number`](crate::marker::file_number).
    pub file: u32,
    /// What is not to be marked because that did not compile, by the [`Edit::stands_for`] of its marker, each with what the
    /// compiler reported.
    pub skip: &'a BTreeMap<usize, String>,
    /// The macros that the workspace defines.
    pub macros: &'a OwnMacros,
    /// The folder of the original file, so that Rust files beside it are included as text from there.
    pub folder: Option<&'a str>,
    /// The functions that are events.
    pub observations: &'a [Observation],
    /// What the file is part of.
    pub module: Module<'a>,
    /// The folder of its package as the compiler names it, where that is somebody else's, so that nothing is marked and only calls from
    /// outside are observed.
    pub foreign: Option<&'a str>,
    /// It is known which code of the workspace is a library.
    pub libraries: bool,
}

impl Options<'static> {
    /// Everything is marked in a file that is no root, in a workspace without macros.
    pub const PLAIN: Options<'static> = Options {
        root: false,
        asserts: &[],
        awaits: true,
        file: 0,
        skip: &BTreeMap::new(),
        macros: OwnMacros::NONE,
        folder: None,
        observations: &[],
        module: Module { krate: "", path: &[] },
        foreign: None,
        libraries: false,
    };
}

/// A rewritten file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rewritten {
    /// The new text. It has the same line breaks as the original.
    pub text: String,
    /// What was inserted into the text, in order.
    pub edits: Vec<Edit>,
    /// What attributes in that text insert, in the order of their places.
    pub hoisted: Vec<Edit>,
    /// What was left as it was though it would be of interest, in order.
    pub skipped: Vec<Skipped>,
    /// The observed functions, in order.
    pub observed: Vec<Observed>,
}

impl Rewritten {
    /// What the compiler sees inserted, whether it stands in the text or an attribute inserts it.
    pub fn insertions(&self) -> impl Iterator<Item = &Edit> {
        self.edits.iter().chain(&self.hoisted)
    }
}

/// Something that was left as it was.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Skipped {
    /// Where it begins: for an await, the word `await`.
    pub position: SourcePosition,
    /// Why, as a clause without a capital or a full stop.
    pub reason: String,
}

/// Rewrites one file. Nothing about the text needs to be right; what does not look like an await is left alone.
pub fn rewrite(text: &str, edition: Edition, options: &Options<'_>) -> Rewritten {
    let tokens = Tokens::of(text);
    let roles = Roles::of(&tokens);
    let lines = Lines::of(text);
    let hidden = Hidden::of(&tokens, &roles, options.macros);
    let placing = Placing::of(text, &tokens, &roles, edition);
    let mut wanted = wanted(text, (&tokens, &roles, &hidden), edition, options);
    wanted.leave_out(&hidden, &placing);
    let Wanted { edits, mut skipped, observed } = wanted;
    skipped.extend(observed.iter().filter_map(|it| Some((it.name.start, unobserved(it)?))));
    let skipped = skipped.into_iter();
    let mut skipped: Vec<Skipped> =
        skipped.map(|(at, reason)| Skipped { position: lines.source_position(at), reason }).collect();
    skipped.sort();
    let Placed { mut edits, hoisted } = placing.placed(edits);
    if options.root {
        for name in options.asserts {
            if tokens.ends_in_line_comment {
                let reason =
                    format!("the file ends in a comment, so it cannot assert that {name} is instrumented");
                skipped.push(Skipped { position: lines.source_position(text.len()), reason });
            } else {
                let insert = Cow::Owned(format!(" const _: () = ::{name}::__rv_shim::IN_FORCE;"));
                edits.push(Edit { offset: text.len(), insert, stands_for: text.len() });
            }
        }
    }
    Rewritten { text: apply(text, &edits), edits, hoisted, skipped, observed }
}

/// What is said of a function that is not observed, if it is not.
fn unobserved(observed: &Observed) -> Option<String> {
    Some(format!("`{}` is not observed: {}", observed.function, observed.unmonitored.as_ref()?))
}

/// Rewrites a file with everything inserted where it belongs, whatever that moves.
#[cfg(test)]
pub(crate) fn in_place(text: &str, edition: Edition, options: &Options<'_>) -> Rewritten {
    let tokens = Tokens::of(text);
    let roles = Roles::of(&tokens);
    let hidden = Hidden::of(&tokens, &roles, options.macros);
    let lines = Lines::of(text);
    let Wanted { edits, skipped, observed } = wanted(text, (&tokens, &roles, &hidden), edition, options);
    let skipped = skipped.into_iter();
    let skipped =
        skipped.map(|(at, reason)| Skipped { position: lines.source_position(at), reason }).collect();
    Rewritten { text: apply(text, &edits), edits, hoisted: Vec::new(), skipped, observed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marker::{Marker, MarkerKind};

    const AWAITS: Options<'static> = Options::PLAIN;

    /// The text with `~` in place of each marker of an await, and `^` of a call.
    fn shown(rewritten: &Rewritten) -> String {
        let mut text = rewritten.text.clone();
        for edit in &rewritten.edits {
            let sign = match Marker::of_text(&edit.insert).map(|it| it.kind) {
                Some(MarkerKind::Await) => "~",
                Some(MarkerKind::Site) => "^",
                Some(MarkerKind::Atomic) => "@",
                Some(MarkerKind::Asked) => "?",
                None => continue,
            };
            text = text.replace(&*edit.insert, sign);
        }
        text
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(shown(&in_place(text, Edition::Rust2021, &AWAITS)), expected);
    }

    #[test]
    fn a_marker_goes_before_the_dot() {
        let cases = [
            ("a.await", "a~.await"),
            ("a.await?.b().await", "a~.await?.b()~.await"),
            ("a()\n  . // why\r\n await;", "a()\n  ~. // why\r\n await;"),
            ("x.0.await; x.0.1.await", "x.0~.await; x.0.1~.await"),
            ("a?.await; async {}.await; v[0].await", "a?~.await; async {}~.await; v[0]~.await"),
            ("r#fn.await; \"s\".await", "r#fn~.await; \"s\"~.await"),
        ];
        for (text, expected) in cases {
            check(text, expected);
        }
    }

    #[test]
    fn awaits_in_macros_are_marked_on_the_right_side_only() {
        check(
            "select! { a = b.await => {} } macro_rules! m { ($x:expr, c.await) => { $x.await; n!(d.await) } }",
            "select! { a = b~.await => {} } macro_rules! m { ($x:expr, c.await) => { $x~.await; n!(d.await) } }",
        );
    }

    #[test]
    fn what_is_no_await_is_left_alone() {
        let texts = [
            "// a.await\n/// b.await\n/* c.await */ \"d.await\" r#\"e.await\"# 'f'",
            "#[a(b.await)] fn c() {}",
            "a.r#await; a.awaits(); await.b; a..await; self::await!(c)",
            "fn a() -> u8 { 1 }\r\n",
        ];
        for text in texts {
            let rewritten = in_place(text, Edition::Rust2021, &AWAITS);
            assert_eq!(
                (rewritten.text.as_str(), rewritten.edits.len(), rewritten.skipped.len()),
                (text, 0, 0)
            );
        }
        assert_eq!(in_place("a.await", Edition::Rust2015, &AWAITS).text, "a.await");
    }

    #[test]
    fn what_is_skipped_has_a_place_and_a_reason() {
        let root = Options { root: true, ..AWAITS };
        let rolled_back = BTreeMap::from([(9 + 3, "type annotations needed (E0282)".to_owned())]);
        let cases = [
            ("\n stringify!(é.await)", AWAITS, (2, 15), "surrounding macro"),
            ("vec!(.await)", AWAITS, (1, 7), "no expression"),
            ("m!(a.await)", AWAITS, (1, 6), "not known what the surrounding `m!` makes"),
            ("dbg!(a.await)", AWAITS, (1, 8), "`dbg!` shows the text"),
            ("#![no_std] #![no_main]\na.await", root.clone(), (2, 3), "without `std`"),
            ("#![no_implicit_prelude]\na.await", AWAITS, (2, 3), "no_implicit_prelude"),
            ("a.await", Options { awaits: false, ..AWAITS }, (1, 3), "cannot be marked"),
            (
                "a.await; b .await",
                Options { skip: &rolled_back, ..AWAITS },
                (1, 13),
                "compile here: type annotations",
            ),
        ];
        for (text, options, place, reason) in cases {
            let rewritten = in_place(text, Edition::Rust2021, &options);
            let [skipped] = &*rewritten.skipped else { panic!("{text}: {:?}", rewritten.skipped) };
            assert_eq!((skipped.position.line, skipped.position.column), place, "{text}");
            assert!(skipped.reason.contains(reason), "{text}: {}", skipped.reason);
        }
        assert_eq!(in_place("#![no_std]\na.await", Edition::Rust2021, &AWAITS).edits.len(), 1);
    }

    #[test]
    fn a_text_is_included_from_beside_the_original() {
        let text = "a.await; include_str!(\"b.rs\"); c.await";
        let options = Options { folder: Some("/d"), ..AWAITS };
        let rewritten = in_place(text, Edition::Rust2021, &options);
        assert_eq!(shown(&rewritten), "a~.await; include_str!(\"/d/b.rs\"); c~.await");
    }

    #[test]
    fn a_root_asserts_its_shims_behind_its_last_line() {
        let asserts = ["std".to_owned(), "tokio".to_owned()];
        let options = Options { root: true, asserts: &asserts, ..AWAITS };
        let both = " const _: () = ::std::__rv_shim::IN_FORCE; const _: () = ::tokio::__rv_shim::IN_FORCE;";
        for text in ["fn a() {}\n", "fn a() {}", "", "/* b */"] {
            assert_eq!(rewrite(text, Edition::Rust2021, &options).text, format!("{text}{both}"));
        }
        let commented = rewrite("fn a() {} // b", Edition::Rust2021, &options);
        assert_eq!((commented.text.as_str(), commented.skipped.len()), ("fn a() {} // b", 2));
    }

    #[test]
    fn calls_of_interest_are_marked_behind_their_parentheses() {
        let cases = [
            ("a.lock().b(); c.lock() . await?", "a.lock()^.b(); c.lock()^ ~. await?"),
            ("tokio::spawn(async { rx.recv().await });", "tokio::spawn(async { rx.recv()^~.await })^;"),
            (
                "let (a, b) = mpsc::channel::<u8>(3); f(a.send(1));",
                "let (a, b) = mpsc::channel::<u8>(3)^; f(a.send(1)^);",
            ),
            (
                "macro_rules! m { ($x:expr, a.lock()) => { $x.lock() } }",
                "macro_rules! m { ($x:expr, a.lock()) => { $x.lock()^ } }",
            ),
            (
                "a.store(true, Release); while !b.0.load(Ordering::Acquire) {}",
                "a@.store(true, Release); while !b.0?.load(Ordering::Acquire) {}",
            ),
            (
                "static A: B = c.lock(); const fn d() { c.lock() } fn e() { c.lock() }",
                "static A: B = c.lock(); const fn d() { c.lock() } fn e() { c.lock()^ }",
            ),
            (
                "fn lock() {} trait A { fn send(&self, b: u8); }",
                "fn lock() {} trait A { fn send(&self, b: u8); }",
            ),
            // Their values may get their types from what is expected of the whole.
            (
                "let a: Mutex<Box<dyn B>> = Mutex::new(Box::new(1));",
                "let a: Mutex<Box<dyn B>> = Mutex::new(Box::new(1));",
            ),
            (
                "assert!(a.lock().is_err()); vec![a.lock()]; stringify!(a.lock())",
                "assert!(a.lock().is_err()); vec![a.lock()^]; stringify!(a.lock())",
            ),
        ];
        for (text, expected) in cases {
            check(text, expected);
        }
    }

    #[test]
    fn a_marker_holds_the_file_and_the_offset() {
        let text = "\n a.lock().await";
        let rewritten = in_place(text, Edition::Rust2021, &Options { file: 0xabcd_ef01, ..AWAITS });
        let numbers = rewritten.edits.iter().filter_map(|it| Marker::of_text(&it.insert)).map(|it| it.number);
        let words = ["lock", "await"].map(|it| text.find(it));
        assert_eq!(
            numbers.map(|it| (it.file(), Some(it.offset()))).collect::<Vec<_>>(),
            words.map(|it| (0xabcd_ef01, it))
        );
    }

    #[test]
    fn a_marker_that_is_skipped_moves_no_position() {
        let text = "a.lock().await; b.await;";
        let skipped = |word: &str| {
            let skip = BTreeMap::from([(text.find(word).expect("it is there"), "no".to_owned())]);
            in_place(text, Edition::Rust2021, &Options { skip: &skip, ..AWAITS })
        };
        let places =
            |it: &Rewritten| it.edits.iter().map(|it| (it.offset, it.stands_for)).collect::<Vec<_>>();
        let all = in_place(text, Edition::Rust2021, &AWAITS);
        for (word, expected, monitored) in
            [("lock", "a.lock()?~.await; b~.await;", true), ("await", "a.lock()^?.await; b~.await;", false)]
        {
            let part = skipped(word);
            let undone =
                part.edits.iter().find(|it| Marker::of_text(&it.insert).is_none()).expect("it is undone");
            assert_eq!(shown(&part).replace(&*undone.insert, "?"), expected);
            assert_eq!(part.text.len(), all.text.len());
            assert_eq!(places(&part), places(&all));
            // An await without its marker is unmonitored and listed, but a call is monitored all the same.
            assert_eq!(part.skipped.is_empty(), monitored);
        }
    }
}
