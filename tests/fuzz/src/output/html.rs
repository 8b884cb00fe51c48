//! What pages are made of texts that others chose.

use cargo_rvcheck::finding::Pictures;
use rvcheck_page::{Act, Object, ObjectKind, Picture, Place, Run, Second, Step, Target, Track, TrackKind};

/// Pictures in which every text is this one.
pub(super) fn pictures(text: &str) -> Pictures {
    let place = || Place { file: text.to_owned(), line: 2, column: 1 };
    let act = |act| Step { event: None, track: 0, time: Some(1), act, place: Some(place()) };
    let picture = Picture {
        tracks: vec![Track { name: text.to_owned(), kind: TrackKind::Task }],
        objects: vec![Object { name: text.to_owned(), kind: ObjectKind::Lock }],
        steps: vec![
            act(Act::Take(0)),
            act(Act::Block(text.to_owned())),
            act(Act::Unblock(text.to_owned())),
            act(Act::Other(text.to_owned(), Some(0))),
            act(Act::Wait(Target::Other(text.to_owned()))),
            act(Act::Wait(Target::Object(0))),
        ],
        runs: vec![Run { track: 0, from: 0, to: 2 }],
        omitted: 1,
        stuck: true,
        fault: None,
    };
    Pictures {
        touched: None,
        happened: Some(Box::new(picture.clone())),
        second: Some((Second::Predicted, Box::new(picture))),
    }
}

/// Whatever the texts were, a browser finds only what the tool writes: its elements and attributes, one script, and nothing that asks the
/// network.
pub(super) fn assert_harmless(page: &str) {
    let (head, rest) = page.split_once("<style>").expect("it has a style");
    let (_, rest) = rest.split_once("</style>").expect("the style ends");
    let (body, rest) = rest.split_once("<script>").expect("it has a script");
    let (_, end) = rest.split_once("</script>").expect("the script ends");
    for part in [head, body, end] {
        let mut pieces = part.split('<');
        let before = pieces.next().unwrap_or_default();
        assert!(!before.contains('>'), "{before}");
        for piece in pieces {
            let (tag, text) =
                piece.split_once('>').unwrap_or_else(|| panic!("a tag does not end: {piece:?}"));
            assert!(!text.contains(['>', '"', '\'']), "{text:?} is no text");
            assert_known(tag);
        }
        let obeyed = |it: char| {
            (it.is_control() && !matches!(it, '\t' | '\n')) || ('\u{202a}'..='\u{202e}').contains(&it)
        };
        assert!(!part.contains(obeyed));
    }
}

/// A tag is one of the tool's own: its attributes are quoted, and none of them is obeyed or leads elsewhere.
fn assert_known(tag: &str) {
    let (name, mut rest) = tag.split_once([' ', '\n']).unwrap_or((tag, ""));
    let name = name.trim_matches('/');
    assert!(
        !["script", "iframe", "object", "embed", "base", "form", "img", "style"].contains(&name),
        "{tag:?}"
    );
    assert!(name.chars().all(|it| it.is_ascii_alphanumeric() || it == '!'), "{tag:?}");
    while let Some((attribute, after)) = rest.split_once("=\"") {
        let key = attribute.rsplit([' ', '\n']).next().unwrap_or_default();
        assert!(
            !key.starts_with("on")
                && key.chars().all(|it| it.is_ascii_alphabetic() || "-".contains(it) || it.is_ascii_digit()),
            "{tag:?}"
        );
        let (value, after) = after.split_once('"').unwrap_or_else(|| panic!("{tag:?} is not closed"));
        let inside = ["#", "data:", "finding-", "index.html"];
        assert!(key != "href" || inside.iter().any(|it| value.starts_with(it)), "{tag:?}");
        assert!(
            !["src", "style"].contains(&key) || value.starts_with("--height") || value.starts_with("top:"),
            "{tag:?}"
        );
        rest = after;
    }
    assert!(!rest.contains(['"', '\'', '=']), "{tag:?}");
}
