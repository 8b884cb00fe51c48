//! Which field says what a struct is.

use proc_macro2::Ident;
use syn::{DataStruct, Error, Field, Index, Member, Result};

use super::words::{How, field_words};

/// The field, and how it says that.
pub(super) struct Chosen<'a> {
    pub(super) field: &'a Field,
    pub(super) member: Member,
    pub(super) how: How,
}

/// The marked field, or the only one.
///
/// # Errors
///
/// If there is none, or more than one.
pub(super) fn choose<'a>(name: &Ident, item: &'a DataStruct) -> Result<Chosen<'a>> {
    let mut chosen: Option<Chosen<'a>> = None;
    for (index, field) in item.fields.iter().enumerate() {
        let Some((how, span)) = field_words(&field.attrs)? else { continue };
        if chosen.is_some() {
            let message = "a value is that of one field, and another one is marked already";
            return Err(Error::new(span, message));
        }
        chosen = Some(Chosen { field, member: member(index, field), how });
    }
    if let Some(chosen) = chosen {
        return Ok(chosen);
    }
    let mut all = item.fields.iter().enumerate();
    match (all.next(), all.next()) {
        (Some((index, field)), None) => Ok(Chosen { field, member: member(index, field), how: How::Id }),
        (None, _) => Err(Error::new(
            name.span(),
            format!("a `{name}` has no field that could say what it is; implement `Observe` by hand"),
        )),
        _ => Err(Error::new(
            name.span(),
            format!(
                "which field says what a `{name}` is? mark the one that tells one from another with `#[observe(id)]`, \
                 or one with `#[observe(len)]` or `#[observe(with = path)]`"
            ),
        )),
    }
}

fn member(index: usize, field: &Field) -> Member {
    field.ident.clone().map_or(Member::Unnamed(Index::from(index)), Member::Named)
}
