//! What is configured, and what wins.

use super::*;
use crate::cli::{Command, ShowArgs};
use crate::finding::Level;
use crate::levels::Choice;
use crate::report::Format;
use crate::report::tests::assert_committed;
use std::ffi::OsString;

/// What comes of these words with this configuration and these variables.
fn parsed(words: &str, config: &str, variables: &[(&str, &str)]) -> Result<Parsed> {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = Utf8Path::from_path(folder.path()).expect("its name is Unicode").join("rv.toml");
    fs::write(&file, config).expect("there is room");
    let words = words.replace("CONFIG", &format!("--config-file {file}"));
    let args: Vec<OsString> = words.split(' ').map(OsString::from).collect();
    let variable = |name: &str| variables.iter().find(|it| it.0 == name).map(|it| it.1.to_owned());
    parse(&args, variable).expect("the words are understood")
}

fn show(parsed: Parsed) -> ShowArgs {
    match parsed.cli.command {
        Command::Test(args) => args.show,
        other => panic!("{other:?}"),
    }
}

const CONFIG: &str = r#"
[profile.default]
fail-on = "note"
tail = 3
output = ["sarif=a.sarif"]

[profile.default.levels]
lost-error = "warn"
semaphore = "allow"

[profile.ci]
fail-on = "warning"
strict = true
message-format = "github"

[profile.ci.levels]
lost-error = "deny"

[profile.nightly]
inherits = "ci"
max-unmonitored = "5%"
"#;

#[test]
fn the_command_line_goes_before_variables_and_these_before_profiles() {
    let level = |words: &str, variables: &[(&str, &str)]| {
        show(parsed(words, CONFIG, variables).expect("all is well")).print.fail_on
    };
    assert_eq!(level("x CONFIG test", &[]), Level::Note);
    assert_eq!(level("x CONFIG test --config-profile ci", &[]), Level::Warning);
    let variable = [("RVCHECK_FAIL_ON", "error")];
    assert_eq!(level("x CONFIG test --config-profile ci", &variable), Level::Error);
    assert_eq!(level("x CONFIG test --fail-on note", &variable), Level::Note);
    assert_eq!(level("x --no-config test", &[]), Level::Error);
}

#[test]
fn a_profile_has_what_it_inherits() {
    let parsed = parsed("x CONFIG test --config-profile nightly", CONFIG, &[]).expect("all is well");
    let mut origins: Vec<(String, Origin)> =
        parsed.effective.iter().map(|it| (it.name.clone(), it.origin.clone())).collect();
    origins.retain(|it| matches!(it.1, Origin::Profile(..)));
    let named: Vec<(&str, &str)> = origins
        .iter()
        .map(|(name, origin)| match origin {
            Origin::Profile(profile, _) => (name.as_str(), profile.as_str()),
            _ => unreachable!("the others are gone"),
        })
        .collect();
    let mut expected = [
        ("output", "default"),
        ("message-format", "ci"),
        ("fail-on", "ci"),
        ("max-unmonitored", "nightly"),
        ("strict", "ci"),
        ("tail", "default"),
    ];
    expected.sort_unstable();
    let mut named = named;
    named.sort_unstable();
    assert_eq!(named, expected);
    let levels: Vec<(&str, Choice)> = parsed.levels.iter().map(|it| (it.0.as_str(), it.1)).collect();
    assert_eq!(levels, [("lost-error", Choice::Deny), ("semaphore", Choice::Allow)]);
    let show = show(parsed);
    assert!(show.strict && show.max_unmonitored.is_some());
    assert_eq!(show.print.message_format, Format::Github);
    assert_eq!(show.print.output.len(), 1);
}

#[test]
fn a_list_on_the_command_line_replaces_that_of_the_profile() {
    let show = show(parsed("x CONFIG test --output json=b", CONFIG, &[]).expect("all is well"));
    assert_eq!(show.print.output.iter().map(|it| it.format).collect::<Vec<_>>(), [Format::Json]);
}

#[test]
fn a_variable_can_take_back_what_a_profile_asks_for() {
    let words = "x CONFIG test --config-profile ci";
    let strict =
        |value| show(parsed(words, CONFIG, &[("RVCHECK_STRICT", value)]).expect("all is well")).strict;
    assert!(strict("true") && !strict("false"));
}

#[test]
fn an_error_is_reported_with_its_location_and_a_suggestion() {
    let cases = [
        ("[profile.default]\nfail-onn = \"note\"\n", "rv.toml:2:1", "did you mean `fail-on`?"),
        ("[profile.default]\nfail-on = \"never\"\n", "rv.toml:2:11", "there is no level `never`"),
        ("[profile.default]\nstrict = \"yes\"\n", "rv.toml:2:10", "must be true or false"),
        ("[profile.default]\noutput = \"json\"\n", "rv.toml:2:10", "must be a list of strings"),
        ("[profile.default]\nscope = \"world\"\n", "rv.toml:2:9", "possible values"),
        ("[profile.default.levels]\nx = \"forbid\"\n", "rv.toml:2:5", "\"allow\", \"warn\" or \"deny\""),
        ("[profiles.default]\n", "rv.toml:1:2", "did you mean `profile`?"),
        ("[profile.ci]\ninherits = \"cl\"\n", "rv.toml:2:12", "did you mean `ci`?"),
        ("[profile.ci]\ninherits = \"ci\"\n", "rv.toml:2:12", "inherits from itself"),
        ("[profile.ci\n", "rv.toml:1:", ""),
    ];
    for (config, place, message) in cases {
        let error = parsed("x CONFIG test", config, &[]).expect_err(config).to_string();
        assert!(error.contains(place) && error.contains(message), "{place} {message} in {error}");
    }
    let error = parsed("x CONFIG test --config-profile cl", CONFIG, &[]).expect_err("there is none");
    assert!(error.to_string().contains("did you mean `ci`?"), "{error}");
    let error = parsed("x CONFIG test", "", &[("RVCHECK_TAIL", "many")]).expect_err("it is no number");
    assert!(error.to_string().contains("RVCHECK_TAIL"), "{error}");
}

#[test]
fn the_committed_schema_is_that_of_the_options_and_accepts_what_is_accepted() {
    let mut schema = Vec::new();
    render_schema(&mut schema).expect("a vector takes everything");
    let schema = String::from_utf8(schema).expect("it is text");
    assert_committed(&schema, "config.json");
    let schema: serde_json::Value = serde_json::from_str(&schema).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let value = |text: &str| {
        let table: toml::Table = text.parse().expect("it is TOML");
        serde_json::to_value(table).expect("it has no dates")
    };
    assert!(validator.is_valid(&value(CONFIG)));
    assert!(!validator.is_valid(&value("[profile.default]\nfail-onn = 1\n")));
}

#[test]
fn the_example_of_the_documentation_is_accepted() {
    let page = include_str!("../../../docs/configuration.md");
    let example = page.split("```toml\n").nth(1).and_then(|it| it.split("```").next()).expect("there is one");
    let (config, problems) = Config::read("rvcheck.toml", example, &Options::all());
    assert_eq!(problems, []);
    assert_eq!(config.profiles.keys().collect::<Vec<_>>(), ["ci", "default", "nightly"]);
}

#[test]
fn what_decides_what_is_found_is_kept_of_the_command_line_and_not_of_the_configuration() {
    let config = "[profile.default]\nlong-poll = \"7ms\"\n\n[profile.ci]\n";
    let kept = |words: &str| {
        let parsed = parsed(words, config, &[("RVCHECK_LOCK_WAIT", "20ms")]);
        let mut command = parsed.expect("all is well").cli.command;
        let mut kept = command.build_mut().expect("it builds").kept.clone();
        // The file is in another folder each time.
        kept.retain(|it| !it.ends_with("rv.toml"));
        kept.join(" ")
    };
    assert_eq!(kept("x CONFIG test --tail 3 --deny stall"), "--config-file");
    assert_eq!(
        kept("x CONFIG explore --stall-timeout 2s --long-poll=5ms --config-profile ci"),
        "--config-profile ci --config-file --stall-timeout 2s --long-poll 5ms"
    );
    assert_eq!(kept("x check --no-config --scope workspace"), "--no-config --scope workspace");
}
