//! What the system says of a thread: whether it sleeps, and what for. On systems without `/proc` nothing is known of that.

use std::fs;

use rvcheck_event::exploration::word::Cause;

/// Whether the thread of this number sleeps.
pub(crate) fn is_asleep(thread: u32) -> bool {
    fs::read(format!("/proc/self/task/{thread}/stat")).is_ok_and(|it| says_asleep(&it))
}

/// Whether all threads of the process sleep but those that do not count; `None` where the system does not tell. Who was woken and has no core
/// yet does not sleep.
pub(crate) fn all_sleep_but(does_not_count: impl Fn(u32) -> bool) -> Option<bool> {
    let threads = fs::read_dir("/proc/self/task").ok()?;
    Some(threads.flatten().all(|thread| {
        let number = thread.file_name().to_str().and_then(|it| it.parse().ok());
        // It may have ended meanwhile.
        number.is_some_and(&does_not_count)
            || fs::read(thread.path().join("stat")).map_or(true, |it| says_asleep(&it))
    }))
}

/// Whether the `stat` of a thread says that it sleeps. Its name, which stands before that, may have brackets in it.
fn says_asleep(stat: &[u8]) -> bool {
    let name = stat.iter().rposition(|it| *it == b')');
    name.and_then(|it| stat.get(it + 2)).is_some_and(|state| *state == b'S')
}

/// What a thread of this number that sleeps waits for, by the file that its system call is about.
pub(crate) fn cause(thread: u32) -> Cause {
    // "0 0x5 0x7ffd…": the number of the call, and its arguments.
    let call = fs::read_to_string(format!("/proc/self/task/{thread}/syscall")).unwrap_or_default();
    let first = call.split(' ').nth(1).and_then(|it| it.strip_prefix("0x"));
    let file = first.and_then(|it| u32::from_str_radix(it, 16).ok());
    let link = file.and_then(|it| fs::read_link(format!("/proc/self/fd/{it}")).ok());
    match link.as_ref().and_then(|it| it.to_str()) {
        Some(link) if link.starts_with("socket:") => Cause::Net,
        Some(link) if link.starts_with("pipe:") => Cause::Process,
        Some(link) if link.starts_with('/') => Cause::Fs,
        _ => Cause::Foreign,
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Read;
    use std::net::{TcpListener, TcpStream};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_thread_that_computes_does_not_sleep() {
        assert!(says_asleep(b"12 (a (b) c) S 1 12"));
        assert!(!says_asleep(b"12 (a) R) R 1 12") && !says_asleep(b"12 (a"));
    }

    #[test]
    fn a_thread_that_reads_from_a_socket_waits_for_the_net() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut other = listener.accept().unwrap().0;
        let (sender, receiver) = channel();
        let reads = std::thread::spawn(move || {
            let link = fs::read_link("/proc/thread-self").unwrap();
            let number = link.file_name().unwrap().to_str().unwrap().parse::<u32>().unwrap();
            sender.send(number).unwrap();
            other.read(&mut [0]).unwrap()
        });
        let thread = receiver.recv().unwrap();
        while !is_asleep(thread) || cause(thread) != Cause::Net {
            std::thread::sleep(Duration::from_millis(1));
        }
        drop(stream);
        assert_eq!(reads.join().unwrap(), 0);
    }
}
