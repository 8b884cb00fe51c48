//! How far a test has come, kept on disk, so that a later run of the tool can go on from there.
//!
//! What a run of a block is depends on the test, on the seed and on the block alone. So it is enough to know which blocks are done and what
//! they have covered. The schedules by which something went wrong are kept, too, and run again: the later report has all that was found.

use super::bench::Subject;
use super::explored::Explored;
use super::worker_pool::Job;
use crate::digest::digest;
use crate::error::Result;
use crate::explore::coverage::{Coverage, Written};
use crate::layout::{create_folder, write_whole};
use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueEnum;
use rvcheck_event::exploration::plan::Plan;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hasher};

/// See the module.
#[derive(Serialize, Deserialize)]
pub(super) struct Progress {
    of: Of,
    /// For how many runs there was room when the schedules were chosen that come first.
    pub(super) room: usize,
    pub(super) done: BTreeSet<u64>,
    coverage: Written,
    pub(super) failing: u64,
    pub(super) first_failing: Option<u64>,
    pub(super) not_ended: u64,
    failed: Vec<String>,
}

/// What was explored, and how. Only what is the same can go on.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Of {
    /// Stands for the content of the executable.
    executable: String,
    test: String,
    seed: u64,
    by: Option<String>,
    part: Option<(u32, u32)>,
    schedules: Option<u64>,
}

impl Of {
    /// `None` where the executable cannot be read.
    fn this(job: &Job<'_>, subject: &Subject) -> Option<Of> {
        Some(Of {
            executable: subject.content.as_deref()?.to_owned(),
            test: subject.name(),
            seed: job.seed,
            by: job.by.and_then(|it| it.to_possible_value()).map(|it| it.get_name().to_owned()),
            part: job.part.map(|it| (it.index, it.count)),
            schedules: job.runs,
        })
    }
}

impl Progress {
    /// What the runs have covered.
    pub(super) fn coverage(&self) -> Coverage {
        Coverage::read(&self.coverage)
    }

    /// The plans by which something went wrong.
    pub(super) fn failed(&self) -> Vec<Plan> {
        self.failed.iter().filter_map(|it| Plan::read(it).ok()).collect()
    }
}

/// How far this test has come, if it was explored like this before and is to go on.
pub(super) fn read(job: &Job<'_>, subject: &Subject) -> Option<Progress> {
    if !job.resumes {
        return None;
    }
    let text = fs::read_to_string(path(job.progress, subject)).ok()?;
    // What another version has written, or what is broken, is begun anew.
    let progress: Progress = serde_json::from_str(&text).ok()?;
    Of::this(job, subject).is_some_and(|it| it == progress.of).then_some(progress)
}

/// Keeps how far this test has come.
pub(super) fn write(job: &Job<'_>, test: &Explored) -> Result<()> {
    let Some(of) = Of::this(job, &test.subject) else { return Ok(()) };
    let progress = Progress {
        of,
        room: test.room,
        done: test.done.clone(),
        coverage: test.coverage.written(),
        failing: test.failing,
        first_failing: test.first_failing,
        not_ended: test.not_ended,
        failed: test.failed.iter().map(Plan::to_string).collect(),
    };
    create_folder(job.progress)?;
    let path = path(job.progress, &test.subject);
    let text = serde_json::to_string(&progress).unwrap_or_default();
    write_whole(&path, text.as_bytes())
}

/// Stands for the content of this file; `None` where it cannot be read.
pub(super) fn content(path: &str) -> Option<String> {
    let mut hasher = DefaultHasher::new();
    hasher.write(&fs::read(path).ok()?);
    Some(format!("{:016x}", hasher.finish()))
}

fn path(folder: &Utf8Path, subject: &Subject) -> Utf8PathBuf {
    let name = digest([subject.launch.listed.package.as_str(), subject.name().as_str()]);
    folder.join(format!("{name}.json"))
}
