//! Compiles a member from the rewritten files, and undoes as many marks as do not compile.
//!
//! First the marks that the errors point at are left out, then it is tried whether the marks are to blame at all, and only
//! if they are, all calls, and then whole items, files, and at last the whole crate go unmarked. What the user sees in the end are the messages
//! of the last attempt alone.

use super::Call;
use super::attempt::Attempt;
use crate::dep_info;
use crate::error::{Result, reading};
use crate::inject::member_file::MemberFile;
use crate::inject::overlay::{Changes, Overlay};
use crate::rollback::blame::{Extent, blamed, files_named, in_short};
use crate::rollback::marks::{Mark, marks};
use crate::rollback::undone::Undone;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_source::marker::MarkerKind;
use std::collections::BTreeMap;
use std::fs;

/// How often marks are undone where the errors point, before it is tried whether they are to blame. The compiler finds errors
/// in several passes, and stops after the first that has any.
const SITE_ATTEMPTS: usize = 4;

/// What is left out when the errors do not point at the marks that cause them.
enum Less {
    /// The marks of all calls.
    Calls,
    /// The marks that the errors speak of.
    Blamed(Extent),
    /// All marks.
    All,
}

/// The attempts of compiling one crate.
pub(super) struct Attempts<'a> {
    call: &'a Call<'a>,
    /// The arguments by which the user's own files are compiled, though against the shims.
    unmarked: &'a [String],
    /// What was undone when the last attempt began.
    known: Undone,
    /// What these attempts have undone.
    mine: Changes,
}

impl<'a> Attempts<'a> {
    /// The attempts of a call whose arguments name the rewritten files; `unmarked` are those that name the user's.
    pub(super) fn new(call: &'a Call<'a>, unmarked: &'a [String]) -> Attempts<'a> {
        Attempts { call, unmarked, known: Undone::default(), mine: Changes::new() }
    }

    /// Compiles until it succeeds or there is nothing more to undo. What was undone in vain is done again.
    pub(super) fn compile(mut self) -> Result<Attempt> {
        let first = self.attempt()?;
        if first.succeeded() {
            return Ok(first);
        }
        let was_ready = first.ready;
        let attempt = self.with_less(first)?;
        if was_ready && attempt.succeeded() {
            self.call.note_late()?;
        }
        Ok(attempt)
    }

    /// Tries again after this attempt.
    fn with_less(&mut self, first: Attempt) -> Result<Attempt> {
        let reason = first.errors.first().map_or_else(|| "the compiler fails".to_owned(), in_short);
        let mut last = first;
        for _ in 0..SITE_ATTEMPTS {
            match self.without(self.blamed(&last, Extent::Site)?)? {
                Some(attempt) if attempt.succeeded() => return Ok(attempt),
                Some(attempt) => last = attempt,
                None => break,
            }
        }
        if *self.unmarked == self.call.args {
            // The file that cargo names is not rewritten, so this would be the same again.
            return Ok(last);
        }
        let unmarked = self.call.attempt(self.unmarked)?;
        if !unmarked.succeeded() {
            self.redo()?;
            return Ok(unmarked);
        }
        let files = self.files_read()?;
        let is_call = |mark: &Mark| mark.kind != Some(MarkerKind::Await);
        for less in [Less::Calls, Less::Blamed(Extent::Item), Less::Blamed(Extent::File), Less::All] {
            let changes = match less {
                Less::Calls => self.all(&files, &reason, is_call)?,
                Less::Blamed(extent) => self.blamed(&last, extent)?,
                Less::All => self.all(&files, &reason, |_| true)?,
            };
            match self.without(changes)? {
                Some(attempt) if attempt.succeeded() => return Ok(attempt),
                Some(attempt) => last = attempt,
                None => {}
            }
        }
        self.redo()?;
        Ok(last)
    }

    fn attempt(&mut self) -> Result<Attempt> {
        self.known = self.overlay().undone();
        self.call.attempt(&self.call.args)
    }

    fn overlay(&self) -> &'a Overlay {
        &self.call.plan.overlay
    }

    /// Tries again without these marks; `None` if there are none of them to leave out.
    fn without(&mut self, changes: Changes) -> Result<Option<Attempt>> {
        if changes.is_empty() {
            return Ok(None);
        }
        {
            let _lock = self.call.own.lock("overlay")?;
            self.overlay().undo(&changes)?;
        }
        for (file, awaits) in changes {
            self.mine.entry(file).or_default().extend(awaits);
        }
        self.attempt().map(Some)
    }

    /// Marks everything again that these attempts have undone.
    fn redo(&self) -> Result<()> {
        if self.mine.is_empty() {
            return Ok(());
        }
        let _lock = self.call.own.lock("overlay")?;
        self.overlay().redo(&self.mine)
    }

    /// The marks that the errors of this attempt speak of.
    fn blamed(&self, attempt: &Attempt, extent: Extent) -> Result<Changes> {
        let mut files = BTreeMap::new();
        let mut paths = BTreeMap::new();
        for name in files_named(&attempt.errors) {
            let Some(path) = self.overlay().original_shown(Utf8Path::new(name)) else { continue };
            if let Some(marks) = self.marks(&path)? {
                files.insert(name.to_owned(), marks);
                paths.insert(name.to_owned(), path);
            }
        }
        let undo = blamed(&attempt.errors, &files, extent);
        Ok(undo.into_iter().filter_map(|(name, awaits)| Some((paths.remove(&name)?, awaits))).collect())
    }

    /// All marks of these files that pass the test.
    fn all(&self, files: &[Utf8PathBuf], reason: &str, test: impl Fn(&Mark) -> bool) -> Result<Changes> {
        let mut changes = Changes::new();
        for path in files {
            let mut marks = self.marks(path)?.unwrap_or_default();
            marks.retain(&test);
            if !marks.is_empty() {
                changes.insert(path.clone(), marks.iter().map(|it| (it.offset, reason.to_owned())).collect());
            }
        }
        Ok(changes)
    }

    /// The marks that the compiler has seen in this file of the user's; `None` if it is not rewritten.
    fn marks(&self, path: &Utf8Path) -> Result<Option<Vec<Mark>>> {
        let overlay = self.overlay();
        let Some(rules) = overlay.package_of(path).filter(|_| overlay.rewrites(path)) else {
            return Ok(None);
        };
        let file = MemberFile::read(path, overlay.root(), rules, &self.known).map_err(reading(path))?;
        Ok(Some(marks(&file.text, &file.rewritten, file.edition)))
    }

    /// The user's files that the compiler has read when it compiled them.
    fn files_read(&self) -> Result<Vec<Utf8PathBuf>> {
        let Some(list) = self.call.found.dep_info().filter(|it| it.exists()) else { return Ok(Vec::new()) };
        let text = fs::read_to_string(&list).map_err(reading(&list))?;
        let here = super::here()?;
        Ok(dep_info::files(&text).into_iter().map(|it| here.join(it)).collect())
    }
}
