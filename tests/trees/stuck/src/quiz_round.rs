//! After h2oai/datatable#2521: some threads had arrived at a barrier while another one left by an exception.
//!
//! A team without a name leaves with an error, and the others wait at the start of the round for all teams.
//!
//! expect: partial-deadlock; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use tokio::sync::Barrier;

    async fn play(team: &str, start: &Barrier) -> Result<usize, String> {
        if team.is_empty() {
            return Err("a team without a name".into());
        }
        start.wait().await; // stuck here
        Ok(team.len())
    }

    pub fn round(teams: [&'static str; 3]) {
        let start = Arc::new(Barrier::new(teams.len()));
        for team in teams {
            let start = Arc::clone(&start);
            tokio::spawn(async move { println!("{:?}", play(team, &start).await) });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use tokio::sync::Barrier;

    async fn play(team: &str, start: &Barrier) -> Result<usize, String> {
        start.wait().await;
        if team.is_empty() {
            return Err("a team without a name".into());
        }
        Ok(team.len())
    }

    pub fn round(teams: [&'static str; 3]) {
        let start = Arc::new(Barrier::new(teams.len()));
        for team in teams {
            let start = Arc::clone(&start);
            tokio::spawn(async move { println!("{:?}", play(team, &start).await) });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_quiz_round() {
        super::stuck::round(["Owls", "", "Larks"]);
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_quiz_round() {
        super::fixed::round(["Owls", "", "Larks"]);
        sleep(Duration::from_millis(10)).await;
    }
}
