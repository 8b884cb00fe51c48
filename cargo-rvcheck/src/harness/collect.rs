//! From what a run has left in its folder to the value that is checked.

use super::children::Children;
use super::generated;
use super::left_out::{
    against_messages, compiled_as_it_is, kinds_left_out, lines, unobserved_in, without_shim,
};
use super::run_file::Ran;
use super::session::Session;
use crate::analysis::{Analysed, Limits, analyse};
use crate::dep_info;
use crate::inject::member_file::{MemberFile, MemberFiles};
use crate::inject::rewriting::PackageRules;
use crate::inject::shortfall::shortfalls;
use crate::project::built::Executable;
use crate::project::built::{Artifact, Built};
use crate::project::rust_files::rust_files;
use crate::project::{Project, TargetKind};
use crate::recorded::{DOCUMENTATION, Origin, Process, Recorded, SourceFile, Unmonitored, documented_at};
use crate::relative::normal;
use crate::unobserved::Unobserved;
use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

/// The value that is checked.
pub fn recorded(session: &Session, built: &Built, ran: Vec<Ran>) -> Recorded {
    recorded_with(session, built, ran, None)
}

/// The same, where it was found before what can be found without running anything.
pub fn recorded_with(session: &Session, built: &Built, ran: Vec<Ran>, known: Option<Analysed>) -> Recorded {
    let lists = files_read(session, &built.artifacts);
    let members = MemberFiles::new(&session.overlay);
    let files = compiled_files(session, &members, &lists);
    let mut unmonitored = unmarked_awaits(&files);
    unmonitored.extend(generated_awaits(session, &lists));
    let shortfalls = shortfalls(&session.build.own(), &session.project);
    for missing in &shortfalls {
        unmonitored.extend(missing.groups.iter().map(|group| Unmonitored {
            file: "Cargo.toml".to_owned(),
            line: 1,
            column: None,
            reason: format!("the shim for {group} of {} {} does not compile", missing.name, missing.version),
        }));
    }
    let as_they_are = files.iter().filter_map(|file| Some((file, file.readers.as_it_is.clone()?)));
    unmonitored.extend(as_they_are.map(|(file, reason)| Unmonitored {
        file: session.project.relative(&file.path),
        line: 0,
        column: None,
        reason,
    }));
    let mut left_out = kinds_left_out(&session.decisions, &session.project);
    left_out.extend(without_shim(&shortfalls, &session.project));
    unmonitored.extend(lines(session, &left_out));
    for (test, reason) in ran.iter().flat_map(|it| &it.unmonitored) {
        let Some((file, line)) = documented_at(test) else { continue };
        unmonitored.push(Unmonitored { file: file.to_owned(), line, column: None, reason: reason.clone() });
    }
    let foreign = foreign_files(session, &members);
    unmonitored.extend(foreign.iter().flat_map(|it| it.unmarked()).map(|it| Unmonitored {
        file: "Cargo.toml".to_owned(),
        line: 1,
        column: None,
        reason: it.reason.clone(),
    }));
    let against_messages = against_messages(&left_out);
    let passed_by = passed_by(session, &built.artifacts);
    let unobserved = unobserved(session, &members, &files, against_messages, &passed_by);
    let children = Children::below(&session.run);
    let mut processes = Vec::new();
    for ran in ran {
        let process = process(&session.project, &ran);
        let started = children.of(&ran, &process);
        processes.push(process);
        processes.extend(started);
    }
    Recorded {
        folder: session.run.clone(),
        workspace_root: session.project.root.clone(),
        build: session.id.clone(),
        again: session.again.clone(),
        sources: files.into_iter().map(|it| source_file(session, &members, it)).collect(),
        observed: session.overlay.packages.values().next().map(|it| it.observed.clone()).unwrap_or_default(),
        macros: session.overlay.packages.values().next().map(|it| it.macros.clone()).unwrap_or_default(),
        unobserved,
        processes,
        unmonitored,
        analysed: known.unwrap_or_else(|| analysed(session, &members, built)),
        left_out,
        unknown_executors: session.project.unknown_executors(),
    }
}

/// What is found in what was built, without running it.
fn analysed(session: &Session, members: &MemberFiles<'_>, built: &Built) -> Analysed {
    match &session.against_mir {
        Some(reason) => Analysed {
            notes: vec![format!(
                "nothing is concluded from the source, because the compiler's MIR is not understood: {reason}"
            )],
            ..Analysed::default()
        },
        None => {
            let own = session.build.own();
            analyse(&session.project, &own, members, &built.artifacts, Limits::default())
        }
    }
}

/// The value that is checked where nothing was built, with these files and what was found in them.
pub fn of_text(session: &Session, sources: Vec<SourceFile>, analysed: Analysed) -> Recorded {
    Recorded {
        folder: session.run.clone(),
        workspace_root: session.project.root.clone(),
        build: session.id.clone(),
        again: session.again.clone(),
        sources,
        analysed,
        ..Recorded::default()
    }
}

/// A Rust file of a member that was compiled.
struct File<'a> {
    path: Utf8PathBuf,
    rules: &'a PackageRules,
    /// What is known of it, if it can be read.
    member: Option<Arc<MemberFile>>,
    readers: Readers,
}

/// The crates that have read a file.
#[derive(Clone, Debug, Default)]
struct Readers {
    /// One of them is no test, benchmark or example.
    program: bool,
    /// One of them is instrumented.
    instrumented: bool,
    /// Why one of them is compiled as it is, if one is.
    as_it_is: Option<String>,
}

/// The files that the compiler has read for each crate of a member, by its own account.
fn files_read<'a>(session: &Session, artifacts: &'a [Artifact]) -> Vec<(&'a Artifact, Vec<Utf8PathBuf>)> {
    let members: BTreeSet<&Utf8Path> = session.project.members().map(|it| it.0).collect();
    let mine: Vec<&Artifact> = artifacts.iter().filter(|it| members.contains(it.package.as_path())).collect();
    let lists = mine.par_iter().flat_map_iter(|&artifact| {
        let lists = artifact.dep_infos();
        lists.filter_map(move |it| Some((artifact, dep_info::files(&fs::read_to_string(it).ok()?))))
    });
    lists.collect()
}

/// The awaits in files that build scripts have written.
fn generated_awaits(session: &Session, lists: &[(&Artifact, Vec<Utf8PathBuf>)]) -> BTreeSet<Unmonitored> {
    let read = lists.iter().flat_map(|(artifact, paths)| paths.iter().map(move |it| (&artifact.package, it)));
    let read: BTreeSet<_> = read.filter(|(_, path)| path.extension() == Some("rs")).collect();
    let target = session.build.target();
    read.into_iter()
        .flat_map(|(package, it)| generated::awaits(&session.project, package, target, it))
        .collect()
}

/// The files of the members that were compiled.
fn compiled_files<'a>(
    session: &'a Session,
    members: &MemberFiles<'_>,
    lists: &[(&Artifact, Vec<Utf8PathBuf>)],
) -> Vec<File<'a>> {
    let mut found: BTreeMap<Utf8PathBuf, Readers> = BTreeMap::new();
    // One file may be a module by several paths.
    let mut of_programs: BTreeSet<Utf8PathBuf> = BTreeSet::new();
    for (artifact, paths) in lists {
        let is_test = matches!(artifact.kind, TargetKind::Test | TargetKind::Bench | TargetKind::Example);
        let as_it_is = compiled_as_it_is(session, artifact);
        for path in paths {
            // Cargo leaves paths below the workspace as rustc has written them, which may be relative to its root.
            let path = session.project.root.join(path);
            if !is_test {
                of_programs.insert(normal(&path));
            }
            let readers = found.entry(path).or_default();
            readers.instrumented |= as_it_is.is_none();
            readers.as_it_is = readers.as_it_is.take().or_else(|| as_it_is.clone());
        }
    }
    let files =
        found.into_iter().filter(|(path, _)| path.extension() == Some("rs")).filter_map(|(path, readers)| {
            let readers = Readers { program: of_programs.contains(&normal(&path)), ..readers };
            let (_, copy) = session.overlay.copy_of(&path)?;
            // What is not rewritten is read through a link to a folder, or lies in cargo's own folders.
            let rewritten = copy.symlink_metadata().is_ok_and(|it| it.is_file());
            let rules = session.overlay.package_of(&path).filter(|_| rewritten)?;
            Some(File { path, rules, member: None, readers })
        });
    let mut files: Vec<File<'_>> = files.collect();
    files.par_iter_mut().for_each(|it| it.member = members.file(&it.path));
    files
}

fn source_file(session: &Session, members: &MemberFiles<'_>, file: File<'_>) -> SourceFile {
    let inside = file.path.strip_prefix(&session.project.root);
    let rewritten = file.readers.instrumented && file.rules.marks_awaits(&file.path);
    SourceFile {
        compiled_as: inside.unwrap_or(&file.path).to_string(),
        package: file.rules.name.clone(),
        edition: file.rules.edition.clone(),
        is_test: !file.readers.program || file.member.as_ref().is_some_and(|it| it.is_of_tests()),
        rewritten,
        undone: file.member.iter().flat_map(|it| members.undone(it)).collect(),
        path: file.path,
        member: file.member.filter(|_| rewritten),
    }
}

/// The awaits that could not be marked.
fn unmarked_awaits(files: &[File<'_>]) -> Vec<Unmonitored> {
    let mut found = Vec::new();
    for file in files.iter().filter_map(|it| it.member.as_ref()) {
        found.extend(file.unmarked().map(|it| Unmonitored {
            file: file.shown.clone(),
            line: it.position.line,
            column: Some(it.position.column),
            reason: it.reason.clone(),
        }));
    }
    found.sort();
    found
}

/// The files of other packages of which functions are observed.
fn foreign_files(session: &Session, members: &MemberFiles<'_>) -> Vec<Arc<MemberFile>> {
    let foreign = session.overlay.packages.iter().filter(|(_, it)| it.foreign.is_some());
    let mut found = Vec::new();
    for (folder, _) in foreign {
        // What cannot be read now was compiled before all the same.
        let _ = rust_files(folder, &mut |path| found.extend(members.file(&path)));
    }
    found
}

/// What should be an event, and is not recorded in some crate, or through some channel.
fn unobserved(
    session: &Session,
    members: &MemberFiles<'_>,
    files: &[File<'_>],
    against_messages: Option<&str>,
    passed_by: &BTreeMap<&Utf8Path, String>,
) -> Vec<Unobserved> {
    let mut found = Vec::new();
    let reason_of = |path: &Utf8Path| {
        let (folder, _) = session.overlay.package_at(path)?;
        passed_by.get(folder).map(String::as_str)
    };
    for file in files {
        let Some(member) = &file.member else { continue };
        found.extend(Unobserved::in_file(member, file.readers.as_it_is.as_deref().or(reason_of(&file.path))));
        found.extend(against_messages.iter().flat_map(|it| Unobserved::messages_in(member, it)));
    }
    let foreign = session.overlay.packages.iter().filter(|(_, it)| it.foreign.is_some());
    for (folder, _) in foreign {
        // What cannot be read now was compiled before all the same.
        found.extend(unobserved_in(session, folder, members, reason_of(folder)).unwrap_or_default());
    }
    found
}

/// By their folders, the packages of which a crate that was built is not what property files ask for now, with why nothing is recorded there. Cargo
/// compiles such a crate again, but whatever comes between must not pass for a program that was observed.
fn passed_by<'a>(session: &Session, artifacts: &'a [Artifact]) -> BTreeMap<&'a Utf8Path, String> {
    let rewritten = artifacts.iter().filter(|it| session.overlay.packages.contains_key(&it.package));
    let stale = rewritten.filter(|artifact| {
        let lists = artifact.dep_infos().filter_map(|it| fs::read_to_string(it).ok());
        lists.into_iter().any(|it| session.shaping.has_passed_by(&artifact.package, &it))
    });
    stale
        .map(|it| {
            let reason = format!(
                "`{}` was compiled when something else was observed, and cargo did not compile it again; `cargo rvcheck clean` makes it do so",
                it.target
            );
            (it.package.as_path(), reason)
        })
        .collect()
}

/// The process with the names that its target has in reports.
fn process(project: &Project, ran: &Ran) -> Process {
    let Executable { package, kind, target } = &ran.executable;
    Process {
        package: project.packages.get(package).map_or_else(String::new, |it| it.name.clone()),
        select: if ran.origin == Origin::Tool { kind.select(target) } else { DOCUMENTATION.to_owned() },
        target: target.clone(),
        libtest: ran.libtest,
        origin: ran.origin,
        only: ran.only.clone(),
        command: ran.command.clone(),
        end: ran.end.clone(),
        tests: ran.tests.clone(),
        trace: ran.trace.clone(),
        seconds: ran.seconds,
    }
}
