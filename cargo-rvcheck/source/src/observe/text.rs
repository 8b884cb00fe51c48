//! The text that is inserted. It has no line break, and says nothing where it stands in a comment.

use super::messages::Refusals;
use super::{Argument, Moment, Observation, RESULT, WITH_RECEIVER};
use crate::outline::functions::Function;
use std::borrow::Cow;

/// Where the shim for `std` has what inserted code needs.
pub(super) const ROOT: &str = "::std::__rv_shim::observing";
/// The methods by which values are asked for.
pub(super) const TRAITS: &str = "use ::std::__rv_shim::observing::traits::*;";

/// What an insertion begins with that stands before something, and one that stands behind it.
pub(super) const OPEN: &str = "/*rv_observed:*/";
pub(super) const CLOSE: &str = "/*rv_observed.*/";

/// What is inserted instead where it does not compile; it is equally long.
pub(super) fn undone(text: &str) -> String {
    format!("/*rv_undone{:_<width$}*/", "", width = text.len().saturating_sub("/*rv_undone*/".len()))
}

/// Lets a function know who calls it.
pub(super) fn tracked() -> String {
    format!("{OPEN}#[track_caller] ")
}

/// Nothing stops the program from here on to the end of the body.
pub(super) fn dropping() -> String {
    format!("{OPEN} let __rv_dropping = {ROOT}::dropping();")
}

/// Begins a block around the expression that is the body of a closure.
pub(super) fn braced() -> String {
    format!("{OPEN}{{")
}

/// Ends that block.
pub(super) fn unbraced() -> String {
    format!("{CLOSE}}}")
}

/// Begins a closure that is run at once. What it does has the places that it would have without.
pub(super) fn inside() -> String {
    format!("{OPEN} {ROOT}::once(move || {{")
}

/// Ends that closure.
pub(super) fn outside() -> String {
    format!("{CLOSE}}})")
}

/// Records the arguments where the body begins, under a condition ` && …`, if there is one.
pub(super) fn entry(
    observation: &Observation,
    function: &Function,
    (condition, place): (&str, &str),
) -> String {
    let values = values(&observation.arguments, function);
    let callee = callee(function);
    format!(
        "{OPEN} {{ {} if __RV.on(){condition} {{ {TRAITS} __RV.record({callee}, &[{values}], {place}); }} }}",
        declaration(observation)
    )
}

/// Remembers the arguments where the body begins, until it has returned.
pub(super) fn remembered(
    number: usize,
    observation: &Observation,
    refusals: &Refusals,
    function: &Function,
    (condition, at): (&str, &str),
) -> String {
    let place = observation.arguments.iter().position(|it| it.expression == RESULT);
    let refused = observation.arguments.iter().position(Argument::is_refusal);
    let (callee, values) = (callee(function), values(&observation.arguments, function));
    let returns = !function.is_async;
    if observation.moment == Moment::Refusal {
        let variants = &refusals.variants;
        return format!(
            "{OPEN} let __rv_returning_{number} = {{ {} if __RV.on(){condition} {{ {TRAITS} __RV.refusing({callee}, [{values}], {place:?}, &{variants:?}, {at}, ::std::file!(), ::std::line!()) }} else {{ {ROOT}::Refusing::nothing() }} }};",
            declaration(observation)
        );
    }
    format!(
        "{OPEN} let __rv_returning_{number} = {{ {} if __RV.on(){condition} {{ {TRAITS} __RV.returning({callee}, [{values}], {place:?}, {refused:?}, {returns}, {at}) }} else {{ {ROOT}::Returning::nothing() }} }};",
        declaration(observation)
    )
}

/// What stands before and behind an expression that is returned. It is said to be of the type that the function returns: otherwise nothing
/// could be asked of an `Err(it)`, of which the type is not known yet, and a `Box` would not become one of a trait.
pub(super) fn returned(
    observed: &[(usize, &Observation)],
    refusals: &Refusals,
    function: &Function,
) -> (String, String) {
    let done: String = observed.iter().map(|it| done(it, Some(refusals))).collect();
    let typed = function.result.as_ref().map(|it| format!("{ROOT}::typed::<{it}>")).unwrap_or_default();
    (
        format!("{OPEN}match {typed}("),
        format!(
            "{CLOSE}) {{ __rv_result => {{ {{ let result = &__rv_result; {TRAITS} {done}}} __rv_result }} }}"
        ),
    )
}

/// What stands where nothing is returned.
pub(super) fn returned_nothing(observed: &[(usize, &Observation)]) -> String {
    format!("{OPEN}{}", done_with_nothing(observed))
}

/// The same where the closure ends that is around a body: it comes before that end.
pub(super) fn ended_with_nothing(observed: &[(usize, &Observation)]) -> String {
    format!("{CLOSE}{}", done_with_nothing(observed))
}

fn done_with_nothing(observed: &[(usize, &Observation)]) -> String {
    let done: String = observed.iter().map(|it| done(it, None)).collect();
    format!(" {{ {done}}}")
}

/// Records a call that returns, with the result where there is one, which may be a refusal.
fn done((number, observation): &(usize, &Observation), result: Option<&Refusals>) -> String {
    // A call that is refused is recorded with what was known when it began, and the result in front of that.
    let is_refusal = observation.moment == Moment::Refusal;
    let known = if is_refusal { 1 } else { observation.arguments.len() };
    let results = observation.arguments.iter().enumerate().take(known);
    let results = results.filter(|it| result.is_some() && it.1.is_of_result());
    let results: Vec<String> =
        results.map(|(place, it)| format!("({place}, {})", value(&it.expression, it.is_asked))).collect();
    let results = results.join(", ");
    if is_refusal {
        let refused = result.map_or_else(|| "false".to_owned(), Refusals::condition);
        let call = format!("__rv_returning_{number}");
        return format!("if {refused} {{ {call}.refused(&[{results}]); }} else {{ {call}.done(); }} ");
    }
    format!("__rv_returning_{number}.done(&[{results}]); ")
}

/// What stands before and behind an expression that a `?` follows.
pub(super) fn tried(observed: &[(usize, &Observation)]) -> (String, String) {
    let all: Vec<String> = observed.iter().map(|it| format!("&__rv_returning_{}", it.0)).collect();
    (format!("{OPEN}{ROOT}::tried("), format!("{CLOSE}, &[{}])", all.join(", ")))
}

/// The place of a call: where it is recorded, or the caller where the function knows it.
pub(super) const HERE: &str = "::std::panic::Location::caller()";

/// The same where the caller may be in somebody else's code. What is in a closure has its own place.
pub(super) const CALLER: &str = "::std::__rv_shim::observing::place(::std::panic::Location::caller(), (|| ::std::panic::Location::caller())())";

fn declaration(observation: &Observation) -> String {
    let event = &observation.event;
    format!("static __RV: {ROOT}::Observing = {ROOT}::Observing::new({event:?});")
}

fn values(arguments: &[Argument], function: &Function) -> String {
    let values = arguments.iter().map(|it| match counted(&it.expression, function).as_ref() {
        "self" => callee(function),
        _ if it.is_of_result() => format!("{ROOT}::Value::Absent"),
        expression => of_parameters(expression, function)
            .map_or_else(|_| format!("{ROOT}::Value::Absent"), |expression| value(&expression, it.is_asked)),
    });
    values.collect::<Vec<_>>().join(", ")
}

/// The expression; what counts `self` as a parameter is `self`, or the number of a parameter beside it.
pub(super) fn counted<'e>(expression: &'e str, function: &Function) -> Cow<'e, str> {
    let number = expression.strip_prefix(WITH_RECEIVER).and_then(|it| it.parse::<usize>().ok());
    match number {
        None => Cow::Borrowed(expression),
        Some(1) if function.has_receiver => Cow::Borrowed("self"),
        Some(number) => Cow::Owned(format!("${}", number.saturating_sub(usize::from(function.has_receiver)))),
    }
}

/// The value of an expression of any type. That it has none is said where somebody asks for it.
fn value(expression: &str, is_asked: bool) -> String {
    let asked = if is_asked { "Observed" } else { "Unasked" };
    format!("(&&&{ROOT}::{asked}(&({expression}))).value()")
}

/// The object whose method it is.
fn callee(function: &Function) -> String {
    if function.has_receiver {
        format!("(&&&&&{ROOT}::Callee(&self)).value()")
    } else {
        format!("{ROOT}::Value::Absent")
    }
}

/// The expression with the names of the function's parameters in place of their numbers; the number of one that has no name.
pub(super) fn of_parameters(expression: &str, function: &Function) -> Result<String, usize> {
    let name = |place: usize| function.parameters.get(place)?.clone();
    numbered(expression, name)
}

/// The expression with names in place of numbers, such as `$1` for the first one; the number of one that has no name. `name` is asked for
/// places from 0.
pub(super) fn numbered(expression: &str, name: impl Fn(usize) -> Option<String>) -> Result<String, usize> {
    let mut text = String::new();
    let mut parts = expression.split('$');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|it: char| !it.is_ascii_digit()).unwrap_or(part.len());
        let (digits, rest) = part.split_at(end);
        let number: usize = digits.parse().unwrap_or(0);
        let name = number.checked_sub(1).and_then(&name);
        text.push_str(&name.ok_or(number)?);
        text.push_str(rest);
    }
    Ok(text)
}
