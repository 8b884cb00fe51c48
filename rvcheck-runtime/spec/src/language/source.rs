//! What a specification file has: tables of strings. The file format itself is read by the tool.

use crate::language::problem::Part;

/// One `[[property]]` table of strings. The file format itself is read by the tool; see
/// `docs/language.md` for what each key means.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PropertySource {
    /// `id`.
    pub id: String,
    /// `title`; the id where there is none.
    pub title: Option<String>,
    /// `level`: `error`, `warning` or `note`; `error` where there is none.
    pub level: Option<String>,
    /// `logic`.
    pub logic: String,
    /// `message`; the title where there is none. `{u}` stands for what parameter `u` is bound to.
    pub message: Option<String>,
    /// `scope`: `test` or `process`; `test` where there is none.
    pub scope: Option<String>,
    /// `params`, such as `t: task`.
    pub params: Vec<String>,
    /// `vars`: registers with their first values, an integer or a truth value, in the order of the file.
    pub vars: Vec<(String, String)>,
    /// `initial`.
    pub initial: Option<String>,
    /// `bad`.
    pub bad: Vec<String>,
    /// `good`.
    pub good: Vec<String>,
    /// `end_bad`.
    pub end_bad: Vec<String>,
    /// `transitions`.
    pub transitions: Vec<String>,
    /// `formula`.
    pub formula: Option<String>,
    /// `steps`: `trace` or `slice`; `trace` where there is none.
    pub steps: Option<String>,
    /// `group`: the name of the groups of tasks of which each has its own instance of the grammar.
    pub group: Option<String>,
    /// `per`: the parameters of messages for each value of which there is an instance of the grammar.
    pub per: Vec<String>,
    /// `[property.view]`: terminals with their messages, in the order of the file.
    pub view: Vec<(String, String)>,
    /// `[property.grammar]`: nonterminals with their alternatives, in the order of the file, and the entry `start`.
    pub grammar: Vec<(String, String)>,
    /// `rules`: which histories permit or prohibit which messages.
    pub rules: Vec<String>,
    /// `levels`: the level of a bad state, where it is not that of the property.
    pub levels: Vec<(String, String)>,
    /// `messages`: the message of a bad state, where it is not that of the property.
    pub messages: Vec<(String, String)>,
    /// `primary`: the events whose place is the finding's, the first choice first.
    pub primary: Vec<String>,
    /// `related`: the events whose places the finding mentions besides.
    pub related: Vec<String>,
    /// `labels`: what to write at the place of an event.
    pub labels: Vec<(String, String)>,
    /// `next`: what the user does now.
    pub next: Option<String>,
}

impl PropertySource {
    /// The string that a problem is in; `None` for one that is about the property as a whole, or not about a property.
    pub fn text<'a>(&'a self, part: Part) -> Option<&'a str> {
        let of = |list: &'a [String], at: usize| list.get(at).map(String::as_str);
        let name = |pairs: &'a [(String, String)], at: usize| pairs.get(at).map(|(name, _)| name.as_str());
        let value = |pairs: &'a [(String, String)], at: usize| pairs.get(at).map(|(_, value)| value.as_str());
        match part {
            Part::Property
            | Part::EventName
            | Part::EventParam(_)
            | Part::FluentName
            | Part::FluentParam(_)
            | Part::FluentFrom
            | Part::FluentTo => None,
            Part::Logic => Some(&self.logic),
            Part::Level => self.level.as_deref(),
            Part::Scope => self.scope.as_deref(),
            Part::Message => self.message.as_deref(),
            Part::Initial => self.initial.as_deref(),
            Part::Formula => self.formula.as_deref(),
            Part::Steps => self.steps.as_deref(),
            Part::Group => self.group.as_deref(),
            Part::Param(at) => of(&self.params, at),
            Part::Bad(at) => of(&self.bad, at),
            Part::Good(at) => of(&self.good, at),
            Part::EndBad(at) => of(&self.end_bad, at),
            Part::Transition(at) => of(&self.transitions, at),
            Part::Primary(at) => of(&self.primary, at),
            Part::Related(at) => of(&self.related, at),
            Part::Per(at) => of(&self.per, at),
            Part::VarName(at) => name(&self.vars, at),
            Part::VarValue(at) => value(&self.vars, at),
            Part::LevelState(at) => name(&self.levels, at),
            Part::LevelValue(at) => value(&self.levels, at),
            Part::MessageState(at) => name(&self.messages, at),
            Part::MessageText(at) => value(&self.messages, at),
            Part::Label(at) => name(&self.labels, at),
            Part::ViewTerminal(at) => name(&self.view, at),
            Part::ViewMessage(at) => value(&self.view, at),
            Part::RuleName(at) => name(&self.grammar, at),
            Part::Rule(at) => value(&self.grammar, at),
            Part::LifestateRule(at) => of(&self.rules, at),
        }
    }
}

/// An entry of `[events]` as it stands in a specification file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventSource {
    /// The name.
    pub name: String,
    /// The parameters, such as `who: task`.
    pub params: Vec<String>,
}

/// A `[fluent.NAME]` table as it stands in a specification file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FluentSource {
    /// The name.
    pub name: String,
    /// `params`.
    pub params: Vec<String>,
    /// `from`.
    pub from: Option<String>,
    /// `to`.
    pub to: Option<String>,
}
