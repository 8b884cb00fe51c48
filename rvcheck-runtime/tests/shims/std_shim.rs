//! The shim of std, compiled as the tool compiles it, in front of real programs.
//!
//! Each program in `tests/shims/std` is compiled twice, once against the real std and once against the shim, and has to print
//! the same, also while it is recorded. `shims/std/api.txt` holds the signatures of everything that is replaced.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::shim::{
    Against, ends_controlled, hangs_controlled, kit, prints_by_default, prints_controlled, program, run,
    sources,
};

#[track_caller]
fn prints_the_same(name: &str, edition: &str) {
    let (shimmed, expected) = prints_the_same_uncontrolled(name, edition);
    prints_by_default(&shimmed, &expected);
    prints_controlled(&shimmed, &expected);
}

/// The program that can be controlled, and what it prints.
#[track_caller]
fn prints_the_same_uncontrolled(name: &str, edition: &str) -> (PathBuf, String) {
    let source = program(name);
    let plain = kit().compile(&source, edition, Against::RealStd, &[]).unwrap();
    let shimmed = kit().compile(&source, edition, Against::Shim, &["--cfg=shimmed"]).unwrap();
    let expected = run(&plain, None);
    assert!(expected.contains('\n'), "{name} prints nothing");
    assert_eq!(run(&shimmed, None), expected, "{name}, not recorded");
    assert_eq!(run(&shimmed, Some(&shimmed.with_extension("rvt"))), expected, "{name}, recorded");
    (shimmed, expected)
}

#[test]
fn controlled_threads_come_to_their_end_and_hangs_are_noticed() {
    let compiled = |name| kit().compile(&program(name), "2024", Against::Shim, &[]).unwrap();
    ends_controlled(&compiled("controlled.rs"));
    hangs_controlled(&compiled("hangs.rs"));
    hangs_controlled(&compiled("parked.rs"));
}

#[test]
fn locks_behave_like_the_real_ones() {
    prints_the_same("locks.rs", "2024");
}

#[test]
fn initialisers_behave_like_the_real_ones() {
    prints_the_same("once.rs", "2024");
}

#[test]
fn channels_behave_like_the_real_ones() {
    prints_the_same("channels.rs", "2024");
}

#[test]
fn threads_behave_like_the_real_ones() {
    prints_the_same("threads.rs", "2024");
}

#[test]
fn panics_behave_like_the_real_ones() {
    prints_the_same("panics.rs", "2024");
}

#[test]
fn files_behave_like_the_real_ones() {
    prints_the_same("files.rs", "2024");
}

#[test]
fn values_are_dropped_like_the_real_ones() {
    prints_the_same("drops.rs", "2024");
}

#[test]
fn an_allocator_that_locks_works_like_plainly() {
    // What control keeps comes from this allocator, too.
    prints_the_same_uncontrolled("allocator.rs", "2024");
}

#[test]
fn macros_derives_and_preludes_work_in_every_edition() {
    prints_the_same("language_2015.rs", "2015");
    for edition in ["2018", "2021", "2024"] {
        // It starts processes and opens sockets, where nothing is rewritten that would say so.
        prints_the_same_uncontrolled("language.rs", edition);
    }
}

#[test]
fn wrapped_types_are_in_force_by_every_path() {
    let binary = kit().compile(&program("in_force.rs"), "2021", Against::Shim, &[]).unwrap();
    run(&binary, None);
    let refused = kit().compile(&program("in_force.rs"), "2021", Against::RealStd, &[]).unwrap_err();
    assert!(refused.contains("__rv_shim"), "{refused}");
}

#[test]
fn names_are_those_of_the_real_items() {
    prints_the_same_uncontrolled("names.rs", "2024");
}

#[test]
fn what_an_attribute_inserts_moves_nothing() {
    let binary = kit().compile(&program("inserted.rs"), "2024", Against::Shim, &[]).unwrap();
    run(&binary, None);
}

#[test]
fn tests_run_under_the_standard_harness() {
    let binary = kit().compile(&program("tested.rs"), "2024", Against::Shim, &["--test"]).unwrap();
    let output = run(&binary, Some(&binary.with_extension("rvt")));
    assert!(output.contains("3 passed; 0 failed; 1 ignored"), "{output}");
}

#[test]
fn every_listed_signature_is_that_of_the_real_std_and_of_the_shim() {
    let list = fs::read_to_string(sources().join("api.txt")).unwrap();
    let source = kit().folder().join("api.rs");
    fs::write(&source, checks(&list)).unwrap();
    for against in [Against::RealStd, Against::Shim] {
        kit().compile(&source, "2021", against, &["--crate-type=lib", "--emit=metadata"]).unwrap();
    }
}

/// A program that compiles only if every line of the list is true.
fn checks(list: &str) -> String {
    let mut text = String::from(include_str!("std/api_prelude.txt"));
    for (index, line) in
        list.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    {
        let (kind, rest) = line.split_once(' ').unwrap();
        let (item, claim) = rest.split_once(": ").unwrap_or_else(|| panic!("line {}: {line}", index + 1));
        match kind {
            "fn" => writeln!(text, "const _: {claim} = {item};"),
            "const" => {
                writeln!(text, "static S{index}: {claim} = {item};\nconst C{index}: {claim} = {item};")
            }
            "impl" => {
                writeln!(
                    text,
                    "const _: () = {{ const fn has<T: {claim} + ?Sized>() {{}} has::<{item}>() }};"
                )
            }
            "not" => writeln!(text, "const _: () = lacks!({item}: {claim});"),
            _ => panic!("line {}: {line}", index + 1),
        }
        .unwrap();
    }
    text
}

#[test]
fn listed_types_are_dropped_and_named_like_the_real_ones() {
    let list = fs::read_to_string(sources().join("api.txt")).unwrap();
    let claims = list.lines().filter_map(|it| it.strip_prefix("impl ").or_else(|| it.strip_prefix("not ")));
    let types: BTreeSet<&str> = claims.filter_map(|it| Some(it.split_once(": ")?.0)).collect();
    let mut text = String::from(include_str!("std/api_prelude.txt"));
    text.push_str("fn main() {\n");
    for of in types.into_iter().filter(|it| !["dyn ", "<str>", "<[u8]>"].iter().any(|not| it.contains(not))) {
        writeln!(
            text,
            "    println!(\"{of} {{}} {{}} {{}}\", std::mem::needs_drop::<{of}>(), size_of::<{of}>() == 0, \
             std::any::type_name::<{of}>());"
        )
        .unwrap();
    }
    text.push_str("}\n");
    let source = kit().folder().join("types.rs");
    fs::write(&source, text).unwrap();
    let printed = |against| run(&kit().compile(&source, "2024", against, &[]).unwrap(), None);
    let (real, shim) = (printed(Against::RealStd), printed(Against::Shim));
    assert!(real.contains("Mutex<u8> false false") && real.contains("OnceLock<u8> true false"), "{real}");
    for (real, shim) in real.lines().zip(shim.lines()) {
        assert_eq!(shim, real);
    }
}

#[test]
fn a_false_claim_about_a_signature_is_refused() {
    for claim in [
        "fn Mutex::<u8>::lock: fn(&Mutex<u8>) -> u8",
        "const Mutex::new(1): Mutex<&'static str>",
        "impl MutexGuard<'static, u8>: Send",
        "not Mutex<u8>: Send",
    ] {
        let source = kit().folder().join("claim.rs");
        fs::write(&source, checks(claim)).unwrap();
        let result =
            kit().compile(&source, "2021", Against::RealStd, &["--crate-type=lib", "--emit=metadata"]);
        assert!(result.is_err(), "{claim}");
    }
}

#[test]
fn each_group_of_wrappers_can_be_left_out() {
    let all = ["mutex", "rwlock", "barrier", "once", "mpsc", "thread", "panic", "fs"]
        .map(|it| format!("rv_no_{it}"));
    let root = fs::read_to_string(sources().join("lib.rs")).unwrap();
    for name in &all {
        assert!(root.contains(name.as_str()), "{name} is not documented");
        let shim = kit().shim_without(std::slice::from_ref(name));
        assert_runs_with(&shim, name);
    }
    assert_runs_with(&kit().shim_without(&all), "all");
}

#[test]
fn what_a_compiler_does_not_have_is_not_wrapped_for_it() {
    let old = kit().shim_of(85);
    assert_runs_with(&old, "1.85");
    let source = kit().folder().join("newer.rs");
    for (newer, use_it) in [
        (86, "fn f(once: &std::sync::Once) { once.wait() }"),
        (86, "fn f(lock: &std::sync::OnceLock<u8>) -> &u8 { lock.wait() }"),
        (92, "use std::sync::*; fn f(it: RwLockWriteGuard<u8>) { RwLockWriteGuard::downgrade(it); }"),
    ] {
        fs::write(&source, use_it).unwrap();
        let arguments = ["--crate-type=lib", "--emit=metadata"];
        let compiles =
            |shim: &Path| kit().compile(&source, "2021", Against::ThisShim(shim), &arguments).is_ok();
        assert!(compiles(&kit().shim_of(newer)) && !compiles(&kit().shim_of(newer - 1)), "{use_it}");
    }
}

#[track_caller]
fn assert_runs_with(shim: &Path, name: &str) {
    let binary: PathBuf =
        kit().compile(&program("threads.rs"), "2024", Against::ThisShim(shim), &[]).unwrap();
    assert!(run(&binary, None).contains('\n'), "{name}");
}
