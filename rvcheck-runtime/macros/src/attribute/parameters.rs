//! The parameters of functions.

use syn::{FnArg, Pat, Signature};

/// The names that the parameters bring, without `self`.
pub(crate) fn names(signature: &Signature) -> Vec<String> {
    let mut names = Vec::new();
    for input in &signature.inputs {
        if let FnArg::Typed(it) = input {
            collect(&it.pat, &mut names);
        }
    }
    names
}

/// The names that a pattern brings.
fn collect(pattern: &Pat, names: &mut Vec<String>) {
    match pattern {
        Pat::Ident(it) => {
            names.push(it.ident.to_string());
            if let Some((_, inner)) = &it.subpat {
                collect(inner, names);
            }
        }
        Pat::Or(it) => it.cases.iter().for_each(|it| collect(it, names)),
        Pat::Paren(it) => collect(&it.pat, names),
        Pat::Reference(it) => collect(&it.pat, names),
        Pat::Slice(it) => it.elems.iter().for_each(|it| collect(it, names)),
        Pat::Struct(it) => it.fields.iter().for_each(|it| collect(&it.pat, names)),
        Pat::Tuple(it) => it.elems.iter().for_each(|it| collect(it, names)),
        Pat::TupleStruct(it) => it.elems.iter().for_each(|it| collect(it, names)),
        Pat::Type(it) => collect(&it.pat, names),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_every_pattern_is_found() {
        let text = "fn f(&mut self, a: u8, mut b: u8, (c, &d): T, S { e, f: g, .. }: S, [h, i @ ..]: [u8; 3], T(j): T, _: u8)";
        let signature = syn::parse_str(text).unwrap();
        assert_eq!(names(&signature).join(" "), "a b c d e g h i j");
    }
}
