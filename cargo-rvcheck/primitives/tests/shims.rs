//! The rows against the shims' lists of the public items of each crate.

use rvcheck_primitives::{Library, Owner, Row, Waits, libraries, named, owner, row};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A function of a list.
struct Listed {
    /// The type or module in the one form, and the name.
    of: String,
    name: String,
    is_async: bool,
    /// How many arguments it has, without the receiver.
    arguments: Option<usize>,
    /// Where it stands.
    place: String,
}

fn shims() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rvcheck-runtime/shims")
}

/// The functions of all lists that the shims have of their own.
fn wrapped() -> Vec<Listed> {
    let mut found = Vec::new();
    for shim in fs::read_dir(shims()).unwrap() {
        let Ok(lists) = fs::read_dir(shim.unwrap().path().join("api")) else { continue };
        for list in lists {
            let path = list.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            for line in text.lines() {
                let Some((quals, rest)) = line.strip_prefix("wrapped").and_then(|it| it.split_once("fn "))
                else {
                    continue;
                };
                if quals.split_whitespace().all(|it| ["const", "unsafe", "async"].contains(&it)) {
                    found.push(listed(rest, quals.contains("async"), &path));
                }
            }
        }
    }
    let text = fs::read_to_string(shims().join("std/api.txt")).unwrap();
    let mut section = String::new();
    for line in text.lines() {
        if let Some(of) = line.strip_prefix("# ").filter(|it| !it.contains(' ')) {
            of.clone_into(&mut section);
        } else if let Some(rest) = line.strip_prefix("fn ").filter(|it| !it.starts_with('<')) {
            let path = without_generics(&rest[..rest.find(": ").unwrap()]);
            let (of, name) = path.rsplit_once("::").unwrap();
            // A type has its name behind the section's module, a module is the section itself.
            let module = section.rsplit_once("::").filter(|it| it.1.starts_with(char::is_uppercase));
            let of = match module {
                _ if section.ends_with(of) => format!("std::{section}"),
                Some((module, _)) => format!("std::{module}::{of}"),
                None => format!("std::{section}::{of}"),
            };
            found.push(Listed {
                of,
                name: name.to_owned(),
                is_async: false,
                arguments: None,
                place: line.to_owned(),
            });
        }
    }
    found
}

/// Reads `<a::B<T>>::c::<U>: <'l0, T>(&'l0 a::B<T>, u8) -> u8`.
fn listed(text: &str, is_async: bool, list: &Path) -> Listed {
    let at = text.find(": <").unwrap();
    let (path, signature) = (&text[..at], &text[at + 2..]);
    let (of, name) = if path.starts_with('<') {
        let close = closing(path, '<', '>');
        let of = &path[1..close];
        (of.rsplit_once(" as ").map_or(of, |it| it.1), path[close + 3..].to_owned())
    } else {
        let path_end = path.find("::<").unwrap_or(path.len());
        let (of, name) = path[..path_end].rsplit_once("::").unwrap();
        (of, name.to_owned())
    };
    let of = without_generics(of).replace("r#", "");
    let of = OF_TYPES.iter().find(|it| it.0 == of).map_or(of, |it| it.1.to_owned());
    let name = name.split("::<").next().unwrap().to_owned();
    let generics = closing(signature, '<', '>');
    let inputs = &signature[generics + 1..];
    let inputs = parts(&inputs[1..closing(inputs, '(', ')')]);
    let type_name = of.rsplit("::").next().unwrap();
    let of_type = type_name.starts_with(char::is_uppercase);
    let takes_itself = inputs.first().is_some_and(|it| {
        let bare = it.replace("r#", "");
        let own = [" ", "(", "<", "&"].iter().any(|before| bare.contains(&format!("{before}{of}")));
        bare.starts_with(&of) || own || path.contains(" as ")
    });
    let arguments = Some(inputs.len() - usize::from(of_type && takes_itself));
    let place = format!("{}: {text}", list.display());
    Listed { of, name, is_async, arguments, place }
}

/// The offset of the bracket that closes the first one.
fn closing(text: &str, open: char, close: char) -> usize {
    let (mut depth, mut previous) = (0, ' ');
    for (at, char) in text.char_indices() {
        if char == open {
            depth += 1;
        } else if char == close && !matches!(previous, '-' | '=') {
            depth -= 1;
            if depth == 0 {
                return at;
            }
        }
        previous = char;
    }
    panic!("{text}")
}

fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut previous, mut start, mut found) = (0, ' ', 0, Vec::new());
    for (at, char) in text.char_indices() {
        match char {
            '<' | '(' | '[' => depth += 1,
            '>' if matches!(previous, '-' | '=') => {}
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        previous = char;
    }
    found.push(text[start..].trim());
    found.retain(|it| !it.is_empty());
    found
}

fn without_generics(path: &str) -> String {
    let (mut depth, mut previous, mut found) = (0, ' ', String::new());
    for char in path.chars() {
        match char {
            '<' => depth += 1,
            '>' if !matches!(previous, '-' | '=') => depth -= 1,
            _ if depth == 0 => found.push(char),
            _ => {}
        }
        previous = char;
    }
    found.replace("::::", "::").trim_end_matches(':').trim().to_owned()
}

fn is_inert(owner: &Owner, name: &str) -> bool {
    owner.inert.iter().any(|(_, names)| names.contains(&name))
}

fn rows_of(library: &'static Library) -> impl Iterator<Item = Row> {
    library
        .owners
        .iter()
        .flat_map(|owner| owner.operations.iter().map(move |operation| Row { owner, operation }))
}

#[test]
fn every_function_that_a_shim_wraps_has_a_row_or_a_reason_to_have_none() {
    let mut wrong = BTreeSet::new();
    for Listed { of, name, place, .. } in wrapped() {
        let Some(owner) = owner(&of) else {
            wrong.insert(format!("{of} is no owner: {place}"));
            continue;
        };
        let (has_row, is_inert) = (owner.operation(&name).is_some(), is_inert(owner, &name));
        if has_row == is_inert {
            wrong.insert(format!("{of}::{name} has {}: {place}", if has_row { "both" } else { "neither" }));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn every_row_and_reason_matches_an_item_of_some_version() {
    let known: BTreeSet<(String, String)> = wrapped().into_iter().map(|it| (it.of, it.name)).collect();
    let mut wrong = Vec::new();
    for library in libraries().iter().filter(|it| shims().join(it.name).join("api").is_dir()) {
        for owner in library.owners {
            let names = owner.operations.iter().map(|it| it.name);
            let names = names.chain(owner.inert.iter().flat_map(|it| it.1.iter().copied()));
            let unlisted = names.filter(|it| !known.contains(&(owner.path.to_owned(), (*it).to_owned())));
            wrong.extend(unlisted.map(|it| format!("{}::{it}", owner.path)));
        }
    }
    wrong.retain(|it| !UNWRAPPED.iter().any(|known| it.starts_with(known)));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Traits whose methods are rows of a type that has them.
const OF_TYPES: [(&str, &str); 1] = [("event_listener::Listener", "event_listener::EventListener")];

/// Rows about what no shim wraps, or in versions that have none, and about a trait whose methods take their value.
const UNWRAPPED: [&str; 5] = [
    "event_listener::EventListener",
    "tokio::signal",
    "futures_util::future::AbortHandle",
    "futures_util::task::AtomicWaker",
    "tokio::task::yield_now",
];

#[test]
fn rows_say_of_arguments_and_waiting_what_the_signatures_say() {
    let mut wrong = BTreeSet::new();
    let mut arguments: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for it in wrapped() {
        let path = format!("{}::{}", it.of, it.name);
        let Some(Row { operation, .. }) = row(&path) else { continue };
        if let Some(number) = it.arguments {
            arguments.entry(path).or_default().insert(number);
        }
        if it.is_async && operation.waits != Waits::Task {
            wrong.insert(format!("it is async: {}", it.place));
        }
        if it.name.starts_with("try_") && operation.may_wait_for_ever() {
            wrong.insert(format!("it only tries: {}", it.place));
        }
        if it.name.starts_with("poll_") && operation.waits == Waits::Thread {
            wrong.insert(format!("it polls: {}", it.place));
        }
    }
    // Some have one more in another version.
    for (path, numbers) in arguments {
        let said = row(&path).map_or(0, |it| usize::from(it.operation.arguments));
        if !numbers.contains(&said) {
            wrong.insert(format!("{path} has {numbers:?} arguments, not {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn nothing_is_there_twice() {
    let mut paths = BTreeSet::new();
    for owner in libraries().iter().flat_map(|it| it.owners) {
        for path in std::iter::once(&owner.path).chain(owner.aliases) {
            assert!(paths.insert(*path), "{path}");
        }
        let mut names = BTreeSet::new();
        let all = owner.operations.iter().map(|it| it.name);
        for name in all.chain(owner.inert.iter().flat_map(|it| it.1.iter().copied())) {
            assert!(names.insert(name), "{}::{name}", owner.path);
        }
        assert!(owner.inert.iter().all(|(_, names)| !names.is_empty()));
    }
    let mut keys = BTreeSet::new();
    for adapter in rvcheck_primitives::adapters() {
        assert!(keys.insert((adapter.of, adapter.name)), "{}::{}", adapter.of, adapter.name);
    }
}

/// Names that say nothing of what is called.
const COMMON: [&str; 9] = ["clone", "drop", "fmt", "from", "into", "new", "next", "poll", "take"];

/// By type and function: the words in the bodies of a shim and of what it calls.
type Bodies = BTreeMap<(String, String), BTreeSet<String>>;

/// The functions of a shim from whose text a call leads to one that delays, as far as names tell.
fn delaying(bodies: &Bodies) -> BTreeSet<(String, String)> {
    let mut words: BTreeSet<String> =
        ["delay", "is_delayed", "come"].into_iter().map(str::to_owned).collect();
    let mut found = BTreeSet::new();
    loop {
        let before = found.len();
        for (key, body) in bodies {
            if words.is_disjoint(body) {
                continue;
            }
            found.insert(key.clone());
            let (of, name) = key;
            if name == "poll" || name == "poll_next" {
                words.insert(of.clone());
            } else if !COMMON.contains(&name.as_str()) && named(name).is_empty() {
                words.insert(name.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn collect(folder: &Path, bodies: &mut Bodies) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, bodies);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            for (at, _) in text.match_indices("fn ") {
                let is_part = |it: &char| it.is_alphanumeric() || *it == '_';
                let name: String = text[at + 3..].chars().take_while(is_part).collect();
                let Some(open) = text[at..].find(['{', ';']).map(|it| at + it) else { continue };
                if !text[open..].starts_with('{') {
                    continue;
                }
                let body = &text[open..open + closing(&text[open..], '{', '}')];
                let words = body.split(|it: char| !it.is_alphanumeric() && it != '_').map(str::to_owned);
                bodies.entry((type_around(&text[..at]), name)).or_default().extend(words);
            }
        }
    }
}

/// The type of the last `impl` before the end of a text.
fn type_around(before: &str) -> String {
    let Some(at) = before.rfind("\nimpl") else { return String::new() };
    let header = before[at..].split(['{', ';']).next().unwrap();
    let header = header.split("where").next().unwrap().trim_start_matches("\nimpl");
    // Parameters may have bounds with arrows.
    let header = if header.starts_with('<') { &header[closing(header, '<', '>') + 1..] } else { header };
    let header = without_generics(header.rsplit_once(" for ").map_or(header, |it| it.1));
    header.rsplit("::").next().unwrap().trim().to_owned()
}

#[test]
fn what_waits_can_be_delayed_by_a_schedule() {
    let mut missing: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for library in libraries().iter().filter(|it| shims().join(it.name).is_dir()) {
        let mut bodies = Bodies::new();
        collect(&shims().join(library.name), &mut bodies);
        let delaying = delaying(&bodies);
        for Row { owner, operation } in rows_of(library).filter(|it| it.operation.may_wait_for_ever()) {
            let key = (owner.name().to_owned(), operation.name.to_owned());
            // What a macro makes is looked at where it is used.
            if bodies.contains_key(&key) && !delaying.contains(&key) {
                missing.entry(owner.path.to_owned()).or_default().insert(operation.name);
            }
        }
    }
    for (of, names) in NOT_DELAYED {
        if let Some(missing) = missing.get_mut(*of) {
            missing.retain(|it| !names.contains(it));
        }
    }
    missing.retain(|_, names| !names.is_empty());
    let missing: Vec<String> = missing.into_iter().map(|(of, names)| format!("{of}: {names:?}")).collect();
    assert!(missing.is_empty(), "no schedule can delay these:\n{}", missing.join("\n"));
}

/// What a schedule cannot delay before it waits, although it should. Nothing is to be added here.
const NOT_DELAYED: &[(&str, &[&str])] = &[
    ("async_channel::Receiver", &["recv", "recv_blocking"]),
    ("async_channel::Sender", &["closed", "send", "send_blocking"]),
    ("crossbeam_channel::Receiver", &["recv"]),
    ("crossbeam_channel::Select", &["ready", "select"]),
    ("crossbeam_channel::Sender", &["send"]),
    ("flume::Receiver", &["into_recv_async", "into_stream", "recv", "recv_async", "stream"]),
    ("flume::Selector", &["wait"]),
    ("flume::Sender", &["into_send_async", "send", "send_async"]),
    ("futures_channel::mpsc::Sender", &["poll_ready"]),
    ("futures_channel::mpsc::UnboundedSender", &["poll_ready"]),
    ("futures_channel::oneshot::Sender", &["cancellation"]),
    ("futures_executor::LocalPool", &["run", "run_until"]),
    ("lock_api::Condvar", &["wait_while"]),
    ("once_cell::sync::Lazy", &["force"]),
    ("once_cell::sync::OnceCell", &["wait"]),
    ("parking_lot::Condvar", &["wait_while"]),
    ("parking_lot::Once", &["wait", "wait_force"]),
    ("std::sync::Barrier", &["wait"]),
    ("std::sync::Condvar", &["wait_while"]),
    ("std::sync::LazyLock", &["force"]),
    ("std::sync::Once", &["wait", "wait_force"]),
    ("std::sync::OnceLock", &["wait"]),
    ("std::sync::mpsc::Receiver", &["recv"]),
    ("std::sync::mpsc::SyncSender", &["send"]),
    ("std::thread::JoinHandle", &["join"]),
    ("std::thread::ScopedJoinHandle", &["join"]),
    ("tokio::sync::Mutex", &["blocking_lock", "blocking_lock_owned"]),
    ("tokio::sync::RwLock", &["blocking_read", "blocking_write"]),
    (
        "tokio::sync::Semaphore",
        &[
            "blocking_acquire",
            "blocking_acquire_many",
            "blocking_acquire_many_owned",
            "blocking_acquire_owned",
        ],
    ),
    ("tokio::sync::broadcast::Receiver", &["blocking_recv"]),
    ("tokio::sync::mpsc::Receiver", &["blocking_recv"]),
    ("tokio::sync::mpsc::Sender", &["blocking_send"]),
    ("tokio::sync::oneshot::Receiver", &["blocking_recv"]),
    ("tokio::sync::watch::Receiver", &["borrow"]),
    ("tokio::sync::watch::Sender", &["borrow"]),
    (
        "tokio::task::JoinSet",
        &[
            "join_all",
            "join_next",
            "join_next_with_id",
            "poll_join_next",
            "poll_join_next_with_id",
            "shutdown",
        ],
    ),
    ("tokio::task::LocalSet", &["block_on", "run_until"]),
    (
        "tokio_util::sync::CancellationToken",
        &["cancelled", "cancelled_owned", "run_until_cancelled", "run_until_cancelled_owned"],
    ),
    ("tokio_util::sync::PollSemaphore", &["poll_acquire", "poll_acquire_many"]),
    ("tokio_util::sync::PollSender", &["poll_reserve"]),
    ("tokio_util::task::TaskTracker", &["wait"]),
];
