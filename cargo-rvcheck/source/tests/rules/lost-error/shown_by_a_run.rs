//! Results of tasks that may have been ended on purpose, or that panic for no reason that the source shows. A run tells.

use std::thread::{self, JoinHandle};
use tokio::sync::oneshot;

async fn steer(heading: u32) -> Result<(), String> {
    tokio::task::yield_now().await;
    if heading > 359 { Err(format!("{heading} degrees")) } else { Ok(()) }
}

/// What it returned is not looked at, where it was not told to stop.
pub async fn helm(stop: oneshot::Receiver<()>, heading: u32) -> bool {
    let mut course = tokio::spawn(steer(heading));
    tokio::select! { //~ lost-error unseen
        _ = stop => {
            course.abort();
            true
        }
        _ = &mut course => {
            false
        }
    }
}

pub struct Crew {
    rowers: Vec<JoinHandle<u32>>,
}

impl Crew {
    pub fn board(strokes: Vec<Vec<u32>>) -> Crew {
        Crew { rowers: strokes.into_iter().map(|it| thread::spawn(move || it[0] + it[1])).collect() }
    }

    pub fn land(self) {
        for it in self.rowers {
            let _ = it.join(); //~ lost-error unseen
        }
    }
}

/// It says itself what went wrong.
pub async fn cox(heading: u32) {
    let course = tokio::spawn(async move {
        let done = steer(heading).await;
        if let Err(error) = &done {
            eprintln!("{error}");
        }
        done
    });
    let _ = course.await;
}
