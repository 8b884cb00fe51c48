//! The files from which cargo reads its configuration, in as far as the tool looks at them.

use camino::{Utf8Path, Utf8PathBuf};
use std::path::PathBuf;
use toml::{Table, Value};

/// A configuration file, and the folder that relative programs in it are relative to.
#[derive(Debug)]
pub(super) struct File {
    base: Utf8PathBuf,
    path: Utf8PathBuf,
    table: Table,
}

/// The configuration files that hold in this folder: those that win come first. One that cannot be read is cargo's to
/// complain about.
pub(super) fn files(folder: &Utf8Path) -> Vec<File> {
    let global = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".cargo")))
        .and_then(|it| Utf8PathBuf::from_path_buf(it).ok());
    let near = folder.ancestors().map(|it| it.join(".cargo"));
    let mut found: Vec<File> = Vec::new();
    for place in near.chain(global) {
        let path = ["config", "config.toml"].map(|name| place.join(name)).into_iter().find(|it| it.is_file());
        if let Some(path) = path {
            add(&path, &mut found);
        }
    }
    found
}

/// What these values of `--config` say, as files of which the ones that win come first: each is a path of a file, or a key with a
/// value, in which programs are relative to this folder. What makes no sense is cargo's to complain about.
pub(super) fn given(values: &[String], folder: &Utf8Path) -> Vec<File> {
    let mut found = Vec::new();
    for value in values.iter().rev() {
        let path = folder.join(value);
        if path.is_file() {
            add(&path, &mut found);
        } else if let Ok(table) = value.parse::<Table>() {
            found.push(File { base: folder.to_owned(), path: folder.to_owned(), table });
        }
    }
    found
}

/// Adds a file and, behind it, those that it includes: of two that it includes, the later one wins.
fn add(path: &Utf8Path, found: &mut Vec<File>) {
    if found.iter().any(|it| it.path == path) {
        return;
    }
    let Some(table) = std::fs::read_to_string(path).ok().and_then(|it| it.parse::<Table>().ok()) else {
        return;
    };
    let file = File::of(path, table);
    let included: Vec<Utf8PathBuf> = file.included().collect();
    found.push(file);
    for path in included.iter().rev() {
        add(path, found);
    }
}

impl File {
    pub(super) fn of(path: &Utf8Path, table: Table) -> File {
        let base = path.parent().and_then(Utf8Path::parent).unwrap_or(path);
        File { base: base.to_owned(), path: path.to_owned(), table }
    }

    /// The value with this name.
    pub(super) fn value(&self, keys: &[&str]) -> Option<&Value> {
        let (last, tables) = keys.split_last()?;
        let table = tables.iter().try_fold(&self.table, |table, key| table.get(*key)?.as_table())?;
        table.get(*last)
    }

    /// A program.
    pub(super) fn program_at(&self, keys: &[&str]) -> Option<String> {
        Some(self.program(self.value(keys)?.as_str()?))
    }

    /// A bare name is looked up on the path; anything with a slash is relative to the folder of `.cargo`.
    pub(super) fn program(&self, name: &str) -> String {
        if name.contains('/') { self.base.join(name).into_string() } else { name.to_owned() }
    }

    /// The keys of this table.
    pub(super) fn keys(&self, table: &str) -> impl Iterator<Item = &str> {
        self.table
            .get(table)
            .and_then(Value::as_table)
            .into_iter()
            .flat_map(|it| it.keys().map(String::as_str))
    }

    /// What `include` names: a path or a list of paths, each of them perhaps as a table with more to it.
    fn included(&self) -> impl Iterator<Item = Utf8PathBuf> {
        let list = match self.table.get("include") {
            Some(Value::Array(list)) => list.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        let folder = self.path.parent().unwrap_or(&self.path);
        list.iter().filter_map(move |it| {
            let path = it.as_str().or_else(|| it.get("path")?.as_str())?;
            Some(folder.join(path))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_with_a_slash_are_relative_to_the_folder_of_the_configuration() {
        let cases =
            [("sccache", "sccache"), ("tools/wrap", "/home/me/tools/wrap"), ("/bin/wrap", "/bin/wrap")];
        for (written, meant) in cases {
            let table = format!("build.rustc-wrapper = '{written}'").parse().expect("it is TOML");
            let file = File::of("/home/me/.cargo/config.toml".into(), table);
            assert_eq!(file.program_at(&["build", "rustc-wrapper"]).as_deref(), Some(meant));
        }
    }

    #[test]
    fn the_nearest_file_comes_first_and_what_it_includes_behind_it() {
        let guard = tempfile::tempdir().expect("there is room for a temporary folder");
        let root = Utf8PathBuf::from_path_buf(guard.path().to_owned()).expect("its name is Unicode");
        let inner = root.join("inner");
        let texts = [
            (root.join(".cargo/config.toml"), "build.target = 'outer'"),
            (
                inner.join(".cargo/config.toml"),
                "include = ['a.toml', { path = 'b.toml', optional = true }, 'no.toml']",
            ),
            (inner.join(".cargo/a.toml"), "build.target = 'a'\ninclude = 'config.toml'"),
            (inner.join(".cargo/b.toml"), "build.target = 'b'"),
        ];
        for (path, text) in texts {
            std::fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("it can be made");
            std::fs::write(path, text).expect("it can be written");
        }
        let found = files(&inner);
        let targets: Vec<_> =
            found.iter().filter_map(|it| it.value(&["build", "target"])?.as_str()).take(3).collect();
        assert_eq!(targets, ["b", "a", "outer"]);
    }
}
