//! A test with a `main` of its own, which answers the questions that nextest asks.

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|it| it == "--list") {
        if !args.iter().any(|it| it == "--ignored") {
            println!("all_of_it: test");
        }
        return;
    }
    harnesses::lose().await;
}
