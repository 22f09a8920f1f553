//! The shape of a network: board, planes, filters, blocks and heads.

use std::fmt;

/// The dimensions of a residual policy-value network.
///
/// Without numbers for the whole position (`globals` is 0) it is a network for one board (Silver et
/// al. 2017, "Methods: Neural network architecture"): a 3x3 convolution of the planes, `blocks`
/// residual blocks of two 3x3 convolutions each, and two heads: 1x1 convolution and linear layer to
/// the policy's logits, 1x1 convolution and two linear layers to the value. Every convolution is
/// followed by batch norm, every batch norm by ReLU; the value by tanh.
///
/// With them it is a *pooling* network (Wu 2019), whose weights fit every board: norms come before
/// the convolutions of a block. Every third block from the second on, and the heads, give every
/// point information from the whole board. The heads also have lead and ownership.
/// [`Graph`](crate::graph::Graph) has its formulae; a block pools a quarter of its channels.
/// `replies` and `horizons` add outputs for training alone: the layers before theirs learn from
/// them, and to evaluate a position, nothing computes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Rows of the board, 2 to 19.
    pub board: usize,
    /// Input planes, 1 to 1024.
    pub planes: usize,
    /// Channels of the trunk, 1 to 1024.
    pub filters: usize,
    /// Residual blocks, 0 to 100.
    pub blocks: usize,
    /// Channels of the policy head's convolution, 1 to 1024.
    pub policy_filters: usize,
    /// Channels of the value head's convolution, 1 to 1024.
    pub value_filters: usize,
    /// Hidden units of the value head, 1 to 4096.
    pub value_hidden: usize,
    /// Numbers for the whole position in the input, 0 to 1024; with any it is a pooling network.
    pub globals: usize,
    /// Moves that the policy numbers, 0 to 65 536. 0: one for each point, row by row, and the pass,
    /// as in every pooling network.
    pub actions: usize,
    /// Policies of later moves that a pooling network learns, 0 or 1: that of the opponent's reply
    /// (Wu 2019).
    pub replies: usize,
    /// Values of the near future that a pooling network learns, 0 to 3, see [`Shape::horizon`].
    pub horizons: usize,
}

impl Shape {
    /// A network for 9x9 Go: 10 planes, 4 blocks of 32 filters.
    pub const GO9: Shape = Shape {
        board: 9,
        planes: 10,
        filters: 32,
        blocks: 4,
        policy_filters: 2,
        value_filters: 1,
        value_hidden: 64,
        globals: 0,
        actions: 0,
        replies: 0,
        horizons: 0,
    };

    /// A network for 19x19 Go: 18 planes, 10 blocks of 64 filters.
    pub const GO19: Shape = Shape {
        board: 19,
        planes: 18,
        filters: 64,
        blocks: 10,
        policy_filters: 2,
        value_filters: 1,
        value_hidden: 256,
        globals: 0,
        actions: 0,
        replies: 0,
        horizons: 0,
    };

    /// A pooling network for Go: 22 planes and 19 numbers, 6 blocks of 64 filters.
    pub const POOLING: Shape = Shape {
        board: 9,
        planes: 22,
        filters: 64,
        blocks: 6,
        policy_filters: 32,
        value_filters: 32,
        value_hidden: 64,
        globals: 19,
        actions: 0,
        replies: 0,
        horizons: 0,
    };

    /// Whether it is a pooling network.
    pub fn pools(&self) -> bool {
        self.globals > 0
    }

    /// Whether a block of a pooling network pools.
    pub(crate) fn pools_in(block: usize) -> bool {
        block % 3 == 1
    }

    /// Channels that such a block pools.
    pub(crate) fn pooled_filters(&self) -> usize {
        self.filters.div_ceil(4)
    }

    /// The points of the board.
    pub fn points(&self) -> usize {
        self.board * self.board
    }

    /// The number of inputs: `planes` times the points.
    pub fn inputs(&self) -> usize {
        self.planes * self.points()
    }

    /// The number of logits of the policy: `actions`, or one for each point, row by row, and the
    /// pass.
    pub fn moves(&self) -> usize {
        if self.actions == 0 { self.points() + 1 } else { self.actions }
    }

    /// The number of moves that value N of the near future looks ahead on average, N below
    /// [`Shape::horizons`]: 1 + s times the points, where s is 0.016, 0.056 and 0.176, as in
    /// KataGo. Moves from positions that train nothing do not count.
    ///
    /// # Panics
    /// If N is 3 or more.
    pub fn horizon(&self, number: usize) -> f32 {
        1.0 + [0.016, 0.056, 0.176][number] * self.points() as f32
    }

    /// The largest number of parameters of a network that is trained: with their momentum and their
    /// mean they take 1.5 GiB, the largest file that is read. 40 blocks of 400 filters have fewer,
    /// and a search with such a network is too slow for any processor.
    pub const MOST_PARAMETERS: usize = 1 << 27;

    /// The measures in the order of the fields.
    pub(crate) fn measures(&self) -> [usize; 11] {
        let Shape {
            board,
            planes,
            filters,
            blocks,
            policy_filters,
            value_filters,
            value_hidden,
            globals,
            actions,
            replies,
            horizons,
        } = *self;
        let [policy, value, hidden] = [policy_filters, value_filters, value_hidden];
        [board, planes, filters, blocks, policy, value, hidden, globals, actions, replies, horizons]
    }

    /// The inverse of [`Shape::measures`].
    pub(crate) fn from_measures(measures: [usize; 11]) -> Shape {
        let [board, planes, filters, blocks, policy, value, hidden, globals, actions, replies, horizons] =
            measures;
        Shape {
            board,
            planes,
            filters,
            blocks,
            policy_filters: policy,
            value_filters: value,
            value_hidden: hidden,
            globals,
            actions,
            replies,
            horizons,
        }
    }

    /// The shape, if its dimensions are in range.
    ///
    /// # Errors
    /// The first measure that is out of range.
    pub fn checked(self) -> Result<Shape, ShapeError> {
        for (name, value, range) in [
            ("board", self.board, 2..=19),
            ("planes", self.planes, 1..=1024),
            ("filters", self.filters, 1..=1024),
            ("blocks", self.blocks, 0..=100),
            ("policy_filters", self.policy_filters, 1..=1024),
            ("value_filters", self.value_filters, 1..=1024),
            ("value_hidden", self.value_hidden, 1..=4096),
            ("globals", self.globals, 0..=1024),
            ("actions", self.actions, 0..=if self.pools() { 0 } else { 1 << 16 }),
            ("replies", self.replies, 0..=usize::from(self.pools())),
            ("horizons", self.horizons, 0..=if self.pools() { 3 } else { 0 }),
        ] {
            if !range.contains(&value) {
                return Err(ShapeError { name, value, least: *range.start(), most: *range.end() });
            }
        }
        Ok(self)
    }
}

/// Such as `9x9, 10 planes, 4 blocks of 32 filters, heads 2, 1 and 64`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{0}x{0}, {1} planes, {2} blocks of {3} filters, heads {4}, {5} and {6}",
            self.board,
            self.planes,
            self.blocks,
            self.filters,
            self.policy_filters,
            self.value_filters,
            self.value_hidden
        )?;
        if self.pools() {
            write!(f, ", pooling, {} numbers", self.globals)?;
            return match (self.replies, self.horizons) {
                (0, 0) => Ok(()),
                (replies, horizons) => write!(f, ", {replies} replies, {horizons} horizons"),
            };
        }
        if self.actions > 0 { write!(f, ", {} actions", self.actions) } else { Ok(()) }
    }
}

/// A dimension of a network that is out of range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeError {
    name: &'static str,
    value: usize,
    least: usize,
    most: usize,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ShapeError { name, value, least, most } = self;
        match (*name, most) {
            ("replies" | "horizons", 0) => {
                write!(f, "{name} is {value}, but must be 0 without globals: only a pooling network has them")
            }
            _ => write!(f, "{name} is {value}, but must be {least} to {most}"),
        }
    }
}

impl std::error::Error for ShapeError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flops_of_the_two_networks() {
        assert!((Shape::GO9.flops() as f64 / 12.5e6 - 1.0).abs() < 0.01, "{}", Shape::GO9.flops());
        assert!((Shape::GO19.flops() as f64 / 0.541e9 - 1.0).abs() < 0.01, "{}", Shape::GO19.flops());
    }

    #[test]
    fn a_measure_out_of_range_is_named() {
        let error = Shape { board: 20, ..Shape::GO9 }.checked().unwrap_err();
        assert_eq!(error.to_string(), "board is 20, but must be 2 to 19");
        let error = Shape { horizons: 2, ..Shape::GO9 }.checked().unwrap_err();
        assert!(error.to_string().contains("horizons is 2, but must be 0 without globals"), "{error}");
        let error = Shape { horizons: 4, ..Shape::POOLING }.checked().unwrap_err();
        assert_eq!(error.to_string(), "horizons is 4, but must be 0 to 3");
        assert!(Shape { blocks: 0, ..Shape::GO9 }.checked().is_ok());
    }
}
