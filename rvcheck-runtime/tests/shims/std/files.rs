//! Files: the functions that are wrapped, and the types that are not.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    let root = std::env::temp_dir().join(format!("rvcheck-files-{}", std::process::id()));
    fs::create_dir(&root)?;
    let result = exercise(&root);
    fs::remove_dir_all(&root)?;
    println!("{:?}", fs::metadata(&root).map_err(|it| it.kind()).map(|it| it.is_dir()));
    result
}

fn exercise(root: &Path) -> io::Result<()> {
    let a = root.join("a.txt");
    fs::write(&a, "one\ntwo\n")?;
    println!("{:?} {:?}", fs::read_to_string(&a)?, fs::read(&a)?.len());
    println!("{} {}", fs::exists(&a)?, fs::exists(root.join("none"))?);
    println!("{}", fs::copy(&a, root.join("b.txt"))?);
    fs::hard_link(&a, root.join("c.txt"))?;
    fs::rename(root.join("c.txt"), root.join("d.txt"))?;
    fs::create_dir_all(root.join("x/y"))?;
    fs::remove_dir(root.join("x/y"))?;
    fs::remove_file(root.join("d.txt"))?;
    let mut names: Vec<PathBuf> = fs::read_dir(root)?.map(|it| it.unwrap().file_name().into()).collect();
    names.sort();
    println!("{names:?}");
    let mut permissions = fs::metadata(&a)?.permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&a, permissions)?;
    println!("{}", fs::symlink_metadata(&a)?.permissions().readonly());
    println!("{}", fs::canonicalize(&a)? == fs::canonicalize(root.join("x/../a.txt"))?);
    #[cfg(unix)]
    {
        #[allow(deprecated)]
        fs::soft_link(&a, root.join("soft"))?;
        println!("{}", fs::read_link(root.join("soft"))? == a);
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        println!("{} {}", fs::metadata(&a)?.size(), fs::metadata(&a)?.permissions().mode() & 0o200);
    }
    let mut file = OpenOptions::new().create(true).append(true).open(root.join("b.txt"))?;
    writeln!(file, "three")?;
    let lines: Result<Vec<String>, _> = BufReader::new(File::open(root.join("b.txt"))?).lines().collect();
    println!("{:?}", lines?);
    let mut file = File::options().read(true).open(&a)?;
    file.seek(SeekFrom::Start(4))?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    println!("{text:?} {:?}", fs::read(root.join("none")).unwrap_err().kind());
    Ok(())
}
