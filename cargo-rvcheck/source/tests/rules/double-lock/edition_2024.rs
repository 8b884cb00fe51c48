//! In this edition the temporaries of an `if let` end before its `else`.

pub struct Table {
    rows: parking_lot::Mutex<Vec<u32>>,
}

impl Table {
    pub fn if_let_else(&self) -> u32 {
        if let Some(found) = self.rows.lock().first() {
            *found
        } else {
            self.rows.lock().push(1);
            1
        }
    }

    pub fn match_keeps_them(&self) -> u32 {
        match self.rows.lock().first() {
            Some(found) => *found,
            None => {
                self.rows.lock().push(1); //~ double-lock error
                1
            }
        }
    }
}
