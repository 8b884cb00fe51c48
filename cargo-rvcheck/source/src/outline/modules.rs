//! Modules in files of their own: `mod tests;`.

use ra_ap_syntax::SyntaxNode;
use ra_ap_syntax::ast::{self, AstNode, AstToken, HasAttrs};

/// A module that is declared in one file and written in another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ModuleFile {
    /// Its path inside the declaring file, such as `net::tests`.
    pub(crate) path: String,
    /// The file that an attribute names for it.
    pub(crate) file: Option<String>,
    /// The byte offset of its declaration.
    pub(crate) at: usize,
}

/// The module that this item declares, if its body is in another file.
pub(super) fn declared(node: &SyntaxNode, path: &str, at: usize) -> Option<ModuleFile> {
    let module = ast::Module::cast(node.clone()).filter(|it| it.item_list().is_none())?;
    let file = module.attrs().find_map(|it| {
        let Some(ast::Meta::KeyValueMeta(it)) = it.meta() else { return None };
        let named = it.path().is_some_and(|it| it.syntax().text() == "path");
        let value = it.expr().filter(|_| named)?;
        let mut tokens = value.syntax().descendants_with_tokens();
        Some(tokens.find_map(|it| ast::String::cast(it.into_token()?))?.value().ok()?.into_owned())
    });
    Some(ModuleFile { path: path.to_owned(), file, at })
}
