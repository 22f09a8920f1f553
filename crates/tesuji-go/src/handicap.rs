//! Handicap stones.

use crate::go::Go;
use crate::rule_set::HandicapBonus;
use crate::vertex::Vertex;
use std::fmt;
use tesuji::Player;

/// Handicap stones cannot be placed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HandicapError {
    /// There are stones on the board.
    BoardNotEmpty,
    /// The number of stones is not between 2 and this.
    Count {
        /// What was asked for.
        asked: usize,
        /// The most this board takes; 0 if it takes no handicap.
        most: usize,
    },
    /// This vertex, as text, is not on the board or is named twice.
    BadVertex(String),
}

impl fmt::Display for HandicapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HandicapError::BoardNotEmpty => f.write_str("board not empty: handicap stones come first"),
            HandicapError::Count { most: 0..=1, .. } => {
                f.write_str("invalid number of stones: this board takes no handicap")
            }
            HandicapError::Count { asked, most } => {
                write!(f, "invalid number of stones: {asked}; accepted: 2 to {most}")
            }
            HandicapError::BadVertex(text) => {
                write!(f, "bad vertex list: {text} is not on the board or is named twice")
            }
        }
    }
}

impl std::error::Error for HandicapError {}

impl<const STRIDE: usize, const LEN: usize> Go<STRIDE, LEN> {
    /// The most stones of [`Go::fixed_handicap`]: 9 on odd sizes from 9, 4 on even sizes from 8 and
    /// on 7x7, otherwise 0 (GTP version 2, section 4.1.1).
    pub fn max_fixed_handicap(&self) -> usize {
        match self.size() {
            ..7 => 0,
            7 => 4,
            size if size % 2 == 0 => 4,
            _ => 9,
        }
    }

    /// The vertices of `count` handicap stones as GTP version 2 (section 4.1.1) fixes them: on the
    /// third line up to size 12, else on the fourth.
    ///
    /// # Errors
    /// If `count` is not between 2 and [`Go::max_fixed_handicap`].
    pub fn fixed_handicap(&self, count: usize) -> Result<Vec<Vertex<STRIDE>>, HandicapError> {
        let most = self.max_fixed_handicap();
        if !(2..=most).contains(&count) {
            return Err(HandicapError::Count { asked: count, most });
        }
        let low = if self.size() < 13 { 2 } else { 3 };
        let (mid, high) = (self.size() / 2, self.size() - 1 - low);
        let corners = [(low, low), (high, high), (low, high), (high, low)];
        let sides = [(low, mid), (high, mid), (mid, low), (mid, high)];
        let mut points = corners[..count.min(4)].to_vec();
        points.extend(&sides[..count.saturating_sub(4) & !1]);
        if count > 4 && count % 2 == 1 {
            points.push((mid, mid));
        }
        Ok(points.into_iter().filter_map(|(column, row)| Vertex::new(column, row)).collect())
    }

    /// The vertices of `count` freely placed handicap stones: the fixed ones as far as they go,
    /// then points spread over the board, each as far as possible from the edge and from those
    /// already chosen.
    ///
    /// # Errors
    /// If `count` is not between 2 and the number of points less one.
    pub fn free_handicap(&self, count: usize) -> Result<Vec<Vertex<STRIDE>>, HandicapError> {
        let most = self.size() * self.size() - 1;
        if !(2..=most).contains(&count) {
            return Err(HandicapError::Count { asked: count, most });
        }
        let mut stones = self.fixed_handicap(count.min(self.max_fixed_handicap())).unwrap_or_default();
        let place = |v: Vertex<STRIDE>| v.column().zip(v.row()).unwrap_or_default();
        while stones.len() < count {
            let room = |v: &Vertex<STRIDE>| {
                let (column, row) = place(*v);
                let edge = [column, row, self.size() - 1 - column, self.size() - 1 - row];
                let edge = edge.into_iter().min().unwrap_or(0);
                let distance = |&s: &Vertex<STRIDE>| {
                    let (c, r) = place(s);
                    c.abs_diff(column).pow(2) + r.abs_diff(row).pow(2)
                };
                let nearest = stones.iter().map(distance).min().unwrap_or(usize::MAX);
                nearest.min(4 * (edge + 1).pow(2))
            };
            let free = self.points().filter(|v| !stones.contains(v));
            stones.extend(free.max_by_key(room));
        }
        Ok(stones)
    }

    /// Places black handicap stones on the empty board; then White is to move.
    ///
    /// # Errors
    /// If the board is not empty, a vertex is no point of it or occurs twice, there are fewer than
    /// two, or no point would remain.
    pub fn place_handicap(&mut self, stones: &[Vertex<STRIDE>]) -> Result<(), HandicapError> {
        if self.points().any(|v| self.stone(v).is_some()) {
            return Err(HandicapError::BoardNotEmpty);
        }
        let most = self.size() * self.size() - 1;
        if !(2..=most).contains(&stones.len()) {
            return Err(HandicapError::Count { asked: stones.len(), most });
        }
        for (i, v) in stones.iter().enumerate() {
            if !self.contains(*v) || stones[..i].contains(v) {
                return Err(HandicapError::BadVertex(v.to_string()));
            }
        }
        let edits: Vec<_> = stones.iter().map(|&v| (v, Some(Player::FIRST))).collect();
        self.set_up(&edits).map_err(|_| HandicapError::Count { asked: stones.len(), most })?;
        self.set_to_move(Player::SECOND);
        Ok(())
    }

    /// The points that White gets for stones of handicap. These are the stones that Black had at
    /// the beginning, where White had none, or played before White did. One is no handicap.
    pub(crate) fn handicap_bonus(&self, bonus: HandicapBonus) -> f32 {
        if bonus == HandicapBonus::None {
            return 0.0;
        }
        let points = self.size() * self.size();
        let [mut black, mut white] = self.stones_ever();
        let (mut first_moves, mut counts) = (0, true);
        let mut moves = self.history.moves().peekable();
        while let Some((player, point)) = moves.next() {
            let is_stone = point < points;
            if player == Player::FIRST {
                black -= i64::from(is_stone);
                first_moves += i64::from(counts && is_stone);
            } else {
                white -= i64::from(is_stone);
                // Two moves of White in a row set a position up.
                if counts && moves.peek().is_some_and(|next| next.0 != Player::FIRST) {
                    (first_moves, counts) = (0, false);
                }
                counts &= !is_stone;
            }
        }
        let stones = if white == 0 { black + first_moves } else { 0 };
        match bonus {
            _ if stones <= 1 => 0.0,
            HandicapBonus::StonesLessOne => (stones - 1) as f32,
            _ => stones as f32,
        }
    }

    /// Stones of each colour that have been on the board since the game began or was set up.
    pub(crate) fn stones_ever(&self) -> [i64; 2] {
        let (stones, removed) = (self.board.stones(), self.board.prisoners());
        [0, 1].map(|colour| i64::from(stones[colour]) + i64::from(removed[colour]))
    }
}
