//! The regret of bandit rules: what a search at one node loses because it tries worse moves, as
//! comma-separated values:
//!
//!     cargo run --release -p tesuji-games --example regret > results/uct/regret.csv
//!
//! Arm j wins with probability p_j, the best one with p*. The regret of n simulations is
//!
//! ```text
//! R_n = p* n - sum over j of p_j T_j(n),    T_j(n) the simulations of arm j
//! ```
//!
//! (Auer, Cesa-Bianchi and Fischer 2002), here a mean over seeds with its standard error. `slope`
//! is the rise of the mean per unit of ln n since the row before: it stays below a bound if the
//! regret is O(ln n), and grows with n if a fixed share of the simulations goes to worse arms.
//! `wrong` is the share of seeds in which the final move is not the best arm.

use tesuji::recipe::Recipe;
use tesuji::{Budget, Game, Keyed, Knowledge, Player, Playouts, Rng, Trace, Value};

/// Ten slot machines; what follows a choice is luck.
#[derive(Clone)]
struct Bandit {
    chosen: Option<usize>,
}

/// The probabilities of a win: the best arm is a tenth better than the next.
const ARMS: [f32; 10] = [0.5, 0.3, 0.4, 0.2, 0.6, 0.45, 0.35, 0.25, 0.4, 0.5];
const BEST: usize = 4;

impl Game for Bandit {
    type Move = u8;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        Player::FIRST
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(0..ARMS.len() as u8);
    }

    fn play(&mut self, m: u8) {
        self.chosen.get_or_insert(m.into());
    }

    fn result(&self) -> Option<Value> {
        None
    }
}

impl Keyed for Bandit {}

impl Playouts for Bandit {
    fn playout<T: Trace>(&mut self, rng: &mut Rng, _: &mut Vec<u8>, _: &mut T) -> Value {
        let arm = self.chosen.unwrap_or(0);
        Value::new(Player::FIRST, if rng.unit() < ARMS[arm] { 1.0 } else { 0.0 })
    }
}

impl Knowledge for Bandit {}

/// Name, search, and its exploration constant where it has one.
const RULES: [(&str, &str); 7] = [
    ("ucb1", "ucb1,depth=1"),
    ("ucb1-survey-equation", "uct-survey-equation,depth=1"),
    ("ucb1-c-0.7", "flat-ucb"),
    ("ucb1-c-0.3", "flat-ucb,select.c=0.3"),
    ("ucb1-tuned", "ucb1-tuned,depth=1"),
    ("epsilon-greedy-0.1", "epsilon-greedy"),
    ("flat", "flat-mc"),
];
const SIMULATIONS: [u64; 9] = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000];
const SEEDS: u64 = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("rule,recipe,simulations,seeds,regret,regret_se,slope,wrong");
    for (name, text) in RULES {
        let recipe = Recipe::parse(text)?;
        let mut last: Option<(f64, f64)> = None;
        for simulations in SIMULATIONS {
            let (mut regrets, mut wrong) = (Vec::new(), 0);
            for seed in 0..SEEDS {
                let game = Bandit { chosen: None };
                let mut search = recipe.search(&game, Rng::derive(simulations, seed))?;
                let report = search.run(&game, &Budget::simulations(simulations))?;
                let lost = |arm: usize| f64::from(ARMS[BEST] - ARMS[arm]);
                let children = report.children.iter();
                regrets.push(children.map(|c| f64::from(c.visits) * lost(c.m.into())).sum::<f64>());
                wrong += u64::from(usize::from(report.best) != BEST);
            }
            let count = SEEDS as f64;
            let mean = regrets.iter().sum::<f64>() / count;
            let variance = regrets.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0);
            let ln = (simulations as f64).ln();
            let slope =
                last.map_or(String::new(), |(x, before)| format!("{:.3}", (mean - before) / (ln - x)));
            last = Some((ln, mean));
            let (se, wrong) = ((variance / count).sqrt(), wrong as f64 / count);
            println!("{name},\"{text}\",{simulations},{SEEDS},{mean:.3},{se:.3},{slope},{wrong:.4}");
        }
    }
    Ok(())
}
