//! The shim of tokio, compiled as the tool compiles it, in front of real programs.
//!
//! Each program in `tests/tokio` is compiled twice, once against the real tokio and once against the shim, and has to
//! print the same, also while it is recorded. `shims/tokio/api.txt` holds the signatures of everything that is replaced.

#[expect(dead_code, reason = "the tests of the shim of std use the rest")]
mod shim;
#[expect(dead_code, reason = "the tests of what is recorded use the rest")]
mod stand_in_kit;
mod tokio_kit;

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use shim::run;
use stand_in_kit::Crates;
use tokio_kit::{old, program, with_features};

/// Everything that tokio has.
fn full() -> &'static Crates {
    static FULL: OnceLock<Crates> = OnceLock::new();
    FULL.get_or_init(|| with_features(&["full", "test-util"]))
}

#[test]
fn locks_behave_like_the_real_ones() {
    full().prints_the_same(&program("locks.rs"));
}

#[test]
fn signals_behave_like_the_real_ones() {
    full().prints_the_same(&program("signals.rs"));
}

#[test]
fn channels_behave_like_the_real_ones() {
    full().prints_the_same(&program("channels.rs"));
}

#[test]
fn tasks_and_runtimes_behave_like_the_real_ones() {
    full().prints_the_same(&program("tasks.rs"));
}

#[test]
fn types_have_the_traits_of_the_real_ones() {
    full().prints_the_same(&program("traits.rs"));
}

#[test]
fn an_old_tokio_behaves_like_the_real_one() {
    old().prints_the_same(&program("old.rs"));
}

#[test]
fn wrapped_types_are_in_force_by_every_path() {
    run(&full().shimmed(&program("in_force.rs"), &[]).unwrap(), None);
    let refused = full().plain(&program("in_force.rs"), &[]).unwrap_err();
    assert!(refused.contains("__rv_shim"), "{refused}");
}

#[test]
fn the_shim_compiles_with_any_features() {
    for features in [
        &[][..],
        &["sync"],
        &["rt"],
        &["rt", "macros", "time"],
        &["rt-multi-thread", "net"],
        &["rt", "sync", "test-util"],
        &["fs", "process", "signal"],
    ] {
        let tokio = with_features(features);
        run(&tokio.shimmed(&program("few_features.rs"), &[]).unwrap(), None);
    }
}

#[test]
fn every_listed_signature_is_that_of_the_real_tokio_and_of_the_shim() {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("shims/tokio/api.txt");
    let list = fs::read_to_string(list).unwrap();
    compare(full(), "api", &list).unwrap();
}

#[test]
fn what_an_old_tokio_has_of_the_list_the_shim_has_too() {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("shims/tokio/api.txt");
    let list = fs::read_to_string(list).unwrap();
    let list: Vec<&str> = list.lines().filter(|line| !line.starts_with("real ")).collect();
    let old = old();
    let checks = true_lines(old, &checks(&list.join("\n")));
    assert!(checks.lines().filter(|line| !line.is_empty()).count() > 150, "{checks}");
    let source = old.folder().join("had.rs");
    fs::write(&source, checks).unwrap();
    old.shimmed(&source, &["--crate-type=lib", "--emit=metadata"]).unwrap();
}

#[test]
fn a_false_claim_about_a_signature_is_refused() {
    for claim in [
        "fn Mutex::<u8>::get_mut: for<'a> fn(&'a mut Mutex<u8>) -> &'a u16",
        "async Mutex::<u8>::lock: fn(&'a Mutex<u8>) -> u8",
        "async LocalSet::run_until::<Ready<u8>>: fn(&'a LocalSet, Ready<u8>) -> u8",
        "call Builder::name: fn(&'a mut Builder, u8) -> &'a mut Builder",
        "const Mutex::new(1): Mutex<u8>",
        "real sync::Mutex<u8>",
    ] {
        assert!(compare(full(), "claim", claim).is_err(), "{claim}");
    }
}

#[test]
fn each_group_of_types_can_be_left_out() {
    let groups = [
        ("rv_no_barrier", "sync::Barrier"),
        ("rv_no_broadcast", "sync::broadcast::Sender<u8>"),
        ("rv_no_mpsc", "sync::mpsc::Sender<u8>"),
        ("rv_no_mutex", "sync::MutexGuard<'static, u8>"),
        ("rv_no_notify", "sync::futures::Notified<'static>"),
        ("rv_no_once", "sync::SetOnce<u8>"),
        ("rv_no_oneshot", "sync::oneshot::Receiver<u8>"),
        ("rv_no_rwlock", "sync::RwLock<u8>"),
        ("rv_no_semaphore", "sync::Semaphore"),
        ("rv_no_task", "runtime::Runtime"),
        ("rv_no_watch", "sync::watch::Ref<'static, u8>"),
    ];
    let list: Vec<String> = groups.iter().map(|(_, item)| format!("real {item}")).collect();
    for (at, (group, _)) in groups.iter().enumerate() {
        compare(&full().without("tokio", &[group]), "left_out", &list[at]).unwrap();
        compare(full(), "left_out", &list[at]).unwrap_err();
    }
    let all = full().without("tokio", &groups.map(|(group, _)| group));
    compare(&all, "left_out", &list.join("\n")).unwrap();
}

/// Compiles the lines against the real tokio and against the shim.
fn compare(tokio: &Crates, name: &str, lines: &str) -> Result<(), String> {
    let source = tokio.folder().join(name).with_extension("rs");
    fs::write(&source, checks(lines)).unwrap();
    let checked = ["--crate-type=lib", "--emit=metadata"];
    tokio.plain(&source, &checked)?;
    let real = format!("--extern=real_tokio={}", tokio.real("tokio").display());
    tokio.shimmed(&source, &[&checked[..], &["--cfg=shimmed", &real]].concat())?;
    Ok(())
}

/// The program without the lines that do not compile against the real tokio.
fn true_lines(tokio: &Crates, program: &str) -> String {
    let mut lines: Vec<&str> = program.lines().collect();
    let source = tokio.folder().join("true.rs");
    let arguments = ["--crate-type=lib", "--emit=metadata", "--error-format=short"];
    loop {
        fs::write(&source, lines.join("\n")).unwrap();
        let Err(errors) = tokio.plain(&source, &arguments) else { return lines.join("\n") };
        // An error is one line: the file, the line and the column before what it says.
        let place = format!("{}:", source.display());
        let places = errors.lines().filter_map(|error| error.strip_prefix(&place)?.split_once(':'));
        let wrong: Vec<usize> = places.map(|(line, _)| line.parse().unwrap()).collect();
        assert!(wrong.iter().any(|line| !lines[line - 1].is_empty()), "{errors}");
        for line in &wrong {
            lines[line - 1] = "";
        }
    }
}

/// A program that compiles only if every line of the list is true.
fn checks(list: &str) -> String {
    let lines = list.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let checks = lines.map(|(index, line)| check(index, line).unwrap_or_else(|| panic!("{line}")));
    std::iter::once(include_str!("tokio/api_prelude.txt").to_owned()).chain(checks).collect()
}

/// An item that compiles only if the line is true; `None` if it says nothing.
fn check(index: usize, line: &str) -> Option<String> {
    let (kind, rest) = line.split_once(' ')?;
    if kind == "real" {
        let check = format!("const _: fn(tokio::{rest}) -> real_tokio::{rest} = |it| it;\n");
        return Some(format!("#[cfg(shimmed)]\n{check}"));
    }
    let (item, claim) = rest.split_once(": ")?;
    Some(match kind {
        "fn" => format!("const _: {claim} = {item};\n"),
        "const" => format!("const CONST_{index}: {claim} = {item};\n"),
        "async" => called("gives", index, item, claim),
        "local" => called("gives_here", index, item, claim),
        "call" => called("is", index, item, claim),
        _ => return None,
    })
}

/// A function that hands what `item` gives to `check`.
fn called(check: &str, index: usize, item: &str, claim: &str) -> String {
    let (arguments, output) = claim.strip_prefix("fn(").unwrap().rsplit_once(") -> ").unwrap();
    let mut depth = 0;
    let arguments: Vec<&str> = arguments
        .split(|letter| {
            depth += match letter {
                '(' | '<' => 1,
                ')' | '>' => -1,
                _ => 0,
            };
            letter == ',' && depth == 0
        })
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .collect();
    let typed: Vec<String> = arguments.iter().enumerate().map(|(at, it)| format!("a{at}: {it}")).collect();
    let names: Vec<String> = (0..arguments.len()).map(|at| format!("a{at}")).collect();
    let (typed, names) = (typed.join(", "), names.join(", "));
    format!("fn check_{index}<'a>({typed}) {{ {check}::<{output}>({item}({names})) }}\n")
}
