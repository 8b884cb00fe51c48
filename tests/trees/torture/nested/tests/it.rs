use std::path::{Path, PathBuf};

#[track_caller]
fn cargo(folder: &Path, args: &[&str]) -> String {
    let output = nested::cargo(folder, args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

/// A package that has nothing to do with this workspace.
fn package() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("rvcheck-nested-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = "[package]\nname = \"inside\"\nedition = \"2021\"\n[workspace]\n";
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    let code = "fn main() { println!(\"{}\", core::any::type_name::<std::sync::Mutex<()>>()); }\n";
    std::fs::write(folder.join("src/main.rs"), code).unwrap();
    folder
}

#[test]
fn a_build_inside_a_test_is_a_plain_build() {
    let folder = package();
    let target = folder.join("target");
    let said = cargo(&folder, &["build", "--offline", "-v", "--target-dir", target.to_str().unwrap()]);
    assert!(!said.contains("rvcheck-rustc"), "{said}");
    let output = std::process::Command::new(target.join("debug/inside")).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("std::"), "{output:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_workspace_itself_can_be_built_inside_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let said = cargo(root, &["check", "--offline", "-v", "-p", "shared"]);
    assert!(!said.contains("rvcheck-rustc"), "{said}");
}

#[test]
fn variables_of_the_watch_do_not_reach_the_tests() {
    for (name, value) in std::env::vars() {
        let strange = name.ends_with("_WRAPPER") || name.ends_with("_RUNNER");
        assert!(!strange, "{name}={value}");
    }
}
