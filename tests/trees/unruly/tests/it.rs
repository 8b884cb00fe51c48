use std::fs::File;
use std::io::Read;
use std::process::Command;
use std::sync::Arc;
use std::thread::spawn;
use std::time::{SystemTime, UNIX_EPOCH};
use unruly::Lamp;

/// Two that come by, the first one all but certainly first.
fn two_come_by(lamp: &Arc<Lamp>) {
    let comers = [1, 2].map(|who| {
        let lamp = Arc::clone(lamp);
        let comer = spawn(move || lamp.comes(who));
        std::thread::sleep(std::time::Duration::from_millis(5));
        comer
    });
    for it in comers {
        it.join().unwrap();
    }
}

/// Takes a lock at one of two places for each bit, beside another one. With 32 bits, no two runs are the same by chance.
fn depends_on(bits: u32) {
    let lamp = Arc::new(Lamp::default());
    let other = Arc::clone(&lamp);
    let comer = spawn(move || other.comes(1));
    for it in 0..u32::BITS {
        if bits >> it & 1 == 0 {
            lamp.comes(it);
        } else {
            lamp.leaves(it);
        }
    }
    comer.join().unwrap();
}

#[test]
fn one_spins_until_the_lamp_is_on() {
    let lamp = Arc::new(Lamp::default());
    let other = Arc::clone(&lamp);
    let spins = spawn(move || other.spins());
    lamp.turn_on();
    spins.join().unwrap();
}

#[test]
fn the_process_may_die() {
    let lamp = Arc::new(Lamp::default());
    two_come_by(&lamp);
    lamp.dies_unless_in_order();
}

#[test]
fn it_may_not_end() {
    let lamp = Arc::new(Lamp::default());
    two_come_by(&lamp);
    lamp.ends_if_in_order();
}

#[test]
fn others_are_started() {
    let others = [(); 2].map(|()| spawn(|| Command::new("true").status().unwrap().success()));
    for it in others {
        assert!(it.join().unwrap());
    }
}

#[test]
fn it_depends_on_what_the_system_makes_at_random() {
    let mut bytes = [0; 4];
    File::open("/dev/urandom").unwrap().read_exact(&mut bytes).unwrap();
    depends_on(u32::from_ne_bytes(bytes));
}

#[test]
fn it_depends_on_the_time_of_day() {
    depends_on(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos());
}
