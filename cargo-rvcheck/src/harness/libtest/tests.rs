use super::*;
use TestOutcome::{Failed, Ignored, Passed, Unfinished};

fn read(text: &str) -> Transcript {
    let mut transcript = Transcript::default();
    text.lines().for_each(|line| drop(transcript.line(line)));
    transcript
}

fn after(text: &str, status: i32) -> Verdicts {
    read(text).verdicts(Harness::Libtest, Some(&End::Exited(status)))
}

fn outcomes(text: &str, status: i32) -> Vec<(String, TestOutcome)> {
    after(text, status).tests.into_iter().map(|it| (it.name, it.outcome)).collect()
}

fn expected(list: &[(&str, TestOutcome)]) -> Vec<(String, TestOutcome)> {
    list.iter().map(|(name, outcome)| ((*name).to_owned(), *outcome)).collect()
}

#[test]
fn whole_lines_tell_how_each_test_ended() {
    let text = "\nrunning 5 tests\ntest a::b ... ok\ntest c ... FAILED\ntest d ... ignored, slow\ntest e - should panic ... ok\n\
        test f ... ok <0.1s>\n\nfailures:\n\n---- c stdout ----\nboom\n\n\nfailures:\n    c\n\n\
        test result: FAILED. 3 passed; 1 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.00s\n";
    let list = [("a::b", Passed), ("c", Failed), ("d", Ignored), ("e", Passed), ("f", Passed)];
    assert_eq!(outcomes(text, 101), expected(&list));
    let verdicts = after(text, 101);
    assert!(verdicts.complete && !verdicts.needs_list && verdicts.tests[3].should_panic);
}

#[test]
fn what_a_test_prints_in_between_does_not_hide_its_end() {
    let text = "running 4 tests\ntest a ... hello\nok\ntest b ... hellook\ntest c ... test of something\nmore\nFAILED\n\
        test d ... one\ntwo, no end of line\n\nfailures:\n    c\n\n\
        test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
    assert_eq!(outcomes(text, 101), expected(&[("a", Passed), ("b", Passed), ("c", Failed), ("d", Passed)]));
}

#[test]
fn what_a_test_prints_never_says_how_it_or_another_one_ended() {
    let end = "\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
    let loud = [
        "test a ... ok\n1 of 3 FAILED\ntest b ... ok\n",
        "test a ... \nFAILED\ntest b ... 7 FAILED\nok\n",
        "test a ... test b ... FAILED\nok\ntest b ... ok\n",
    ];
    for printed in loud {
        let text = format!("running 2 tests\n{printed}{end}");
        let found = after(&text, 0);
        assert!(found.complete, "{printed}");
        let passed = found.tests.iter().filter(|it| ["a", "b"].contains(&it.name.as_str()));
        assert!(passed.clone().all(|it| it.outcome == Passed), "{printed}: {found:?}");
        // What was taken for the name of a test is found out by a list.
        assert!(passed.count() == 2 || found.needs_list, "{printed}: {found:?}");
    }
}

#[test]
fn the_last_lines_count_only_if_the_process_ended_as_they_say() {
    let text = "running 1 test\ntest a ... \nconnection ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n";
    assert!(after(text, 0).complete);
    for status in [3, 101] {
        let found = after(text, status);
        assert!(!found.complete, "{status}");
        assert_eq!(outcomes(text, status), expected(&[("a", Unfinished)]));
    }
    let killed = read(text).verdicts(Harness::Libtest, Some(&End::Signalled(6)));
    assert!(!killed.complete);
}

#[test]
fn a_harness_inside_a_test_is_not_taken_for_the_one_around_it() {
    let inner =
        "running 1 test\ntest helps ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n";
    let begun = format!("running 3 tests\ntest a ... ok\ntest b ... \n{inner}");
    assert!(!after(&begun, 0).complete, "only the inner one has ended");
    let ended =
        format!("{begun}ok\ntest c ... ok\n\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured\n");
    let found = after(&ended, 0);
    assert!(found.complete && found.needs_list, "{found:?}");
}

#[test]
fn the_list_of_failures_wins_over_what_a_test_printed() {
    let text = "running 1 test\ntest a ... ok\nFAILED\n\nfailures:\n    a\n\n\
        test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured\n";
    assert_eq!(outcomes(text, 101), expected(&[("a", Failed)]));
}

#[test]
fn without_a_last_line_a_test_that_began_or_is_in_doubt_is_unfinished() {
    let text = "running 3 tests\ntest a ... ok\ntest b ... ok\nFAILED\ntest c ... ";
    assert_eq!(outcomes(text, 3), expected(&[("a", Passed), ("b", Unfinished), ("c", Unfinished)]));
}

#[test]
fn what_failed_tests_have_printed_is_not_read_as_results() {
    let text = "running 2 tests\ntest a ... FAILED\ntest b ... ok\n\nfailures:\n\n---- a stdout ----\ntest b ... FAILED\n    b\n\
        test result: ok. 9 passed; 0 failed; 0 ignored\n\n\nfailures:\n    a\n\n\
        test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
    assert_eq!(outcomes(text, 101), expected(&[("a", Failed), ("b", Passed)]));
}

#[test]
fn lines_tell_what_begins_and_what_ends_and_nothing_twice() {
    let mut transcript = Transcript::default();
    let mut heard = Vec::new();
    heard.extend(transcript.line("running 2 tests"));
    heard.extend(transcript.beginning("test a"));
    heard.extend(transcript.beginning("test a ... "));
    heard.extend(transcript.beginning("test a ... "));
    heard.extend(transcript.line("test a ... what it prints"));
    heard.extend(transcript.line("ok"));
    heard.extend(transcript.line("test b ... FAILED"));
    heard.extend(transcript.line("test b ... FAILED"));
    heard.extend(transcript.line("test result: FAILED. 1 passed; 1 failed; 0 ignored"));
    let failed = TestResult { name: "b".to_owned(), outcome: Failed, should_panic: false };
    assert_eq!(heard, [Heard::Announced(2), Heard::Begun("a".to_owned()), Heard::Ended(failed)]);
}

#[test]
fn the_quiet_form_names_only_failures() {
    let text = "running 3 tests\n.F.\nfailures:\n\n---- x stdout ----\n\nfailures:\n    x\n\n\
        test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
    assert_eq!(outcomes(text, 101), expected(&[("x", Failed)]));
    assert_eq!(after(text, 101).unnamed, 2);
}

#[test]
fn a_program_that_prints_like_libtest_is_distinguished_from_one_that_does_not() {
    let whole = "running 3 tests\ntest a     ... ok\ntest bb    ... FAILED\ntest c ... ignored\n\n\
        failures:\n    bb\n\ntest result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0s\n";
    assert!(read(whole).of_whole(&End::Exited(101)).is_some());
    assert_eq!(outcomes(whole, 101), expected(&[("a", Passed), ("bb", Failed), ("c", Ignored)]));
    // It says one thing and ends as another.
    assert!(read(whole).of_whole(&End::Exited(0)).is_none());
    let others = [
        "",
        "running 1 test",
        "running 2 tests\ntest a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored",
        "running 0 tests\ntest result: ok. 0 passed; 0 failed; 0 ignored",
        "test a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored",
    ];
    for other in others {
        assert!(read(other).of_whole(&End::Exited(0)).is_none(), "{other}");
    }
    assert!(read(&whole.repeat(2)).of_whole(&End::Exited(101)).is_none());
}

#[test]
fn rustdoc_may_run_several_executables() {
    let text = "running 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured\n\n\
        running 1 test\ntest c ... FAILED\n\nfailures:\n    c\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured\n";
    let found = read(text).verdicts(Harness::Rustdoc, Some(&End::Exited(101)));
    assert!(found.complete && !found.needs_list, "{found:?}");
    assert_eq!(found.tests.iter().map(|it| it.outcome).collect::<Vec<_>>(), [Passed, Passed, Failed]);
}

#[test]
fn colours_do_not_hide_how_a_test_ended() {
    let text = "running 3 tests\ntest a ... \x1b[32mok\x1b[m\ntest b ... \x1b[31mFAILED\x1b[0m\r\n\
        test c ... \x1b[33mignored, slow\x1b[m\n\nfailures:\n    b\n\n\
        test result: \x1b[31mFAILED\x1b[m. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out\n";
    assert_eq!(outcomes(text, 101), expected(&[("a", Passed), ("b", Failed), ("c", Ignored)]));
    assert!(read(text).of_whole(&End::Exited(101)).is_some());
}

#[test]
fn a_list_of_tests_leaves_out_benchmarks() {
    assert_eq!(listed("a::b: test\nc: benchmark\nd: test\n"), ["a::b", "d"]);
}
