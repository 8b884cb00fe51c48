//! The enums of a file: their paths and their variants.

use super::functions::{name_of, path_of};
use super::{is_readable, syntax_edition};
use crate::edition::Edition;
use crate::token::Tokens;
use ra_ap_syntax::ast::{self, AstNode, HasAttrs, HasGenericParams, HasName};
use ra_ap_syntax::{SourceFile, SyntaxNode, TextSize};
use std::ops::Range;

/// An enum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Enum {
    /// Its name.
    pub(crate) name: String,
    /// The bytes of that.
    pub(crate) name_at: Range<usize>,
    /// Its path inside the file, such as `chan::Msg`.
    pub(crate) path: String,
    /// Behind it.
    pub(crate) end: usize,
    /// The number of its lifetimes.
    pub(crate) lifetimes: usize,
    /// It is generic in a type or a constant.
    pub(crate) is_generic: bool,
    /// Its attributes that say when it is there, as they are written.
    pub(crate) conditions: String,
    /// The variants.
    pub(crate) variants: Vec<Variant>,
}

/// A variant of an enum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Variant {
    /// Its name.
    pub(crate) name: String,
    /// The bytes of that.
    pub(crate) name_at: Range<usize>,
    /// Its attributes that say when it is there, as they are written.
    pub(crate) conditions: String,
    /// What it holds.
    pub(crate) fields: Fields,
}

/// What a variant holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fields {
    /// So many values, in order.
    Numbered(usize),
    /// Values of these names.
    Named(Vec<String>),
}

impl Fields {
    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        match self {
            Fields::Numbered(count) => *count,
            Fields::Named(names) => names.len(),
        }
    }
}

/// The enums of this text in the order of their places. Those in the input of macros are not among them.
pub(crate) fn enums(text: &str, tokens: &Tokens<'_>, edition: Edition) -> Vec<Enum> {
    if !is_readable(tokens) {
        return Vec::new();
    }
    let root = SourceFile::parse(text, syntax_edition(edition)).tree();
    root.syntax().descendants().filter_map(ast::Enum::cast).filter_map(|it| enum_of(&it)).collect()
}

fn enum_of(node: &ast::Enum) -> Option<Enum> {
    let name = node.name()?;
    let params = node.generic_param_list();
    let params = || params.iter().flat_map(ast::GenericParamList::generic_params);
    let lifetimes = params().filter(|it| matches!(it, ast::GenericParam::LifetimeParam(_))).count();
    let variants = node.variant_list()?.variants();
    let outer = path_of(node.syntax(), "", &|it| name_of(it, false));
    Some(Enum {
        name: name.text().to_string(),
        name_at: range(name.syntax()),
        path: [outer, name.text().to_string()]
            .into_iter()
            .filter(|it| !it.is_empty())
            .collect::<Vec<_>>()
            .join("::"),
        end: at(node.syntax().text_range().end()),
        lifetimes,
        is_generic: params().count() > lifetimes,
        conditions: conditions(node),
        variants: variants.filter_map(|it| variant_of(&it)).collect(),
    })
}

fn variant_of(node: &ast::Variant) -> Option<Variant> {
    let name = node.name()?;
    let fields = match node.field_list() {
        None => Fields::Numbered(0),
        Some(ast::FieldList::TupleFieldList(it)) => Fields::Numbered(it.fields().count()),
        Some(ast::FieldList::RecordFieldList(it)) => {
            Fields::Named(it.fields().filter_map(|it| Some(it.name()?.text().to_string())).collect())
        }
    };
    Some(Variant {
        name: name.text().to_string(),
        name_at: range(name.syntax()),
        conditions: conditions(node),
        fields,
    })
}

/// The attributes `#[cfg(…)]` of an item, on one line.
fn conditions(node: &impl HasAttrs) -> String {
    let texts = node.attrs().map(|it| it.syntax().text().to_string());
    let conditions = texts.filter(|it| it.trim_start_matches(['#', '[', ' ']).starts_with("cfg"));
    conditions.map(|it| it.replace('\n', " ")).collect()
}

fn at(offset: TextSize) -> usize {
    usize::from(offset)
}

fn range(node: &SyntaxNode) -> Range<usize> {
    at(node.text_range().start())..at(node.text_range().end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_enum_has_its_path_and_its_variants() {
        let text = "mod a { #[cfg(b)] pub enum E<'a> { A, #[cfg(c)] B(u8, &'a str), C { d: u8 } } }\nfn f() { enum G<T> { H(T) } }";
        let found = enums(text, &Tokens::of(text), Edition::Rust2021);
        let paths: Vec<&str> = found.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, ["a::E", "f::G"]);
        assert_eq!(
            (found[0].lifetimes, found[0].is_generic, found[0].conditions.as_str()),
            (1, false, "#[cfg(b)]")
        );
        assert!(found[1].is_generic);
        assert_eq!(&text[found[0].end..found[0].end + 2], " }");
        let [a, b, c] = &*found[0].variants else { panic!("{:?}", found[0].variants) };
        assert_eq!((a.name.as_str(), &a.fields), ("A", &Fields::Numbered(0)));
        assert_eq!((b.conditions.as_str(), &b.fields), ("#[cfg(c)]", &Fields::Numbered(2)));
        assert_eq!(c.fields, Fields::Named(vec!["d".to_owned()]));
        assert_eq!(&text[c.name_at.clone()], "C");
    }
}
