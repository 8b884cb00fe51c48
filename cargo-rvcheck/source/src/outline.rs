//! The items of a file: what encloses a place, and what is a test.
//!
//! This is the only module that knows the parser. The parser takes any text, but it goes as deep as the text is nested;
//! text that is nested more than any person writes has no items as far as this module is concerned.

pub(crate) mod attributes;
mod closures;
pub(crate) mod enums;
pub(crate) mod exposed;
pub(crate) mod functions;
pub(crate) mod hosts;
pub(crate) mod impls;
pub(crate) mod meanings;
pub(crate) mod modules;
mod nesting;
pub(crate) mod respelled;
pub(crate) mod surroundings;

use crate::edition::Edition;
use crate::token::Tokens;
use attributes::{Marks, test_only_statements};
use modules::{ModuleFile, declared};
use nesting::is_readable;
use ra_ap_syntax::ast::{self, AstNode, HasAttrs, HasName};
use ra_ap_syntax::{SourceFile, SyntaxNode, TextSize, WalkEvent};
use std::ops::Range;

/// The items of a file that can contain code, in the order of their beginnings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outline {
    pub(crate) items: Vec<Item>,
    /// Byte ranges that are compiled for tests only, tests themselves included.
    pub(crate) test_ranges: Vec<Range<usize>>,
    /// The modules that it declares in files of their own.
    pub(crate) modules: Vec<ModuleFile>,
}

/// An item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Item {
    /// The bytes that it spans, its attributes and documentation included.
    pub(crate) range: Range<usize>,
    /// Where its name is; where it has none, where it begins.
    pub(crate) name_at: usize,
    /// Its path inside the file, such as `tests::moves` or `Ledger::transfer`.
    pub(crate) path: String,
    /// What it is as a test, if it is one.
    pub(crate) test: Option<Test>,
}

/// What the attributes of a test say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Test {
    pub(crate) should_panic: bool,
    pub(crate) ignored: bool,
}

impl Outline {
    /// The path of the innermost item around a byte offset; empty at the top of the file.
    pub(crate) fn path_at(&self, offset: usize) -> &str {
        self.item_at(offset).map_or("", |item| item.path.as_str())
    }

    /// The innermost item around a byte offset.
    pub(crate) fn item_at(&self, offset: usize) -> Option<&Item> {
        let begun = self.items.partition_point(|item| item.range.start <= offset);
        self.items[..begun].iter().rfind(|item| offset < item.range.end)
    }

    /// Whether a byte offset lies in what is compiled for tests only.
    pub(crate) fn is_test(&self, offset: usize) -> bool {
        self.test_ranges.iter().take_while(|range| range.start <= offset).any(|range| offset < range.end)
    }
}

/// How many macros deep items are looked for in the input of macros.
const DEEPEST_MACRO: usize = 8;

/// Reads the items of a file.
pub(crate) fn outline(text: &str, tokens: &Tokens<'_>, edition: Edition) -> Outline {
    let mut outline = Outline::default();
    if is_readable(tokens) {
        let fragment = Fragment { base: 0, path: String::new(), depth: 0 };
        read(text, &fragment, edition, &mut outline);
        outline.items.sort_by_key(|item| (item.range.start, std::cmp::Reverse(item.range.end)));
        outline.test_ranges.sort_by_key(|range| (range.start, range.end));
    }
    outline
}

/// A part of the file that is being read.
struct Fragment {
    base: usize,
    path: String,
    /// The number of macros around it.
    depth: usize,
}

fn read(text: &str, fragment: &Fragment, edition: Edition, outline: &mut Outline) {
    let root = SourceFile::parse(text, syntax_edition(edition)).tree();
    if Marks::of(&root).test_only {
        outline.test_ranges.push(fragment.base..fragment.base + text.len());
    }
    if text.contains("cfg(") {
        let of_tests = test_only_statements(&root).into_iter();
        let shifted =
            of_tests.map(|it| fragment.base + usize::from(it.start())..fragment.base + usize::from(it.end()));
        outline.test_ranges.extend(shifted);
    }
    // The ends of the enclosing items and the lengths of the path without them.
    let mut path = fragment.path.clone();
    let mut enclosing: Vec<(SyntaxNode, usize)> = Vec::new();
    let mut walk = root.syntax().preorder();
    while let Some(event) = walk.next() {
        match event {
            WalkEvent::Enter(node) => {
                if !can_hold_items(&node) {
                    walk.skip_subtree();
                } else if let Some(named) = named(&node) {
                    let outer = path.len();
                    extend(&mut path, &named.name);
                    let range = bytes(&node, fragment.base);
                    if named.marks.test_only || named.marks.test.is_some() {
                        outline.test_ranges.push(range.clone());
                    }
                    outline.modules.extend(declared(&node, &path, range.start));
                    let name_at = named.name_at.map_or(range.start, |at| fragment.base + usize::from(at));
                    outline.items.push(Item { range, name_at, path: path.clone(), test: named.marks.test });
                    enclosing.push((node, outer));
                } else if let Some(call) = ast::MacroCall::cast(node.clone())
                    && fragment.depth < DEEPEST_MACRO
                    && let Some((inner, at)) = items_in(&call)
                {
                    let base = fragment.base + usize::from(at);
                    read(
                        &inner,
                        &Fragment { base, path: path.clone(), depth: fragment.depth + 1 },
                        edition,
                        outline,
                    );
                }
            }
            WalkEvent::Leave(node) => {
                if enclosing.last().is_some_and(|(item, _)| *item == node)
                    && let Some((_, outer)) = enclosing.pop()
                {
                    path.truncate(outer);
                }
            }
        }
    }
}

/// Types, patterns, paths and the input of macros are not entered: they hold no item worth naming.
fn can_hold_items(node: &SyntaxNode) -> bool {
    let kind = node.kind();
    !(ast::Type::can_cast(kind)
        || ast::Path::can_cast(kind)
        || ast::Pat::can_cast(kind)
        || ast::Attr::can_cast(kind)
        || ast::Literal::can_cast(kind)
        || ast::TokenTree::can_cast(kind)
        || ast::Use::can_cast(kind)
        || ast::MacroRules::can_cast(kind)
        || ast::GenericParamList::can_cast(kind)
        || ast::ParamList::can_cast(kind))
}

/// An item that gives the places in it a name.
struct Named {
    name: String,
    name_at: Option<TextSize>,
    marks: Marks,
}

fn named(node: &SyntaxNode) -> Option<Named> {
    fn of(item: &(impl HasName + HasAttrs)) -> Named {
        let name = item.name();
        Named {
            name_at: name.as_ref().map(|name| name.syntax().text_range().start()),
            name: name.map(|name| name.text().to_string()).unwrap_or_default(),
            marks: Marks::of(item),
        }
    }
    Some(match ast::Item::cast(node.clone())? {
        ast::Item::Fn(it) => of(&it),
        ast::Item::Module(it) => of(&it),
        ast::Item::Trait(it) => of(&it),
        ast::Item::Static(it) => of(&it),
        ast::Item::Const(it) => of(&it),
        ast::Item::Impl(it) => {
            let name = it.self_ty().as_ref().map(type_name).unwrap_or_default();
            Named { name, name_at: None, marks: Marks::of(&it) }
        }
        // They have code in them only in odd places, but they can be for tests only.
        ast::Item::Use(_) | ast::Item::MacroCall(_) | ast::Item::MacroRules(_) => return None,
        other => {
            let marks = Marks::of(&other);
            if !marks.test_only {
                return None;
            }
            Named { name: String::new(), name_at: None, marks }
        }
    })
}

/// The last segment of a type's path without its arguments; for other types their text.
fn type_name(ty: &ast::Type) -> String {
    match ty {
        ast::Type::PathType(path) => {
            path.path().and_then(|it| it.segment()?.name_ref()).map(|it| it.text().to_string())
        }
        ast::Type::RefType(it) => it.ty().as_ref().map(type_name),
        _ => None,
    }
    .unwrap_or_else(|| ty.syntax().text().to_string().split_whitespace().collect::<Vec<_>>().join(" "))
}

fn extend(path: &mut String, name: &str) {
    if !name.is_empty() {
        if !path.is_empty() {
            path.push_str("::");
        }
        path.push_str(name);
    }
}

/// The input of a macro that may consist of items: in braces, and with a word that begins one.
fn items_in(call: &ast::MacroCall) -> Option<(String, TextSize)> {
    let tree = call.token_tree()?;
    let open = tree.left_delimiter_token().filter(|it| it.text() == "{")?;
    let text = tree.syntax().text().to_string();
    let inner = text.strip_prefix('{').map(|it| it.strip_suffix('}').unwrap_or(it))?;
    let has_items = ["fn ", "static ", "mod ", "impl"].iter().any(|word| inner.contains(word));
    has_items.then(|| (inner.to_owned(), open.text_range().end()))
}

fn bytes(node: &SyntaxNode, base: usize) -> Range<usize> {
    let range = node.text_range();
    base + usize::from(range.start())..base + usize::from(range.end())
}

pub(crate) fn syntax_edition(edition: Edition) -> ra_ap_syntax::Edition {
    match edition {
        Edition::Rust2015 => ra_ap_syntax::Edition::Edition2015,
        Edition::Rust2018 => ra_ap_syntax::Edition::Edition2018,
        Edition::Rust2021 => ra_ap_syntax::Edition::Edition2021,
        Edition::Rust2024 => ra_ap_syntax::Edition::Edition2024,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Outline {
        outline(text, &Tokens::of(text), Edition::Rust2021)
    }

    /// Each `here_N` in the text has its path.
    fn check(text: &str, expected: &[&str]) {
        let outline = of(text);
        for (number, expected) in expected.iter().enumerate() {
            let offset = text.find(&format!("here_{number}")).unwrap_or_else(|| panic!("no here_{number}"));
            assert_eq!(outline.path_at(offset), *expected, "here_{number} in {text}");
        }
    }

    #[test]
    fn a_place_is_named_after_the_items_around_it() {
        check(
            "fn a() { here_0; fn b() { here_1 } }
             mod c { impl<T> super::Ledger<T> { fn d() { let x = || { async { here_2 } }; } } }
             impl Drop for &mut Guard { fn drop(&mut self) { here_3 } }
             trait E { fn f() { here_4 } }
             static G: H = here_5;
             impl I for [u8; 3] { const J: u8 = here_6; }
             here_7!();",
            &["a", "a::b", "c::Ledger::d", "Guard::drop", "E::f", "G", "[u8; 3]::J", ""],
        );
    }

    #[test]
    fn items_are_found_in_the_input_of_macros() {
        check(
            "cfg_rt! { impl A { pub fn b(&self) { here_0 } } cfg_x! { mod c { fn d() { here_1 } } } }
             fn e() { f! { here_2 } } thread_local! { static G: H = here_3; }",
            &["A::b", "c::d", "e", "G"],
        );
    }

    #[test]
    fn text_that_does_not_parse_has_the_items_that_can_be_made_out() {
        check("impl A { fn b( { here_0 } } fn c() { here_1 }", &["A::b"]);
        check("fn a() { let = ; } } fn c() { here_0 }", &["c"]);
    }

    #[test]
    fn nesting_beyond_reason_gives_no_items_and_no_crash() {
        let deep = "(".repeat(100_000);
        let chain = "a + ".repeat(100_000);
        let prefix = "!".repeat(100_000);
        for text in [deep, chain, prefix] {
            assert_eq!(of(&format!("fn a() {{ {text} }}")), Outline::default());
        }
    }
}
