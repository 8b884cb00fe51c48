//! The report as pages with pictures and in the forms of other viewers, of real runs. What browsers make of pages, `tools/browser` looks at.

use std::path::Path;

use rvcheck_tests::Fixture;

#[test]
fn a_lost_wakeup_has_a_page_with_a_picture() {
    let fixture = Fixture::tree("cloakroom");
    fixture.test(&["--stall-timeout", "1s", "--output", "html=pages"]).expect(10);
    let read = |name: &str| std::fs::read_to_string(fixture.path().join("pages").join(name)).expect(name);
    let index = read("index.html");
    assert!(index.contains("<h1>1 error</h1>"), "{index}");
    assert!(index.contains("href=\"finding-1.html\"") && index.contains("with a picture"), "{index}");
    let page = read("finding-1.html");
    let rows: Vec<&str> = page.lines().filter(|it| it.starts_with("<tr data-step=")).collect();
    let signal = rows.iter().position(|it| it.contains("signals <code>self.bell</code>"));
    let wait = rows.iter().position(|it| it.contains("waits for <code>self.bell</code>"));
    assert!(signal.is_some() && signal < wait && wait == Some(rows.len() - 1), "{rows:#?}");
    assert!(rows[rows.len() - 1].contains("self.bell.notified().await;"), "the line of the source is quoted");
    assert!(page.contains("nothing goes on"));
    // Other programs see the same run.
    fixture
        .run(&["report", "--output", "chrome-trace=trace.json", "--output", "markdown=summary.md"])
        .expect(10);
    let written = |name: &str| std::fs::read_to_string(fixture.path().join(name)).expect(name);
    let (trace, summary) = (written("trace.json"), written("summary.md"));
    for part in [r#""cat":"wait""#, r#""name":"self.bell""#, r#""cat":"finding""#, r#""unfinished":true"#] {
        assert!(trace.contains(part), "{part}: {trace}");
    }
    assert!(summary.contains("```mermaid\nsequenceDiagram\n"), "{summary}");
    assert!(
        summary.contains(" as #96;self.bell#96;\n") && summary.contains(": waits forever\n"),
        "{summary}"
    );
    let printed = fixture.run(&["trace", "print", "--kind", "signal_wait"]).expect(0);
    assert!(printed.stdout.contains("(self.bell)") && printed.stdout.contains("src/"), "{}", printed.stdout);
}

#[test]
fn a_report_that_is_opened_has_the_pictures_of_its_run() {
    let fixture = Fixture::example("bank");
    fixture.test(&[]).expect(10);
    // The browser is one that shows nothing.
    let fixture = fixture.with_variable("BROWSER", "true".as_ref());
    let run = fixture.run(&["report", "--open"]).expect(10);
    let index = run
        .stderr
        .lines()
        .find_map(|it| it.trim_start().strip_prefix("Opening "))
        .expect("it says what it opens");
    let page = std::fs::read_to_string(Path::new(index).with_file_name("finding-2.html"))
        .expect("the page is there");
    assert!(page.contains("Confirmed by a run"), "the deadlock was made to happen");
    assert!(page.contains("The last step closes the cycle"));
}
