//! What is proved of the sites of a fixture is what it says, and nothing else is.
//!
//! A fixture is a source under `tests/residual/<name>/`. Each site of a lock has its verdict at the end of its line: `//~ lock-order
//! orphan` for a proof with that reason, `//~ lock-order monitored` for none. `//@ proved: lock-order` says that the property is proved as
//! a whole; where there is no such line, it is not. The name of the folder is that of a property that is looked at in any case.

mod fixture;
mod generated;
mod harmless;

use fixture::{expected, facades, fixtures, program, program_but};
use rvcheck_source::mir::{Mir, Terminator};
use rvcheck_source::program::Program;
use rvcheck_source::residual::{Residual, Verdict};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

const PROPERTIES: [&str; 2] = ["guard-across-await", "lock-order"];

/// Line, property and verdict of each site.
fn verdicts(program: &Program, residual: &Residual) -> BTreeSet<(u32, String, String)> {
    if std::env::var_os("RVCHECK_SHOW_MIR").is_some() {
        println!("{:#?}\n{:#?}", residual.verdicts, residual.doubts);
    }
    let verdicts = residual.verdicts.iter().filter(|((property, _), _)| PROPERTIES.contains(property));
    let of_site = verdicts.filter_map(|((property, site), verdict)| {
        let said = match verdict {
            Verdict::Proved(reason) => reason.name(),
            Verdict::Monitored(_) => "monitored",
        };
        Some((program.site(*site)?.start.line, (*property).to_owned(), said.to_owned()))
    });
    of_site.collect()
}

#[test]
fn each_site_has_the_verdict_that_the_fixture_says() {
    let built = tempfile::tempdir().expect("there is room");
    facades(built.path());
    let mut differences = String::new();
    for path in fixtures("residual") {
        let text = fs::read_to_string(&path).expect("it is there");
        let wanted: BTreeSet<_> = expected(&text)
            .into_iter()
            .map(|(line, property, said)| (line, property, said.unwrap_or_default()))
            .collect();
        let program = program(&path, built.path());
        let residual = Residual::of(&[&program]);
        let found = verdicts(&program, &residual);
        let folder = path.parent().and_then(|it| it.file_name()).expect("it is in a folder");
        let about: BTreeSet<_> = wanted
            .iter()
            .map(|(_, property, _)| property.clone())
            .chain([folder.to_string_lossy().into_owned()])
            .collect();
        let said = text.lines().find_map(|it| it.strip_prefix("//@ proved: ")).unwrap_or_default();
        let proved: Vec<&str> = residual.proved.iter().copied().filter(|it| about.contains(*it)).collect();
        if proved.join(", ") != said {
            let _ = writeln!(differences, "  {}: as a whole, these are proved: {proved:?}", path.display());
        }
        for (line, property, said) in
            found.iter().filter(|it| about.contains(&it.1)).filter(|it| !wanted.contains(it))
        {
            let _ = writeln!(differences, "  {}:{line}: it is {property} {said}", path.display());
        }
        for (line, property, said) in wanted.iter().filter(|it| !found.contains(it)) {
            let _ = writeln!(differences, "  {}:{line}: it should be {property} {said}", path.display());
        }
    }
    assert!(differences.is_empty(), "\n{differences}");
}

/// Takes the first call whose callee has this in it out of the MIR, as if it were not there, with its mark. Whether there is one.
fn lose(mir: &mut Mir, callee: &str) -> bool {
    for body in &mut mir.bodies {
        let is_it =
            |it: &Terminator| matches!(it, Terminator::Call(call) if call.callee.text().contains(callee));
        let Some(at) = body.blocks.iter().position(|it| !it.cleanup && is_it(&it.terminator)) else {
            continue;
        };
        let mut at = at;
        while let Terminator::Call(call) = &body.blocks[at].terminator {
            let is_part = call.callee.text().contains(callee) || call.callee.text().contains("__rv_");
            let Some(next) = call.target.filter(|_| is_part) else { break };
            body.blocks[at].terminator = Terminator::Goto(next);
            at = next.0 as usize;
        }
        return true;
    }
    false
}

#[test]
fn a_place_that_the_mir_does_not_show_takes_the_proofs_with_it() {
    let built = tempfile::tempdir().expect("there is room");
    facades(built.path());
    let mut lost = [0; 2];
    for path in fixtures("residual") {
        let whole = Residual::of(&[&program(&path, built.path())]);
        assert_eq!(whole.preconditions.lost, [""; 0], "{}", path.display());
        for (kind, callee) in ["::lock", "__rv_await"].into_iter().enumerate() {
            let mut is_there = false;
            let program = program_but(&path, built.path(), |mir| is_there = lose(mir, callee));
            if !is_there {
                continue;
            }
            lost[kind] += 1;
            let residual = Residual::of(&[&program]);
            let [item] = residual.preconditions.lost.as_slice() else {
                panic!("{}: {callee}: {:?}", path.display(), residual.preconditions);
            };
            assert!(residual.preconditions.sentences().iter().any(|it| it.contains(item.as_str())));
            assert_eq!(residual.proved, BTreeSet::new(), "{}: {callee}", path.display());
            for ((property, site), verdict) in &residual.verdicts {
                let of_item = program.site(*site).is_some_and(|it| item.ends_with(&it.item));
                let of_locks = kind == 0 && *property == "lock-order";
                let is_proved = matches!(verdict, Verdict::Proved(_));
                assert!(
                    !is_proved || !of_item && !of_locks,
                    "{}: {callee}: {property} {verdict:?}",
                    path.display()
                );
            }
        }
    }
    assert!(lost.iter().all(|it| *it > 3), "the fixtures show nothing: {lost:?}");
}
