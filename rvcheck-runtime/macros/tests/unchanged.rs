//! Attributes leave what they stand on as it is: all of this compiles and does what it would without them.

use rvcheck::{Observe as _, Value, group};

#[rvcheck::observe(side = "send", as = "added", args(left, sum = left + right, result), refusal = "0")]
const fn add(left: u8, right: u8) -> u8 {
    left + right
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
#[repr(transparent)]
struct Worker<T>(T);

enum Nothing {}

#[rvcheck::observe(side = "receive", args(self))]
impl<T: Copy> Worker<T> {
    const ZERO: u8 = add(0, 0);

    /// Documentation stays.
    #[rvcheck::observe(as = "items", args(self, len = items.len(), first, of = Vec::<T>::from([first])))]
    #[must_use]
    fn accept(&self, items: &[T], (first, _): (T, T)) -> T
    where
        T: PartialEq,
    {
        if items.contains(&first) { first } else { self.0 }
    }

    #[group("workers")]
    fn spawn(self, f: impl FnOnce(T) + Send + 'static) -> std::thread::JoinHandle<()>
    where
        T: Send + 'static,
    {
        std::thread::spawn(move || f(self.0))
    }
}

#[rvcheck::observe]
trait Greets {
    #[rvcheck::observe(args(name))]
    fn greet(&self, name: &str) -> String;

    #[rvcheck::observe(side = "receive")]
    async fn wait(&self) -> u8 {
        1
    }
}

#[rvcheck::observe(args(self))]
impl Greets for str {
    fn greet(&self, name: &str) -> String {
        format!("{self}, {name}")
    }
}

/// The attribute of fields and that of functions have one name, and both can be used by it.
mod both {
    use rvcheck::{Observe, observe};

    #[derive(Observe)]
    pub(super) struct Order {
        #[observe(id)]
        pub(super) number: u8,
        pub(super) is_large: bool,
    }

    impl Order {
        #[observe(side = "receive", args(self))]
        pub(super) fn size(&self) -> u8 {
            if self.is_large { self.number } else { 0 }
        }
    }
}

unsafe extern "C" {
    #[rvcheck::observe(side = "send", args(number))]
    safe fn abs(number: i32) -> i32;
}

#[test]
fn items_with_attributes_do_what_they_would_without() {
    const SUM: u8 = add(1, 2);
    assert_eq!((SUM, Worker::<u8>::ZERO, abs(-3)), (3, 0, 3));
    assert_eq!(Worker(1).accept(&[2, 3], (3, 4)), 3);
    assert_eq!(Worker(1).accept(&[2], (3, 4)), 1);
    Worker(7).spawn(|it| assert_eq!(it, 7)).join().unwrap();
    assert_eq!("Hello".greet("you"), "Hello, you");
    let order = both::Order { number: 7, is_large: true };
    assert_eq!((order.size(), order.value()), (7, Value::Int(7)));
    assert_eq!(size_of::<Nothing>(), 0);
    let mut waits = std::pin::pin!("".wait());
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert_eq!(waits.as_mut().poll(&mut context), std::task::Poll::Ready(1));
}
