//! What cargo says while it builds.

use super::progress::Progress;
use crate::error::Result;
use crate::messages::{self, tell};
use crate::project::TargetKind;
use crate::project::built::{Artifact, Built};
use cargo_metadata::diagnostic::Diagnostic;
use cargo_metadata::{CompilerMessage, Message};
use std::io::{BufRead, Write};

/// Reads cargo's messages to their end. `text` is given the lines that are none, which come from what cargo runs;
/// `finished` is called as soon as the build is.
pub fn read(
    messages: impl BufRead,
    mut progress: Progress,
    mut text: impl FnMut(&str),
    mut finished: impl FnMut(&Built) -> Result<()>,
) -> Result<Built> {
    let mut built = Built::default();
    for message in Message::parse_stream(messages).map_while(std::io::Result::ok) {
        match message {
            Message::BuildFinished(message) => {
                built.success = Some(message.success);
                tell(&messages::Message::BuildFinished { success: message.success });
                finished(&built)?;
            }
            Message::CompilerArtifact(artifact) => {
                progress.built(&artifact.package_id);
                let (target, fresh) = (artifact.target.name.clone(), artifact.fresh);
                tell(&messages::Message::Artifact { target, fresh });
                let words: Vec<String> = artifact.target.kind.iter().map(ToString::to_string).collect();
                let kind = TargetKind::of_words(words.iter().map(String::as_str));
                if let (Some(kind), Some(package)) = (kind, artifact.manifest_path.parent()) {
                    built.artifacts.push(Artifact {
                        package: package.to_owned(),
                        target: artifact.target.name.clone(),
                        kind,
                        for_tests: artifact.profile.test,
                        executable: artifact.executable,
                        files: artifact.filenames,
                    });
                }
            }
            Message::CompilerMessage(message) => tell_diagnostic(message),
            Message::TextLine(line) => text(&line),
            _ => {}
        }
    }
    Ok(built)
}

/// Reports the message of the compiler, and shows it: cargo shows it only where nobody else gets it.
fn tell_diagnostic(message: CompilerMessage) {
    let Diagnostic { level, message: text, rendered, .. } = message.message;
    let rendered = rendered.unwrap_or_default();
    // Whoever closed standard error does not want to see it.
    let _ = anstream::stderr().write_all(rendered.as_bytes());
    let level = serde_json::to_value(level).ok().and_then(|it| it.as_str().map(str::to_owned));
    let rendered = anstream::adapter::strip_str(&rendered).to_string();
    let (target, level) = (message.target.name, level.unwrap_or_default());
    tell(&messages::Message::CompilerMessage { target, level, message: text, rendered });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::console::{Color, Console, Verbosity};

    fn progress() -> Progress {
        Progress::new(Console::new(Verbosity::Quiet, Color::Never))
    }

    #[test]
    fn a_build_that_never_began_differs_from_one_that_failed() {
        let finished = br#"{"reason":"build-finished","success":false}"#;
        let success = |text: &[u8]| read(text, progress(), |_| {}, |_| Ok(())).map(|it| it.success).ok();
        assert_eq!(success(finished), Some(Some(false)));
        assert_eq!(success(b""), Some(None));
    }

    #[test]
    fn what_is_no_message_is_passed_on() {
        let mut lines = Vec::new();
        let output = "a: test\n{\"reason\":\"build-finished\",\"success\":true}\n\nb: test\n";
        assert!(read(output.as_bytes(), progress(), |it| lines.push(it.to_owned()), |_| Ok(())).is_ok());
        assert_eq!(lines, ["a: test", "", "b: test"]);
    }
}
