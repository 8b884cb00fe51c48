//! What a finding is made from: what is known of the process, and of the moment at which something is found.

use super::Options;
use super::contended::HeldLimits;
use super::pictures::touched_by;
use super::recent::Recent;
use super::scene::Scene;
use super::served;
use super::sources::{CompiledSite, Sources};
use super::units::{PROCESS, Units};
use super::violation::{Asked, Origin, finding_of};
use crate::finding::{CodeLocation, Finding, Location, Pictures};
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::names::{Names, RecordedSite};
use rvcheck_event::position::CompiledPosition;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_spec::{Property, Violation, Witness};
use std::collections::BTreeMap;

/// See the module.
#[derive(Clone, Copy)]
pub(super) struct FindingContext<'a> {
    pub(super) units: &'a Units<'a>,
    pub(super) properties: &'a [Property],
    pub(super) definitions: &'a BTreeMap<String, Location>,
    pub(super) sources: &'a Sources,
    pub(super) held: HeldLimits,
}

/// The test that whoever did last what violates a property works for, where several tests share that.
pub(super) fn served(violation: &Violation, recent: &Recent) -> Option<UnitId> {
    violation.witness.iter().next_back().and_then(|it| recent.serves(it.task))
}

/// A moment of the trace.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    /// The world as it is then.
    pub(super) world: &'a World,
    /// What happened before.
    pub(super) recent: &'a Recent,
}

impl<'a> FindingContext<'a> {
    pub(super) fn of(units: &'a Units<'a>, options: &'a Options, sources: &'a Sources) -> FindingContext<'a> {
        FindingContext {
            units,
            properties: &options.properties,
            definitions: &options.definitions,
            sources,
            held: options.held,
        }
    }

    /// The finding of a violation; `asked` is there for a formula of the program's.
    pub(super) fn finding(
        &self,
        violation: &Violation,
        property: &Property,
        moment: Moment<'_>,
        asked: Option<Asked>,
    ) -> Option<Finding> {
        let mut tail = moment.recent.tail_of(violation.unit);
        // What is decided late was certain before, unless it is the end that makes it so.
        let is_certain_before = !violation.at_end || property.is_decided_at_end().is_some();
        if let Some(last) = violation.witness.iter().next_back().filter(|_| is_certain_before) {
            match tail.iter().rposition(|it| it.event == *last) {
                Some(at) => tail.truncate(at + 1),
                None => tail.retain(|it| it.event.time < last.time),
            }
        }
        let scene = Scene { tail, ..Scene::of(self.sources, moment, &violation.witness) };
        let origin = match (asked, self.definitions.get(property.id())) {
            (Some(asked), _) => Origin::Program(asked),
            (None, Some(definition)) => Origin::Workspace(definition),
            (None, None) => Origin::Library,
        };
        let mut found = finding_of(violation, property, self.units, &scene, origin)?;
        if let Some(unit) = served(violation, moment.recent) {
            let names = moment.world.names();
            served::attribute(&mut found, self.unit_name(unit, names), self.units.again(None));
        }
        Some(Finding { pictures: Pictures::of(touched_by(violation, &scene)), ..found })
    }

    /// The variables of the first `exists` of a property, and what these values of theirs are called.
    pub(super) fn witness(
        &self,
        property: usize,
        values: &[Value],
        moment: Moment<'_>,
    ) -> Vec<(String, String)> {
        let names = self.properties.get(property).map(Property::witnesses).unwrap_or_default();
        let witness = Witness::default();
        let scene = Scene::of(self.sources, moment, &witness);
        names.into_iter().map(str::to_owned).zip(values.iter().map(|it| scene.name(*it))).collect()
    }

    /// What reports call a unit.
    pub(super) fn unit_name(&self, unit: UnitId, names: &Names) -> String {
        let recorded = names.unit(unit).map_or("", |id| names.text(id));
        self.units.test(recorded).map_or_else(|| PROCESS.to_owned(), |test| self.units.name(test))
    }

    /// The command line that runs this unit again.
    pub(super) fn again(&self, unit: UnitId, names: &Names) -> String {
        let recorded = names.unit(unit).map_or("", |id| names.text(id));
        self.units.again(self.units.test(recorded))
    }

    /// The text of a file that findings name.
    pub(super) fn text(&self, file: &str) -> Option<&str> {
        self.sources.text(file)
    }

    /// A site of the trace, as a finding names it.
    pub(super) fn place(&self, site: SiteId, label: &str, names: &Names) -> CodeLocation {
        let nowhere = RecordedSite { file: String::new(), position: CompiledPosition::new(0, 0), own: false };
        self.sources.place(CompiledSite::of(names.site(site).unwrap_or(&nowhere)), label)
    }

    /// The same, where it is known at which line the site is.
    pub(super) fn known_place(&self, site: SiteId, label: &str, names: &Names) -> Option<CodeLocation> {
        let is_known = names.site(site).is_some_and(|it| it.position.is_known());
        is_known.then(|| self.place(site, label, names))
    }
}
