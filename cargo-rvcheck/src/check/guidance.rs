//! What explains each finding, and the comment that would suppress it.

use super::explored::ORDER_DEPENDENCE;
use super::sources::Sources;
use crate::finding::{Finding, RESERVED, SuppressionLine, explain};
use rvcheck_source::suppression::Offers;
use rvcheck_spec::Property;
use std::collections::BTreeMap;

/// Adds it to these findings.
pub(super) fn add(sources: &Sources, properties: &[Property], findings: &mut [Finding]) {
    let mut offers: BTreeMap<String, Option<Offers<'_>>> = BTreeMap::new();
    for finding in findings {
        let id = finding.property.as_str();
        let is_declared = id == ORDER_DEPENDENCE || properties.iter().any(|it| it.id() == id);
        // Of what is declared for a trace, the workspace knows nothing.
        if finding.guidance.explain.is_empty() && is_declared && !sources.is_trace() {
            finding.guidance.explain = explain(id);
        }
        let is_known = is_declared || rvcheck_specs::find(id).is_some();
        if finding.suppressed || !is_known || RESERVED.iter().any(|it| it.id == id) {
            continue;
        }
        let (file, line) = (&finding.primary.file, finding.primary.line);
        let of_file = offers
            .entry(file.clone())
            .or_insert_with(|| sources.items(file).map(|(text, _)| Offers::of(text)));
        let text = of_file.as_ref().and_then(|it| it.before(line, id));
        finding.guidance.suppression = text.map(|text| SuppressionLine { file: file.clone(), line, text });
    }
}
