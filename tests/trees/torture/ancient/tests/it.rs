extern crate ancient;

use ancient::Counter;

#[test]
fn words_are_counted_in_threads() {
    let counter = Counter::new(vec![Box::new(|_, count| if count > 9 { Err(format!("{} words", count)) } else { Ok(()) })]);
    assert_eq!(counter.count(vec!["a b a".to_owned(), "b c".to_owned()]), Ok(5));
    assert_eq!(ancient::async(4), 5);
    assert_eq!((file!(), line!(), column!()), ("ancient/tests/it.rs", 10, 35));
}
