//! The `impl` blocks of a file, which the compiler calls by their positions.

use super::attributes::left_out;
use super::exposed::{Exposed, exposed};
use super::meanings::{self, Meanings, Written, meanings};
use super::{is_readable, syntax_edition, type_name};
use crate::conditions::Conditions;
use crate::edition::Edition;
use crate::lines::Lines;
use crate::token::Tokens;
use crate::ty::Ty;
use ra_ap_syntax::ast::{self, AstNode, HasAttrs, HasName, HasVisibility};
use ra_ap_syntax::{NodeOrToken, SourceFile, SyntaxKind};
use rvcheck_event::position::CompiledPosition;
use std::collections::{BTreeMap, BTreeSet};

/// An `impl` block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Impl {
    /// Where the word `impl`, or the `unsafe` before it, begins.
    pub(crate) position: CompiledPosition,
    /// The last segment of the type's name.
    pub(crate) of: String,
    /// The last segment of the trait's name, if it is of one.
    pub(crate) of_trait: Option<String>,
    /// The names in its type and trait.
    pub(crate) mentions: BTreeSet<String>,
}

/// What a file declares, as far as no macro makes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Declarations {
    /// The `impl` blocks, those of derives included.
    pub(crate) impls: Vec<Impl>,
    /// The structs, enums and unions.
    pub(crate) types: Vec<Declared>,
    /// The names of traits.
    pub(crate) traits: Vec<String>,
    /// The names of those that are `pub`.
    pub(crate) public_traits: Vec<String>,
    /// The names of functions that are `pub`, and of all that stand in the input or the body of a macro.
    pub(crate) public: BTreeSet<String>,
    /// The methods of types, as `Type::method`, by whether other crates may call them.
    pub(crate) methods: BTreeMap<String, bool>,
    /// The functions that are no methods, by whether one of that name is `pub`, or may be.
    pub(crate) free: BTreeMap<String, bool>,
    /// The names of type parameters, and of what may be one in the input of macros.
    pub(crate) parameters: Vec<String>,
    /// The texts that the conditions of compilation leave out.
    pub(crate) left_out: Vec<String>,
    /// What its names mean.
    pub(crate) meanings: Meanings,
    /// What it exposes to other crates.
    pub(crate) exposed: Exposed,
}

/// What a file declares where these conditions hold. Nothing where it cannot be read.
pub(crate) fn declarations(text: &str, edition: Edition, conditions: &Conditions) -> Declarations {
    if !is_readable(&Tokens::of(text)) {
        return Declarations::default();
    }
    let root = SourceFile::parse(text, syntax_edition(edition)).tree();
    let traits: Vec<ast::Trait> = root.syntax().descendants().filter_map(ast::Trait::cast).collect();
    Declarations {
        impls: impls(&root, &Lines::of(text)),
        types: types(&root, edition),
        public_traits: traits
            .iter()
            .filter(|it| it.visibility().is_some_and(|it| it.syntax().text() == "pub"))
            .filter_map(|it| Some(it.name()?.text().to_string()))
            .collect(),
        traits: traits.iter().filter_map(|it| Some(it.name()?.text().to_string())).collect(),
        public: public(&root),
        methods: methods(&root),
        free: free(&root),
        parameters: parameters(&root),
        meanings: meanings(&root),
        exposed: exposed(&root),
        left_out: left_out(&root, conditions).into_iter().map(|it| text[it].to_owned()).collect(),
    }
}

fn impls(root: &SourceFile, lines: &Lines<'_>) -> Vec<Impl> {
    let found = root.syntax().descendants().filter_map(ast::Impl::cast).filter_map(|it| {
        let first = [it.default_token(), it.unsafe_token(), it.impl_token()].into_iter().flatten().next()?;
        let position = lines.compiled_position(usize::from(first.text_range().start()));
        let of_trait = it.trait_().as_ref().map(type_name);
        let types = [it.self_ty(), it.trait_()].into_iter().flatten();
        let tokens = types.flat_map(|it| it.syntax().descendants_with_tokens().collect::<Vec<_>>());
        let names = tokens.filter_map(NodeOrToken::into_token).filter(|it| it.kind() == SyntaxKind::IDENT);
        let mentions = names.map(|it| it.text().to_owned()).collect();
        let of = it.self_ty().as_ref().map(type_name).unwrap_or_default();
        Some(Impl { position, of, of_trait, mentions })
    });
    let adts = root.syntax().descendants().filter_map(ast::Adt::cast);
    found.chain(adts.flat_map(|it| derived(&it, lines))).collect()
}

/// A type that a file declares.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Declared {
    /// Its name.
    pub(crate) name: String,
    /// All names in its declaration.
    pub(crate) mentions: BTreeSet<String>,
    /// The types of its fields.
    pub(crate) fields: BTreeSet<Written>,
    /// The names of its variants in their order, for an enum without numbers of its own.
    pub(crate) variants: Option<Vec<String>>,
    /// The names of its fields in their order, for a struct with such.
    pub(crate) named: Option<Vec<String>>,
}

fn types(root: &SourceFile, edition: Edition) -> Vec<Declared> {
    let adts = root.syntax().descendants().filter_map(ast::Adt::cast);
    let declared = adts.filter_map(|it| {
        let tokens = it.syntax().descendants_with_tokens().filter_map(NodeOrToken::into_token);
        let mentions = tokens
            .filter(|it| it.kind() == SyntaxKind::IDENT || it.kind().is_keyword(syntax_edition(edition)));
        Some(Declared {
            variants: variants(&it),
            named: named(&it),
            fields: fields(&it),
            name: it.name()?.text().to_string(),
            mentions: mentions.map(|it| it.text().to_owned()).collect(),
        })
    });
    declared.collect()
}

fn fields(adt: &ast::Adt) -> BTreeSet<Written> {
    let parameters = meanings::parameters(adt);
    let types = adt.syntax().descendants().filter_map(|it| match ast::RecordField::cast(it.clone()) {
        Some(it) => it.ty(),
        None => ast::TupleField::cast(it)?.ty(),
    });
    types
        .map(|it| Written { ty: Ty::read(&meanings::text_of(it.syntax())), parameters: parameters.clone() })
        .collect()
}

fn public(root: &SourceFile) -> BTreeSet<String> {
    let functions = root.syntax().descendants().filter_map(ast::Fn::cast);
    let public = functions.filter(|it| it.visibility().is_some_and(|it| it.syntax().text() == "pub"));
    let named = public.filter_map(|it| Some(it.name()?.text().to_string()));
    named.chain(in_macros(root)).collect()
}

/// The names of all functions that stand in the input or the body of a macro.
fn in_macros(root: &SourceFile) -> Vec<String> {
    let trees = root.syntax().descendants().filter(|it| ast::TokenTree::can_cast(it.kind()));
    let made = trees.flat_map(|it| {
        let tokens = it.children_with_tokens().filter_map(NodeOrToken::into_token);
        let tokens: Vec<_> = tokens.filter(|it| !it.kind().is_trivia()).collect();
        let names = tokens.windows(2).filter(|it| it[0].text() == "fn").map(|it| it[1].text().to_owned());
        names.collect::<Vec<_>>()
    });
    made.collect()
}

/// Functions beside methods have names of their own.
fn free(root: &SourceFile) -> BTreeMap<String, bool> {
    let mut found: BTreeMap<String, bool> = BTreeMap::new();
    for it in root.syntax().descendants().filter_map(ast::Fn::cast) {
        let is_item = it.syntax().parent().is_none_or(|it| !ast::AssocItemList::can_cast(it.kind()));
        let is_pub = it.visibility().is_some_and(|it| it.syntax().text() == "pub");
        if let Some(name) = it.name().filter(|_| is_item) {
            *found.entry(name.text().to_string()).or_default() |= is_pub;
        }
    }
    found.extend(in_macros(root).into_iter().map(|it| (it, true)));
    found
}

/// A method that says `pub` is only there for others where its type does, too, as far as that stands in the file.
fn methods(root: &SourceFile) -> BTreeMap<String, bool> {
    let is_pub = |it: &dyn HasVisibility| it.visibility().is_some_and(|it| it.syntax().text() == "pub");
    let adts = root.syntax().descendants().filter_map(ast::Adt::cast);
    let own: BTreeSet<String> =
        adts.filter(|it| !is_pub(it)).filter_map(|it| Some(it.name()?.text().to_string())).collect();
    let mut found: BTreeMap<String, bool> = BTreeMap::new();
    for it in root.syntax().descendants().filter_map(ast::Impl::cast).filter(|it| it.trait_().is_none()) {
        let Some(ast::Type::PathType(of)) = it.self_ty() else { continue };
        let Some(of) = of.path().and_then(|it| it.segment()).and_then(|it| it.name_ref()) else { continue };
        let of = of.text().to_string();
        for item in it.assoc_item_list().into_iter().flat_map(|it| it.assoc_items()) {
            let ast::AssocItem::Fn(method) = item else { continue };
            let Some(name) = method.name() else { continue };
            let is_open = is_pub(&method) && !own.contains(&of);
            *found.entry(format!("{of}::{}", name.text())).or_default() |= is_open;
        }
    }
    found
}

fn variants(adt: &ast::Adt) -> Option<Vec<String>> {
    let ast::Adt::Enum(of) = adt else { return None };
    let variants = of.variant_list()?.variants();
    let name = |it: ast::Variant| {
        let plain = it.eq_token().is_none() && is_always_there(&it);
        it.name().filter(|_| plain).map(|it| it.text().to_string())
    };
    variants.map(name).collect()
}

fn named(adt: &ast::Adt) -> Option<Vec<String>> {
    let ast::Adt::Struct(of) = adt else { return None };
    let ast::FieldList::RecordFieldList(fields) = of.field_list()? else { return None };
    let name =
        |it: ast::RecordField| it.name().filter(|_| is_always_there(&it)).map(|it| it.text().to_string());
    fields.fields().map(name).collect()
}

/// One that may be left out moves the others.
fn is_always_there(it: &impl HasAttrs) -> bool {
    it.attrs().all(|it| it.simple_name().as_deref() != Some("cfg"))
}

fn parameters(root: &SourceFile) -> Vec<String> {
    let mut found = Vec::new();
    for node in root.syntax().descendants() {
        if let Some(parameter) = ast::TypeParam::cast(node.clone()) {
            found.extend(parameter.name().map(|it| it.text().to_string()));
        } else if ast::TokenTree::can_cast(node.kind()) {
            let tokens = node.children_with_tokens().filter_map(NodeOrToken::into_token);
            let tokens: Vec<_> = tokens.filter(|it| !it.kind().is_trivia()).collect();
            for three in tokens.windows(3) {
                let opens = matches!(three[0].kind(), SyntaxKind::L_ANGLE | SyntaxKind::COMMA);
                let closes = matches!(
                    three[2].kind(),
                    SyntaxKind::R_ANGLE | SyntaxKind::COMMA | SyntaxKind::COLON | SyntaxKind::EQ
                );
                if opens && closes && three[1].kind() == SyntaxKind::IDENT {
                    found.push(three[1].text().to_owned());
                }
            }
        }
    }
    found
}

/// The `impl` blocks that the derives of a declaration make. The compiler calls each by the place of its trait's name.
fn derived(adt: &ast::Adt, lines: &Lines<'_>) -> Vec<Impl> {
    let Some(of) = adt.name().map(|it| it.text().to_string()) else { return Vec::new() };
    let mut found = Vec::new();
    for attribute in adt.attrs().filter(|it| it.simple_name().as_deref() == Some("derive")) {
        let Some(tree) = attribute.syntax().descendants().find_map(ast::TokenTree::cast) else { continue };
        let tokens = tree.syntax().descendants_with_tokens().filter_map(NodeOrToken::into_token);
        let mut begin = None;
        let mut last = None;
        for token in tokens {
            match token.kind() {
                SyntaxKind::IDENT => {
                    begin = begin.or(Some(token.text_range().start()));
                    last = Some(token.text().to_owned());
                }
                SyntaxKind::COMMA | SyntaxKind::R_PAREN => {
                    if let (Some(begin), Some(of_trait)) = (begin.take(), last.take()) {
                        let position = lines.compiled_position(usize::from(begin));
                        let mentions = BTreeSet::from([of.clone()]);
                        found.push(Impl { position, of: of.clone(), of_trait: Some(of_trait), mentions });
                    }
                }
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impl_block_is_known_by_where_it_begins() {
        let text = "impl A {}\nmod m {\n    #[x] unsafe impl<T> b::Send for super::B<T> {} }\nfn f() { impl Drop for &C {} }\n#[derive(Clone, a::Debug)] struct D;";
        let found: Vec<_> = declarations(text, Edition::Rust2021, &Conditions::default())
            .impls
            .into_iter()
            .map(|it| (it.position.line, it.position.column, it.of, it.of_trait))
            .collect();
        let named = |line, column, of: &str, of_trait: Option<&str>| {
            (line, column, of.to_owned(), of_trait.map(str::to_owned))
        };
        assert_eq!(
            found,
            [
                named(1, 1, "A", None),
                named(3, 10, "B", Some("Send")),
                named(4, 10, "C", Some("Drop")),
                named(5, 10, "D", Some("Clone")),
                named(5, 17, "D", Some("Debug"))
            ]
        );
    }

    #[test]
    fn a_method_is_for_others_where_it_and_its_type_say_so() {
        let text =
            "pub struct A; struct B; impl<T> A<T> { pub fn a() {} fn b() {} }\nimpl B { pub fn a() {} }";
        let found = declarations(text, Edition::Rust2021, &Conditions::default()).methods;
        let expected = [("A::a", true), ("A::b", false), ("B::a", false)];
        assert_eq!(found.iter().map(|(name, is)| (name.as_str(), *is)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn fields_have_numbers_where_none_may_be_left_out() {
        let text = "struct A { pub a: u8, b: u8 } struct B(u8); struct C { a: u8, #[cfg(x)] b: u8, c: u8 }";
        let found = declarations(text, Edition::Rust2021, &Conditions::default()).types;
        let named: Vec<_> = found.into_iter().map(|it| it.named).collect();
        assert_eq!(named, [Some(vec!["a".to_owned(), "b".to_owned()]), None, None]);
    }

    #[test]
    fn a_function_is_distinguished_from_methods_of_the_same_name() {
        let text =
            "fn a() {}\nimpl D { pub fn a(&self) {} }\npub fn b() {}\nmacro_rules! m { () => { fn c() {} } }";
        let found = declarations(text, Edition::Rust2021, &Conditions::default()).free;
        let expected = [("a", false), ("b", true), ("c", true)];
        assert_eq!(found.iter().map(|(name, is)| (name.as_str(), *is)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_function_may_be_public_where_it_says_so_or_a_macro_makes_it() {
        let text = "pub fn a() {}\nfn b() {}\npub(crate) fn c() {}\nimpl D { pub async fn e(&self) {} }\n\
                    macro_rules! m { () => { fn f() {} } }\nm! { mod g { fn h() {} } }";
        let found = declarations(text, Edition::Rust2021, &Conditions::default()).public;
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["a", "e", "f", "h"]);
    }
}
