//! Numbers that are read or written under a limit of time, round after round.

use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

pub async fn reads_lengths(mut from: impl AsyncReadExt + Unpin) -> io::Result<u32> {
    loop {
        if let Ok(length) = timeout(Duration::from_secs(1), from.read_u32()).await { //~ cancel-unsafe
            return length;
        }
        println!("still waiting");
    }
}

pub async fn writes_lengths(to: &mut (impl AsyncWriteExt + Unpin), length: u64) -> io::Result<()> {
    loop {
        if let Ok(done) = timeout(Duration::from_secs(1), to.write_u64_le(length)).await { //~ cancel-unsafe
            return done;
        }
    }
}

// One byte is there or not.
pub async fn reads_kinds(mut from: impl AsyncReadExt + Unpin) -> io::Result<u8> {
    loop {
        if let Ok(kind) = timeout(Duration::from_secs(1), from.read_u8()).await {
            return kind;
        }
        println!("still waiting");
    }
}
