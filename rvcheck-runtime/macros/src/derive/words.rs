//! `#[observe(…)]` on types that derive `Observe`, and on their fields.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Error, Meta, Path, Result, Token};

use crate::guess::{guess, listed};

/// How a field says what the struct is.
pub(super) enum How {
    /// By its own value.
    Id,
    /// By its length.
    Length,
    /// By what this function makes of it.
    With(Path),
}

/// What is said of the type as a whole.
#[derive(Default)]
pub(super) struct TypeWords {
    /// The crate with the trait.
    pub(super) path: Option<Path>,
}

/// Whether it is the attribute of this derive.
pub(super) fn is_ours(attribute: &Attribute) -> bool {
    attribute.path().is_ident("observe")
}

impl TypeWords {
    pub(super) fn of(attributes: &[Attribute]) -> Result<TypeWords> {
        let mut words = TypeWords::default();
        for (key, value) in all(attributes, "`#[observe(crate = path)]`")? {
            let name = key.to_string();
            match (&*name, value) {
                ("crate", Some(path)) if words.path.is_none() => words.path = Some(path),
                ("crate", Some(_)) => return Err(Error::new(key.span(), "the crate is named twice")),
                ("crate", None) => {
                    return Err(Error::new(key.span(), "a path follows, as in `crate = crate::rvcheck`"));
                }
                ("id" | "len" | "with", _) => {
                    return Err(Error::new(key.span(), format!("`{name}` stands on a field")));
                }
                _ => {
                    let guess = guess(&name, ["crate"]);
                    return Err(Error::new(
                        key.span(),
                        format!("a type has no word `{name}`, but `crate = path`{guess}"),
                    ));
                }
            }
        }
        Ok(words)
    }
}

/// What is said of a field, and where; `None` if nothing is.
pub(super) fn field_words(attributes: &[Attribute]) -> Result<Option<(How, Span)>> {
    const KEYS: [&str; 3] = ["id", "len", "with"];
    let mut found = None;
    for (key, value) in all(attributes, "`#[observe(id)]`, `#[observe(len)]` or `#[observe(with = path)]`")? {
        let name = key.to_string();
        let how = match (&*name, value) {
            ("id", None) => How::Id,
            ("len", None) => How::Length,
            ("with", Some(path)) => How::With(path),
            ("with", None) => {
                return Err(Error::new(
                    key.span(),
                    "the path of a function follows, as in `with = number_of`",
                ));
            }
            ("id" | "len", Some(_)) => return Err(Error::new(key.span(), format!("`{name}` stands alone"))),
            ("crate", _) => return Err(Error::new(key.span(), "`crate` stands on the type")),
            _ => {
                let guess = guess(&name, KEYS);
                return Err(Error::new(
                    key.span(),
                    format!("a field has no word `{name}`, but {}{guess}", listed(&KEYS)),
                ));
            }
        };
        if found.is_some() {
            return Err(Error::new(key.span(), "a field says one thing"));
        }
        found = Some((how, key.span()));
    }
    Ok(found)
}

/// The words of all attributes of ours; those of a word without a path have none. `form` is what is shown where there are none.
fn all(attributes: &[Attribute], form: &str) -> Result<Vec<(Ident, Option<Path>)>> {
    let mut words = Vec::new();
    for attribute in attributes.iter().filter(|it| is_ours(it)) {
        let Meta::List(list) = &attribute.meta else {
            return Err(Error::new_spanned(attribute.path(), format!("say what is observed: {form}")));
        };
        if list.tokens.is_empty() {
            return Err(Error::new_spanned(list, format!("say what is observed: {form}")));
        }
        let mut read = |input: ParseStream<'_>| {
            while !input.is_empty() {
                let key = input.call(Ident::parse_any)?;
                let path = match input.parse::<Option<Token![=]>>()? {
                    Some(_) => Some(input.call(Path::parse_mod_style).or_else(|_| input.parse())?),
                    None => None,
                };
                words.push((key, path));
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        attribute.parse_args_with(&mut read)?;
    }
    Ok(words)
}
