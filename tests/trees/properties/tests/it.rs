//! One test for each case. All of them pass.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, mpsc};
use std::time::Duration;

use properties::*;
use tokio::runtime::Runtime;

#[tokio::test]
async fn affinity_fires_for_use_by_another_task() {
    affinity::ask_from_elsewhere().await;
}

#[tokio::test]
async fn affinity_stays_silent_for_use_by_the_owner() {
    affinity::ask_at_home().await;
    affinity::hand_over().await;
}

#[tokio::test]
async fn lost_error_fires_for_an_error_behind_a_dropped_handle() {
    lost_error::write_and_forget(1);
    settle().await;
}

#[tokio::test]
async fn lost_error_fires_for_a_panic_behind_a_dropped_handle() {
    lost_error::check_and_forget(7);
    settle().await;
}

#[tokio::test]
async fn lost_error_fires_when_the_handle_is_dropped_after_the_end() {
    let handle = lost_error::write_later(3);
    settle().await;
    drop(handle);
}

#[test]
fn lost_error_fires_for_a_panic_of_a_thread_that_nobody_joins() {
    lost_error::check_on_a_thread(7);
    std::thread::sleep(Duration::from_millis(50));
}

#[test]
fn lost_error_stays_silent_when_a_panic_reaches_its_scope() {
    let checked = std::panic::catch_unwind(|| lost_error::check_in_a_scope(&[3, 7]));
    assert!(checked.is_err());
}

#[tokio::test]
async fn lost_error_is_a_note_when_the_runtime_drops_what_panics_then() {
    lost_error::wait_and_forget();
    settle().await;
}

#[tokio::test]
async fn lost_error_is_a_note_when_the_test_provokes_the_panic() {
    lost_error::run_and_forget(async { panic!("on purpose") });
    settle().await;
}

#[tokio::test]
async fn lost_error_stays_silent_when_results_are_read() {
    assert_eq!(lost_error::write_all([1, 2]).await, [lost_error::Full(1)]);
    assert_eq!(lost_error::write_now(5).await, Err(lost_error::Full(5)));
}

#[tokio::test]
async fn lost_error_stays_silent_when_nothing_fails_or_a_task_is_aborted() {
    lost_error::write_or_not(1).await;
    lost_error::write_what_fits(1);
    settle().await;
}

#[tokio::test]
async fn blocking_in_async_fires_for_each_way_to_block() {
    tokio::spawn(blocking_in_async::pause()).await.unwrap();
    let (send, messages) = mpsc::channel();
    let sending = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        send.send(4)
    });
    assert_eq!(tokio::spawn(blocking_in_async::next(messages)).await.unwrap(), 4);
    sending.join().unwrap().unwrap();
    assert_eq!(tokio::spawn(blocking_in_async::squared(3)).await.unwrap(), 9);
    assert!(tokio::spawn(blocking_in_async::manifest()).await.unwrap() > 0);
}

#[tokio::test]
async fn blocking_in_async_fires_for_a_lock_whose_holder_blocks() {
    let book = blocking_in_async::Book::default();
    let printing = book.print();
    std::thread::sleep(Duration::from_millis(20));
    book.turn().await;
    assert_eq!(printing.join().unwrap(), 0);
    let (send, colours) = mpsc::channel();
    let colouring = book.colour(colours);
    let sending = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(60));
        send.send(3)
    });
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(book.look().await, 3);
    sending.join().unwrap().unwrap();
    colouring.await.unwrap();
}

#[tokio::test]
async fn blocking_in_async_stays_silent_where_the_holder_releases_the_lock_first() {
    let book = blocking_in_async::Book::default();
    let printing = book.print_copy();
    std::thread::sleep(Duration::from_millis(20));
    book.turn_back().await;
    assert_eq!(printing.join().unwrap(), 0);
}

#[test]
fn blocking_in_async_stays_silent_where_a_thread_waits_for_the_lock() {
    let book = blocking_in_async::Book::default();
    Runtime::new().unwrap().block_on(book.turn_back());
    let printing = book.print();
    std::thread::sleep(Duration::from_millis(20));
    book.bind();
    assert_eq!(printing.join().unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn blocking_in_async_stays_silent_where_blocking_is_allowed() {
    tokio::spawn(blocking_in_async::pause_well()).await.unwrap();
    assert!(tokio::spawn(blocking_in_async::manifest_elsewhere()).await.unwrap() > 0);
    tokio::spawn(blocking_in_async::pause_in_place()).await.unwrap();
    let total = Arc::new(Mutex::new(0));
    let counting = [(); 2].map(|()| tokio::spawn(blocking_in_async::count(total.clone())));
    for counted in counting {
        counted.await.unwrap();
    }
    assert_eq!(*total.lock().unwrap(), 20);
}

async fn set(flag: &AtomicBool) {
    while !flag.load(Ordering::Acquire) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancel_unresponsive_fires_for_a_task_that_computes_on() {
    let begun = Arc::new(AtomicBool::new(false));
    let counting = cancel_unresponsive::count_stubbornly(begun.clone());
    set(&begun).await;
    counting.abort();
    let _ = counting.await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancel_unresponsive_stays_silent_for_a_task_that_suspends() {
    let begun = Arc::new(AtomicBool::new(false));
    let counting = cancel_unresponsive::count_politely(begun.clone());
    set(&begun).await;
    counting.abort();
    assert!(counting.await.unwrap_err().is_cancelled());
}

fn shared() -> guard_across_await::Shared {
    Arc::new(Mutex::new(vec![1, 2]))
}

#[tokio::test]
async fn guard_across_await_fires_for_a_guard_in_a_suspended_task() {
    // A future that is not `Send` stays in the task that made it.
    let local = tokio::task::LocalSet::new();
    let flushed = local.run_until(async {
        let flushed = tokio::task::spawn_local(guard_across_await::flush(shared())).await.unwrap();
        let (_sender, level) = tokio::sync::watch::channel(4);
        flushed + tokio::task::spawn_local(guard_across_await::forward(level)).await.unwrap()
    });
    assert_eq!(flushed.await, 7);
}

#[tokio::test]
async fn guard_across_await_fires_where_somebody_has_to_wait() {
    let list = shared();
    let local = tokio::task::LocalSet::new();
    let counting = local.run_until(async {
        let counting = tokio::task::spawn_local(guard_across_await::flush_slowly(list.clone()));
        tokio::task::yield_now().await;
        let adding = std::thread::spawn(move || guard_across_await::add(&list, 3));
        let counted = counting.await.unwrap();
        adding.join().unwrap();
        counted
    });
    assert_eq!(counting.await, 2);
}

#[tokio::test]
async fn guard_across_await_stays_silent_for_guards_that_nobody_is_kept_from() {
    assert_eq!(tokio::spawn(guard_across_await::flush_well(shared())).await.unwrap(), 3);
    let list = Arc::new(tokio::sync::Mutex::new(vec![1, 2]));
    assert_eq!(tokio::spawn(guard_across_await::flush_tasks(list)).await.unwrap(), 3);
    let local = tokio::task::LocalSet::new();
    let counting = local.run_until(async {
        let counted = tokio::task::spawn_local(guard_across_await::count(shared())).await.unwrap();
        let length = tokio::task::spawn_local(guard_across_await::length(shared())).await.unwrap();
        (counted, length)
    });
    assert_eq!(counting.await, (2, 2));
}

#[tokio::test]
async fn panic_as_result_fires_for_an_end_that_is_found_by_a_panic() {
    assert_eq!(tokio::spawn(panic_as_result::sum(vec![1, 2])).await.unwrap(), 3);
}

#[tokio::test]
async fn panic_as_result_stays_silent_for_values_supervisors_and_panics_that_go_on() {
    assert_eq!(tokio::spawn(panic_as_result::sum_well(vec![1, 2])).await.unwrap(), 3);
    assert_eq!(tokio::spawn(panic_as_result::sum_elsewhere(vec![1, 2])).await.unwrap(), 0);
    let tidied = Arc::new(AtomicBool::new(false));
    let seen = tidied.clone();
    let tidying = panic_as_result::tidy(Vec::new(), move || seen.store(true, Ordering::Release));
    assert!(tokio::spawn(tidying).await.unwrap_err().is_panic());
    assert!(tidied.load(Ordering::Acquire));
}

#[test]
fn panic_as_result_notes_what_is_thrown_again_and_passed_on() {
    assert!(panic_as_result::pass_on(Box::new("thrown")).is::<&str>());
}

#[test]
fn semaphore_notes_a_request_for_more_permits_than_there_are() {
    drop(lasting().spawn(semaphore::insist(5)));
    std::thread::sleep(Duration::from_millis(50));
}

#[tokio::test]
async fn semaphore_fires_when_all_permits_are_forgotten() {
    assert_eq!(semaphore::burn().await, 0);
}

#[tokio::test]
async fn semaphore_stays_silent_for_requests_that_are_given_up_lent_permits_signals_and_turns() {
    assert!(semaphore::seat(4).await);
    assert!(!semaphore::seat(5).await);
    assert_eq!(semaphore::lend().await, 2);
    assert!(semaphore::signalled().await);
    assert_eq!(semaphore::seat_in_turn().await, 1);
}

/// A runtime that outlives the tests.
fn lasting() -> &'static Runtime {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());
    &RUNTIME
}

#[test]
fn task_leak_fires_for_a_task_that_works_on_without_an_owner() {
    let client = lasting().block_on(lasting().spawn(task_leak::connect())).unwrap();
    drop(client);
    std::thread::sleep(Duration::from_millis(50));
}

#[test]
fn task_leak_stays_silent_for_a_task_that_ends_with_its_owner() {
    let client = lasting().block_on(lasting().spawn(task_leak::connect_well())).unwrap();
    drop(client);
    std::thread::sleep(Duration::from_millis(50));
}

#[test]
fn lock_order_fires_for_threads() {
    lock_order::two_threads();
    lock_order::three_threads();
    lock_order::beside_an_atomic();
    lock_order::over_a_join();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lock_order_fires_for_tasks() {
    lock_order::task_and_thread().await;
    lock_order::two_tasks().await;
    lock_order::with_a_permit().await;
}

#[test]
fn lock_order_stays_silent_when_threads_cannot_meet() {
    lock_order::behind_a_gate();
    lock_order::by_one_thread();
    lock_order::after_a_spawn_or_a_join();
    lock_order::after_a_flag();
    lock_order::after_an_atomic();
    lock_order::after_a_count();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lock_order_stays_silent_when_tasks_cannot_meet() {
    lock_order::after_a_message().await;
    lock_order::after_a_signal().await;
    lock_order::without_waiting().await;
    lock_order::with_patience().await;
    lock_order::with_an_alternative().await;
    lock_order::side_by_side().await;
    lock_order::with_a_guard_that_moves().await;
}

#[test]
fn lock_order_is_in_doubt_where_the_program_keeps_two_orders_apart() {
    std::sync::Arc::new(lock_order::Press::default()).run();
}

#[tokio::test]
async fn lock_order_stays_silent_for_the_tasks_of_one_thread() {
    lock_order::on_one_thread().await;
}

#[test]
fn double_lock_fires_for_a_second_read_with_a_writer_about() {
    double_lock::read_while_reading();
}

#[test]
fn double_lock_stays_silent_without_a_writer_and_for_other_locks() {
    double_lock::read_without_a_writer();
    double_lock::two_of_a_kind();
    double_lock::again_where_that_is_fine();
    double_lock::read_past_a_writer();
}
