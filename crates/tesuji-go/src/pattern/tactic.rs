//! What a move does to chains, as a word that stands where a pattern does.

use crate::board::Board;
use crate::go::Go;
use crate::network::flat_board::{FlatBoard, NOWHERE};
use crate::network::ladder::LadderSearch;
use std::fmt;
use std::str::FromStr;
use tesuji::Game;

/// Most points of a board.
pub(super) const POINTS: usize = 19 * 19;

/// What a move does to chains, or where it is. A chain in atari has one liberty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tactic {
    /// `capture`: it takes a chain in atari.
    Capture,
    /// `escape`: it extends an own chain in atari, and is no self-atari.
    Escape,
    /// `atari`: it puts a chain of two liberties into atari.
    Atari,
    /// `ladder`: it begins a ladder that captures a chain of two liberties.
    Ladder,
    /// `self-atari`: it leaves its own chain in atari and captures nothing.
    SelfAtari,
    /// `near`: it is one of the eight points around the last move.
    Near,
}

/// The words of a point, a bit each.
pub(super) type Marks = [u8; POINTS];

impl Tactic {
    /// All of them.
    pub const ALL: [Tactic; 6] =
        [Tactic::Capture, Tactic::Escape, Tactic::Atari, Tactic::Ladder, Tactic::SelfAtari, Tactic::Near];

    fn word(self) -> &'static str {
        match self {
            Tactic::Capture => "capture",
            Tactic::Escape => "escape",
            Tactic::Atari => "atari",
            Tactic::Ladder => "ladder",
            Tactic::SelfAtari => "self-atari",
            Tactic::Near => "near",
        }
    }

    /// Whether the marks of a point have it.
    #[inline]
    pub(super) fn is_in(self, marks: u8) -> bool {
        marks >> self as u8 & 1 == 1
    }

    /// What the player to move can do at each point, by the points' numbers. Ladders take the most
    /// time, and are looked for only if asked for.
    pub(super) fn of_points<const STRIDE: usize, const LEN: usize>(
        game: &Go<STRIDE, LEN>,
        with_ladders: bool,
    ) -> Marks {
        let mut marks = [0; POINTS];
        match game.to_move().index() {
            0 => mark::<0, STRIDE, LEN>(&game.board, &mut marks),
            _ => mark::<1, STRIDE, LEN>(&game.board, &mut marks),
        }
        let board = &game.board;
        let last = game.last_point();
        if last != 0 {
            let around = Board::<STRIDE, LEN>::orthogonal(last).into_iter();
            for v in around.chain(Board::<STRIDE, LEN>::diagonal(last)).filter(|&v| board.is_empty(v)) {
                marks[board.number_of(v)] |= 1 << Tactic::Near as u8;
            }
        }
        if with_ladders {
            mark_ladders(game, &mut marks);
        }
        marks
    }
}

fn mark<const C: usize, const STRIDE: usize, const LEN: usize>(
    board: &Board<STRIDE, LEN>,
    marks: &mut Marks,
) {
    let mut set = |v: usize, tactic: Tactic| marks[board.number_of(v)] |= 1 << tactic as u8;
    let mut seen = [false; LEN];
    for v in board.points() {
        if board.colour(v) > 1 || seen[v] {
            continue;
        }
        board.chain_of(v).for_each(|stone| seen[stone] = true);
        let is_own = board.colour(v) == C as u8;
        match board.liberties_to_two(v) {
            (Some(liberty), None) if !is_own => set(liberty, Tactic::Capture),
            (Some(liberty), None)
                if board.is_playable::<C>(liberty) && !board.is_self_atari::<C>(liberty) =>
            {
                set(liberty, Tactic::Escape);
            }
            (Some(first), Some(second)) if !is_own => {
                set(first, Tactic::Atari);
                set(second, Tactic::Atari);
            }
            _ => {}
        }
    }
    for v in board.empties().iter().map(|&v| usize::from(v)) {
        if board.is_playable::<C>(v) && board.is_self_atari::<C>(v) {
            set(v, Tactic::SelfAtari);
        }
    }
}

fn mark_ladders<const STRIDE: usize, const LEN: usize>(game: &Go<STRIDE, LEN>, marks: &mut Marks) {
    let own = game.to_move().index() as u8;
    let mut board = FlatBoard::new(game.size());
    board.copy(game);
    LadderSearch::default().each(&mut board, |board, chain, ladder| {
        if board.stone(chain[0].into()) != own {
            for cell in ladder.moves.into_iter().filter(|&cell| cell != NOWHERE) {
                marks[board.number(cell)] |= 1 << Tactic::Ladder as u8;
            }
        }
    });
}

impl fmt::Display for Tactic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Tactic {
    type Err = ();

    fn from_str(text: &str) -> Result<Tactic, ()> {
        Tactic::ALL.into_iter().find(|tactic| tactic.word() == text).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Go9, Rules, Vertex};
    use tesuji::{Player, Playouts, Rng};

    /// The position of these rows, the upper one first; X is to move.
    fn read(rows: &[&str]) -> Go9 {
        let mut game = Go9::new(rows.len(), Rules::default());
        let mut stones = Vec::new();
        for (row, text) in rows.iter().rev().enumerate() {
            for (column, letter) in text.chars().enumerate() {
                let player = match letter {
                    'X' => Player::FIRST,
                    'O' => Player::SECOND,
                    _ => continue,
                };
                stones.push((game.vertex(column, row).unwrap(), Some(player)));
            }
        }
        game.set_up(&stones).unwrap();
        game
    }

    /// The points with this tactic.
    fn points(game: &Go9, tactic: Tactic) -> Vec<String> {
        let marks = Tactic::of_points(game, true);
        let has = |v: &Vertex<10>| {
            let number = v.row().unwrap() * game.size() + v.column().unwrap();
            game.stone(*v).is_none() && tactic.is_in(marks[number])
        };
        game.points().filter(has).map(|v| v.to_string()).collect()
    }

    #[test]
    fn each_word_names_its_moves() {
        let game = read(&[
            ".....", //
            ".XO..", "XO...", ".X...", ".....",
        ]);
        assert_eq!(points(&game, Tactic::Capture), ["C3"]);
        assert_eq!(points(&game, Tactic::Escape), [""; 0]);
        assert_eq!(points(&game, Tactic::Near), [""; 0]);
        let game = read(&[
            ".....", //
            ".OX..", "OX...", ".O...", ".....",
        ]);
        assert_eq!(points(&game, Tactic::Escape), ["C3"]);
        assert_eq!(points(&game, Tactic::SelfAtari), ["A2", "A4"]);
        let game = read(&["OX...", ".....", ".....", ".....", "....."]);
        assert_eq!(points(&game, Tactic::Capture), ["A4"]);
        let game = read(&[".XO..", "..X..", ".....", ".....", "....."]);
        assert_eq!(points(&game, Tactic::Capture), ["D5"]);
        let game = read(&[".....", ".XX..", ".XO..", "..X..", "....."]);
        assert_eq!(points(&game, Tactic::Capture), ["D3"]);
    }

    #[test]
    fn a_ladder_begins_on_the_side_that_works() {
        let rows = [".......", ".......", "...X...", "..XO...", "..X....", ".......", "......."];
        assert_eq!(points(&read(&rows), Tactic::Atari), ["D3", "E4"]);
        assert_eq!(points(&read(&rows), Tactic::Ladder), ["E4"]);
        let broken = rows.iter().enumerate().map(|(i, row)| if i == 5 { "....O.." } else { row });
        assert_eq!(points(&read(&broken.collect::<Vec<_>>()), Tactic::Ladder), [""; 0]);
    }

    /// The words of a move of a search, by what the board is after it.
    fn by_play(game: &Go9, v: Vertex<10>) -> Vec<Tactic> {
        let (at, own) = (usize::from(v.index()), game.to_move());
        let mut after = game.clone();
        after.play(v);
        let stones = |game: &Go9| game.board.stones()[own.other().index()];
        let count = |game: &Go9, n: usize| match game.board.liberties_to_two(n) {
            (None, _) => 3,
            (_, None) => 1,
            _ => 2,
        };
        let beside = |player: Player, before: usize, now: usize| {
            let is_one = |&n: &usize| usize::from(game.board.colour(n)) == player.index();
            let stays = |&n: &usize| after.board.colour(n) == game.board.colour(n);
            let mut chains = Board::<10, 112>::orthogonal(at).into_iter().filter(is_one);
            chains.any(|n| count(game, n) == before && stays(&n) && count(&after, n) == now)
        };
        let captures = stones(&after) < stones(game);
        let is_self_atari = count(&after, at) == 1 && !captures;
        let escapes = !is_self_atari && [1, 2, 3].iter().any(|&now| beside(own, 1, now));
        let all = [
            (Tactic::Capture, captures),
            (Tactic::Escape, escapes),
            (Tactic::Atari, beside(own.other(), 2, 1)),
            (Tactic::SelfAtari, is_self_atari),
        ];
        all.into_iter().filter(|&(_, is)| is).map(|(tactic, _)| tactic).collect()
    }

    #[test]
    fn words_say_what_becomes_of_chains() {
        let (mut rng, mut buffer, mut told) = (Rng::new(5), Vec::new(), [0; 6]);
        for _ in 0..30 {
            let mut game = Go9::new(9, Rules::default());
            while game.result().is_none() && game.move_number() < 100 {
                let marks = Tactic::of_points(&game, false);
                let mut moves = Vec::new();
                game.search_moves(&mut moves);
                for v in moves.into_iter().filter(|v| !v.is_pass()) {
                    let number = v.row().unwrap() * 9 + v.column().unwrap();
                    let mut found: Vec<Tactic> =
                        Tactic::ALL.into_iter().filter(|tactic| tactic.is_in(marks[number])).collect();
                    found.retain(|&tactic| tactic != Tactic::Near);
                    assert_eq!(found, by_play(&game, v), "{game} {v}");
                    found.iter().for_each(|&tactic| told[tactic as usize] += 1);
                }
                let m = game.playout_move(&mut rng, &mut buffer);
                game.play(m);
            }
        }
        let of = |tactic: Tactic| told[tactic as usize];
        let often = [Tactic::Capture, Tactic::Escape, Tactic::Atari, Tactic::SelfAtari].map(of);
        assert!(often.iter().all(|&count| count > 100), "{often:?}");
    }

    #[test]
    fn the_last_move_is_near() {
        let mut game = Go9::new(9, Rules::default());
        game.play(Vertex::parse("A1").unwrap());
        assert_eq!(points(&game, Tactic::Near).len(), 3);
        assert!("near".parse() == Ok(Tactic::Near) && "nearer".parse::<Tactic>().is_err());
    }
}
