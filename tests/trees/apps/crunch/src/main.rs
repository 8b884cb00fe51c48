//! `crunch FILE…` prints the words of the files, the most frequent first.

fn main() -> std::process::ExitCode {
    match crunch::count(std::env::args_os().skip(1).map(Into::into).collect()) {
        Ok(counts) => {
            let mut words: Vec<_> = counts.into_iter().collect();
            words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            for (word, count) in words {
                println!("{count:6} {word}");
            }
            std::process::ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("crunch: {error}");
            std::process::ExitCode::from(9)
        }
    }
}
