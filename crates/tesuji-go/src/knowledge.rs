//! The knowledge of Go that searches may use: random good moves, patterns and networks.

use crate::go::Go;
use crate::network;
use crate::pattern::FeatureAdvisor;
use crate::vertex::Vertex;
use std::sync::Arc;
use tesuji::{Advisor, Evaluate, Knowledge, NetworkOptions, Rng};

impl<const STRIDE: usize, const LEN: usize> Knowledge for Go<STRIDE, LEN> {
    fn draw_search_move(&self, rng: &mut Rng) -> Option<Vertex<STRIDE>> {
        if self.restricted.is_some() {
            return None;
        }
        if self.wins_by_passing() {
            return Some(Vertex::PASS);
        }
        let empties = self.board.empties();
        let Some(&v) = empties.get(rng.below(empties.len() as u32 + 1) as usize) else {
            return Some(Vertex::PASS);
        };
        let good = match self.to_move.index() {
            0 => self.is_search_move::<0>(v.into()),
            _ => self.is_search_move::<1>(v.into()),
        };
        good.then(|| Vertex::from_index(v))
    }

    fn area(&self) -> usize {
        self.size() * self.size()
    }

    /// By [`Feature`](crate::pattern::Feature)s.
    fn advisor(&self, patterns: &[(&str, i8)]) -> Result<Arc<dyn Advisor<Self>>, String> {
        Ok(Arc::new(FeatureAdvisor::parse(self.size(), patterns)?))
    }

    /// By a [`NetEvaluator`](network::NetEvaluator).
    fn evaluator(&self, options: &NetworkOptions) -> Result<Option<Box<dyn Evaluate<Self>>>, String> {
        let evaluator = network::evaluator(options, self.size()).map_err(|error| error.to_string())?;
        Ok(Some(Box::new(evaluator)))
    }
}
