//! The tables of the language reference that are made of the code's own.

use rvcheck_event::kind::{EventKind, LockKind, Mode, Outcome, Param, TaskKind, TestOutcome, Timer, What};
use rvcheck_spec::model::fluent::{Fluent, Fluents, Only};
use rvcheck_spec::model::pattern::Pattern;

/// What stands before and behind the tables.
const BEGIN: &str = "<!-- The tables from here on are generated: UPDATE_DOCS=1 cargo test -p cargo-rvcheck --test language -->\n";
const END: &str = "<!-- This is the last of them. -->\n";

/// The page with the tables as they should be.
pub(crate) fn page(page: &str) -> String {
    let (before, rest) = page.split_once(BEGIN).expect("the page says where the tables begin");
    let (_, after) = rest.split_once(END).expect("the page says where the tables end");
    let events: String = EventKind::built_in().map(event).collect();
    let variants: String = variants().iter().map(variant).collect();
    let fluents: String = Fluents::built_in().all().iter().map(fluent).collect();
    format!(
        "{before}{BEGIN}
### Built-in events

| event | meaning | attributes |
|---|---|---|
{events}
These attributes are variants:

| attribute | of | values |
|---|---|---|
{variants}
### Built-in fluents

| fluent | from | to |
|---|---|---|
{fluents}
{END}{after}"
    )
}

fn event(kind: EventKind) -> String {
    let signature = kind.signature();
    let attributes: Vec<String> = signature.attrs.iter().map(|it| format!("`{}`", typed(it))).collect();
    format!(
        "| `{}({})` | {} | {} |\n",
        signature.name,
        signature.params.iter().map(typed).collect::<Vec<_>>().join(", "),
        signature.meaning,
        attributes.join(", ")
    )
}

fn typed((name, sort): &Param) -> String {
    format!("{name}: {}", sort.name())
}

/// An attribute, whose it is, and the names of its variants.
type Variants = (&'static str, &'static str, Vec<&'static str>);

fn variants() -> Vec<Variants> {
    vec![
        ("kind", "`spawn`, `start`", TaskKind::ALL.iter().map(|it| it.name()).collect()),
        ("outcome", "`finish`", Outcome::ALL.iter().map(|it| it.name()).collect()),
        ("outcome", "`test_end`", TestOutcome::ALL.iter().map(|it| it.name()).collect()),
        ("what", "`await`, `resume`, `await_cancel`", Timer::ALL.iter().map(|it| it.name()).collect()),
        ("what", "`block`, `unblock`", What::ALL.iter().map(|it| it.name()).collect()),
        ("mode", "the events of locks", Mode::ALL.iter().map(|it| it.name()).collect()),
        ("kind", "the events of locks", LockKind::ALL.iter().map(|it| it.name()).collect()),
    ]
}

fn variant((name, of, values): &Variants) -> String {
    let values: Vec<String> = values.iter().map(|it| format!("`::{it}`")).collect();
    format!("| `{name}` | {of} | {} |\n", values.join(" "))
}

fn fluent(fluent: &Fluent) -> String {
    let params: Vec<String> =
        fluent.params.iter().map(|it| format!("{}: {}", it.name, it.sort.name())).collect();
    let only = match fluent.only {
        Only::Anywhere => "",
        Only::AsyncTasks => ", if the task is of kind `::async` or `::local`",
        Only::EnteredThreads => ", if it is on the thread that entered the runtime by `block_on`",
    };
    let (from, to) = (names(&fluent.from), names(&fluent.to));
    format!("| `{}({})` | {from}{only} | {to} |\n", fluent.name, params.join(", "))
}

fn names(patterns: &[Pattern]) -> String {
    patterns.iter().map(|it| format!("`{}`", it.kind.signature().name)).collect::<Vec<_>>().join(", ")
}
