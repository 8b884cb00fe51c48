//! Messages of channels that are variants of an enum: what is inserted behind the enum, so that the shims of channels know them.

use super::insertion::Options;
use super::text::{OPEN, ROOT, TRAITS, numbered, undone};
use super::{Insertions, Module, Moment, Observation, Observed};
use crate::edit::Edit;
use crate::edition::Edition;
use crate::outline::enums::{Enum, Fields, Variant, enums};
use crate::token::Tokens;
use std::borrow::Cow;
use std::fmt::Write;

/// An observed variant.
struct Found<'a> {
    variant: &'a Variant,
    number: usize,
    observation: &'a Observation,
    /// How many others are the same message on the same side.
    before: usize,
}

/// How many events a message can be on one side. The recorder has room for so many.
const MOST: usize = 3;

/// Adds what is inserted behind the enums of a file.
pub(super) fn of_enums(
    text: &str,
    edition: Edition,
    module: &Module<'_>,
    observations: &[Observation],
    options: &Options<'_>,
    all: &mut Insertions,
) {
    if options.foreign.is_some() || observations.is_empty() || !text.contains("enum") {
        return;
    }
    for of in enums(text, &Tokens::of(text), edition) {
        let named = of.variants.iter().flat_map(|variant| {
            let path = path(&of, variant, module);
            let before_path = path.clone();
            // Nobody refuses a message.
            let is_named = move |it: &(usize, &Observation)| {
                !it.1.is_of_event() && it.1.moment != Moment::Refusal && it.1.path.matches(&path)
            };
            let named = observations.iter().enumerate().filter(is_named);
            let before = move |number: usize, moment: Moment| {
                let same = |it: &&Observation| {
                    it.moment == moment && !it.is_of_event() && it.path.matches(&before_path)
                };
                observations.iter().take(number).filter(same).count()
            };
            named.map(move |(number, observation)| Found {
                variant,
                number,
                observation,
                before: before(number, observation.moment),
            })
        });
        let found: Vec<Found<'_>> = named.collect();
        if found.is_empty() {
            continue;
        }
        let stands_for = of.name_at.start;
        let undone_for = options.skip.get(&stands_for);
        let reason = against(&of, undone_for.map(String::as_str), options);
        all.observed.extend(found.iter().map(|it| Observed {
            observation: Some(it.number),
            event: it.observation.event.clone(),
            function: path(&of, it.variant, module).join("::"),
            parameters: it.variant.fields.count(),
            name: it.variant.name_at.clone(),
            is_message: true,
            unmonitored: reason.clone().or_else(|| unknown(it)),
        }));
        if reason.is_none() || undone_for.is_some() {
            let insert = described(&of, &found);
            let insert = if undone_for.is_some() { undone(&insert) } else { insert };
            all.edits.push(Edit { offset: of.end, insert: Cow::Owned(insert), stands_for });
        }
    }
}

/// The paths of the variants of a file from its crate.
pub(super) fn paths(text: &str, edition: Edition, module: &Module<'_>) -> Vec<String> {
    let enums = enums(text, &Tokens::of(text), edition);
    let paths = enums.iter().flat_map(|of| of.variants.iter().map(move |it| path(of, it, module).join("::")));
    paths.collect()
}

fn path<'a>(of: &'a Enum, variant: &'a Variant, module: &Module<'a>) -> Vec<&'a str> {
    let outer = std::iter::once(module.krate).chain(module.path.iter().map(String::as_str));
    outer.chain(of.path.split("::")).chain([variant.name.as_str()]).collect()
}

/// Why nothing can be said of this enum.
fn against(of: &Enum, undone: Option<&str>, options: &Options<'_>) -> Option<String> {
    if of.is_generic {
        return Some("its enum is generic, so it has many types".to_owned());
    }
    let undone = undone.map(|said| format!("what describes it does not compile here: {said}"));
    undone.or_else(|| (options.against)(of.name_at.start))
}

/// Why this variant is no such event.
fn unknown(found: &Found<'_>) -> Option<String> {
    if found.observation.moment == Moment::Return {
        return Some("a message has no result".to_owned());
    }
    if found.before >= MOST {
        return Some(format!("a message can be {MOST} events on one side"));
    }
    found.observation.arguments.iter().find_map(|it| {
        match expression(&it.expression, &found.variant.fields) {
            Ok(_) => (it.expression == "self").then(|| "a message has no `self`".to_owned()),
            Err(number) => Some(format!("it has no field {number}")),
        }
    })
}

/// What makes the enum known before `main` begins.
fn described(of: &Enum, found: &[Found<'_>]) -> String {
    let with = |lifetime: &str| match of.lifetimes {
        0 => of.name.clone(),
        count => format!("{}<{}>", of.name, vec![lifetime; count].join(", ")),
    };
    let (lasting, any) = (with("'static"), with("'_"));
    let mut arms = String::new();
    for variant in &of.variants {
        for (moment, side) in [(Moment::Call, "Send"), (Moment::Entry, "Receive")] {
            let is_this = |it: &&Found<'_>| {
                it.variant == variant && it.observation.moment == moment && unknown(it).is_none()
            };
            let events: String = found.iter().filter(is_this).map(event).collect();
            if !events.is_empty() {
                let (conditions, pattern) = (&variant.conditions, pattern(of, variant));
                let _ = write!(arms, "{conditions} ({pattern}, {ROOT}::Side::{side}) => {{ {events}}} ");
            }
        }
    }
    format!(
        "{OPEN} {} const _: () = {{ \
         unsafe fn __rv_see(__rv_it: *const (), __rv_side: {ROOT}::Side, __rv_seen: &mut {ROOT}::Seen) {{ \
         {TRAITS} match (unsafe {{ &*__rv_it.cast::<{any}>() }}, __rv_side) {{ {arms}_ => {{}} }} }} \
         static __RV: [{ROOT}::Messages; {ROOT}::FORMS] = unsafe {{ {ROOT}::Messages::of::<{lasting}>(__rv_see) }}; \
         extern \"C\" fn __rv_known() {{ for __rv_it in &__RV {{ __rv_it.make_known(); }} }} \
         #[used] #[cfg_attr(target_vendor = \"apple\", unsafe(link_section = \"__DATA,__mod_init_func\"))] \
         #[cfg_attr(not(target_vendor = \"apple\"), unsafe(link_section = \".init_array\"))] \
         static __RV_BEGIN: extern \"C\" fn() = __rv_known; }};",
        of.conditions
    )
}

/// The name by which a numbered field is bound.
fn field(number: usize) -> String {
    format!("__rv_{number}")
}

fn pattern(of: &Enum, variant: &Variant) -> String {
    let fields = match &variant.fields {
        Fields::Numbered(count) => {
            (1..=*count).map(|it| format!("{}: {}", it - 1, field(it))).collect::<Vec<_>>()
        }
        Fields::Named(names) => names.clone(),
    };
    format!("{}::{} {{ {} }}", of.name, variant.name, fields.join(", "))
}

/// What says that a value is this event.
fn event(found: &Found<'_>) -> String {
    let values = found.observation.arguments.iter().map(|it| {
        let text = expression(&it.expression, &found.variant.fields).unwrap_or_default();
        format!("(&&&{ROOT}::Observed(&({text}))).value()")
    });
    format!(
        "{{ static __RV: {ROOT}::Observing = {ROOT}::Observing::new({:?}); __rv_seen.is(&__RV, &[{}]); }} ",
        found.observation.event,
        values.collect::<Vec<_>>().join(", ")
    )
}

/// The expression with the fields in place of their numbers; the number of one that is not there. Fields are bound by reference.
fn expression(written: &str, fields: &Fields) -> Result<String, usize> {
    let name = |place: usize| match fields {
        Fields::Numbered(count) => (place < *count).then(|| format!("(*{})", field(place + 1))),
        Fields::Named(names) => names.get(place).map(|it| format!("(*{it})")),
    };
    if matches!(fields, Fields::Named(names) if names.iter().any(|it| it == written)) {
        return Ok(format!("*{written}"));
    }
    numbered(written, name)
}

#[cfg(test)]
mod tests {
    use super::super::Argument;
    use super::super::pattern::PathPattern;
    use super::*;
    use std::collections::BTreeMap;

    fn found(text: &str, pattern: &str, moment: Moment, arguments: &[&str]) -> Insertions {
        let argument = |it: &&str| Argument::new("a", *it);
        let path = PathPattern::parse(pattern).expect("it is a pattern");
        let arguments = arguments.iter().map(argument).collect();
        let observation = Observation::plain("send chan::Msg::Stop".to_owned(), path, moment, arguments);
        let module = Module { krate: "shop", path: &["chan".to_owned()] };
        let options = Options { skip: &BTreeMap::new(), against: &|_| None, foreign: None, libraries: false };
        let mut all = Insertions::default();
        of_enums(text, Edition::Rust2021, &module, &[observation], &options, &mut all);
        all
    }

    #[test]
    fn what_a_variant_is_stands_behind_its_enum() {
        let text = "enum Msg { Go, Stop(u8, Vec<u8>), End { why: String } } fn f() {}";
        let cases = [
            (
                "Msg::Stop",
                &["$1", "$2.len()"][..],
                "Msg::Stop { 0: __rv_1, 1: __rv_2 }, ",
                "&((*__rv_2).len())",
            ),
            ("chan::Msg::End", &["why"], "Msg::End { why }, ", "&(*why)"),
            ("shop::Msg::End", &["$1.len()"], "Msg::End { why }, ", "&((*why).len())"),
            ("Msg::Go", &[], "Msg::Go {  }, ", "is(&__RV, &[])"),
        ];
        for (pattern, arguments, bound, value) in cases {
            let found = found(text, pattern, Moment::Call, arguments);
            let [edit] = &*found.edits else { panic!("{pattern}: {found:?}") };
            assert_eq!(&text[edit.offset..], " fn f() {}");
            for part in [bound, value, "Side::Send"] {
                assert!(edit.insert.contains(part), "{part} in {}", edit.insert);
            }
            assert_eq!(found.observed.len(), 1);
            assert_eq!(found.observed[0].unmonitored, None);
        }
        assert_eq!(found(text, "Other::Stop", Moment::Call, &[]), Insertions::default());
    }

    #[test]
    fn a_message_can_be_a_few_events_on_one_side() {
        let observation = |number: usize, moment: Moment| {
            let path = PathPattern::parse("Msg::Stop").expect("it is a pattern");
            Observation::plain(format!("e{number}"), path, moment, Vec::new())
        };
        let mut observations: Vec<Observation> = (0..4).map(|it| observation(it, Moment::Call)).collect();
        observations.push(observation(4, Moment::Entry));
        let module = Module { krate: "shop", path: &[] };
        let options = Options { skip: &BTreeMap::new(), against: &|_| None, foreign: None, libraries: false };
        let mut all = Insertions::default();
        let text = "enum Msg { Stop }";
        of_enums(text, Edition::Rust2021, &module, &observations, &options, &mut all);
        let is_recorded: Vec<bool> = all.observed.iter().map(|it| it.unmonitored.is_none()).collect();
        assert_eq!(is_recorded, [true, true, true, false, true]);
        let [edit] = &*all.edits else { panic!("{all:?}") };
        let recorded = |number: usize| {
            edit.insert.contains(&format!(
                "{{ static __RV: {ROOT}::Observing = {ROOT}::Observing::new(\"e{number}\")"
            ))
        };
        assert_eq!((0..5).map(recorded).collect::<Vec<_>>(), is_recorded);
    }

    #[test]
    fn what_is_no_message_has_a_reason() {
        let cases = [
            ("enum Msg<T> { Stop(T) }", Moment::Call, "$1", "its enum is generic"),
            ("enum Msg { Stop(u8) }", Moment::Call, "$2", "it has no field 2"),
            ("enum Msg { Stop(u8) }", Moment::Return, "result", "a message has no result"),
            ("enum Msg { Stop(u8) }", Moment::Entry, "self", "a message has no `self`"),
            ("enum Msg { Stop { why: u8 } }", Moment::Entry, "$0", "it has no field 0"),
        ];
        for (text, moment, argument, expected) in cases {
            let found = found(text, "Msg::Stop", moment, &[argument]);
            let reason = found.observed[0].unmonitored.clone().unwrap_or_default();
            assert!(reason.contains(expected), "{text}: {reason}");
        }
    }
}
