//! The pages of pictures that are made up: what they say, and that they are whole.

mod sample;

use rvcheck_page::{Picture, Pictures, Second};

/// The page without style and script, which are files of their own.
fn bare(page: &str) -> String {
    let (before, rest) = page.split_once("<style>").expect("a page has a style");
    let (_, rest) = rest.split_once("</style>").expect("it ends");
    let (body, rest) = rest.split_once("<script>").expect("a page has a script");
    let (_, end) = rest.split_once("</script>").expect("it ends");
    let hash = before.split_once("sha256-").and_then(|it| it.1.split_once('\'')).map_or("", |it| it.0);
    format!("{before}…{body}…{end}").replace(hash, "…")
}

#[test]
fn each_picture_has_its_page() {
    for (name, page) in sample::pages() {
        insta::assert_snapshot!(name, bare(&page));
    }
}

#[test]
fn what_is_opened_is_closed_and_every_id_is_unique() {
    let all = sample::pages();
    let pictures = Pictures::default();
    let sources = sample::sources();
    let whole = sample::index()
        .document(&[sample::page(pictures, &sources, &[]), sample::page(pictures, &sources, &[])]);
    for (name, page) in all.into_iter().chain([("whole", whole)]) {
        let page = bare(&page);
        let mut open: Vec<&str> = Vec::new();
        let mut ids: Vec<&str> = Vec::new();
        for tag in page.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').expect("a tag ends");
            if let Some(closed) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(closed), "{name}: {tag}");
                continue;
            }
            let word = tag.split([' ', '\n', '/']).next().unwrap_or_default();
            let is_void = matches!(word, "!DOCTYPE" | "meta" | "link" | "input" | "wbr");
            if !is_void && !tag.ends_with('/') {
                open.push(word);
            }
            ids.extend(tag.split_once(" id=\"").and_then(|it| it.1.split_once('"')).map(|it| it.0));
        }
        assert!(open.is_empty(), "{name}: {open:?}");
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "{name}: an id is there twice");
    }
}

#[test]
fn every_step_of_a_picture_is_in_a_table() {
    let (happened, other) = sample::deadlock();
    let pictures = Pictures { happened: Some(&happened), second: Some((Second::Confirmed, &other)) };
    let sources = sample::sources();
    let page = sample::page(pictures, &sources, &[]).document(None);
    assert_eq!(page.matches("<tr data-step=").count(), happened.steps.len() + other.steps.len());
}

#[test]
fn a_picture_that_names_what_is_not_there_is_drawn_without_it() {
    let (mut picture, _) = sample::deadlock();
    picture.tracks.truncate(1);
    picture.objects.clear();
    picture.fault = Some(usize::MAX);
    let pictures = Pictures { happened: Some(&picture), second: Some((Second::Predicted, &picture)) };
    let sources = sample::sources();
    let page = sample::page(pictures, &sources, &[]).document(None);
    assert!(page.contains("something unknown") && page.contains("an unknown task"));
    let nothing = Picture::default();
    let pictures = Pictures { happened: Some(&nothing), second: None };
    assert!(sample::page(pictures, &sources, &[]).document(None).contains("there is no picture"));
}

/// What is kept of a trace is bounded, and so is the page.
#[test]
fn a_page_with_as_many_steps_as_are_kept_is_small() {
    let (happened, other) = sample::deadlock();
    let many = |picture: &Picture| {
        let steps = picture.steps.iter().cycle().take(360).cloned();
        let steps =
            steps.enumerate().map(|(at, it)| rvcheck_page::Step { event: Some(at as u64), ..it }).collect();
        Picture { steps, ..picture.clone() }
    };
    let (happened, other) = (many(&happened), many(&other));
    let pictures = Pictures { happened: Some(&happened), second: Some((Second::Predicted, &other)) };
    let sources = sample::sources();
    let page = sample::page(pictures, &sources, &[]).document(None);
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
}
