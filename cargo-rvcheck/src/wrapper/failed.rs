//! What the wrapper leaves behind for the tool when a crate does not compile when instrumented.

use super::Call;
use super::attempt::Attempt;
use crate::error::{Result, writing};
use crate::layout::{create_folder, read_value, write_value};
use crate::rollback::blame::{in_short, lines_pointed_at};
use crate::rollback::decisions::{CrateId, Failure, SourceLine};
use crate::rollback::groups::groups_named;
use crate::shim;
use camino::Utf8Path;
use cargo_metadata::diagnostic::Diagnostic;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;

/// The folder beside the plan that the failures are written to.
const FAILURES: &str = "failures";

/// The file in it that says that a crate was compiled again after cargo had been told that it was ready.
const LATE: &str = "late";

/// Forgets the failures of earlier builds with this plan.
pub fn forget(plan: &Utf8Path) {
    // What cannot be removed is read again, and at worst leaves out what was left out before.
    let _ = fs::remove_dir_all(plan.join(FAILURES));
}

/// Whether a crate was ready in the last build with this plan and was then compiled again, so that those that use it may have
/// failed for nothing.
pub fn was_late(plan: &Utf8Path) -> bool {
    plan.join(FAILURES).join(LATE).exists()
}

/// The crates that did not compile in the last build with this plan.
pub fn failures(plan: &Utf8Path) -> Vec<Failure> {
    let entries = plan.join(FAILURES).read_dir_utf8().into_iter().flatten().flatten();
    let files = entries.filter(|it| it.path().extension() == Some("json"));
    let mut found: Vec<Failure> = files.filter_map(|it| read_value(it.path()).ok()).collect();
    found.sort_by(|a, b| a.id.cmp(&b.id));
    found
}

impl Call<'_> {
    /// Writes down why the crate does not compile, and gives the exit code. Messages that speak of shims are none of the
    /// user's; what the tool makes of them, it says itself.
    pub(super) fn failed(&self, id: CrateId, given: BTreeSet<String>, attempt: Attempt) -> Result<u8> {
        let name = self.found.crate_name.clone().unwrap_or_default();
        if attempt.errors.is_empty() {
            self.tell_of_wrapper(&name, attempt.code);
            return Ok(attempt.pass_on());
        }
        // A crate that is compiled as it is may still depend on others that are not.
        let named = if given.is_empty() {
            shim::all().iter().map(|it| it.krate.to_owned()).collect()
        } else {
            given.clone()
        };
        let groups = groups_named(&attempt.errors, &named);
        let first = attempt.errors.first().map(in_short).unwrap_or_default();
        let about_shims = !groups.is_empty();
        let lines = self.lines(&attempt.errors);
        let failure = Failure { id, name: name.clone(), message: first.clone(), groups, given, lines };
        let folder = self.folder.join(FAILURES);
        create_folder(&folder)?;
        let file = format!("{name}{}-{}.json", self.found.extra_filename, std::process::id());
        write_value(&folder.join(file), &failure)?;
        if about_shims {
            tell(&format!("`{name}` does not compile when instrumented: {first}"));
            return Ok(attempt.code);
        }
        Ok(attempt.pass_on())
    }

    /// The lines of the user's files that these errors point at.
    fn lines(&self, errors: &[Diagnostic]) -> BTreeSet<SourceLine> {
        let pointed_at = lines_pointed_at(errors).into_iter();
        pointed_at
            .filter_map(|(name, line)| {
                let file = self.plan.overlay.original_shown(Utf8Path::new(name))?;
                let text = fs::read_to_string(&file).ok()?;
                let text = text.lines().nth(line.checked_sub(1)?)?.trim().to_owned();
                Some(SourceLine { file, text })
            })
            .collect()
    }

    /// Notes that the crate is compiled again although cargo was told that it is ready.
    pub(super) fn note_late(&self) -> Result<()> {
        create_folder(&self.folder.join(FAILURES))?;
        let path = self.folder.join(FAILURES).join(LATE);
        fs::write(&path, "").map_err(writing(&path))
    }

    /// Says so if the compiler has said nothing and there is a wrapper of the user's inside.
    fn tell_of_wrapper(&self, name: &str, code: u8) {
        if let Some(wrapper) = &self.plan.inner_wrapper {
            tell(&format!(
                "the compiler wrapper `{wrapper}` failed on `{name}` with exit code {code}\n\
                 it comes from RUSTC_WRAPPER or `build.rustc-wrapper`"
            ));
        }
    }
}

/// Has cargo show an error.
fn tell(message: &str) {
    let value = json!({
        "$message_type": "diagnostic", "message": message, "code": null, "level": "error", "spans": [],
        "children": [], "rendered": format!("error: {message}\n\n"),
    });
    // Cargo reads lines.
    eprintln!("{value}");
}
