//! Types of one name in several modules: the callbacks, locks and methods of one are none of the other.

pub mod house {
    use super::*;

    pub mod upper {
        use super::*;
        use std::sync::{Arc, Mutex};

        type Wish = Arc<dyn Fn(&Lift, i32) + Send + Sync>;

        #[derive(Default)]
        pub struct Lift {
            wishes: Mutex<Vec<Wish>>,
        }

        impl Lift {
            pub fn wish(&self, wish: impl Fn(&Lift, i32) + Send + Sync + 'static) {
                self.wishes.lock().unwrap().push(Arc::new(wish)); //~ double-lock warning
            }

            pub fn arrives(&self, floor: i32) {
                for wish in self.wishes.lock().unwrap().iter() {
                    wish(self, floor);
                }
            }
        }
    }

    pub mod lower {
        use super::*;
        use std::sync::{Arc, Mutex};

        type Wish = Arc<dyn Fn(&Lift, i32) + Send + Sync>;

        #[derive(Default)]
        pub struct Lift {
            wishes: Mutex<Vec<Wish>>,
        }

        impl Lift {
            pub fn wish(&self, wish: impl Fn(&Lift, i32) + Send + Sync + 'static) {
                self.wishes.lock().unwrap().push(Arc::new(wish));
            }

            pub fn arrives(&self, floor: i32) {
                let wishes = self.wishes.lock().unwrap().clone();
                for wish in wishes {
                    wish(self, floor);
                }
            }
        }
    }
}

pub fn rides() {
    let (up, down) = (house::upper::Lift::default(), house::lower::Lift::default());
    up.wish(|lift, floor| {
        if floor > 3 {
            lift.wish(|_, _| {});
        }
    });
    down.wish(|lift, floor| {
        if floor > 3 {
            lift.wish(|_, _| {});
        }
    });
    up.arrives(4);
    down.arrives(4);
}

// Nothing in the type of the callback says of whom it is.

pub mod east {
    use super::*;
    use std::sync::Mutex;

    #[derive(Default)]
    pub struct Gate {
        opens: Mutex<Vec<Box<dyn Fn(u32) + Send>>>,
    }

    impl Gate {
        pub fn on_open(&self, open: Box<dyn Fn(u32) + Send>) {
            self.opens.lock().unwrap().push(open);
        }

        pub fn opens(&self, by: u32) {
            let opens = std::mem::take(&mut *self.opens.lock().unwrap());
            for open in &opens {
                open(by);
            }
        }
    }
}

pub mod west {
    use super::*;
    use std::sync::Mutex;

    #[derive(Default)]
    pub struct Gate {
        opens: Mutex<Vec<Box<dyn Fn(u32) + Send>>>,
    }

    impl Gate {
        fn opens(&self, by: u32) {
            for open in self.opens.lock().unwrap().iter() {
                open(by);
            }
        }
    }

    pub fn opens_once() {
        let gate = Gate::default();
        gate.opens.lock().unwrap().push(Box::new(|by| println!("{by}")));
        gate.opens(1);
    }
}

pub fn passes(gate: std::sync::Arc<east::Gate>) {
    let same = gate.clone();
    gate.on_open(Box::new(move |_| same.on_open(Box::new(|_| {}))));
    gate.opens(2);
}
