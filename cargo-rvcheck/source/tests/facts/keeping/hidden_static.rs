//! A function may have filled a static, which anybody can use.
//~ hidden = channel u32

use std::sync::OnceLock;
use std::sync::mpsc::SyncSender;

static LINE: OnceLock<SyncSender<u32>> = OnceLock::new();

pub fn ring() {
    if let Some(line) = LINE.get() {
        let _ = line.send(3);
    }
}
