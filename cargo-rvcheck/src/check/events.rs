//! The events of a process: of a trace that was recorded, or of one that was written as text.

use super::Options;
use super::context::FindingContext;
use super::doctests;
use super::lifestates;
use super::live::Live;
use super::pass::Pass;
use super::pictures;
use super::process::{Checked, note_losses};
use super::sources::{CompiledSite, Sources};
use super::units::Units;
use rvcheck_event::log::Log;
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::merge;
use rvcheck_event::trace::read::Trace;

/// Checks a trace that was recorded. Whether it is whole.
pub(super) fn check_recording(
    mut trace: Trace<'_>,
    units: &Units<'_>,
    options: &Options,
    sources: &Sources,
    checked: &mut Checked,
) -> bool {
    if units.is_documentation() {
        doctests::place(&mut trace, units, sources);
    }
    name_calls(&mut trace, sources);
    let context = FindingContext::of(units, options, sources);
    let live = Live::of(&trace, &context, &options.vocabulary);
    let mut pass = Pass::new(context, live, options.tail, checked);
    let mut merge = merge::events(&trace);
    merge.feed(&mut pass);
    let whole = note_losses(&trace, merge.problems(), units, pass.checked());
    pass.add_lock_dependencies(merge.world());
    pass.finish(merge.world(), whole, || merge::events(&trace));
    lifestates::add(options.lifestates, &context, (|| merge::events(&trace), whole), checked);
    pictures::draw(&mut checked.findings, &context, || merge::events(&trace));
    if options.whole_picture {
        checked.whole = pictures::whole(&context, merge::events(&trace));
    }
    whole
}

/// Checks a trace that was written as text, which has no calls that ask for a formula to be checked.
pub(super) fn check_log(
    log: &Log,
    units: &Units<'_>,
    options: &Options,
    sources: &Sources,
    checked: &mut Checked,
) {
    let context = FindingContext::of(units, options, sources);
    let mut pass = Pass::new(context, Live::default(), options.tail, checked);
    let mut replay = log.replay();
    replay.feed(&mut pass);
    pass.finish(replay.world(), true, || log.replay());
    lifestates::add(options.lifestates, &context, (|| log.replay(), true), checked);
    pictures::draw(&mut checked.findings, &context, || log.replay());
}

/// Gives the trace the names of what is called at its sites, which only the source knows.
pub(super) fn name_calls(trace: &mut Trace<'_>, sources: &Sources) {
    let calls: Vec<_> = trace
        .names()
        .sites()
        .filter_map(|(id, place)| Some((id, sources.site(CompiledSite::of(place))?.call.clone())))
        .collect();
    for (id, call) in calls {
        trace.names_mut().set_call(id, &call);
    }
}
