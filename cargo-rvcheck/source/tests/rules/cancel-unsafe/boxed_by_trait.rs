//! Futures that a method of a trait boxes, made by a function of the same type.

use std::future::Future;
use std::pin::Pin;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::mpsc;

pub trait Source {
    fn next(&mut self) -> Pin<Box<dyn Future<Output = std::io::Result<Vec<u8>>> + '_>>;
}

pub struct Frames<R> {
    reader: R,
}

impl<R: AsyncRead + Unpin + Send> Frames<R> {
    async fn frame(&mut self) -> std::io::Result<Vec<u8>> {
        let length = self.reader.read_u32().await?;
        let mut frame = vec![0; length as usize];
        self.reader.read_exact(&mut frame).await?;
        Ok(frame)
    }
}

impl<R: AsyncRead + Unpin + Send> Source for Frames<R> {
    fn next(&mut self) -> Pin<Box<dyn Future<Output = std::io::Result<Vec<u8>>> + '_>> {
        Box::pin(self.frame())
    }
}

pub async fn drops_what_is_half_read<S: Source>(mut source: S, mut orders: mpsc::Receiver<u32>) -> usize {
    let mut read = 0;
    loop {
        tokio::select! {
            frame = source.next() => { //~ cancel-unsafe warning
                match frame {
                    Ok(frame) => read += frame.len(),
                    Err(_) => return read,
                }
            }
            order = orders.recv() => {
                if order.is_none() {
                    return read;
                }
            }
        }
    }
}

pub async fn reads_without_a_select<S: Source>(mut source: S) -> usize {
    let mut read = 0;
    while let Ok(frame) = source.next().await {
        read += frame.len();
    }
    read
}
