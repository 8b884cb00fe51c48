//! What is wrong with an attribute or a derive is said at the right place. The messages stand beside the programs.

#[test]
fn what_is_wrong_is_said_where_it_is() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
