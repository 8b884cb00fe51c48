//! What shells complete. A shell that is not installed is skipped, but bash has to be there.

use std::path::Path;
use std::process::Command;

const TOOL: &str = env!("CARGO_BIN_EXE_cargo-rvcheck");

/// The folder of the tool before all others.
fn path() -> String {
    let folder = Path::new(TOOL).parent().expect("it lies in a folder").display().to_string();
    format!("{folder}:{}", std::env::var("PATH").unwrap_or_default())
}

/// A workspace with a property of its own.
fn workspace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let files = [
        ("Cargo.toml", "[package]\nname = \"sample\"\nedition = \"2024\"\n[workspace]\n"),
        ("src/lib.rs", ""),
        (
            "specs/my.toml",
            "schema = 1\n[[property]]\nid = \"calm\"\nlogic = \"ltl\"\nformula = \"G !panic(_)\"\n",
        ),
    ];
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("there is room");
        std::fs::write(path, text).expect("there is room");
    }
    folder
}

/// What a shell prints for this script; `None` if it is not installed.
fn printed(shell: &str, arguments: &[&str], script: &str) -> Option<String> {
    let workspace = workspace();
    let mut command = Command::new(shell);
    command.args(arguments).arg("-c").arg(script).env("PATH", path()).current_dir(workspace.path());
    let output = command.output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What bash completes at the end of a line of these words, which it has taken apart.
fn of_bash(words: &[&str]) -> Vec<String> {
    let quoted: Vec<String> = words.iter().map(|it| format!("'{it}'")).collect();
    let script = format!(
        "_cargo_of_others() {{ COMPREPLY=(theirs); }}
         complete -F _cargo_of_others cargo
         source <(cargo-rvcheck completions bash)
         # Another time does no harm.
         source <(cargo-rvcheck completions bash)
         COMP_WORDS=({}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
         spec=$(complete -p \"${{COMP_WORDS[0]}}\")
         [[ $spec =~ -F\\ ([^ ]+) ]] && ${{BASH_REMATCH[1]}} \"${{COMP_WORDS[0]}}\" \"${{COMP_WORDS[COMP_CWORD]}}\"
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        quoted.join(" ")
    );
    let printed = printed("bash", &["--norc"], &script).expect("bash is installed");
    printed.lines().filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let cases: [(&[&str], &[&str]); 9] = [
        (&["cargo", "rvcheck", "expla"], &["explain"]),
        (&["cargo-rvcheck", "expla"], &["explain"]),
        (&["cargo", "+nightly", "rvcheck", "comple"], &["completions"]),
        (&["cargo", "rvcheck", "test", "--run-ig"], &["--run-ignored"]),
        (&["cargo", "rvcheck", "test", "--run-ignored", "o"], &["only"]),
        (&["cargo", "rvcheck", "check", "--message-format", "=", "rus"], &["rustc-json"]),
        (&["cargo", "rvcheck", "explain", "lost"], &["lost-error", "lost-wakeup"]),
        (&["cargo", "rvcheck", "test", "-D", "cal"], &["calm"]),
        (&["cargo", "bui"], &["theirs"]),
    ];
    for (words, expected) in cases {
        assert_eq!(of_bash(words), expected, "{words:?}");
    }
    let all = of_bash(&["cargo", "rvcheck", ""]);
    assert!(
        ["test", "check", "list", "manual"].iter().all(|it| all.iter().any(|word| word == it)),
        "{all:?}"
    );
}

#[test]
fn zsh_completes_what_its_functions_are_given() {
    let script = "autoload -Uz compinit; compinit -u -D
        _others() { print theirs }; compdef _others cargo
        _describe() { print -l -- ${(P)3} }
        source <(cargo-rvcheck completions zsh)
        for line in 'cargo rvcheck expla' 'cargo-rvcheck explain calm' 'cargo bui'; do
            words=(${=line}); CURRENT=${#words}
            $_comps[$words[1]]
        done";
    let Some(printed) = printed("zsh", &["-f"], script) else { return };
    let words: Vec<&str> = printed.lines().map(|it| it.split(':').next().unwrap_or_default()).collect();
    assert_eq!(words, ["explain", "calm", "theirs"], "{printed}");
}

#[test]
fn fish_completes_commands_and_values() {
    let script = "source (cargo-rvcheck completions fish | psub)
        complete -C 'cargo rvcheck expla'; complete -C 'cargo-rvcheck explain cal'; complete -C 'cargo rvcheck test --run-ignored on'";
    let Some(printed) = printed("fish", &["--no-config"], script) else { return };
    let words: Vec<&str> = printed.lines().filter_map(|it| it.split('\t').next()).collect();
    assert_eq!(words, ["explain", "calm", "only"], "{printed}");
}
