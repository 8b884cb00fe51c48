//! What is proved of the sites of a fixture is what it says, and nothing else is.
//!
//! A fixture is a source under `tests/residual/<name>/`. Each site of a lock has its verdict at the end of its line: `//~ lock-order
//! orphan` for a proof with that reason, `//~ lock-order watched` for none. `//@ proved: lock-order` says that the property is proved as
//! a whole; where there is no such line, it is not.

mod fixture;

use fixture::{expected, facades, fixtures, program};
use rvcheck_source::flow::Program;
use rvcheck_source::residual::{Residual, Verdict};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

const PROPERTIES: [&str; 2] = ["guard-across-await", "lock-order"];

/// Line, property and verdict of each site.
fn verdicts(program: &Program, residual: &Residual) -> BTreeSet<(u32, String, String)> {
    if std::env::var_os("RVCHECK_SHOW_MIR").is_some() {
        println!("{:#?}", residual.verdicts);
    }
    let verdicts = residual.verdicts.iter().filter(|((property, _), _)| PROPERTIES.contains(property));
    let of_site = verdicts.filter_map(|((property, site), verdict)| {
        let said = match verdict {
            Verdict::Proved(reason) => reason.name(),
            Verdict::Watched(_) => "watched",
        };
        Some((program.site(*site)?.line, (*property).to_owned(), said.to_owned()))
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
        let about: BTreeSet<_> = wanted.iter().map(|(_, property, _)| property.clone()).collect();
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
