//! Services that wait for an answer of their own, among others who ask, too; and ones that ask another one of their kind.

use std::collections::HashMap;
use tokio::sync::{mpsc, oneshot};

// Everyone sends replies by the same call.
pub async fn weighs() {
    let (own, mut scale) = mpsc::unbounded_channel::<(u32, oneshot::Sender<u32>)>();
    let again = own.clone();
    tokio::spawn(async move {
        while let Some((weight, reply)) = scale.recv().await {
            let mut sum = weight;
            if weight > 9 {
                let (rest, weighed) = oneshot::channel();
                again.send((weight - 9, rest)).ok();
                sum += weighed.await.unwrap_or(0); //~ channel-deadlock warning
            }
            let _ = reply.send(sum);
        }
    });
    let (reply, weighed) = oneshot::channel();
    own.send((12, reply)).ok();
    println!("{:?}", weighed.await);
}

// By a handle whose methods others call.
pub enum Order {
    Cut(oneshot::Sender<u32>),
    Plane(oneshot::Sender<u32>),
}
#[derive(Clone)]
pub struct Bench {
    to: flume::Sender<Order>,
}
impl Bench {
    pub async fn cut(&self) -> u32 {
        let (done, length) = oneshot::channel();
        self.to.send(Order::Cut(done)).ok();
        length.await.unwrap_or(0)
    }
    pub async fn plane(&self) -> u32 {
        let (done, length) = oneshot::channel();
        self.to.send(Order::Plane(done)).ok();
        length.await.unwrap_or(0)
    }
}
pub struct Joiner {
    orders: flume::Receiver<Order>,
    bench: Bench,
}
impl Joiner {
    pub fn hire() -> Bench {
        let (to, orders) = flume::unbounded();
        let bench = Bench { to };
        tokio::spawn(Joiner { orders, bench: bench.clone() }.work());
        bench
    }
    async fn work(self) {
        while let Ok(order) = self.orders.recv_async().await {
            match order {
                Order::Cut(done) => drop(done.send(1)),
                Order::Plane(done) => {
                    let length = self.bench.cut().await; //~ channel-deadlock warning
                    let _ = done.send(length - 1);
                }
            }
        }
    }
}
pub async fn asks_a_joiner() -> u32 {
    let bench = Joiner::hire();
    bench.cut().await + bench.plane().await
}

// On threads.
pub struct Sum {
    parts: Vec<u32>,
    reply: std::sync::mpsc::Sender<u32>,
}
pub fn adds() -> std::sync::mpsc::Sender<Sum> {
    let (own, sums) = std::sync::mpsc::channel::<Sum>();
    let rest = own.clone();
    std::thread::spawn(move || {
        for mut sum in sums {
            let mut all = sum.parts.pop().unwrap_or(0);
            if !sum.parts.is_empty() {
                let (reply, added) = std::sync::mpsc::channel();
                rest.send(Sum { parts: sum.parts, reply }).unwrap();
                all += added.recv().unwrap(); //~ channel-deadlock warning
            }
            sum.reply.send(all).unwrap();
        }
    });
    own
}
pub fn added(sums: &std::sync::mpsc::Sender<Sum>) -> u32 {
    let (reply, added) = std::sync::mpsc::channel();
    sums.send(Sum { parts: vec![1, 2], reply }).unwrap();
    added.recv().unwrap()
}

// One asks the one above it.
pub enum Question {
    Own(oneshot::Sender<u32>),
    Above(oneshot::Sender<u32>),
}
#[derive(Clone)]
pub struct Desk {
    to: mpsc::Sender<Question>,
}
impl Desk {
    pub async fn own(&self) -> u32 {
        let (reply, answer) = oneshot::channel();
        self.to.send(Question::Own(reply)).await.ok();
        answer.await.unwrap_or(0)
    }
    pub async fn above(&self) -> u32 {
        let (reply, answer) = oneshot::channel();
        self.to.send(Question::Above(reply)).await.ok();
        answer.await.unwrap_or(0)
    }
}
pub fn opens(above: Option<Desk>) -> Desk {
    let (to, mut questions) = mpsc::channel(4);
    tokio::spawn(async move {
        while let Some(question) = questions.recv().await {
            match question {
                Question::Own(reply) => drop(reply.send(1)),
                Question::Above(reply) => {
                    let number = match &above {
                        Some(it) => it.own().await,
                        None => 0,
                    };
                    let _ = reply.send(number);
                }
            }
        }
    });
    Desk { to }
}
pub async fn opens_two() -> u32 {
    let first = opens(None);
    let second = opens(Some(first.clone()));
    first.own().await + second.above().await
}

// One asks those that it hears of.
pub enum Call {
    Neighbour(u32, mpsc::Sender<Call>),
    Ask(u32, oneshot::Sender<u32>),
    Own(oneshot::Sender<u32>),
}
pub fn listens() -> mpsc::Sender<Call> {
    let (to, mut calls) = mpsc::channel(4);
    tokio::spawn(async move {
        let mut neighbours: HashMap<u32, mpsc::Sender<Call>> = HashMap::new();
        while let Some(call) = calls.recv().await {
            match call {
                Call::Neighbour(number, to) => drop(neighbours.insert(number, to)),
                Call::Own(reply) => drop(reply.send(1)),
                Call::Ask(number, reply) => {
                    let Some(to) = neighbours.get(&number) else { continue };
                    let (own, answer) = oneshot::channel();
                    to.send(Call::Own(own)).await.ok();
                    let _ = reply.send(answer.await.unwrap_or(0));
                }
            }
        }
    });
    to
}
pub async fn connects() -> Option<u32> {
    let (first, second) = (listens(), listens());
    first.send(Call::Neighbour(2, second)).await.ok();
    let (reply, answer) = oneshot::channel();
    first.send(Call::Ask(2, reply)).await.ok();
    answer.await.ok()
}

// Two are asked by one function, and one asks the other.
pub enum Weather {
    Wind(flume::Sender<u32>),
    Close,
}
pub enum Tide {
    Height(flume::Sender<u32>),
    Safe(flume::Sender<u32>),
    Close,
}
fn hears<M>(of: &flume::Sender<M>, question: impl FnOnce(flume::Sender<u32>) -> M) -> u32 {
    let (reply, answer) = flume::bounded(1);
    of.send(question(reply)).ok();
    answer.recv().unwrap()
}
pub fn watches() -> u32 {
    let (weather, of_weather) = flume::unbounded();
    let (tide, of_tide) = flume::unbounded();
    let wind = weather.clone();
    let weather_thread = std::thread::spawn(move || {
        while let Ok(question) = of_weather.recv() {
            match question {
                Weather::Wind(reply) => reply.send(4).unwrap(),
                Weather::Close => return,
            }
        }
    });
    let tide_thread = std::thread::spawn(move || {
        while let Ok(question) = of_tide.recv() {
            match question {
                Tide::Height(reply) => reply.send(2).unwrap(),
                Tide::Safe(reply) => reply.send(hears(&wind, Weather::Wind)).unwrap(),
                Tide::Close => return,
            }
        }
    });
    let all = hears(&tide, Tide::Safe) + hears(&tide, Tide::Height) + hears(&weather, Weather::Wind);
    tide.send(Tide::Close).ok();
    weather.send(Weather::Close).ok();
    tide_thread.join().unwrap();
    weather_thread.join().unwrap();
    all
}

// What it is given has nothing to do with its mailbox.
pub trait Maps: Send + 'static {
    fn roads(&self, from: u32) -> Vec<u32>;
}
pub struct Walker<M> {
    maps: M,
    places: mpsc::Receiver<u32>,
    again: mpsc::Sender<u32>,
}
impl<M: Maps> Walker<M> {
    pub fn sets_out(maps: M, room: usize) -> mpsc::Sender<u32> {
        let (again, places) = mpsc::channel(room);
        tokio::spawn(Walker { maps, places, again: again.clone() }.walks());
        again
    }
    async fn walks(mut self) {
        while let Some(place) = self.places.recv().await {
            for road in self.maps.roads(place) {
                if self.again.send(road).await.is_err() { //~ channel-deadlock warning
                    return;
                }
            }
        }
    }
}

// Each is given a line of its own to one who sends on all of them.
pub fn rings(many: usize, room: usize) -> crossbeam_channel::Sender<usize> {
    let (desk, calls) = crossbeam_channel::bounded::<usize>(room);
    let mut lines = Vec::new();
    for number in 0..many {
        let (line, rung) = crossbeam_channel::bounded::<usize>(room);
        lines.push(line);
        let back = desk.clone();
        std::thread::spawn(move || {
            while let Ok(call) = rung.recv() {
                if back.send(call + number).is_err() {
                    break;
                }
            }
        });
    }
    std::thread::spawn(move || {
        while let Ok(call) = calls.recv() {
            if lines[call % lines.len()].send(call).is_err() { //~ channel-deadlock warning
                break;
            }
        }
    });
    desk
}

// The one who sends on all of them does not wait.
pub fn rings_on(many: usize, room: usize) -> crossbeam_channel::Sender<usize> {
    let (desk, calls) = crossbeam_channel::bounded::<usize>(room);
    let mut lines = Vec::new();
    for number in 0..many {
        let (line, rung) = crossbeam_channel::bounded::<usize>(room);
        lines.push(line);
        let back = desk.clone();
        std::thread::spawn(move || {
            while let Ok(call) = rung.recv() {
                if back.send(call + number).is_err() {
                    break;
                }
            }
        });
    }
    std::thread::spawn(move || {
        while let Ok(call) = calls.recv() {
            if lines[call % lines.len()].try_send(call).is_err() {
                println!("busy");
            }
        }
    });
    desk
}
