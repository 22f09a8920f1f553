//! Feedback adjustment.

#[cfg(feature = "recipe")]
use super::table::EACH;
use super::{Backup, NodeMut, Steps};
use crate::game::SearchGame;

/// The most visits that a sample counts for: as many as the last of ten segments weighs where
/// weights double.
const MOST_VISITS: f64 = 512.0;

/// Feedback adjustment in the manner of Xie & Liu 2009: the simulations are cut into segments, and
/// samples of later segments weigh more.
///
/// Weights are exact for any number of visits. Segment s of S is 1 + floor((n - 1) S / B), at most
/// S, with B = `simulations`; the profile gives its weight.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Feedback {
    /// The weight of segment s.
    ///
    /// Default: `exp2`.
    pub profile: Profile,
    /// S: the number of segments; a number above 20 counts as 20.
    ///
    /// Range: 1 to 20 (segments). Default: 10.
    #[cfg_attr(feature = "recipe", schemars(range(min = 1, max = 20), extend("unit" = "segments")))]
    pub segments: u32,
    /// B: the number of simulations that the segments divide, usually those of one move.
    ///
    /// Range: 1 to 1000000 (visits). Default: 5000.
    #[cfg_attr(feature = "recipe", schemars(range(min = 1, max = 1_000_000), extend("unit" = "visits")))]
    pub simulations: u32,
    /// The samples that n counts.
    ///
    /// Default: `node`.
    pub clock: FeedbackClock,
    /// A sample of weight w also counts as w visits, which changes exploration. Weights above 512
    /// then count as 512.
    ///
    /// Default: `false`.
    pub as_visits: bool,
    #[cfg_attr(feature = "recipe", serde(skip))]
    steps: Steps,
}

/// The weight that [`Feedback`] gives to segment s.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum Profile {
    /// w = s.
    Lin,
    /// w = s².
    Quad,
    /// w = 2^(s-1).
    #[default]
    Exp2,
    /// w = 1.5^(s-1), rounded.
    Expslow,
}

/// The clock that decides the segment of a sample in [`Feedback`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum FeedbackClock {
    /// Samples of the node.
    #[default]
    Node,
    /// Samples of the root.
    Search,
}

impl Default for Feedback {
    /// 2^(s-1) in 10 segments of 5000 samples of each node.
    fn default() -> Feedback {
        Feedback {
            profile: Profile::Exp2,
            segments: 10,
            simulations: 5000,
            clock: FeedbackClock::Node,
            as_visits: false,
            steps: Steps::default(),
        }
    }
}

impl PartialEq for Feedback {
    fn eq(&self, other: &Feedback) -> bool {
        let key = |f: &Feedback| (f.profile, f.segments, f.simulations, f.clock, f.as_visits);
        key(self) == key(other)
    }
}

impl Feedback {
    /// The backup with this profile, over `simulations` samples of each node.
    pub fn new(profile: Profile, simulations: u32) -> Feedback {
        Feedback { profile, simulations, ..Feedback::default() }
    }

    /// The weight of the n-th sample, n >= 1.
    pub fn weight(&self, n: u32) -> f64 {
        let segments = self.segments.clamp(1, 20);
        let passed = u64::from(n - 1) * u64::from(segments) / u64::from(self.simulations.max(1));
        let passed = passed.min(u64::from(segments) - 1) as i32;
        let s = f64::from(passed + 1);
        match self.profile {
            Profile::Lin => s,
            Profile::Quad => s * s,
            Profile::Exp2 => f64::from(1_u32 << passed),
            Profile::Expslow => libm::round(libm::pow(1.5, f64::from(passed))),
        }
    }

    /// The steps, where they are all there is to it.
    #[cfg(feature = "recipe")]
    pub(crate) fn steps(&self) -> Option<&Steps> {
        self.is_table().then_some(&self.steps)
    }

    /// The revision of its games, in which no node has more than `visits` visits: 1 where steps
    /// were once interpolated.
    #[cfg(feature = "recipe")]
    pub(crate) fn revision(&self, visits: u64) -> u32 {
        u32::from(self.is_table() && u64::from(self.reach()).min(visits) > EACH.into())
    }

    /// Visits up to which steps are computed: two beyond B, where the weight has long been that of
    /// the last segment.
    fn reach(&self) -> u32 {
        self.simulations.saturating_add(2)
    }

    /// The length of each segment that has any visits, and the logarithm of its weight.
    fn runs(&self) -> impl Iterator<Item = (u32, f64)> {
        let segments = u64::from(self.segments.clamp(1, 20));
        let visits = u64::from(self.simulations.max(1));
        let ends = (1..segments).map(move |s| (s * visits).div_ceil(segments) as u32).chain([self.reach()]);
        let runs = ends.scan(0, |start, end| {
            let run = *start..end;
            *start = end;
            Some(run)
        });
        let runs = runs.filter(|run| !run.is_empty());
        runs.map(|run| (run.end - run.start, libm::log(self.weight(run.start + 1))))
    }

    /// Whether the weights depend on the number of visits of the node alone.
    fn is_table(&self) -> bool {
        self.clock == FeedbackClock::Node && !self.as_visits
    }
}

impl Backup for Feedback {
    /// The sum of the weights, and the number of samples.
    fn backup_state(&self) -> usize {
        if self.is_table() { 0 } else { 2 }
    }

    #[inline]
    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        if self.is_table() {
            return self.steps.update(node, sample);
        }
        self.update_by_state(node, sample);
        sample
    }

    fn new_game<G: SearchGame>(&mut self, _: &G) {
        if self.is_table() {
            self.steps = Steps::of_runs(self.reach(), self.runs());
        }
    }

    fn bytes(&self) -> usize {
        self.steps.bytes()
    }
}

impl Feedback {
    #[inline(never)]
    fn update_by_state(&self, node: &mut impl NodeMut, sample: f64) {
        // Not the visits, of which a sample may be several.
        let samples = match self.clock {
            FeedbackClock::Node => node.backup_state().get(1),
            FeedbackClock::Search => node.backup_state_of_root().get(1),
        };
        let weight = self.weight((samples as u32).saturating_add(1));
        let weight = if self.as_visits { weight.min(MOST_VISITS) } else { weight };
        let state = node.backup_state();
        let sum = state.get(0) + weight;
        state.set(0, sum);
        state.set(1, state.get(1) + 1.0);
        node.visit_many(if self.as_visits { weight as u32 } else { 1 });
        let value = node.value();
        node.set_value(value + (sample - value) * weight / sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Replay;

    #[test]
    fn heavy_samples_are_few_visits_at_once() {
        let backup = Feedback { segments: 20, simulations: 800, as_visits: true, ..Feedback::default() };
        let mut node = Replay::new(&backup, 0);
        for n in 1..=800 {
            let before = node.visits;
            node.sample(&backup, None, if n <= 400 { 1.0 } else { 0.0 });
            assert_eq!(f64::from(node.visits - before), backup.weight(n).min(512.0));
        }
        assert_eq!((node.visits, backup.weight(800)), (40 * 511 + 400 * 512 + 40 * 512, 524_288.0));
        assert!((node.value - 40.0 * 1023.0 / f64::from(node.visits)).abs() < 1e-9, "{}", node.value);
        node.visits = u32::MAX - 1;
        node.sample(&backup, None, 0.0);
        assert_eq!(node.visits, u32::MAX);
    }
}
