//! `#[observe(side = "receive", as = "items", args(self, len = items.len()), refusal = "Error::Full")]`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, LitStr, Pat, Result, Signature, Token, parenthesized};

use super::{Item, Problems, entries, parameters};
use crate::guess::{guess, listed};
use crate::name;

/// The words, in the order in which they are listed to whoever mistakes one.
const KEYS: [&str; 4] = ["side", "as", "args", "refusal"];
/// The sorts of values, as properties name them.
const SORTS: [&str; 12] =
    ["task", "thread", "lock", "chan", "sem", "signal", "test", "group", "int", "bool", "str", "any"];
/// How many arguments an event has at most.
const MOST: usize = 16;
/// What the function gives back, among the arguments.
const RESULT: &str = "result";

/// One of the arguments.
struct Argument {
    /// By which properties call it.
    name: Ident,
    /// Where it is more than the name of a parameter.
    expression: Option<Expr>,
}

/// Checks the words, and that they fit to the function.
pub(crate) fn observe(words: TokenStream, item: &Item) -> Result<()> {
    let mut problems = Problems::default();
    let mut arguments = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    let read = |input: ParseStream<'_>| {
        entries(input, &mut problems, |input, problems| word(input, &mut seen, &mut arguments, problems));
        Ok(())
    };
    let read = read.parse2(words);
    problems.note(read);
    match item {
        Item::Functions { signatures, .. } => {
            for argument in &arguments {
                problems.note(fits(argument, signatures));
            }
        }
        Item::Type { keyword } => {
            let message = "`observe` stands on functions, methods, impl blocks and traits; what a value of a type is says \
                           `#[derive(rvcheck::Observe)]`";
            problems.note::<()>(Err(Error::new(keyword.span(), message)));
        }
        Item::Other { keyword } => {
            let message = "`observe` stands on functions, methods, impl blocks and traits";
            problems.note::<()>(Err(Error::new(keyword.span(), message)));
        }
        Item::Unknown => {}
    }
    problems.finish()
}

/// One word with its value.
fn word(
    input: ParseStream<'_>,
    seen: &mut Vec<String>,
    arguments: &mut Vec<Argument>,
    problems: &mut Problems,
) -> Result<()> {
    let key = input
        .call(Ident::parse_any)
        .map_err(|it| Error::new(it.span(), format!("one of {} is expected here", listed(&KEYS))))?;
    let name = key.to_string();
    if !KEYS.contains(&&*name) {
        let guess = guess(&name, KEYS);
        return Err(Error::new(
            key.span(),
            format!("`observe` has no word `{name}`, but {}{guess}", listed(&KEYS)),
        ));
    }
    if seen.contains(&name) {
        return Err(Error::new(key.span(), format!("`{name}` is said twice")));
    }
    seen.push(name.clone());
    if name == "args" {
        if !input.peek(syn::token::Paren) {
            return Err(Error::new(
                key.span(),
                "arguments stand in parentheses, as in `args(self, len = items.len())`",
            ));
        }
        let inner;
        parenthesized!(inner in input);
        entries(&inner, problems, |input, _| argument(input, arguments));
        return Ok(());
    }
    let form = || format!("a text follows, as in `{name} = \"…\"`");
    input.parse::<Token![=]>().map_err(|_| Error::new(key.span(), form()))?;
    let text: LitStr = input.parse().map_err(|it| Error::new(it.span(), form()))?;
    match &*name {
        "side" => side(&text),
        "as" => name::check(&text, "an event"),
        _ => refusal(&text),
    }
}

fn side(text: &LitStr) -> Result<()> {
    let side = text.value();
    if ["send", "receive"].contains(&&*side) {
        return Ok(());
    }
    let guess = guess(&side, ["send", "receive"]);
    let message =
        format!("the side is `receive`, the function's own, or `send`, that of who calls it{guess}");
    Err(Error::new(text.span(), message))
}

fn refusal(text: &LitStr) -> Result<()> {
    let pattern = text.parse_with(Pat::parse_multi_with_leading_vert);
    let message = "a refusal is a path or a pattern, as in `refusal = \"Err(Error::Full)\"`";
    pattern.map(|_| ()).map_err(|_| Error::new(text.span(), message))
}

/// The sort that properties know an argument by.
fn sort(input: ParseStream<'_>) -> Result<()> {
    let message = |guess: &str| format!("the sort is {}{guess}", listed(&SORTS));
    let sort = input.call(Ident::parse_any).map_err(|it| Error::new(it.span(), message("")))?;
    let name = sort.to_string();
    if SORTS.contains(&&*name) {
        return Ok(());
    }
    Err(Error::new(sort.span(), message(&guess(&name, SORTS))))
}

/// One argument. It is kept if there is no other one of its name.
fn argument(input: ParseStream<'_>, arguments: &mut Vec<Argument>) -> Result<()> {
    let form = "an argument is a parameter, `self`, `result`, or `name = expression`, each with a sort if need be, as `len: int`";
    let name = input.call(Ident::parse_any).map_err(|it| Error::new(it.span(), form))?;
    if input.peek(Token![:]) && !input.peek(Token![::]) {
        input.parse::<Token![:]>()?;
        sort(input)?;
    }
    let is_more = input.peek(Token![=]) && !input.peek(Token![==]);
    let expression = if is_more {
        input.parse::<Token![=]>()?;
        Some(input.parse::<Expr>().map_err(|it| Error::new(it.span(), "an expression is expected here"))?)
    } else if input.is_empty() || input.peek(Token![,]) {
        None
    } else {
        let message = format!("an expression needs a name, as in `{name}_value = …`");
        return Err(Error::new(name.span(), message));
    };
    let plain = name.unraw().to_string();
    if !name::is_name(&plain) {
        let message = "properties cannot write this name; give it another one, as in `name = expression`";
        return Err(Error::new(name.span(), message));
    }
    if arguments.iter().any(|it| it.name.unraw() == name.unraw()) {
        return Err(Error::new(name.span(), format!("there is a `{plain}` already")));
    }
    if arguments.len() == MOST {
        return Err(Error::new(name.span(), format!("an event has {MOST} arguments at most")));
    }
    arguments.push(Argument { name, expression });
    Ok(())
}

/// Whether every function has what the argument speaks of.
fn fits(argument: &Argument, signatures: &[Signature]) -> Result<()> {
    let Argument { name, expression } = argument;
    let needed = match expression {
        Some(it) => own_self(it.to_token_stream()),
        None => Some(name.clone()),
    };
    let Some(needed) = needed else { return Ok(()) };
    let lacks = |signature: &&Signature| match needed.to_string() {
        it if it == "self" => signature.receiver().is_none(),
        it => it != RESULT && !parameters::names(signature).contains(&it),
    };
    let Some(signature) = signatures.iter().find(lacks) else { return Ok(()) };
    let function = &signature.ident;
    if needed == "self" {
        return Err(Error::new(needed.span(), format!("`{function}` has no `self`")));
    }
    let mut names = parameters::names(signature);
    names.extend(signature.receiver().map(|_| "self".to_owned()));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let guess = guess(&needed.to_string(), names.iter().copied());
    let known =
        if names.is_empty() { "it has none".to_owned() } else { format!("it has {}", listed(&names)) };
    Err(Error::new(needed.span(), format!("`{function}` has no parameter `{needed}`: {known}{guess}")))
}

/// The first `self` in an expression.
fn own_self(tokens: TokenStream) -> Option<Ident> {
    tokens.into_iter().find_map(|it| match it {
        TokenTree::Ident(it) => (it == "self").then_some(it),
        TokenTree::Group(it) => own_self(it.stream()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_event::kind::Sort;

    fn problems(words: &str, item: &str) -> Vec<String> {
        let result = observe(words.parse().unwrap(), &Item::of(item.parse().unwrap()));
        result.err().map_or(Vec::new(), |it| it.into_iter().map(|it| it.to_string()).collect())
    }

    const METHOD: &str = "fn accept(&self, items: Vec<u8>, r#type: u8) -> bool { true }";

    #[test]
    fn right_words_are_accepted_wherever_they_stand() {
        let cases = [
            ("", METHOD),
            (
                "side = \"receive\", as = \"items\", args(self, len = items.len(), items, r#type, result), refusal = \"false\"",
                METHOD,
            ),
            ("side = \"send\",", METHOD),
            ("refusal = \"Error::Full | Err(Error::Closed { .. })\"", METHOD),
            ("args(self: any, len: int = items.len(), items: int, result: str = result.name())", METHOD),
            ("args(of = Map::<u8, u8>::of(self), both = (a, b))", METHOD),
            ("args(self)", "impl A { fn a(&self); fn b(self: Box<Self>) {} const C: u8 = 1; }"),
            ("args(item)", "trait A { fn a(item: u8); fn b(&self, item: u8) {} }"),
            (
                "args(a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j, k, l, m, n, o, p)",
                "fn f(j: u8, k: u8, l: u8, (m, n): (u8, u8), o: u8, p: u8)",
            ),
            ("args(whatever)", "something strange"),
        ];
        for (words, item) in cases {
            assert_eq!(problems(words, item), [""; 0], "{words}");
        }
    }

    #[test]
    fn sorts_are_those_of_the_language() {
        for name in SORTS {
            assert!(Sort::of_name(name).is_some(), "{name}");
        }
        let not_written = Sort::ALL.iter().filter(|it| !SORTS.contains(&it.1)).count();
        assert_eq!(not_written, 0);
    }

    #[test]
    fn every_wrong_word_is_a_problem_of_its_own() {
        let cases = [
            ("sied = \"send\", as = \"1\", arg(self)", 3),
            ("side = \"recieve\", side = \"send\"", 2),
            ("side(send), as", 2),
            ("args(iems, self = 1, len = , items == 1, items, items), refusal = \"1 +\"", 5),
            ("args(items: it, len: = 1, items::len)", 3),
            ("args(gone)", 1),
            ("args(größe = 1)", 1),
            ("side = \"send\" as = \"a\"", 1),
            ("1", 1),
        ];
        for (words, count) in cases {
            assert_eq!(problems(words, METHOD).len(), count, "{words}: {:?}", problems(words, METHOD));
        }
        assert_eq!(problems("args(self.a)", METHOD).len(), 1);
        assert_eq!(problems("args(it = f(self))", "fn free(it: u8) {}"), ["`free` has no `self`"]);
        assert_eq!(problems("args(self)", "impl A { fn a(&self); fn b() {} }"), ["`b` has no `self`"]);
        assert_eq!(problems("", "struct A;").len(), 1);
        assert_eq!(problems("", "const A: u8 = 1;").len(), 1);
        let many: Vec<String> = (0..17).map(|it| format!("a{it} = {it}")).collect();
        assert_eq!(
            problems(&format!("args({})", many.join(", ")), METHOD),
            ["an event has 16 arguments at most"]
        );
    }
}
