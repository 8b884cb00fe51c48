//! Thread-locals that are set by a task and read after it was suspended, and ones that look like it.

use std::cell::{Cell, RefCell};

thread_local! {
    static ID: Cell<u64> = const { Cell::new(0) };
    static NAME: RefCell<String> = RefCell::new(String::new());
}

async fn yields() {
    tokio::task::yield_now().await;
}

pub async fn reads_after_an_await(id: u64) -> u64 {
    ID.set(id);
    yields().await;
    ID.get() //~ affinity warning
}

pub async fn with_after_an_await(name: &str) -> usize {
    let name = name.to_owned();
    NAME.with(|it| *it.borrow_mut() = name);
    yields().await;
    NAME.with(|it| it.borrow().len()) //~ affinity warning
}

pub async fn takes_it_out(name: &str) -> String {
    NAME.replace(name.to_owned());
    yields().await;
    NAME.take() //~ affinity warning
}

fn say(id: u64) { ID.with(|it| it.set(id)); }
fn said() -> u64 {
    ID.with(|it| it.get()) //~ affinity warning
}

pub async fn through_functions(id: u64) -> u64 {
    say(id);
    yields().await;
    said()
}

pub async fn branches(id: u64, c: bool) -> u64 {
    if c { ID.set(id); }
    yields().await;
    ID.get() //~ affinity warning
}

pub struct Server { id: u64 }

impl Server {
    async fn answer(&self) -> String {
        yields().await;
        ID.with(|it| it.get().to_string()) //~ affinity warning
    }
    pub async fn handle(&self, id: u64) -> String {
        ID.set(id);
        self.answer().await
    }
    fn enter(&self) { ID.set(self.id) }
    pub async fn select(&self) -> u64 {
        self.enter();
        tokio::select! { _ = yields() => {} _ = yields() => {} }
        ID.get() //~ affinity warning
    }
    pub async fn in_place(&self, name: String) -> usize {
        NAME.with_borrow_mut(|it| *it = name);
        for _ in 0..3 { yields().await; }
        NAME.with_borrow(|it| it.len()) //~ affinity warning
    }
    pub async fn through_a_guard(&self, name: String) -> usize {
        NAME.with(|it| *it.borrow_mut() = name);
        yields().await;
        NAME.with_borrow(|it| it.len()) //~ affinity warning
    }
}

// Silent from here on.

pub async fn reads_before(id: u64) -> u64 {
    ID.set(id);
    let id = ID.get();
    yields().await;
    id
}

pub async fn sets_again(id: u64) -> u64 {
    ID.set(id);
    yields().await;
    ID.set(id);
    ID.get()
}

pub async fn never_suspends(id: u64) -> u64 {
    ID.set(id);
    async fn at_once() {}
    at_once().await;
    ID.get()
}

pub async fn counts() -> u64 {
    ID.set(ID.get() + 1);
    yields().await;
    ID.get()
}

pub async fn resets() -> u64 {
    ID.set(0);
    yields().await;
    ID.get()
}

pub async fn a_buffer(text: &str) -> usize {
    NAME.with_borrow_mut(|it| { it.clear(); it.push_str(text) });
    yields().await;
    NAME.with_borrow_mut(|it| { it.clear(); it.push_str(text); it.len() })
}

pub async fn another(id: u64) -> usize {
    ID.set(id);
    yields().await;
    NAME.with_borrow(|it| it.len())
}

async fn worker(core: u64) -> u64 {
    ID.set(core);
    yields().await;
    ID.get()
}

pub fn a_thread_of_its_own() {
    std::thread::spawn(|| futures::executor::block_on(worker(3)));
}

pub async fn only_on_the_other_way(id: u64, c: bool) -> u64 {
    if c {
        ID.set(id);
        return 0;
    }
    yields().await;
    ID.get()
}

thread_local! {
    static TENANT: Cell<u32> = const { Cell::new(0) };
}

pub trait Handler {
    fn handles(&self) -> impl Future<Output = u32>;
}

pub trait Later {
    fn handles_later(&self) -> impl Future<Output = u32>;
}

pub struct Lookup;

impl Handler for Lookup {
    async fn handles(&self) -> u32 {
        let tenant = TENANT.get();
        tokio::task::yield_now().await;
        tenant
    }
}

impl Later for Lookup {
    async fn handles_later(&self) -> u32 {
        tokio::task::yield_now().await;
        TENANT.get() //~ affinity
    }
}

pub async fn is_read_at_once<H: Handler>(n: u32, handler: &H) -> u32 {
    TENANT.set(n);
    handler.handles().await
}

pub async fn is_read_later<H: Later>(n: u32, handler: &H) -> u32 {
    TENANT.set(n);
    handler.handles_later().await
}
