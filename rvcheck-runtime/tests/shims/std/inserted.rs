//! What an attribute inserts is there, and moves nothing. Its numbers are the lines and columns of this file.

trait Doubled {
    fn doubled(self) -> u8;
}

impl Doubled for u8 {
    fn doubled(self) -> u8 {
        2 * self
    }
}

#[std::__rv_shim::insert(
    21 19 21 19 { __rv_unmatched_parenthesis || __rv_unmatched_brace 1 + }
    21 22 21 19 { .doubled() __rv_unmatched_close __rv_unmatched_close () }
    22 34 22 34 = "exchanged"
)]
#[rustfmt::skip]
#[inline(never)]
fn inserted() -> (u8, u32, &'static str, &'static str) {
    let doubled = 4u8; let column = column!();
    (doubled, column, stringify!("as written"), stringify!(*a.b::<u8>().c))
}

fn main() {
    assert_eq!(inserted(), (9, 37, "\"exchanged\"", "*a.b::<u8>().c"));
}
