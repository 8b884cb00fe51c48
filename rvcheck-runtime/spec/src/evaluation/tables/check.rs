//! From what was recorded of a trace to the verdicts of a formula over its units.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

use rvcheck_event::event::Event;
use rvcheck_event::id::{TaskId, UnitId};
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;

use crate::evaluation::limits::{KEPT, Limits};
use crate::evaluation::tables::explain::broken_at;
use crate::evaluation::tables::record::{Position, Recording};
use crate::evaluation::tables::table::{ENTRY, Exhausted, Tables, Truth, each_binding};
use crate::evaluation::tables::view::View;
use crate::language::formula::tree::Quantifier;
use crate::model::automaton::Scope;
use crate::model::formula::{Node, Quantified, Steps};
use crate::model::ltl::Ltl;
use crate::semantics::facts::Facts;
use crate::verdict::{Fault, Outcome, PropertyVerdict, UnitEnd, UnitVerdict, Violation, Witness};

/// The verdicts of one formula, which is number `property` in the monitor's list. Violations are added to `out`.
pub(crate) fn check(
    ltl: &Ltl,
    property: usize,
    recording: &Recording,
    ends: &HashMap<UnitId, UnitEnd>,
    facts: &dyn Facts,
    limits: Limits,
    out: &mut Vec<Violation>,
) -> PropertyVerdict {
    let mut units: BTreeMap<UnitId, Vec<&Position>> = match ltl.scope {
        Scope::Process => BTreeMap::from([(UnitId::PROCESS, Vec::new())]),
        Scope::Test => ends.keys().map(|unit| (*unit, Vec::new())).collect(),
    };
    for position in recording.positions() {
        let unit = if ltl.scope == Scope::Process { UnitId::PROCESS } else { position.event.unit };
        units.entry(unit).or_default().push(position);
    }
    let mut fault = recording.overflowed().then_some(Fault::Events { limit: limits.events });
    let left = Cell::new(limits.work);
    let tests = ltl.scope == Scope::Test && units.len() > 1;
    let mut verdicts = Vec::new();
    for (unit, positions) in units {
        let complete = ends.get(&unit) == Some(&UnitEnd::Complete) && fault.is_none();
        let view = View::new(ltl, positions, facts);
        let mut checking = Checking {
            ltl,
            property,
            unit,
            view: &view,
            open: !complete,
            left: &left,
            keep: limits.violations,
            untouched: None,
            bindings: 0,
            exercised: 0,
            violated: 0,
            violations: Vec::new(),
        };
        let mut binding = vec![Value::Absent; ltl.variables.len()];
        let truth = checking.formula(&ltl.formula, true, &mut binding);
        if truth.is_err() {
            fault.get_or_insert(Fault::Work { limit: limits.work });
        }
        let Checking { bindings, exercised, violated, violations, .. } = checking;
        let outcome = Outcome {
            violated,
            exercised,
            complete: complete && truth.is_ok(),
            beside_tests: tests && unit == UnitId::PROCESS,
        };
        let (beside, verdict) = (outcome.is_beside(), outcome.verdict());
        if !beside {
            let room = limits.violations.saturating_sub(out.len());
            out.extend(violations.into_iter().take(room));
        }
        verdicts.push(UnitVerdict {
            unit,
            verdict,
            bindings,
            violated: if beside { 0 } else { violated },
            bindings_exercised: exercised,
            exercised: exercised > 0,
            events: view.len() as u64,
            doubt: None,
            witness: Vec::new(),
        });
    }
    PropertyVerdict { units: verdicts, fault }
}

/// One formula over one unit.
struct Checking<'a> {
    ltl: &'a Ltl,
    property: usize,
    unit: UnitId,
    view: &'a View<'a>,
    /// The unit was cut, so that anything might have come.
    open: bool,
    left: &'a Cell<u64>,
    keep: usize,
    /// What the formula is for bindings of which no event speaks, where that is the same for all of them.
    untouched: Option<Truth>,
    bindings: u64,
    exercised: u64,
    violated: u64,
    violations: Vec<Violation>,
}

impl Checking<'_> {
    /// The truth of a formula that stands behind leading quantifiers, all of them `forall` where `universal`. The bindings
    /// of these are checked each for itself.
    fn formula(
        &mut self,
        node: &Node,
        universal: bool,
        binding: &mut Vec<Value>,
    ) -> Result<Truth, Exhausted> {
        match node {
            Node::Quantified(it) if universal && it.quantifier == Quantifier::Forall => {
                self.quantified(it, true, binding)
            }
            _ if universal => {
                let truth = self.rest(node, binding)?;
                if truth == Truth::False {
                    self.violated += 1;
                    if self.violations.len() < self.keep {
                        let violation = self.violation(node, binding)?;
                        self.violations.push(violation);
                    }
                }
                Ok(truth)
            }
            _ => self.rest(node, binding),
        }
    }

    /// The truth of a formula behind the leading `forall`s.
    fn rest(&mut self, node: &Node, binding: &mut Vec<Value>) -> Result<Truth, Exhausted> {
        if let Node::Quantified(it) = node {
            return self.quantified(it, false, binding);
        }
        self.bindings += 1;
        // Looking for a match, and taking the slice.
        self.tables(self.view).spend(ENTRY * self.view.len() as u64)?;
        if (0..self.view.len()).any(|at| self.view.touches(node, at, binding)) {
            self.exercised += 1;
        } else if let Some(known) = self.untouched {
            return Ok(known);
        } else if !node.has_conditions() {
            // No event matches any pattern, so that every binding of which that is true is like this one.
            let truth = self.truth(node, binding)?;
            self.untouched = Some(truth);
            return Ok(truth);
        }
        self.truth(node, binding)
    }

    /// The truth of a formula without leading quantifiers.
    fn truth(&self, node: &Node, binding: &mut Vec<Value>) -> Result<Truth, Exhausted> {
        match self.ltl.steps {
            Steps::Trace => self.tables(self.view).at_start(node, binding),
            Steps::Slice => {
                let slice = self.view.slice(node, binding);
                self.tables(&slice).at_start(node, binding)
            }
        }
    }

    fn quantified(
        &mut self,
        it: &Quantified,
        universal: bool,
        binding: &mut Vec<Value>,
    ) -> Result<Truth, Exhausted> {
        let forall = it.quantifier == Quantifier::Forall;
        let mut sum = if self.open { Truth::Open } else { Truth::of(forall) };
        let view = self.view;
        each_binding(view, it, binding, &mut |binding| {
            let truth = self.formula(&it.body, universal, binding)?;
            sum = if forall { sum.min(truth) } else { sum.max(truth) };
            Ok(())
        })?;
        Ok(sum)
    }

    fn tables<'b>(&'b self, view: &'b View<'b>) -> Tables<'b> {
        Tables::new(view, self.open, self.left)
    }

    fn violation(&self, node: &Node, binding: &mut Vec<Value>) -> Result<Violation, Exhausted> {
        let (_, inner) = node.prefix();
        let slice;
        let view = match self.ltl.steps {
            Steps::Trace => self.view,
            Steps::Slice => {
                slice = self.view.slice(inner, binding);
                &slice
            }
        };
        let broken = if view.is_empty() || matches!(node, Node::Quantified(_)) {
            None
        } else {
            let at = broken_at(node, view, &self.tables(view), 0, binding)?;
            // The first position shows nothing by itself if the formula does not speak of it.
            (at > 0 || view.touches(inner, at, binding)).then_some(at)
        };
        let parameters = self.ltl.parameters().count();
        // Leading variables are bound first.
        let values: Vec<Value> = binding[..parameters].to_vec();
        let last = broken.unwrap_or(view.len().saturating_sub(1));
        let led = |at: &usize| {
            let event = &view.positions[*at].event;
            Some(*at) == broken || view.touches(inner, *at, binding) || is_spawn(event, &values)
        };
        let events: Vec<Event> =
            (0..view.len().min(last + 1)).filter(led).map(|at| view.positions[at].event).collect();
        Ok(Violation {
            property: self.property,
            unit: self.unit,
            binding: values,
            state: 0,
            registers: Vec::new(),
            at_end: true,
            witness: witness(&events),
        })
    }
}

/// Whether the event created one of these tasks: people know a task by where that was.
fn is_spawn(event: &Event, values: &[Value]) -> bool {
    event.kind == EventKind::Spawn
        && values.iter().any(
            |value| matches!(value, Value::Object(Sort::Task, id) if TaskId(*id) == TaskId(event.object)),
        )
}

/// The first and the last of the events.
fn witness(events: &[Event]) -> Witness {
    let kept = KEPT as usize;
    let first = events[..events.len().min(kept)].to_vec();
    let rest = &events[first.len()..];
    let last = rest[rest.len().saturating_sub(kept)..].to_vec();
    Witness { first, skipped: (rest.len() - last.len()) as u64, last }
}
