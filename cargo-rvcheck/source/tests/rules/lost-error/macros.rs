//! Results of tasks that are joined by a macro. Its await is in no file of the program.

use tokio::task::JoinHandle;

pub struct Failed(pub String);

type Handle = JoinHandle<Result<u32, Failed>>;

pub async fn joined(one: Handle, other: Handle) {
    let _ = tokio::join!(one, other); //~ lost-error
}

pub async fn joined_or_panicked(one: Handle, other: JoinHandle<u32>) -> bool {
    tokio::try_join!(one, other).is_ok() //~ lost-error
}

pub async fn first_of_both(one: Handle, mut ended: tokio::sync::mpsc::Receiver<u32>) {
    tokio::select! { //~ lost-error
        _ = one => {}
        _ = ended.recv() => {}
    }
}

/// What the macro of another crate does with the handle, nobody can change here.
pub fn on_a_thread_of_a_macro(answers: std::sync::mpsc::Sender<u32>) {
    neighbour::on_a_thread!(answers.send(1));
}

pub fn on_a_thread(answers: std::sync::mpsc::Sender<u32>) {
    std::thread::spawn(move || answers.send(1)); //~ lost-error note
}
