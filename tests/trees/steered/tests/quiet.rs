use std::sync::Arc;
use std::time::Duration;
use steered::quiet::{self, Door, Gated, Log, Prices, Tried};
use steered::news::{Counter, Crossing, Tank};
use steered::shelves::Shelves;
use tokio::sync::Semaphore;

/// Runs the second one when the first is about to be over.
async fn both<A, B>(first: A, second: B)
where
    A: Future<Output: Send> + Send + 'static,
    B: Future<Output: Send> + Send + 'static,
{
    let first = tokio::spawn(first);
    let second = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(20)).await;
        second.await;
    });
    first.await.unwrap();
    second.await.unwrap();
}

#[tokio::test]
async fn two_orders_behind_a_gate() {
    let gated = Arc::new(Gated::default());
    let own = Arc::clone(&gated);
    both(async move { own.work().await }, async move { gated.undo().await }).await;
}

#[tokio::test]
async fn shelves_are_filled_in_turn() {
    let shelves = Arc::new(Shelves::default());
    let own = Arc::clone(&shelves);
    both(async move { own.put_in_turn(0, 1).await }, async move { shelves.put_in_turn(1, 0).await }).await;
}

#[tokio::test]
async fn two_orders_of_which_one_is_tried() {
    let tried = Arc::new(Tried::default());
    let own = Arc::clone(&tried);
    both(async move { own.work().await }, async move { tried.undo().await }).await;
}

#[tokio::test]
async fn two_orders_that_a_message_keeps_apart() {
    let desk = Arc::new(steered::tasks::Desk::default());
    let own = Arc::clone(&desk);
    let (done, is_done) = tokio::sync::oneshot::channel();
    let first = async move {
        own.work().await;
        done.send(()).unwrap();
    };
    let second = async move {
        is_done.await.unwrap();
        desk.undo().await;
    };
    both(first, second).await;
}

#[tokio::test]
async fn a_price_is_added_while_one_reads() {
    let prices = Arc::new(Prices::default());
    let own = Arc::clone(&prices);
    both(async move { own.sum().await }, async move { prices.add(3).await }).await;
}

#[tokio::test]
async fn the_writer_has_its_lock_when_the_log_is_closed() {
    let log = Log::default();
    let writer = log.write(1);
    assert_eq!(log.close(writer).await, 1);
}

#[tokio::test]
async fn the_house_is_cleaned_while_some_are_in() {
    let house = Arc::new(steered::permits::House::default());
    let own = Arc::clone(&house);
    both(async move { own.visit().await }, async move { house.clean().await }).await;
}

#[tokio::test]
async fn both_pans_are_taken_at_once() {
    let pans = Arc::new(Semaphore::new(2));
    let own = Arc::clone(&pans);
    both(async move { quiet::cook(&own).await }, async move { quiet::cook(&pans).await }).await;
}

#[tokio::test]
async fn the_meter_is_read_at_any_time() {
    assert_eq!(quiet::meter().await, 10);
}

#[tokio::test]
async fn both_agree_at_any_time() {
    let (left, right) = quiet::pair();
    both(async move { quiet::agree(&left).await }, async move { quiet::agree(&right).await }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_door_is_opened_at_any_time() {
    let door = Arc::new(Door::default());
    let own = Arc::clone(&door);
    both(async move { own.pass().await }, async move { door.open() }).await;
}

#[test]
fn who_waits_for_the_light_looks_again_in_the_queue() {
    let crossing = Arc::new(Crossing::default());
    let own = Arc::clone(&crossing);
    let crossing_it = std::thread::spawn(move || own.cross());
    std::thread::sleep(Duration::from_millis(20));
    crossing.turn_green();
    crossing_it.join().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_watches_the_tank_looks_again_after_that() {
    let tank = Arc::new(Tank::default());
    let own = Arc::clone(&tank);
    both(async move { own.reaches(2).await }, async move { tank.fill(2) }).await;
}

#[test]
fn the_count_changes_before_its_signal() {
    let counter = Arc::new(Counter::default());
    let own = Arc::clone(&counter);
    let adding = std::thread::spawn(move || own.add());
    std::thread::sleep(Duration::from_millis(20));
    counter.reaches(1);
    adding.join().unwrap();
}
