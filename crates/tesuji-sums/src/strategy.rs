//! Strategies for sums, from thermographs.

use crate::analysis::{Analysis, Part};
use crate::component::Component;
use crate::dyadic::Dyadic;
use crate::sum::Sum;
use crate::sum_move::SumMove;
use std::fmt;
use std::str::FromStr;
use tesuji::{Game, Player, Rng};

/// A strategy for the choice of a move in a sum.
///
/// Within a component, strategies by temperature take the option that attains the player's
/// scaffold, at the component's temperature or the ambient one. Ties go to the first component and
/// option; among widths, to the hottest component first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Each move with the same probability.
    Random,
    /// The move that changes the score most at once: by its gain, and by the value of the component
    /// if it ends.
    Greedy,
    /// The component of the highest temperature (Berlekamp, Conway and Guy 1982, chapter 6).
    Hotstrat,
    /// The component whose thermograph is widest at the ambient temperature. With Left to move,
    /// this is the lowest temperature that maximizes the sum of all right walls plus the largest
    /// width; with Right to move, it is mirrored. Its loss against perfect play is at most the
    /// largest temperature (Berlekamp, Conway and Guy 1982, chapter 6). If no width is left at that
    /// temperature, it moves as hotstrat.
    Thermostrat,
    /// Answers in the component where the opponent has just moved, if it is now hotter than the
    /// ambient temperature; otherwise moves as hotstrat. The ambient temperature is the lowest
    /// temperature that a hottest component had at this strategy's own choices (Berlekamp, *The
    /// economist's view of combinatorial games*, 1996).
    Sentestrat,
}

impl Strategy {
    /// Every strategy.
    pub const ALL: [Strategy; 5] =
        [Strategy::Random, Strategy::Greedy, Strategy::Hotstrat, Strategy::Thermostrat, Strategy::Sentestrat];

    /// Its name in small letters.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Random => "random",
            Strategy::Greedy => "greedy",
            Strategy::Hotstrat => "hotstrat",
            Strategy::Thermostrat => "thermostrat",
            Strategy::Sentestrat => "sentestrat",
        }
    }

    /// A description in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Strategy::Random => "uniformly random moves",
            Strategy::Greedy => "sums: the move that gains most at once",
            Strategy::Hotstrat => "sums: the hottest component",
            Strategy::Thermostrat => "sums: the component that is widest at the ambient temperature",
            Strategy::Sentestrat => "sums: answers hot threats, otherwise the hottest component",
        }
    }

    /// The move of this strategy in `sum`, which is not over; `analysis` is that of the sum or of
    /// an earlier position, `memory` what the strategy keeps from move to move of one game.
    ///
    /// Takes time linear in the components and options; thermostrat in the product of the
    /// components and the breakpoints of all.
    ///
    /// # Panics
    /// If the game is over, or the analysis that of another sum.
    pub fn choose<C: Component>(
        self,
        analysis: &Analysis,
        sum: &Sum<C>,
        memory: &mut StrategyMemory,
        rng: &mut Rng,
    ) -> SumMove<C::Move> {
        if self == Strategy::Random {
            let mut moves = Vec::new();
            sum.moves(&mut moves);
            return moves[rng.below(moves.len() as u32) as usize];
        }
        let player = sum.to_move();
        let positions = analysis.positions(sum);
        let live = sum.components().iter().enumerate().filter(|(_, component)| component.end().is_none());
        let view = View {
            player,
            live: live
                .map(|(i, _)| Live { component: i, part: &analysis.parts()[i], at: positions[i] })
                .collect(),
        };
        let hottest = view.hottest();
        let (live, tax) = match self {
            Strategy::Random | Strategy::Hotstrat => (hottest, hottest.temperature()),
            Strategy::Greedy => {
                let (component, option) = view.greediest();
                return Analysis::option(sum, player, component, option);
            }
            Strategy::Thermostrat => view.widest(),
            Strategy::Sentestrat => {
                let answer = view.live.iter().find(|live| {
                    memory.moved == Some(live.component)
                        && memory.ambient.is_some_and(|ambient| live.temperature() > ambient)
                });
                if answer.is_none() {
                    let ambient = hottest.temperature();
                    memory.ambient = Some(memory.ambient.map_or(ambient, |before| before.min(ambient)));
                }
                let live = *answer.unwrap_or(&hottest);
                (live, live.temperature())
            }
        };
        Analysis::option(sum, player, live.component, live.best(player, tax))
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text names no strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownStrategy(pub String);

impl fmt::Display for UnknownStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Strategy::ALL.map(Strategy::name).join(", ");
        write!(f, "unknown strategy {:?}; accepted are {names}", self.0)
    }
}

impl std::error::Error for UnknownStrategy {}

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Strategy, UnknownStrategy> {
        let found = Strategy::ALL.into_iter().find(|strategy| strategy.name() == text);
        found.ok_or_else(|| UnknownStrategy(text.to_owned()))
    }
}

/// The memory of [`Strategy::Sentestrat`] during a game; the others keep nothing. One memory serves
/// one player.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StrategyMemory {
    ambient: Option<Dyadic>,
    /// Where the last move was made.
    moved: Option<usize>,
}

impl StrategyMemory {
    /// Somebody has moved in this component.
    pub fn moved(&mut self, component: usize) {
        self.moved = Some(component);
    }
}

/// A component that goes on.
#[derive(Clone, Copy)]
struct Live<'a> {
    component: usize,
    part: &'a Part,
    at: usize,
}

impl Live<'_> {
    fn temperature(&self) -> Dyadic {
        self.part.thermographs[self.at].temperature()
    }

    fn wall(&self, first: Player, t: Dyadic) -> Dyadic {
        self.part.thermographs[self.at].wall(first, t)
    }

    /// What the player has more for moving first, at a tax of `t`.
    fn width(&self, t: Dyadic) -> Dyadic {
        self.wall(Player::FIRST, t) - self.wall(Player::SECOND, t)
    }

    /// The options of the player, with what each is worth to the player by `value`, a function of
    /// gain and position; the best.
    fn best_by(&self, player: Player, value: impl Fn(i64, usize) -> Dyadic) -> (Dyadic, usize) {
        let options = &self.part.graph.positions()[self.at].options[player.index()];
        let values = options.iter().enumerate().map(|(i, &(gain, option))| (value(gain, option), i));
        let best = values.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.expect("a player can move in every component that goes on")
    }

    /// The option that attains the player's scaffold at a tax of `t`.
    fn best(&self, player: Player, t: Dyadic) -> usize {
        let walls = |gain: i64, option: usize| {
            Dyadic::from(gain) + sign(player, self.part.thermographs[option].wall(player.other(), t))
        };
        self.best_by(player, walls).1
    }
}

/// What is worth `x` to Left, as `player` sees it.
fn sign(player: Player, x: Dyadic) -> Dyadic {
    if player == Player::FIRST { x } else { -x }
}

struct View<'a> {
    player: Player,
    live: Vec<Live<'a>>,
}

impl<'a> View<'a> {
    /// The first component with the largest of these.
    fn first_best<K: Ord>(&self, key: impl Fn(&Live<'a>) -> K) -> Live<'a> {
        let best = self.live.iter().reduce(|best, next| if key(next) > key(best) { next } else { best });
        *best.expect("the game goes on")
    }

    fn hottest(&self) -> Live<'a> {
        self.first_best(Live::temperature)
    }

    /// The component and option of [`Strategy::Greedy`].
    fn greediest(&self) -> (usize, usize) {
        let best = |live: &Live<'a>| {
            live.best_by(self.player, |gain, option| {
                let end = live.part.graph.positions()[option].end;
                Dyadic::from(gain) + end.map_or(Dyadic::ZERO, |end| sign(self.player, end))
            })
        };
        let live = self.first_best(|live| best(live).0);
        (live.component, best(&live).1)
    }

    /// The component that is widest at the ambient temperature, and the tax at which to choose its
    /// option.
    fn widest(&self) -> (Live<'a>, Dyadic) {
        let walls = self.live.iter().flat_map(|live| {
            let thermograph = &live.part.thermographs[live.at];
            [Player::FIRST, Player::SECOND].map(|first| thermograph.breakpoints(first))
        });
        let mut temperatures: Vec<Dyadic> = walls.flatten().map(|(t, _)| t).collect();
        temperatures.sort_unstable();
        temperatures.dedup();
        // Between breakpoints of any wall the compound wall is convex: its maximum lies at one of
        // them.
        let compound = |t: Dyadic| {
            let others: Dyadic =
                self.live.iter().map(|live| sign(self.player, live.wall(self.player.other(), t))).sum();
            others + self.live.iter().map(|live| live.width(t)).max().unwrap_or_default()
        };
        let best = temperatures.into_iter().map(|t| (compound(t), t));
        let best = best.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let (_, ambient) = best.expect("the game goes on");
        let live = self.first_best(|live| (live.width(ambient), live.temperature()));
        (live, ambient.min(live.temperature()))
    }
}
