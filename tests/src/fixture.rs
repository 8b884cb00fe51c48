//! Small crates that are copied, and on which the tool is run.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::clean::cleanly;
use crate::place::Place;
use crate::slot::{lend_monitors, lend_recorders, shared_target};
use crate::tree::{copy_tree, make_new};
use crate::{Run, assert_valid, repository, tool};

/// A copy of a crate, in a folder of its own.
pub struct Fixture {
    _place: Place,
    path: PathBuf,
    target: PathBuf,
    environment: Vec<(String, String)>,
}

impl Fixture {
    /// A copy of `tests/trees/<name>`.
    ///
    /// In its manifest, `REPOSITORY` stands for the path of this repository.
    pub fn tree(name: &str) -> Fixture {
        let fixture = Fixture::copy(&repository().join("tests/trees").join(name));
        let manifest = fixture.path.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).unwrap_or_default();
        if text.contains("REPOSITORY") {
            let text = text.replace("REPOSITORY", &repository().display().to_string());
            std::fs::write(&manifest, text).expect("the copy can be written");
        }
        fixture
    }

    /// A copy of `tests/trees/<name>` in a folder of this name.
    pub fn tree_in(name: &str, folder: &str) -> Fixture {
        let fixture = Fixture::copy(&repository().join("tests/trees").join(name));
        let path = fixture.path.join(folder);
        let inside = fixture
            .path
            .read_dir()
            .expect("the copy can be read")
            .map(|it| it.expect("the entry can be read"));
        let inside: Vec<_> = inside.map(|it| it.file_name()).collect();
        std::fs::create_dir(&path).expect("the folder can be made");
        for name in inside {
            std::fs::rename(fixture.path.join(&name), path.join(&name)).expect("the entry can be moved");
        }
        Fixture { path, ..fixture }
    }

    /// A copy of `examples/<name>`. In its manifest, what leads to a crate of this repository still does.
    pub fn example(name: &str) -> Fixture {
        let fixture = Fixture::copy(&repository().join("examples").join(name));
        let manifest = fixture.path.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).expect("the example has a manifest");
        let path = format!("path = \"{}/", repository().display());
        std::fs::write(&manifest, text.replace("path = \"../../", &path)).expect("the copy can be written");
        fixture
    }

    /// A copy of the crate in this folder. Fixtures share a few target folders, so that dependencies are seldom built.
    pub fn copy(from: &Path) -> Fixture {
        let place = Place::take();
        copy_tree(from, &place.folder);
        Fixture {
            path: place.folder.clone(),
            _place: place,
            target: shared_target(),
            environment: Vec::new(),
        }
    }

    /// A workspace of these files and nothing else.
    pub fn files(files: &[(&str, &str)]) -> Fixture {
        let place = Place::take();
        for (name, text) in files {
            let path = place.folder.join(name);
            std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))
                .expect("the folder can be made");
            std::fs::write(path, text).expect("the file can be written");
        }
        Fixture {
            path: place.folder.clone(),
            _place: place,
            target: shared_target(),
            environment: Vec::new(),
        }
    }

    /// A crate `sample` with these files, which depends on tokio. The sources need not be complete crates: what is not
    /// named is not there.
    pub fn sample(files: &[(&str, &str)]) -> Fixture {
        let like = repository().join("examples/clean");
        let of_example = |name| {
            let text = std::fs::read_to_string(like.join(name)).expect("the example has it");
            text.replace("name = \"clean\"", "name = \"sample\"")
        };
        let (manifest, lock) = (of_example("Cargo.toml"), of_example("Cargo.lock"));
        Fixture::files(&[&[("Cargo.toml", manifest.as_str()), ("Cargo.lock", lock.as_str())], files].concat())
    }

    /// The copy.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The target folder that the tool is given.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Uses a target folder of its own, for tests about that folder.
    pub fn with_own_target(mut self) -> Fixture {
        self.target = self.path().join("target");
        self.with_recorder_in("target")
    }

    /// Has the recorder ready in the target folder again, where it was removed.
    pub fn lend_recorder(&self) {
        lend_recorders(&self.target);
    }

    /// Has the recorder ready in this folder of the copy, which the copy's own configuration makes the target folder.
    pub fn with_recorder_in(self, folder: &str) -> Fixture {
        lend_recorders(&self.path().join(folder));
        self
    }

    /// Has the monitors ready that stop the program, for tests of properties that want that. All tests share one build.
    pub fn with_monitors(self) -> Fixture {
        lend_monitors(&self.target);
        self
    }

    /// Sets an environment variable for the tool.
    pub fn with_variable(mut self, name: &str, value: &Path) -> Fixture {
        self.environment.push((name.to_owned(), value.display().to_string()));
        self
    }

    /// Replaces text in a file of the copy.
    pub fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.path().join(file);
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        assert!(text.contains(from), "{file} does not contain {from:?}");
        std::fs::write(path, text.replace(from, to)).expect("the file can be written");
    }

    /// The tool with these arguments, in a clean environment.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.cleanly(Command::new(tool()));
        command.arg("rvcheck").args(arguments);
        command
    }

    /// Cargo itself with these arguments, in the same environment.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.cleanly(Command::new(env!("CARGO")));
        command.args(arguments);
        command
    }

    /// The command in the folder and the environment of the fixture.
    fn cleanly(&self, command: Command) -> Command {
        let mut command = cleanly(command, self.path(), &self.target);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Keeps others from the target folder until it is dropped.
    ///
    /// Cargo does not distinguish crates of the same name in different folders, only older from newer sources. So after
    /// another fixture was built there, all files of this one are made new.
    fn alone(&self) -> File {
        std::fs::create_dir_all(&self.target).expect("the target folder can be made");
        let path = self.target.join("fixture");
        let mut options = File::options();
        let mut lock = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .expect("the lock can be made");
        lock.lock().expect("the lock can be taken");
        let (mut last, this) = (String::new(), self.path().display().to_string());
        lock.read_to_string(&mut last).expect("the lock can be read");
        if last != this {
            make_new(self.path());
            lock.set_len(0).and_then(|()| lock.rewind()).expect("the lock can be emptied");
            lock.write_all(this.as_bytes()).expect("the lock can be written");
        }
        lock
    }

    /// Runs the tool.
    pub fn run(&self, arguments: &[&str]) -> Run {
        let _alone = self.alone();
        Run::of(&self.command(arguments).output().expect("the tool starts"), None)
    }

    /// Runs `test` with these further arguments, and reads its JSON report.
    pub fn test(&self, arguments: &[&str]) -> Run {
        self.reporting("test", arguments)
    }

    /// Runs a command with these further arguments, and reads its JSON report.
    pub fn reporting(&self, command: &str, arguments: &[&str]) -> Run {
        let report = self.path().join("rvcheck-report.json");
        let output = format!("json={}", report.display());
        let all = [&[command, "--output", &output], arguments].concat();
        let alone = self.alone();
        let run = Run::of(&self.command(&all).output().expect("the tool starts"), Some(&report));
        drop(alone);
        if let Some(report) = &run.report {
            assert_valid(report, "report.json");
        }
        let _ = std::fs::remove_file(report);
        run
    }
}
