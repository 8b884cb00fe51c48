//! `cargo rvcheck list`.

use super::show::print_lines;
use super::sources::files;
use crate::cli::{ListArgs, ListFormat, Listing};
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::harness::left_out::kinds_left_out;
use crate::harness::session::Known;
use crate::inject::compiler::Compiler;
use crate::project::Project;
use crate::recorded::LeftOut;
use crate::request::Scope;
use crate::specs::{self, Property};
use rvcheck_event::site::{Site, SiteKind};
use rvcheck_source::rewrite::Skipped;
use rvcheck_source::rules::{RULES, Rule};
use serde_json::json;

/// Lists the sites, the properties, or the rules.
pub(super) fn list(args: &ListArgs) -> Result<ExitCode> {
    if args.targets.is_chosen() || args.targets.all_targets || args.selection.in_words().is_some() {
        let message = "targets and tests are selected only of tests\n`cargo rvcheck list tests` lists them";
        return Err(Expected::Configuration(message.to_owned()));
    }
    let lines = match args.what {
        Listing::Properties => lines(&specs::known(&args.build)?, args.message_format),
        Listing::Rules => rules(args.message_format),
        // These are asked for by running what was built.
        Listing::Tests => Vec::new(),
        Listing::Sites => {
            let compiler = Compiler::find(&args.build)?;
            let project = Project::load(&args.build, Scope::Graph, &compiler.host)?;
            let known = Known::of(&project, &compiler, &args.build);

            let left_out = kinds_left_out(&known.decisions, &project);
            let mut lines = Vec::new();
            for file in files(&project, known.std_replacement, &known.undone)? {
                let skipped: Vec<&Skipped> = file.unmarked().collect();
                let found = file.sites();
                lines.extend(found.iter().map(|site| {
                    let by_name = is_by_name(site, &file.text);
                    let reason = unmarked(site, &skipped).or_else(|| unseen(site, &file.text, &left_out));
                    match args.message_format {
                        ListFormat::Human => human(site, by_name, reason),
                        ListFormat::Json => as_json(site, by_name, reason),
                    }
                }));
            }
            lines
        }
    };
    print_lines(lines)?;
    Ok(ExitCode::Clean)
}

/// A line for each property, the library's first. Those of the workspace name their file.
fn lines(properties: &[Property], format: ListFormat) -> Vec<String> {
    let width = properties.iter().map(|it| it.compiled.id().len()).max().unwrap_or(0);
    let line = |property: &Property| {
        let compiled = &property.compiled;
        let (id, level, title) = (compiled.id(), compiled.level().name(), compiled.title());
        let own = property.own_file();
        match format {
            ListFormat::Human => {
                let file = own.map_or_else(String::new, |it| format!(" ({it})"));
                format!("{id:width$}  {level:7}  {title}{file}")
            }
            ListFormat::Json => json!({ "id": id, "level": level, "title": title, "file": own }).to_string(),
        }
    };
    properties.iter().map(line).collect()
}

/// A line for each rule: its id, its property, and what it finds.
fn rules(format: ListFormat) -> Vec<String> {
    let width = |of: fn(&Rule) -> &str| RULES.iter().map(|it| of(it).len()).max().unwrap_or(0);
    let (ids, properties) = (width(|it| it.id), width(|it| it.property));
    let line = |&Rule { id, property, doc, shown_by, .. }: &Rule| match format {
        ListFormat::Human => format!("{id:ids$}  {property:properties$}  {doc}"),
        ListFormat::Json => {
            json!({ "id": id, "property": property, "doc": doc, "shown_by": shown_by.event() }).to_string()
        }
    };
    RULES.iter().map(line).collect()
}

/// Why this site is unmonitored, if it is an await that is not marked or a function that is not observed.
fn unmarked<'a>(site: &Site, skipped: &[&'a Skipped]) -> Option<&'a str> {
    let at = |it: &&&'a Skipped| it.position == site.start;
    let listed = matches!(site.kind, SiteKind::Await | SiteKind::Observed);
    let skipped = skipped.iter().find(at).filter(|_| listed)?;
    Some(&skipped.reason)
}

/// Why nothing of this kind is seen, if that is so.
fn unseen<'a>(site: &Site, text: &str, left_out: &'a [LeftOut]) -> Option<&'a str> {
    left_out.iter().find(|it| it.concerns(site, text)).map(|it| it.reason.as_str())
}

/// Whether only the name of a method speaks for the site. Types are not known here, so it may be another type's method, such as the
/// `send` of a client, which is no channel's.
fn is_by_name(site: &Site, text: &str) -> bool {
    let line = usize::try_from(site.start.line).ok().and_then(|it| text.lines().nth(it.checked_sub(1)?));
    let dot = usize::try_from(site.start.column).ok().and_then(|it| line?.chars().nth(it.checked_sub(2)?));
    !matches!(site.kind, SiteKind::Await | SiteKind::Observed) && dot == Some('.')
}

fn human(site: &Site, by_name: bool, unmonitored: Option<&str>) -> String {
    let place = format!("{}:{}", site.file, site.start);
    let binding = site.binding.as_ref().map_or_else(String::new, |it| format!(" on {it}"));
    let test = if site.in_test { " (test)" } else { "" };
    let by_name = if by_name { " (by its name alone)" } else { "" };
    let reason = unmonitored.map_or_else(String::new, |it| format!(" [unmonitored: {it}]"));
    format!(
        "{place:32} {:9} {:20} in {}{binding}{test}{by_name}{reason}",
        site.kind.name(),
        site.call,
        site.item
    )
}

fn as_json(site: &Site, by_name: bool, unmonitored: Option<&str>) -> String {
    json!({
        "file": site.file,
        "line": site.start.line,
        "column": site.start.column,
        "end_line": site.end.line,
        "end_column": site.end.column,
        "kind": site.kind.name(),
        "call": site.call,
        "item": site.item,
        "binding": site.binding,
        "in_test": site.in_test,
        "by_name": by_name,
        "unmonitored": unmonitored,
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_source::edition::Edition;
    use rvcheck_source::sites::sites;

    #[test]
    fn a_site_is_listed_with_its_function_and_what_it_works_on() {
        let text = "impl Ledger {\n    async fn take(&self) {\n        self.state.lock().await;\n    }\n}\n";
        let (lines, values) = listed(text);
        let lock = lines.iter().find(|it| it.contains(" lock ")).expect("the lock is a site");
        assert!(lock.starts_with("src/lib.rs:3:20"), "{lock}");
        assert!(lock.ends_with("in Ledger::take on self.state (by its name alone)"), "{lock}");
        assert!(values.iter().any(|it| it["kind"] == "await" && it["line"] == 3));
    }

    /// The sites of this text, both ways.
    fn listed(text: &str) -> (Vec<String>, Vec<serde_json::Value>) {
        let found = sites(text, "src/lib.rs", Edition::Rust2021);
        let both = found.iter().map(|it| {
            let by_name = is_by_name(it, text);
            (human(it, by_name, None), as_json(it, by_name, None).parse().expect("it is JSON"))
        });
        both.unzip()
    }

    #[test]
    fn what_only_the_name_of_a_method_speaks_for_says_so() {
        let text = "async fn order(client: Client) {\n    tokio::spawn(async move {\n        client.send(7).await\n    });\n}\n";
        let (_, values) = listed(text);
        let by_name =
            |kind: &str| values.iter().find(|it| it["kind"] == kind).map(|it| it["by_name"] == true);
        assert_eq!(["channel", "spawn", "await"].map(by_name), [Some(true), Some(false), Some(false)]);
    }

    #[test]
    fn each_rule_has_an_id_of_its_own_and_a_property_that_can_be_explained() {
        let mut ids: Vec<&str> = RULES.iter().map(|it| it.id).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|it| it[0] != it[1]), "{ids:?}");
        for rule in RULES {
            assert!(rvcheck_specs::find(rule.property).is_some(), "{}", rule.id);
            assert!(rule.doc.ends_with('.'), "{}", rule.id);
        }
        assert_eq!(rules(ListFormat::Human).len(), RULES.len());
    }

    #[test]
    fn the_list_of_properties_has_a_line_for_each() {
        let own = "schema = 1\n[[property]]\nid = \"calm\"\nlogic = \"ltl\"\nformula = \"G !panic(_)\"\n";
        let mut properties = specs::library().properties;
        properties.extend(specs::read(&[("specs/my.toml".into(), own.into())]).properties);
        let lines = lines(&properties, ListFormat::Human);
        assert_eq!(lines.len(), rvcheck_specs::LIBRARY.len() + 1);
        assert!(lines.iter().any(|it| it.starts_with("lost-error ")), "{lines:?}");
        assert_eq!(
            lines.last().map(String::as_str),
            Some("calm                 error    calm (specs/my.toml)")
        );
    }
}
