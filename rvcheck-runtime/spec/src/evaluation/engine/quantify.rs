//! From the states of instances to the verdict of a formula: its quantifiers over what occurs in a unit.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::Sort;
use rvcheck_event::value::Value;

use crate::evaluation::engine::classes::{Class, Space};
use crate::evaluation::engine::domain::{Domain, Values};
use crate::evaluation::engine::lettered::{Counting, Lettered};
use crate::evaluation::engine::slicer::{Slicer, Tally};
use crate::evaluation::engine::stepped::Stepped;
use crate::evaluation::engine::store::Part;
use crate::evaluation::engine::store::{Binding, UNBOUND};
use crate::evaluation::engine::touched::Touched;
use crate::evaluation::limits::{KEPT, Limits};
use crate::evaluation::tables::table::Exhausted;
use crate::language::formula::tree::Quantifier;
use crate::model::automaton::{Role, Scope};
use crate::semantics::facts::Facts;
use crate::verdict::{
    Fault, Outcome, Outlook, PropertyVerdict, UnitEnd, UnitVerdict, Verdict, Violation, Witness,
};

/// How units ended, and what else has to be known of a trace at its end.
pub(super) struct End<'a> {
    pub(super) property: usize,
    pub(super) domain: &'a Domain,
    pub(super) ends: &'a HashMap<UnitId, UnitEnd>,
    pub(super) facts: &'a dyn Facts,
    pub(super) limits: Limits,
}

/// The verdicts of a formula. The violations that only the end shows are added to `out`, which is empty.
pub(super) fn finish(stepped: &Stepped, end: &End<'_>, out: &mut Vec<Violation>) -> PropertyVerdict {
    let mut units: BTreeSet<UnitId> = match stepped.table.scope {
        Scope::Process => BTreeSet::from([UnitId::PROCESS]),
        Scope::Test => end.ends.keys().copied().collect(),
    };
    if stepped.table.scope == Scope::Test {
        units.extend(end.domain.units());
    }
    let tests = stepped.table.scope == Scope::Test && units.len() > 1;
    let instances = stepped.slicer.store.by_unit();
    let touched = stepped.touched.as_ref().map(Touched::parts).unwrap_or_default();
    let tallies: HashMap<UnitId, Tally> = stepped.slicer.tallies.iter().copied().collect();
    let left = Cell::new(end.limits.work);
    let mut fault = stepped.slicer.fault.clone();
    let mut verdicts = Vec::new();
    for unit in units {
        let complete = end.ends.get(&unit) == Some(&UnitEnd::Complete) && fault.is_none();
        let tally = tallies.get(&unit).copied().unwrap_or_default();
        let values = values(stepped, end.domain, unit);
        let view = UnitView {
            table: &stepped.table,
            slicer: &stepped.slicer,
            values: &values,
            parts: instances.get(&unit).map_or(&[], Vec::as_slice),
            open: !complete,
            facts: end.facts,
            left: &left,
        };
        let counted = view.counts(&tally, touched.get(&unit).map_or(&[], Vec::as_slice));
        let room = end.limits.violations.saturating_sub(stepped.slicer.reported + out.len());
        let mut found = BrokenBindings { keep: room, ..BrokenBindings::default() };
        let outlook = view.outlook(&mut found);
        if counted.is_err() || outlook.is_err() {
            fault.get_or_insert(Fault::Work { limit: end.limits.work });
        }
        let (bindings, exercised) = counted.unwrap_or_default();
        let violated = tally.violated + found.count;
        let outcome = Outcome {
            violated,
            exercised,
            complete: complete && outlook.is_ok(),
            beside_tests: tests && unit == UnitId::PROCESS,
        };
        let (beside, verdict) = (outcome.is_beside(), outcome.verdict());
        if !beside {
            out.extend(found.violations.into_iter().map(|(binding, witness)| Violation {
                property: end.property,
                unit,
                binding,
                state: 0,
                registers: Vec::new(),
                at_end: true,
                witness,
            }));
        }
        verdicts.push(UnitVerdict {
            unit,
            verdict,
            bindings,
            violated: if beside { 0 } else { violated },
            bindings_exercised: exercised,
            exercised: exercised > 0,
            events: tally.events,
            doubt: None,
            witness: if verdict == Verdict::Held { found.witness } else { Vec::new() },
        });
    }
    PropertyVerdict { units: verdicts, fault }
}

/// What is known of a formula over a unit that goes on.
pub(super) fn outlook(
    stepped: &Stepped,
    domain: &Domain,
    unit: UnitId,
    facts: &dyn Facts,
    limits: Limits,
) -> Option<Outlook> {
    let tally = stepped.slicer.tallies.iter().find(|(it, _)| *it == unit).map(|(_, tally)| *tally);
    if tally.is_some_and(|it| it.violated > 0) {
        return Some(Outlook::False);
    }
    let (values, instances) = (values(stepped, domain, unit), stepped.slicer.store.by_unit());
    let view = UnitView {
        table: &stepped.table,
        slicer: &stepped.slicer,
        values: &values,
        parts: instances.get(&unit).map_or(&[], Vec::as_slice),
        open: true,
        facts,
        left: &Cell::new(limits.work),
    };
    view.outlook(&mut BrokenBindings::default()).ok().filter(|_| stepped.slicer.fault.is_none())
}

/// What occurs in a unit for a formula.
fn values<'a>(stepped: &'a Stepped, domain: &'a Domain, unit: UnitId) -> Cow<'a, Values> {
    let shared = match stepped.table.scope {
        Scope::Process => Cow::Owned(domain.all_values()),
        Scope::Test => domain.values(unit).map_or_else(|| Cow::Owned(Values::default()), Cow::Borrowed),
    };
    match stepped.noted.values(unit) {
        None => shared,
        Some(noted) => {
            let mut all = shared.into_owned();
            all.extend(noted);
            Cow::Owned(all)
        }
    }
}

/// The bindings that broke a formula, and one for which it holds.
#[derive(Debug, Default)]
struct BrokenBindings {
    count: u64,
    /// How many violations are kept.
    keep: usize,
    violations: Vec<(Vec<Value>, Witness)>,
    witness: Vec<Value>,
}

/// A formula over one unit, now.
pub(super) struct UnitView<'a> {
    table: &'a Lettered,
    slicer: &'a Slicer,
    values: &'a Values,
    /// The instances.
    parts: &'a [Part],
    /// More events may come.
    open: bool,
    facts: &'a dyn Facts,
    left: &'a Cell<u64>,
}

impl<'a> UnitView<'a> {
    /// The bindings of the first `params` parameters, which `blocks` quantifiers bind.
    fn space(&self, params: usize) -> Space<'a> {
        let sorts: Vec<Sort> = self.table.params.0[..params].iter().map(|(_, sort)| *sort).collect();
        let blocks = self.table.blocks.iter().take_while(|it| it.end <= params).count();
        let blocks = &self.table.blocks[..blocks];
        Space::new(sorts, blocks, self.values, self.facts, self.left)
    }

    /// How many bindings of the leading quantifiers there are, and how many of them events touched.
    fn counts(&self, tally: &Tally, touched: &[Part]) -> Result<(u64, u64), Exhausted> {
        let space = self.space(self.table.written);
        let bindings = space.count()?;
        let exercised = match self.table.counting {
            Counting::Instances if self.table.written == 0 => u64::from(tally.exercised),
            Counting::Instances => tally.bindings,
            Counting::Touches => {
                let mut sum = 0_u64;
                space.classes(touched, &mut |class| {
                    if !class.parts.is_empty() {
                        sum = sum.saturating_add(class.count);
                    }
                    Ok(())
                })?;
                sum
            }
        };
        Ok((bindings, exercised))
    }

    /// The verdict of the unit, and what broke it besides what was reported already.
    fn outlook(&self, found: &mut BrokenBindings) -> Result<Outlook, Exhausted> {
        let mut space = self.space(self.table.params.0.len());
        for condition in &self.table.conditions {
            space.tell_apart(condition);
        }
        if self.table.is_plainly(Quantifier::Forall) {
            return self.all_of(&space, found);
        }
        space.tell_restricted_apart();
        let whole = Branch { binding: UNBOUND, parts: self.parts.to_vec(), count: 1 };
        let mut others = vec![Vec::new(); self.table.params.0.len()];
        self.below(&space, 0, &whole, &mut others, found)
    }

    /// All bindings, each for itself.
    fn all_of(&self, space: &Space<'_>, found: &mut BrokenBindings) -> Result<Outlook, Exhausted> {
        let (mut sum, mut can_come) = (Outlook::True, Outlook::True);
        space.classes(self.parts, &mut |class| {
            let outlook = self.leaf(&class.binding, class.parts);
            if class.binding[..self.table.params.0.len()].contains(&Value::Absent) {
                can_come = can_come.min(outlook);
            }
            if class.count > 0 {
                sum = sum.min(outlook);
                if outlook == Outlook::False && !self.is_reported(class.parts) {
                    found.count += class.count;
                    self.keep(space, class, found)?;
                }
            }
            Ok(())
        })?;
        // New objects can come, and break what holds so far.
        let capped = self.open && (can_come != Outlook::True || space.distinguished != 0);
        Ok(if capped { with_more(true, sum) } else { sum })
    }

    /// The truth for a partial binding of the parameters before `depth`.
    fn below(
        &self,
        space: &Space<'_>,
        depth: usize,
        branch: &Branch,
        others: &mut Vec<Vec<Value>>,
        found: &mut BrokenBindings,
    ) -> Result<Outlook, Exhausted> {
        let outlook = self.quantified(space, depth, branch, others, found)?;
        if depth == self.table.universal && outlook == Outlook::False && branch.count > 0 {
            found.count = found.count.saturating_add(branch.count);
            let outer = self.space(depth);
            let class = Class {
                binding: branch.binding,
                others: &others[..depth],
                count: branch.count,
                parts: &branch.parts,
            };
            self.keep(&outer, &class, found)?;
        }
        if depth == self.table.existential && outlook == Outlook::True && found.witness.is_empty() {
            let outer = self.space(depth);
            let class = Class { binding: branch.binding, others: &others[..depth], count: 1, parts: &[] };
            outer.members(&class, &mut |binding| {
                found.witness = binding[..depth].to_vec();
                false
            })?;
        }
        Ok(outlook)
    }

    fn quantified(
        &self,
        space: &Space<'_>,
        depth: usize,
        branch: &Branch,
        others: &mut Vec<Vec<Value>>,
        found: &mut BrokenBindings,
    ) -> Result<Outlook, Exhausted> {
        let Some(block) = self.table.blocks.iter().find(|it| depth < it.end) else {
            return Ok(self.leaf(&branch.binding, &branch.parts));
        };
        let forall = block.quantifier == Quantifier::Forall;
        let mut sum = if forall { Outlook::True } else { Outlook::False };
        let branches = space.branches(depth, &branch.parts)?;
        let rest = space.rest(depth, &branches);
        let mut values = Vec::new();
        for (value, parts) in branches.known {
            values.push(value);
            let mut below = Branch { binding: branch.binding, parts, count: branch.count };
            below.binding[depth] = value;
            let counts = space.counts(depth, &below.binding);
            if counts == Some(false) {
                continue;
            }
            let outlook = self.below(space, depth + 1, &below, others, found)?;
            sum = with(forall, sum, outlook, counts.is_some());
        }
        if rest == 0 && !self.open {
            return Ok(sum);
        }
        // What restricts a quantifier can depend on outer variables alone, and then it decides for these values as well.
        let counts = space.counts(depth, &branch.binding);
        if counts == Some(false) {
            return Ok(sum);
        }
        // The other values that occur, or where there are none, those that can still come.
        let below = Branch {
            binding: branch.binding,
            parts: branches.rest,
            count: branch.count.saturating_mul(rest),
        };
        others[depth] = values;
        let outlook = self.below(space, depth + 1, &below, others, found);
        others[depth].clear();
        Ok(with(forall, sum, outlook?, rest > 0 && counts.is_some()))
    }

    /// The truth for a binding of all parameters of which these are the parts that something is known of.
    fn leaf(&self, binding: &Binding, parts: &[Part]) -> Outlook {
        let known = greatest(parts);
        let state = known.map_or(0, |it| self.slicer.store.get(it.id).state.into());
        let binding = &binding[..self.table.params.0.len()];
        let mut outlooks =
            self.table.roles_for(state, binding, self.facts).map(|role| match (role, self.open) {
                (Role::Good, _) | (Role::Neutral, false) => Outlook::True,
                (Role::Bad, _) | (Role::EndBad, false) => Outlook::False,
                (Role::Neutral, true) => Outlook::PresumablyTrue,
                (Role::EndBad, true) => Outlook::PresumablyFalse,
            });
        let first = outlooks.next().unwrap_or(Outlook::True);
        // Where conditions on values decide it that are still to come, nothing is certain.
        if outlooks.all(|it| it == first) { first } else { Outlook::PresumablyFalse }
    }

    fn is_reported(&self, parts: &[Part]) -> bool {
        greatest(parts).is_some_and(|it| self.slicer.store.get(it.id).reported)
    }

    /// Keeps the members of a class that broke the formula, as far as there is room.
    fn keep(
        &self,
        space: &Space<'_>,
        class: &Class<'_>,
        found: &mut BrokenBindings,
    ) -> Result<(), Exhausted> {
        if found.violations.len() >= found.keep {
            return Ok(());
        }
        let witness = self.witness(class.parts);
        space.members(class, &mut |binding| {
            found.violations.push((binding[..self.table.universal].to_vec(), witness.clone()));
            found.violations.len() < found.keep
        })
    }

    /// What moved the instances of these parts.
    fn witness(&self, parts: &[Part]) -> Witness {
        let store = &self.slicer.store;
        if let Some(one) =
            greatest(parts).filter(|it| it.mask.count_ones() as usize == self.table.params.0.len())
        {
            return store.pool.witness(&store.get(one.id).history);
        }
        let mut skipped = 0;
        let mut events: Vec<Event> = Vec::new();
        for part in parts.iter().take(KEPT as usize) {
            let witness = store.pool.witness(&store.get(part.id).history);
            skipped = skipped.max(witness.skipped);
            let new: Vec<Event> = witness.iter().filter(|it| !events.contains(it)).copied().collect();
            events.extend(new);
        }
        events.sort_by_key(|it| it.time);
        let first = events[..events.len().min(KEPT as usize)].to_vec();
        let rest = &events[first.len()..];
        let last = rest[rest.len().saturating_sub(KEPT as usize)..].to_vec();
        Witness { first, skipped: skipped + (rest.len() - last.len()) as u64, last }
    }
}

/// The bindings that agree in some values.
struct Branch {
    binding: Binding,
    parts: Vec<Part>,
    count: u64,
}

/// What is known of a binding stands in the greatest part of it.
fn greatest(parts: &[Part]) -> Option<&Part> {
    parts.iter().max_by_key(|it| it.mask.count_ones())
}

/// What is known of a quantifier with one value more, and with one that can be among its values.
fn with(forall: bool, sum: Outlook, outlook: Outlook, counts: bool) -> Outlook {
    match (forall, counts) {
        (true, true) => sum.min(outlook),
        (false, true) => sum.max(outlook),
        (true, false) if outlook == Outlook::True => sum,
        (false, false) if outlook == Outlook::False => sum,
        (_, false) => with_more(forall, sum),
    }
}

/// What is certain of a quantifier as long as more objects can come.
fn with_more(forall: bool, outlook: Outlook) -> Outlook {
    if forall { outlook.min(Outlook::PresumablyTrue) } else { outlook.max(Outlook::PresumablyFalse) }
}
