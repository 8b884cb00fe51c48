//! Arguments in a file: cargo passes `@path` where a command line would be too long for the system, an argument a line.

use crate::digest::digest;
use crate::error::{Result, reading};
use crate::layout::{create_folder, write_whole};
use camino::Utf8Path;
use std::fs;

/// The arguments with those that stand in files in place of the files' names, as rustc takes them: what a file holds is taken as it is,
/// and the last line may end or not. `None` if there is no such file among them.
pub fn expanded(args: &[String]) -> Result<Option<Vec<String>>> {
    if !args.iter().any(|it| named(it).is_some()) {
        return Ok(None);
    }
    let mut all = Vec::new();
    for arg in args {
        match named(arg) {
            Some(path) => {
                let text = fs::read_to_string(path).map_err(reading(path))?;
                all.extend(text.lines().map(str::to_owned));
            }
            None => all.push(arg.clone()),
        }
    }
    Ok(Some(all))
}

/// The file that an argument names. `@shell:` is another thing, which is not stable.
fn named(arg: &str) -> Option<&Utf8Path> {
    arg.strip_prefix('@').filter(|it| !it.is_empty() && !it.starts_with("shell:")).map(Utf8Path::new)
}

/// These arguments as a file in this folder, and those that cannot stand in one. The same arguments have the same file.
pub fn packed(args: &[String], folder: &Utf8Path) -> Result<Vec<String>> {
    let fits = |it: &&String| !it.contains(['\n', '\r']);
    let text: String = args.iter().filter(fits).flat_map(|it| [it.as_str(), "\n"]).collect();
    create_folder(folder)?;
    let path = folder.join(digest([&text]));
    write_whole(&path, text.as_bytes())?;
    Ok(args.iter().filter(|it| !fits(it)).cloned().chain([format!("@{path}")]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_lines_of_a_file_take_the_place_of_its_name() {
        let guard = tempfile::tempdir().expect("there is room for a temporary folder");
        let folder = Utf8PathBuf::from_path_buf(guard.path().to_owned()).expect("its name is Unicode");
        assert_eq!(expanded(&words("rustc --test a.rs")).expect("there is no file"), None);
        let args = words("--crate-name shop src/lib.rs --cfg feature=\"a\" -Cmetadata=1");
        let packed = packed(&args, &folder).expect("it can be written");
        assert_eq!(packed.len(), 1);
        let around = [&["--first".to_owned()], packed.as_slice(), &["--last".to_owned()]].concat();
        let expected = [&["--first".to_owned()], args.as_slice(), &["--last".to_owned()]].concat();
        assert_eq!(expanded(&around).expect("the file is there"), Some(expected));
    }

    #[test]
    fn an_argument_of_several_lines_stays_outside() {
        let guard = tempfile::tempdir().expect("there is room for a temporary folder");
        let folder = Utf8PathBuf::from_path_buf(guard.path().to_owned()).expect("its name is Unicode");
        let args = ["--cfg".to_owned(), "a=\"x\ny\"".to_owned()];
        let packed = packed(&args, &folder).expect("it can be written");
        assert_eq!(packed[0], args[1]);
        assert_eq!(packed.len(), 2);
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = expanded(&words("@/no/such/file")).expect_err("it cannot be read");
        assert!(error.to_string().contains("/no/such/file"), "{error}");
    }
}
