use std::sync::Arc;
use std::time::Duration;
use steered::answers;
use steered::clerks::{forms, letters, parcels};
use steered::cycle;
use steered::ends::Log;
use steered::modes::{Names, Prices};
use steered::news::{Crossing, Table, Tank, Weather};
use steered::depot::Depot;
use steered::over::{Clerk, Meter};
use steered::permits::{House, Kitchen};
use steered::rings::{self, Page};
use steered::shelves::Shelves;
use steered::signals::Door;
use steered::tasks::Desk;
use steered::threads::Shop;

/// How late somebody comes.
fn late() -> Duration {
    Duration::from_millis(20)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_pass_one_after_the_other() {
    let desk = Arc::new(Desk::default());
    let (first, second) = (Arc::clone(&desk), Arc::clone(&desk));
    let work = tokio::spawn(async move { first.work().await });
    let undo = tokio::spawn(async move {
        tokio::time::sleep(late()).await;
        second.undo().await;
    });
    work.await.unwrap();
    undo.await.unwrap();
}

#[test]
fn crates_are_inspected_when_all_have_come() {
    let depot = Arc::new(Depot::default());
    let own = Arc::clone(&depot);
    let deliver = std::thread::spawn(move || (0..4).for_each(|weight| own.deliver(weight)));
    let inspect = std::thread::spawn(move || {
        std::thread::sleep(late());
        depot.inspect()
    });
    deliver.join().unwrap();
    assert_eq!(inspect.join().unwrap(), 4);
}

#[tokio::test]
async fn shelves_are_filled_one_after_the_other() {
    let shelves = Arc::new(Shelves::default());
    let (first, second) = (Arc::clone(&shelves), Arc::clone(&shelves));
    let there = tokio::spawn(async move { first.put(0, 1).await });
    let back = tokio::spawn(async move {
        tokio::time::sleep(late()).await;
        second.put(1, 0).await;
    });
    there.await.unwrap();
    back.await.unwrap();
}

#[test]
fn threads_pass_one_after_the_other() {
    let shop = Arc::new(Shop::default());
    let (first, second) = (Arc::clone(&shop), Arc::clone(&shop));
    let sell = std::thread::spawn(move || first.sell());
    let refund = std::thread::spawn(move || {
        std::thread::sleep(late());
        second.refund();
    });
    sell.join().unwrap();
    refund.join().unwrap();
}

#[test]
fn a_writer_comes_after_both_reads() {
    let names = Arc::new(Names::default());
    let (first, second) = (Arc::clone(&names), Arc::clone(&names));
    let read = std::thread::spawn(move || first.longest());
    let write = std::thread::spawn(move || {
        std::thread::sleep(late());
        second.add("Ada");
    });
    read.join().unwrap();
    write.join().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_price_is_added_after_both_reads() {
    let prices = Arc::new(Prices::default());
    let (first, second) = (Arc::clone(&prices), Arc::clone(&prices));
    let sum = tokio::spawn(async move { first.sum().await });
    let add = tokio::spawn(async move {
        tokio::time::sleep(late()).await;
        second.add(3).await;
    });
    sum.await.unwrap();
    add.await.unwrap();
}

#[tokio::test]
async fn the_writer_is_over_when_the_log_is_closed() {
    let log = Log::default();
    let writer = log.write(1);
    tokio::time::sleep(late()).await;
    assert_eq!(log.close(writer).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cake_is_baked_after_the_fish_is_fried() {
    let kitchen = Arc::new(Kitchen::default());
    let (first, second) = (Arc::clone(&kitchen), Arc::clone(&kitchen));
    let fry = tokio::spawn(async move { first.fry().await });
    let bake = tokio::spawn(async move {
        tokio::time::sleep(late()).await;
        second.bake().await;
    });
    fry.await.unwrap();
    bake.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_cooks_after_the_other() {
    let kitchen = Arc::new(Kitchen::default());
    let (first, second) = (Arc::clone(&kitchen), Arc::clone(&kitchen));
    let one = tokio::spawn(async move { first.cook().await });
    let other = tokio::spawn(async move {
        tokio::time::sleep(late()).await;
        second.cook().await;
    });
    one.await.unwrap();
    other.await.unwrap();
}

#[tokio::test]
async fn the_meter_is_read_in_time() {
    let (meter, arriving) = Meter::start();
    for number in 0..4 {
        meter.send(number).await;
        tokio::time::sleep(late()).await;
    }
    drop(meter);
    arriving.await.unwrap();
}

#[tokio::test]
async fn the_book_is_tidy_before_anything_is_noted() {
    let clerk = Clerk::start();
    clerk.tidy();
    tokio::time::sleep(late()).await;
    clerk.note().await;
}

#[tokio::test]
async fn both_agree_one_after_the_other() {
    let (left, right) = answers::pair();
    let first = tokio::spawn(async move { answers::agree(&left).await });
    let second = tokio::spawn(async move {
        tokio::time::sleep(late()).await;
        answers::agree(&right).await
    });
    assert_eq!((first.await.unwrap(), second.await.unwrap()), (2, 2));
}

#[tokio::test]
async fn all_three_are_asked_one_after_the_other() {
    let asking: Vec<_> = (0..)
        .zip(cycle::three())
        .map(|(at, desk)| {
            tokio::spawn(async move {
                tokio::time::sleep(late() * at).await;
                cycle::ask(&desk).await
            })
        })
        .collect();
    for it in asking {
        assert_eq!(it.await.unwrap(), 2);
    }
}

#[tokio::test]
async fn pages_are_read_one_after_the_other() {
    let (desk, on_desk) = tokio::sync::mpsc::channel(1);
    let (reader, pages) = tokio::sync::mpsc::channel(1);
    let printing = tokio::spawn(rings::print(on_desk, reader, 6));
    tokio::spawn(rings::read(pages, desk.clone()));
    for page in 0..6 {
        desk.send(Page::Raw(page)).await.ok().unwrap();
        tokio::time::sleep(late() / 2).await;
    }
    assert_eq!(printing.await.unwrap(), 6);
}

#[tokio::test]
async fn the_bar_is_filled_when_all_have_left() {
    let house = Arc::new(House::default());
    let after = |times, deliver: bool| {
        let own = Arc::clone(&house);
        tokio::spawn(async move {
            tokio::time::sleep(late() * times).await;
            if deliver { own.deliver().await } else { own.visit().await }
        })
    };
    for it in [after(0, false), after(1, false), after(3, true)] {
        it.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_door_is_opened_while_somebody_waits() {
    let door = Arc::new(Door::default());
    let own = Arc::clone(&door);
    let pass = tokio::spawn(async move { own.pass().await });
    tokio::time::sleep(late()).await;
    door.open();
    pass.await.unwrap();
}

/// Runs both, the second one late.
fn both(first: impl FnOnce() -> u32 + Send + 'static, second: impl FnOnce() -> u32 + Send + 'static) -> [u32; 2] {
    let first = std::thread::spawn(first);
    let second = std::thread::spawn(move || {
        std::thread::sleep(late());
        second()
    });
    [first.join().unwrap(), second.join().unwrap()]
}

#[test]
fn letters_are_stamped_one_after_the_other() {
    let [left, right] = letters::office();
    let stamp = |clerk| move || letters::ask(&clerk, letters::Letter::Stamp);
    assert_eq!(both(stamp(left), stamp(right)), [21, 21]);
}

#[test]
fn parcels_are_sent_far_one_after_the_other() {
    let (north, south) = parcels::depots();
    assert_eq!(both(move || north.call(true), move || south.call(true)), [4, 3]);
}

#[test]
fn forms_are_signed_one_after_the_other() {
    let [first, second] = forms::desks();
    let sign = |desk, number| move || forms::handed_in(&desk, |reply| forms::Form::Sign(number, reply));
    assert_eq!(both(sign(first, 7), sign(second, 8)), [8, 10]);
}

#[tokio::test]
async fn the_weather_is_heard_when_it_is_written_down() {
    let weather = Arc::new(Weather::default());
    let own = Arc::clone(&weather);
    let telling = tokio::spawn(async move { own.tell().await });
    let hearing = tokio::spawn(async move {
        tokio::time::sleep(late()).await;
        weather.hear().await
    });
    telling.await.unwrap();
    assert_eq!(hearing.await.unwrap(), 21);
}

#[test]
fn the_parcel_is_fetched_when_it_is_on_the_table() {
    let table = Arc::new(Table::default());
    let own = Arc::clone(&table);
    assert_eq!(both(move || { own.bring(5); 0 }, move || table.fetch()), [0, 5]);
}

#[test]
fn somebody_waits_blindly_for_the_light() {
    let crossing = Arc::new(Crossing::default());
    let own = Arc::clone(&crossing);
    both(move || { own.cross_blindly(); 0 }, move || { crossing.turn_green(); 0 });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_tank_is_filled_while_somebody_watches() {
    let tank = Arc::new(Tank::default());
    let own = Arc::clone(&tank);
    let watching = tokio::spawn(async move { own.overflows(2).await });
    let filling = tokio::spawn(async move {
        tokio::time::sleep(late()).await;
        tank.fill(2);
    });
    watching.await.unwrap();
    filling.await.unwrap();
}
