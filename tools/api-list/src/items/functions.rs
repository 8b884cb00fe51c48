//! Functions and methods.

use super::Lister;
use crate::render::{Lifetimes, Parameters, Unclear};
use rustdoc_types::{Abi, Function, ItemEnum, Trait};

/// Stands for the implementor of a trait.
const IMPLEMENTOR: &str = "Implementor";

impl Lister<'_> {
    /// The line of a function. `outer` are the parameters of the implementation or the trait around it.
    pub(super) fn function(
        &self,
        path: &str,
        this: &str,
        outer: &Parameters,
        function: &Function,
    ) -> Result<String, Unclear> {
        if function.header.abi != Abi::Rust || function.sig.is_c_variadic {
            return Err(Unclear("it is a foreign function".to_owned()));
        }
        let mut writer = self.writer(this);
        let (inner, more) = writer.with(Lifetimes::named('w'), |it| it.parameters(&function.generics))?;
        let mut parameters = outer.and(inner);
        parameters.lifetimes.extend(more.into_names());
        let (inputs, named) = writer.with(Lifetimes::named('l'), |it| {
            function.sig.inputs.iter().map(|(_, input)| it.ty(input)).collect::<Result<Vec<_>, _>>()
        })?;
        parameters.lifetimes.extend(named.into_names());
        // A lifetime that the output does not name is that of `self`, or the only one there is.
        let known = inputs.iter().find_map(|it| first_lifetime(it)).unwrap_or("'static").to_owned();
        let output = writer.with(Lifetimes::Known(known), |it| it.output(function.sig.output.as_ref()));
        // What nobody can name can be had all the same.
        let output = output.map_or_else(|_| " -> _".to_owned(), |(output, _)| output);
        let mut head = String::new();
        for (is, word) in [
            (function.header.is_const, "const "),
            (function.header.is_async, "async "),
            (function.header.is_unsafe, "unsafe "),
        ] {
            head.push_str(if is { word } else { "" });
        }
        Ok(format!(
            "{head}fn {path}{}: {}({}){output}{}",
            parameters.turbofish(),
            parameters.text(),
            inputs.join(", "),
            parameters.conditions()
        ))
    }

    /// The methods of a trait, as they are called on something of which no more is known.
    pub(super) fn methods(&mut self, path: &str, of: &Trait) {
        for item in of.items.iter().filter_map(|it| self.krate.index.get(it)) {
            let (ItemEnum::Function(function), Some(name)) = (&item.inner, &item.name) else { continue };
            let line = self.writer(IMPLEMENTOR).parameters(&of.generics).and_then(|mut outer| {
                let arguments: Vec<&str> = of.generics.params.iter().map(|it| it.name.as_str()).collect();
                let arguments =
                    if arguments.is_empty() { String::new() } else { format!("<{}>", arguments.join(", ")) };
                outer.others.push(format!("{IMPLEMENTOR}: {path}{arguments}"));
                let called = format!("<{IMPLEMENTOR} as {path}{arguments}>::{name}");
                self.function(&called, IMPLEMENTOR, &outer, function)
            });
            self.push(&format!("{path}::{name}"), line);
        }
    }
}

/// The first lifetime in a type.
fn first_lifetime(ty: &str) -> Option<&str> {
    let start = ty.find('\'')?;
    let rest = &ty[start + 1..];
    let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
    Some(&ty[start..=start + end])
}

#[cfg(test)]
mod tests {
    use super::first_lifetime;

    #[test]
    fn the_first_lifetime_is_that_of_the_reference() {
        for (ty, expected) in [
            ("&'l0 x::Mutex<'a, T>", Some("'l0")),
            ("std::pin::Pin<&'l1 mut T>", Some("'l1")),
            ("x::Guard<'a>", Some("'a")),
            ("u8", None),
        ] {
            assert_eq!(first_lifetime(ty), expected, "{ty}");
        }
    }
}
