//! The `impl` blocks of a file, which the compiler calls by their positions.

use super::{is_readable, syntax_edition, type_name};
use crate::edition::Edition;
use crate::lines::Lines;
use crate::token::Tokens;
use ra_ap_syntax::SourceFile;
use ra_ap_syntax::ast::{self, AstNode};

/// An `impl` block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Impl {
    /// The line of the word `impl`, or of the `unsafe` before it, from 1.
    pub(crate) line: u32,
    /// The column of that, from 1.
    pub(crate) column: u32,
    /// The last segment of the type's name.
    pub(crate) of: String,
    /// The last segment of the trait's name, if it is of one.
    pub(crate) of_trait: Option<String>,
}

/// The `impl` blocks of a file that are not made by macros.
pub(crate) fn impls(text: &str, edition: Edition) -> Vec<Impl> {
    if !is_readable(&Tokens::of(text)) {
        return Vec::new();
    }
    let lines = Lines::of(text);
    let root = SourceFile::parse(text, syntax_edition(edition)).tree();
    let found = root.syntax().descendants().filter_map(ast::Impl::cast).filter_map(|it| {
        let first = [it.default_token(), it.unsafe_token(), it.impl_token()].into_iter().flatten().next()?;
        let (line, column) = lines.position(usize::from(first.text_range().start()));
        let of_trait = it.trait_().as_ref().map(type_name);
        Some(Impl { line, column, of: it.self_ty().as_ref().map(type_name).unwrap_or_default(), of_trait })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impl_block_is_known_by_where_it_begins() {
        let text = "impl A {}\nmod m {\n    #[x] unsafe impl<T> b::Send for super::B<T> {} }\nfn f() { impl Drop for &C {} }";
        let found: Vec<_> = impls(text, Edition::Rust2021)
            .into_iter()
            .map(|it| (it.line, it.column, it.of, it.of_trait))
            .collect();
        let named = |line, column, of: &str, of_trait: Option<&str>| {
            (line, column, of.to_owned(), of_trait.map(str::to_owned))
        };
        assert_eq!(
            found,
            [named(1, 1, "A", None), named(3, 10, "B", Some("Send")), named(4, 10, "C", Some("Drop"))]
        );
    }
}
