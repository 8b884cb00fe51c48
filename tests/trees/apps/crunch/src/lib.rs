//! Counts words on all cores: readers hand texts through a channel to a pool, whose results are merged under a lock.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{fs, io};

use crossbeam::channel::{Receiver, bounded, select, unbounded};
use parking_lot::{Condvar, Mutex};
use rayon::prelude::*;

/// How often each word occurs.
pub type Counts = BTreeMap<String, u64>;

/// What all workers add to.
#[derive(Default)]
struct Total {
    counts: Mutex<Counts>,
    /// How many texts were counted.
    done: Mutex<usize>,
    more: Condvar,
}

/// Counts the words of these files.
pub fn count(files: Vec<PathBuf>) -> io::Result<Counts> {
    let total = Total::default();
    let expected = files.len();
    let (texts_in, texts) = bounded(2);
    let (errors_in, errors) = unbounded();
    crossbeam::scope(|scope| {
        scope.spawn(move |_| {
            for file in files {
                match fs::read_to_string(&file) {
                    Ok(text) => texts_in.send(text).expect("the counter receives to the end"),
                    Err(error) => {
                        errors_in.send(io::Error::new(error.kind(), format!("{}: {error}", file.display()))).expect("it waits");
                        return;
                    }
                }
            }
        });
        let counter = scope.spawn(|_| counting(&total, &texts, &errors));
        let result = counter.join().expect("it does not panic");
        if result.is_ok() {
            let mut done = total.done.lock();
            while *done < expected {
                total.more.wait(&mut done);
            }
        }
        result
    })
    .expect("no thread panics")?;
    Ok(total.counts.into_inner())
}

/// Counts texts until there are no more, or there is an error.
fn counting(total: &Total, texts: &Receiver<String>, errors: &Receiver<io::Error>) -> io::Result<()> {
    loop {
        select! {
            recv(texts) -> text => match text {
                Ok(text) => add(total, &text),
                Err(_) => return errors.try_recv().map_or(Ok(()), Err),
            },
            recv(errors) -> error => if let Ok(error) = error { return Err(error) },
        }
    }
}

fn add(total: &Total, text: &str) {
    let counts = text
        .par_lines()
        .fold(Counts::new, |mut counts, line| {
            for word in line.split_whitespace() {
                *counts.entry(word.to_lowercase()).or_default() += 1;
            }
            counts
        })
        .reduce(Counts::new, merged);
    let mut all = total.counts.lock();
    *all = merged(std::mem::take(&mut all), counts);
    drop(all);
    *total.done.lock() += 1;
    total.more.notify_all();
}

fn merged(mut a: Counts, b: Counts) -> Counts {
    for (word, count) in b {
        *a.entry(word).or_default() += count;
    }
    a
}
