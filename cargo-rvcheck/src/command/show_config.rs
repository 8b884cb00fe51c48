//! `cargo rvcheck show-config`.

use super::show::print_lines;
use crate::config::{Effective, Kind, Origin};
use crate::error::Result;
use crate::exit_code::ExitCode;
use crate::levels::Choice;
use toml::Value;

/// Prints what `cargo rvcheck test` would do with the same options, and where each value comes from.
pub(super) fn show_config(effective: &[Effective], levels: &[(String, Choice, String)]) -> Result<ExitCode> {
    print_lines(lines(effective, levels))?;
    Ok(ExitCode::Clean)
}

fn lines(effective: &[Effective], levels: &[(String, Choice, String)]) -> Vec<String> {
    let mut rows: Vec<(String, String)> =
        effective.iter().map(|it| (setting(it), from(&it.origin))).collect();
    if !levels.is_empty() {
        rows.push((String::new(), String::new()));
        rows.push(("[levels]".to_owned(), String::new()));
        rows.extend(
            levels
                .iter()
                .map(|(id, choice, place)| (format!("{id} = {}", Value::from(choice.name())), place.clone())),
        );
    }
    let width = rows.iter().map(|it| it.0.chars().count()).max().unwrap_or(0);
    let line = |(setting, from): (String, String)| match from.as_str() {
        "" => setting,
        _ => format!("{setting:width$}  # {from}"),
    };
    rows.into_iter().map(line).collect()
}

fn setting(it: &Effective) -> String {
    let text = |value: &String| Value::from(value.as_str()).to_string();
    let values: Vec<String> = match it.kind {
        Kind::Flag => it.values.clone(),
        _ => it.values.iter().map(text).collect(),
    };
    match (it.kind, values.as_slice()) {
        (Kind::List, values) => format!("{} = [{}]", it.name, values.join(", ")),
        (_, []) => format!("# {} is not set", it.name),
        (_, values) => format!("{} = {}", it.name, values.join(", ")),
    }
}

fn from(origin: &Origin) -> String {
    match origin {
        Origin::CommandLine => "command line".to_owned(),
        Origin::Variable(name) => name.clone(),
        Origin::Profile(name, place) => format!("{place}, profile `{name}`"),
        Origin::Default => "default".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_stands_with_its_origin() {
        let of = |name: &str, kind, values: &[&str], origin| Effective {
            name: name.into(),
            kind,
            values: values.iter().map(|it| (*it).to_owned()).collect(),
            origin,
        };
        let effective = [
            of("fail-on", Kind::One, &["note"], Origin::CommandLine),
            of("output", Kind::List, &["json=a \"b\""], Origin::Variable("RVCHECK_OUTPUT".into())),
            of("strict", Kind::Flag, &["true"], Origin::Profile("ci".into(), "rv.toml:3:1".into())),
            of("max-unmonitored", Kind::One, &[], Origin::Default),
        ];
        let levels = [("lost-error".to_owned(), Choice::Warn, "rv.toml:7:1".to_owned())];
        snapbox::assert_data_eq!(
            lines(&effective, &levels).join("\n"),
            r#"fail-on = "note"              # command line
output = ['json=a "b"']       # RVCHECK_OUTPUT
strict = true                 # rv.toml:3:1, profile `ci`
# max-unmonitored is not set  # default

[levels]
lost-error = "warn"           # rv.toml:7:1"#
        );
    }
}
