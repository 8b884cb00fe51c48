//! Builds that do not fit into one workspace: configurations of cargo, targets, profiles, features,
//! vendored crates, toolchains, and target folders that others have used.

use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use rvcheck_tests::{Fixture, Run, tool};

/// A package of its own, with nothing that would take long to build.
const MANIFEST: &str = "[package]\nname = \"shop\"\nedition = \"2021\"\n[workspace]\n";

/// A library with two sites.
const LIBRARY: &str = "\
use std::sync::Mutex;
pub static SOLD: Mutex<u32> = Mutex::new(0);
pub fn sell() -> u32 {
    let mut sold = SOLD.lock().unwrap();
    *sold += 1;
    *sold
}
/// Whether the standard library is the one that the compiler came with.
pub fn is_plain() -> bool {
    core::any::type_name::<Mutex<u32>>().starts_with(\"std::\")
}
";

/// A test of it.
const TEST: &str = "\
#[test]
fn things_are_sold() {
    assert!(shop::sell() > 0);
}
";

/// The package with these files added.
fn shop(more: &[(&str, &str)]) -> Fixture {
    let usual = [("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY), ("tests/it.rs", TEST)];
    Fixture::files(&[&usual, more].concat())
}

/// The compiler's own target.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("there is a compiler");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: ")).expect("it names its target");
    host.to_owned()
}

/// Makes a script that says its name and its arguments, and then does what they say.
fn script(fixture: &Fixture, name: &str, before: &str) {
    let path = fixture.path().join(name);
    let text = format!("#!/bin/sh\necho \"{name}: $*\" >&2\n{before}\nexec \"$@\"\n");
    std::fs::write(&path, text).expect("it can be written");
    std::fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("it can be made executable");
}

/// The lines of what was printed that begin with this.
fn lines<'a>(run: &'a Run, beginning: &str) -> Vec<&'a str> {
    run.stderr.lines().filter(|it| it.starts_with(beginning)).collect()
}

/// All tests passed, and all sites were monitored.
#[track_caller]
fn all_is_monitored(run: Run) -> Run {
    let run = run.expect(0);
    let report = &run.report()["run"];
    assert!(report["tests"]["passed"].as_u64() > Some(0), "{}", run.stderr);
    assert!(report["events"].as_u64() > Some(0), "{}", run.stderr);
    assert!(report["sites"]["total"].as_u64() > Some(0), "{}", run.stderr);
    assert_eq!(report["sites"]["unmonitored"], 0, "{}", run.stderr);
    run
}

/// What the report says was unmonitored, without the places.
fn reasons(run: &Run) -> Vec<&str> {
    let list = run.report()["unmonitored"].as_array().expect("a list");
    list.iter().filter_map(|it| it["reason"].as_str()).collect()
}

#[test]
fn a_named_target_is_instrumented_and_what_runs_in_the_build_is_left_as_it_is() {
    let root = "[package]\nname = \"shop\"\nedition = \"2021\"\n[dependencies]\nprices = { path = \"prices\" }\n\
        [build-dependencies]\nprices = { path = \"prices\" }\n[workspace]\n";
    let prices = "[package]\nname = \"prices\"\nedition = \"2021\"\n";
    let code = "use std::sync::Mutex;\npub static PRICE: Mutex<u32> = Mutex::new(3);\n\
        pub fn is_plain() -> bool { core::any::type_name::<Mutex<u32>>().starts_with(\"std::\") }\n";
    let build = "fn main() {\n    assert_eq!(*prices::PRICE.lock().unwrap(), 3);\n    \
        println!(\"cargo::rustc-env=BUILD_IS_PLAIN={}\", prices::is_plain());\n}\n";
    let test = "#[test]\nfn only_the_program_is_instrumented() {\n    assert_eq!(env!(\"BUILD_IS_PLAIN\"), \"true\");\n    \
        assert!(!prices::is_plain() && *prices::PRICE.lock().unwrap() == 3);\n}\n";
    let tree = Fixture::files(&[
        ("Cargo.toml", root),
        ("build.rs", build),
        ("src/lib.rs", ""),
        ("tests/it.rs", test),
        ("prices/Cargo.toml", prices),
        ("prices/src/lib.rs", code),
    ]);
    all_is_monitored(tree.test(&["--target", &host()]));
    std::fs::create_dir(tree.path().join(".cargo")).expect("the folder can be made");
    let configuration = tree.path().join(".cargo/config.toml");
    std::fs::write(&configuration, "build.target = \"host-tuple\"\n").expect("it can be written");
    let again = all_is_monitored(tree.test(&[]));
    assert_eq!(lines(&again, "   Compiling"), [""; 0], "it is the same build");
}

#[test]
fn another_target_is_refused_by_its_name() {
    let tree = shop(&[(".cargo/config.toml", "build.target = \"wasm32-wasip1\"\n")]);
    let run = tree.test(&[]).expect(2);
    for word in ["wasm32-wasip1", &format!("--target {}", host())] {
        assert!(run.stderr.contains(word), "nothing is said of {word}:\n{}", run.stderr);
    }
    all_is_monitored(tree.test(&["--target", &host()]));
}

#[test]
#[ignore = "nightly: it builds dependencies by each profile"]
fn every_profile_can_be_built() {
    let profiles = "[profile.release]\nlto = true\npanic = \"abort\"\ncodegen-units = 1\n\
        [profile.small]\ninherits = \"release\"\nlto = \"thin\"\nopt-level = \"z\"\nstrip = true\npanic = \"unwind\"\n\
        [profile.odd]\ninherits = \"dev\"\nincremental = true\ncodegen-units = 300\noverflow-checks = false\nlto = \"off\"\n";
    let main = "fn main() {\n    println!(\"panic={}\", if cfg!(panic = \"abort\") { \"abort\" } else { \"unwind\" });\n    \
        std::thread::spawn(shop::sell).join().unwrap();\n}\n";
    let manifest = format!("{MANIFEST}{profiles}");
    let tree = shop(&[("Cargo.toml", &manifest), ("examples/sells.rs", main)]);
    for profile in ["release", "small", "odd"] {
        all_is_monitored(tree.test(&["--profile", profile, "--test", "it"]));
    }
    // Cargo lets tests unwind whatever the profile says, but not programs.
    let run = tree.run(&["run", "--release", "--example", "sells"]).expect(0);
    assert!(run.stdout.contains("panic=abort"), "{}", run.stdout);
    assert!(run.stderr.contains("1 exercised instance"), "{}", run.stderr);
}

#[test]
fn the_users_runner_is_called_however_it_is_written() {
    let tree = shop(&[]);
    script(&tree, "through.sh", "shift");
    std::fs::create_dir(tree.path().join(".cargo")).expect("the folder can be made");
    let host = host();
    let included = format!("target.{host}.runner = \"./through.sh -a\"\n");
    std::fs::write(tree.path().join(".cargo/more.toml"), included).expect("it can be written");
    let forms = [
        format!("target.{host}.runner = ['./through.sh', '-a']"),
        format!("target.{host}.runner = './through.sh -a'"),
        "target.'cfg(unix)'.runner = './through.sh -a'".to_owned(),
        "include = ['more.toml']".to_owned(),
    ];
    for form in forms {
        std::fs::write(tree.path().join(".cargo/config.toml"), &form).expect("it can be written");
        let run = all_is_monitored(tree.test(&["--test", "it"]));
        let called = lines(&run, "through.sh: -a /");
        assert!(matches!(*called, [one] if one.contains("/deps/it-")), "{form}: {}", run.stderr);
    }
}

#[test]
fn the_users_wrappers_are_called_once_for_each_crate_of_theirs() {
    let tree = shop(&[(
        ".cargo/config.toml",
        "build.rustc-wrapper = './all.sh'\nbuild.rustc-workspace-wrapper = './members.sh'\n",
    )]);
    script(&tree, "all.sh", "");
    script(&tree, "members.sh", "");
    let run = all_is_monitored(tree.test(&[]));
    for name in ["shop", "it"] {
        for wrapper in ["all.sh", "members.sh"] {
            let of_name = format!(" --crate-name {name} ");
            let calls = lines(&run, wrapper).into_iter().filter(|it| it.contains(&of_name)).count();
            // The library is compiled once for its own tests and once for the others.
            assert_eq!(calls, if name == "shop" { 2 } else { 1 }, "{wrapper} for {name}:\n{}", run.stderr);
        }
    }
}

#[test]
fn flags_variables_and_aliases_of_the_configuration_hold() {
    let configuration = format!(
        "build.target-dir = 'elsewhere'\nalias.instrumented = 'rvcheck test --test it'\n\
         target.{}.rustflags = ['--cfg', 'flagged', '-Ctarget-cpu=native', '-Dwarnings']\n\
         env.GREETING = {{ value = 'folder', relative = true }}\nprofile.dev.opt-level = 1\n",
        host()
    );
    let test = "#[test]\nfn it_is_as_configured() {\n    assert!(cfg!(flagged) && shop::sell() > 0);\n    \
        assert!(env!(\"GREETING\").ends_with(\"/folder\"));\n    \
        assert_eq!(std::env::var(\"GREETING\").unwrap(), env!(\"GREETING\"));\n}\n";
    let lint = "[lints.rust]\nunexpected_cfgs = { level = \"warn\", check-cfg = ['cfg(flagged)'] }\n";
    let manifest = format!("{MANIFEST}{lint}");
    let files = [("Cargo.toml", &*manifest), (".cargo/config.toml", &configuration), ("tests/it.rs", test)];
    let tree = shop(&files).with_recorder_in("elsewhere");
    let folder = tool().parent().expect("the tool lies in a folder");
    let path = std::env::var("PATH").expect("there is a path");
    let mut cargo = tree.cargo(&["instrumented"]);
    cargo.env("PATH", format!("{}:{path}", folder.display())).env_remove("CARGO_TARGET_DIR");
    let output = cargo.output().expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("it_is_as_configured ... ok") && said.contains("tests: 1 passed"), "{said}");
    assert!(tree.path().join("elsewhere/rvcheck/runs/1").is_dir(), "{said}");
}

#[test]
fn features_are_those_that_were_asked_for() {
    let manifest = format!(
        "{MANIFEST}[features]\ndefault = [\"till\"]\ntill = []\ncard = []\nall = [\"till\", \"card\"]\n"
    );
    let test = "#[test]\nfn features() {\n    let on = [(\"till\", cfg!(feature = \"till\")), (\"card\", cfg!(feature = \"card\"))];\n    \
        let on: Vec<_> = on.iter().filter(|it| it.1).map(|it| it.0).collect();\n    \
        println!(\"on: {}\", on.join(\"+\"));\n    assert!(shop::sell() > 0);\n}\n";
    let tree = shop(&[("Cargo.toml", &manifest), ("tests/it.rs", test)]);
    let cases: [(&[&str], &str); 4] = [
        (&[], "on: till"),
        (&["--no-default-features"], "on: "),
        (&["--no-default-features", "--features", "card"], "on: card"),
        (&["--all-features"], "on: till+card"),
    ];
    for (options, expected) in cases {
        let run = all_is_monitored(tree.test(&[options, &["--", "--nocapture"]].concat()));
        assert!(run.stderr.lines().any(|it| it.ends_with(expected)), "{options:?}: {}", run.stderr);
    }
}

/// A package that cargo takes to be one of the registry, from a folder.
fn vendored(name: &str, version: &str, code: &str) -> Vec<(String, String)> {
    let folder = format!("vendor/{name}");
    vec![
        (
            format!("{folder}/Cargo.toml"),
            format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2021\"\n"),
        ),
        (format!("{folder}/src/lib.rs"), code.to_owned()),
        (format!("{folder}/.cargo-checksum.json"), "{\"files\":{}}".to_owned()),
    ]
}

/// Makes cargo take all packages from the folder.
const VENDORED: &str = "[source.crates-io]\nreplace-with = 'here'\n[source.here]\ndirectory = 'vendor'\n";

#[test]
fn vendored_packages_are_dependencies_and_need_no_network() {
    let code = "pub fn price() -> u32 { *std::sync::Mutex::new(3).lock().unwrap() }\n\
        pub fn is_plain() -> bool { core::any::type_name::<std::sync::Mutex<u32>>().starts_with(\"std::\") }\n\
        pub async fn late() -> u32 { std::future::ready(1).await }\n";
    let test = "#[test]\nfn it_is_instrumented_too() {\n    assert!(!prices::is_plain());\n    \
        assert_eq!(prices::price() + shop::sell(), 4);\n}\n";
    let manifest = format!("{MANIFEST}[dependencies]\nprices = \"1\"\n");
    let lock = "version = 4\n\n[[package]]\nname = \"prices\"\nversion = \"1.0.0\"\n\
        source = \"registry+https://github.com/rust-lang/crates.io-index\"\n\n\
        [[package]]\nname = \"shop\"\nversion = \"0.0.0\"\ndependencies = [\n \"prices\",\n]\n";
    let files = vendored("prices", "1.0.0", code);
    let mut all: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    all.extend([
        ("Cargo.toml", manifest.as_str()),
        ("Cargo.lock", lock),
        ("tests/it.rs", test),
        (".cargo/config.toml", VENDORED),
    ]);
    let run = all_is_monitored(shop(&all).test(&["--offline", "--locked"]));
    assert_eq!(run.report()["run"]["tests"]["passed"], 1);
    // It is not the user's to change, so none of its awaits is missed.
    assert_eq!(reasons(&run), [""; 0]);
}

#[test]
fn a_version_without_a_shim_is_left_as_it_is_and_reported() {
    let manifest = format!("{MANIFEST}[dependencies]\ntokio = \"0.1\"\n");
    let files = vendored("tokio", "0.1.9", "pub fn spawn(number: u32) -> u32 { number }\n");
    let mut all: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let test = "#[test]\nfn it_is_forwarded() {\n    assert_eq!(tokio::spawn(1), shop::sell());\n}\n";
    all.extend([("Cargo.toml", manifest.as_str()), ("tests/it.rs", test), (".cargo/config.toml", VENDORED)]);
    let run = shop(&all).test(&["--offline", "--allow-empty"]).expect(0);
    assert_eq!(run.report()["run"]["tests"]["passed"], 1);
    assert!(reasons(&run).iter().any(|it| it.contains("tokio 0.1.9")), "{:?}", reasons(&run));
}

#[test]
fn a_package_outside_of_the_workspace_keeps_its_name_and_is_instrumented() {
    let manifest = "[package]\nname = \"shop\"\nedition = \"2021\"\n[dependencies]\nprices = { path = \"../../prices\" }\n[workspace]\n";
    let prices = "[package]\nname = \"prices\"\nedition = \"2021\"\n";
    let code = "use std::sync::Mutex;\npub static PRICE: Mutex<u32> = Mutex::new(3);\n\
        pub fn here() -> &'static str { file!() }\npub async fn late() -> u32 { std::future::ready(1).await }\n";
    let test = "#[test]\nfn it_knows_where_it_is() {\n    let here = concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../../prices/src/lib.rs\");\n    \
        let same = |a: &str, b: &str| std::fs::canonicalize(a).unwrap() == std::fs::canonicalize(b).unwrap();\n    \
        assert!(prices::here().starts_with('/') && same(prices::here(), here), \"{}\", prices::here());\n    \
        assert_eq!((*prices::PRICE.lock().unwrap(), file!()), (3, \"tests/it.rs\"));\n}\n";
    let tree = Fixture::files(&[
        ("my work/shop/Cargo.toml", manifest),
        ("my work/shop/src/lib.rs", ""),
        ("my work/shop/tests/it.rs", test),
        ("prices/Cargo.toml", prices),
        ("prices/src/lib.rs", code),
    ]);
    let run = all_is_monitored(tree.test(&["--manifest-path", "my work/shop/Cargo.toml"]));
    assert_eq!(run.report()["run"]["tests"]["passed"], 1);
}

#[test]
fn checkouts_that_share_a_target_folder_do_not_take_each_others_builds() {
    let (one, other) = (shop(&[]), shop(&[]));
    // By its time alone, it would pass for built.
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1 << 30);
    let make_old = |fixture: &Fixture| {
        for name in ["src/lib.rs", "tests/it.rs", "Cargo.toml"] {
            let file = std::fs::File::options().append(true).open(fixture.path().join(name));
            file.and_then(|it| it.set_modified(old)).expect("its time can be set");
        }
    };
    other.edit("src/lib.rs", "*sold += 1", "*sold += 2");
    other.edit("tests/it.rs", "shop::sell() > 0", "shop::sell() == 2");
    make_old(&one);
    make_old(&other);
    for fixture in [&one, &other, &one] {
        let output = fixture.command(&["test"]).output().expect("the tool starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains("sites: 2 in all, 2 monitored"), "{said}");
    }
}

/// A compiler that names itself after the folder that it lies in, and is the usual one in everything else.
const COMPILER: &str = "#!/bin/sh
case \"$*\" in
  -vV) \"REAL\" -vV | sed \"s/^release: .*/&-$(basename \"$(dirname \"$0\")\")/\"; exit ;;
esac
exec \"REAL\" \"$@\"
";

#[test]
#[ignore = "nightly: it builds dependencies by several compilers"]
fn a_target_folder_serves_several_compilers_and_what_other_versions_have_left_is_not_in_the_way() {
    let tree = shop(&[]).with_own_target();
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().expect("there is a compiler");
    let real = Path::new(String::from_utf8_lossy(&sysroot.stdout).trim()).join("bin/rustc");
    let compiler = COMPILER.replace("REAL", &real.display().to_string());
    let left = [
        ("target/rvcheck/core-0123456789abcdef/librvstd-0.rlib", "not a library"),
        ("target/rvcheck/build-0123456789abcdef/debug/.cargo-lock", ""),
        ("target/rvcheck/runs/7/report.json", "{\"schema\":\"rvcheck.report/0\"}"),
        (".cargo/config.toml", ""),
        ("first/rustc", &compiler),
        ("second/rustc", &compiler),
    ];
    for (name, text) in left {
        let path = tree.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("the folder can be made");
        std::fs::write(&path, text).expect("the file can be written");
        std::fs::set_permissions(path, Permissions::from_mode(0o755)).expect("it can run");
    }
    let older = tree.run(&["report"]).expect(2);
    assert!(older.stderr.contains("runs/7/report.json was written by another version"), "{}", older.stderr);
    let run = |name: &str| {
        let configuration = format!("build.rustc = '{name}/rustc'\n");
        std::fs::write(tree.path().join(".cargo/config.toml"), configuration).expect("it can be written");
        let output = tree.command(&["test"]).output().expect("the tool starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains("sites: 2 in all, 2 monitored"), "{said}");
        said
    };
    for name in ["first", "second"] {
        let said = run(name);
        let preparing = said.lines().find(|it| it.contains("Preparing")).unwrap_or_default();
        assert!(preparing.ends_with(&format!("-{name}")), "{said}");
    }
    assert!(!run("first").contains("Compiling"), "the first one's build is still there");
    tree.run(&["report"]).expect(0);
}

#[test]
fn the_toolchain_of_the_workspace_compiles_what_is_injected() {
    // Without rustup nobody reads the file.
    if Command::new("rustup").arg("--version").output().is_err() {
        return;
    }
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().expect("there is a compiler");
    let sysroot = Path::new(String::from_utf8_lossy(&sysroot.stdout).trim()).to_owned();
    let tree = shop(&[]).with_own_target();
    let folder = tree.path().join("toolchain/bin");
    let file = format!("[toolchain]\npath = {:?}\n", tree.path().join("toolchain"));
    std::fs::write(tree.path().join("rust-toolchain.toml"), file).expect("it can be written");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let compiler = COMPILER.replace("REAL", &sysroot.join("bin/rustc").display().to_string());
    std::fs::write(folder.join("rustc"), compiler).expect("it can be written");
    std::fs::set_permissions(folder.join("rustc"), Permissions::from_mode(0o755)).expect("it can run");
    for name in ["cargo", "rustdoc"] {
        symlink(sysroot.join("bin").join(name), folder.join(name)).expect("it can be linked");
    }
    symlink(sysroot.join("lib"), tree.path().join("toolchain/lib")).expect("it can be linked");
    let mut command = tree.command(&["test"]);
    // As a user starts it: nobody has chosen a toolchain yet.
    for name in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTC"] {
        command.env_remove(name);
    }
    let output = command.output().expect("the tool starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.lines().any(|it| it.contains("Preparing") && it.ends_with("-bin")), "{said}");
    assert!(said.contains("sites: 2 in all, 2 monitored"), "{said}");
}

#[test]
fn a_target_folder_that_cannot_be_written_is_named() {
    let run = shop(&[]).run(&["test", "--target-dir", "/proc/rvcheck-target"]).expect(1);
    for word in ["/proc/rvcheck-target", "--target-dir"] {
        assert!(run.stderr.contains(word), "nothing is said of {word}:\n{}", run.stderr);
    }
}
