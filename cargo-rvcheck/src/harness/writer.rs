//! The process that writes a trace, held so that no other one can be meant.
//!
//! A trace has the number of its process as that process knows it. In a namespace of its own that number is another process's here, and
//! numbers are given again. So a process is taken for the writer only if it has the file of the trace in its memory and the system says
//! that it knows itself by that number; and what is asked and what is ended is the same handle.

//!
//! Only Linux tells all that. Elsewhere the number has to do.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// The process that writes a trace.
pub(super) struct Writer {
    number: u32,
    #[cfg(target_os = "linux")]
    handle: std::os::fd::OwnedFd,
}

impl Writer {
    /// Its number here.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// The one that writes this trace, which this process has started, directly or not.
    #[cfg(target_os = "linux")]
    pub(super) fn of(trace: &File) -> io::Result<Writer> {
        linux::writer(trace)
    }

    /// The one that writes this trace.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn of(trace: &File) -> io::Result<Writer> {
        match number(trace)? {
            0 | 1 => Err(io::ErrorKind::NotFound.into()),
            number => Ok(Writer { number }),
        }
    }

    /// Ends it at once. What it has recorded is in its trace.
    #[cfg(target_os = "linux")]
    pub(super) fn end(&self) -> io::Result<()> {
        Ok(rustix::process::pidfd_send_signal(&self.handle, rustix::process::Signal::KILL)?)
    }

    /// Ends it at once. What it has recorded is in its trace.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn end(&self) -> io::Result<()> {
        crate::system::end(self.number)
    }
}

/// The number by which the writer knows itself.
fn number(trace: &File) -> io::Result<u32> {
    use rvcheck_event::trace::format::header;
    let mut number = [0; 4];
    trace.read_exact_at(&mut number, header::PID as u64)?;
    Ok(u32::from_le_bytes(number))
}

#[cfg(target_os = "linux")]
mod linux {
    use super::{Writer, number};
    use crate::system::descendants;
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    use std::fs::{self, File};
    use std::io;
    use std::os::unix::fs::MetadataExt;

    pub(super) fn writer(trace: &File) -> io::Result<Writer> {
        let own = number(trace)?;
        let place = FileId::of(trace)?;
        let mut refused = None;
        // Mostly the number is right. In a namespace of its own it has another number here.
        for candidate in
            std::iter::once(own).chain(std::iter::once_with(|| descendants(std::process::id())).flatten())
        {
            match held(candidate, own, &place) {
                Ok(Some(writer)) => return Ok(writer),
                Ok(None) => {}
                Err(error) => refused = Some(error),
            }
        }
        Err(refused.unwrap_or_else(|| io::ErrorKind::NotFound.into()))
    }

    /// A handle of the process with this number here, if it is the writer. Fails where this user may not know that.
    fn held(candidate: u32, own: u32, place: &FileId) -> io::Result<Option<Writer>> {
        let process = i32::try_from(candidate).ok().filter(|it| *it > 1).and_then(Pid::from_raw);
        let Some(Ok(handle)) = process.map(|it| pidfd_open(it, PidfdFlags::empty())) else { return Ok(None) };
        match place.is_in(candidate) {
            Ok(true) if calls_itself(candidate, own) => Ok(Some(Writer { number: candidate, handle })),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(error),
            Ok(_) | Err(_) => Ok(None),
        }
    }

    /// Whether a process knows itself by this number: it is the last one of those that it has in the namespaces around it.
    fn calls_itself(process: u32, number: u32) -> bool {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let own = status
            .lines()
            .find_map(|line| line.strip_prefix("NSpid:")?.split_whitespace().last()?.parse().ok());
        // Where the system does not tell of namespaces, there are none.
        own.unwrap_or(process) == number
    }

    /// Which file it is, as the system names it among those that a process has in its memory: `fd:01 12345`.
    struct FileId {
        device: String,
        inode: String,
    }

    impl FileId {
        fn of(file: &File) -> io::Result<FileId> {
            let metadata = file.metadata()?;
            let device = metadata.dev();
            // As Linux puts both parts of the number together.
            let major = ((device >> 8) & 0xfff) | ((device >> 32) & !0xfff);
            let minor = (device & 0xff) | ((device >> 12) & !0xff);
            Ok(FileId { device: format!("{major:02x}:{minor:02x}"), inode: metadata.ino().to_string() })
        }

        fn is_in(&self, process: u32) -> io::Result<bool> {
            // 7f0000000000-7f0000001000 rw-s 00000000 fd:01 12345   /path
            let maps = fs::read(format!("/proc/{process}/maps"))?;
            let is_it = |line: &[u8]| {
                let mut words = line.split(|it| *it == b' ').filter(|it| !it.is_empty()).skip(3);
                words.next() == Some(self.device.as_bytes()) && words.next() == Some(self.inode.as_bytes())
            };
            Ok(maps.split(|it| *it == b'\n').any(is_it))
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use memmap2::MmapMut;
    use rvcheck_event::trace::write::TraceBuilder;
    use std::process::Command;

    /// A trace that says it is written by the process with this number.
    fn trace(number: u32) -> File {
        use rvcheck_event::trace::format::header;
        let file = tempfile::tempfile().expect("there is room for a file");
        let mut bytes = TraceBuilder::new().build();
        bytes[header::PID..header::PID + 4].copy_from_slice(&number.to_le_bytes());
        file.write_all_at(&bytes, 0).expect("it can be written");
        file
    }

    #[test]
    fn a_process_that_does_not_write_the_trace_is_left_alone() {
        let mut other = Command::new("sleep").arg("60").spawn().expect("there is such a program");
        // The number is that of another process, as it is where it was given again or comes from a namespace.
        assert!(Writer::of(&trace(other.id())).is_err());
        assert!(other.try_wait().expect("it can be asked").is_none());
        other.kill().and_then(|()| other.wait()).expect("it ends");
    }

    #[test]
    fn the_process_that_has_the_trace_in_its_memory_is_the_writer() {
        let file = trace(std::process::id());
        assert!(Writer::of(&file).is_err());
        // SAFETY: nobody else knows the file.
        let map = unsafe { MmapMut::map_mut(&file) }.expect("it can be mapped");
        assert!(Writer::of(&file).is_ok());
        drop(map);
    }
}
