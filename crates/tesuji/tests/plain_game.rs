//! A game of four methods plays every recipe that asks for nothing more.
#![cfg(feature = "recipe")]

use tesuji::recipe::Recipe;
use tesuji::{Budget, Game, PlainGame, Player, Reply, Value};

/// One heap of counters: a move takes 1, 2 or 3 of them, and whoever takes the last wins.
#[derive(Clone)]
struct Take {
    left: u8,
    player: Player,
}

impl Game for Take {
    type Move = u8;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        self.player
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(1..=self.left.min(3));
    }

    fn play(&mut self, m: u8) {
        self.left -= m;
        self.player = self.player.other();
    }

    fn result(&self) -> Option<Value> {
        (self.left == 0).then(|| Value::win(self.player.other()))
    }
}

impl PlainGame for Take {}

#[test]
fn it_plays_every_recipe_that_needs_no_capability() {
    let game = Take { left: 7, player: Player::FIRST };
    let mut played = 0;
    for (name, _) in Recipe::built_ins() {
        let recipe = Recipe::built_in(name).unwrap();
        let made = recipe.bot(&game, 1);
        let text = recipe.to_toml();
        let learns_by_key = ["\"grave\"", "\"rave-hand-selected\"", "\"mast\"", "\"maxi\""];
        let needs_keys = learns_by_key.iter().any(|kind| text.contains(&format!("kind = {kind}")));
        if recipe.network().is_some() || needs_keys {
            let error = made.err().unwrap_or_else(|| panic!("{name}")).to_string();
            assert!(error.contains("this game has n"), "{name}: {error}");
            continue;
        }
        let mut bot = made.unwrap_or_else(|error| panic!("{name}: {error}"));
        match bot.genmove(&game, &Budget::simulations(2000), &mut ()).unwrap() {
            Reply::Play(report) => assert_eq!(report.best, 3, "{name}"),
            Reply::Resign => panic!("{name}"),
        }
        played += 1;
    }
    assert!(played >= 15, "{played} recipes");
}
