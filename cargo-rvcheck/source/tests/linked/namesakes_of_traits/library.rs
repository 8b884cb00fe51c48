//! A cupboard whose visitors are called while it is locked.

use std::sync::Mutex;

pub trait Visitor {
    fn plate(&self, plate: u32);
}

pub struct Cupboard {
    plates: Mutex<Vec<u32>>,
}

impl Cupboard {
    pub fn visit(&self, by: &dyn Visitor) {
        let plates = self.plates.lock().unwrap();
        for plate in plates.iter() {
            by.plate(*plate);
        }
    }

    pub fn count(&self) -> usize {
        self.plates.lock().unwrap().len()
    }
}
