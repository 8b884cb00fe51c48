//! What comes from outside, or goes there and back.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::{env, fs, io, process, thread};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A byte goes through a pair of sockets.
pub fn pair_of_sockets() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (mut tell, mut wait) = UnixStream::pair().unwrap();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        tell.write_all(&[1]).unwrap();
    });
    wait.read_exact(&mut [0]).unwrap();
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct Connection {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// A byte goes through a connection.
pub fn connection() {
    let it = Arc::new(Connection { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        let mut tell = TcpStream::connect(address).unwrap();
        tell.write_all(&[1]).unwrap();
    });
    let second = thread::spawn(move || {
        let (mut wait, _) = listener.accept().unwrap();
        wait.read_exact(&mut [0]).unwrap();
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// A packet is sent.
pub fn packet() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let wait = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
    let address = wait.local_addr().unwrap();
    let tell = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        tell.send_to(&[1], address).unwrap();
    });
    wait.recv(&mut [0]).unwrap();
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

/// A byte goes through a pipe.
pub fn pipe() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (mut wait, mut tell) = io::pipe().unwrap();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        tell.write_all(&[1]).unwrap();
    });
    wait.read_exact(&mut [0]).unwrap();
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

/// The pipe is closed.
pub fn end_of_a_pipe() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let (mut wait, tell) = io::pipe().unwrap();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        drop(tell);
    });
    assert_eq!(wait.read(&mut [0]).unwrap(), 0);
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct File {
    near: Mutex<u32>,
    far: Mutex<u32>,
}

/// A file is looked for.
pub fn file() {
    let it = Arc::new(File { near: Mutex::new(0), far: Mutex::new(0) });
    let same = it.clone();
    let path = env::temp_dir().join(format!("rvcheck-ordered-{}", process::id()));
    let written = path.clone();
    let first = thread::spawn(move || {
        {
            let near = same.near.lock().unwrap();
            *same.far.lock().unwrap() += *near;
        }
        fs::write(written, "1").unwrap();
    });
    let second = thread::spawn(move || {
        while !path.exists() {
            thread::yield_now();
        }
        fs::remove_file(path).unwrap();
        let far = it.far.lock().unwrap();
        *it.near.lock().unwrap() += *far;
    });
    first.join().unwrap();
    second.join().unwrap();
}

/// A program ends when it is told to.
pub fn child() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        drop(input);
    });
    assert!(child.wait().unwrap().success());
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

/// It is asked whether it has ended.
pub fn child_looked_at() {
    let pair = Arc::new((Mutex::new(0_u32), Mutex::new(0_u32)));
    let same = pair.clone();
    let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take();
    let first = thread::spawn(move || {
        {
            let left = same.0.lock().unwrap();
            *same.1.lock().unwrap() += *left;
        }
        drop(input);
    });
    while child.try_wait().unwrap().is_none() {
        thread::yield_now();
    }
    {
        let right = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *right;
    }
    first.join().unwrap();
}

struct DuplexPair {
    left: tokio::sync::Mutex<u32>,
    right: tokio::sync::Mutex<u32>,
}

/// A byte goes through what looks like a connection.
pub async fn duplex() {
    let pair = Arc::new(DuplexPair { left: tokio::sync::Mutex::new(0), right: tokio::sync::Mutex::new(0) });
    let same = pair.clone();
    let (mut tell, mut wait) = tokio::io::duplex(8);
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().await;
            *same.right.lock().await += *left;
        }
        tell.write_u8(1).await.unwrap();
    });
    let second = tokio::spawn(async move {
        wait.read_u8().await.unwrap();
        let right = pair.right.lock().await;
        *pair.left.lock().await += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}

struct SocketsOfTasksPair {
    left: Mutex<u32>,
    right: Mutex<u32>,
}

/// A byte goes through a pair of sockets.
pub async fn sockets_of_tasks() {
    let pair = Arc::new(SocketsOfTasksPair { left: Mutex::new(0), right: Mutex::new(0) });
    let same = pair.clone();
    let (mut tell, mut wait) = tokio::net::UnixStream::pair().unwrap();
    let first = tokio::spawn(async move {
        {
            let left = same.left.lock().unwrap();
            *same.right.lock().unwrap() += *left;
        }
        tell.write_u8(1).await.unwrap();
    });
    let second = tokio::spawn(async move {
        wait.read_u8().await.unwrap();
        let right = pair.right.lock().unwrap();
        *pair.left.lock().unwrap() += *right;
    });
    first.await.unwrap();
    second.await.unwrap();
}
