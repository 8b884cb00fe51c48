//! A procedural macro that asks the compiler what it is.

use proc_macro::TokenStream;

/// Runs a function's body under a lock, and its futures twice.
#[proc_macro_attribute]
pub fn guarded(_: TokenStream, item: TokenStream) -> TokenStream {
    let calls = shared::note("guarded");
    let rustc = std::process::Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    assert!(!{ rustc }.arg("-vV").output().expect("the compiler can be asked").stdout.is_empty());
    let code = format!(
        "pub const CALLS: usize = {calls}; pub const PLAIN: bool = {};
         pub static GUARD: ::std::sync::Mutex<u32> = ::std::sync::Mutex::new(0);
         pub async fn guarded() -> u32 {{
             let one = {{ *GUARD.lock().unwrap() += 1; inner().await }};
             one + inner().await
         }}",
        shared::is_plain(),
    );
    code.parse::<TokenStream>().expect("it is Rust").into_iter().chain(item).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_can_be_tested_like_anything_else() {
        assert_eq!((file!(), line!(), shared::note("test")), ("macros/src/lib.rs", 27, 1));
    }
}
