//! The same methods behind a trait.

use super::functions::{Header, header};
use super::{Group, range};
use ra_ap_syntax::SyntaxNode;
use ra_ap_syntax::ast::{self, AstNode, HasAttrs, HasGenericParams, HasName, HasVisibility};

/// `impl T { … }` becomes a trait and its `impl` for `T`.
pub(super) fn methods_of_a_trait(text: &str, root: &SyntaxNode) -> Vec<Group> {
    let blocks = root.descendants().filter_map(ast::Impl::cast).filter(|it| {
        it.trait_().is_none() && it.generic_param_list().is_none() && it.attrs().next().is_none()
    });
    let mut found = Vec::new();
    for (at, block) in blocks.enumerate() {
        let (Some(ty), Some(items)) = (block.self_ty(), block.assoc_item_list()) else { continue };
        let functions: Vec<ast::AssocItem> = items.assoc_items().collect();
        let headers: Option<Vec<Header>> = functions
            .iter()
            .map(|it| match it {
                ast::AssocItem::Fn(function) => header(text, function.clone()),
                _ => None,
            })
            .collect();
        let (Some(headers), Some(word), Some(open)) = (headers, block.impl_token(), items.l_curly_token())
        else {
            continue;
        };
        let mut declared = String::new();
        let mut edits = Vec::new();
        for it in &headers {
            let name = it.function.name().map(|it| it.text().to_string()).unwrap_or_default();
            let sized = if it.has_self { "" } else { " where Self: Sized" };
            let written = it.text.replace('\0', &name).replace("(mut ", "(").replace(", mut ", ", ");
            declared.push_str(&[written.trim(), sized, "; "].concat());
            if let Some(visibility) = it.function.visibility() {
                edits.push((range(visibility.syntax()), String::new()));
            }
        }
        let ty_text = &text[range(ty.syntax())];
        // What documents the block stays before it.
        let begin = usize::from(word.text_range().start());
        let name = format!("Methods{at}");
        edits.push((
            begin..usize::from(open.text_range().end()),
            format!("pub trait {name} {{ {declared}}} impl {name} for {ty_text} {{"),
        ));
        found.push(Group { of: range(block.syntax()), edits });
    }
    found
}

/// Each body of `fn f(&self)` moves to a method of a trait, which `f` calls through `&dyn Trait`.
pub(super) fn dynamic(text: &str, root: &SyntaxNode) -> Vec<Group> {
    let blocks = root.descendants().filter_map(ast::Impl::cast).filter(|it| {
        it.trait_().is_none() && it.generic_param_list().is_none() && it.attrs().next().is_none()
    });
    let mut found = Vec::new();
    for (at, block) in blocks.enumerate() {
        let (Some(ty), Some(items)) = (block.self_ty(), block.assoc_item_list()) else { continue };
        let ty = &text[range(ty.syntax())];
        let functions = items.assoc_items().filter_map(|it| match it {
            ast::AssocItem::Fn(function) => header(text, function),
            _ => None,
        });
        for (number, it) in functions.enumerate() {
            let by_reference = it.text.contains("\0(&self");
            let generic = it.function.generic_param_list().is_some() || it.text.contains("impl ");
            if !by_reference || generic || it.is_async {
                continue;
            }
            let Some(name) = it.function.name() else { continue };
            let (name, of) = (format!("{name}_behind"), format!("Behind{at}Of{number}"));
            let written = it.text.replace('\0', &name);
            let call = format!("{{ let it: &dyn {of} = self; it.{name}({}) }}", it.arguments.join(", "));
            let before =
                format!("{call} }} trait {of} {{ {}; }} impl {of} for {ty} {{ {written}", written.trim());
            let after = format!(" }} impl {ty} {{");
            let (begin, end) = (it.body.start, it.body.end);
            let edits = vec![(begin..begin, before), (end..end, after)];
            found.push(Group { of: range(it.function.syntax()), edits });
        }
    }
    found
}
