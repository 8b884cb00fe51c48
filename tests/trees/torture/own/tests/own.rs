fn main() {
    own::say("a");
    std::thread::spawn(|| own::say("b")).join().unwrap();
    assert_eq!(*own::SAID.lock().unwrap(), ["a", "b"]);
    assert_eq!((file!(), line!()), ("own/tests/own.rs", 5));
}
