//! What crates have, against what their shims have.
//!
//! `shims/<crate>/api/<version>.txt` lists the public items of a version, made from its sources. Every line is compiled
//! against the real crate and against the shim. `UPDATE_API=tokio cargo test -p rvcheck-runtime --test shims api` makes the
//! lists of a crate anew; `UPDATE_API=all` those of all crates. It also declares in the shim what a newer version has added
//! and only has to be passed on.

use crate::api_list::{
    Examined, Item, Line, List, Method, Newer, Pair, State, condition, examine, lists, newest, rewritten,
};
use crate::shim::{run, rustc, text_of};
use crate::shim_kit::Crates;
use std::fs;
use std::mem::discriminant;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{self, available_parallelism};

#[test]
fn shims_have_what_the_lists_of_the_newest_versions_say() {
    let mut lists = lists();
    match std::env::var("UPDATE_API") {
        Ok(update) => {
            for at in 0..lists.len() {
                if update == "all" || update == lists[at].krate {
                    lists[at] = rewritten(&lists[at], &lists);
                    fs::write(&lists[at].path, lists[at].text()).unwrap();
                }
            }
            lists.retain(|it| update == "all" || update == it.krate);
        }
        Err(_) => lists = newest(&lists).into_iter().cloned().collect(),
    }
    agree(&lists);
}

#[test]
#[ignore = "nightly: it compiles each crate once more for each older version"]
fn shims_have_what_the_lists_of_older_versions_say() {
    let lists = lists();
    let known: Vec<_> = newest(&lists).into_iter().map(|it| it.path.clone()).collect();
    agree(&lists.iter().filter(|it| !known.contains(&it.path)).cloned().collect::<Vec<_>>());
}

fn agree(lists: &[List]) {
    let at_once = available_parallelism().map_or(1, usize::from);
    let wrong: Vec<String> = lists.chunks(at_once).flat_map(all_wrong).collect();
    assert!(wrong.is_empty(), "{} lines are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_a_newer_version_adds_comes_through() {
    let lists = lists();
    newer_comes_through(newest(&lists).into_iter().find(|it| it.krate == "tokio").unwrap());
}

#[test]
#[ignore = "nightly: it compiles a made-up version of each crate"]
fn what_a_newer_version_of_each_crate_adds_comes_through() {
    newest(&lists()).into_iter().for_each(newer_comes_through);
}

fn newer_comes_through(list: &List) {
    let newer = Newer::of(list, &list.crates());
    let items: Vec<&str> = newer.items.iter().map(String::as_str).collect();
    assert!(items.iter().any(|it| it.starts_with(&format!("fn {}::added_later", list.krate))), "{items:?}");
    let Examined { states, refusals, .. } = examine(&newer.crates, &list.krate, &items);
    for (item, state) in items.iter().zip(states) {
        assert_eq!(state, State::Forwarded, "{item}\n{refusals:?}");
    }
}

#[test]
fn what_a_newer_version_adds_to_a_type_is_declared() {
    let own = ["x::sync::Sender", "x::sync::Receiver"];
    let method = |item: &str| Method::of(&Item::parse(item).unwrap(), "x", &own);
    let shim = "pub struct Sender<T>;\n\n\
                rt::forwards! {\n    [T] Sender<T> {\n        pub fn len(&self) -> usize;\n    }\n}\n";
    for (item, declared) in [
        ("is_full: <'l0, T>(&'l0 x::sync::Sender<T>) -> bool", "pub fn is_full(&self) -> bool;"),
        ("close: <'l0, T>(&'l0 mut x::sync::Sender<T>)", "pub fn close(&mut self);"),
        ("id: <T>(x::sync::Sender<T>) -> x::Id", "pub fn id(self) -> real::Id;"),
        (
            "same: <'l0, 'l1, T>(&'l0 x::sync::Sender<T>, &'l1 x::sync::Sender<T>) -> bool",
            "pub fn same(&self, other: &Self) -> bool;",
        ),
        (
            "name: <'l0, T>(&'l0 x::sync::Sender<T>, u8) -> std::option::Option<&'l0 str>",
            "pub fn name(&self, argument_0: u8) -> std::option::Option<&str>;",
        ),
    ] {
        let item = format!("fn <x::sync::Sender<T>>::{item}");
        let text = method(&item).unwrap().declared_in(shim, Some("newer"));
        let added = text.strip_prefix(&shim[..shim.len() - "    }\n}\n".len()]).unwrap();
        assert_eq!(added, format!("        #[cfg(newer)] {declared}\n    }}\n}}\n"));
    }
    for somebody_decides in [
        "fn <x::sync::Sender<T>>::weak: <'l0, T>(&'l0 x::sync::Sender<T>) -> x::sync::Receiver<T>",
        "fn <x::sync::Sender<T>>::new: <T>(u8) -> x::sync::Sender<T>",
        "fn <x::sync::Sender<T>>::map::<F>: <T, F>(x::sync::Sender<T>, F)",
        "async fn <x::sync::Sender<T>>::wait: <'l0, T>(&'l0 x::sync::Sender<T>)",
        "fn x::sync::id: <>() -> x::Id",
        "fn <x::Id>::get: <>(x::Id) -> u8",
    ] {
        assert_eq!(method(somebody_decides), None, "{somebody_decides}");
    }
    for (version, expected) in
        [("1.9.0", "rv_x_1_9"), ("0.3.0", "rv_x_0_3"), ("0.3.7", "any(rv_x_0_4, rv_x_0_3_7)")]
    {
        assert_eq!(condition("x", version), expected);
    }
}

#[test]
fn types_have_the_names_of_the_real_ones() {
    let lists = lists();
    for list in newest(&lists).into_iter().filter(|it| NAMED.contains(&&*it.krate)) {
        let crates = list.whole_crates();
        let types = list.lines.iter().filter_map(Line::own_type);
        let print = |of| format!("    println!(\"{{}}\", name(std::any::type_name::<{of}>()));\n");
        let text = format!(
            "#[cfg(shimmed)] use rvcheck_runtime::real_name as name;\n\
             #[cfg(not(shimmed))] fn name(it: &str) -> &str {{ it }}\n\
             fn main() {{\n{}}}\n",
            types.map(print).collect::<String>()
        );
        let source = crates.folder().join("names.rs");
        fs::write(&source, text).unwrap();
        let shimmed = crates.shimmed(&source, &["--cfg=shimmed", "--extern=rvcheck_runtime"]).unwrap();
        assert_eq!(run(&shimmed, None), run(&crates.plain(&source, &[]).unwrap(), None));
    }
}

/// The crates whose shims say what their types stand for, beside std.
const NAMED: [&str; 9] = [
    "async_channel",
    "async_lock",
    "crossbeam_channel",
    "flume",
    "futures_channel",
    "once_cell",
    "parking_lot",
    "tokio",
    "tokio_util",
];

#[test]
fn faults_of_a_shim_are_found() {
    let fixture = Fixture::compiled();
    let expected: Vec<Line> =
        include_str!("api/fixture.txt").lines().map(|it| Line::parse(it).unwrap()).collect();
    let items: Vec<&str> = expected.iter().map(|it| it.item.as_str()).collect();
    let Examined { states, differences, .. } = examine(&fixture, "fixture", &items);
    for (line, state) in expected.iter().zip(states) {
        assert_eq!(discriminant(&state), discriminant(&line.state), "{line}");
    }
    for (differs, expected) in [
        ("fn g11<", "Guard<'a, T> as Send_"),
        ("fn v10_0<", "Guard<'long, T>"),
        ("fn v10_1<", "Guard<'a, &'long u8>"),
        ("fn sends7<", "Wrapped<T>>::wait"),
        ("const _: () = assert!(!", "needs_drop::<fixture::Bare>"),
    ] {
        assert!(
            differences.iter().any(|it| it.starts_with(differs) && it.contains(expected)),
            "{differences:#?}"
        );
    }
    assert_eq!(differences.len(), 5, "{differences:#?}");
}

/// What is wrong with these lists, examined at the same time.
fn all_wrong(lists: &[List]) -> Vec<String> {
    let crates: Vec<Crates> = lists.iter().map(List::crates).collect();
    thread::scope(|scope| {
        let running = lists.iter().zip(&crates).map(|(list, crates)| scope.spawn(|| wrong(list, crates)));
        let running: Vec<_> = running.collect();
        running.into_iter().flat_map(|it| it.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// What is wrong with a list.
fn wrong(list: &List, crates: &Crates) -> Vec<String> {
    let items: Vec<&str> = list.lines.iter().map(|it| it.item.as_str()).collect();
    let Examined { states, refusals, differences, .. } = examine(crates, &list.krate, &items);
    let mut wrong = Vec::new();
    for (line, state) in list.lines.iter().zip(states) {
        let same = match (&line.state, &state) {
            (State::LeftOut(reason), State::LeftOut(_)) => reason != "?",
            (listed, found) => listed == found,
        };
        if !same {
            wrong.push(format!("{}: {line}\n  is {}", list.title(), Line { state, ..line.clone() }));
        }
    }
    if !wrong.is_empty() {
        wrong.push(format!("UPDATE_API={} writes the list anew", list.krate));
        wrong.extend(refusals.into_iter().map(|it| format!("refused: {it}")));
    }
    wrong.extend(differences.into_iter().map(|it| format!("{} differs: {it}", list.title())));
    wrong
}

/// The crate `tests/shims/api/real.rs`, and a shim that is full of faults.
struct Fixture {
    folder: PathBuf,
    real: PathBuf,
}

impl Fixture {
    fn compiled() -> Fixture {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("api-fixture");
        fs::create_dir_all(&folder).unwrap();
        let fixture = Fixture { real: folder.join("libfixture.rmeta"), folder };
        fixture.library("fixture", "real.rs");
        fixture.library("faulty", "faulty.rs");
        fixture
    }

    fn library(&self, name: &str, source: &str) {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shims/api").join(source);
        let mut command = self.compiler(&self.real);
        command.args(["--crate-type=rlib", "--emit=metadata", "--crate-name", name]).arg(source);
        text_of(&command.arg("--out-dir").arg(&self.folder).output().unwrap()).unwrap();
    }

    /// A compiler for which this library is the crate.
    fn compiler(&self, library: &Path) -> Command {
        let mut command = rustc();
        command.args(["--edition=2021", "-L"]).arg(&self.folder);
        command.arg("--extern").arg(format!("fixture={}", library.display()));
        command
    }
}

impl Pair for Fixture {
    fn folder(&self) -> &Path {
        &self.folder
    }

    fn real(&self, _: &str) -> &Path {
        &self.real
    }

    fn compile(&self, source: &Path, shimmed: bool, arguments: &[&str]) -> Result<(), String> {
        let shim = self.folder.join("libfaulty.rmeta");
        let mut command = self.compiler(if shimmed { &shim } else { &self.real });
        command.args(arguments).arg(source).arg("-o").arg(source.with_extension("rmeta"));
        text_of(&command.output().unwrap()).map(drop)
    }
}
