//! When to pass, and what to play if the search's move is not suitable.

use super::Move;
use super::judge::{Judgement, Status};
use crate::sgf::Point;
use tesuji::{Player, Report};

/// How far below the best move's value a move that captures dead stones may be and still be played
/// for it.
const CAPTURE_MARGIN: f32 = 0.1;

/// What the decision rests on besides the search. Scores are in half points from the side of
/// `player`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation {
    pub(super) player: Player,
    /// The last move was the opponent's pass: ours ends the game.
    pub(super) opponent_passed: bool,
    /// Dead stones are removed by agreement at the end.
    pub(super) agreement: bool,
    /// Dead stones of the opponent are to be captured before we pass.
    pub(super) cleanup: bool,
    /// The area count with every stone alive.
    pub(super) score: i32,
    /// The komi that we pay.
    pub(super) komi: i32,
}

impl Situation {
    /// Whether a pass ends the game with a win, certainly: the opponent has passed, and every stone
    /// counts as alive.
    pub(super) fn ends_won(&self) -> bool {
        self.opponent_passed && !self.agreement && !self.cleanup && self.score > 0
    }

    /// Whether passing wins, whatever the opponent does: all stones are settled, the count as it
    /// stands and the count without dead stones both win, even if every open point goes to the
    /// opponent. By agreement the count as it stands does not matter.
    pub(super) fn may_pass(&self, judged: &Judgement) -> bool {
        if !judged.settled || (self.cleanup && self.enemy_dead(judged).next().is_some()) {
            return false;
        }
        let sign = if self.player == Player::FIRST { 1 } else { -1 };
        let without_dead = 2 * sign * judged.area() - self.komi;
        let doubt = if self.opponent_passed { 0 } else { 4 * judged.open_points as i32 };
        without_dead > doubt && (self.agreement || self.score > doubt)
    }

    fn enemy_dead<'a>(&self, judged: &'a Judgement) -> impl Iterator<Item = Point> + 'a {
        let player = self.player;
        let enemy = judged.chains_of(Status::Dead).filter(move |chain| chain.player != player);
        enemy.flat_map(|chain| chain.liberties.iter().copied())
    }

    /// The move to play after a search.
    pub(super) fn choose(
        &self,
        report: &Report<Move>,
        judged: Option<&Judgement>,
        legal: impl Fn(Move) -> bool,
    ) -> Move {
        if judged.is_some_and(|j| self.may_pass(j)) {
            return None;
        }
        // The best tried move that is no pass.
        let point = |m: &Move| m.is_some() && legal(*m);
        let alternative = report.children.iter().find(|c| point(&c.m));
        // A move at a liberty of dead stones, where the win is not at stake.
        if let (Some(judged), Some(best)) = (judged, alternative)
            && (self.cleanup || (judged.settled && !self.agreement))
        {
            let capture = |p: &Point| {
                report
                    .children
                    .iter()
                    .find(|c| c.m == Some(*p))
                    .filter(|c| c.value >= best.value - CAPTURE_MARGIN)
            };
            let captures = self.enemy_dead(judged).filter(|p| legal(Some(*p))).filter_map(|p| capture(&p));
            if let Some(child) = captures.max_by_key(|c| c.visits) {
                return child.m;
            }
        }
        match report.best {
            // A pass may end the game as it stands: not while there is something to play for.
            None if self.score > 0 || self.agreement => None,
            m if m.is_some() && legal(m) => m,
            _ => alternative.and_then(|child| child.m),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Stones;
    use tesuji::ChildReport;

    fn report(moves: &[(&str, f32)]) -> Report<Move> {
        let m = |text: &str| if text == "pass" { None } else { Some(Point::parse(text, 5).unwrap()) };
        let child = |(i, &(text, value)): (usize, &(&str, f32))| ChildReport {
            m: m(text),
            visits: 100 - i as u32,
            value,
            prior: None,
            proven: None,
            variation: vec![m(text)],
        };
        Report {
            value: moves[0].1,
            variation: Vec::new(),
            children: moves.iter().enumerate().map(child).collect(),
            ..Report::unsearched(m(moves[0].0), String::new(), 0)
        }
    }

    /// Black's wall, with a dead white stone at A4, in front of White's territory.
    fn position() -> (Judgement, i32) {
        let stones = Stones::diagram("..XO. O.XO. ..XOO XXXO. ..XO.");
        let black: Vec<f32> = stones.points().map(|p| if p.column < 3 { 0.97 } else { 0.02 }).collect();
        let score = 2 * stones.area();
        (Judgement::new(stones, black), score)
    }

    fn situation(player: Player, score: i32) -> Situation {
        Situation { player, opponent_passed: false, agreement: false, cleanup: false, score, komi: 0 }
    }

    fn point(text: &str) -> Move {
        Some(Point::parse(text, 5).unwrap())
    }

    #[test]
    fn the_winner_passes_and_takes_dead_stones_first_where_they_count() {
        let (judged, score) = position();
        assert_eq!(judged.area(), 5);
        let black = situation(Player::FIRST, score);
        assert!(score <= 0 && !black.may_pass(&judged), "the dead stone still counts: {score}");
        let search = report(&[("pass", 0.9), ("A5", 0.9), ("B4", 0.85)]);
        assert_eq!(black.choose(&search, Some(&judged), |_| true), point("A5"));
        let agreed = Situation { agreement: true, ..black };
        assert!(agreed.may_pass(&judged));
        let cleanup = Situation { cleanup: true, score: 10, ..black };
        assert!(!cleanup.may_pass(&judged));
        assert_eq!(cleanup.choose(&search, Some(&judged), |m| m != point("A5")), point("B4"));
    }

    #[test]
    fn a_pass_that_ends_the_game_is_counted() {
        let won = Situation { opponent_passed: true, ..situation(Player::FIRST, 1) };
        assert!(won.ends_won());
        let lost = Situation { opponent_passed: true, ..situation(Player::SECOND, -1) };
        assert!(!lost.ends_won());
        let search = report(&[("pass", 0.0), ("E1", 0.0)]);
        assert_eq!(lost.choose(&search, None, |_| true), point("E1"));
        assert_eq!(lost.choose(&search, None, |m| m.is_none()), None);
        let drawn = Situation { opponent_passed: true, ..situation(Player::FIRST, 0) };
        assert!(!drawn.ends_won());
    }

    #[test]
    fn nobody_passes_in_doubt() {
        let stones = Stones::diagram("..XO. ..XO. ..XO. ..XO. ..XO.");
        let unsure = Judgement::new(stones.clone(), vec![0.6; 25]);
        assert!(!situation(Player::FIRST, 10).may_pass(&unsure));
        let sure = stones.points().map(|p| if p.column < 3 { 1.0 } else { 0.0 }).collect();
        let sure = Judgement::new(stones.clone(), sure);
        assert!(situation(Player::FIRST, 10).may_pass(&sure));
        assert!(!situation(Player::SECOND, -10).may_pass(&sure));
        // An open point that goes to the opponent costs two: Black leads by five.
        for (open, passes) in [(2, true), (3, false)] {
            let share = |p: Point| {
                if p.column == 0 && p.row < open { 0.5 } else { f32::from(u8::from(p.column < 3)) }
            };
            let judged = Judgement::new(stones.clone(), stones.points().map(share).collect());
            assert_eq!((judged.open_points, judged.area()), (open.into(), 5));
            assert_eq!(situation(Player::FIRST, 10).may_pass(&judged), passes, "{open}");
        }
    }

    #[test]
    fn an_illegal_best_move_is_never_played() {
        let search = report(&[("A1", 0.5), ("pass", 0.5), ("B2", 0.4)]);
        let chosen = situation(Player::FIRST, 0).choose(&search, None, |m| m != point("A1"));
        assert_eq!(chosen, point("B2"));
    }
}
