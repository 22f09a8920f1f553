//! The game: turns, superko, the end, and the score.

use crate::board::{BORDER, Board, EMPTY};
use crate::history::History;
use crate::restriction::Restriction;
use crate::rule_set::RuleSet;
use crate::rules::{Illegal, Komi, Rules};
use crate::vertex::Vertex;
use crate::zobrist::mix;
use std::fmt;
use std::sync::Arc;
use tesuji::{
    Board as DrawnBoard, Drawing, Game, Guide, Keyed, Notation, Piece, Places, Player, Playouts, Rng, Trace,
    Value,
};

/// A position of Go, with the part of its past that the rules need.
///
/// The type holds boards up to size `STRIDE - 1` in `LEN` cells; use it as [`Go9`], [`Go13`] or
/// [`Go19`].
///
/// ```
/// use tesuji::Game;
/// use tesuji_go::{Go9, Rules, Vertex};
///
/// let mut game = Go9::new(9, Rules::default());
/// game.play(Vertex::parse("E5").unwrap());
/// assert_eq!(game.to_move(), tesuji::Player::SECOND);
/// assert_eq!(game.score(), 2 * 81 - 15);
/// ```
#[derive(Debug)]
pub struct Go<const STRIDE: usize, const LEN: usize> {
    pub(crate) board: Board<STRIDE, LEN>,
    pub(crate) to_move: Player,
    pub(crate) passes: u8,
    /// Black's area less White's when the first of these passes was played.
    settled: i16,
    /// Moves so far.
    pub(crate) moves: u32,
    /// Moves of the running playout.
    pub(crate) playout_moves: u32,
    pub(crate) rules: Rules,
    pub(crate) history: History,
    /// What searches leave out, and the number of moves where that began.
    pub(crate) restricted: Option<(Arc<Restriction>, u32)>,
}

/// Go on sizes 1 to 9.
pub type Go9 = Go<10, 112>;
/// Go on sizes 1 to 13, meant for 10 to 13.
pub type Go13 = Go<14, 212>;
/// Go on sizes 1 to 19, meant for 14 to 19.
pub type Go19 = Go<20, 422>;

impl<const STRIDE: usize, const LEN: usize> Go<STRIDE, LEN> {
    /// The largest size this type holds.
    pub const MAX_SIZE: usize = STRIDE - 1;

    /// The empty board, Black to move.
    ///
    /// # Panics
    /// If `size` is 0 or above [`Go::MAX_SIZE`].
    pub fn new(size: usize, rules: Rules) -> Self {
        let board = Board::new(size);
        let history = History::new(board.hash());
        Go {
            board,
            to_move: Player::FIRST,
            passes: 0,
            settled: 0,
            moves: 0,
            playout_moves: 0,
            rules,
            history,
            restricted: None,
        }
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.board.size()
    }

    /// The rules in force.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The komi in force.
    pub fn komi(&self) -> Komi {
        self.rules.komi
    }

    /// Changes the komi.
    pub fn set_komi(&mut self, komi: Komi) {
        self.rules.komi = komi;
    }

    /// The point at this column and row, counted from 0 at A1; none if it is not on this board.
    pub fn vertex(&self, column: usize, row: usize) -> Option<Vertex<STRIDE>> {
        let inside = column < self.size() && row < self.size();
        if inside { Vertex::new(column, row) } else { None }
    }

    /// All points of the board, row by row from A1.
    pub fn points(&self) -> impl Iterator<Item = Vertex<STRIDE>> + use<STRIDE, LEN> {
        self.board.points().map(|v| Vertex::from_index(v as u16))
    }

    /// Whether the point is on this board; not for the pass.
    pub fn contains(&self, v: Vertex<STRIDE>) -> bool {
        self.board.stone(v.index().into()) != BORDER
    }

    /// Whose stone is at `v`, if there is one.
    pub fn stone(&self, v: Vertex<STRIDE>) -> Option<Player> {
        match self.board.stone(v.index().into()) {
            colour @ 0..2 => Some(Player::new(colour.into())),
            _ => None,
        }
    }

    /// The number of moves so far, passes included.
    pub fn move_number(&self) -> u32 {
        self.moves
    }

    /// The number of the point of the move that was played after `count` moves, or the one behind
    /// the last for a pass; none if none was.
    pub(crate) fn move_after(&self, count: usize) -> Option<usize> {
        let later = (self.moves as usize).checked_sub(count + 1)?;
        let mut back = self.history.back();
        let points = self.size() * self.size();
        (0..=later).map_while(|_| back.step(points)).last().map(|undo| undo.point)
    }

    /// The number of consecutive passes at the end, at most 2.
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// The number of stones that `player` has captured (suicides of the opponent count).
    pub fn captures(&self, player: Player) -> u32 {
        self.board.prisoners()[player.other().index() & 1]
    }

    /// Whether `player` may play at `v` now; superko looks at the whole game since [`Go::new`] or
    /// the last [`Go::set_up`]. The pass is always legal.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn legal(&self, player: Player, v: Vertex<STRIDE>) -> Result<(), Illegal> {
        let index = v.index().into();
        if v.is_pass() {
            return Ok(());
        }
        match self.board.stone(index) {
            EMPTY if player == Player::FIRST => self.legal_at::<0>(index),
            EMPTY => self.legal_at::<1>(index),
            BORDER => Err(Illegal::OffBoard),
            _ => Err(Illegal::Occupied),
        }
    }

    /// Whether a move that repeats a position brings back the one before the last move, or leaves
    /// the present one: retaking a ko at once, and suicide of a single stone.
    pub(crate) fn repeats_at_once(&self, player: Player, v: Vertex<STRIDE>) -> bool {
        let index = self.checked(v);
        let (hash, _) = match player.index() {
            0 => self.board.hash_after::<0>(index),
            _ => self.board.hash_after::<1>(index),
        };
        let mut back = self.history.back();
        let present = back.hash();
        back.step(self.size() * self.size());
        hash == present || hash == back.hash()
    }

    /// [`Go::legal`] for an empty point.
    ///
    /// A repeated position contains the stone just played, so that the same stone was removed from
    /// the same point before: other moves need no look into the history, except suicides.
    #[inline]
    fn legal_at<const C: usize>(&self, v: usize) -> Result<(), Illegal> {
        let removed = self.board.was_removed(C, v);
        if !removed && (self.board.is_open(v) || self.board.breathes::<C>(v)) {
            return Ok(());
        }
        let (hash, suicide) = self.board.hash_after::<C>(v);
        if suicide && !self.rules.suicide {
            Err(Illegal::Suicide)
        } else if (suicide || removed) && self.history.contains(hash) {
            Err(Illegal::Superko)
        } else {
            Ok(())
        }
    }

    /// Whether colour `C` may play at the empty point `v`, and it is not an own eye.
    #[inline]
    pub(crate) fn is_search_move<const C: usize>(&self, v: usize) -> bool {
        !self.board.is_eye::<C>(v) && self.legal_at::<C>(v).is_ok()
    }

    /// The index of the point with this key of the player to move; none for the pass.
    #[inline]
    fn point_of(&self, key: usize) -> Option<usize> {
        let points = self.size() * self.size();
        let cell = key - self.to_move.index() * (points + 1);
        (cell < points).then(|| self.board.point(cell).into())
    }

    /// Whether a pass ends the game with a win for the player to move. A search that scores moves
    /// by how they did elsewhere would hardly look at a pass, and so would not see that its own
    /// pass loses a won game.
    #[inline]
    pub(crate) fn wins_by_passing(&self) -> bool {
        self.passes == 1
            && tesuji::Outcome::of(&self.settled_value(), self.to_move) > 0.5
            && !self.bars(self.size() * self.size())
    }

    /// [`Go::value`], after a pass.
    #[inline]
    fn settled_value(&self) -> Value {
        value_of(2 * i32::from(self.settled) - i32::from(self.rules.komi.halves()))
    }

    /// Plays a move of either colour, whoever's turn it is; then it is the other's turn. The move
    /// must be legal.
    ///
    /// # Panics
    /// If there is no empty point at `v`. Suicide and repetitions are carried out.
    pub fn play_as(&mut self, player: Player, v: Vertex<STRIDE>) {
        if v.is_pass() {
            self.board.lift_ko();
            // Two passes of one player are not one of each.
            if player != self.to_move {
                self.passes = 0;
            }
            if self.passes == 0 {
                self.settled = self.board.area() as i16;
            }
            self.passes = (self.passes + 1).min(2);
        } else {
            let index = self.checked(v);
            match player.index() {
                0 => self.board.place::<0, true, _>(index, &mut self.history),
                _ => self.board.place::<1, true, _>(index, &mut self.history),
            }
            self.history.push(self.board.hash());
            self.passes = 0;
        }
        self.history.moved(player, self.board.number_of(v.index().into()));
        self.moves += 1;
        self.to_move = player.other();
    }

    /// The index of `v`, which must be an empty point: the door to the board's unchecked inside.
    #[inline]
    fn checked(&self, v: Vertex<STRIDE>) -> usize {
        let index = v.index().into();
        assert!(self.board.stone(index) == EMPTY, "{v} is not an empty point");
        index
    }

    /// Makes it `player`'s turn. Two passes in a row no longer count.
    pub fn set_to_move(&mut self, player: Player) {
        self.to_move = player;
        self.passes = 0;
    }

    /// Puts stones on points, or takes them away (`None`), without playing. The result is a new
    /// beginning: superko and passes before it are forgotten, the number of moves and captures
    /// starts at 0.
    ///
    /// # Errors
    /// [`Illegal::OffBoard`] if a vertex is no point of this board, [`Illegal::Suicide`] if a chain
    /// would have no liberty; the position is then unchanged.
    pub fn set_up(&mut self, edits: &[(Vertex<STRIDE>, Option<Player>)]) -> Result<(), Illegal> {
        if edits.iter().any(|&(v, _)| !self.contains(v)) {
            return Err(Illegal::OffBoard);
        }
        let mut stones = [EMPTY; LEN];
        self.board.points().for_each(|v| stones[v] = self.board.stone(v));
        for &(v, stone) in edits {
            stones[usize::from(v.index())] = stone.map_or(EMPTY, |player| player.index() as u8 & 1);
        }
        let stones: Vec<u8> = self.board.points().map(|v| stones[v]).collect();
        self.board = Board::with_stones(self.size(), &stones).ok_or(Illegal::Suicide)?;
        self.history = History::new(self.board.hash());
        (self.passes, self.moves) = (0, 0);
        Ok(())
    }

    /// Black's area minus White's and the komi, in half points: above 0, Black wins. Every stone
    /// counts as alive.
    pub fn score(&self) -> i32 {
        2 * self.board.area() - i32::from(self.rules.komi.halves())
    }

    /// The value of the position as it stands, by [`Go::score`].
    pub fn value(&self) -> Value {
        value_of(self.score())
    }

    /// Whose area each point is, in the order of [`Go::points`]; `None` where it is nobody's. Every
    /// stone counts as alive.
    pub fn ownership(&self) -> Vec<Option<Player>> {
        let owners = self.board.owners();
        let owner = |v: usize| (owners[v] < 2).then(|| Player::new(owners[v].into()));
        self.board.points().map(owner).collect()
    }

    /// [`Game::search_moves`] of a game that goes on even where a pass would win.
    pub(crate) fn search_moves_at_play(&self, out: &mut Vec<Vertex<STRIDE>>) {
        match self.to_move.index() {
            0 => self.moves_of::<0, false>(out),
            _ => self.moves_of::<1, false>(out),
        }
    }

    /// How many of these points, by their numbers, are a player's as the board stands; what is
    /// nobody's counts a half.
    pub(crate) fn owned_by(&self, player: Player, points: &[usize]) -> f32 {
        let owners = self.board.owners();
        let owned =
            points.iter().map(|&number| match usize::from(owners[usize::from(self.board.point(number))]) {
                owner if owner == player.index() => 1.0,
                0 | 1 => 0.0,
                _ => 0.5,
            });
        owned.sum()
    }

    /// Appends the legal moves of colour `C`, its own eyes only if `EYES`, and the pass.
    #[inline]
    fn moves_of<const C: usize, const EYES: bool>(&self, out: &mut Vec<Vertex<STRIDE>>) {
        let mut list = [Vertex::PASS; LEN];
        let mut len = 0;
        for v in self.board.points() {
            list[len] = Vertex::from_index(v as u16);
            let good = self.board.stone(v) == EMPTY
                && (EYES || !self.board.is_eye::<C>(v))
                && self.legal_at::<C>(v).is_ok();
            len += usize::from(good);
        }
        list[len] = Vertex::PASS;
        if self.restricted.is_some() {
            return self.unrestricted(&list[..=len], out);
        }
        out.extend_from_slice(&list[..=len]);
    }
}

/// Who wins with this score in half points.
#[inline]
pub(crate) fn value_of(score: i32) -> Value {
    match score {
        1.. => Value::win(Player::FIRST),
        0 => Value::DRAW,
        _ => Value::win(Player::SECOND),
    }
}

impl<const STRIDE: usize, const LEN: usize> Clone for Go<STRIDE, LEN> {
    fn clone(&self) -> Self {
        Go { history: self.history.clone(), restricted: self.restricted.clone(), ..*self }
    }

    /// Allocates nothing once the target has held as long a game.
    fn clone_from(&mut self, other: &Self) {
        self.board = other.board;
        self.to_move = other.to_move;
        self.passes = other.passes;
        self.settled = other.settled;
        self.moves = other.moves;
        self.playout_moves = other.playout_moves;
        self.rules = other.rules;
        self.history.clone_from(&other.history);
        if self.restricted.is_some() || other.restricted.is_some() {
            self.restricted.clone_from(&other.restricted);
        }
    }
}

impl<const STRIDE: usize, const LEN: usize> Game for Go<STRIDE, LEN> {
    type Move = Vertex<STRIDE>;
    type Outcome = Value;

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, out: &mut Vec<Vertex<STRIDE>>) {
        match self.to_move.index() {
            0 => self.moves_of::<0, true>(out),
            _ => self.moves_of::<1, true>(out),
        }
    }

    fn play(&mut self, m: Vertex<STRIDE>) {
        self.play_as(self.to_move, m);
    }

    fn result(&self) -> Option<Value> {
        (self.passes >= 2).then(|| self.settled_value())
    }

    /// All legal moves but the filling of own single-point eyes. The pass is always among them, and
    /// alone where it wins at once.
    fn search_moves(&self, out: &mut Vec<Vertex<STRIDE>>) {
        if self.wins_by_passing() {
            return out.push(Vertex::PASS);
        }
        self.search_moves_at_play(out);
    }

    fn most_moves(&self) -> Option<usize> {
        Some(self.size() * self.size() + 1)
    }

    fn hash(&self) -> Option<u64> {
        // The default leaves the hash as it is, so that trees saved by earlier versions stay valid.
        let told = self.rules.told.bits() ^ RuleSet::TROMP_TAYLOR.bits();
        let rest = u64::from(told) << 40
            | u64::from(self.rules.komi.halves() as u16) << 24
            | u64::from(self.rules.suicide) << 16
            | (self.size() as u64) << 8
            | u64::from(self.passes) << 1
            | self.to_move.index() as u64;
        let hash = mix(self.board.hash() ^ mix(self.history.fingerprint() ^ mix(rest)));
        Some(match &self.restricted {
            None => hash,
            Some((restriction, from)) => {
                mix(hash ^ restriction.fingerprint().wrapping_add(self.moves.saturating_sub(*from).into()))
            }
        })
    }
}

impl<const STRIDE: usize, const LEN: usize> Keyed for Go<STRIDE, LEN> {
    #[inline]
    fn keys(&self) -> usize {
        2 * (self.size() * self.size() + 1)
    }

    /// The number of the point, row by row from A1; for the pass that of points.
    #[inline]
    fn code(&self, m: Vertex<STRIDE>) -> u16 {
        self.board.number_of(m.index().into()) as u16
    }

    #[inline]
    fn decode(&self, code: u16) -> Vertex<STRIDE> {
        Vertex::from_index(self.board.point(code.into()))
    }

    const FINDS_MOVES: bool = true;

    #[inline]
    fn search_move_of(&self, key: usize) -> Option<Vertex<STRIDE>> {
        let Some(v) = self.point_of(key) else {
            let pass = self.size() * self.size();
            let out = self.bars(pass) && self.has_others();
            return (!out).then_some(Vertex::PASS);
        };
        let good = self.board.stone(v) == EMPTY
            && !self.wins_by_passing()
            && match self.to_move.index() {
                0 => self.is_search_move::<0>(v),
                _ => self.is_search_move::<1>(v),
            };
        let out =
            good && self.restricted.is_some() && self.bars(self.board.number_of(v)) && self.has_others();
        (good && !out).then(|| Vertex::from_index(v as u16))
    }

    #[inline]
    fn playout_move_of(&self, key: usize) -> Option<Vertex<STRIDE>> {
        let v = self.point_of(key)?;
        let playable = self.board.is_empty(v)
            && match self.to_move.index() {
                0 => self.board.is_playable::<0>(v),
                _ => self.board.is_playable::<1>(v),
            };
        playable.then(|| Vertex::from_index(v as u16))
    }

    #[inline]
    fn is_taken(&self, key: usize) -> bool {
        self.point_of(key).is_some_and(|v| !self.board.is_empty(v))
    }

    #[inline]
    fn open_cells(&self, bits: &mut [u64]) {
        let pass = self.size() * self.size();
        bits[pass / 64] |= 1 << (pass % 64);
        for &v in self.board.empties() {
            let cell = self.board.number_of(v.into());
            bits[cell / 64] |= 1 << (cell % 64);
        }
    }
}

impl<const STRIDE: usize, const LEN: usize> Playouts for Go<STRIDE, LEN> {
    fn playout_moves(&self, out: &mut Vec<Vertex<STRIDE>>) {
        self.all_playable(out);
    }

    fn playout_move(&self, rng: &mut Rng, _: &mut Vec<Vertex<STRIDE>>) -> Vertex<STRIDE> {
        self.random_playable(rng)
    }

    #[inline]
    fn playout_play<T: Trace>(&mut self, m: Vertex<STRIDE>, trace: &mut T) {
        let index = if m.is_pass() { 0 } else { self.checked(m) };
        self.play_quickly(index, trace);
    }

    #[inline]
    fn playout_result(&self) -> Option<Value> {
        let goes_on =
            self.passes < 2 && self.playout_moves < self.playout_cap() && self.rules.mercy.is_none();
        if goes_on { None } else { self.playout_end() }
    }

    fn playout<T: Trace>(&mut self, rng: &mut Rng, _: &mut Vec<Vertex<STRIDE>>, trace: &mut T) -> Value {
        self.run_playout(rng, trace)
    }

    fn guided_playout<T: Guide>(
        &mut self,
        rng: &mut Rng,
        _: &mut Vec<Vertex<STRIDE>>,
        guide: &mut T,
    ) -> Value {
        self.run_guided(rng, guide)
    }
}

impl<const STRIDE: usize, const LEN: usize> Notation for Go<STRIDE, LEN> {
    fn move_text(&self, m: Vertex<STRIDE>) -> String {
        m.to_string()
    }

    fn drawing(&self) -> Option<Drawing> {
        let size = self.size();
        let piece = |column, row| self.vertex(column, row).and_then(|v| self.stone(v)).map(Piece::of);
        let columns = crate::sgf::COLUMNS[..size].iter().map(|&letter| char::from(letter).to_string());
        let board = DrawnBoard::new(Places::Points, size, size, piece);
        Some(Drawing::Board(DrawnBoard { columns: columns.collect(), ..board.bottom_up() }))
    }

    fn parse_move(&self, text: &str) -> Option<Vertex<STRIDE>> {
        Vertex::parse(text).filter(|&v| self.legal(self.to_move, v).is_ok())
    }
}

/// The board as people see it: X Black, O White, row 1 at the bottom.
impl<const STRIDE: usize, const LEN: usize> fmt::Display for Go<STRIDE, LEN> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: Vec<String> =
            crate::sgf::COLUMNS[..self.size()].iter().map(|&l| char::from(l).to_string()).collect();
        let letters = letters.join(" ");
        writeln!(f, "   {letters}")?;
        for row in (0..self.size()).rev() {
            let stone = |column| match self.vertex(column, row).and_then(|v| self.stone(v)) {
                Some(Player::FIRST) => "X",
                Some(_) => "O",
                None => ".",
            };
            let line: Vec<&str> = (0..self.size()).map(stone).collect();
            writeln!(f, "{:2} {} {}", row + 1, line.join(" "), row + 1)?;
        }
        write!(f, "   {letters}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Go9;
    use tesuji::Knowledge;

    #[test]
    fn the_pass_is_no_point() {
        assert_eq!(Go9::new(9, Rules::default()).area(), 81);
    }

    #[test]
    fn what_a_network_is_told_is_part_of_the_hash() {
        let hash = |told| Go9::new(9, Rules { told, ..Rules::default() }).hash();
        let chinese = RuleSet::parse("chinese").unwrap().0;
        assert_ne!(hash(chinese), hash(RuleSet::TROMP_TAYLOR));
    }

    #[test]
    fn a_set_up_forgets_passes() {
        let mut game = Go9::new(3, Rules::default());
        (0..2).for_each(|_| game.play(Vertex::PASS));
        assert!(game.result().is_some());
        game.set_up(&[]).unwrap();
        assert_eq!((game.result(), game.passes(), game.move_number()), (None, 0, 0));
    }

    #[test]
    fn where_a_pass_wins_it_is_the_only_move_worth_a_search() {
        let mut game = Go9::new(3, Rules { komi: Komi::from_halves(-1), ..Rules::default() });
        let listed = |game: &Go9| {
            let mut moves = Vec::new();
            game.search_moves(&mut moves);
            moves
        };
        game.play(Vertex::parse("A1").unwrap());
        game.play(Vertex::parse("B2").unwrap());
        game.play(Vertex::PASS);
        assert_eq!(game.to_move(), Player::SECOND);
        assert!(listed(&game).len() > 1, "a pass would lose");
        game.set_komi(Komi::default());
        assert!(listed(&game).len() > 1, "a pass would draw");
        game.set_komi(Komi::from_halves(1));
        assert_eq!(listed(&game), [Vertex::PASS], "White wins by the komi");
        assert_eq!(game.draw_search_move(&mut Rng::new(1)), Some(Vertex::PASS));
        let found: Vec<_> = (10..20).filter_map(|key| game.search_move_of(key)).collect();
        assert_eq!(found, [Vertex::PASS]);
    }
}
