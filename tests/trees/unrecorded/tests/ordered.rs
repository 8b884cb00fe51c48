//! In each test there is a lock-order inversion, and something excludes the deadlock of which the recorder sees little or nothing.

mod kit;

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once, OnceLock};
use std::thread;
use std::time::Duration;

use kit::{both, late};
use unrecorded::*;

fn moment() {
    thread::sleep(Duration::from_millis(2));
}

#[test]
fn a_scope_waits_for_its_jobs() {
    let (left, right) = shelves();
    rayon::scope(|it| it.spawn(|_| scope::there(&left, &right)));
    scope::back(&left, &right);
}

#[test]
fn what_is_installed_is_waited_for() {
    let (left, right) = shelves();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| install::there(&left, &right));
    install::back(&left, &right);
}

#[test]
fn the_jobs_of_a_pool_are_waited_for() {
    let (left, right) = shelves();
    let jobs = threadpool::ThreadPool::new(1);
    let own = (left.clone(), right.clone());
    jobs.execute(move || pool::there(&own.0, &own.1));
    jobs.join();
    pool::back(&left, &right);
}

#[test]
fn a_group_is_waited_for() {
    let (left, right) = shelves();
    let all = crossbeam_utils::sync::WaitGroup::new();
    let own = (left.clone(), right.clone(), all.clone());
    let first = thread::spawn(move || {
        group::there(&own.0, &own.1);
        drop(own.2);
    });
    all.wait();
    group::back(&left, &right);
    first.join().unwrap();
}

#[test]
fn a_lazy_value_is_made_before_it_is_used() {
    static LEFT: Mutex<u32> = Mutex::new(0);
    static RIGHT: Mutex<u32> = Mutex::new(0);
    static VALUE: LazyLock<u32> = LazyLock::new(|| {
        lazy::there(&LEFT, &RIGHT);
        7
    });
    both(
        || assert_eq!(*VALUE, 7),
        || {
            assert_eq!(*VALUE, 7);
            lazy::back(&LEFT, &RIGHT);
        },
    );
}

#[test]
fn a_cell_is_set_before_it_is_read() {
    let (left, right) = shelves();
    let cell = Arc::new(OnceLock::new());
    let own = (left.clone(), right.clone(), cell.clone());
    let first = move || {
        lock::there(&own.0, &own.1);
        own.2.set(7).unwrap();
    };
    both(first, move || {
        while cell.get().is_none() {
            moment();
        }
        lock::back(&left, &right);
    });
}

#[test]
fn what_is_done_once_is_over_for_all() {
    static DONE: Once = Once::new();
    let (left, right) = shelves();
    let own = (left.clone(), right.clone());
    both(
        move || DONE.call_once(|| once::there(&own.0, &own.1)),
        move || {
            let own = (left.clone(), right.clone());
            DONE.call_once(move || once::there(&own.0, &own.1));
            once::back(&left, &right);
        },
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cell_of_tokio_is_filled_before_it_is_used() {
    let (left, right) = shelves();
    let cell = Arc::new(tokio::sync::OnceCell::new());
    let own = (left.clone(), right.clone(), cell.clone());
    let first = tokio::spawn(async move {
        own.2.get_or_init(async || tokio_cell::there(&own.0, &own.1)).await;
    });
    let second = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(20)).await;
        cell.get_or_init(async || tokio_cell::there(&left, &right)).await;
        tokio_cell::back(&left, &right);
    });
    first.await.unwrap();
    second.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cell_of_async_lock_is_filled_before_it_is_used() {
    let (left, right) = shelves();
    let cell = Arc::new(async_lock::OnceCell::new());
    let own = (left.clone(), right.clone(), cell.clone());
    let first = tokio::spawn(async move {
        own.2.get_or_init(async || async_cell::there(&own.0, &own.1)).await;
    });
    let second = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(20)).await;
        cell.get_or_init(async || async_cell::there(&left, &right)).await;
        async_cell::back(&left, &right);
    });
    first.await.unwrap();
    second.await.unwrap();
}

#[test]
fn a_cell_of_once_cell_is_filled_before_it_is_used() {
    let (left, right) = shelves();
    let cell = Arc::new(once_cell::sync::OnceCell::new());
    let own = (left.clone(), right.clone(), cell.clone());
    let first = move || *own.2.get_or_init(|| foreign_cell::there(&own.0, &own.1));
    both(first, move || {
        cell.get_or_init(|| foreign_cell::there(&left, &right));
        foreign_cell::back(&left, &right);
    });
}

#[test]
fn a_thread_is_finished() {
    let (left, right) = shelves();
    let own = (left.clone(), right.clone());
    let first = thread::spawn(move || finished::there(&own.0, &own.1));
    let second = thread::spawn(move || {
        while !first.is_finished() {
            moment();
        }
        finished::back(&left, &right);
        first.join().unwrap();
    });
    second.join().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_is_finished() {
    let (left, right) = shelves();
    let own = (left.clone(), right.clone());
    let first = tokio::spawn(async move { task_finished::there(&own.0, &own.1) });
    let handle = first.abort_handle();
    let second = tokio::spawn(async move {
        while !handle.is_finished() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        task_finished::back(&left, &right);
    });
    second.await.unwrap();
    first.await.unwrap();
}

#[test]
fn nobody_else_has_it_any_more() {
    let (left, right) = shelves();
    let token = Arc::new(());
    let own = (left.clone(), right.clone(), token.clone());
    let first = move || {
        count::there(&own.0, &own.1);
        drop(own);
    };
    both(first, move || {
        while Arc::strong_count(&token) > 1 {
            moment();
        }
        count::back(&left, &right);
    });
}

#[test]
fn it_can_be_unwrapped() {
    let (left, right) = shelves();
    let token = Arc::new(());
    let own = (left.clone(), right.clone(), token.clone());
    let first = move || {
        unwrap::there(&own.0, &own.1);
        drop(own);
    };
    both(first, move || {
        let mut token = token;
        while let Err(kept) = Arc::try_unwrap(token) {
            token = kept;
            moment();
        }
        unwrap::back(&left, &right);
    });
}

#[test]
fn a_lock_that_is_taken_is_a_flag() {
    let (left, right) = shelves();
    let flag = Arc::new(Mutex::new(()));
    let own = (left.clone(), right.clone(), flag.clone());
    let first = move || {
        tried::there(&own.0, &own.1);
        let _flag = own.2.lock().unwrap();
        late();
        late();
        late();
    };
    both(first, move || {
        let begun = std::time::Instant::now();
        while flag.try_lock().is_ok() {
            if begun.elapsed() > Duration::from_secs(1) {
                return;
            }
            moment();
        }
        tried::back(&left, &right);
    });
}

#[test]
fn a_byte_comes_by_a_socket() {
    let (left, right) = shelves();
    let (mut writes, mut reads) = UnixStream::pair().unwrap();
    let own = (left.clone(), right.clone());
    let first = move || {
        socket::there(&own.0, &own.1);
        writes.write_all(&[1]).unwrap();
    };
    both(first, move || {
        reads.read_exact(&mut [0]).unwrap();
        socket::back(&left, &right);
    });
}

#[test]
fn a_number_is_read_and_looked_at_later() {
    let (left, right) = shelves();
    let state = Arc::new(AtomicU32::new(0));
    let own = (left.clone(), right.clone(), state.clone());
    let first = move || {
        variable::there(&own.0, &own.1);
        own.2.store(1, Ordering::Release);
    };
    both(first, move || {
        loop {
            let now = state.load(Ordering::Acquire);
            let is_over = now == 1;
            if is_over {
                break;
            }
            moment();
        }
        variable::back(&left, &right);
    });
}
