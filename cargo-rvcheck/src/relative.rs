//! How files are named in what people read: relative to the root of the workspace.

use camino::Utf8Path;

/// The path as seen from the root; `../…` where it lies outside.
pub fn relative(path: &Utf8Path, root: &Utf8Path) -> String {
    if path.is_relative() {
        return path.as_str().replace('\\', "/");
    }
    let shared = path.components().zip(root.components()).take_while(|(a, b)| a == b).count();
    let up = root.components().count() - shared;
    let down = path.components().skip(shared).map(|it| it.as_str());
    std::iter::repeat_n("..", up).chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_outside_the_root_goes_up() {
        let cases = [
            ("/home/me/shop/src/lib.rs", "src/lib.rs"),
            ("/home/me/other/src/lib.rs", "../other/src/lib.rs"),
            ("/lib/x.rs", "../../../lib/x.rs"),
            ("src/lib.rs", "src/lib.rs"),
        ];
        for (path, expected) in cases {
            assert_eq!(relative(Utf8Path::new(path), Utf8Path::new("/home/me/shop")), expected);
        }
    }
}
