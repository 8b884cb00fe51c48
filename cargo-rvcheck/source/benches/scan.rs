//! How much source is read in a second, for marking and for the catalogue of sites.
//!
//! The text is the source of this repository's own tool, repeated to a good size.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rvcheck_source::edition::Edition;
use rvcheck_source::rewrite::{Options, rewrite};
use rvcheck_source::sites::sites;
use std::hint::black_box;

/// About half a megabyte of ordinary code, with an await every few lines.
fn text() -> String {
    let tool = [
        include_str!("../src/position.rs"),
        include_str!("../src/sites/mod.rs"),
        include_str!("../src/sites/binding.rs"),
        include_str!("../src/outline.rs"),
        include_str!("../../../examples/bank/src/lib.rs"),
    ];
    let once = tool.concat();
    once.repeat(500_000 / once.len())
}

fn scan(criterion: &mut Criterion) {
    let text = text();
    let mut group = criterion.benchmark_group("scan");
    group.sample_size(20);
    group.throughput(Throughput::BytesDecimal(text.len() as u64));
    group.bench_function("rewrite", |bencher| {
        bencher.iter(|| rewrite(black_box(&text), Edition::Rust2021, &Options::PLAIN));
    });
    group.bench_function("sites", |bencher| {
        bencher.iter(|| sites(black_box(&text), "src/lib.rs", Edition::Rust2021));
    });
    group.finish();
}

criterion_group!(benches, scan);
criterion_main!(benches);
