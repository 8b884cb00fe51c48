use super::repository::State;
use super::{changed, choose, kept};
use crate::finding::{Applicability, Finding, Fix, Level, Location, TextEdit};

fn edit(line: u32, from: u32, to: u32, text: &str) -> TextEdit {
    TextEdit {
        file: "src/lib.rs".into(),
        line,
        column: from,
        end_line: line,
        end_column: to,
        replacement: text.into(),
    }
}

fn found(applicability: Applicability, edits: Vec<TextEdit>) -> Finding {
    let place = Location {
        file: "src/lib.rs".into(),
        line: 1,
        column: 1,
        end_line: 1,
        end_column: 2,
        label: String::new(),
    };
    let fix = Fix { message: "do it".into(), applicability, edits };
    Finding { fixes: vec![fix], ..Finding::of_text("x", Level::Warning, place, "m".into(), "") }
}

#[test]
fn edits_count_characters_and_are_made_in_the_order_of_their_places() {
    let edits = [edit(2, 3, 4, ""), edit(1, 2, 2, "X"), edit(2, 5, 5, "Y\nZ")];
    assert_eq!(changed("ab\nöüc \r\n", &edits).as_deref(), Some("aXb\nöü Y\nZ\r\n"));
    assert_eq!(changed("ab", &[edit(3, 1, 1, "")]), None);
    assert_eq!(changed("ab", &[edit(1, 9, 9, "")]), None);
    assert_eq!(changed("ab", &[edit(1, 1, 3, ""), edit(1, 2, 2, "")]), None);
}

#[test]
fn of_fixes_that_meet_the_first_one_is_chosen_and_doubtful_ones_are_counted() {
    use Applicability::{MachineApplicable, MaybeIncorrect};
    let findings = [
        found(MachineApplicable, vec![edit(1, 1, 3, "a")]),
        found(MachineApplicable, vec![edit(1, 3, 3, "b")]),
        found(MachineApplicable, vec![edit(2, 3, 3, "c")]),
        found(MaybeIncorrect, vec![edit(9, 1, 1, "d")]),
        // The same again is nothing more.
        found(MachineApplicable, vec![edit(2, 3, 3, "c")]),
    ];
    let choice = choose(findings.iter());
    let texts: Vec<&str> = choice.chosen.iter().map(|it| it.fix.edits[0].replacement.as_str()).collect();
    assert_eq!((texts, choice.waiting, choice.doubtful), (vec!["a", "c"], 1, 1));
}

#[test]
fn what_does_not_compile_is_left_out_and_the_rest_is_kept() {
    for bad in [vec![], vec![0], vec![3, 4], vec![0, 1, 2, 3, 4]] {
        let mut asked = 0;
        let works = |these: &[usize]| {
            asked += 1;
            Ok::<bool, ()>(these.iter().all(|it| !bad.contains(it)))
        };
        let expected: Vec<usize> = (0..5).filter(|it| !bad.contains(it)).collect();
        assert_eq!(kept(5, works), Ok(expected), "{bad:?}");
        assert!(!bad.is_empty() || asked == 1, "asked {asked} times");
    }
    assert_eq!(kept(2, |_| Err("interrupted")), Err("interrupted"));
}

#[test]
fn a_file_is_dirty_unless_all_of_its_changes_are_staged() {
    let state = State::of_status("M  a.rs\0 M b.rs\0?? new file\0R  d.rs\0c.rs\0MM e.rs\0");
    assert_eq!(state.staged, ["a.rs", "d.rs"]);
    assert_eq!(state.dirty, ["b.rs", "new file", "e.rs"]);
}
