//! Guards of an `if let` over the result of a lock, which end where the compiler drops them.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

type Keys = Arc<RwLock<HashMap<Vec<u8>, u32>>>;

async fn is_allowed() -> bool {
    tokio::task::yield_now().await;
    true
}

pub struct Keeper {
    keys: Keys,
    secret: Arc<RwLock<Vec<u8>>>,
    asks: Option<u32>,
}

impl Keeper {
    /// The guard ends with the statement, whether the lock is poisoned or not.
    pub async fn answer(&mut self, message: &[u8], answer: &mut Vec<u8>) -> Result<(), String> {
        let is_sealed = {
            if let Ok(secret) = self.secret.read() { !secret.is_empty() } else { true }
        };
        let _asks = self.asks.as_ref().ok_or("nobody to ask")?;
        match message.split_first() {
            Some((&1, _)) if !is_sealed && is_allowed().await => {
                if let Ok(keys) = self.keys.read() {
                    answer.push(keys.len() as u8);
                } else {
                    answer.push(0);
                }
            }
            Some((&2, rest)) if !is_sealed && is_allowed().await => {
                if let Ok(true) = self.remove(rest) {
                    answer.push(1);
                } else {
                    answer.push(0);
                }
            }
            Some((&3, _)) if !is_sealed && is_allowed().await => {
                if let Ok(mut keys) = self.keys.write() {
                    keys.clear();
                    answer.push(1);
                } else {
                    answer.push(0);
                }
            }
            Some((&4, rest)) if !is_sealed && is_allowed().await => {
                if let Ok(()) = self.seal(rest) {
                    answer.push(1);
                } else {
                    answer.push(0);
                }
            }
            Some((&5, rest)) if is_sealed && is_allowed().await => {
                if let Ok(true) = self.open(rest) {
                    answer.push(1);
                } else {
                    answer.push(0);
                }
            }
            Some((&6, rest)) if !is_sealed && is_allowed().await => {
                if let Ok(true) = self.add(rest).await {
                } else {
                    answer.push(0);
                }
            }
            _ => answer.push(0),
        }
        Ok(())
    }

    fn seal(&self, word: &[u8]) -> Result<(), String> {
        let mut secret = self.secret.write().or(Err("poisoned".to_owned()))?;
        secret.extend(word);
        Ok(())
    }

    fn open(&self, word: &[u8]) -> Result<bool, String> {
        let mut secret = self.secret.write().or(Err("poisoned".to_owned()))?;
        if secret[..] == *word {
            secret.clear();
            Ok(true)
        } else {
            Ok(false)
        }
    }

    fn remove(&self, name: &[u8]) -> Result<bool, String> {
        if let Ok(mut keys) = self.keys.write() {
            if keys.remove(name).is_some() { Ok(true) } else { Ok(false) }
        } else {
            Ok(false)
        }
    }

    async fn add(&self, name: &[u8]) -> Result<bool, String> {
        self.keys.write().or(Err("poisoned".to_owned()))?.insert(name.to_vec(), 1);
        let (keys, name) = (self.keys.clone(), name.to_vec());
        tokio::spawn(async move {
            tokio::task::yield_now().await;
            if let Ok(mut keys) = keys.write() {
                let is_old = if let Some(&age) = keys.get(&name) { age > 0 } else { false };
                if is_old {
                    keys.remove(&name);
                }
            }
        });
        Ok(true)
    }

    /// Here the guard does not end before.
    pub async fn seals_what_is_open(&self, word: &[u8]) -> Result<(), String> {
        if let Ok(secret) = self.secret.read() {
            if secret.is_empty() {
                self.secret.write().unwrap().extend(word); //~ double-lock error
            }
        }
        Ok(())
    }


    /// In this edition it ends before the `else`.
    pub fn seals_else(&self, word: &[u8]) -> Result<(), String> {
        if let Some(_) = self.secret.read().unwrap().first() {
            Ok(())
        } else {
            self.seal(word)
        }
    }
}
