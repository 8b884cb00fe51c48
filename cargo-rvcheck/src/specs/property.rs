//! One property as a file declares it, compiled, with its problems put at their places in the file.

use super::declare::Declared;
use super::fields::{Fields, Text};
use super::problem::{SpecProblem, located};
use super::text::offset_in_file;
use super::{remedies, stopping};
use crate::finding::Location;
use rvcheck_enforcement::{Action, Enforced};
use rvcheck_spec::compilation::source_of;
use rvcheck_spec::{BUILT_IN, EventSource, FluentSource, Part, Problem, PropertySource, Span, compile};
use std::ops::Range;
use toml::de::DeTable;

/// A property of which nothing is wrong.
#[derive(Clone, Debug)]
pub struct Property {
    /// The file that declares it.
    pub file: String,
    /// What it says, with its wording.
    pub compiled: rvcheck_spec::Property,
    /// What stands there.
    pub declared: PropertySource,
    /// How it stops the program, or what is done at its places, if it does not only report.
    pub stop: Option<Action>,
    /// Where it says so.
    pub(super) stop_at: Option<Range<usize>>,
    /// It takes events that another property of its file emits, which are known only together with that one.
    pub(super) is_fed: bool,
    /// The events and the fluents that its file declares.
    names: (Vec<EventSource>, Vec<FluentSource>),
    /// Where its strings stand.
    form: Form,
    /// Where its table stands.
    table: Range<usize>,
    /// Where its id stands.
    definition: Location,
}

impl Property {
    /// Whether it can be stepped while the program runs.
    pub fn can_be_followed(&self) -> bool {
        !self.is_fed && stopping::obstacle(&self.compiled, &self.declared).is_none()
    }

    /// What it takes to step it elsewhere.
    pub fn enforced(&self) -> Enforced {
        let (events, fluents) = self.names.clone();
        Enforced {
            source: self.declared.clone(),
            events,
            fluents,
            action: self.stop.unwrap_or_default(),
            known: Vec::new(),
        }
    }

    /// The file, if it is one of the workspace's own.
    pub fn own_file(&self) -> Option<&str> {
        rvcheck_specs::find(self.compiled.id()).is_none().then_some(self.file.as_str())
    }

    /// Where it is declared, if that is in a file of the workspace's own.
    pub fn definition(&self) -> Option<&Location> {
        self.own_file().map(|_| &self.definition)
    }

    /// The bytes of its file, which has this text, that a place in one of its strings stands at.
    pub fn place(&self, part: Part, span: Span, text: &str) -> Range<usize> {
        self.form.place(part, span, text, &self.table)
    }
}

/// The property in this table, and where its id stands. The property is missing if something is wrong with it, which is
/// then among the problems.
pub(super) fn property(
    file: &str,
    text: &str,
    table: &DeTable<'_>,
    span: Range<usize>,
    names: &Declared,
    problems: &mut Vec<SpecProblem>,
) -> (Text, Option<Property>) {
    let before = problems.len();
    let mut fields = Fields::new(file, table, span.clone(), problems);
    let form = Form::read(&mut fields);
    let stopping = stopping::read(&mut fields);
    fields.finish();
    let id = form.id.clone().unwrap_or_default();
    if problems.len() > before {
        return (id, None);
    }
    let declared = form.source();
    let (compiled, found) = compile(&declared, &names.vocabulary);
    problems.extend(found.into_iter().map(|problem| form.placed(problem, file, text, &span)));
    if let (Some(rvcheck_spec::Property::BuiltIn(_)), Some(logic)) = (&compiled, &form.logic)
        && rvcheck_specs::find(&id.value).is_none()
    {
        let message = format!("the logic `{BUILT_IN}` is for properties of the library");
        problems.push(SpecProblem { file: file.to_owned(), span: logic.span.clone(), message, help: None });
    }
    if let (Some(compiled), Some(reaction)) = (&compiled, &stopping) {
        let obstacle = stopping::obstacle(compiled, &declared).map(|it| (it.to_owned(), None));
        let misfit = || {
            let (message, help) = remedies::misfit(reaction.action, compiled)?;
            Some((message, Some(help)))
        };
        if let Some((message, help)) = obstacle.or_else(misfit) {
            problems.push(SpecProblem { file: file.to_owned(), span: reaction.at.clone(), message, help });
        }
    }
    let compiled = compiled.filter(|_| problems.len() == before);
    let (stop, stop_at) = stopping.map(|it| (it.action, it.at)).unzip();
    let messages = names.vocabulary.messages().map(source_of);
    let events = names.events.iter().cloned().chain(messages).collect();
    let names = (events, names.fluents.clone());
    let definition = located(file, text, &id.span);
    let property = |compiled| Property {
        file: file.to_owned(),
        compiled,
        declared,
        stop,
        stop_at,
        is_fed: false,
        names,
        form,
        table: span,
        definition,
    };
    (id, compiled.map(property))
}

/// Declares the messages of the property in this table, if it is a grammar or a lifestate. What is wrong with it is said where it is compiled.
pub(super) fn declare_messages(file: &str, table: &DeTable<'_>, span: Range<usize>, names: &mut Declared) {
    let mut unsaid = Vec::new();
    let source = Form::read(&mut Fields::new(file, table, span, &mut unsaid)).source();
    if !source.view.is_empty() {
        names.vocabulary.declare_messages(&source);
    }
    if !source.rules.is_empty() {
        names.vocabulary.declare_lifestate(&source);
    }
}

/// The keys that a property can have.
#[cfg(test)]
pub(super) fn keys() -> std::collections::BTreeSet<&'static str> {
    let (table, mut problems) = (DeTable::new(), Vec::new());
    let mut fields = Fields::new("", &table, 0..0, &mut problems);
    Form::read(&mut fields);
    stopping::read(&mut fields);
    fields.known()
}

/// The strings of a property with their places, key by key.
#[derive(Clone, Debug, Default)]
struct Form {
    id: Option<Text>,
    logic: Option<Text>,
    title: Option<Text>,
    level: Option<Text>,
    message: Option<Text>,
    scope: Option<Text>,
    formula: Option<Text>,
    steps: Option<Text>,
    initial: Option<Text>,
    next: Option<Text>,
    group: Option<Text>,
    per: Vec<Text>,
    params: Vec<Text>,
    bad: Vec<Text>,
    good: Vec<Text>,
    end_bad: Vec<Text>,
    transitions: Vec<Text>,
    rules: Vec<Text>,
    primary: Vec<Text>,
    related: Vec<Text>,
    vars: Vec<(Text, Text)>,
    levels: Vec<(Text, Text)>,
    messages: Vec<(Text, Text)>,
    labels: Vec<(Text, Text)>,
    view: Vec<(Text, Text)>,
    grammar: Vec<(Text, Text)>,
}

impl Form {
    fn read(fields: &mut Fields<'_, '_>) -> Form {
        Form {
            id: fields.required("id"),
            logic: fields.required("logic"),
            title: fields.text("title"),
            level: fields.text("level"),
            message: fields.text("message"),
            scope: fields.text("scope"),
            formula: fields.text("formula"),
            steps: fields.text("steps"),
            initial: fields.text("initial"),
            next: fields.text("next"),
            group: fields.text("group"),
            per: fields.texts("per"),
            params: fields.texts("params"),
            bad: fields.texts("bad"),
            good: fields.texts("good"),
            end_bad: fields.texts("end_bad"),
            transitions: fields.texts("transitions"),
            rules: fields.texts("rules"),
            primary: fields.texts("primary"),
            related: fields.texts("related"),
            vars: fields.constants("vars"),
            levels: fields.named_texts("levels"),
            messages: fields.named_texts("messages"),
            labels: fields.named_texts("labels"),
            view: fields.named_texts("view"),
            grammar: fields.named_texts("grammar"),
        }
    }

    /// The strings without their places.
    fn source(&self) -> PropertySource {
        let one = |text: &Option<Text>| text.as_ref().map(|it| it.value.clone());
        let list = |texts: &[Text]| texts.iter().map(|it| it.value.clone()).collect();
        let pairs = |texts: &[(Text, Text)]| {
            texts.iter().map(|(name, it)| (name.value.clone(), it.value.clone())).collect()
        };
        PropertySource {
            id: one(&self.id).unwrap_or_default(),
            title: one(&self.title),
            level: one(&self.level),
            logic: one(&self.logic).unwrap_or_default(),
            message: one(&self.message),
            scope: one(&self.scope),
            formula: one(&self.formula),
            steps: one(&self.steps),
            params: list(&self.params),
            vars: pairs(&self.vars),
            initial: one(&self.initial),
            bad: list(&self.bad),
            good: list(&self.good),
            end_bad: list(&self.end_bad),
            transitions: list(&self.transitions),
            rules: list(&self.rules),
            levels: pairs(&self.levels),
            messages: pairs(&self.messages),
            primary: list(&self.primary),
            related: list(&self.related),
            labels: pairs(&self.labels),
            next: one(&self.next),
            group: one(&self.group),
            per: list(&self.per),
            view: pairs(&self.view),
            grammar: pairs(&self.grammar),
        }
    }

    /// The string that a problem is in.
    fn part(&self, part: Part) -> Option<&Text> {
        match part {
            Part::Formula => self.formula.as_ref(),
            Part::Steps => self.steps.as_ref(),
            Part::Group => self.group.as_ref(),
            Part::Per(index) => self.per.get(index),
            Part::ViewTerminal(index) => self.view.get(index).map(|(it, _)| it),
            Part::ViewMessage(index) => self.view.get(index).map(|(_, it)| it),
            Part::RuleName(index) => self.grammar.get(index).map(|(it, _)| it),
            Part::Rule(index) => self.grammar.get(index).map(|(_, it)| it),
            Part::LifestateRule(index) => self.rules.get(index),
            // What is wrong with a declaration is placed where that is read.
            Part::Property
            | Part::EventName
            | Part::EventParam(_)
            | Part::FluentName
            | Part::FluentParam(_)
            | Part::FluentFrom
            | Part::FluentTo => None,
            Part::Logic => self.logic.as_ref(),
            Part::Level => self.level.as_ref(),
            Part::Scope => self.scope.as_ref(),
            Part::Message => self.message.as_ref(),
            Part::Initial => self.initial.as_ref(),
            Part::Param(index) => self.params.get(index),
            Part::Bad(index) => self.bad.get(index),
            Part::Good(index) => self.good.get(index),
            Part::EndBad(index) => self.end_bad.get(index),
            Part::Transition(index) => self.transitions.get(index),
            Part::Primary(index) => self.primary.get(index),
            Part::Related(index) => self.related.get(index),
            Part::VarName(index) => self.vars.get(index).map(|(it, _)| it),
            Part::VarValue(index) => self.vars.get(index).map(|(_, it)| it),
            Part::LevelState(index) => self.levels.get(index).map(|(it, _)| it),
            Part::LevelValue(index) => self.levels.get(index).map(|(_, it)| it),
            Part::MessageState(index) => self.messages.get(index).map(|(it, _)| it),
            Part::MessageText(index) => self.messages.get(index).map(|(_, it)| it),
            Part::Label(index) => self.labels.get(index).map(|(it, _)| it),
        }
    }

    /// The bytes of the file that a place in one of the strings stands at; the table where there is no such string.
    fn place(&self, part: Part, span: Span, text: &str, table: &Range<usize>) -> Range<usize> {
        self.part(part).map_or_else(|| table.clone(), |part| span_in(part, span, text))
    }

    /// The problem at its place in the file.
    fn placed(&self, problem: Problem, file: &str, text: &str, table: &Range<usize>) -> SpecProblem {
        let span = self.place(problem.part, problem.span, text, table);
        SpecProblem { file: file.to_owned(), span, message: problem.message, help: problem.help }
    }
}

/// The bytes of the file that a span of a string's value stands at.
pub(super) fn span_in(part: &Text, span: Span, text: &str) -> Range<usize> {
    let raw = text.get(part.span.clone()).unwrap_or("");
    let at = |offset| offset_in_file(raw, part.span.start, offset);
    at(span.start)..at(span.end)
}
