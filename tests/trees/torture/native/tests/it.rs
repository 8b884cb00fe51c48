//! What a program does with its threads, its memory and its processes beside what a test harness is made for.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Debug;
use std::sync::{Mutex, RwLock};

struct Counting;

#[derive(Debug)]
struct Count {
    allocated: usize,
    freed: usize,
}

static COUNT: Mutex<Count> = Mutex::new(Count { allocated: 0, freed: 0 });

#[global_allocator]
static ALLOCATOR: Counting = Counting;

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.lock().unwrap().allocated += layout.size();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        COUNT.lock().unwrap().freed += layout.size();
        unsafe { System.dealloc(place, layout) }
    }
}

#[test]
fn numbers_are_added_up() {
    assert_eq!((native::rvcheck_torture_add(2), native::rvcheck_torture_add(3)), (2, 5));
}

#[test]
fn an_allocator_may_lock_what_the_program_locks() {
    static OTHER: RwLock<u32> = RwLock::new(0);
    let kept = vec![1_u8; 1_000];
    let count = COUNT.lock().unwrap();
    *OTHER.write().unwrap() += 1;
    let in_use = count.allocated - count.freed;
    drop(count);
    assert!(in_use >= kept.len());
}

thread_local! {
    static LAST_WORD: Mutex<u32> = const { Mutex::new(0) };
    static SPEAKER: Speaker = const { Speaker(Cell::new(0)) };
}

struct Speaker(Cell<u32>);

impl Drop for Speaker {
    fn drop(&mut self) {
        // It has no destructor, so it is there as long as the thread.
        LAST_WORD.with(|it| *it.lock().unwrap() += self.0.get());
    }
}

#[test]
fn a_lock_without_a_destructor_is_there_while_the_thread_ends() {
    let speaks = || {
        SPEAKER.with(|it| it.0.set(2));
        LAST_WORD.with(|it| *it.lock().unwrap() = 1);
    };
    std::thread::spawn(speaks).join().unwrap();
}

#[test]
fn a_process_that_is_only_forked_off_goes_its_way() {
    extern "C" {
        fn fork() -> i32;
        fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
        fn _exit(status: i32) -> !;
    }
    // What other tests hold at the moment, the child can never have.
    static OWN: Mutex<i32> = Mutex::new(0);
    let held = OWN.lock().unwrap();
    let child = unsafe { fork() };
    drop(held);
    if child == 0 {
        *OWN.lock().unwrap() += 1;
        unsafe { _exit(*OWN.lock().unwrap() - 1) };
    }
    let mut status = 1;
    assert_eq!((unsafe { waitpid(child, &mut status, 0) }, status), (child, 0));
}

#[test]
fn types_have_their_names() {
    fn parts<T: Debug>(of: &T) -> (&'static str, String) {
        (std::any::type_name::<T>(), format!("{of:?}"))
    }
    let (name, text) = parts(&Mutex::new(Some(1)));
    assert!(name.starts_with("std::sync::") && name.ends_with("mutex::Mutex<core::option::Option<i32>>"), "{name}");
    assert_eq!(text, "Mutex { data: Some(1), poisoned: false, .. }");
}
