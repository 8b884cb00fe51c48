//! What follows from a list and is not written in it.
//!
//! Rustdoc does not say how a type may be shortened, nor whether a future can be sent. A program is written that asks all
//! that can be asked; what of it is true of the real crate has to be true of the stand-in.

use super::check::{AUTO, arguments, lacks};
use super::parse::{Item, split};

/// The questions about an item.
pub(super) fn questions(at: usize, item: &Item<'_>) -> Vec<String> {
    match item.kind {
        "type" => shortened(at, item),
        "impl" if AUTO.contains(&item.claim) => more_generous(at, item).into_iter().collect(),
        "impl" | "not" | "same" | "const" | "field" | "name" | "unclear" => Vec::new(),
        _ => sent(at, item),
    }
}

/// Whether a parameter can be exchanged for one that lives shorter.
fn shortened(at: usize, item: &Item<'_>) -> Vec<String> {
    let Some((path, _)) = item.subject.split_once('<') else { return Vec::new() };
    let (parameters, names) = (split(item.parameters), item.names());
    let conditions =
        if item.conditions.is_empty() { String::new() } else { format!(" where {}", item.conditions) };
    (0..parameters.len())
        .map(|which| {
            let with = |value: &str| {
                let arguments = names.iter().enumerate();
                let arguments = arguments.map(|(at, it)| if at == which { value } else { it });
                let arguments = arguments.collect::<Vec<_>>().join(", ");
                format!("std::marker::PhantomData<{path}<{arguments}>>")
            };
            let (long, short) = if parameters[which].starts_with('\'') {
                (with("'long"), with("'short"))
            } else {
                (with("&'long u8"), with("&'short u8"))
            };
            let mut others = vec!["'short", "'long: 'short"];
            others.extend(parameters.iter().enumerate().filter(|(at, _)| *at != which).map(|(_, it)| *it));
            let others = others.join(", ");
            format!("fn v{at}_{which}<{others}>(it: {long}) -> {short}{conditions} {{ it }}")
        })
        .collect()
}

/// Whether it lacks an auto trait where the conditions for that are not met. A stand-in that has it all the same would let
/// unsound programs through.
fn more_generous(at: usize, item: &Item<'_>) -> Option<String> {
    let mut parameters = item.parameters.to_owned();
    for auto in AUTO {
        for (before, after) in
            [(format!(" + {auto}"), ""), (format!("{auto} + "), ""), (format!(": {auto}"), "")]
        {
            parameters = parameters.replace(&before, after);
        }
    }
    if parameters == item.parameters && item.conditions.is_empty() {
        return None;
    }
    lacks(at, item.subject, &parameters, item.claim, "").map(|it| it.replacen("fn c", "fn g", 1))
}

/// Whether what an asynchronous function gives can be sent, shared, and moved while it is polled.
fn sent(at: usize, item: &Item<'_>) -> Vec<String> {
    let Some((inputs, output)) = item.signature() else { return Vec::new() };
    if !item.kind.contains("async") && !output.starts_with("impl ") {
        return Vec::new();
    }
    let (typed, names) = arguments(&inputs);
    let (subject, parameters) = (item.subject, item.parameters);
    let types = item.types().into_iter();
    let mut conditions: Vec<String> =
        types.map(|it| format!("{it}: std::marker::Send + std::marker::Sync + 'static")).collect();
    conditions.extend((!item.conditions.is_empty()).then(|| item.conditions.to_owned()));
    let conditions =
        if conditions.is_empty() { String::new() } else { format!(" where {}", conditions.join(", ")) };
    ["sends", "shares", "moves"]
        .map(|how| format!("fn {how}{at}<{parameters}>({typed}){conditions} {{ {how}({subject}({names})) }}"))
        .into()
}
