//! What names mean in a file: aliases, associated types, what is imported, and what another language has.

use crate::ty::Ty;
use ra_ap_syntax::ast::{self, AstNode, HasGenericParams, HasName};
use ra_ap_syntax::{NodeOrToken, SourceFile, SyntaxNode};
use std::collections::BTreeSet;

/// What the names in a file mean, as far as no macro says so.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Meanings {
    /// The names of `type` aliases and of associated types that are given, each with the text of its type and its own parameters.
    pub(crate) aliases: Vec<(String, Written)>,
    /// The names that `use` declarations bring in, with their full paths.
    pub(crate) imports: Vec<(String, Vec<String>)>,
    /// The paths of which all names are brought in.
    pub(crate) globs: Vec<Vec<String>>,
    /// The names of modules.
    pub(crate) modules: BTreeSet<String>,
    /// The names of functions of other languages.
    pub(crate) foreign: BTreeSet<String>,
}

/// A type as the source has it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Written {
    /// It, with one space where words would run together and one behind commas.
    pub ty: Ty,
    /// The type parameters of the declaration that it stands in.
    pub parameters: BTreeSet<String>,
}

pub(super) fn meanings(root: &SourceFile) -> Meanings {
    let mut found = Meanings::default();
    for node in root.syntax().descendants() {
        if let Some(it) = ast::TypeAlias::cast(node.clone()) {
            if let (Some(name), Some(ty)) = (it.name(), it.ty()) {
                let written = Written { ty: Ty::read(&text_of(ty.syntax())), parameters: parameters(&it) };
                found.aliases.push((name.text().to_string(), written));
            }
        } else if let Some(it) = ast::Use::cast(node.clone()) {
            if let Some(tree) = it.use_tree() {
                imported(&tree, &[], &mut found);
            }
        } else if let Some(it) = ast::ExternCrate::cast(node.clone()) {
            if let (Some(of), Some(name)) = (it.name_ref(), it.rename().and_then(|it| it.name())) {
                found.imports.push((name.text().to_string(), vec![of.text().to_string()]));
            }
        } else if let Some(it) = ast::Module::cast(node.clone()) {
            found.modules.extend(it.name().map(|it| it.text().to_string()));
        } else if let Some(it) = ast::ExternItemList::cast(node) {
            let items = it.extern_items().filter_map(|it| match it {
                ast::ExternItem::Fn(it) => Some(it.name()?.text().to_string()),
                _ => None,
            });
            found.foreign.extend(items);
        }
    }
    found
}

fn imported(tree: &ast::UseTree, before: &[String], found: &mut Meanings) {
    let mut path = before.to_vec();
    if let Some(it) = tree.path() {
        path.extend(text_of(it.syntax()).split("::").filter(|it| !it.is_empty()).map(str::to_owned));
    }
    if tree.star_token().is_some() {
        found.globs.push(path);
        return;
    }
    if let Some(list) = tree.use_tree_list() {
        list.use_trees().for_each(|it| imported(&it, &path, found));
        return;
    }
    if path.last().is_some_and(|it| it == "self") {
        path.pop();
    }
    let renamed = tree.rename().and_then(|it| it.name()).map(|it| it.text().to_string());
    if let Some(name) = renamed.or_else(|| path.last().cloned()) {
        found.imports.push((name, path));
    }
}

/// The type parameters that a declaration has itself.
pub(super) fn parameters(of: &impl HasGenericParams) -> BTreeSet<String> {
    let list = of.generic_param_list();
    let all = list.iter().flat_map(ast::GenericParamList::type_or_const_params);
    let names = all.filter_map(|it| match it {
        ast::TypeOrConstParam::Type(it) => it.name(),
        ast::TypeOrConstParam::Const(it) => it.name(),
    });
    names.map(|it| it.text().to_string()).collect()
}

/// The text of a node in the form in which the compiler writes types.
pub(super) fn text_of(node: &SyntaxNode) -> String {
    let mut text = String::new();
    let mut is_apart = false;
    let tokens = node.descendants_with_tokens().filter_map(NodeOrToken::into_token);
    for token in tokens.filter(|it| !it.kind().is_trivia()) {
        let is_word = |it: char| it.is_alphanumeric() || it == '_' || it == '\'';
        let opens = token.text().starts_with(['[', '(', '<', '*', '&']);
        if text.ends_with(is_word) && token.text().starts_with(is_word) || is_apart && opens {
            text.push(' ');
        }
        text.push_str(token.text());
        is_apart =
            token.text().starts_with('\'') || matches!(token.text(), "mut" | "const" | "dyn" | "impl" | "as");
        if matches!(token.text(), "," | ";") {
            text.push(' ');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use ra_ap_syntax::Edition;

    fn of(text: &str) -> Meanings {
        meanings(&SourceFile::parse(text, Edition::Edition2024).tree())
    }

    #[test]
    fn aliases_and_associated_types_are_known_by_their_names() {
        let found = of(
            "pub type Failure<T> = Box<dyn Error + Send, T>;\nimpl A for B { type Stop = [C;2]; }\ntrait A { type Stop; }",
        );
        let texts: Vec<_> = found.aliases.iter().map(|(name, it)| (name.as_str(), it.ty.text())).collect();
        assert_eq!(texts, [("Failure", "Box<dyn Error+Send, T>"), ("Stop", "[C; 2]")]);
        assert_eq!(found.aliases[0].1.parameters, BTreeSet::from(["T".to_owned()]));
    }

    #[test]
    fn imports_have_their_full_paths() {
        let found = of(
            "use std::{fs, sync::{self, Mutex as M, mpsc::*}}; use ::a::b; extern crate c as d;\nmod e { unsafe extern \"C\" { fn f(); } }",
        );
        let imports: Vec<_> =
            found.imports.iter().map(|(name, path)| (name.as_str(), path.join("::"))).collect();
        let expected =
            [("fs", "std::fs"), ("sync", "std::sync"), ("M", "std::sync::Mutex"), ("b", "a::b"), ("d", "c")];
        assert_eq!(imports, expected.map(|(name, path)| (name, path.to_owned())));
        assert_eq!(found.globs, [["std", "sync", "mpsc"].map(str::to_owned)]);
        assert_eq!((found.modules.len(), found.foreign.len()), (1, 1));
    }

    #[test]
    fn types_are_written_as_the_compiler_does() {
        let found = of("type A = &'a   mut [ u8;4 ] ; type B = fn ( u8,\n\"x\" ) -> C<'a,D>;");
        let texts: Vec<_> = found.aliases.iter().map(|(_, it)| it.ty.text()).collect();
        assert_eq!(texts[0], "&'a mut [u8; 4]");
    }
}
