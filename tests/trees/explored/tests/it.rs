use explored::Shop;
use explored::desk::Desk;
use explored::door::Door;
use explored::prices::Prices;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::spawn;

/// Runs both at once.
fn both(shop: &Arc<Shop>, one: fn(&Shop), other: fn(&Shop)) {
    let [first, second] = [one, other].map(|it| {
        let shop = Arc::clone(shop);
        spawn(move || it(&shop))
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// Computes, so that others go on meanwhile if they can.
fn takes_its_time(steps: u64) {
    std::hint::black_box((0..steps).fold(0, |sum, it| std::hint::black_box(sum ^ it)));
}

#[test]
fn the_last_one_is_sold_once() {
    let shop = Arc::new(Shop::with(1));
    both(&shop, |it| _ = it.sell(), |it| _ = it.sell());
    assert_eq!(shop.sold(), 1);
}

#[test]
fn the_last_one_is_sold_once_in_one_step() {
    let shop = Arc::new(Shop::with(1));
    both(&shop, |it| _ = it.sell_at_once(), |it| _ = it.sell_at_once());
    assert_eq!(shop.sold(), 1);
}

#[test]
fn one_is_sold_and_taken_back() {
    let shop = Arc::new(Shop::with(2));
    shop.sell_at_once();
    both(&shop, |it| _ = it.sell_at_once(), Shop::take_back);
    assert_eq!(shop.sold(), 1);
}

#[test]
fn the_first_one_sells() {
    let shop = Arc::new(Shop::with(1));
    let seller = {
        let shop = Arc::clone(&shop);
        spawn(move || shop.sell_at_once())
    };
    // So that it is all but certain otherwise.
    takes_its_time(2_000_000);
    let other = {
        let shop = Arc::clone(&shop);
        spawn(move || shop.sell_at_once())
    };
    assert!(seller.join().unwrap()); // only by default
    other.join().unwrap();
}

/// By default who spawns goes on, and it fails.
#[test]
fn one_is_sold_and_refunded() {
    let shop = Arc::new(Shop::with(1));
    let seller = {
        let shop = Arc::clone(&shop);
        spawn(move || shop.sell_at_once())
    };
    takes_its_time(10_000_000);
    shop.refund();
    seller.join().unwrap();
}

#[test]
fn a_shop_is_empty() {
    assert!(!Shop::default().sell_at_once());
}

#[test]
fn one_is_called() {
    let desk = Arc::new(Desk::default());
    let waits = {
        let desk = Arc::clone(&desk);
        spawn(move || desk.wait_once())
    };
    desk.call();
    assert_eq!(waits.join().unwrap(), 0);
}

#[test]
fn two_are_called() {
    let desk = Arc::new(Desk::default());
    let [first, second] = [1, 2].map(|number| {
        let desk = Arc::clone(&desk);
        spawn(move || desk.wait_for(number))
    });
    desk.call();
    first.join().unwrap();
    desk.call();
    second.join().unwrap();
}

#[test]
fn the_last_one_is_sold_by_telephone() {
    let shop = Arc::new(Shop::with(1));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let serves = [(); 2].map(|()| {
        let (shop, listener) = (Arc::clone(&shop), listener.try_clone().unwrap());
        spawn(move || {
            let mut line = listener.accept().unwrap().0;
            let mut order = [0];
            line.read_exact(&mut order).unwrap();
            shop.sell();
            line.write_all(&order).unwrap();
        })
    });
    let mut lines = [(); 2].map(|()| TcpStream::connect(address).unwrap());
    for line in &mut lines {
        line.write_all(b"1").unwrap();
    }
    for mut line in lines {
        line.read_exact(&mut [0]).unwrap();
    }
    for it in serves {
        it.join().unwrap();
    }
    assert_eq!(shop.sold(), 1);
}

#[test]
fn a_price_changes() {
    let prices = Arc::new(Prices::default());
    let asks = {
        let prices = Arc::clone(&prices);
        spawn(move || prices.mean())
    };
    prices.change(1, 5);
    asks.join().unwrap();
}

/// Opens the door for one who goes through like this.
fn opened_for(pass: fn(&Door)) {
    let door = Arc::new(Door::default());
    let passes = spawn({
        let door = Arc::clone(&door);
        move || pass(&door)
    });
    takes_its_time(1_000_000);
    door.open();
    passes.join().unwrap();
}

#[test]
fn one_passes_the_door() {
    opened_for(Door::pass);
}

#[test]
fn one_passes_the_door_carefully() {
    opened_for(Door::pass_carefully);
}
