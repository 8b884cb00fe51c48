//! What a file lets other crates see: its modules, its re-exports, and the types that what is `pub` has in its signature.

use super::type_name;
use ra_ap_syntax::ast::{self, AstNode, HasName, HasVisibility};
use ra_ap_syntax::{NodeOrToken, SourceFile, SyntaxKind, SyntaxNode};
use std::collections::{BTreeMap, BTreeSet};

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Exposed {
    /// The modules that are declared here and written in files of their own, by whether one of that name is `pub`.
    pub(crate) modules: BTreeMap<String, bool>,
    /// The names of what is re-exported; of the module in front of a `*`.
    pub(crate) reexported: BTreeSet<String>,
    /// The names in what is `pub`, each with the type that it is of; without one for what is of none.
    pub(crate) signatures: Vec<(Option<String>, BTreeSet<String>)>,
}

/// What a file exposes.
pub(super) fn exposed(root: &SourceFile) -> Exposed {
    let mut found = Exposed::default();
    for node in root.syntax().descendants() {
        if let Some(module) = ast::Module::cast(node.clone()).filter(|it| it.item_list().is_none()) {
            let name = module.name().map(|it| it.text().to_string()).unwrap_or_default();
            *found.modules.entry(name).or_default() |= is_pub(&module);
        } else if let Some(import) = ast::Use::cast(node.clone()).filter(is_pub) {
            // Of what is imported from one place together, each part says it.
            let trees = import.syntax().descendants().filter_map(ast::UseTree::cast);
            let ends = trees.filter(|it| it.use_tree_list().is_none()).filter_map(|it| it.path()?.segment());
            found.reexported.extend(ends.map(|it| it.syntax().text().to_string()));
        } else {
            found.signatures.extend(signature(&node));
        }
    }
    found
}

fn signature(node: &SyntaxNode) -> Option<(Option<String>, BTreeSet<String>)> {
    if let Some(function) = ast::Fn::cast(node.clone()) {
        let block = node.ancestors().find_map(ast::Impl::cast);
        let of_trait = block.as_ref().is_some_and(|it| it.trait_().is_some());
        if !is_pub(&function) && !of_trait {
            return None;
        }
        let parts = [
            function.param_list().map(|it| it.syntax().clone()),
            function.ret_type().map(|it| it.syntax().clone()),
        ];
        let of = block.and_then(|it| it.self_ty()).as_ref().map(type_name);
        return Some((of, parts.iter().flatten().flat_map(names).collect()));
    }
    if let Some(alias) = ast::TypeAlias::cast(node.clone()) {
        let block = node.ancestors().find_map(ast::Impl::cast);
        let of = block.and_then(|it| it.self_ty()).as_ref().map(type_name);
        return (of.is_some() || is_pub(&alias)).then(|| (of, names(node)));
    }
    if let Some(of) = ast::Struct::cast(node.clone()).filter(is_pub) {
        let fields = node.descendants().filter(|it| {
            ast::RecordField::cast(it.clone()).is_some_and(|it| is_pub(&it))
                || ast::TupleField::cast(it.clone()).is_some_and(|it| is_pub(&it))
        });
        return Some((Some(of.name()?.text().to_string()), fields.flat_map(|it| names(&it)).collect()));
    }
    let name = match ast::Item::cast(node.clone())? {
        ast::Item::Enum(it) if is_pub(&it) => it.name(),
        ast::Item::Union(it) if is_pub(&it) => it.name(),
        // A trait is known by what it says, and not by its name.
        ast::Item::Trait(it) if is_pub(&it) => return Some((None, names(node))),
        ast::Item::Static(it) if is_pub(&it) => return Some((None, names(node))),
        _ => return None,
    };
    Some((Some(name?.text().to_string()), names(node)))
}

fn is_pub(it: &impl HasVisibility) -> bool {
    it.visibility().is_some_and(|it| it.syntax().text() == "pub")
}

fn names(node: &SyntaxNode) -> BTreeSet<String> {
    let tokens = node.descendants_with_tokens().filter_map(NodeOrToken::into_token);
    tokens.filter(|it| it.kind() == SyntaxKind::IDENT).map(|it| it.text().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ra_ap_syntax::Edition;

    #[test]
    fn what_is_pub_exposes_what_it_names() {
        let text = "mod a; pub mod b; pub use a::{C, d::*}; use e::F;
            pub struct G { pub h: H, i: I } struct J { pub k: K }
            impl G { pub fn l(&self, m: M) -> N { O } fn p(q: Q) {} }
            impl Iterator for G { type Item = R; fn next(&mut self) -> Option<S> { None } }
            pub(crate) fn t(u: U) {} pub type V = W;";
        let found = exposed(&SourceFile::parse(text, Edition::Edition2021).tree());
        assert_eq!(found.modules, BTreeMap::from([("a".to_owned(), false), ("b".to_owned(), true)]));
        assert_eq!(found.reexported.iter().map(String::as_str).collect::<Vec<_>>(), ["C", "d"]);
        let of = |name: Option<&str>| {
            let its = found.signatures.iter().filter(|it| it.0.as_deref() == name);
            its.flat_map(|it| &it.1).map(String::as_str).collect::<BTreeSet<_>>()
        };
        let of_g = of(Some("G"));
        assert!(["H", "M", "N", "R", "S"].iter().all(|it| of_g.contains(it)), "{of_g:?}");
        assert!(["I", "O", "Q"].iter().all(|it| !of_g.contains(it)), "{of_g:?}");
        assert_eq!(of(None), BTreeSet::from(["V", "W"]));
    }
}
