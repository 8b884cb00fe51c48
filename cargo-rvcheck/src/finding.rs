//! The finding: what is shown to a person about one defect, whoever found it.

mod anchor;
mod fix;
mod guidance;
mod merged;
mod pictures;
mod reserved;

pub use anchor::Anchor;
pub use fix::{Applicability, Fix, TextEdit};
pub use guidance::{Guidance, SuppressionLine, explain, page};
pub use merged::merged;
pub use pictures::{Asking, Order, Pictures, Touched};
pub use reserved::{BASELINE, RESERVED, Reserved, SUPPRESSION, UNMONITORED};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The state of a witness of what was predicted from the events of a run.
pub const PREDICTED: &str = "predicted";

/// How much a finding matters. The order is from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// In doubt, or in test code: worth knowing.
    Note,
    /// Usually wrong.
    Warning,
    /// Wrong.
    Error,
}

impl Level {
    /// Every level, the least first.
    pub const ALL: [Level; 3] = [Level::Note, Level::Warning, Level::Error];

    /// The name in specs, options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }

    /// The level of that name.
    pub fn of_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How well a finding is founded. The order is from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// Another schedule might bring it about; not everything that decides it was seen.
    Potential,
    /// The source says so, whatever runs.
    Static,
    /// Another schedule of the events of this run brings it about; the witness was checked.
    Witnessed,
    /// Predicted, and then made to happen.
    Confirmed,
    /// It happened in this run.
    Observed,
}

/// A stretch of source text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Location {
    /// The file, relative to the workspace root; `../…` outside it.
    pub file: String,
    /// The first line, from 1.
    pub line: u32,
    /// The first character in that line, from 1.
    pub column: u32,
    /// The last line, from 1.
    pub end_line: u32,
    /// The character after the last one, from 1.
    pub end_column: u32,
    /// What this place has to do with the finding.
    pub label: String,
}

/// What a user can do next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NextStep {
    /// Advice, in one or two sentences; empty where there is none.
    pub advice: String,
    /// The command line that shows the finding again.
    pub command: String,
}

/// One event of a witness, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WitnessEvent {
    /// The event as specs write it, such as `finish`.
    pub event: String,
    /// Who did it, in words.
    pub task: String,
    /// What it was done to, in words, where the event has a second object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// The arguments of an event of the program's own, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// ns since the process began to record.
    pub time: u64,
    /// `file:line:column`, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
}

/// Why a finding is believed: the events that led to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Witness {
    /// The state of the property's automaton that was reached.
    pub state: String,
    /// The events that moved it there, in order.
    pub events: Vec<WitnessEvent>,
    /// How many events in the middle were left out because there were too many.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub omitted: u64,
    /// How the messages that a grammar takes were derived so far, the one that it does not allow, and what it allows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derivation: Vec<String>,
    /// The last events of the unit before the violation was certain, whatever they have to do with it; as many as were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tail: Vec<WitnessEvent>,
    /// Where the locks of a cycle were created, as `file:line:column`, in alphabetical order. Empty where that is not known of each, and
    /// where one place has created several of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// One defect. Built by [`finding`], which sees to it that there is exactly one primary location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The id of the property that is violated.
    pub property: String,
    /// The id of the rule that found it in the source; empty where it was found in a run.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rule: String,
    /// How much it matters.
    pub level: Level,
    /// How well it is founded.
    pub proof: Proof,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The user has allowed it.
    pub suppressed: bool,
    /// By what it was allowed, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppression: Option<Suppressed>,
    /// The unit in which it was seen, one of several: `<target>::<path>`, or `process`.
    pub test: String,
    /// The place that a person would change.
    pub primary: Location,
    /// Every other place that the message speaks of.
    pub related: Vec<Location>,
    /// The events that led to it.
    pub witness: Witness,
    /// What to do next.
    pub next: NextStep,
    /// Where to read more, and how to suppress it.
    #[serde(default, skip_serializing_if = "Guidance::is_empty")]
    pub guidance: Guidance,
    /// Changes of the source that mend it, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<Fix>,
    /// How often it was seen, over all units.
    pub occurrences: u64,
    /// In which other ways the same was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// How it was tried to make it happen where it was predicted, or why it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tried: Option<Tried>,
    /// What tells it from others when lines move.
    #[serde(default)]
    pub anchor: Anchor,
    /// Pictures of what happened; not part of the schema.
    #[serde(skip)]
    pub pictures: Pictures,
}

/// Another way in which the same was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// How well that is founded.
    pub proof: Proof,
    /// What it says, in one sentence.
    pub message: String,
}

/// How it was tried to make a prediction happen, or why it was not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tried {
    /// How often its test was run again for that.
    pub times: u64,
    /// The file that says where tasks were delayed; relative to the workspace root where it lies below it. Empty where it was not tried.
    pub schedule: String,
    /// What happened in the last of these runs, in one sentence; empty where the test did not stall.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub happened: String,
    /// Who stopped where, and who went on instead, in words; empty where tasks were only delayed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<String>,
    /// In how many of these runs it happened, where it was found by exploring.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeated: u64,
    /// In how many of ten runs without control the test failed, where it was found by exploring.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub plainly: u64,
    /// Why it was not tried; empty where it was.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub untried: String,
}

impl Tried {
    /// It was not, for this reason.
    pub fn not(reason: &str) -> Tried {
        Tried { untried: reason.to_owned(), ..Tried::default() }
    }
}

/// Why a finding does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suppressed {
    /// What has allowed it.
    pub by: Allowance,
    /// The reason that was given; empty where none is.
    #[serde(default)]
    pub reason: String,
}

/// What can allow a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Allowance {
    /// A comment in the source.
    Comment,
    /// The baseline.
    Baseline,
    /// The level of its property.
    Level,
    /// It concerns no line that has changed, where only these were asked for.
    Unchanged,
}

/// A finding in the making: everything but the places.
#[derive(Clone, Debug)]
pub struct Draft {
    /// See [`Finding::property`].
    pub property: String,
    /// The level, before the cap for test code.
    pub level: Level,
    /// See [`Finding::proof`].
    pub proof: Proof,
    /// See [`Finding::message`].
    pub message: String,
    /// See [`Finding::test`].
    pub test: String,
    /// See [`Finding::witness`].
    pub witness: Witness,
    /// See [`Finding::next`].
    pub next: NextStep,
}

/// A place that may become the primary location of a finding.
#[derive(Clone, Debug)]
pub struct CodeLocation {
    /// Where it is.
    pub location: Location,
    /// It belongs to the workspace's own crates, so that its user can change it.
    pub own: bool,
    /// It is test code.
    pub in_test: bool,
}

impl Finding {
    /// Whether it is about what did not happen, but another schedule of the events of a run may bring about.
    pub fn is_open_prediction(&self) -> bool {
        matches!(self.proof, Proof::Witnessed | Proof::Potential) && self.witness.state == PREDICTED
    }

    /// One about the text of a file, which belongs to no test.
    pub fn of_text(
        property: &str,
        level: Level,
        primary: Location,
        message: String,
        advice: &str,
    ) -> Finding {
        Finding {
            guidance: Guidance::of(property),
            fixes: Vec::new(),
            property: property.to_owned(),
            rule: String::new(),
            level,
            proof: Proof::Static,
            message,
            suppressed: false,
            suppression: None,
            test: String::new(),
            primary,
            related: Vec::new(),
            witness: Witness::default(),
            next: NextStep { advice: advice.to_owned(), command: String::new() },
            occurrences: 1,
            evidence: Vec::new(),
            tried: None,
            anchor: Anchor::default(),
            pictures: Pictures::default(),
        }
    }
}

/// The finding of this draft: the first of the candidates that the user can change becomes its primary location, and the
/// others of `related` stay beside it, each place once. In test code it is at most a note. `None` if there is no such place.
pub fn finding(draft: Draft, candidates: &[CodeLocation], related: &[CodeLocation]) -> Option<Finding> {
    let primary = candidates.iter().find(|place| place.own)?;
    let level = if primary.in_test { draft.level.min(Level::Note) } else { draft.level };
    let mut others: Vec<Location> = Vec::new();
    for place in related {
        let elsewhere = |other: &Location| !same_start(other, &place.location);
        if elsewhere(&primary.location) && others.iter().all(elsewhere) {
            others.push(place.location.clone());
        }
    }
    Some(Finding {
        guidance: Guidance::of(&draft.property),
        fixes: Vec::new(),
        property: draft.property,
        rule: String::new(),
        level,
        proof: draft.proof,
        message: draft.message,
        suppressed: false,
        suppression: None,
        test: draft.test,
        primary: primary.location.clone(),
        related: others,
        witness: draft.witness,
        next: draft.next,
        occurrences: 1,
        evidence: Vec::new(),
        tried: None,
        anchor: Anchor::default(),
        pictures: Pictures::default(),
    })
}

fn same_start(a: &Location, b: &Location) -> bool {
    (&a.file, a.line, a.column) == (&b.file, b.line, b.column)
}

/// The order in which findings are shown: the worst level first, then by place, then by property.
pub fn order(a: &Finding, b: &Finding) -> std::cmp::Ordering {
    b.level
        .cmp(&a.level)
        .then_with(|| a.primary.cmp(&b.primary))
        .then_with(|| a.property.cmp(&b.property))
        .then_with(|| a.witness.state.cmp(&b.witness.state))
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn draft() -> Draft {
        Draft {
            property: "lost-error".into(),
            level: Level::Error,
            proof: Proof::Observed,
            message: "an error is lost".into(),
            test: "it::moves".into(),
            witness: Witness { state: "lost".into(), ..Witness::default() },
            next: NextStep::default(),
        }
    }

    pub(super) fn place(line: u32, own: bool, in_test: bool) -> CodeLocation {
        let location = Location {
            file: "src/lib.rs".into(),
            line,
            column: 5,
            end_line: line,
            end_column: 9,
            label: "here".into(),
        };
        CodeLocation { location, own, in_test }
    }

    #[test]
    fn the_first_candidate_that_the_user_can_change_is_the_primary_location() {
        let found =
            finding(draft(), &[place(1, false, false), place(2, true, false), place(3, true, false)], &[]);
        assert_eq!(found.map(|it| it.primary.line), Some(2));
    }

    #[test]
    fn without_a_place_of_the_users_own_there_is_no_finding() {
        assert_eq!(finding(draft(), &[place(1, false, false)], &[place(2, true, false)]), None);
    }

    #[test]
    fn in_test_code_a_finding_is_at_most_a_note() {
        let level = |in_test| finding(draft(), &[place(1, true, in_test)], &[]).map(|it| it.level);
        assert_eq!(level(true), Some(Level::Note));
        assert_eq!(level(false), Some(Level::Error));
    }

    #[test]
    fn a_related_place_is_named_once_and_never_repeats_the_primary_one() {
        let related =
            [place(1, true, false), place(4, true, false), place(4, false, false), place(5, false, false)];
        let found = finding(draft(), &[place(1, true, false)], &related).expect("it has a primary location");
        assert_eq!(found.related.iter().map(|it| it.line).collect::<Vec<_>>(), [4, 5]);
    }
}
