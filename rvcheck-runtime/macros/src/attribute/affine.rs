//! `#[affine(thread)]` and `#[affine(task)]`.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Result};

use super::{Item, Problems, nothing_more};
use crate::guess::guess;

/// What values can belong to.
const OWNERS: [&str; 2] = ["thread", "task"];

/// Checks that the word is one of them, and that it is said of a type.
pub(crate) fn affine(words: TokenStream, item: &Item) -> Result<()> {
    let owner = |input: ParseStream<'_>| {
        let form =
            "say what the values belong to: `#[rvcheck::affine(thread)]` or `#[rvcheck::affine(task)]`";
        let owner = input.call(Ident::parse_any).map_err(|_| Error::new(input.span(), form))?;
        let name = owner.to_string();
        if !OWNERS.contains(&&*name) {
            let guess = guess(&name, OWNERS);
            return Err(Error::new(owner.span(), format!("values belong to a `thread` or a `task`{guess}")));
        }
        nothing_more(input)
    };
    let mut problems = Problems::default();
    problems.note(owner.parse2(words));
    let wrong = match item {
        Item::Type { .. } | Item::Unknown => None,
        Item::Functions { keyword: Some(keyword), .. } | Item::Other { keyword } => Some(keyword.span()),
        Item::Functions { keyword: None, signatures } => signatures.first().map(|it| it.fn_token.span),
    };
    if let Some(span) = wrong {
        problems.note::<()>(Err(Error::new(span, "`affine` stands on a struct, an enum or a union")));
    }
    problems.finish()
}
