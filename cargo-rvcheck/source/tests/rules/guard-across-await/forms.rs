//! Guards that are kept in other forms than a variable.

use std::cell::{RefCell, RefMut};
use std::sync::{Arc, Mutex, MutexGuard};

async fn other() -> u32 {
    tokio::task::yield_now().await;
    1
}

pub struct Book {
    pages: Mutex<Vec<u32>>,
    index: parking_lot::Mutex<u32>,
}

struct Holder<'a> {
    guard: MutexGuard<'a, Vec<u32>>,
    count: usize,
}

impl<'a> Holder<'a> {
    fn new(book: &'a Book) -> Holder<'a> {
        let guard = book.pages.lock().unwrap(); //~ guard-across-await
        Holder { count: guard.len(), guard }
    }
}

impl Book {
    fn pages(&self) -> MutexGuard<'_, Vec<u32>> {
        self.pages.lock().unwrap() //~ guard-across-await
    }

    fn silent_pages(&self) -> MutexGuard<'_, Vec<u32>> {
        self.pages.lock().unwrap()
    }

    pub async fn returned(&self) -> usize {
        let pages = self.pages();
        other().await;
        pages.len()
    }

    pub async fn returned_and_dropped(&self) -> usize {
        let count = self.silent_pages().len();
        other().await;
        count
    }

    pub async fn in_a_struct(&self) -> usize {
        let holder = Holder::new(self);
        other().await;
        holder.count + holder.guard.len()
    }

    pub async fn in_an_option(&self, wanted: bool) -> u32 {
        let guard = if wanted { Some(self.index.lock()) } else { None }; //~ guard-across-await
        other().await + guard.map_or(0, |it| *it)
    }

    pub async fn taken_out_of_an_option(&self) -> u32 {
        let mut guard = Some(self.index.lock());
        drop(guard.take());
        other().await
    }

    pub async fn in_a_tuple(&self) -> u32 {
        let pair = (1, self.index.lock()); //~ guard-across-await
        other().await + pair.0
    }

    pub async fn in_a_scrutinee(&self) -> u32 {
        match self.index.lock().checked_sub(1) { //~ guard-across-await
            Some(_) => other().await,
            None => 0,
        }
    }

    pub async fn before_a_match(&self) -> u32 {
        let found = self.index.lock().checked_sub(1);
        match found {
            Some(_) => other().await,
            None => 0,
        }
    }

    pub async fn in_an_if_let(&self) -> u32 {
        if let Some(found) = self.index.lock().checked_sub(1) { //~ guard-across-await
            return found + other().await;
        }
        0
    }

    pub async fn in_the_else_of_an_if_let(&self) -> u32 {
        if let Some(found) = self.index.lock().checked_sub(1) {
            return found;
        } else {
            other().await
        }
    }

    pub async fn in_an_argument(&self) -> u32 {
        sum(*self.index.lock(), other().await).await //~ guard-across-await
    }

    pub async fn in_a_while_let(&self) {
        while let Some(page) = self.pages.lock().unwrap().pop() { //~ guard-across-await
            sum(page, 1).await;
        }
    }

    pub async fn popped(&self) {
        loop {
            let Some(page) = self.pages.lock().unwrap().pop() else { break };
            sum(page, 1).await;
        }
    }

    pub async fn in_a_for(&self) {
        for page in self.pages.lock().unwrap().iter() { //~ guard-across-await
            sum(*page, 1).await;
        }
    }

    pub async fn mapped(&self) -> u32 {
        let guard = parking_lot::MutexGuard::map(self.index.lock(), |it| it); //~ guard-across-await
        other().await + *guard
    }
}

async fn sum(left: u32, right: u32) -> u32 {
    left + right
}

macro_rules! locked {
    ($lock:expr) => {
        $lock.lock() //~ guard-across-await
    };
}

pub async fn through_a_macro(book: &Book) -> u32 {
    let guard = locked!(book.index);
    other().await + *guard
}

pub async fn given(guard: MutexGuard<'_, u32>) -> u32 {
    let sum = other().await; //~ guard-across-await
    sum + *guard
}

pub async fn given_and_dropped(guard: MutexGuard<'_, u32>) -> u32 {
    drop(guard);
    other().await
}

pub fn in_a_block(book: Arc<Book>) -> impl Future<Output = u32> {
    async move {
        let guard = book.index.lock(); //~ guard-across-await
        other().await + *guard
    }
}

pub async fn closure_inside(book: &Book) -> u32 {
    let read = || *book.index.lock();
    read() + other().await
}

pub async fn borrowed_by_mistake(cell: &RefCell<Vec<u32>>) -> usize {
    fn first(cell: &RefCell<Vec<u32>>) -> RefMut<'_, Vec<u32>> {
        cell.borrow_mut()
    }
    let mut list = first(cell); //~ guard-across-await
    list.push(other().await);
    list.len()
}

pub async fn with_a_map_err(book: &Book) -> Result<usize, String> {
    let count = book.pages.lock().map_err(|_| "poisoned".to_owned())?.len();
    other().await;
    Ok(count)
}

pub async fn with_a_match_on_poison(book: &Book) -> usize {
    let count = match book.pages.lock() {
        Ok(pages) => pages.len(),
        Err(poisoned) => poisoned.into_inner().len(),
    };
    other().await;
    count
}
