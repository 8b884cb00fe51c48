//! Attributes, which check their words and leave their item alone.

mod item;
mod observe;
mod parameters;

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::{Error, LitStr, Result, Token};

use crate::name;
use item::Item;
pub(crate) use observe::observe;

/// What an attribute does with its words, and with what it stands on.
pub(crate) type Check = fn(TokenStream, &Item) -> Result<()>;

/// The item as it is, followed by what is wrong with the words.
pub(crate) fn applied(
    words: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
    check: Check,
) -> proc_macro::TokenStream {
    let problem = checked(words.into(), item.clone().into(), check).err();
    let mut output = item;
    output.extend(problem.map(|it| proc_macro::TokenStream::from(it.into_compile_error())));
    output
}

fn checked(words: TokenStream, item: TokenStream, check: Check) -> Result<()> {
    check(words, &Item::of(item))
}

/// `#[group("workers")]`.
pub(crate) fn group(words: TokenStream, item: &Item) -> Result<()> {
    let name = |input: ParseStream<'_>| {
        let name: LitStr = input.parse().map_err(|_| {
            Error::new(input.span(), "the group has to be named, as in `#[rvcheck::group(\"workers\")]`")
        })?;
        nothing_more(input)?;
        name::check(&name, "a group")
    };
    let mut problems = Problems::default();
    problems.note(name.parse2(words));
    if let Item::Type { keyword } | Item::Other { keyword } | Item::Functions { keyword: Some(keyword), .. } =
        item
    {
        let message = "`group` stands on a function that spawns; all that it spawns belongs to the group";
        problems.note::<()>(Err(Error::new(keyword.span(), message)));
    }
    problems.finish()
}

/// Nothing may follow.
fn nothing_more(input: ParseStream<'_>) -> Result<()> {
    if input.is_empty() { Ok(()) } else { Err(Error::new(input.span(), "nothing more is expected here")) }
}

/// What is wrong, all of it.
#[derive(Default)]
struct Problems(Option<Error>);

impl Problems {
    /// Keeps the problem, if it is one.
    fn note<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(it) => Some(it),
            Err(error) => {
                match &mut self.0 {
                    Some(known) => known.combine(error),
                    None => self.0 = Some(error),
                }
                None
            }
        }
    }

    fn finish(self) -> Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

/// Goes on to the next comma, so that what follows is looked at, too.
fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _skipped = input.parse::<TokenTree>();
    }
}

/// Reads entries between commas, of which each one that is wrong is noted.
fn entries(
    input: ParseStream<'_>,
    problems: &mut Problems,
    mut entry: impl FnMut(ParseStream<'_>, &mut Problems) -> Result<()>,
) {
    while !input.is_empty() {
        let read = entry(input, problems);
        let is_whole = read.is_ok();
        problems.note(read);
        if is_whole && !input.is_empty() && !input.peek(Token![,]) {
            problems.note::<()>(Err(Error::new(input.span(), "a comma is expected here")));
        }
        skip_to_comma(input);
        let _comma = input.parse::<Option<Token![,]>>();
    }
}
