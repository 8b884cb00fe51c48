//! Targets that bring their own `main` for tests, which only the manifest tells.

use super::TargetKind;
use camino::Utf8Path;
use toml::{Table, Value};

/// The targets of this manifest with `harness = false`. A manifest that cannot be read has none; cargo has read it already.
pub(super) fn without(manifest: &Utf8Path) -> Vec<(TargetKind, String)> {
    std::fs::read_to_string(manifest)
        .ok()
        .and_then(|text| text.parse().ok())
        .map_or_else(Vec::new, |it| listed(&it))
}

fn listed(manifest: &Table) -> Vec<(TargetKind, String)> {
    let kinds = [
        ("bin", TargetKind::Bin),
        ("test", TargetKind::Test),
        ("example", TargetKind::Example),
        ("bench", TargetKind::Bench),
    ];
    let mut found = Vec::new();
    for (key, kind) in kinds {
        let targets = manifest.get(key).and_then(Value::as_array).into_iter().flatten();
        for target in targets.filter_map(Value::as_table).filter(|it| is_off(it)) {
            found.extend(target.get("name").and_then(Value::as_str).map(|name| (kind, name.to_owned())));
        }
    }
    if let Some(lib) = manifest.get("lib").and_then(Value::as_table).filter(|it| is_off(it)) {
        let package = manifest.get("package").and_then(Value::as_table);
        let name = lib.get("name").or_else(|| package?.get("name")).and_then(Value::as_str);
        found.extend(name.map(|name| (TargetKind::Lib, name.replace('-', "_"))));
    }
    found
}

fn is_off(target: &Table) -> bool {
    target.get("harness").and_then(Value::as_bool) == Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_targets_without_a_harness_are_listed() {
        let manifest = r#"
            package = { name = "my-shop" }
            lib = { harness = false }
            [[test]]
            name = "own"
            harness = false
            [[test]]
            name = "usual"
            [[bench]]
            name = "speed"
            harness = false
        "#;
        let manifest: Table = manifest.parse().expect("it is TOML");
        let expected = [
            (TargetKind::Test, "own".to_owned()),
            (TargetKind::Bench, "speed".to_owned()),
            (TargetKind::Lib, "my_shop".to_owned()),
        ];
        assert_eq!(listed(&manifest), expected);
    }
}
