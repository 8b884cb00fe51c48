//! What derived implementations of `Observe` say, under the short name of the crate.

use std::collections::VecDeque;
use std::fmt::Debug;

use rvcheck::{Observe, Value};

#[derive(Observe)]
enum State<'a, T: Debug> {
    Ready,
    Busy(T, #[allow(dead_code, reason = "only the name is observed")] u8),
    #[allow(non_camel_case_types, dead_code, reason = "a name that is a word of the language")]
    r#type {
        of: &'a str,
    },
}

#[derive(Observe)]
enum Never {}

#[derive(Observe)]
struct Number(u64);

#[derive(Observe)]
struct Name<'a> {
    name: &'a str,
}

#[derive(Observe)]
struct Order<T> {
    #[allow(dead_code, reason = "only the number is observed")]
    items: Vec<T>,
    #[observe(id)]
    number: Number,
}

#[derive(Observe)]
struct Tuple(
    #[allow(dead_code, reason = "only the second is observed")] Box<dyn Fn()>,
    #[observe(id)] Option<Name<'static>>,
);

#[derive(Observe)]
struct Queue<T> {
    #[observe(len)]
    items: VecDeque<T>,
    #[allow(dead_code, reason = "only the length is observed")]
    name: String,
}

#[derive(Observe)]
struct Wrapper<T>(T)
where
    T: Clone;

#[derive(Observe)]
#[observe(crate = rvcheck)]
struct Key(#[observe(with = Uuid::low)] Uuid);

#[derive(Observe)]
struct Owner {
    #[observe(with = first_name)]
    names: Vec<String>,
}

struct Uuid([u8; 16]);

impl Uuid {
    fn low(&self) -> i64 {
        self.0[15].into()
    }
}

fn first_name(names: &[String]) -> Value<'_> {
    names.first().map_or(Value::Absent, |it| Value::Text(it))
}

#[test]
fn an_enum_is_the_name_of_its_variant() {
    assert_eq!(State::<'_, u8>::Ready.value(), Value::Text("Ready"));
    assert_eq!(State::Busy((), 1).value(), Value::Text("Busy"));
    let raw: State<'_, u8> = State::r#type { of: "x" };
    assert_eq!(raw.value(), Value::Text("type"));
    assert_eq!(None::<Never>.value(), Value::Absent);
}

#[test]
fn a_struct_is_the_field_that_is_marked_or_the_only_one() {
    let number = || Number(7);
    assert_eq!(number().value(), Value::Int(7));
    assert_eq!(Name { name: "blue" }.value(), Value::Text("blue"));
    assert_eq!(Order::<fn()> { items: vec![], number: number() }.value(), Value::Int(7));
    assert_eq!(Tuple(Box::new(|| ()), Some(Name { name: "blue" })).value(), Value::Text("blue"));
    assert_eq!(Wrapper(true).value(), Value::Bool(true));
}

#[test]
fn a_field_can_be_its_length_or_what_a_function_makes_of_it() {
    let queue = Queue { items: VecDeque::from([(), ()]), name: String::new() };
    assert_eq!(queue.value(), Value::Int(2));
    assert_eq!(Key(Uuid([9; 16])).value(), Value::Int(9));
    assert_eq!(Owner { names: vec!["a".into(), "b".into()] }.value(), Value::Text("a"));
    assert_eq!(Owner { names: vec![] }.value(), Value::Absent);
}
