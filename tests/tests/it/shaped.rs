//! What property files ask for shapes the program. So it is compiled again where they name its functions, and nowhere else, and nothing is
//! concluded from a program that was built for others.

use rvcheck_tests::{Fixture, Run};

const MANIFEST: &str = "[workspace]\nmembers = [\"store\", \"till\", \"aside\"]\nexclude = [\"beside\", \"other\"]\nresolver = \"2\"\n";

fn package(name: &str, dependencies: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\n{dependencies}"
    )
}

const OPENED: &str = "schema = 1\n\n[[observe]]\nfn = \"store::open\"\nside = \"receive\"\n
[[property]]\nid = \"opened-once\"\nlogic = \"ltl\"\nformula = \"G (open() -> WX G !open())\"\n";

/// A workspace in which `till` uses `store`, which uses `beside`, a package outside of it. Nobody uses `aside`. `other` is another
/// workspace that uses `beside`, too.
fn workspace() -> Fixture {
    let store = package("store", "beside = { path = \"../beside\" }\n");
    let till = package("till", "store = { path = \"../store\" }\n");
    let other = package("other", "beside = { path = \"../beside\" }\n") + "\n[workspace]\n";
    let (aside, beside) = (package("aside", ""), package("beside", ""));
    Fixture::files(&[
        ("Cargo.toml", MANIFEST),
        ("specs/own.toml", OPENED),
        ("beside/Cargo.toml", &beside),
        ("beside/src/lib.rs", "pub fn note(number: u32) -> u32 {\n    number + 1\n}\n"),
        ("store/Cargo.toml", &store),
        (
            "store/src/lib.rs",
            "pub fn open() {}\n\npub fn close(number: u32) -> u32 {\n    beside::note(number)\n}\n",
        ),
        ("till/Cargo.toml", &till),
        (
            "till/src/lib.rs",
            "pub fn day() -> u32 {\n    store::open();\n    store::close(1)\n}\n\n#[test]\nfn a_day_ends() {\n    assert_eq!(day(), 2);\n}\n",
        ),
        ("aside/Cargo.toml", &aside),
        ("aside/src/lib.rs", "pub fn nothing() {}\n\n#[test]\nfn nothing_happens() {\n    nothing();\n}\n"),
        ("other/Cargo.toml", &other),
        ("other/src/lib.rs", "#[test]\nfn notes() {\n    assert_eq!(beside::note(1), 2);\n}\n"),
    ])
}

/// Asks for a function to be observed, and never to be called.
fn never(function: &str, id: &str) -> String {
    let event = id.replace('-', "_");
    format!(
        "\n[[observe]]\nfn = \"{function}\"\nside = \"receive\"\nas = \"{event}\"\n\n[[property]]\nid = \"{id}\"\nlogic = \"ltl\"\nformula = \"G !{event}()\"\n"
    )
}

/// The crates that cargo compiled.
fn compiled(run: &Run) -> Vec<&str> {
    let lines = run.stderr.lines().filter_map(|line| line.trim().strip_prefix("Compiling "));
    let mut names: Vec<&str> = lines.filter_map(|line| line.split(' ').next()).collect();
    names.sort_unstable();
    names
}

/// The verdict on this property.
fn verdict(run: &Run, id: &str) -> String {
    let rows = run.report()["properties"].as_array().expect("they are a list");
    let row = rows.iter().find(|it| it["id"] == id).unwrap_or_else(|| panic!("{id} has a row"));
    row["verdict"].as_str().expect("a verdict is a word").to_owned()
}

#[test]
fn a_function_that_is_observed_from_now_on_is_compiled_again_and_nothing_else_is() {
    let fixture = workspace();
    let first = fixture.test(&[]).expect(0);
    assert_eq!(verdict(&first, "opened-once"), "held");
    let specs = |text: &str| fixture.edit("specs/own.toml", OPENED, &format!("{OPENED}{text}"));

    specs(&never("store::close", "never-closed"));
    let added = fixture.test(&[]).expect(10);
    assert_eq!(verdict(&added, "never-closed"), "violated");
    assert_eq!(compiled(&added), ["store", "till"]);
    let again = fixture.test(&[]).expect(10);
    assert_eq!((compiled(&again), &*verdict(&again, "never-closed")), (vec![], "violated"));

    // The same function, another event of it.
    let (before, after) = ("formula = \"G !never_closed()\"", "formula = \"G !never_closed(2)\"");
    fixture.edit("specs/own.toml", before, after);
    fixture.edit(
        "specs/own.toml",
        "as = \"never_closed\"",
        "as = \"never_closed\"\nargs = [\"number: int = $1 as i64\"]",
    );
    let changed = fixture.test(&[]).expect(0);
    assert_eq!(
        (compiled(&changed), &*verdict(&changed, "never-closed")),
        (vec!["store", "till"], "not-exercised")
    );
    fixture.edit("specs/own.toml", "never_closed(2)", "never_closed(1)");
    let value = fixture.test(&[]).expect(10);
    assert_eq!((compiled(&value), &*verdict(&value, "never-closed")), (vec![], "violated"));

    // A package that lies outside the workspace, and tests.
    specs(&never("beside::note", "never-noted"));
    let outside = fixture.test(&[]).expect(10);
    assert_eq!(verdict(&outside, "never-noted"), "violated");
    assert_eq!(compiled(&outside), ["beside", "store", "till"]);
    specs(&never("aside::nothing", "never-nothing"));
    let aside = fixture.test(&[]).expect(10);
    assert_eq!((compiled(&aside), &*verdict(&aside, "never-nothing")), (vec!["aside"], "violated"));

    // What is observed no more is compiled as it was.
    std::fs::write(fixture.path().join("specs/own.toml"), OPENED).expect("the file can be written");
    let removed = fixture.test(&[]).expect(0);
    assert_eq!(compiled(&removed), ["aside", "beside", "store", "till"]);
    assert_eq!(verdict(&removed, "opened-once"), "held");
}

#[test]
fn workspaces_that_share_a_target_folder_each_observe_what_they_ask_for() {
    let fixture = workspace();
    let other = ["--manifest-path", "other/Cargo.toml"];
    let folder = fixture.path().join("other/specs");
    fixture.test(&[]).expect(0);
    std::fs::create_dir(&folder).expect("the folder can be made");
    let text = format!("schema = 1\n{}", never("beside::note", "never-noted"));
    std::fs::write(folder.join("own.toml"), text).expect("the file can be written");
    for _ in 0..2 {
        let observed = fixture.test(&other).expect(10);
        assert_eq!(verdict(&observed, "never-noted"), "violated");
        let plain = fixture.test(&[]).expect(0);
        assert_eq!(verdict(&plain, "opened-once"), "held");
    }
}

#[test]
fn functions_of_a_dependency_are_observed_as_soon_as_a_property_file_names_them() {
    let fixture = Fixture::tree("foreign");
    let whole = std::fs::read_to_string(fixture.path().join("specs/own.toml")).expect("the file can be read");
    std::fs::write(fixture.path().join("specs/own.toml"), "schema = 1\n").expect("the file can be written");
    fixture.test(&["--allow-empty"]).expect(0);
    std::fs::write(fixture.path().join("specs/own.toml"), whole).expect("the file can be written");
    let run = fixture.test(&[]).expect(10);
    assert_eq!(compiled(&run), ["foreign", "slab"]);
    assert_eq!((&*verdict(&run, "kept-twice"), &*verdict(&run, "stored-first")), ("violated", "held"));
}

#[test]
fn what_records_a_function_is_tried_again_when_it_is_asked_for_otherwise() {
    let fixture = workspace();
    let wrong = never("store::close", "never-closed")
        .replace("as = ", "args = [\"number: int = $1.len() as i64\"]\nas = ");
    let wrong = wrong.replace("never_closed()", "never_closed(1)");
    fixture.edit("specs/own.toml", OPENED, &format!("{OPENED}{wrong}"));
    let run = fixture.test(&[]).expect(0);
    assert_eq!(verdict(&run, "never-closed"), "inconclusive");
    fixture.edit("specs/own.toml", "$1.len() as i64", "$1 as i64");
    assert_eq!(verdict(&fixture.test(&[]).expect(10), "never-closed"), "violated");
}

#[test]
fn a_run_that_was_recorded_before_a_function_was_observed_says_nothing_of_it() {
    let fixture = workspace();
    fixture.test(&[]).expect(0);
    fixture.edit("specs/own.toml", OPENED, &format!("{OPENED}{}", never("store::close", "never-closed")));
    let runs = fixture.target().join("rvcheck/runs");
    let runs = runs.read_dir().expect("the folder can be read").flatten();
    let last =
        runs.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok()).max().expect("there is a run");
    let last = fixture.target().join(format!("rvcheck/runs/{last}")).display().to_string();
    let replayed = fixture.reporting("replay", &[&last, "--spec", "specs/own.toml"]);
    assert_eq!(verdict(&replayed, "opened-once"), "held");
    assert_eq!(verdict(&replayed, "never-closed"), "inconclusive", "{}", replayed.stderr);
}
