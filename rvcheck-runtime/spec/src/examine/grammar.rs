//! What can be known of a grammar.

use crate::compilation::attributes_in;
use crate::examine::automaton::class;
use crate::examine::{Examination, Remark, RemarkKind};
use crate::language::grammar::parse_rule;
use crate::language::problem::{Part, Span};
use crate::language::source::PropertySource;
use crate::model::automaton::Automaton;
use crate::model::grammar::Grammar;

pub(super) fn examine(source: &PropertySource, automaton: &Automaton, grammar: &Grammar) -> Examination {
    let mut remarks = endless(source, grammar);
    remarks.extend(unused(source));
    Examination { class: Some(class(automaton)), states: Some(automaton.states.len()), at_end: None, remarks }
}

/// Nonterminals from which no word ends.
fn endless(source: &PropertySource, grammar: &Grammar) -> Vec<Remark> {
    let mut ends: Vec<bool> = grammar.nonterminals.iter().map(|it| it.may_end).collect();
    loop {
        let before = ends.clone();
        for (at, it) in grammar.nonterminals.iter().enumerate() {
            // Behind the nonterminals is the end.
            ends[at] |= it.alternatives.iter().any(|it| before.get(it.to).copied().unwrap_or(true));
        }
        if ends == before {
            break;
        }
    }
    let place = |name: &str| source.grammar.iter().position(|(it, _)| it == name);
    let endless = grammar.nonterminals.iter().zip(ends).filter(|(_, ends)| !ends);
    let remark = |(it, _): (&crate::model::grammar::Nonterminal, bool)| {
        Some(Remark {
            kind: RemarkKind::Unsatisfiable,
            part: Part::RuleName(place(&it.name)?),
            span: Span::all(&it.name),
            message: format!(
                "no word ends from `{}` on, so that every trace which comes here violates it",
                it.name
            ),
            help: Some("let some alternative be `ε`, or end with a terminal".to_owned()),
        })
    };
    endless.filter_map(remark).collect()
}

/// Attributes that are set and never used.
fn unused(source: &PropertySource) -> Vec<Remark> {
    let rules: Vec<_> = source
        .grammar
        .iter()
        .enumerate()
        .filter_map(|(place, (name, text))| Some((place, name, parse_rule(text, Part::Rule(place)).0?)))
        .collect();
    let mut remarks: Vec<Remark> = Vec::new();
    for (place, _, alternatives) in &rules {
        for setting in alternatives.iter().flat_map(|it| &it.settings) {
            let owner = &setting.nonterminal.text;
            let mut used = Vec::new();
            let of_owner = rules.iter().filter(|(_, name, _)| *name == owner);
            for alternative in of_owner.flat_map(|(_, _, it)| it) {
                let terms =
                    alternative.assertion.iter().chain(alternative.settings.iter().map(|it| &it.term));
                terms.for_each(|it| attributes_in(it, owner, &mut used));
            }
            let message = format!("nothing uses `{owner}.{}`", setting.attribute.text);
            let is_used = used.iter().any(|it| it.text == setting.attribute.text);
            if !is_used && remarks.iter().all(|it| it.message != message) {
                let help = Some("leave it out".to_owned());
                let (kind, part, span) = (RemarkKind::Unused, Part::Rule(*place), setting.target());
                remarks.push(Remark { kind, part, span, message, help });
            }
        }
    }
    remarks
}
