//! The job that a service for CI gets from `init`.

use crate::again::quoted;
use crate::cli::Ci;
use camino::Utf8Path;

const GITHUB: &str = include_str!("github.yml");
const GITLAB: &str = include_str!("gitlab.yml");
// Not from a registry, so that it works for a version that is in none.
const INSTALL: &str =
    concat!("cargo install --locked --git ", env!("CARGO_PKG_REPOSITORY"), " cargo-rvcheck");

/// Where the options of the run are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Profile {
    /// In the profile `ci` of the configuration.
    Configured,
    /// Nowhere yet.
    Missing,
}

/// What a job depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job<'j> {
    /// The path from the root of the repository to the workspace, empty if they are the same.
    pub place: &'j str,
    /// Where its options are.
    pub profile: Profile,
}

/// A file that is written.
#[derive(Debug)]
pub(super) struct File {
    /// From the root of the repository.
    pub path: &'static str,
    /// What it says.
    pub text: String,
    /// What is left to do where there was such a file already.
    pub unless_new: Option<&'static str>,
}

/// The service that this repository has a configuration of; GitHub where it has none.
pub(super) fn service_of(repository: &Utf8Path) -> Ci {
    let is_gitlab = repository.join(".gitlab-ci.yml").exists() && !repository.join(".github").exists();
    if is_gitlab { Ci::Gitlab } else { Ci::Github }
}

/// The files that make a service run the job.
pub(super) fn files(service: Ci, job: &Job<'_>) -> Vec<File> {
    match service {
        Ci::None => Vec::new(),
        Ci::Github => {
            let without = "--message-format github --output sarif=target/rvcheck.sarif --strict";
            let text = job.fill(GITHUB, without, "");
            vec![File { path: ".github/workflows/rvcheck.yml", text, unless_new: None }]
        }
        Ci::Gitlab => {
            let both = "--message-format human --output junit=target/rvcheck.xml";
            let text = job.fill(GITLAB, &format!("{both} --strict"), both);
            let include = "include:\n  - local: .gitlab/rvcheck.yml\n".to_owned();
            let step = "add `include: [{ local: .gitlab/rvcheck.yml }]` to `.gitlab-ci.yml`";
            vec![
                File { path: ".gitlab/rvcheck.yml", text, unless_new: None },
                File { path: ".gitlab-ci.yml", text: include, unless_new: Some(step) },
            ]
        }
    }
}

impl Job<'_> {
    /// Fills in a template. The options are those of the profile with `more`, or else `without` it.
    fn fill(&self, template: &str, without: &str, more: &str) -> String {
        let options = match self.profile {
            Profile::Configured => format!("--config-profile ci {more}"),
            Profile::Missing => without.to_owned(),
        };
        let below = if self.place.is_empty() { String::new() } else { format!("{}/", self.place) };
        let text = template
            .replace("@INSTALL@", INSTALL)
            .replace("@OPTIONS@", options.trim_end())
            .replace("@BELOW@", &below);
        if self.place.is_empty() {
            without_folder(&text)
        } else {
            text.replace("@FOLDER@", &quoted(self.place))
        }
    }
}

/// A template without what is only there to go into a folder: the line that names it, and those that have nothing else below them.
fn without_folder(template: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for line in template.lines() {
        if !line.contains("@FOLDER@") {
            kept.push(line);
            continue;
        }
        let indented = |it: &str| it.len() - it.trim_start().len();
        let mut depth = indented(line);
        while let Some(above) = kept.last().filter(|it| it.ends_with(':') && indented(it) < depth) {
            depth = indented(above);
            kept.pop();
        }
    }
    // The line that kept it apart from what is above.
    let mut text = kept.join("\n").replace("\n\n\n", "\n\n");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(service: Ci, place: &str, profile: Profile) -> String {
        files(service, &Job { place, profile }).remove(0).text
    }

    #[test]
    fn a_workspace_in_a_folder_of_the_repository_has_its_job_run_there() {
        let text = job(Ci::Github, "server/core", Profile::Configured);
        for line in [
            "    working-directory: server/core",
            "            server/core/target/rvcheck",
            "          sarif_file: server/core/target/rvcheck.sarif",
        ] {
            assert!(text.lines().any(|it| it == line), "{line} is not in\n{text}");
        }
        let text = job(Ci::Gitlab, "server/core", Profile::Configured);
        assert!(text.contains("    - cd server/core\n"), "{text}");
        assert!(text.contains("junit: \"server/core/target/rvcheck.xml\""), "{text}");
    }

    #[test]
    fn a_workspace_at_the_root_of_the_repository_goes_nowhere() {
        for service in [Ci::Github, Ci::Gitlab] {
            let text = job(service, "", Profile::Configured);
            for left in ["working-directory: @", "    - cd", "defaults:", "@FOLDER@", "@BELOW@", "\n\n\n"] {
                assert!(!text.contains(left), "{left:?} is in\n{text}");
            }
            assert!(text.contains("target/rvcheck\n") || text.contains("target/rvcheck\"\n"), "{text}");
        }
    }

    #[test]
    fn what_the_profile_does_not_say_is_said_on_the_command_line() {
        let options = |service, profile| {
            let text = job(service, "", profile);
            let line = text.lines().find(|it| it.contains("rvcheck test ")).expect("it runs the tests");
            line.split("rvcheck test ").nth(1).expect("it has options").to_owned()
        };
        assert_eq!(options(Ci::Github, Profile::Configured), "--config-profile ci");
        let without = "--message-format github --output sarif=target/rvcheck.sarif --strict";
        assert_eq!(options(Ci::Github, Profile::Missing), without);
        let with = "--config-profile ci --message-format human --output junit=target/rvcheck.xml";
        assert_eq!(options(Ci::Gitlab, Profile::Configured), with);
    }

    #[test]
    fn a_repository_of_gitlab_gets_a_job_of_gitlab() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let root = Utf8Path::from_path(folder.path()).expect("its name is Unicode");
        assert_eq!(service_of(root), Ci::Github);
        std::fs::write(root.join(".gitlab-ci.yml"), "").expect("there is room");
        assert_eq!(service_of(root), Ci::Gitlab);
        std::fs::create_dir(root.join(".github")).expect("there is room");
        assert_eq!(service_of(root), Ci::Github);
    }
}
