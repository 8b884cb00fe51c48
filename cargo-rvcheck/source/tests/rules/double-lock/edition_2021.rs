//@ edition: 2021
//! In this edition the temporaries of an `if let` live through its `else`.

pub struct Table {
    rows: parking_lot::Mutex<Vec<u32>>,
    shared: parking_lot::RwLock<Vec<u32>>,
}

impl Table {
    pub fn if_let_else(&self) -> u32 {
        if let Some(found) = self.rows.lock().first() {
            *found
        } else {
            self.rows.lock().push(1); //~ double-lock error
            1
        }
    }

    pub fn read_then_write(&self) -> u32 {
        if let Some(found) = self.shared.read().first() {
            *found
        } else {
            self.shared.write().push(1); //~ double-lock error
            1
        }
    }

    pub fn read_then_write_behind_it(&self) -> u32 {
        if let Some(found) = self.shared.read().first() {
            return *found;
        }
        self.shared.write().push(1);
        1
    }

    pub fn tail(&self) -> usize {
        let length = { self.rows.lock().len() };
        self.rows.lock().push(length as u32);
        length
    }
}
