//! The levels that findings get from what the user has chosen.

use crate::finding::{Allowance, Finding, Level, Suppressed};
use crate::levels::{Choice, Levels};
use crate::project::Settings;
use crate::report::PropertyReport;

/// Gives the findings their levels. A note of a property that is more than a note by itself is in doubt or in test code, and
/// stays one.
/// What a package says of itself counts where nothing else does, but for one that is skipped.
pub(super) fn apply(
    levels: &Levels,
    properties: &[PropertyReport],
    packages: &[Settings],
    findings: &mut [Finding],
) {
    for finding in findings.iter_mut().filter(|it| !it.suppressed) {
        let own = properties.iter().find(|it| it.id == finding.property).map(|it| it.level);
        let doubtful = finding.level == Level::Note && own.is_some_and(|it| it > Level::Note);
        let file = &finding.primary.file;
        let inside = packages.iter().filter(|it| file.starts_with(&it.folder));
        let package = inside.max_by_key(|it| it.folder.len());
        let given = levels.choice(&finding.property, finding.level);
        let choice = match package {
            Some(package) if package.skip => Some(Choice::Allow),
            Some(package) => given.or_else(|| package.levels.choice(&finding.property, finding.level)),
            None => given,
        };
        match choice {
            Some(Choice::Allow) => {
                finding.suppressed = true;
                finding.suppression = Some(Suppressed { by: Allowance::Level, reason: String::new() });
            }
            Some(Choice::Warn) if !doubtful => finding.level = Level::Warning,
            Some(Choice::Deny) if !doubtful => finding.level = Level::Error,
            _ => {}
        }
    }
}
