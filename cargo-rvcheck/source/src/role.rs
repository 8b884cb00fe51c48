//! Which tokens are code that runs where it stands, and which are something else.

use crate::token::Tokens;

/// What a token is part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Code, or the input of a macro, which is taken for code.
    Code,
    /// The right side of a `macro_rules!` arm: code that runs where the macro is invoked.
    Body,
    /// The left side of a `macro_rules!` arm.
    Matcher,
    /// An attribute.
    Attribute,
    /// The input of a macro that makes text of it, or code of another crate.
    Quoted,
}

/// A `macro_rules!` definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Definition {
    /// The index of the token with its name.
    pub(crate) name: usize,
    /// The right sides of its arms, as indices of the delimiters around them.
    pub(crate) bodies: Vec<(usize, usize)>,
}

/// The roles of all tokens of a text.
pub(crate) struct Roles {
    roles: Vec<Role>,
    /// The macros that the text defines, in their order.
    pub(crate) definitions: Vec<Definition>,
}

impl Roles {
    /// Determines the roles.
    pub(crate) fn of(tokens: &Tokens<'_>) -> Roles {
        let mut roles = vec![Role::Code; tokens.len()];
        let mut definitions = Vec::new();
        for index in 0..tokens.len() {
            if matches!(roles[index], Role::Matcher | Role::Attribute | Role::Quoted) {
                continue;
            }
            if tokens.is(index, b'#') {
                if let Some((open, close)) = attribute(tokens, index) {
                    roles[index..open].fill(Role::Attribute);
                    roles[open..=close].fill(Role::Attribute);
                }
            } else if tokens.is(index + 1, b'!') && tokens.is_any_word(index) {
                let word = tokens.text(index);
                if word == "macro_rules" {
                    definitions.extend(definition(tokens, index, &mut roles));
                } else if QUOTING.contains(&word)
                    && let Some(close) = tokens.closing(index + 2)
                {
                    roles[index + 2..=close].fill(Role::Quoted);
                }
            }
        }
        Roles { roles, definitions }
    }

    /// The role of the token at an index.
    pub(crate) fn get(&self, index: usize) -> Role {
        self.roles.get(index).copied().unwrap_or(Role::Code)
    }
}

/// Macros whose input does not run where it stands.
const QUOTING: [&str; 9] = [
    "compile_error",
    "concat",
    "format_ident",
    "include_str",
    "parse_quote",
    "parse_quote_spanned",
    "quote",
    "quote_spanned",
    "stringify",
];

/// The brackets of the attribute that begins with the `#` at this index.
pub(crate) fn attribute(tokens: &Tokens<'_>, hash: usize) -> Option<(usize, usize)> {
    let open = if tokens.is(hash + 1, b'!') { hash + 2 } else { hash + 1 };
    if !tokens.is(open, b'[') {
        return None;
    }
    Some((open, tokens.closing(open)?))
}

/// Marks the arms of the definition that begins with the `macro_rules` at this index.
fn definition(tokens: &Tokens<'_>, index: usize, roles: &mut [Role]) -> Option<Definition> {
    // Inside another macro's body the name may be a variable of that macro.
    let name = if tokens.is(index + 2, b'$') { index + 3 } else { index + 2 };
    let open = name + 1;
    let close = tokens.closing(open)?;
    let mut bodies = Vec::new();
    let mut at = open + 1;
    while at < close {
        let Some(matcher_end) = tokens.closing(at) else { break };
        roles[at..=matcher_end].fill(Role::Matcher);
        let body = matcher_end + 3;
        let Some(body_end) = tokens.is_pair(matcher_end + 1, *b"=>").then(|| tokens.closing(body)).flatten()
        else {
            break;
        };
        roles[body..=body_end].fill(Role::Body);
        bodies.push((body, body_end));
        at = if tokens.is(body_end + 1, b';') { body_end + 2 } else { body_end + 1 };
    }
    Some(Definition { name, bodies })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of the words of this role.
    fn words(text: &str, role: Role) -> Vec<&str> {
        let tokens = Tokens::of(text);
        let roles = Roles::of(&tokens);
        (0..tokens.len())
            .filter(|&index| tokens.is_any_word(index) && roles.get(index) == role)
            .map(|index| tokens.text(index))
            .collect()
    }

    const TEXT: &str = "#[a(b)] #![c] fn d() { quote!(e f); }
        macro_rules! g { ($h:expr) => { i!(#[j] k) }; [l] => (macro_rules! m { (n) => { o } } ); }
        stringify! { p }";

    #[test]
    fn every_word_has_its_role() {
        let cases: [(Role, &[&str]); 5] = [
            (Role::Attribute, &["a", "b", "c", "j"]),
            (Role::Matcher, &["h", "expr", "l", "n"]),
            (Role::Body, &["i", "k", "macro_rules", "m", "o"]),
            (Role::Quoted, &["e", "f", "p"]),
            (Role::Code, &["fn", "d", "quote", "macro_rules", "g", "stringify"]),
        ];
        for (role, expected) in cases {
            assert_eq!(words(TEXT, role), expected, "{role:?}");
        }
    }

    #[test]
    fn broken_macros_are_taken_as_far_as_they_go() {
        assert_eq!(words("macro_rules! a { (b) => c }", Role::Matcher), ["b"]);
        assert_eq!(words("macro_rules! a { (b", Role::Matcher), [""; 0]);
        assert_eq!(words("#[a", Role::Attribute), [""; 0]);
    }
}
