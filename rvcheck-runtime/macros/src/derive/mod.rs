//! `#[derive(Observe)]`.

mod crate_path;
mod field;
mod words;

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    Data, DataEnum, DeriveInput, Error, GenericParam, Generics, Path, Result, Type, WherePredicate,
    parse_quote_spanned,
};

use field::Chosen;
use words::{How, TypeWords};

/// The implementation, or what keeps it from being made.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    syn::parse2(item).and_then(|it| implementation(&it)).unwrap_or_else(Error::into_compile_error)
}

fn implementation(item: &DeriveInput) -> Result<TokenStream> {
    let words = TypeWords::of(&item.attrs)?;
    let krate = words.path.unwrap_or_else(crate_path::found);
    let (value, bound) = match &item.data {
        Data::Enum(it) => (of_enum(it, &krate)?, None),
        Data::Struct(it) => {
            let chosen = field::choose(&item.ident, it)?;
            let bound = bound(&chosen, &item.generics, &krate);
            (of_field(&chosen, &krate), bound)
        }
        Data::Union(it) => {
            let message = "nobody can tell which field of a union is in use; implement `Observe` by hand";
            return Err(Error::new(it.union_token.span, message));
        }
    };
    let (of, arguments, condition) = item.generics.split_for_impl();
    let conditions = condition.iter().flat_map(|it| &it.predicates).chain(&bound);
    let name = &item.ident;
    Ok(quote! {
        #[automatically_derived]
        impl #of #krate::Observe for #name #arguments where #(#conditions,)* {
            #[inline]
            fn value(&self) -> #krate::Value<'_> {
                #value
            }
        }
    })
}

/// The name of the variant.
fn of_enum(item: &DataEnum, krate: &Path) -> Result<TokenStream> {
    for variant in &item.variants {
        let attributes = variant.attrs.iter().chain(variant.fields.iter().flat_map(|it| &it.attrs));
        if let Some(attribute) = attributes.into_iter().find(|it| words::is_ours(it)) {
            let message = "an enum is the name of its variant, whatever that holds; implement `Observe` by hand for another value";
            return Err(Error::new(attribute.path().span(), message));
        }
    }
    if item.variants.is_empty() {
        return Ok(quote!(match *self {}));
    }
    let arms = item.variants.iter().map(|it| {
        let (name, text) = (&it.ident, it.ident.unraw().to_string());
        quote!(Self::#name { .. } => #text,)
    });
    Ok(quote!(#krate::Value::Text(match self { #(#arms)* })))
}

/// The value of a field, by what is said of it.
fn of_field(chosen: &Chosen<'_>, krate: &Path) -> TokenStream {
    let (member, span) = (&chosen.member, chosen.field.ty.span());
    match &chosen.how {
        How::Id => quote_spanned!(span=> #krate::Observe::value(&self.#member)),
        How::Length => quote_spanned! {span=>
            #krate::Value::Int(::core::primitive::i64::try_from(self.#member.len()).unwrap_or(::core::primitive::i64::MAX))
        },
        How::With(path) => {
            let span = path.span();
            quote_spanned!(span=> ::core::convert::Into::<#krate::Value<'_>>::into(#path(&self.#member)))
        }
    }
}

/// What a type parameter has to have so that the field has a value.
fn bound(chosen: &Chosen<'_>, generics: &Generics, krate: &Path) -> Option<WherePredicate> {
    let of = &chosen.field.ty;
    let is_parameter = |it: &Ident| {
        generics
            .params
            .iter()
            .any(|parameter| matches!(parameter, GenericParam::Type(known) if known.ident == *it))
    };
    let is_generic = matches!(chosen.how, How::Id) && mentions(of, &is_parameter);
    is_generic.then(|| parse_quote_spanned!(of.span()=> #of: #krate::Observe))
}

/// Whether a type speaks of such a name.
fn mentions(of: &Type, is_it: &impl Fn(&Ident) -> bool) -> bool {
    fn any(tokens: TokenStream, is_it: &impl Fn(&Ident) -> bool) -> bool {
        tokens.into_iter().any(|it| match it {
            proc_macro2::TokenTree::Ident(it) => is_it(&it),
            proc_macro2::TokenTree::Group(it) => any(it.stream(), is_it),
            _ => false,
        })
    }
    any(quote!(#of), is_it)
}
