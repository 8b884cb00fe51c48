//! Words of `observe`.

struct Worker;

impl Worker {
    #[rvcheck::observe(sied = "receive")]
    fn unknown(&self) {}

    #[rvcheck::observe(colour = "blue")]
    fn far(&self) {}

    #[rvcheck::observe(side = "recieve")]
    fn side(&self) {}

    #[rvcheck::observe(side = send)]
    fn unquoted(&self) {}

    #[rvcheck::observe(as = "accept items")]
    fn name(&self) {}

    #[rvcheck::observe(side = "send", side = "receive")]
    fn twice(&self) {}

    #[rvcheck::observe(side = "send" as = "accepted")]
    fn comma(&self) {}

    #[rvcheck::observe(refusal = "Err(")]
    fn refusal(&self) {}

    #[rvcheck::observe(sides = "send", as = "1")]
    fn both(&self) {}
}

fn main() {
    // The functions are there nevertheless.
    Worker.unknown();
}
