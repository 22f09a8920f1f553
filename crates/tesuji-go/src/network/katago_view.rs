//! The view of a position for networks of KataGo's kind.

use super::RawScore;
use super::katago_planes::{GLOBALS, KataGoPlanes, PLANES};
use crate::go::Go;
use std::sync::Arc;
use tesuji::{Expectation, NetworkSymmetry};
use tesuji_net::Symmetry;
use tesuji_net::graph::{BoardGraph, GraphEvaluator};

/// Looks at positions with a network of KataGo's kind.
#[derive(Clone, Debug)]
pub(super) struct KataGoView {
    evaluator: GraphEvaluator,
    planes: KataGoPlanes,
    symmetry: NetworkSymmetry,
    /// The planes of a position.
    input: Vec<f32>,
    /// The planes of all positions, turned, and the numbers for each.
    inputs: Vec<f32>,
    globals: Vec<f32>,
    /// The logits as the network has them, turned back.
    back: Vec<f32>,
    /// The hash of the position looked at last.
    seen: Option<u64>,
    /// What the last look found beside the value, in rows from A1.
    lead: f32,
    deviation: f32,
    ownership: Vec<f32>,
}

impl KataGoView {
    pub(super) fn new(graph: Arc<BoardGraph>, symmetry: NetworkSymmetry) -> KataGoView {
        let board = graph.board();
        let inputs = PLANES * board * board;
        let mut view = KataGoView {
            planes: KataGoPlanes::new(board, graph.rules()),
            symmetry,
            input: vec![0.0; inputs],
            inputs: Vec::new(),
            globals: Vec::new(),
            back: vec![0.0; graph.moves()],
            seen: None,
            lead: 0.0,
            deviation: 0.0,
            ownership: vec![0.0; board * board],
            evaluator: GraphEvaluator::new(graph),
        };
        view.reserve(1);
        view
    }

    /// Makes room for `positions` positions at once.
    pub(super) fn reserve(&mut self, positions: usize) {
        let looks = positions * self.symmetries(0).len();
        self.evaluator.reserve(looks);
        for (numbers, each) in [(&mut self.inputs, self.input.len()), (&mut self.globals, GLOBALS)] {
            let missing = (looks * each).saturating_sub(numbers.len());
            numbers.reserve_exact(missing);
            numbers.resize(numbers.len() + missing, 0.0);
        }
    }

    /// The symmetries in which a position with this hash is looked at.
    fn symmetries(&self, hash: u64) -> &'static [Symmetry] {
        let one = |at: usize| &Symmetry::ALL[at..=at];
        match self.symmetry {
            NetworkSymmetry::None => one(0),
            NetworkSymmetry::Random => one((hash % 8) as usize),
            NetworkSymmetry::Average => &Symmetry::ALL,
        }
    }

    /// A hash of all that the network sees.
    pub(super) fn hash<const STRIDE: usize, const LEN: usize>(&self, position: &Go<STRIDE, LEN>) -> u64 {
        self.planes.hash(position)
    }

    /// What it finds beside the value of a position; where the last look was at this one it does
    /// not look again. Logits may be overwritten. The lead is one that the board allows: on boards
    /// unlike those of its games a network may say more.
    pub(super) fn expectation<const STRIDE: usize, const LEN: usize>(
        &mut self,
        position: &Go<STRIDE, LEN>,
        logits: &mut [f32],
    ) -> Expectation {
        let hash = self.hash(position);
        if self.seen != Some(hash) {
            self.look(position, hash, logits);
        }
        let [least, most] = self.planes.leads(position);
        Expectation {
            lead: self.lead.clamp(least, most),
            deviation: self.deviation,
            ownership: self.ownership.clone(),
        }
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        let KataGoView { evaluator, input, inputs, globals, back, ownership, .. } = self;
        let numbers = [input, inputs, globals, back, ownership].map(|numbers| numbers.capacity());
        evaluator.bytes() + numbers.iter().sum::<usize>() * size_of::<f32>()
    }

    /// Writes the logits of a position, in rows from A1, and returns its value, in [-1, 1]: a game
    /// without a result counts 0.
    pub(super) fn look<const STRIDE: usize, const LEN: usize>(
        &mut self,
        position: &Go<STRIDE, LEN>,
        hash: u64,
        logits: &mut [f32],
    ) -> f32 {
        let mut value = [0.0];
        self.look_at_all([(position, hash)].into_iter(), logits, &mut value);
        value[0]
    }

    /// Writes the logits of positions, `[position, move]`, and their values; each as
    /// [`KataGoView::look`] does.
    pub(super) fn look_at_all<'a, const STRIDE: usize, const LEN: usize>(
        &mut self,
        positions: impl ExactSizeIterator<Item = (&'a Go<STRIDE, LEN>, u64)> + Clone,
        logits: &mut [f32],
        values: &mut [f32],
    ) {
        self.reserve(positions.len());
        let mut looks = 0;
        for (position, hash) in positions.clone() {
            self.show(position, self.symmetries(hash), &mut looks);
        }
        self.evaluate(looks);
        let mut look = 0;
        let rows = logits.chunks_exact_mut(self.evaluator.graph().moves());
        for (((position, hash), logits), value) in positions.zip(rows).zip(values) {
            self.begin(Some(hash), logits);
            let symmetries = self.symmetries(hash);
            let share = 1.0 / symmetries.len() as f32;
            let can_fail = position.rules().told.can_fail();
            let add = |(look, &symmetry): (usize, _)| self.add(look, symmetry, share, can_fail, logits);
            *value = (look..).zip(symmetries).map(add).sum();
            look += symmetries.len();
        }
    }

    /// Writes the logits of a position, looked at in this symmetry, and returns the probabilities
    /// of a win, a loss and no result, and what the network says of the score.
    pub(super) fn raw<const STRIDE: usize, const LEN: usize>(
        &mut self,
        position: &Go<STRIDE, LEN>,
        symmetry: Symmetry,
        logits: &mut [f32],
    ) -> ([f64; 3], RawScore) {
        self.show(position, &[symmetry], &mut 0);
        self.evaluate(1);
        self.begin(None, logits);
        let can_fail = position.rules().told.can_fail();
        self.add(0, symmetry, 1.0, can_fail, logits);
        let outputs = &self.evaluator.outputs()[0];
        let result = outputs.probabilities(can_fail);
        let (mean, deviation) = (f64::from(outputs.score), f64::from(outputs.deviation));
        let ends = 1.0 - result[2];
        let [least, most] = self.planes.leads(position).map(f64::from);
        let score = RawScore {
            lead: f64::from(self.lead).clamp(least, most),
            mean: (ends * mean).clamp(least, most),
            square: ends * (mean * mean + deviation * deviation),
            ownership: self.ownership.clone(),
        };
        (result, score)
    }

    /// Writes what the network sees of a position in each of these symmetries, as the looks from
    /// `look` on.
    fn show<const STRIDE: usize, const LEN: usize>(
        &mut self,
        position: &Go<STRIDE, LEN>,
        symmetries: &[Symmetry],
        look: &mut usize,
    ) {
        let (board, size) = (self.evaluator.graph().board(), self.input.len());
        let first = *look * GLOBALS;
        self.planes.write(position, &mut self.input, &mut self.globals[first..][..GLOBALS]);
        for &symmetry in symmetries {
            symmetry.planes(board, &self.input, &mut self.inputs[*look * size..][..size]);
            self.globals.copy_within(first..first + GLOBALS, *look * GLOBALS);
            *look += 1;
        }
    }

    fn evaluate(&mut self, looks: usize) {
        let (inputs, globals) = (looks * self.input.len(), looks * GLOBALS);
        self.evaluator.evaluate_many(looks, &self.inputs[..inputs], &self.globals[..globals]);
    }

    /// Forgets what was found of another position.
    fn begin(&mut self, seen: Option<u64>, logits: &mut [f32]) {
        (self.seen, self.lead, self.deviation) = (seen, 0.0, 0.0);
        self.ownership.fill(0.0);
        logits.fill(0.0);
    }

    /// Adds a share of what a look in this symmetry has found, and returns that share of the value.
    fn add(
        &mut self,
        look: usize,
        symmetry: Symmetry,
        share: f32,
        can_fail: bool,
        logits: &mut [f32],
    ) -> f32 {
        let board = self.evaluator.graph().board();
        let outputs = &self.evaluator.outputs()[look];
        let [win, loss, none] = outputs.probabilities(can_fail);
        self.lead += share * outputs.lead * (1.0 - none) as f32;
        self.deviation += share * outputs.deviation;
        let inverse = symmetry.inverse();
        let add = |from: &[f32], to: &mut [f32], back: &mut [f32]| {
            inverse.planes(board, from, back);
            // Rows from the top become rows from A1.
            let rows = to.chunks_exact_mut(board).zip(back.chunks_exact(board).rev());
            rows.for_each(|(to, from)| to.iter_mut().zip(from).for_each(|(to, x)| *to += share * x));
        };
        let (points, pass) = logits.split_at_mut(board * board);
        let (logits, pass_logit) = outputs.policy.split_at(board * board);
        add(logits, points, &mut self.back[..board * board]);
        add(&outputs.ownership, &mut self.ownership, &mut self.back[..board * board]);
        pass[0] += share * pass_logit[0];
        share * (win - loss) as f32
    }
}
