//! An entry that says that its value is lent out, behind a guard that waits give back.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex};

enum Tool<T> {
    Here(T),
    Lent,
}

pub struct Shed<T> {
    tools: Mutex<HashMap<String, Tool<T>>>,
    back: Condvar,
}

impl<T: Clone> Shed<T> {
    pub fn copies(&self, name: &str) -> Option<T> {
        let mut tools = self.tools.lock().unwrap();
        loop {
            match tools.get(name) {
                None => return None,
                Some(Tool::Here(tool)) => return Some(tool.clone()),
                Some(Tool::Lent) => {}
            }
            tools = self.back.wait(tools).unwrap();
        }
    }

    pub fn sharpens(&self, name: &str, grind: impl Fn(&T) -> Result<T, String>) -> Result<(), String> {
        let tool = self.lends(name)?; //~ semaphore warning
        let sharp = grind(&tool).map_err(|it| format!("broken: {it}"))?;
        self.takes_back(name, sharp);
        Ok(())
    }

    pub fn oils(&self, name: &str, oil: impl Fn(&T) -> Result<T, String>) -> Result<(), String> {
        let tool = self.lends(name)?;
        match oil(&tool) {
            Ok(oiled) => {
                self.takes_back(name, oiled);
                Ok(())
            }
            Err(error) => {
                self.takes_back(name, tool);
                Err(error)
            }
        }
    }

    fn lends(&self, name: &str) -> Result<T, String> {
        let mut tools = self.tools.lock().unwrap();
        loop {
            let tool = tools.get_mut(name).ok_or_else(|| "unknown".to_owned())?;
            if let Tool::Here(tool) = std::mem::replace(tool, Tool::Lent) {
                return Ok(tool);
            }
            tools = self.back.wait(tools).unwrap();
        }
    }

    fn takes_back(&self, name: &str, with: T) {
        let mut tools = self.tools.lock().unwrap();
        if let Some(tool) = tools.get_mut(name) {
            *tool = Tool::Here(with);
        }
        drop(tools);
        self.back.notify_all();
    }
}
