//! A line of Rust that compiles only if what is said of an item is true.

use super::parse::{Item, split};

/// What every program of checks begins with, on one line.
pub(super) const PRELUDE: &str = "#![allow(warnings)] #![deny(ambiguous_glob_imports)] \
    fn sends<X: Send>(_: X) {} fn shares<X: Sync>(_: X) {} fn moves<X: Unpin>(_: X) {} \
    struct Has; \
    trait Send_<A> { fn lacks() {} } impl<X: ?Sized> Send_<()> for X {} \
    impl<X: ?Sized + Send> Send_<Has> for X {} \
    trait Sync_<A> { fn lacks() {} } impl<X: ?Sized> Sync_<()> for X {} \
    impl<X: ?Sized + Sync> Sync_<Has> for X {} \
    trait Unpin_<A> { fn lacks() {} } impl<X: ?Sized> Unpin_<()> for X {} \
    impl<X: ?Sized + Unpin> Unpin_<Has> for X {} \
    trait UnwindSafe_<A> { fn lacks() {} } impl<X: ?Sized> UnwindSafe_<()> for X {} \
    impl<X: ?Sized + std::panic::UnwindSafe> UnwindSafe_<Has> for X {} \
    trait RefUnwindSafe_<A> { fn lacks() {} } impl<X: ?Sized> RefUnwindSafe_<()> for X {} \
    impl<X: ?Sized + std::panic::RefUnwindSafe> RefUnwindSafe_<Has> for X {}\n";

/// The check of an item; `None` if there is nothing to check, or no way to.
pub(super) fn check(at: usize, item: &Item<'_>) -> Option<String> {
    let Item { kind, subject, parameters, claim, .. } = *item;
    let conditions = conditions(item.conditions);
    Some(match kind {
        "name" => format!("mod c{at} {{ pub use {subject} as it; }}"),
        "type" => format!("fn c{at}<{parameters}>(_: std::marker::PhantomData<{subject}>){conditions} {{}}"),
        "same" => format!(
            "fn c{at}<{parameters}>(it: std::marker::PhantomData<{subject}>) -> std::marker::PhantomData<{claim}>\
             {conditions} {{ it }}"
        ),
        "const" => format!("const fn c{at}<{parameters}>() -> {claim}{conditions} {{ {subject} }}"),
        "field" => {
            let (of, name) = subject.rsplit_once('.')?;
            let parameters =
                std::iter::once("'field").chain(split(parameters)).collect::<Vec<_>>().join(", ");
            format!(
                "fn c{at}<{parameters}>(it: &'field {of}) -> &'field {claim}{conditions} {{ &it.{name} }}"
            )
        }
        "impl" => implements(at, item),
        "not" => lacks(at, subject, parameters, claim, &with_all_auto_traits(item))?,
        _ => called(at, item)?,
    })
}

/// ` where …`, or nothing.
fn conditions(conditions: &str) -> String {
    if conditions.is_empty() { String::new() } else { format!(" where {conditions}") }
}

/// A function with the same parameters that demands the trait, and another that calls it without demanding it.
fn implements(at: usize, item: &Item<'_>) -> String {
    let Item { subject, parameters, claim, .. } = *item;
    let own = conditions(item.conditions);
    let demanded = format!("{subject}: {claim}");
    let both = if own.is_empty() { demanded } else { format!("{}, {demanded}", item.conditions) };
    // The argument says that the type may be written at all. Lifetimes are found out.
    let of = format!("it: std::marker::PhantomData<{subject}>");
    let names: Vec<&str> = item.names().into_iter().filter(|it| !it.starts_with('\'')).collect();
    let names = if names.is_empty() { String::new() } else { format!("::<{}>", names.join(", ")) };
    format!(
        "fn d{at}<{parameters}>({of}) where {both} {{}} fn c{at}<{parameters}>({of}){own} {{ d{at}{names}(it) }}"
    )
}

/// The conditions, and that the parameters have whatever an implementation might ask of them.
fn with_all_auto_traits(item: &Item<'_>) -> String {
    let types = item.types().into_iter().map(|it| format!("{it}: {}", AUTO.join(" + ")));
    let own = (!item.conditions.is_empty()).then(|| item.conditions.to_owned());
    own.into_iter().chain(types).collect::<Vec<_>>().join(", ")
}

/// It would be unclear which of two implementations is meant if the type had the trait.
pub(super) fn lacks(
    at: usize,
    subject: &str,
    parameters: &str,
    claim: &str,
    without: &str,
) -> Option<String> {
    let name =
        claim.rsplit("::").next().filter(|it| AUTO.iter().any(|auto| auto.ends_with(&format!("::{it}"))))?;
    let conditions = conditions(without);
    let of = format!("std::marker::PhantomData<{subject}>");
    Some(format!("fn c{at}<{parameters}>(_: {of}){conditions} {{ <{subject} as {name}_<_>>::lacks() }}"))
}

/// The traits that types have without saying so.
pub(super) const AUTO: [&str; 5] = [
    "std::marker::Send",
    "std::marker::Sync",
    "std::marker::Unpin",
    "std::panic::UnwindSafe",
    "std::panic::RefUnwindSafe",
];

/// A function of the same kind and signature that calls the function.
fn called(at: usize, item: &Item<'_>) -> Option<String> {
    let Item { kind, subject, parameters, .. } = *item;
    let conditions = conditions(item.conditions);
    let (inputs, output) = item.signature()?;
    let (typed, names) = arguments(&inputs);
    let mut call = format!("{subject}({names})");
    if kind.contains("async") {
        call.push_str(".await");
    }
    if kind.contains("unsafe") {
        call = format!("unsafe {{ {call} }}");
    }
    let (output, call) = if output == "_" { ("()", format!("let _ = {call};")) } else { (output, call) };
    Some(format!("{kind} c{at}<{parameters}>({typed}) -> {output}{conditions} {{ {call} }}"))
}

/// Arguments of these types, as they are declared and as they are passed.
pub(super) fn arguments(types: &[&str]) -> (String, String) {
    let typed: Vec<String> = types.iter().enumerate().map(|(at, it)| format!("a{at}: {it}")).collect();
    let names: Vec<String> = (0..types.len()).map(|at| format!("a{at}")).collect();
    (typed.join(", "), names.join(", "))
}
