//! Permits that one function forgets and another one gives back: not where it fails, in any case, or by somebody else.

use std::sync::Arc;
use tokio::sync::Semaphore;

pub trait Fires: Send + Sync + 'static {
    fn heats(&self, pot: u32) -> Result<u32, String>;
}

/// Room in a kiln.
struct Shelves {
    free: Semaphore,
}

impl Shelves {
    async fn takes(&self) -> bool {
        match self.free.acquire().await {
            Ok(shelf) => {
                shelf.forget();
                true
            }
            Err(_) => false,
        }
    }

    fn empties(&self) {
        self.free.add_permits(1);
    }
}

pub struct Kiln<F> {
    fire: Arc<F>,
    shelves: Arc<Shelves>,
}

async fn bakes<F: Fires>(fire: Arc<F>, shelves: Arc<Shelves>, pot: u32) -> Result<u32, String> {
    let baked = fire.heats(pot)?;
    shelves.empties(); //~ semaphore warning
    Ok(baked)
}

impl<F: Fires> Kiln<F> {
    pub async fn bakes_all(&self, pots: Vec<u32>) {
        for pot in pots {
            if self.shelves.takes().await {
                tokio::spawn(bakes(self.fire.clone(), self.shelves.clone(), pot)); //~ lost-error warning
            }
        }
    }
}

/// Whether it fails or not.
struct Racks {
    free: Semaphore,
}

async fn dries<F: Fires>(fire: Arc<F>, racks: Arc<Racks>, pot: u32) -> Result<u32, String> {
    let dried = fire.heats(pot);
    racks.free.add_permits(1);
    dried
}

pub struct Yard<F> {
    fire: Arc<F>,
    racks: Arc<Racks>,
}

impl<F: Fires> Yard<F> {
    pub async fn dries_all(&self, pots: Vec<u32>) {
        for pot in pots {
            let Ok(rack) = self.racks.free.acquire().await else { return };
            rack.forget();
            tokio::spawn(dries(self.fire.clone(), self.racks.clone(), pot)); //~ lost-error warning
        }
    }
}

/// By who runs it, where it has failed.
struct Wheels {
    free: Semaphore,
}

async fn turns<F: Fires>(fire: Arc<F>, wheels: &Wheels, pot: u32) -> Result<u32, String> {
    let turned = fire.heats(pot)?;
    wheels.free.add_permits(1);
    Ok(turned)
}

pub struct Pottery<F> {
    fire: Arc<F>,
    wheels: Arc<Wheels>,
}

impl<F: Fires> Pottery<F> {
    pub async fn turns_one(&self, pot: u32) -> Option<u32> {
        self.wheels.free.acquire().await.ok()?.forget();
        match turns(self.fire.clone(), &self.wheels, pot).await {
            Ok(turned) => Some(turned),
            Err(_) => {
                self.wheels.free.add_permits(1);
                None
            }
        }
    }
}

/// By a task that has a handle of the semaphore alone.
pub struct Forge<F> {
    fire: Arc<F>,
    anvils: Arc<Semaphore>,
}

impl<F: Fires> Forge<F> {
    pub fn new(fire: Arc<F>, anvils: usize) -> Self {
        Forge { fire, anvils: Arc::new(Semaphore::new(anvils)) }
    }

    pub async fn strikes(&self, bar: u32) -> Option<tokio::task::JoinHandle<Result<u32, String>>> {
        let anvil = self.anvils.clone().acquire_owned().await.ok()?;
        anvil.forget();
        let (fire, anvils) = (self.fire.clone(), self.anvils.clone());
        Some(tokio::spawn(async move {
            let struck = fire.heats(bar)?;
            anvils.add_permits(1); //~ semaphore warning
            Ok(struck)
        }))
    }
}

/// The same, and the permit goes with the task.
pub struct Smithy<F> {
    fire: Arc<F>,
    anvils: Arc<Semaphore>,
}

impl<F: Fires> Smithy<F> {
    pub fn new(fire: Arc<F>, anvils: usize) -> Self {
        Smithy { fire, anvils: Arc::new(Semaphore::new(anvils)) }
    }

    pub async fn strikes(&self, bar: u32) -> Option<tokio::task::JoinHandle<Result<u32, String>>> {
        let anvil = self.anvils.clone().acquire_owned().await.ok()?;
        anvil.forget();
        let (fire, anvils) = (self.fire.clone(), self.anvils.clone());
        Some(tokio::spawn(async move {
            let struck = fire.heats(bar);
            anvils.add_permits(1);
            struck
        }))
    }
}

/// One body has both done by helpers, and fails between them.
pub struct Oven {
    free: Semaphore,
}

impl Oven {
    async fn opens(&self) -> Result<(), String> {
        let place = self.free.acquire().await.map_err(|_| String::new())?;
        place.forget();
        Ok(())
    }

    fn closes(&self) {
        self.free.add_permits(1);
    }

    pub async fn fires<F: Fires>(&self, fire: &F, pot: u32) -> Result<u32, String> {
        self.opens().await?;
        let fired = fire.heats(pot)?;
        self.closes(); //~ semaphore warning
        Ok(fired)
    }
}

/// The same, whether it fails or not.
pub struct Stove {
    free: Semaphore,
}

impl Stove {
    async fn opens(&self) -> Result<(), String> {
        let place = self.free.acquire().await.map_err(|_| String::new())?;
        place.forget();
        Ok(())
    }

    fn closes(&self) {
        self.free.add_permits(1);
    }

    pub async fn fires<F: Fires>(&self, fire: &F, pot: u32) -> Result<u32, String> {
        self.opens().await?;
        let fired = fire.heats(pot);
        self.closes();
        fired
    }
}

/// In a part of who has both done, and what fails is awaited.
struct Grates {
    free: Semaphore,
}

impl Grates {
    async fn opens(&self) -> Result<(), String> {
        let place = self.free.acquire().await.map_err(|_| String::new())?;
        place.forget();
        Ok(())
    }

    fn closes(&self) {
        self.free.add_permits(1);
    }
}

pub struct Bakery<F> {
    fire: F,
    grates: Grates,
}

impl<F: Fires> Bakery<F> {
    pub fn built(fire: F, room: usize) -> Arc<Bakery<F>> {
        let free = Semaphore::new(room);
        Arc::new(Bakery { fire, grates: Grates { free } })
    }

    pub async fn fires(&self, pot: u32) -> Result<(), String> {
        self.grates.opens().await?;
        self.heats(pot).await?;
        self.grates.closes(); //~ semaphore warning
        Ok(())
    }

    async fn heats(&self, pot: u32) -> Result<u32, String> {
        self.fire.heats(pot)
    }

    pub async fn fires_any(&self, pots: &[u32]) -> Result<u32, String> {
        for pot in pots {
            if self.fires(*pot).await.is_ok() {
                return Ok(*pot);
            }
        }
        Err(String::new())
    }
}

/// Given back by who calls it, where it has failed.
pub struct Foundry<F> {
    fire: F,
    grates: Ladles,
}

struct Ladles {
    free: Semaphore,
}

impl Ladles {
    async fn opens(&self) -> Result<(), String> {
        let place = self.free.acquire().await.map_err(|_| String::new())?;
        place.forget();
        Ok(())
    }

    fn closes(&self) {
        self.free.add_permits(1);
    }
}

impl<F: Fires> Foundry<F> {
    async fn fires(&self, pot: u32) -> Result<(), String> {
        self.grates.opens().await?;
        self.fire.heats(pot)?;
        self.grates.closes();
        Ok(())
    }

    pub async fn fires_any(&self, pots: &[u32]) {
        for pot in pots {
            if self.fires(*pot).await.is_err() {
                self.grates.closes();
            }
        }
    }
}
