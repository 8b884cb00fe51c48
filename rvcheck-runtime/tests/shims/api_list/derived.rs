//! What follows from a list and is not written in it.
//!
//! Rustdoc does not say how a type may be shortened, nor whether a future can be sent, nor what happens when a value is dropped. A
//! program is written that asks all that can be asked; what of it is true of the real crate has to be true of the shim.

use super::check::{AUTO, arguments, lacks};
use super::parse::{Item, split};

/// The questions about an item.
pub(super) fn questions(at: usize, item: &Item<'_>) -> Vec<String> {
    match item.kind {
        "type" => [shortened(at, item), dropped(at, item)].concat(),
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

/// Whether there is anything to be done when a value is dropped, whether what it borrows may be gone by then, and whether it takes any
/// room. A type without a destructor can be used while a thread ends, for one. Asked for a few values of its parameters, since
/// it may not be there for all.
fn dropped(at: usize, item: &Item<'_>) -> Vec<String> {
    let path = item.subject.split('<').next().unwrap_or(item.subject);
    let with = |lifetime: &str, value: &str| {
        let parameters = split(item.parameters).into_iter();
        let arguments = parameters
            .filter(|it| !it.starts_with("const "))
            .map(|it| if it.starts_with('\'') { lifetime } else { value });
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        if arguments.is_empty() { path.to_owned() } else { format!("{path}<{arguments}>") }
    };
    let mut questions = Vec::new();
    for value in VALUES {
        let of = with("'static", value);
        let facts = [
            format!("std::mem::needs_drop::<{of}>()"),
            format!("!std::mem::needs_drop::<{of}>()"),
            format!("std::mem::size_of::<{of}>() == 0"),
        ];
        questions.extend(facts.map(|it| format!("const _: () = assert!({it});")));
    }
    for value in ["&'x u8", "fn() -> &'x u8", "std::future::Ready<&'x u8>"] {
        questions.push(format!(
            "fn b{at}() {{ fn some<'x>(_: &'x u8) -> Option<{of}> {{ None }} let kept; let gone = 0; kept = some(&gone); }}",
            of = item.with("'x", value)
        ));
    }
    // The same for all values of no parameters.
    questions.dedup();
    questions.truncate(if item.parameters.is_empty() { 3 } else { questions.len() });
    questions
}

impl Item<'_> {
    /// The type with this lifetime and this type for its parameters.
    pub(super) fn with(&self, lifetime: &str, value: &str) -> String {
        let path = self.subject.split('<').next().unwrap_or(self.subject);
        let parameters = split(self.parameters).into_iter().filter(|it| !it.starts_with("const "));
        let arguments = parameters.map(|it| if it.starts_with('\'') { lifetime } else { value });
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        if arguments.is_empty() { path.to_owned() } else { format!("{path}<{arguments}>") }
    }
}

/// Values of parameters that are types: something, something that can be called, and something that can be awaited.
const VALUES: [&str; 3] = ["u8", "fn() -> u8", "std::future::Ready<u8>"];

/// Whether it lacks an auto trait where the conditions for that are not met. A shim that has it all the same would let
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
