"""The scratch crates: shuttle's tests as they are, and the same on std and tokio. All of it is outside of the repository."""

import json
import shutil
import subprocess
from pathlib import Path

import cases
from translation import OWN, translated

TEMPLATES = Path(__file__).parent / "templates"

MANIFEST = """[package]
name = "{name}"
version = "0.1.0"
edition = "2021"

[dependencies]
{dependencies}

[workspace]
"""

COMMON = 'rand = "0.8"\nfutures = "0.3"\ntracing = { version = "0.1", default-features = false, features = ["std"] }\n'


def make(folder, version):
    """Makes the crates in this folder; where they are, shuttle's first."""
    theirs, ours = folder / "shuttle-tests", folder / "plain-tests"
    shuttle = f'shuttle = "{version}"\n'
    compat(folder / "shuttle-compat", "shuttle.rs", shuttle)
    compat(folder / "plain-compat", "plain.rs", 'tokio = { version = "1", features = ["rt-multi-thread"] }\n')
    crate(theirs, "shuttle-tests", COMMON + shuttle + 'compat = { path = "../shuttle-compat" }\n')
    crate(ours, "plain-tests", COMMON + 'compat = { path = "../plain-compat" }\n')
    (theirs / "src").mkdir(exist_ok=True)
    shutil.copy(TEMPLATES / "main.rs", theirs / "src/main.rs")
    (theirs / "src/tests").mkdir(exist_ok=True)
    (theirs / "src/tests/mod.rs").write_text("pub const ALL: [(&str, fn()); 0] = [];\n")
    (ours / "src").mkdir(exist_ok=True)
    (ours / "src/lib.rs").write_text("//! There is nothing but tests.\n")
    source = obtained(theirs)
    write(source, theirs / "src/tests", of_shuttle, is_test=False)
    write(source, ours / "tests/it", of_std, is_test=True)
    return theirs, ours


def compat(folder, template, dependencies):
    crate(folder, "compat", dependencies)
    (folder / "src").mkdir(exist_ok=True)
    shutil.copy(TEMPLATES / template, folder / "src/lib.rs")


def crate(folder, name, dependencies):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Cargo.toml").write_text(MANIFEST.format(name=name, dependencies=dependencies))


def obtained(folder):
    """Has cargo fetch what a crate depends on; the folder of shuttle's tests."""
    subprocess.run(["cargo", "fetch", "--quiet"], cwd=folder, check=True)
    words = ["cargo", "metadata", "--format-version", "1"]
    text = subprocess.run(words, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = [it for it in json.loads(text)["packages"] if it["name"] == "shuttle"]
    return Path(found[0]["manifest_path"]).parent / "tests"


def write(source, folder, imported, is_test):
    """Writes the translated files, and the module that lists them."""
    folder.mkdir(parents=True, exist_ok=True)
    for file, tests in cases.files().items():
        text = translated((source / file).read_text(), tests, imported)
        if is_test:
            for test in tests:
                text = text.replace(f"pub fn {test}()", f"#[test]\npub fn {test}()")
        (folder / f"{cases.module(file)}.rs").write_text(text)
    modules = "".join(f"pub mod {cases.module(file)};\n" for file in cases.files())
    rows = "".join(f'    ("{cases.name(*it)}", {cases.name(*it)}),\n' for it in cases.CASES)
    listed = f"\npub const ALL: [(&str, fn()); {len(cases.CASES)}] = [\n{rows}];\n"
    (folder / ("main.rs" if is_test else "mod.rs")).write_text(modules + ("" if is_test else listed))


def of_shuttle(path):
    """An import for shuttle's own tests: only what chooses schedules is another one."""
    name = path.split("::")[-1]
    if path.startswith("shuttle::") and (name in OWN or path == "shuttle::scheduler::PctScheduler"):
        return f"compat::{name}"
    return kept(path)


def of_std(path):
    """An import on std and tokio."""
    if path == "shuttle::":
        return "compat::"
    if path.startswith("shuttle::sync"):
        return path.replace("shuttle::", "std::", 1)
    if path.startswith("shuttle::rand"):
        return path.replace("shuttle::", "", 1)
    if path == "shuttle::scheduler::PctScheduler":
        return "compat::PctScheduler"
    return kept(path.replace("shuttle::", "compat::", 1))


def kept(path):
    """What is imported as it is."""
    return None if path.startswith(("test_log", "crate::")) else path
