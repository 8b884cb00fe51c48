use std::io::Write;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let path = std::path::Path::new(&std::env::var_os("OUT_DIR").unwrap()).join("table.rs");
    let mut file = std::fs::File::create(path).unwrap();
    writeln!(file, "pub const SQUARES: [u32; 4] = [0, 1, 4, 9];").unwrap();
    writeln!(file, "pub async fn square_of(at: usize) -> u32 {{ tk::task::yield_now().await; SQUARES[at] }}").unwrap();
}
