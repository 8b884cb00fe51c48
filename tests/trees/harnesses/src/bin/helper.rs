//! A program that tests start.

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let what = std::env::args().nth(1).unwrap_or_default();
    if what != "idle" {
        harnesses::lose().await;
    }
    println!("ready");
    match what.as_str() {
        "abort" => std::process::abort(),
        "panic" => panic!("on purpose"),
        "wait" => std::thread::sleep(std::time::Duration::from_secs(600)),
        "exit" => std::process::exit(7),
        _ => {}
    }
}
