//! The arguments of a call of rustc, in as far as the wrapper looks at them.

use camino::{Utf8Path, Utf8PathBuf};

/// A call of rustc.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent facts")]
pub struct Arguments {
    /// `--crate-name`.
    pub crate_name: Option<String>,
    /// `--crate-type`, which may be given several times.
    pub crate_types: Vec<String>,
    /// `--out-dir`.
    pub out_dir: Option<Utf8PathBuf>,
    /// `--target`.
    pub target: Option<String>,
    /// `-C extra-filename`.
    pub extra_filename: String,
    /// `-C metadata` is given, as in all calls by cargo itself, and in none by a build script that tries something out.
    pub by_cargo: bool,
    /// The values of `-L`.
    pub search: Vec<String>,
    /// The values of `--cfg`.
    pub cfgs: Vec<String>,
    /// The libraries that are given with `--extern name=path`.
    pub externs: Vec<Extern>,
    /// Which argument is the root file.
    pub source: Option<usize>,
    /// It is compiled to be tested: with libtest's `main`, or with one of its own.
    pub for_tests: bool,
    /// The file of `--emit=dep-info=…`, where it is named.
    pub dep_info: Option<Utf8PathBuf>,
    /// Something is made that can be linked or run, and not only what `cargo check` needs.
    pub links: bool,
    /// `-C opt-level`, other than none.
    pub is_optimised: bool,
    /// `-C debuginfo` asks for more than the lines.
    pub has_variables: bool,
}

/// `--extern options:name=path`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extern {
    /// Which argument it is: the whole of it, with `--extern=` where it has that form.
    pub index: usize,
    /// What stands before the path, with the `=`.
    pub before: String,
    /// The library.
    pub path: Utf8PathBuf,
}

impl Extern {
    /// The stem of the library's file name, such as `libtokio-0123`.
    pub fn library(&self) -> &str {
        self.path.file_stem().unwrap_or_default()
    }

    /// The name by which the code calls it.
    pub fn name(&self) -> &str {
        let before = self.before.trim_start_matches("--extern=").trim_end_matches('=');
        before.rsplit_once(':').map_or(before, |(_, name)| name)
    }
}

/// Reads the arguments. What is not known is passed over.
pub fn parse(args: &[String]) -> Arguments {
    let mut found = Arguments::default();
    let mut at = 0;
    while at < args.len() {
        let index = at;
        at += 1;
        let arg = args[index].as_str();
        found.for_tests |= arg == "--test";
        let Some((option, value, at_value)) = option(args, index) else {
            if Utf8Path::new(arg).extension() == Some("rs") && !arg.starts_with('-') {
                found.source = Some(index);
            }
            continue;
        };
        at = at_value + 1;
        match option {
            "--crate-name" => found.crate_name = Some(value.to_owned()),
            "--crate-type" => found.crate_types.push(value.to_owned()),
            "--out-dir" => found.out_dir = Some(value.into()),
            "--target" => found.target = Some(value.to_owned()),
            "-L" => found.search.push(value.to_owned()),
            "--emit" => {
                let named = value.split(',').find_map(|it| it.strip_prefix("dep-info="));
                found.dep_info = named.map(Into::into).or(found.dep_info);
                found.links |= value.split(',').any(|it| it == "link" || it.starts_with("link="));
            }
            "--cfg" => {
                found.for_tests |= value == "test";
                found.cfgs.push(value.to_owned());
            }
            "-C" | "--codegen" => match value.split_once('=') {
                Some(("metadata", _)) => found.by_cargo = true,
                Some(("extra-filename", value)) => value.clone_into(&mut found.extra_filename),
                Some(("opt-level", value)) => found.is_optimised = value != "0",
                Some(("debuginfo", value)) => {
                    found.has_variables = matches!(value, "1" | "2" | "limited" | "full");
                }
                _ => {}
            },
            "--extern" => {
                if let Some((_, path)) = value.split_once('=') {
                    let before = args[at_value][..args[at_value].len() - path.len()].to_owned();
                    found.externs.push(Extern { index: at_value, before, path: path.into() });
                }
            }
            _ => {}
        }
    }
    found
}

/// Options that take a value and are of interest. Those of one dash may have it attached.
const WITH_VALUE: &[&str] = &[
    "--crate-name",
    "--crate-type",
    "--out-dir",
    "--target",
    "--emit",
    "--cfg",
    "--extern",
    "--codegen",
    "-C",
    "-L",
];

/// The option that begins at this index, its value, and the index of the argument with the value.
fn option(args: &[String], index: usize) -> Option<(&'static str, &str, usize)> {
    let arg = args[index].as_str();
    let name = WITH_VALUE.iter().find(|name| arg.starts_with(**name))?;
    let rest = &arg[name.len()..];
    if rest.is_empty() {
        Some((name, args.get(index + 1)?, index + 1))
    } else if name.starts_with("--") {
        Some((name, rest.strip_prefix('=')?, index))
    } else {
        Some((name, rest, index))
    }
}

impl Arguments {
    /// The stem of the name of the library that rustc will write, such as `libtokio-0123`.
    pub fn library(&self) -> Option<String> {
        Some(format!("lib{}{}", self.crate_name.as_ref()?, self.extra_filename))
    }

    /// The file in which rustc will list what it has read.
    pub fn dep_info(&self) -> Option<Utf8PathBuf> {
        let usual = || {
            let name = format!("{}{}.d", self.crate_name.as_ref()?, self.extra_filename);
            Some(self.out_dir.as_ref()?.join(name))
        };
        self.dep_info.clone().or_else(usual)
    }

    /// It is a crate that runs while others are compiled.
    pub fn runs_in_the_build(&self) -> bool {
        self.crate_types.iter().any(|it| it == "proc-macro")
            || self.crate_name.as_ref().is_some_and(|it| it.starts_with("build_script_"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    const CALL: &str = "/bin/rustc --crate-name it --edition=2021 tests/it.rs --error-format=json \
        --emit=dep-info,link -C debuginfo=2 --test --cfg feature=\"full\" -C metadata=ab -C extra-filename=-cd \
        --out-dir /t/deps -Cincremental=/t/inc -L dependency=/t/deps --extern tk=/t/deps/libtokio-12.rlib \
        --extern priv:shop=/t/deps/libshop-34.rlib --extern proc_macro -Lnative=/n --cfg=tokio_unstable";

    #[test]
    fn a_call_by_cargo_is_understood() {
        let args = words(CALL);
        let found = parse(&args);
        assert_eq!(found.crate_name.as_deref(), Some("it"));
        assert_eq!(found.source.map(|it| args[it].as_str()), Some("tests/it.rs"));
        assert_eq!(found.library().as_deref(), Some("libit-cd"));
        assert_eq!(found.dep_info(), Some("/t/deps/it-cd.d".into()));
        assert_eq!(found.cfgs, ["feature=\"full\"", "tokio_unstable"]);
        assert_eq!(found.search, ["dependency=/t/deps", "native=/n"]);
        assert!(found.by_cargo && found.for_tests && !found.runs_in_the_build());
        let externs: Vec<_> = found.externs.iter().map(|it| (it.before.as_str(), it.library())).collect();
        assert_eq!(externs, [("tk=", "libtokio-12"), ("priv:shop=", "libshop-34")]);
        assert!(found.links && !found.is_optimised && found.has_variables);
        assert_eq!(found.externs.iter().map(Extern::name).collect::<Vec<_>>(), ["tk", "shop"]);
    }

    #[test]
    fn questions_and_trials_are_not_calls_by_cargo() {
        for line in [
            "rustc -vV",
            "rustc - --crate-name ___ --print=file-names",
            "rustc --crate-name probe a.rs --emit=metadata",
        ] {
            assert!(!parse(&words(line)).by_cargo, "{line}");
        }
    }

    #[test]
    fn build_scripts_and_procedural_macros_run_in_the_build() {
        for line in [
            "rustc --crate-name build_script_build build.rs --crate-type bin",
            "rustc --crate-type=proc-macro src/lib.rs",
        ] {
            assert!(parse(&words(line)).runs_in_the_build(), "{line}");
        }
    }

    #[test]
    fn check_only_and_optimised_builds_are_recognised() {
        let checked = parse(&words("rustc --crate-name a --emit=dep-info,metadata"));
        let optimised = parse(&words("rustc --crate-name a --emit=dep-info,link -C opt-level=3"));
        let plain = parse(&words("rustc --crate-name a --emit dep-info,link=/x/a -Copt-level=0"));
        let found = [checked, optimised, plain].map(|it| (it.links, it.is_optimised));
        assert_eq!(found, [(false, false), (true, true), (true, false)]);
    }

    #[test]
    fn a_list_of_what_was_read_may_have_its_own_name() {
        let found = parse(&words("rustc --crate-name a --emit=dep-info=/x/y.d,link"));
        assert_eq!(found.dep_info(), Some("/x/y.d".into()));
    }
}
