//! What an attribute stands on.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, ImplItem, ItemImpl, ItemTrait, Result, Signature, Token, TraitItem, Visibility};

/// An item, as far as an attribute has to know it.
pub(crate) enum Item {
    /// A function or method, or all those of an impl block or a trait.
    Functions {
        /// `impl` or `trait`; `None` for a single function.
        keyword: Option<Ident>,
        /// Without those that have a syntax of their own.
        signatures: Vec<Signature>,
    },
    /// A struct, enum or union, by the word that says which.
    Type { keyword: Ident },
    /// Anything else, by the word that says what it is.
    Other { keyword: Ident },
    /// Something whose syntax is not known here. The compiler says what is wrong with it, if anything is.
    Unknown,
}

impl Item {
    pub(crate) fn of(tokens: TokenStream) -> Item {
        let read = |input: ParseStream<'_>| {
            let item = Item::read(input);
            // What is not understood is not looked at.
            let _rest: TokenStream = input.parse()?;
            Ok(item.unwrap_or(Item::Unknown))
        };
        read.parse2(tokens).unwrap_or(Item::Unknown)
    }

    fn read(input: ParseStream<'_>) -> Result<Item> {
        let whole = input.fork();
        Attribute::parse_outer(input)?;
        input.parse::<Visibility>()?;
        let signature = input.fork();
        let keyword = keyword(input)?;
        Ok(match &*keyword.to_string() {
            "fn" => Item::Functions { keyword: None, signatures: signature.parse().into_iter().collect() },
            "impl" => {
                let block: ItemImpl = whole.parse()?;
                let functions = block.items.into_iter().filter_map(|it| match it {
                    ImplItem::Fn(it) => Some(it.sig),
                    _ => None,
                });
                Item::Functions { keyword: Some(keyword), signatures: functions.collect() }
            }
            "trait" => {
                let block: ItemTrait = whole.parse()?;
                let functions = block.items.into_iter().filter_map(|it| match it {
                    TraitItem::Fn(it) => Some(it.sig),
                    _ => None,
                });
                Item::Functions { keyword: Some(keyword), signatures: functions.collect() }
            }
            "struct" | "enum" | "union" => Item::Type { keyword },
            "const" | "static" | "mod" | "use" | "type" | "extern" => Item::Other { keyword },
            _ => Item::Unknown,
        })
    }
}

/// The word that says what an item is: the first one that is no qualifier.
fn keyword(input: ParseStream<'_>) -> Result<Ident> {
    loop {
        let word = input.call(Ident::parse_any)?;
        let qualifies = match &*word.to_string() {
            "async" | "unsafe" | "safe" | "default" | "auto" | "gen" => true,
            // A constant has a name behind it, and so has a crate.
            "const" => {
                input.peek(Token![fn])
                    || input.peek(Token![async])
                    || input.peek(Token![unsafe])
                    || input.peek(Token![extern])
            }
            "extern" => {
                let _abi: Option<syn::LitStr> = input.parse()?;
                input.peek(Token![fn])
            }
            _ => false,
        };
        if !qualifies {
            return Ok(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        match Item::of(text.parse().unwrap()) {
            Item::Functions { keyword, signatures } => {
                let names: Vec<String> = signatures.iter().map(|it| it.ident.to_string()).collect();
                let keyword = keyword.map_or("fn".to_owned(), |it| it.to_string());
                format!("{keyword} {}", names.join(" "))
            }
            Item::Type { .. } => "type".to_owned(),
            Item::Other { keyword } => format!("other {keyword}"),
            Item::Unknown => "unknown".to_owned(),
        }
    }

    #[test]
    fn items_of_every_kind_are_distinguished() {
        let cases = [
            ("fn a() {}", "fn a"),
            ("#[inline] pub(crate) const async unsafe extern \"C\" fn a(&self);", "fn a"),
            (
                "/// Text.\n fn a<T: Into<U>, U>(self: &Arc<Self>, (b, c): (u8, u8)) -> impl Fn() where T: Copy { loop {} }",
                "fn a",
            ),
            ("unsafe impl<T> !Send for A<T> {}", "impl "),
            ("impl A { const B: u8 = 1; fn a() {} pub async fn b(self) {} type C = u8; }", "impl a b"),
            ("pub unsafe auto trait A { fn a(&self) {} type B; fn b(); }", "trait a b"),
            ("pub struct A;", "type"),
            ("enum A {}", "type"),
            ("union A { a: u8 }", "type"),
            ("pub const A: u8 = 1;", "other const"),
            ("const _: () = ();", "other const"),
            ("static A: u8 = 1;", "other static"),
            ("mod a {}", "other mod"),
            ("extern crate a;", "other extern"),
            ("extern \"C\" { fn a(); }", "other extern"),
            ("use a::b;", "other use"),
            ("type A = u8;", "other type"),
            ("impl A { fn a() -> something strange }", "unknown"),
            ("", "unknown"),
            ("= 1", "unknown"),
            ("something strange", "unknown"),
            ("fn", "fn "),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
