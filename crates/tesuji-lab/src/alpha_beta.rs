//! Minimax to a depth as an agent.

use crate::error::{LabError, faults};
use std::fmt;
use tesuji::recipe::words;
use tesuji::{AlphaBeta, Bot, BotError, Budget, Observer, Outcome, Player, Reply, Rng, SearchGame, Value};

/// The agent `alpha-beta,depth=4,samples=8`: minimax to a depth with alpha-beta and iterative
/// deepening (Knuth and Moore 1975). An unfinished game at that depth is worth the mean of some
/// uniform playouts, a utility that every game has.
///
/// A visited position counts as a simulation of the budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlphaBetaSpec {
    /// The moves it looks ahead, 1 to 1000. Default 4.
    pub depth: u32,
    /// The playouts from each position at that depth, 0 to 10 000. With 0, such a position counts
    /// as a draw. Default 8.
    pub samples: u32,
}

impl Default for AlphaBetaSpec {
    fn default() -> AlphaBetaSpec {
        AlphaBetaSpec { depth: 4, samples: 8 }
    }
}

impl AlphaBetaSpec {
    /// The first word of the agent.
    pub const NAME: &'static str = "alpha-beta";
    /// What it is, in a few words.
    pub const ABOUT: &'static str =
        "minimax to a depth, there the mean of playouts: alpha-beta,depth=4,samples=8";

    pub(crate) fn parse(text: &str) -> Result<AlphaBetaSpec, LabError> {
        let mut spec = AlphaBetaSpec::default();
        let rest = text[AlphaBetaSpec::NAME.len()..].trim_start_matches(',');
        for word in words(rest).filter(|word| !word.is_empty()) {
            let fault = || AlphaBetaError::Word { word: word.to_owned() };
            let (key, value) = word.split_once('=').ok_or_else(fault)?;
            let (place, range) = match key.trim() {
                "depth" => (&mut spec.depth, 1..=1000),
                "samples" => (&mut spec.samples, 0..=10_000),
                _ => return Err(fault().into()),
            };
            let number = value.trim().parse().ok();
            *place = number.filter(|number| range.contains(number)).ok_or_else(fault)?;
        }
        Ok(spec)
    }
}

impl fmt::Display for AlphaBetaSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},depth={},samples={}", AlphaBetaSpec::NAME, self.depth, self.samples)
    }
}

faults! {
    /// Why a text names no [`AlphaBetaSpec`].
    AlphaBetaError {
        Word { word: String } => "alpha-beta: {word:?}; accepted: depth=1 to 1000, samples=0 to 10000",
    }
}

/// The player of an [`AlphaBetaSpec`].
#[derive(Clone, Debug)]
pub(crate) struct AlphaBetaBot {
    spec: AlphaBetaSpec,
    rng: Rng,
}

impl AlphaBetaBot {
    pub(crate) fn new(spec: AlphaBetaSpec) -> AlphaBetaBot {
        AlphaBetaBot { spec, rng: Rng::new(0) }
    }
}

impl<G: SearchGame<Outcome = Value>> Bot<G> for AlphaBetaBot {
    fn name(&self) -> String {
        self.spec.to_string()
    }

    fn new_game(&mut self, _: &G, seed: u64) -> Result<(), BotError> {
        self.rng = Rng::new(seed);
        Ok(())
    }

    fn played(&mut self, _: G::Move, _: &G) -> Result<(), BotError> {
        Ok(())
    }

    fn genmove(
        &mut self,
        game: &G,
        budget: &Budget,
        observer: &mut dyn Observer<G::Move>,
    ) -> Result<Reply<G::Move>, BotError> {
        let (samples, rng, mut buffer) = (self.spec.samples, &mut self.rng, Vec::new());
        let mean = |position: &G| {
            let mut sum = 0.0;
            for _ in 0..samples {
                sum += position.clone().playout(rng, &mut buffer, &mut ()).of(Player::FIRST);
            }
            // One more half of a win: wins of all playouts are no proof.
            Value::new(Player::FIRST, (sum + 0.5) / (samples as f32 + 1.0))
        };
        AlphaBeta::new(self.spec.depth, mean).genmove(game, budget, observer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji::{Game, Notation, alpha_beta};
    use tesuji_games::{ConnectFour, TicTacToe};

    fn best<G: SearchGame<Outcome = Value>>(spec: &str, game: &G) -> (G::Move, f32) {
        let mut bot = AlphaBetaBot::new(AlphaBetaSpec::parse(spec).unwrap());
        Bot::<G>::new_game(&mut bot, game, 3).unwrap();
        let Reply::Play(report) = bot.genmove(game, &Budget::default(), &mut ()).unwrap() else { panic!() };
        (report.best, report.value)
    }

    #[test]
    fn it_sees_to_the_end_of_a_short_game_and_no_further_than_its_depth() {
        let game = TicTacToe::new();
        assert_eq!(best("alpha-beta,depth=9,samples=0", &game).1, alpha_beta(&game).value.of(Player::FIRST));
        // Three in a column; the fourth wins at once, and depth 1 sees it.
        let mut game = ConnectFour::new();
        let mut moves = Vec::new();
        for column in [3, 0, 3, 1, 3, 1] {
            moves.clear();
            game.moves(&mut moves);
            game.play(moves[column]);
        }
        moves.clear();
        game.moves(&mut moves);
        let (m, value) = best("alpha-beta,depth=1", &game);
        assert_eq!((game.move_text(m), value), (game.move_text(moves[3]), 1.0));
    }

    #[test]
    fn the_seed_decides_and_numbers_have_ranges() {
        let game = ConnectFour::new();
        assert_eq!(best("alpha-beta,depth=2", &game), best("alpha-beta,depth=2,samples=8", &game));
        assert_eq!(
            AlphaBetaSpec::parse("alpha-beta,samples=3").unwrap().to_string(),
            "alpha-beta,depth=4,samples=3"
        );
        for word in ["depth=0", "samples=-1", "c=2", "depth"] {
            let error = AlphaBetaSpec::parse(&format!("alpha-beta,{word}")).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains("depth=1 to 1000"), "{error}");
        }
    }
}
