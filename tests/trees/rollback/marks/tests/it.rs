use marks::deep::steps;
use marks::run::run;

#[test]
fn everything_computes_what_it_should() {
    assert_eq!(run(marks::inferred()), 4);
    assert_eq!(run(marks::matched()), 7);
    assert_eq!(run(steps()), 25);
}
