//! Cells and lazy values, and what happens when their initialisers fail.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use once_cell::sync::{Lazy, OnceCell};

static GLOBAL: Lazy<Vec<u8>> = Lazy::new(|| vec![1, 2, 3]);
static SET_LATER: OnceCell<&str> = OnceCell::new();
static GIVEN: OnceCell<u8> = OnceCell::with_value(9);

fn main() {
    println!("{GLOBAL:?} {SET_LATER:?} {:?}", Lazy::get(&GLOBAL));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!((GLOBAL.len(), SET_LATER.get_or_init(|| "set")), (3, &"set")));
        }
    });
    println!("{:?} {SET_LATER:?} {:?} {:?}", *GLOBAL, SET_LATER.set("again"), GIVEN.try_insert(1));

    let mut cell = OnceCell::from(String::from("text"));
    println!("{cell:?} {:?} {}", cell.clone(), cell == OnceCell::new());
    cell.get_mut().unwrap().push('!');
    // SAFETY: it is set.
    println!("{} {}", unsafe { cell.get_unchecked() }, cell.wait());
    println!("{:?}", cell.take());
    println!("{:?} {:?}", cell.get_or_try_init(|| Err::<String, u8>(1)), cell);
    println!("{:?}", cell.get_or_try_init(|| Ok::<String, u8>("at last".into())));
    println!("{:?}", cell.into_inner());

    let panicked = catch_unwind(AssertUnwindSafe(|| *OnceCell::<u8>::new().get_or_init(|| panic!("cell"))));
    println!("{}", panicked.is_err());
    let lazy: Lazy<u8> = Lazy::new(|| panic!("lazy"));
    for _ in 0..2 {
        let panicked = catch_unwind(AssertUnwindSafe(|| *lazy)).unwrap_err();
        println!("{:?} {:?}", panicked.downcast_ref::<&str>(), Lazy::get(&lazy));
    }
    println!("{:?}", catch_unwind(AssertUnwindSafe(|| Lazy::into_value(lazy).is_err())).is_err());

    let mut lazy = Lazy::new(|| 1);
    *lazy += 1;
    *Lazy::force_mut(&mut lazy) += 1;
    println!("{:?} {:?} {lazy:?}", Lazy::force(&lazy), Lazy::get(&lazy));
    println!("{:?} {:?}", Lazy::get_mut(&mut lazy), Lazy::<u8>::default());
    println!("{:?} {}", Lazy::into_value(lazy).ok(), Lazy::into_value(Lazy::<u8, _>::new(|| 5)).err().unwrap()());

    let mut unshared = once_cell::unsync::OnceCell::new();
    println!("{}", unshared.get_or_init(|| 1));
    println!("{:?}", unshared.get_mut());
}
