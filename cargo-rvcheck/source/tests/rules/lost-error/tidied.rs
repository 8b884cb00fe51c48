//! Errors of calls that tidy up behind the work, and of calls that are a part of it: another call of the same function reports its error.

pub enum Spoilt {
    Fogged(u8),
    Torn,
}

pub struct Darkroom {
    baths: u8,
}

impl Darkroom {
    async fn rinse(&mut self, bath: u8) -> Result<(), Spoilt> {
        tokio::task::yield_now().await;
        self.baths += 1;
        if bath > self.baths { Err(Spoilt::Fogged(bath)) } else { Ok(()) }
    }

    async fn expose(&mut self, seconds: u8) -> Result<Option<u8>, Spoilt> {
        tokio::task::yield_now().await;
        if seconds > 60 { Err(Spoilt::Torn) } else { Ok(Some(seconds)) }
    }

    pub async fn gives_the_print_behind_it(&mut self) -> Result<Option<u8>, Spoilt> {
        self.rinse(1).await?;
        let print = self.expose(8).await;
        let _ = self.rinse(2).await;
        print
    }

    pub async fn until_a_print_is_there(&mut self) -> Result<u8, Spoilt> {
        loop {
            self.rinse(1).await?;
            let print = self.expose(8).await;
            let _ = self.rinse(2).await; //~ lost-error note
            if let Some(print) = print? {
                return Ok(print);
            }
        }
    }

    pub async fn where_the_print_is_spoilt(&mut self) -> Result<u8, Spoilt> {
        self.rinse(1).await?;
        for seconds in 1..4 {
            match self.expose(seconds).await {
                Ok(print) => return Ok(print.unwrap_or_default()),
                Err(_) => {
                    println!("again");
                    let _ = self.rinse(2).await; //~ lost-error note
                }
            }
        }
        Ok(0)
    }

    pub async fn before_the_print(&mut self) -> Result<Option<u8>, Spoilt> {
        self.rinse(1).await?;
        let _ = self.rinse(2).await; //~ lost-error warning
        self.expose(8).await
    }

    pub async fn behind_a_print_that_is_fine(&mut self) -> Result<Option<u8>, Spoilt> {
        self.rinse(1).await?;
        let print = self.expose(8).await?;
        let _ = self.rinse(2).await; //~ lost-error warning
        Ok(print)
    }
}

trait Sink {
    async fn drain(&mut self, litres: u8) -> Result<(), Spoilt>;
}

impl Sink for Darkroom {
    async fn drain(&mut self, litres: u8) -> Result<(), Spoilt> {
        self.rinse(litres).await
    }
}

pub async fn through_a_trait(room: &mut Darkroom) -> Result<u8, Spoilt> {
    Sink::drain(room, 1).await?;
    let before = room.baths;
    let _ = Sink::drain(room, 2).await; //~ lost-error warning
    Ok(room.baths - before)
}

pub async fn through_a_trait_behind_the_work(room: &mut Darkroom) -> Result<u8, Spoilt> {
    Sink::drain(room, 1).await?;
    let print = room.expose(3).await.map(|it| it.unwrap_or(1));
    let _ = Sink::drain(room, 2).await; //~ lost-error note
    Ok(print? + 1)
}
