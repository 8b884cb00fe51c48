//! The same means of waiting, each used so that it excludes nothing.

mod kit;

use std::io::Write;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread;

use kit::{both, late};
use unrecorded::*;

#[test]
fn a_scope_waits_for_two_jobs() {
    let (left, right) = shelves();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.scope(|it| {
        it.spawn(|_| scope::there(&left, &right));
        it.spawn(|_| {
            late();
            scope::back(&left, &right);
        });
    });
}

/// Somebody has used the pool that all have.
static BEGUN: AtomicU32 = AtomicU32::new(0);

#[test]
fn the_pool_of_all_is_begun() {
    rayon::join(|| (), || ());
    BEGUN.store(1, Ordering::Release);
}

#[test]
fn a_job_in_the_pool_of_all_meets_who_has_submitted_it() {
    for _ in 0..10 {
        if BEGUN.load(Ordering::Acquire) == 0 {
            late();
        }
    }
    let (left, right) = shelves();
    let own = (left.clone(), right.clone());
    let (done, is_done) = std::sync::mpsc::channel();
    rayon::spawn(move || {
        install::there(&own.0, &own.1);
        done.send(()).unwrap();
    });
    late();
    install::back(&left, &right);
    is_done.recv().unwrap();
}

#[test]
fn a_pool_is_waited_for_too_late() {
    let (left, right) = shelves();
    let jobs = threadpool::ThreadPool::new(1);
    let own = (left.clone(), right.clone());
    jobs.execute(move || pool::there(&own.0, &own.1));
    late();
    pool::back(&left, &right);
    jobs.join();
}

#[test]
fn a_group_is_waited_for_too_late() {
    let (left, right) = shelves();
    let all = crossbeam_utils::sync::WaitGroup::new();
    let own = (left.clone(), right.clone(), all.clone());
    let first = thread::spawn(move || {
        group::there(&own.0, &own.1);
        drop(own.2);
    });
    late();
    group::back(&left, &right);
    all.wait();
    first.join().unwrap();
}

#[test]
fn a_lazy_value_has_no_part_in_it() {
    static LEFT: Mutex<u32> = Mutex::new(0);
    static RIGHT: Mutex<u32> = Mutex::new(0);
    static VALUE: LazyLock<u32> = LazyLock::new(|| 7);
    both(
        || {
            assert_eq!(*VALUE, 7);
            lazy::there(&LEFT, &RIGHT);
        },
        || {
            assert_eq!(*VALUE, 7);
            lazy::back(&LEFT, &RIGHT);
        },
    );
}

#[test]
fn another_thread_is_finished() {
    let (left, right) = shelves();
    let other = thread::spawn(|| {});
    let own = (left.clone(), right.clone());
    let first = move || finished::there(&own.0, &own.1);
    both(first, move || {
        while !other.is_finished() {
            late();
        }
        finished::back(&left, &right);
        other.join().unwrap();
    });
}

#[test]
fn nobody_cares_who_else_has_it() {
    let (left, right) = shelves();
    let own = (left.clone(), right.clone());
    let first = move || count::there(&own.0, &own.1);
    both(first, move || {
        assert!(Arc::strong_count(&left) > 0);
        count::back(&left, &right);
    });
}

#[test]
fn a_lock_is_tried_for_nothing() {
    let (left, right) = shelves();
    let flag = Arc::new(Mutex::new(()));
    let own = (left.clone(), right.clone(), flag.clone());
    let first = move || {
        drop(own.2.try_lock());
        tried::there(&own.0, &own.1);
    };
    both(first, move || {
        drop(flag.try_lock());
        tried::back(&left, &right);
    });
}

#[test]
fn a_byte_is_sent_and_not_awaited() {
    let (left, right) = shelves();
    let (mut writes, reads) = UnixStream::pair().unwrap();
    let own = (left.clone(), right.clone());
    let first = move || {
        socket::there(&own.0, &own.1);
        writes.write_all(&[1]).unwrap();
    };
    both(first, move || socket::back(&left, &right));
    drop(reads);
}

#[test]
fn a_number_is_read_and_only_shown() {
    let (left, right) = shelves();
    let state = Arc::new(AtomicU32::new(0));
    let own = (left.clone(), right.clone(), state.clone());
    let first = move || {
        variable::there(&own.0, &own.1);
        own.2.store(1, Ordering::Release);
    };
    both(first, move || {
        let now = state.load(Ordering::Acquire);
        assert!(now < 2);
        variable::back(&left, &right);
    });
}
