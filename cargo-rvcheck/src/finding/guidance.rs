//! Where to read more about a finding, and how to suppress it.

use super::RESERVED;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where the documentation is.
const DOCS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs");

/// Where to read more about the property of a finding, and how to suppress the finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Guidance {
    /// The command line that explains the property; empty where only the program knows it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub explain: String,
    /// The address of its page; empty for a property of your own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub page: String,
    /// The comment that would suppress the finding; absent where none can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppression: Option<SuppressionLine>,
}

/// A comment to insert, which would suppress a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuppressionLine {
    /// The file.
    pub file: String,
    /// The line before which it is inserted, from 1.
    pub line: u32,
    /// The comment, indented, without a line break.
    pub text: String,
}

impl Guidance {
    /// What is known of a property by its id: of one of the library, and of what rvcheck reports beside properties.
    pub fn of(id: &str) -> Guidance {
        let page = page(id).unwrap_or_default();
        let explain = if page.is_empty() { String::new() } else { explain(id) };
        Guidance { explain, page, suppression: None }
    }

    /// There is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == Guidance::default()
    }
}

/// The command line that explains a property.
pub fn explain(id: &str) -> String {
    format!("cargo rvcheck explain {id}")
}

/// The address of the page of a property of the library, or of what rvcheck reports beside properties.
pub fn page(id: &str) -> Option<String> {
    if let Some(reserved) = RESERVED.iter().find(|it| it.id == id) {
        return Some(format!("{DOCS}/{}", reserved.page));
    }
    rvcheck_specs::find(id).map(|it| format!("{DOCS}/properties/{}.md", it.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_library_knows_has_a_page_and_what_only_the_program_knows_has_none() {
        let ids = rvcheck_specs::LIBRARY.iter().map(|it| it.id).chain(RESERVED.iter().map(|it| it.id));
        for id in ids {
            let guidance = Guidance::of(id);
            assert_eq!(guidance.explain, format!("cargo rvcheck explain {id}"));
            assert!(guidance.page.contains("/docs/"), "{guidance:?}");
        }
        assert!(Guidance::of("calm").is_empty());
    }
}
